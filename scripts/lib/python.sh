# shellcheck shell=bash
# Packages of Python's, in environments in the cache: nothing of the system is changed. Sourced after common.sh.

readonly OLDEST_PYTHON=3.10

# python_with NAME REQUIREMENTS LOG: prints the folder of an environment with the packages in the file REQUIREMENTS. A new list
# makes a new environment. Fails if it cannot be had; the last line of LOG says why.
python_with() {
    local folder
    folder=$(cache_folder)/$1-$(cksum <"$2" | cut -d ' ' -f 1)
    {
        if ! have python3; then
            printf 'there is no python3\n'
            return 1
        fi
        if ! version_at_least "$(python3 -c 'import platform; print(platform.python_version())')" "$OLDEST_PYTHON"; then
            printf 'python3 is older than %s\n' "$OLDEST_PYTHON"
            return 1
        fi
        if [ ! -f "$folder/complete" ]; then
            rm -rf "$folder"
            python3 -m venv "$folder" || return 1
            "$folder/bin/python" -m pip install --quiet --disable-pip-version-check --requirement "$2" || return 1
            : >"$folder/complete"
        fi
    } >"$3" 2>&1
    printf '%s\n' "$folder"
}
