# shellcheck shell=bash
# The suite `tscn` of scripts/bench.sh measures parser, linter and formatter on one core. The engine's own loading, the tree-sitter
# grammar and godot_parser get the same files in the same run. Sourced after common.sh, engine_run.sh and godot_project.sh.

readonly BENCH_TSCN_WORK=$ROOT/target/engine/bench_tscn
readonly BENCH_TSCN_ROWS=$BENCH_TSCN_WORK/rows.tsv
readonly BENCH_TSCN=$ROOT/target/release/examples/bench_tscn
readonly BENCH_TSCN_COMMAND=$ROOT/target/release/gdscene

# Reads `json` and `filter`. Also writes the rows to the file $json, as a list of objects. Their keys are suite, workload, what,
# files, bytes, seconds, mb_per_s, ratio and memory. The ratio is mb_per_s by that of ResourceLoader.load on the same workload, or
# null. The memory is the maximum of the process by the size of the file, including the text; it is null for several files.
bench_tscn() {
    local kind size corpus
    mkdir -p "$BENCH_TSCN_WORK"
    : >"$BENCH_TSCN_ROWS"
    (cd "$ROOT" && cargo build --quiet --release -p godot-tscn --example bench_tscn && cargo build --quiet --release -p gdscene)
    corpus=$(absolute_path "${FV_SHARED:-$ROOT/../shared}")/corpus
    if [ -d "$corpus" ]; then
        bench_tscn_ours corpus "$corpus"
        bench_tscn_ours demo_projects "$corpus/godotengine__godot-demo-projects__master" \
            "$corpus/godotengine__godot-demo-projects__4.2"
        bench_tscn_command demo_projects "$corpus/godotengine__godot-demo-projects__master" \
            "$corpus/godotengine__godot-demo-projects__4.2"
    else
        say "There is no $corpus: only scenes that are made here are measured."
    fi
    bench_tscn_command start
    for kind in nodes array dictionary; do
        for size in 1 10 100; do
            # shellcheck disable=SC2154 # set by scripts/bench.sh
            [[ ${kind}_$size == *"$filter"* ]] || continue
            "$BENCH_TSCN" make "$kind" "${size}000000" "$BENCH_TSCN_WORK/${kind}_$size.tscn"
            bench_tscn_ours "${kind}_$size" "$BENCH_TSCN_WORK/${kind}_$size.tscn"
        done
    done
    bench_tscn_others "$corpus"
    rm -f "$BENCH_TSCN_WORK"/*_100.tscn
    bench_tscn_table
    [ -z "$json" ] || bench_tscn_json >"$json"
}

# bench_tscn_ours WORKLOAD PATH...
bench_tscn_ours() {
    local workload=$1 what files bytes seconds memory
    shift
    [[ $workload == *"$filter"* ]] || return 0
    say "$workload"
    for what in parse lint format format-edited format-changed; do
        IFS=$'\t' read -r files bytes seconds memory < <("$BENCH_TSCN" "$what" "$@")
        bench_tscn_row "$workload" "$what" "$files" "$bytes" "$seconds" "$memory"
    done
}

# bench_tscn_command WORKLOAD [PATH...]: whole runs of the command, on all cores; without a path, the cost of a start.
bench_tscn_command() {
    local workload=$1 what files bytes seconds
    shift
    what="gdscene $([ $# -gt 0 ] && echo check || echo --version)"
    [[ $workload == *"$filter"* ]] || return 0
    IFS=$'\t' read -r files bytes seconds _ < <("$BENCH_TSCN" command "$BENCH_TSCN_COMMAND" "$@")
    bench_tscn_row "$workload" "$what" "$files" "$bytes" "$seconds" 0
}

# The others get the same files: independent files of the corpus, files of exporters, and generated scenes.
bench_tscn_others() {
    local corpus=$1 list=$BENCH_TSCN_WORK/list.txt workloads=() workload
    : >"$list"
    if [ -d "$corpus" ]; then
        grep -rL --include='*.tscn' --include='*.tres' ext_resource "$corpus"/godotengine__godot-demo-projects__master \
            >"$BENCH_TSCN_WORK/files.txt" || true
        bench_tscn_files demos_alone
        find "$corpus" -name '*.escn' >"$BENCH_TSCN_WORK/files.txt"
        bench_tscn_files exported
    fi
    for workload in nodes_1 nodes_10 array_10 dictionary_10; do
        [[ $workload == *"$filter"* ]] || continue
        workloads+=("$workload")
        printf '%s\n' "$BENCH_TSCN_WORK/$workload.tscn" >>"$list"
    done
    [ "${#workloads[@]}" -gt 0 ] || return 0
    bench_tscn_engine "$list" "${workloads[@]}"
    bench_tscn_tree_sitter "$list" "${workloads[@]}"
    bench_tscn_godot_parser "$list" "${workloads[@]}"
}

# bench_tscn_files WORKLOAD: ours on the files in files.txt, which are put on a line of the list for the others. Reads
# `list`, appends to `workloads`.
bench_tscn_files() {
    local files
    [[ $1 == *"$filter"* ]] && [ -s "$BENCH_TSCN_WORK/files.txt" ] || return 0
    mapfile -t files < <(LC_ALL=C sort "$BENCH_TSCN_WORK/files.txt")
    workloads+=("$1")
    (IFS=$'\t' && printf '%s\n' "${files[*]}") >>"$list"
    bench_tscn_ours "$1" "${files[@]}"
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
    if ! cargo run --quiet --release --manifest-path "$ROOT/scripts/bench/tree_sitter/Cargo.toml" \
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
        ! "$python/bin/python" "$ROOT/scripts/bench/godot_parser.py" "$list" >"$log" 2>&1; then
        say "godot_parser: skipped, it cannot be had with pip; see $log"
        return
    fi
    bench_tscn_rows godot_parser "$log" "$@"
}

# bench_tscn_rows WHAT LOG WORKLOAD...: one row for each line `loaded FILES BYTES SECONDS`, none for `skipped`.
bench_tscn_rows() {
    local what=$1 log=$2 outcome files bytes seconds
    shift 2
    while read -r outcome files bytes seconds; do
        [ "$outcome" = skipped ] || bench_tscn_row "$1" "$what" "$files" "$bytes" "$seconds" 0
        shift
    done < <(grep -E '^(loaded|skipped)' "$log")
}

# bench_tscn_row WORKLOAD WHAT FILES BYTES SECONDS MEMORY
bench_tscn_row() {
    (IFS=$'\t' && printf '%s\n' "$*") >>"$BENCH_TSCN_ROWS"
}

# --- What is made of the rows -------------------------------------------------------------------------

# Awk functions over the fields of a row. The rows are read twice: first the engine's speeds are kept.
# shellcheck disable=SC2016 # awk's own
readonly BENCH_TSCN_AWK='
    function speed() { return $5 > 0 && $3 > 0 ? $4 / $5 / 1e6 : 0 }
    function ratio(none, form) { return engine[$1] > 0 && speed() > 0 ? sprintf(form, speed() / engine[$1]) : none }
    # For small files, the memory of the process itself dominates, and many workloads are not a single file.
    function memory(none, form) { return $3 == 1 && $6 > 0 ? sprintf(form, $6 / $4) : none }
    NR == FNR { if ($2 == "ResourceLoader.load") engine[$1] = speed(); next }
'

bench_tscn_table() {
    printf '%-16s %-20s %6s %10s %10s %8s %8s %7s\n' workload what files bytes ms MB/s 'x Godot' memory
    awk -F '\t' "$BENCH_TSCN_AWK"'{
        printf "%-16s %-20s %6d %10d %10.2f %8.1f %8s %7s\n", $1, $2, $3, $4, $5 * 1000, speed(), ratio("-", "%.1fx"),
            memory("-", "%.1fx")
    }' "$BENCH_TSCN_ROWS" "$BENCH_TSCN_ROWS"
}

bench_tscn_json() {
    awk -F '\t' "$BENCH_TSCN_AWK"'{
        printf "%s\n  {\"suite\": \"tscn\", \"workload\": \"%s\", \"what\": \"%s\", \"files\": %d, \"bytes\": %d, ",
            FNR == 1 ? "[" : ",", $1, $2, $3, $4
        printf "\"seconds\": %.6f, \"mb_per_s\": %.1f, \"ratio\": %s, \"memory\": %s}", $5, speed(),
            ratio("null", "%.2f"), memory("null", "%.2f")
    } END { print "\n]" }' "$BENCH_TSCN_ROWS" "$BENCH_TSCN_ROWS"
}
