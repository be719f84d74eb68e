# shellcheck shell=bash
# The suite `refactorings` of scripts/bench.sh measures the time and memory that `gdscene` needs to plan a refactoring of a
# generated project of 10,000 files. Sourced after common.sh and rust.sh.

readonly BENCH_REFACTORINGS_WORK=$ROOT/target/engine/bench_refactorings
readonly BENCH_REFACTORINGS_ROUNDS=5

# Each line: the name of the workload, and the arguments of gdscene. Every fifth file contains the property `speed`, and three
# contain `reach_1000`. `Node0` of scene_1950 is in the scenes that instance it, directly or through others.
readonly BENCH_REFACTORINGS_WORKLOADS="\
rename a property (frequent name)	rename-property --dry-run part_20/script_1000.gd speed pace
rename a property (rare name)	rename-property --dry-run part_20/script_1000.gd reach_1000 range_1000
rename a node (others instance the scene)	rename-node --dry-run part_39/scene_1950.tscn Node0 Other
rename a node (in one scene)	rename-node --dry-run part_39/scene_1999.tscn Node4 Other
move a file	mv --dry-run part_20/script_1000.gd moved/script.gd
move a folder	mv --dry-run part_20 moved
unused files	unused ."

# Reads `json` and `filter`. The cache is warm; of some runs the shortest counts, and the least time of all cores. Writes the
# rows to the file $json, too, as a list of objects with the keys suite, workload, files, seconds, cpu_seconds and memory.
bench_refactorings() {
    local files name arguments rows="" seconds cpu memory
    [ -x /usr/bin/time ] || fail "GNU time is needed to measure memory." "On Debian: apt-get install time"
    rm -rf "$BENCH_REFACTORINGS_WORK"
    mkdir -p "$BENCH_REFACTORINGS_WORK/project"
    (cd "$ROOT" && cargo build --quiet --release -p gdscene && cargo run --quiet --release -p gdscene-refactor --example bench_project -- \
        --make "$BENCH_REFACTORINGS_WORK/project")
    # Else git is asked about a folder that it ignores.
    mkdir -p "$BENCH_REFACTORINGS_WORK/project/.git"
    export XDG_CACHE_HOME=$BENCH_REFACTORINGS_WORK/cache
    files=$(find "$BENCH_REFACTORINGS_WORK/project" -type f | wc -l)
    # Files that have just been written are not taken from a cache.
    sleep 3
    bench_refactorings_run unused . >/dev/null
    printf '%-38s %8s %9s %9s %9s\n' "$files files" ms 'ms CPU' MB changes
    while IFS=$'\t' read -r name arguments; do
        [[ $name == *"$filter"* ]] || continue
        # shellcheck disable=SC2086 # they are several
        bench_refactorings_one $arguments
        rows+="${rows:+,}"$'\n'"  {\"suite\": \"refactorings\", \"workload\": \"$name\", \"files\": $files, "
        rows+="\"seconds\": $seconds, \"cpu_seconds\": $cpu, \"memory\": $memory}"
    done <<<"$BENCH_REFACTORINGS_WORKLOADS"
    unset XDG_CACHE_HOME
    [ -n "$rows" ] || fail "no workload's name contains \`$filter\`"
    [ -z "$json" ] || printf '[%s\n]\n' "$rows" >"$json"
}

# bench_refactorings_one ARGUMENT...: reads `name`, sets `seconds`, `cpu` and `memory`.
bench_refactorings_one() {
    local round times=$BENCH_REFACTORINGS_WORK/times
    : >"$times"
    for ((round = 0; round < BENCH_REFACTORINGS_ROUNDS; round++)); do
        bench_refactorings_run "$@" >>"$times"
    done
    seconds=$(cut -f 1 "$times" | sort -n | head -n 1)
    cpu=$(cut -f 2 "$times" | sort -n | head -n 1)
    memory=$(cut -f 3 "$times" | sort -n | tail -n 1)
    awk "BEGIN { printf \"%-38s %8.0f %9.0f %9.1f   %s\\n\", \"$name\", $seconds * 1000, $cpu * 1000, $memory / 1e6, \
        \"$(tail -n 1 "$BENCH_REFACTORINGS_WORK/log")\" }"
}

# bench_refactorings_run ARGUMENT...: seconds, seconds of all cores, and the most bytes of memory, with tabs between.
bench_refactorings_run() {
    local status=0 start end
    start=$(date +%s%N)
    (cd "$BENCH_REFACTORINGS_WORK/project" && /usr/bin/time -q -o "$BENCH_REFACTORINGS_WORK/time" -f '%U %S %M' \
        "$ROOT/target/release/gdscene" "$@") >"$BENCH_REFACTORINGS_WORK/log" 2>&1 || status=$?
    end=$(date +%s%N)
    [ "$status" -le 1 ] || fail "gdscene $* failed: $(tail -n 3 "$BENCH_REFACTORINGS_WORK/log")"
    awk "{ printf \"%.4f\\t%.2f\\t%d\\n\", ($end - $start) / 1e9, \$1 + \$2, \$3 * 1024 }" "$BENCH_REFACTORINGS_WORK/time"
}
