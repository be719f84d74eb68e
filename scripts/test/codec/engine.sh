#!/usr/bin/env bash
# The tests inside a Godot with the libraries that are in the addon, on any platform. Needs no Rust, but scripts/build.sh.
#
# Usage:
#   scripts/test/codec/engine.sh                  import, editor, and the tests of the editor plugin
#   scripts/test/codec/engine.sh import           import the demo project
#   scripts/test/codec/engine.sh editor           its tests in the editor's program
#   scripts/test/codec/engine.sh export           export it as a release build
#   scripts/test/codec/engine.sh release          its tests in the export
#   scripts/test/codec/engine.sh portable         the same, with the portable paths to the engine's memory
#   scripts/test/codec/engine.sh no-table-sizes   those on large values, with the sizes of dictionaries left to the engine
#   scripts/test/codec/engine.sh --help
#
# Environment:
#   GODOT4_BIN  the Godot to test in

set -euo pipefail

# shellcheck source=scripts/lib/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/../../lib/common.sh"
# shellcheck source=scripts/lib/programs.sh
. "$ROOT/scripts/lib/programs.sh"
# shellcheck source=scripts/lib/engine_run.sh
. "$ROOT/scripts/lib/engine_run.sh"
# shellcheck source=scripts/lib/godot_project.sh
. "$ROOT/scripts/lib/godot_project.sh"
# shellcheck source=scripts/lib/files.sh
. "$ROOT/scripts/lib/files.sh"

# shellcheck disable=SC2046 # several arguments
main() {
    case "${1:-}" in
        "")
            import
            editor
            "$ROOT/scripts/test/editor/plugin.sh"
            say "ok"
            ;;
        import) import ;;
        export) export_project ;;
        # The two programs get different samples.
        editor) editor $(sample "$SEED") ;;
        release) tested run_export release $(sample $((SEED + 1))) ;;
        portable) FAST_VARIANT_PORTABLE=1 tested run_export portable ;;
        no-table-sizes)
            FAST_VARIANT_NO_TABLE_SIZES=1 tested run_export no_table_sizes \
                --filter api/backend,api/large_values,api/workers,identity/together
            ;;
        *) misused "unknown argument \`$1\`" ;;
    esac
}

# sample SEED: prints arguments: one of three tests of each suite, and a tenth of the values and byte strings for the comparison
# with the engine.
sample() {
    ! is_sample || printf '%s\n' --seed "$1" --count 6000 --one-in 3
}

import() {
    mirror_folder "$ROOT/addons/fast_variant" "$PROJECT/addons/fast_variant"
    "$ROOT/scripts/godot.sh" --version
    import_project "$PROJECT"
}

editor() {
    tested run_project editor "$@"
}

# tested run_project|run_export NAME ARGUMENTS...: repeats the last line of the runner in the engine, which counts.
tested() {
    local status=0 log=$ENGINE_OUTPUT/tests_$2.log
    "$1" "$log" "$TESTS_SENTINEL" --run-tests "${@:3}" || status=1
    grep -E '^[0-9]+ passed, [0-9]+ failed, [0-9]+ skipped$' "$log" | tail -n 1 || true
    return "$status"
}

run_main "$@"
