# shellcheck shell=bash
# The suite `tscn` of scripts/bench.sh: parser, linter and formatter on one core, against the engine's own loading, the
# tree-sitter grammar and godot_parser. Sourced after common.sh, engine_run.sh and godot_project.sh.

readonly BENCH_TSCN_WORK=$ROOT/target/engine/bench_tscn
readonly BENCH_TSCN=$ROOT/target/release/examples/bench_tscn

# Reads `json` and `filter`. Writes the rows to the file $json, too, as a list of objects with the keys suite, workload,
# what, files, bytes, seconds, mb_per_s, memory (growth of the process by the file's size).
bench_tscn() {
    mkdir -p "$BENCH_TSCN_WORK"
    rm -f "$BENCH_TSCN_WORK/rows.json"
    (cd "$ROOT" && cargo build --quiet --release -p tscn --example bench_tscn)
    printf '%-24s %-22s %7s %10s %9s %9s %7s\n' workload what files bytes ms MB/s memory
    local kind size corpus
    corpus=$(absolute_path "${FV_SHARED:-$ROOT/../shared}")/corpus
    if [ -d "$corpus" ]; then
        bench_tscn_ours corpus "$corpus"
        bench_tscn_ours demo_projects "$corpus/godotengine__godot-demo-projects__master" \
            "$corpus/godotengine__godot-demo-projects__4.2"
    else
        say "There is no $corpus: only scenes that are made here are measured."
    fi
    for kind in nodes array dictionary; do
        for size in 1 10 100; do
            "$BENCH_TSCN" make "$kind" "${size}000000" "$BENCH_TSCN_WORK/${kind}_$size.tscn"
            bench_tscn_ours "${kind}_$size" "$BENCH_TSCN_WORK/${kind}_$size.tscn"
        done
    done
    bench_tscn_others "$corpus"
    rm -f "$BENCH_TSCN_WORK"/*_100.tscn
    if [ -n "$json" ]; then
        { printf '[\n' && sed '$!s/$/,/' "$BENCH_TSCN_WORK/rows.json" && printf ']\n'; } >"$json"
    fi
}

# bench_tscn_ours WORKLOAD PATH...
bench_tscn_ours() {
    local workload=$1 what files bytes seconds memory
    shift
    [[ $workload == *"$filter"* ]] || return 0
    for what in parse lint format format-edited format-changed; do
        IFS=$'\t' read -r files bytes seconds memory < <("$BENCH_TSCN" "$what" "$@")
        bench_tscn_row "$workload" "$what" "$files" "$bytes" "$seconds" "$memory"
    done
}

# The others get the same files: those of the corpus that need no others, and scenes that are made here.
bench_tscn_others() {
    local corpus=$1 list=$BENCH_TSCN_WORK/list.txt workloads=(nodes_1 nodes_10 array_10 dictionary_10) workload
    : >"$list"
    if [ -d "$corpus" ]; then
        workloads=(demos_alone "${workloads[@]}")
        grep -rL --include='*.tscn' --include='*.tres' ext_resource "$corpus"/godotengine__godot-demo-projects__master |
            LC_ALL=C sort | tr '\n' '\t' | sed 's/\t$/\n/' >"$list"
        # shellcheck disable=SC2046 # paths without spaces
        bench_tscn_ours demos_alone $(tr '\t' '\n' <"$list" | grep -v ' ')
    fi
    for workload in "${workloads[@]}"; do
        [ "$workload" = demos_alone ] || printf '%s\n' "$BENCH_TSCN_WORK/$workload.tscn" >>"$list"
    done
    bench_tscn_engine "$list" "${workloads[@]}"
    bench_tscn_tree_sitter "$list" "${workloads[@]}"
    bench_tscn_godot_parser "$list" "${workloads[@]}"
}

bench_tscn_engine() {
    local list=$1 project=$BENCH_TSCN_WORK/project
    shift
    mkdir -p "$project/tools"
    cp "$ROOT/godot_project/tools/time_loads.gd" "$project/tools"
    printf 'config_version=5\n' >"$project/project.godot"
    limited "$ROOT/scripts/godot.sh" --headless --path "$project" -s res://tools/time_loads.gd -- "$list" \
        </dev/null >"$BENCH_TSCN_WORK/engine.log" 2>&1 || say "The engine's run failed: $BENCH_TSCN_WORK/engine.log"
    bench_tscn_rows ResourceLoader.load "$BENCH_TSCN_WORK/engine.log" "$@"
}

bench_tscn_tree_sitter() {
    local list=$1 log=$BENCH_TSCN_WORK/tree_sitter.log
    shift
    if ! cargo run --quiet --release --manifest-path "$ROOT/scripts/lib/bench_tree_sitter/Cargo.toml" \
        --target-dir "$BENCH_TSCN_WORK/tree_sitter" -- "$list" >"$log" 2>&1; then
        say "tree-sitter-godot-resource: skipped, it cannot be built; see $log"
        return
    fi
    bench_tscn_rows tree-sitter "$log" "$@"
}

bench_tscn_godot_parser() {
    local list=$1 log=$BENCH_TSCN_WORK/godot_parser.log python=$BENCH_TSCN_WORK/python
    shift
    if ! { [ -d "$python" ] || python3 -m venv "$python"; } >"$log" 2>&1 ||
        ! "$python/bin/pip" install --quiet godot_parser >>"$log" 2>&1 ||
        ! "$python/bin/python" "$ROOT/scripts/lib/bench_godot_parser.py" "$list" >"$log" 2>&1; then
        say "godot_parser: skipped, it cannot be had with pip; see $log"
        return
    fi
    bench_tscn_rows godot_parser "$log" "$@"
}

# bench_tscn_rows WHAT LOG WORKLOAD...: one row for each line `loaded FILES BYTES SECONDS`.
bench_tscn_rows() {
    local what=$1 log=$2 files bytes seconds
    shift 2
    while read -r _ files bytes seconds; do
        [[ $1 != *"$filter"* ]] || bench_tscn_row "$1" "$what" "$files" "$bytes" "$seconds" 0
        shift
    done < <(grep '^loaded ' "$log")
}

# bench_tscn_row WORKLOAD WHAT FILES BYTES SECONDS MEMORY
bench_tscn_row() {
    awk -v workload="$1" -v what="$2" -v files="$3" -v bytes="$4" -v seconds="$5" -v memory="$6" \
        -v json="$BENCH_TSCN_WORK/rows.json" 'BEGIN {
            speed = seconds > 0 ? bytes / seconds / 1e6 : 0
            factor = bytes > 0 ? memory / bytes : 0
            printf "%-24s %-22s %7d %10d %9.2f %9.1f %6.1fx\n", workload, what, files, bytes, seconds * 1000, speed, factor
            printf "{\"suite\": \"tscn\", \"workload\": \"%s\", \"what\": \"%s\", \"files\": %d, \"bytes\": %d, ",
                workload, what, files, bytes >>json
            printf "\"seconds\": %.6f, \"mb_per_s\": %.1f, \"memory\": %.2f}\n", seconds, speed, factor >>json
        }'
}
