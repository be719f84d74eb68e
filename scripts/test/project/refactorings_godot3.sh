#!/usr/bin/env bash
# Checks the promise of scripts/test/project/refactorings.sh in Godot 3.6, with a project made for this test. Names of nodes and
# properties, and paths of files and folders, change one at a time, and everything that Godot loads must be as before. Ends with
# `N passed, N failed, N skipped`.
#
# Usage:
#   scripts/test/project/refactorings_godot3.sh [--kinds K,K] [--count N] [--seed N] [FOLDER...]   N of each kind (default: 8)
#   scripts/test/project/refactorings_godot3.sh --help

set -euo pipefail

# shellcheck source=scripts/lib/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/../../lib/common.sh"
# shellcheck source=scripts/lib/programs.sh
. "$ROOT/scripts/lib/programs.sh"
# shellcheck source=scripts/lib/engine_run.sh
. "$ROOT/scripts/lib/engine_run.sh"
# shellcheck source=scripts/lib/rust.sh
. "$ROOT/scripts/lib/rust.sh"
# shellcheck source=scripts/test/project/lib/refactorings.sh
. "$ROOT/scripts/test/project/lib/refactorings.sh"
# shellcheck source=scripts/lib/checks.sh
. "$ROOT/scripts/lib/checks.sh"

readonly WORK=$ROOT/target/engine/refactorings_godot3

kinds=rename-node,rename-property,mv

main() {
    local folder kind
    read_arguments "$@"
    find_programs
    [ ${#folders[@]} != 0 ] || folders=("$ROOT/rust/gdscene-refactor/tests/refactored_project_3")
    for folder in "${folders[@]}"; do
        rm -rf "$WORK"
        mkdir -p "$WORK"
        cp -R "$folder" "$WORK/original"
        dump "$WORK/original" "$WORK/before"
        for kind in ${kinds//,/ }; do
            judge_kind "$kind"
        done
    done
    report_checks
}

judge_kind() {
    local doubts change arguments number=0 before_passed=$passed before_failed=$failed
    "$CANDIDATES" "$WORK/original" "$1" "$count" "$seed" >"$WORK/$1.candidates"
    while IFS=$'\t' read -r _ doubts change arguments; do
        number=$((number + 1))
        step=$WORK/$1.$number
        IFS=$'\t' read -r -a arguments <<<"$arguments"
        if is_kept "${arguments[@]}"; then
            pass
        else
            flunk "gdscene ${arguments[*]} ($doubts places are doubtful; $change): $step.*"
        fi
    done <"$WORK/$1.candidates"
    say "$1: $((passed - before_passed)) passed, $((failed - before_failed)) failed"
}

# is_kept ARGUMENT...
is_kept() {
    local status=0 mapping='s/_zq[0-9]+q//g'
    # The arguments of all three kinds end with the old and the new name, and only paths come without their old one.
    [ "$1" != mv ] || mapping="s#$3#$2#g"
    rm -rf "$WORK/project"
    cp -R "$WORK/original" "$WORK/project"
    (cd "$WORK/project" && "$GDSCENE" "$@" --allow-dirty) >"$step.command.log" 2>&1 || status=$?
    [ "$status" -le 1 ] || return 1
    dump "$WORK/project" "$step.after"
    sed -E "$mapping" "$step.after" | LC_ALL=C sort | diff "$WORK/before" - >"$step.differs" || return 1
    (cd "$WORK/project" && "$GDSCENE" undo) >"$step.undo.log" 2>&1
    diff -r --exclude .gdscene --exclude .godot "$WORK/original" "$WORK/project" >"$step.left"
}

# dump PROJECT FILE: the loaded content, and Godot's errors.
dump() {
    limited "$ROOT/scripts/godot3.sh" --path "$1" -s "$ROOT/scripts/test/project/dump_refactored_godot3.gd" </dev/null >"$2.log" 2>&1 || true
    grep -qxF 'dump: DONE' "$2.log" || fail "Godot 3.6 did not come to its end. All it printed: $2.log"
    grep -E '^(FACT |(SCRIPT )?ERROR: |WARNING: )' "$2.log" | LC_ALL=C sort >"$2"
}

run_main "$@"
