#!/usr/bin/env bash
# Measures. Ours and the engine's ways run in turns in one process, and the medians are compared.
#
# Usage:
#   scripts/bench.sh codec [--json FILE] [--build editor|release|both] [--filter TEXT] [--budget MSEC]
#   scripts/bench.sh --help
#
#   codec      FastVariant against var_to_bytes and bytes_to_var
#   --json     write the rows to FILE, as a list of objects with the keys suite, build, workload, direction, bytes,
#              ours_us, other, other_us, ratio (ratio = other_us / ours_us: above 1, ours is faster)
#   --build    where to measure: in an exported release build, as players run it, or in the editor's program
#              (default: both)
#   --filter   only the workloads whose name contains TEXT
#   --budget   time for one workload in one direction

set -euo pipefail

# shellcheck source=scripts/lib/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"
# shellcheck source=scripts/lib/engine_run.sh
. "$ROOT/scripts/lib/engine_run.sh"
# shellcheck source=scripts/lib/godot_project.sh
. "$ROOT/scripts/lib/godot_project.sh"

main() {
    local suite=${1:-} build=both json=""
    case "$suite" in
        --help | -h) print_help && return ;;
        codec) shift ;;
        *) fail "unknown suite \`$suite\`; see scripts/bench.sh --help" ;;
    esac
    local arguments=(--run-bench)
    while [ $# -gt 0 ]; do
        [ $# -gt 1 ] || fail "$1 needs a value; see scripts/bench.sh --help"
        case "$1" in
            --json) json=$(absolute_path "$2") ;;
            --build) build=$2 ;;
            --filter | --budget) arguments+=("$1" "$2") ;;
            *) fail "unknown argument \`$1\`; see scripts/bench.sh --help" ;;
        esac
        shift 2
    done
    if [ -n "$json" ]; then
        # Each build appends its rows.
        rm -f "$json"
        arguments+=(--json "$json")
    fi

    "$ROOT/scripts/setup.sh"
    "$ROOT/scripts/build.sh" >&2
    import_project "$PROJECT" || exit 1
    case "$build" in
        editor) bench_editor ;;
        release) bench_release ;;
        both)
            bench_release
            bench_editor
            ;;
        *) fail "unknown build \`$build\`; see scripts/bench.sh --help" ;;
    esac
    [ -z "$json" ] || say "Written: $json"
}

bench_editor() {
    say "Editor's program:"
    run_project "$ENGINE_OUTPUT/bench_editor.log" "$BENCH_SENTINEL" "${arguments[@]}" || exit 1
}

bench_release() {
    say "Exported release build:"
    export_project || exit 1
    run_export "$ENGINE_OUTPUT/bench_release.log" "$BENCH_SENTINEL" "${arguments[@]}" || exit 1
}

main "$@"
