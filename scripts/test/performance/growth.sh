#!/usr/bin/env bash
# Checks that a text or value of twice the size takes at most twice the work. Counts the instructions of linting, judging, fixing,
# formatting, merging, comparing and printing for hostile texts of three sizes, each with one repeated thing. Does the same for
# decoding, encoding and skipping of such values. Instructions, not seconds: the counts are the same on all machines. Ends with
# `N passed, N failed, N skipped`.
#
# Usage:
#   scripts/test/performance/growth.sh [BYTES]    the size of the smallest inputs (default: 8000; takes about six minutes on two cores)
#   scripts/test/performance/growth.sh --help
#
# The inputs stand in rust/bench/src/growth. Needs valgrind; without it everything is skipped.

set -euo pipefail

# shellcheck source=scripts/lib/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/../../lib/common.sh"
# shellcheck source=scripts/lib/programs.sh
. "$ROOT/scripts/lib/programs.sh"
# shellcheck source=scripts/lib/checks.sh
. "$ROOT/scripts/lib/checks.sh"

readonly WORK=$ROOT/target/growth
readonly FUNCTIONS=bench::growth
readonly CHECK=gdscene::commands::check::Checker::check
readonly PRINT=gdscene::commands::check::Checked::render
# A finding takes longer to print in full than to find, so only those are printed that share a line.
readonly IN_ONE_LINE=(array_in_one_line sparse_in_one_line fields)

main() {
    local bytes=${1:-8000} status=0 name
    [[ $bytes =~ ^[1-9][0-9]*$ ]] || misused "\`$bytes\` is not a valid number of bytes"
    have valgrind || [ "${CI:-}" != true ] || fail "valgrind is needed." "On Debian: apt-get install valgrind"
    have valgrind || skip_all "there is no valgrind. On Debian: apt-get install valgrind"
    BENCH=$(shipped bench)
    GDSCENE=$(shipped gdscene)
    rm -rf "$WORK"
    mkdir -p "$WORK"
    for size in 1 2 4; do "$BENCH" growth write $((bytes * size)) "$WORK/texts/$size"; done
    for size in 1 2 4; do "$BENCH" growth write $((bytes * size * 2)) "$WORK/long_texts/$size"; done
    # One process does not use two cores.
    measure work "$(texts texts)" "$FUNCTIONS"::{judge,fix_all,format_all,merge_all,compare_all} -- "$BENCH" growth work &
    measure values "$(values)" "$FUNCTIONS"::{decode,encode,skip}_all -- "$BENCH" growth work || status=1
    measure check "$(texts texts)" "$CHECK" "$PRINT" -- "$GDSCENE" check --select ALL --output concise || status=1
    measure json "$(texts long_texts "${IN_ONE_LINE[@]}")" "$PRINT" -- "$GDSCENE" check --all --output json || status=1
    measure full "$(texts long_texts "${IN_ONE_LINE[@]}")" "$PRINT" -- "$GDSCENE" check --all --output full || status=1
    wait $! || status=1
    for name in work values check json full; do
        grep '^FAIL' "$WORK/$name.log" || true
    done
    cat "$WORK"/*.log | awk '/^[0-9]+ passed/ { passed += $1; failed += $3 }
        END { printf "%d passed, %d failed, 0 skipped\n", passed, failed }'
    return "$status"
}

# texts FOLDER [NAME...]: the texts of all sizes, or those named. The first ones are only there to warm up.
texts() {
    local folder=$WORK/$1 name
    shift
    printf '%s\n' "$folder"/{1,2,4}/leaf.tscn
    if [ $# -gt 0 ]; then
        for name in "$@"; do printf '%s\n' "$folder"/{1,2,4}/"$name.tscn"; done
    else
        find "$folder" -name '*.t*' ! -name leaf.tscn | sort
    fi
}

# The encoded values of all sizes, after the values that warm up.
values() {
    printf '%s\n' "$WORK/texts"/{1,2,4}/leaf.bin
    find "$WORK/texts" -name '*.bin' ! -name leaf.bin | sort
}

# measure NAME FILES FUNCTION... -- COMMAND...: counts the instructions of functions. The command has the files as its last
# arguments, and calls the functions once for each. If the count grows too fast, it is repeated without the other files: the
# allocator's work for one file depends on the memory that was freed before.
measure() {
    local name=$1 files=$2 log=$WORK/$1.log first=$WORK/$1.first failed
    shift 2
    count "$name" "$files" "$@" && return
    failed=$(sed -nE 's/^FAIL: .* for ([^:]+): .*/\1/p' "$log" 2>/dev/null | sort -u | paste -sd '|')
    [ -n "$failed" ] || return 1
    mv "$log" "$first"
    files=$(grep -E "/(leaf|$failed)\.[a-z]+$" <<<"$files")
    count "$name" "$files" "$@" || true
    # The failures of the first count that failed again.
    awk '/^FAIL/ && FILENAME != first { print }
        /^[0-9]+ passed/ { if (FILENAME == first) all = $1 + $3; else failed = $3 }
        END { printf "%d passed, %d failed, 0 skipped\n", all - failed, failed; exit failed > 0 }' \
        first="$first" "$first" "$log" >"$log.both" || failed=again
    mv "$log.both" "$log"
    [ "$failed" != again ]
}

# count NAME FILES FUNCTION... -- COMMAND...: counts them, and compares.
count() {
    local name=$1 files=$2 options=() status=0
    shift 2
    while [ "$1" != -- ]; do
        options+=("--zero-before=$1" "--dump-after=$1")
        shift
    done
    shift
    rm -rf "${WORK:?}/$name" "$WORK/$name.log"
    mkdir -p "$WORK/$name"
    # shellcheck disable=SC2086 # a word for each file
    RAYON_NUM_THREADS=1 valgrind --tool=callgrind --callgrind-out-file="$WORK/$name/out" "${options[@]}" \
        "$@" $files >"$WORK/$name.out" 2>&1 || status=$?
    # gdscene says by 1 that it found something.
    [ "$status" -le 1 ] || { say "$name ended with $status: $WORK/$name.out" && return 1; }
    # shellcheck disable=SC2086
    "$BENCH" growth compare "$WORK/$name" $files >"$WORK/$name.log"
}

run_main "$@"
