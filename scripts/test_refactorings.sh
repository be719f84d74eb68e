#!/usr/bin/env bash
# Holds the refactorings to their promise that Godot loads the same as before but for the name or path that changes: a project
# is loaded before and after each, with all its scripts, and full dumps of what came out are compared.
#
# What is renamed is chosen by chance. Each has to differ in nothing but the name; if the command itself said that something is
# doubtful, a difference is told and not counted. `gdscene undo` has to bring the bytes back.
# Ends with `N passed, N failed, N skipped`.
#
# Usage:
#   scripts/test_refactorings.sh [--kinds K,K] [--count N] [--seed N] FOLDER...
#                                                 these projects, which are copied. N of each kind (default: 5)
#   scripts/test_refactorings.sh --help

set -euo pipefail

# shellcheck source=scripts/lib/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"
# shellcheck source=scripts/lib/engine_run.sh
. "$ROOT/scripts/lib/engine_run.sh"
# shellcheck source=scripts/lib/rust.sh
. "$ROOT/scripts/lib/rust.sh"

readonly WORK=$ROOT/target/engine/refactorings
readonly CANDIDATES=$ROOT/target/release/examples/refactor_candidates
readonly GDSCENE=$ROOT/target/release/gdscene

kinds=rename-property
count=5
seed=1
passed=0
failed=0

main() {
    local folder
    while [ $# != 0 ]; do
        case "$1" in
            --help | -h) print_help && return ;;
            --kinds) kinds=${2:?--kinds needs a list} && shift 2 ;;
            --count) count=${2:?--count needs a number} && shift 2 ;;
            --seed) seed=${2:?--seed needs a number} && shift 2 ;;
            *) break ;;
        esac
    done
    require_cargo
    rm -rf "$WORK"
    mkdir -p "$WORK"
    (cd "$ROOT" && cargo build --quiet --release -p cli && cargo build --quiet --release -p project --example refactor_candidates)
    [ $# != 0 ] || fail "no project is named; see scripts/test_refactorings.sh --help"
    for folder in "$@"; do
        judge_project "$folder"
    done
    printf '%d passed, %d failed, 0 skipped\n' "$passed" "$failed"
    [ "$failed" = 0 ]
}

# judge_project FOLDER
judge_project() {
    local name kind
    name=$(basename "$1")
    project=$WORK/$name
    cp -R "$1" "$project"
    rm -rf "$project/.git"
    import "$project"
    cp -R "$project" "$project.original"
    if ! dump before "$WORK/$name.before.jsonl"; then
        failed=$((failed + 1))
        return
    fi
    for kind in ${kinds//,/ }; do
        judge_kind "$name" "$kind"
    done
}

# judge_kind NAME KIND
judge_kind() {
    local name=$1 kind=$2 new old files doubts arguments number=0 before_failed=$failed before_passed=$passed
    "$CANDIDATES" "$project" "$kind" "$count" "$seed" >"$WORK/$name.$kind.candidates"
    while IFS=$'\t' read -r new old files doubts arguments; do
        number=$((number + 1))
        IFS=$'\t' read -r -a arguments <<<"$arguments"
        step=$WORK/$name.$kind.$number
        if judge_one "$name" "$new" "$old" "$doubts" "${arguments[@]}"; then
            passed=$((passed + 1))
        else
            failed=$((failed + 1))
            say "$name: failed: gdscene ${arguments[*]} ($files files, $doubts doubts): $step.*"
        fi
    done <"$WORK/$name.$kind.candidates"
    say "$name, $kind: $((passed - before_passed)) passed, $((failed - before_failed)) failed"
}

# judge_one NAME NEW OLD DOUBTS ARGUMENT...
judge_one() {
    local name=$1 new=$2 old=$3 doubts=$4 is_same=yes
    shift 4
    refactor "$@" || return 1
    dump after "$step.jsonl" "$WORK/$name.before.jsonl" "$new" "$old" || return 1
    grep -q '^dump: .* 0 differ$' "$step.after.log" || is_same=no
    undo || return 1
    [ "$is_same" = no ] || return 0
    grep '^DIFFERS ' "$step.after.log" | head -n 5 >&2 || true
    [ "$doubts" != 0 ] || return 1
    say "$name: differs, as the command said it might: gdscene $*"
}

# refactor ARGUMENT...: 1 means that something is doubtful.
refactor() {
    local status=0
    (cd "$project" && "$GDSCENE" "$@" --allow-dirty) >"$step.command.log" 2>&1 || status=$?
    [ "$status" -le 1 ] || tail -n 3 "$step.command.log" >&2
    [ "$status" -le 1 ]
}

# What Godot keeps for itself may differ.
undo() {
    (cd "$project" && "$GDSCENE" undo) >"$step.undo.log" 2>&1 || return 1
    diff -r --exclude .godot "$project.original" "$project" >"$step.diff" || {
        say "undo left something: $step.diff"
        return 1
    }
}

import() {
    limited "$ROOT/scripts/godot.sh" --headless --path "$1" --import </dev/null >"$1.import.log" 2>&1 || true
    # A second time: what one import makes, another one may need.
    limited "$ROOT/scripts/godot.sh" --headless --path "$1" --import </dev/null >>"$1.import.log" 2>&1 || true
}

# dump STEP DUMP [BEFORE NEW OLD]
dump() {
    local log=${step:-$project}.$1.log
    shift
    limited "$ROOT/scripts/godot.sh" --headless --path "$project" -s "$ROOT/godot_project/tools/dump_refactored.gd" -- \
        "$@" </dev/null >"$log" 2>&1 || true
    if ! grep -qxF 'dump: DONE' "$log"; then
        say "the engine did not come to its end. All it printed: $log"
        return 1
    fi
}

main "$@"
