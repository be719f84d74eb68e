# shellcheck shell=bash
# The suite `instructions` of scripts/bench.sh: how many instructions the most used paths take, counted by valgrind. Sourced after
# common.sh and rust.sh.
#
# The count contains the program's own code, and 100 for each call to the C library. The library's own instructions differ between
# machines. On Linux, the allocator of `gdscene` is the program's own code, made by the machine's C compiler.
# rust/bench/src/instructions contains the paths; this file counts whole runs of the command `gdscene`.

readonly BENCH_INSTRUCTIONS_WORK=$ROOT/target/instructions
readonly BENCH_INSTRUCTIONS_STORED=$ROOT/rust/bench/instructions.tsv
readonly BENCH_INSTRUCTIONS_RELEASE=${CARGO_TARGET_DIR:-$ROOT/target}/release

# Each line: the name of the path, and the arguments of gdscene in a small project that is made up. The first check finds no
# cache, the others the one that it has left.
readonly BENCH_INSTRUCTIONS_COMMANDS="\
gdscene: tell its version	--version
gdscene: check a small project	check .
gdscene: check it with the cache	check .
gdscene: rename a property (--dry-run)	rename-property --dry-run script_3.gd speed pace
gdscene: rename a node (--dry-run)	rename-node --dry-run scene_3.tscn Sprite Picture"

# Reads `json`, `filter`, `record` and `check`. A row of the JSON has the keys suite, workload, instructions and bytes (of the
# input; null for the rows of gdscene).
bench_instructions() {
    local counted=$BENCH_INSTRUCTIONS_WORK/counted.tsv path bytes instructions
    if ! have valgrind; then
        [ "$check" = yes ] || fail "valgrind is needed to count instructions." "On Debian: apt-get install valgrind"
        say "valgrind is needed. On Debian: apt-get install valgrind"
        printf '0 passed, 0 failed, 1 skipped\n'
        [ "${CI:-}" != true ]
        return
    fi
    require_cargo
    [ -n "${FV_SHIPPED:-}" ] ||
        (cd "$ROOT" && cargo build --quiet --release -p bench && cargo build --quiet --release -p gdscene)
    rm -rf "$BENCH_INSTRUCTIONS_WORK"
    mkdir -p "$BENCH_INSTRUCTIONS_WORK"
    bench_instructions_count >"$BENCH_INSTRUCTIONS_WORK/rows.tsv"
    [ ! -e "$BENCH_INSTRUCTIONS_WORK/failed" ] || fail "not all paths could be counted; see above."
    [ -s "$BENCH_INSTRUCTIONS_WORK/rows.tsv" ] || fail "no path's name contains \`$filter\`"
    cut -f 1,3 "$BENCH_INSTRUCTIONS_WORK/rows.tsv" >"$counted"
    if [ "$check" = yes ]; then
        bench_instructions_program compare "$BENCH_INSTRUCTIONS_STORED" "$counted" "$(bench_instructions_compiler)"
        return
    fi
    printf '%-60s %10s %14s %10s\n' path bytes instructions 'per byte'
    while IFS=$'\t' read -r path bytes instructions; do
        printf '%-60s %10s %14d %10s\n' "$path" "$bytes" "$instructions" \
            "$([ "$bytes" = - ] || awk "BEGIN { printf \"%.2f\", $instructions / $bytes }")"
    done <"$BENCH_INSTRUCTIONS_WORK/rows.tsv"
    [ "$record" = no ] || bench_instructions_record "$counted"
    [ -z "$json" ] || bench_instructions_json >"$json"
}

bench_instructions_program() {
    "$BENCH_INSTRUCTIONS_RELEASE/bench" instructions "$@"
}

# Everything that influences the counts. Valgrind shows programs the vector instructions that the machine has.
bench_instructions_compiler() {
    local rustc
    rustc=$(cd "$ROOT" && rustc --version)
    printf '%s, %s%s\n' "$rustc" "$(uname -m)" "$(! grep -qsw avx2 /proc/cpuinfo || printf ' with AVX2')"
}

