#!/usr/bin/env bash
# Measures. The runs of ours and of the engine alternate in one process, and the medians are compared.
#
# Usage:
#   scripts/bench.sh codec [--json FILE] [--build editor|release|both] [--load alone|pinned|neighbour|all]
#                           [--filter TEXT] [--budget MSEC]
#   scripts/bench.sh instructions [--json FILE] [--filter TEXT] [--check|--record]
#   scripts/bench.sh tscn [--json FILE] [--filter TEXT]
#   scripts/bench.sh project [--json FILE] [--filter TEXT] [--folder FOLDER]
#   scripts/bench.sh refactorings [--json FILE] [--filter TEXT]
#   scripts/bench.sh lsp [--json FILE] [--filter TEXT]
#   scripts/bench.sh o3de [--json FILE] [--build editor|release|both] [--filter TEXT] [--budget MSEC]
#   scripts/bench.sh schema [--json FILE] [--build editor|release|both] [--filter TEXT] [--budget MSEC]
#   scripts/bench.sh load [--json FILE]
#   scripts/bench.sh --readme FILE
#   scripts/bench.sh --plot FILE
#   scripts/bench.sh --help
#
#   codec         FastVariant against var_to_bytes and bytes_to_var, with one copy of the encoded bytes (memcpy) and the
#                 engine's copy of the same containers (duplicate(true))
#   instructions  the instructions of the most used paths, counted by valgrind: the same on every machine, except for some
#                 hundredths of a percent because of random hashers; rust/bench/instructions.tsv contains the stored counts
#   tscn          parser, linter and formatter on scenes, against the engine's loading and other parsers
#   project       gdscene check of whole projects of the corpus, against godot --headless --import of a copy, which does more:
#                 it imports images, meshes and sounds, but the corpus has hardly any
#   refactorings  gdscene rename-property, rename-node and mv with --dry-run, and unused, in a generated project of 10,000
#                 files, with a warm cache: time and memory
#   lsp           sessions of gdscene lsp: from a keystroke to its findings, and from the opening of a generated project
#                 of 10,000 files to its first answer and to all findings
#   o3de          O3deJson's store and load of documents of 10 MB against JSON.stringify and JSON.parse_string, and the
#                 same with JSON.from_native and JSON.to_native, which keep the types
#   schema        FastVariantSchema against var_to_bytes and bytes_to_var, and against FastVariant: bytes and time
#   load          the additional start time of an exported game with the library
#   --readme      rewrite a table of rust/docs/speed.md from the rows that `codec --json FILE` or `tscn --json FILE` has written
#   --plot        draw rust/docs/bench-codec.svg from those of `codec`
#
#   --json        write the rows to FILE, as a list of objects with the keys suite, build, load, workload, direction,
#                 bytes, ours_us, other, other_us, ratio (ratio = other_us / ours_us: above 1, ours is faster), the same with
#                 `freed` in their names, if the result is freed inside the clock, and more; of
#                 `instructions`: suite, workload, bytes, instructions; of `project`: suite, workload, files, bytes,
#                 cold_seconds, warm_seconds, files_per_s, import_seconds, ratio; of `tscn`: suite, workload, what, files,
#                 bytes, seconds, mb_per_s, ratio (to the engine's ResourceLoader.load), memory (by the file's size); of
#                 `refactorings`: suite, workload, files, seconds, cpu_seconds, memory (bytes); of `load`: suite, rounds, with_ms,
#                 without_ms, difference_ms, difference_cpu_ms
#   --check       compare with the stored counts, and end with `N passed, N failed, N skipped`: a count that grew by more than
#                 5 % fails. With another compiler than theirs, all are skipped
#   --record      store the counts
#   --folder      measure the projects in FOLDER instead of those of the corpus
#   --build       the place: an exported release build, as players run it, or the editor's program
#                 (default: both)
#   --load        the other work of the machine: none (alone, the default), none on one core (pinned), or another program
#                 that never waits keeps one core busy (neighbour), as the rest of a game does; Linux only
#   --filter      only the workloads with TEXT in their names
#   --budget      time for one workload in one direction

set -euo pipefail

# shellcheck source=scripts/lib/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"
# shellcheck source=scripts/lib/engine_run.sh
. "$ROOT/scripts/lib/engine_run.sh"
# shellcheck source=scripts/lib/godot_project.sh
. "$ROOT/scripts/lib/godot_project.sh"
# shellcheck source=scripts/bench/tscn.sh
. "$ROOT/scripts/bench/tscn.sh"
# shellcheck source=scripts/bench/project.sh
. "$ROOT/scripts/bench/project.sh"
# shellcheck source=scripts/bench/refactorings.sh
. "$ROOT/scripts/bench/refactorings.sh"
# shellcheck source=scripts/bench/lsp.sh
. "$ROOT/scripts/bench/lsp.sh"
# shellcheck source=scripts/bench/instructions.sh
. "$ROOT/scripts/bench/instructions.sh"
# shellcheck source=scripts/bench/load.sh
. "$ROOT/scripts/bench/load.sh"
# shellcheck source=scripts/lib/rust.sh
. "$ROOT/scripts/lib/rust.sh"

