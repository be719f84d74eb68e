#!/usr/bin/env bash
# All tests: format, lints, the crates' own tests, and the tests inside a real Godot, in the editor's program and in an
# exported release build. Ends with `N passed, N failed, N skipped`.
#
# Prints a line for each step, and why it failed; all that the steps say goes to target/engine/steps/NUMBER.log as they run.
#
# Usage:
#   scripts/test.sh
#   scripts/test.sh --help
#
# Environment:
#   FV_SHARED     folder of shared test data (default: ../shared). Tests that need it are skipped without it, but fail if
#                 CI=true.
#   O3DE_VECTORS  file, or folder of *.jsonl, with other vectors of O3DE than those of FV_SHARED: an absolute path. How many
#                 there are is printed and not asserted.

# No `set -e`: a step that fails does not end the run.
set -uo pipefail

# shellcheck source=scripts/lib/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"
# shellcheck source=scripts/lib/engine_run.sh
. "$ROOT/scripts/lib/engine_run.sh"
# shellcheck source=scripts/lib/godot_project.sh
. "$ROOT/scripts/lib/godot_project.sh"
# shellcheck source=scripts/lib/rust.sh
. "$ROOT/scripts/lib/rust.sh"

readonly CARGO_LOG=$ENGINE_OUTPUT/cargo_test.log
readonly SERVICE=${CARGO_TARGET_DIR:-target}/debug/tcp-service
readonly STEP_LOGS=$ENGINE_OUTPUT/steps
readonly COUNTS=$STEP_LOGS/counts
# Lines that say why a step failed, and how many of them, and of its last lines, are repeated at the end.
readonly REASON='FAIL|panicked at|^ *error|ERROR|did not|differ'
readonly REASONS=20
readonly LAST_LINES=15

passed=0
failed=0
skipped=0
steps=0
# Their numbers.
failed_steps=""

main() {
    case "${1:-}" in
        "") ;;
        --help | -h) print_help && return ;;
        *) fail "unknown argument \`$1\`; see scripts/test.sh --help" ;;
    esac
    cd "$ROOT" || exit 1
    require_cargo
    rm -rf "$STEP_LOGS"
    mkdir -p "$STEP_LOGS"
    # Absolute, because cargo runs each crate's tests in its own folder.
    FV_SHARED=$(absolute_path "${FV_SHARED:-../shared}")
    export FV_SHARED
    # What a machine builds once needs nothing for the next time, and no debugger: that would take 15 GB of the disk.
    [ "${CI:-}" != true ] || export CARGO_INCREMENTAL=0 CARGO_PROFILE_DEV_DEBUG=0

    step "format" cargo fmt --all --check
    step "clippy" cargo clippy --quiet --workspace --all-targets --all-features -- -D warnings
    counting_step "licences, sources and holes of what we build with" counted_script scripts/test/crates/deny.sh
    counting_step "tests of the crates" cargo_tests
    counting_step "crates without an engine under Miri" counted_script scripts/test/crates/miri.sh
    counting_step "work in proportion to the input" counted_script scripts/test/performance/growth.sh
    counting_step "work of the most used paths" counted_script scripts/bench.sh instructions --check
    counting_step "sessions of an agent with gdscene mcp" counted_script scripts/test/servers/mcp.sh
    counting_step "gdscene lsp in Neovim, Helix and Emacs" counted_script scripts/test/servers/editors.sh
    counting_step "crates as they are published" counted_script scripts/test/packaging/crates.sh
    counting_step "npm package in Node and Chromium" counted_script scripts/test/javascript/npm.sh
    counting_step "playground in Chromium" counted_script scripts/test/javascript/playground.sh
    counting_step "site of the documentation" counted_script scripts/test/docs/site.sh
    step "setup" scripts/setup.sh && run_engine_steps
    report
}

