#!/usr/bin/env bash
# The tests inside a Godot with the library that is built, on any platform: the demo project's own, and the editor
# plugin's. It needs no Rust. scripts/test.sh does more.
#
# Usage:
#   scripts/test/codec/engine.sh
#   scripts/test/codec/engine.sh --help
#
# Environment:
#   GODOT4_BIN  the Godot to test in

set -euo pipefail

# shellcheck source=scripts/lib/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/../../lib/common.sh"
# shellcheck source=scripts/lib/engine_run.sh
. "$ROOT/scripts/lib/engine_run.sh"
# shellcheck source=scripts/lib/godot_project.sh
. "$ROOT/scripts/lib/godot_project.sh"
# shellcheck source=scripts/lib/files.sh
. "$ROOT/scripts/lib/files.sh"

main() {
    case "${1:-}" in
        "") ;;
        --help | -h) print_help && return ;;
        *) fail "unknown argument \`$1\`; see scripts/test/codec/engine.sh --help" ;;
    esac
    mirror_folder "$ROOT/addons/fast_variant" "$PROJECT/addons/fast_variant"
    "$ROOT/scripts/godot.sh" --version
    import_project "$PROJECT"
    run_project "$ENGINE_OUTPUT/tests_editor.log" "$TESTS_SENTINEL" --run-tests
    "$ROOT/scripts/test/editor/plugin.sh"
    say "ok"
}

main "$@"
