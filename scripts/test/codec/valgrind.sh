#!/usr/bin/env bash
# A part of the tests inside Godot, in the exported release build under valgrind's memcheck. Fails if a test fails, or if valgrind
# finds a wrong access or a use of uninitialised memory with our library on the stack.
#
# Usage:
#   scripts/test/codec/valgrind.sh [--filter TEXT[,TEXT...]] [--count N] [--portable]
#   scripts/test/codec/valgrind.sh --help
#
#   --filter    the tests with one of the texts in their names (default: tests that reach the engine's memory, without
#               tests that need much of it)
#   --count     the number of values and of byte strings to compare with the engine (default: 3000, a twentieth of
#               the number in scripts/test.sh; takes about two minutes)
#   --portable  with the portable ways to the engine's memory
#
# Errors that are meant stand in scripts/test/codec/valgrind.supp. The engine's own, without our library on the stack, are counted
# and otherwise ignored.

set -euo pipefail

# shellcheck source=scripts/lib/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/../../lib/common.sh"
# shellcheck source=scripts/lib/engines.sh
. "$ROOT/scripts/lib/engines.sh"
# shellcheck source=scripts/lib/engine_run.sh
. "$ROOT/scripts/lib/engine_run.sh"
# shellcheck source=scripts/lib/godot_project.sh
. "$ROOT/scripts/lib/godot_project.sh"

# Without tests of memory, leaks and workers, because valgrind changes their measurements, and without tests of large values.
readonly DEFAULT_FILTER=identity/bytes,identity/long_arrays/stretches,identity/long_arrays/typed_with,identity/unfilled_arrays,identity/together/typed_with,identity/values,identity/threads/values,identity/threads/byte_strings,identity/depth,api/encode_decode,api/failures,api/batch/,api/changing_values,api/threads,api/backend
readonly DEFAULT_COUNT=3000
readonly LIBRARY=libfast_variant.so
readonly LOG=$ENGINE_OUTPUT/valgrind.log
readonly RUN_LOG=$ENGINE_OUTPUT/tests_valgrind.log

main() {
    local filter=$DEFAULT_FILTER count=$DEFAULT_COUNT
    while [ $# -gt 0 ]; do
        case "$1" in
            --portable) export FAST_VARIANT_PORTABLE=1 ;;
            --filter | --count)
                [ $# -gt 1 ] || misused "$1 needs a value"
                if [ "$1" = --filter ]; then filter=$2; else count=$2; fi
                shift
                ;;
            *) misused "unknown argument \`$1\`" ;;
        esac
        shift
    done
    have valgrind || fail "valgrind is needed." "On Debian: apt-get install valgrind"
    "$ROOT/scripts/setup.sh"
    "$ROOT/scripts/build.sh" --release >&2
    import_project "$PROJECT" || exit 1
    export_project || exit 1
    run_under_valgrind "$filter" "$count"
}

# run_under_valgrind FILTER COUNT
run_under_valgrind() {
    local symbols status=0
    symbols=$(loader_symbols)
    rm -f "$LOG"
    judged_run "$RUN_LOG" "$TESTS_SENTINEL" \
        valgrind --log-file="$LOG" --suppressions="$ROOT/scripts/test/codec/valgrind.supp" --extra-debuginfo-path="$symbols" \
        --leak-check=no --error-limit=no --num-callers=40 --fair-sched=yes \
        "$(exported_program)" --headless --quit-after "$LAST_FRAME" -- --run-tests --filter "$1" --count "$2" ||
        status=1
    report || status=1
    return "$status"
}

report() {
    local ours all
    grep -qs 'ERROR SUMMARY' "$LOG" || fail "valgrind did not come to its end. What it said: $LOG"
    all=$(stacks '' | grep -c '^--$' || true)
    ours=$(stacks "$LIBRARY" | grep -c '^--$' || true)
    if [ "$ours" != 0 ]; then
        stacks "$LIBRARY" | head -n 60 >&2
        say "valgrind found $ours errors with $LIBRARY on the stack. All it said: $LOG"
        return 1
    fi
    say "valgrind found no error with $LIBRARY on the stack, and $all in the engine alone."
}

# stacks TEXT: valgrind's errors with TEXT in their stacks, each with `--` behind it. The output before the first and after the last
# error has no stack.
stacks() {
    sed -E 's/^==[0-9]+== ?//' "$LOG" | awk -v wanted="$1" '
        function flush_error() {
            if (error ~ /\n +at 0x/ && index(error, wanted)) printf "%s--\n", error
            error = ""
        }
        /^$/ { flush_error(); next }
        { error = error $0 "\n" }
        END { flush_error() }'
}

# --- Loader -------------------------------------------------------------------------------------------

# Prints a folder with the symbols of the dynamic loader. valgrind must replace functions in it, and does not start if it cannot
# find them. The system's loader has its symbols in libc6-dbg. For the loader of the private prefix, the prefix's own apt fetches
# the package of the same version. Anywhere else, valgrind itself reports the missing symbols.
loader_symbols() {
    local cache apt version folder loader build_id symbols
    cache=$(cache_folder)
    apt=$cache/apt/apt.conf
    loader=$(program_loader)
    case "$loader" in
        "$(cd "$(prefix_folder)" 2>/dev/null && pwd -P)"/*) ;;
        *) printf '/nowhere\n' && return ;;
    esac
    version=$(sed -n 's/^libc6 //p' "$(prefix_folder)/versions.txt")
    folder=$cache/valgrind/$version
    if ! [ -d "$folder/usr/lib/debug" ]; then
        say "Getting the loader's symbols (libc6-dbg $version) ..."
        rm -rf "$folder" && mkdir -p "$folder"
        (cd "$folder" && APT_CONFIG=$apt apt-get --quiet download "libc6-dbg=$version" >&2 &&
            dpkg-deb -x libc6-dbg_*.deb . && rm libc6-dbg_*.deb) ||
            fail "libc6-dbg $version could not be fetched." \
                "Get newer engines, whose symbols are still there: scripts/setup.sh --update"
    fi
    build_id=$(readelf -n "$loader" | sed -n 's/^ *Build ID: //p')
    symbols=$folder/usr/lib/debug/.build-id/${build_id:0:2}/${build_id:2}.debug
    [ -f "$symbols" ] || fail "libc6-dbg $version has no symbols of $loader."
    # valgrind looks for them by the loader's own folder and the name that its section .gnu_debuglink holds.
    mkdir -p "$folder/links$(dirname "$loader")"
    ln -sf "$symbols" "$folder/links$(dirname "$loader")/$(basename "$symbols")"
    printf '%s\n' "$folder/links"
}

program_loader() {
    readelf -l "$(exported_program)" | sed -n 's/.*\[Requesting program interpreter: \(.*\)\]/\1/p'
}

run_main "$@"