# Each needs those before it, apart from the tests.
run_engine_steps() {
    counting_step "goldens" check_goldens
    step "values to and from Godot 3.6" scripts/test/codec/godot3.sh
    counting_step "formatter against the engines" counted_script scripts/test/scenes/formatter.sh
    counting_step "linter against Godot" counted_script scripts/test/scenes/linter.sh
    counting_step "untrusted files in Godot" counted_script scripts/test/scenes/security.sh
    counting_step "harmless list against Godot" counted_script scripts/test/scenes/harmless.sh
    step "rules on classes against Godot" scripts/test/project/class_rules.sh
    counting_step "rules of projects against Godot" counted_script scripts/test/project/fixtures.sh
    counting_step "limits of numbers against Godot" counted_script scripts/test/scenes/limits.sh
    counting_step "fixes of projects against Godot" counted_script scripts/test/project/fixes.sh
    counting_step "refactorings against Godot" counted_script scripts/test/project/refactorings.sh
    counting_step "refactorings against Godot 3.6" counted_script scripts/test/project/refactorings_godot3.sh
    counting_step "merges against Godot" counted_script scripts/test/project/merges.sh
    counting_step "edits against Godot" counted_script scripts/test/project/edits.sh
    step "build" scripts/build.sh || return
    step "build of the example service" build_service
    # The tests inside Godot talk to it: godot_project/tests/demo/score_client_test.gd.
    FV_TCP_SERVICE=$(absolute_path "$SERVICE")
    export FV_TCP_SERVICE
    step "import" import_project "$PROJECT" || return
    step "pages on classes" scripts/data/class_reference.sh --check
    counting_step "tests in Godot, editor's program" engine_tests run_project "$ENGINE_OUTPUT/tests_editor.log"
    counting_step "editor and command report the same" counted_script scripts/test/editor/same_diagnostics.sh
    step "editor plugin" scripts/test/editor/plugin.sh
    counting_step "export guard, inspector and library" counted_script scripts/test/editor/addon.sh
    counting_step "editor plugin in a window" counted_script scripts/test/editor/window.sh
    counting_step "what the editor plugin writes" counted_script scripts/test/editor/writing.sh
    counting_step "package" counted_script scripts/test/packaging/addon.sh
    step "export" export_project || return
    counting_step "tests in Godot, exported release build" engine_tests run_export "$ENGINE_OUTPUT/tests_release.log"
    counting_step "the same, with the portable paths to the engine's memory" engine_tests run_export_portable \
        "$ENGINE_OUTPUT/tests_portable.log"
    counting_step "large values, with the sizes of dictionaries left to the engine" engine_tests run_export_no_table_sizes \
        "$ENGINE_OUTPUT/tests_no_table_sizes.log" --filter api/backend,api/large_values,api/workers,identity/together
}

# --- Steps --------------------------------------------------------------------------------------------

# step NAME COMMAND...: counts as one test.
step() {
    local name=$1
    shift
    counting_step "$name" one_test "$@"
}

one_test() {
    "$@" && count 1 0 0
}

# counting_step NAME COMMAND...: the command counts its tests itself; if it fails and has counted no failure, it counts
# as one.
counting_step() {
    local name=$1 start=$SECONDS passed_before=$passed failed_before=$failed skipped_before=$skipped outcome=FAILED log
    shift
    steps=$((steps + 1))
    log=$STEP_LOGS/$steps.log
    printf '%2d %s ... ' "$steps" "$name" >&2
    rm -f "$COUNTS"
    printf '== %s\n' "$name" >"$log"
    (run_step "$@") >>"$log" 2>&1
    [ ! -f "$COUNTS" ] || read -r outcome passed failed skipped <"$COUNTS"
    [ "$outcome" = ok ] || [ "$failed" != "$failed_before" ] || count 0 1 0
    say "$outcome: $((passed - passed_before)) passed, $((failed - failed_before)) failed," \
        "$((skipped - skipped_before)) skipped, $((SECONDS - start)) s"
    grep -o 'SKIPPED: .*' "$log" | cut -c 1-200 | sort | uniq -c | sed 's/^/  /' >&2
    [ "$outcome" != ok ] || return 0
    say "  see ${log#"$ROOT/"}"
    failed_steps="$failed_steps $steps"
    return 1
}

# In a shell of its own: what the command counts is left in a file. A command that ends that shell leaves none, and has
# failed.
run_step() {
    local outcome=ok
    "$@" || outcome=FAILED
    printf '%s %d %d %d\n' "$outcome" "$passed" "$failed" "$skipped" >"$COUNTS"
}

# count PASSED FAILED SKIPPED
count() {
    passed=$((passed + $1))
    failed=$((failed + $2))
    skipped=$((skipped + $3))
}