main() {
    local suite=${1:-} build=both load=alone json="" filter="" folder="" check=no record=no arguments=()
    case "$suite" in
        --readme | --plot)
            [ $# = 2 ] || misused "$suite needs the FILE of a run"
            report "$suite" "$(absolute_path "$2")"
            return
            ;;
        codec | instructions | tscn | project | refactorings | lsp | o3de | schema | load) shift ;;
        *) misused "unknown suite \`$suite\`" ;;
    esac
    while [ $# -gt 0 ]; do
        case "$suite$1" in
            instructions--check) check=yes && shift && continue ;;
            instructions--record) record=yes && shift && continue ;;
        esac
        [ $# -gt 1 ] || misused "$1 needs a value"
        case "$suite$1" in
            *--json) json=$(absolute_path "$2") ;;
            codec--build | o3de--build | schema--build) build=$2 ;;
            codec--load) load=$2 ;;
            load--filter) misused "unknown argument \`$1\`" ;;
            *--filter) filter=$2 ;;
            project--folder) folder=$(absolute_path "$2") ;;
            codec--budget | o3de--budget | schema--budget) arguments+=("$1" "$2") ;;
            *) misused "unknown argument \`$1\`" ;;
        esac
        shift 2
    done
    "bench_$suite"
    [ -z "$json" ] || say "Written: $json"
}

bench_codec() {
    bench_in_engine --run-bench
}

bench_o3de() {
    bench_in_engine --run-o3de-bench
}

bench_schema() {
    bench_in_engine --run-schema-bench
}

# bench_in_engine ARGUMENT: reads `build`, `load`, `json`, `filter` and `arguments`.
bench_in_engine() {
    local loads=$load each
    case "$load" in
        alone | pinned | neighbour) ;;
        all) loads="alone pinned neighbour" ;;
        *) misused "unknown load \`$load\`" ;;
    esac
    arguments+=("$1")
    [ -z "$filter" ] || arguments+=(--filter "$filter")
    if [ -n "$json" ]; then
        # Each build appends its rows.
        rm -f "$json"
        arguments+=(--json "$json")
    fi
    "$ROOT/scripts/setup.sh"
    "$ROOT/scripts/build.sh" --release >&2
    import_project "$PROJECT" || exit 1
    case "$build" in
        editor | release | both) ;;
        *) misused "unknown build \`$build\`" ;;
    esac
    [ "$build" = editor ] || export_project || exit 1
    for each in $loads; do
        [ "$build" = editor ] || under_load "$each" bench_release "$each" || exit 1
        [ "$build" = release ] || under_load "$each" bench_editor "$each" || exit 1
    done
}

bench_editor() {
    say "Editor's program, $1:"
    run_project "$ENGINE_OUTPUT/bench_editor.log" "$BENCH_SENTINEL" "${arguments[@]}" --load "$1"
}

bench_release() {
    say "Exported release build, $1:"
    run_export "$ENGINE_OUTPUT/bench_release.log" "$BENCH_SENTINEL" "${arguments[@]}" --load "$1"
}

# under_load alone|pinned|neighbour COMMAND...
under_load() {
    local load=$1 neighbour status=0
    shift
    case "$load" in
        alone) "$@" ;;
        pinned)
            # Every program started from here on inherits the limit.
            (taskset --pid --cpu-list 0 "$BASHPID" >/dev/null && "$@")
            ;;
        neighbour)
            taskset --cpu-list 1 sh -c 'while :; do :; done' &
            neighbour=$!
            # shellcheck disable=SC2064 # that one, whatever the variable holds then
            trap "kill $neighbour" EXIT
            "$@" || status=$?
            kill "$neighbour"
            trap - EXIT
            return "$status"
            ;;
    esac
}

# --- Reports ------------------------------------------------------------------------------------------

# report --readme|--plot ROWS
report() {
    local rows=$2
    require_cargo
    case "$1" in
        --readme) bench_program readme "$rows" "$ROOT/rust/docs/speed.md" ;;
        --plot) bench_program plot "$rows" "$ROOT/rust/docs/bench-codec.svg" ;;
    esac
}

bench_program() {
    (cd "$ROOT" && cargo run --quiet --package bench -- "$@")
}

run_main "$@"