# Prints a line for each path: its name, the bytes of its input, instructions.
bench_instructions_count() {
    local number=0 name arguments running=0
    while IFS= read -r name; do
        number=$((number + 1))
        [[ $name == *"$filter"* ]] || continue
        # Each is a process of its own, so that none finds memory that another one has left. One does not use two cores.
        (bench_instructions_path "$number" "$name" || touch "$BENCH_INSTRUCTIONS_WORK/failed") &
        running=$((running + 1))
        [ $((running % 2)) = 1 ] || wait
    done < <(bench_instructions_program list)
    wait
    bench_instructions_program project "$BENCH_INSTRUCTIONS_WORK/project" 30
    # A cache does not trust files that have just been written.
    find "$BENCH_INSTRUCTIONS_WORK/project" -exec touch -d '1 hour ago' {} +
    while IFS=$'\t' read -r name arguments; do
        number=$((number + 1))
        [[ $name == *"$filter"* || $name == *"check a small project" ]] || continue
        # shellcheck disable=SC2086 # they are several
        bench_instructions_command "$number" "$name" $arguments
    done <<<"$BENCH_INSTRUCTIONS_COMMANDS"
    cat "$BENCH_INSTRUCTIONS_WORK"/*.row 2>/dev/null || true
}

# bench_instructions_path NUMBER NAME
bench_instructions_path() {
    local bytes folder=$BENCH_INSTRUCTIONS_WORK/$1
    mkdir -p "$folder"
    # With two threads, one would count how it waits for the other.
    bytes=$(RAYON_NUM_THREADS=1 bench_instructions_valgrind "$folder" 0 --zero-before=bench::instructions::measured \
        --dump-after=bench::instructions::measured "$BENCH_INSTRUCTIONS_RELEASE/bench" instructions run "$2")
    bench_instructions_row "$1" "$2" "$bytes" "$BENCH_INSTRUCTIONS_RELEASE/bench"
}

# bench_instructions_command NUMBER NAME ARGUMENT...
bench_instructions_command() {
    local number=$1 name=$2 folder=$BENCH_INSTRUCTIONS_WORK/$1
    shift 2
    mkdir -p "$folder"
    # gdscene says by 1 that something would change.
    (cd "$BENCH_INSTRUCTIONS_WORK/project" && XDG_CACHE_HOME=$BENCH_INSTRUCTIONS_WORK/cache RAYON_NUM_THREADS=1 \
        bench_instructions_valgrind "$folder" 1 "$BENCH_INSTRUCTIONS_RELEASE/gdscene" "$@" >"$folder/output")
    [[ $name != *"$filter"* ]] || bench_instructions_row "$number" "$name" - "$BENCH_INSTRUCTIONS_RELEASE/gdscene" --whole
}

# bench_instructions_valgrind FOLDER WORST_STATUS ARGUMENT...
bench_instructions_valgrind() {
    local folder=$1 worst=$2 status=0
    shift 2
    valgrind --tool=callgrind --callgrind-out-file="$folder/out" "$@" 2>"$folder/log" || status=$?
    if [ "$status" -gt "$worst" ]; then
        tail -n 15 "$folder/log" >&2
        fail "valgrind could not count: $*"
    fi
}

# bench_instructions_row NUMBER NAME BYTES PROGRAM [--whole]
bench_instructions_row() {
    local instructions
    instructions=$(bench_instructions_program count "$4" "$BENCH_INSTRUCTIONS_WORK/$1" "${@:5}")
    printf '%s\t%s\t%d\n' "$2" "$3" "$instructions" >"$BENCH_INSTRUCTIONS_WORK/$(printf '%03d' "$1").row"
    rm -f "$BENCH_INSTRUCTIONS_WORK/$1"/out*
}

# bench_instructions_record COUNTED
bench_instructions_record() {
    [ -z "$filter" ] || fail "all paths are stored together: --record goes without --filter"
    {
        printf '# %s\n' "$(bench_instructions_compiler)"
        LC_ALL=C sort "$1"
    } >"$BENCH_INSTRUCTIONS_STORED"
    say "Written: $BENCH_INSTRUCTIONS_STORED"
}

bench_instructions_json() {
    awk -F '\t' 'BEGIN { print "[" }
        { printf "%s  {\"suite\": \"instructions\", \"workload\": \"%s\", \"bytes\": %s, \"instructions\": %d}",
            (NR > 1 ? ",\n" : ""), $1, ($2 == "-" ? "null" : $2), $3 }
        END { print "\n]" }' "$BENCH_INSTRUCTIONS_WORK/rows.tsv"
}
