# shellcheck shell=bash
# The site of the documentation, and its tools: a Python environment in the cache. Sourced after common.sh and node.sh.

readonly DOCS_SITE=$ROOT/scripts/docs
# The oldest Python for the pinned versions.
readonly DOCS_OLDEST_PYTHON=3.10

# docs_tools LOG: prints the folder with the packages of the requirements (bin/python) and of the npm package (node_modules). Fails
# if they cannot be had; LOG says why.
docs_tools() {
    local folder
    folder=$(cache_folder)/docs-$(cat "$DOCS_SITE/requirements.txt" "$DOCS_SITE/package-lock.json" | cksum | cut -d ' ' -f 1)
    [ -f "$folder/complete" ] || get_docs_tools "$folder" "$1" >"$1" 2>&1 || return 1
    printf '%s\n' "$folder"
}

get_docs_tools() {
    local folder=$1
    if ! have python3; then
        printf 'there is no python3\n'
        return 1
    fi
    if ! version_at_least "$(python3 -c 'import platform; print(platform.python_version())')" "$DOCS_OLDEST_PYTHON"; then
        printf 'python3 is older than %s\n' "$DOCS_OLDEST_PYTHON"
        return 1
    fi
    rm -rf "$folder"
    python3 -m venv "$folder" || return 1
    "$folder/bin/python" -m pip install --quiet --disable-pip-version-check --only-binary :all: \
        --requirement "$DOCS_SITE/requirements.txt" || return 1
    use_node "$2.node" || { cat "$2.node" && return 1; }
    cp "$DOCS_SITE"/package.json "$DOCS_SITE"/package-lock.json "$folder"
    npm_packages "$folder" || return 1
    : >"$folder/complete"
}
