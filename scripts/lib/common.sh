# shellcheck shell=bash
# The common part of all scripts: messages, --help, versions, and the places of files. Sourced, not run.
#
# Written for bash 3.2 and later, because macOS has that version.

# shellcheck disable=SC2034 # used by the scripts that source this file
ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)

# Messages go to standard error; standard output is kept for answers (`--prefix`, `--where`, ...).
say() {
    printf '%s\n' "$*" >&2
}

# fail MESSAGE [MORE LINES...]
fail() {
    printf 'error: %s\n' "$1" >&2
    shift
    if [ $# -gt 0 ]; then
        printf '       %s\n' "$@" >&2
    fi
    exit 1
}

# misused MESSAGE: ends a script that does not know its arguments.
misused() {
    fail "$1; see ${0#"$ROOT/"} --help"
}

# A script's help is the comment at its top.
print_help() {
    awk 'NR > 1 { if (!/^#/) exit; sub(/^# ?/, ""); print }' "$0"
}

# run_main ARGUMENT...: the last line of a script, which has a function `main`.
run_main() {
    case "${1:-}" in
        --help | -h) print_help ;;
        *) main "$@" ;;
    esac
}

# expect_no_arguments ARGUMENT...: for scripts that take none but --help.
expect_no_arguments() {
    [ $# = 0 ] || misused "unknown argument \`$1\`"
}

have() {
    command -v "$1" >/dev/null 2>&1
}

# Downloads and unpacked engines live outside the tree, so that all checkouts share them.
cache_folder() {
    local folder=${FAST_VARIANT_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/fast_variant}
    case "$folder" in
        /*) printf '%s\n' "$folder" ;;
        *) printf '%s/%s\n' "$PWD" "$folder" ;;
    esac
}

# set_prefix SET: where the programs of a set of packages are (lib/debian_packages.sh). The number goes up when prefixes
# are built differently, so that checkouts of different age can share a cache.
set_prefix() {
    printf '%s/%s-1/current\n' "$(cache_folder)" "$1"
}

# The programs hold their folder's absolute path, so a cache that was moved is not usable.
set_is_filled() {
    local prefix folder
    prefix=$(set_prefix "$1")
    [ -f "$prefix/built-in" ] || return 1
    folder=$(cd "$prefix" && pwd -P)
    [ "$(cat "$prefix/built-in")" = "$folder" ]
}

# version_at_least 4.10.1 4.4: compares the leading dotted numbers; a missing number counts as 0.
version_at_least() {
    local have_parts want_parts i
    IFS=. read -r -a have_parts <<<"${1%%[!0-9.]*}"
    IFS=. read -r -a want_parts <<<"${2%%[!0-9.]*}"
    for i in 0 1 2; do
        if [ "${have_parts[i]:-0}" -ne "${want_parts[i]:-0}" ]; then
            [ "${have_parts[i]:-0}" -gt "${want_parts[i]:-0}" ]
            return
        fi
    done
}

# absolute_path PATH
absolute_path() {
    case "$1" in
        /* | [A-Za-z]:*) printf '%s\n' "$1" ;;
        *) printf '%s/%s\n' "$PWD" "$1" ;;
    esac
}
