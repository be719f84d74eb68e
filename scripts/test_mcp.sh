#!/usr/bin/env bash
# Talks to `gdscene mcp` as coding agents do: the official client of the Model Context Protocol for Python runs whole sessions
# with the real program on a copy of a small project. Ends with `N passed, N failed, N skipped`.
#
# Usage:
#   scripts/test_mcp.sh
#   scripts/test_mcp.sh --help
#
# Needs python3 (3.10 or newer); the client is installed with pip into an environment in the cache. Where that cannot be had, all
# counts as skipped, unless CI=true.
#
# Environment:
#   FAST_VARIANT_CACHE  where the environment is kept (default: ~/.cache/fast_variant)

set -euo pipefail

# shellcheck source=scripts/lib/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"
# shellcheck source=scripts/lib/rust.sh
. "$ROOT/scripts/lib/rust.sh"

readonly REQUIREMENTS=$ROOT/scripts/lib/mcp/requirements.txt
readonly WORK=$ROOT/target/engine/mcp
readonly OLDEST_PYTHON=3.10

main() {
    case "${1:-}" in
        "") ;;
        --help | -h) print_help && return ;;
        *) fail "unknown argument \`$1\`; see scripts/test_mcp.sh --help" ;;
    esac
    require_cargo
    cd "$ROOT"
    rm -rf "$WORK"
    mkdir -p "$WORK"
    local python
    if ! python=$(client_python); then
        [ "${CI:-}" != true ] || fail "the client of the protocol cannot be installed:" "$(tail -n 3 "$WORK/install.log")"
        say "SKIPPED: sessions with an official client: $(tail -n 1 "$WORK/install.log")"
        printf '0 passed, 0 failed, 1 skipped\n'
        return
    fi
    cargo build --quiet -p cli
    "$python" "$ROOT/scripts/lib/mcp/sessions.py" "$(program)" "$ROOT/rust/project/tests/refactored_project" "$WORK"
}

program() {
    printf '%s/debug/gdscene\n' "$(cd "${CARGO_TARGET_DIR:-target}" && pwd)"
}

# The interpreter of an environment that has what the requirements list. A new list makes a new environment.
client_python() {
    local folder
    {
        if ! have python3; then
            printf 'there is no python3\n'
            return 1
        fi
        if ! version_at_least "$(python3 -c 'import platform; print(platform.python_version())')" "$OLDEST_PYTHON"; then
            printf 'python3 is older than %s\n' "$OLDEST_PYTHON"
            return 1
        fi
        folder=$(cache_folder)/mcp-$(cksum <"$REQUIREMENTS" | cut -d ' ' -f 1)
        if [ ! -f "$folder/complete" ]; then
            rm -rf "$folder"
            python3 -m venv "$folder" || return 1
            "$folder/bin/python" -m pip install --quiet --disable-pip-version-check --requirement "$REQUIREMENTS" || return 1
            : >"$folder/complete"
        fi
    } >"$WORK/install.log" 2>&1
    printf '%s/bin/python\n' "$folder"
}

main "$@"
