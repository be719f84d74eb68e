#!/usr/bin/env bash
# Talks to `gdscene mcp` as coding agents do: the official client of the Model Context Protocol for Python runs whole sessions
# with the real program on a copy of a small project. Ends with `N passed, N failed, N skipped`.
#
# Usage:
#   scripts/test/servers/mcp.sh
#   scripts/test/servers/mcp.sh --help
#
# Needs python3 (3.10 or newer); the client is installed with pip into an environment in the cache. Where that cannot be had, all
# counts as skipped, unless CI=true.
#
# Environment:
#   FAST_VARIANT_CACHE  where the environment is kept (default: ~/.cache/fast_variant)

set -euo pipefail

# shellcheck source=scripts/lib/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/../../lib/common.sh"
# shellcheck source=scripts/lib/rust.sh
. "$ROOT/scripts/lib/rust.sh"
# shellcheck source=scripts/lib/python.sh
. "$ROOT/scripts/lib/python.sh"

readonly REQUIREMENTS=$ROOT/scripts/test/servers/mcp/requirements.txt
readonly WORK=$ROOT/target/engine/mcp

main() {
    case "${1:-}" in
        "") ;;
        --help | -h) print_help && return ;;
        *) fail "unknown argument \`$1\`; see scripts/test/servers/mcp.sh --help" ;;
    esac
    require_cargo
    cd "$ROOT"
    rm -rf "$WORK"
    mkdir -p "$WORK"
    local python
    if ! python=$(python_with mcp "$REQUIREMENTS" "$WORK/install.log"); then
        [ "${CI:-}" != true ] || fail "the client of the protocol cannot be installed:" "$(tail -n 3 "$WORK/install.log")"
        say "SKIPPED: sessions with an official client: $(tail -n 1 "$WORK/install.log")"
        printf '0 passed, 0 failed, 1 skipped\n'
        return
    fi
    cargo build --quiet -p gdscene
    "$python/bin/python" "$ROOT/scripts/test/servers/mcp/sessions.py" "$(program)" "$ROOT/rust/project/tests/refactored_project" "$WORK"
}

program() {
    printf '%s/debug/gdscene\n' "$(cd "${CARGO_TARGET_DIR:-target}" && pwd)"
}

main "$@"