report() {
    local number
    [ -z "$failed_steps" ] || say $'\nFailed:'
    for number in $failed_steps; do
        say ""
        repeat_reasons <"$STEP_LOGS/$number.log" | cut -c 1-300 >&2
    done
    printf '%d passed, %d failed, %d skipped\n' "$passed" "$failed" "$skipped"
    [ "$failed" = 0 ] && [ "$passed" != 0 ]
}

# A log's first line, those of the others that say why it failed, and the last ones.
repeat_reasons() {
    awk -v reason="$REASON" -v reasons="$REASONS" -v last="$LAST_LINES" '
        NR == 1 { print; next }
        { lines[NR] = $0 }
        END {
            for (i = 2; i <= NR - last && shown < reasons; i++) if (lines[i] ~ reason) { print lines[i]; shown++ }
            if (NR > last) print "    ..."
            for (i = NR > last + 1 ? NR - last + 1 : 2; i <= NR; i++) print lines[i]
        }'
}

# --- Crates -------------------------------------------------------------------------------------------

# A test that lacks shared data says so in a line, which cargo shows only if asked; it then counts as skipped, although
# cargo counts it as passed.
cargo_tests() {
    local status=0 without_data
    cargo test --workspace --all-features --no-fail-fast -- --show-output 2>&1 | tee "$CARGO_LOG" | brief_cargo_output >&2 || status=1
    without_data=$(grep -c '^SKIPPED: ' "$CARGO_LOG")
    count "$(($(sum_of passed) - without_data))" "$(sum_of failed)" "$(($(sum_of ignored) + without_data))"
    [ "$status" = 0 ] || say "All of cargo's output: $CARGO_LOG"
    return "$status"
}

brief_cargo_output() {
    awk '
        /^ +Compiling / && ++compiled % 25 == 0 { print "    compiling, " compiled " crates so far ..."; fflush() }
        /^(error|warning)/ || /panicked at/ || /^test .* has been running for over/ ||
        /^ +Running / || /^ +Doc-tests / || /^SKIPPED: / || /\.\.\. FAILED$/ || /^test result: / {
            print "    " $0
            fflush()
        }'
}

# sum_of passed|failed|ignored: over all lines `test result: ok. 12 passed; 0 failed; 3 ignored; ...`.
sum_of() {
    awk -v what="$1" '
        /^test result: / { for (i = 2; i <= NF; i++) if ($i == what ";") sum += $(i - 1) }
        END { print sum + 0 }' "$CARGO_LOG"
}

# --- Engine -------------------------------------------------------------------------------------------

check_goldens() {
    local answer
    answer=$(scripts/data/goldens.sh --check) || return 1
    case "$answer" in
        SKIPPED:*) say "    $answer" && count 0 0 1 ;;
        *) count 1 0 0 ;;
    esac
}

# Counts what a script that tests says itself in its last line.
counted_script() {
    local log status=0 counts
    log=$ENGINE_OUTPUT/$(basename "$1" .sh).log
    "$@" >"$log" || status=1
    cut -c 1-200 "$log" | sed 's/^/    /' >&2
    counts=$(sed -n -E 's/^([0-9]+) passed, ([0-9]+) failed, ([0-9]+) skipped$/\1 \2 \3/p' "$log" | tail -n 1)
    # shellcheck disable=SC2086 # three words
    [ -z "$counts" ] || count $counts
    return "$status"
}

run_export_portable() {
    FAST_VARIANT_PORTABLE=1 run_export "$@"
}

run_export_no_table_sizes() {
    FAST_VARIANT_NO_TABLE_SIZES=1 run_export "$@"
}

build_service() {
    cargo build --quiet -p tcp-service && [ -x "$SERVICE" ]
}

# engine_tests run_project|run_export|run_export_portable|... LOG [ARGUMENTS...]: counts what the runner in the engine says.
engine_tests() {
    local status=0 counts
    "$1" "$2" "$TESTS_SENTINEL" --run-tests "${@:3}" || status=1
    counts=$(sed -n -E 's/^([0-9]+) passed, ([0-9]+) failed, ([0-9]+) skipped$/\1 \2 \3/p' "$2" | tail -n 1)
    # shellcheck disable=SC2086 # three words
    [ -z "$counts" ] || count $counts
    return "$status"
}

main "$@"
