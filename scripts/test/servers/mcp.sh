#!/usr/bin/env bash
# Talks to `gdscene mcp` as coding agents do. The official Python client of the Model Context Protocol runs whole sessions with the
# real program on a copy of a small project. Ends with `N passed, N failed, N skipped`.
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
# shellcheck source=scripts/lib/programs.sh
. "$ROOT/scripts/lib/programs.sh"
# shellcheck source=scripts/lib/rust.sh
. "$ROOT/scripts/lib/rust.sh"
# shellcheck source=scripts/lib/python.sh
. "$ROOT/scripts/lib/python.sh"
# shellcheck source=scripts/lib/checks.sh
. "$ROOT/scripts/lib/checks.sh"

readonly REQUIREMENTS=$ROOT/scripts/test/servers/mcp/requirements.txt
readonly WORK=$ROOT/target/engine/mcp

main() {
    expect_no_arguments "$@"
    cd "$ROOT"
    rm -rf "$WORK"
    mkdir -p "$WORK"
    local python
    if ! python=$(python_with mcp "$REQUIREMENTS" "$WORK/install.log"); then
        [ "${CI:-}" != true ] || fail "the client of the protocol cannot be installed:" "$(tail -n 3 "$WORK/install.log")"
        skip_all "sessions with an official client: $(tail -n 1 "$WORK/install.log")"
    fi
    "$python/bin/python" "$ROOT/scripts/test/servers/mcp/sessions.py" "$(built gdscene)" "$ROOT/rust/gdscene-refactor/tests/refactored_project" "$WORK"
}

run_main "$@"
