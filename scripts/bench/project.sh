# shellcheck shell=bash
# The suite `project` of scripts/bench.sh: `gdscene check` of whole projects, against `godot --headless --import` of copies of
# them. Sourced after common.sh and engine_run.sh.

readonly BENCH_PROJECT_WORK=$ROOT/target/engine/bench_project
readonly BENCH_PROJECT_ROWS=$BENCH_PROJECT_WORK/rows.tsv
readonly BENCH_PROJECT_COMMAND=$ROOT/target/release/gdscene
# The number of measured projects, beginning with the one with the most scenes and resources.
readonly BENCH_PROJECT_COUNT=20
readonly BENCH_PROJECT_ROUNDS=5

# Reads `json`, `filter` and `folder`. For our command, the best of several runs counts, first without a cache and then with it. The
# engine runs once, in a copy that was never opened. Also writes the rows to the file $json, as a list of objects. Their keys are
# suite, workload, files, bytes, cold_seconds, warm_seconds, files_per_s (cold), import_seconds and ratio (import by cold).
bench_project() {
    local corpus path
    rm -rf "$BENCH_PROJECT_WORK"
    mkdir -p "$BENCH_PROJECT_WORK"
    (cd "$ROOT" && cargo build --quiet --release -p gdscene)
    corpus=$(realpath "${folder:-${FV_SHARED:-$ROOT/../shared}/corpus}")
    [ -d "$corpus" ] || fail "There is no $corpus to measure."
    while IFS= read -r path; do
        [[ $path != *"$filter"* ]] || bench_project_one "$corpus" "$path"
    done < <(bench_project_largest "$corpus")
    [ -s "$BENCH_PROJECT_ROWS" ] || fail "no project of Godot 4 in $corpus has a name that contains \`$filter\`"
    bench_project_sum
    bench_project_table
    [ -z "$json" ] || bench_project_json >"$json"
}

# bench_project_largest CORPUS: the folders of projects of Godot 4, those with the most texts first.
bench_project_largest() {
    local settings path
    find "$1" -name project.godot -not -path '*/.*' | while IFS= read -r settings; do
        path=$(dirname "$settings")
        ! grep -q '^config_version=5' "$settings" || printf '%d\t%s\n' "$(bench_project_texts "$path" | wc -l)" "$path"
    done | sort -rn -k 1,1 | head -n "$BENCH_PROJECT_COUNT" | cut -f 2-
}

bench_project_texts() {
    find "$1" \( -name '*.tscn' -o -name '*.tres' \) -printf '%s\n'
}

# bench_project_one CORPUS FOLDER
bench_project_one() {
    local copy=$BENCH_PROJECT_WORK/project name=${2#"$1"/} files bytes cold warm import engines
    rm -rf "$copy" "$BENCH_PROJECT_WORK/cache"
    cp -R "$2" "$copy"
    # Else git is asked about a folder that it ignores.
    mkdir -p "$copy/.git"
    rm -rf "$copy/.godot"
    # Where Godot is already: it must not be got again while the clock runs.
    engines=$(cache_folder)
    export XDG_CACHE_HOME=$BENCH_PROJECT_WORK/cache
    files=$(bench_project_texts "$copy" | wc -l)
    bytes=$(bench_project_texts "$copy" | awk '{ sum += $1 } END { print sum + 0 }')
    cold=$(bench_project_best rm -rf "$XDG_CACHE_HOME")
    warm=$(bench_project_best true)
    import=$(FAST_VARIANT_CACHE=$engines bench_project_seconds limited "$ROOT/scripts/godot.sh" --headless --path "$copy" --import)
    unset XDG_CACHE_HOME
    say "$name: $files files, $cold s, $warm s with the cache, import $import s"
    printf '%s\t%d\t%d\t%s\t%s\t%s\n' "$name" "$files" "$bytes" "$cold" "$warm" "$import" >>"$BENCH_PROJECT_ROWS"
}

# bench_project_best BEFORE...: seconds of the quickest check; BEFORE is run before each.
bench_project_best() {
    local round
    for ((round = 0; round < BENCH_PROJECT_ROUNDS; round++)); do
        "$@"
        bench_project_seconds "$BENCH_PROJECT_COMMAND" check --output concise "$BENCH_PROJECT_WORK/project"
    done | sort -n | head -n 1
}

# bench_project_seconds COMMAND...
bench_project_seconds() {
    local start end
    start=$(date +%s%N)
    "$@" </dev/null >"$BENCH_PROJECT_WORK/log" 2>&1 || true
    end=$(date +%s%N)
    awk "BEGIN { printf \"%.4f\\n\", ($end - $start) / 1e9 }"
}

bench_project_sum() {
    awk -F '\t' 'BEGIN { OFS = "\t" } { for (i = 2; i <= 6; i++) sum[i] += $i }
        END { print "all of these", sum[2], sum[3], sum[4], sum[5], sum[6] }' "$BENCH_PROJECT_ROWS" >>"$BENCH_PROJECT_ROWS.sum"
    cat "$BENCH_PROJECT_ROWS.sum" >>"$BENCH_PROJECT_ROWS"
}

bench_project_table() {
    printf '%-58s %6s %9s %9s %9s %9s %9s %8s\n' project files kB ms 'ms warm' files/s 'import ms' ratio
    awk -F '\t' '{ printf "%-58s %6d %9.1f %9.1f %9.1f %9.0f %9.0f %8.0f\n",
        $1, $2, $3 / 1000, $4 * 1000, $5 * 1000, $2 / $4, $6 * 1000, $6 / $4 }' "$BENCH_PROJECT_ROWS"
}

bench_project_json() {
    awk -F '\t' 'BEGIN { print "[" }
        { printf "%s  {\"suite\": \"project\", \"workload\": \"%s\", \"files\": %d, \"bytes\": %d, \"cold_seconds\": %s, " \
            "\"warm_seconds\": %s, \"files_per_s\": %.1f, \"import_seconds\": %s, \"ratio\": %.2f}",
            (NR > 1 ? ",\n" : ""), $1, $2, $3, $4, $5, $2 / $4, $6, $6 / $4 }
        END { print "\n]" }' "$BENCH_PROJECT_ROWS"
}
