#!/usr/bin/env bash
# Checks that safe fixes change nothing that Godot loads, for the rules that need a project. Each project is loaded before and after
# `gdscene fix`, and full dumps of all its scenes and resources are compared.
#
# The projects are those of rust/gdscene-lint/tests/fixtures with a safe fix, and any named ones. Named projects are whole: they are
# first spoilt in every way that safe fixes repair, and must be as before afterwards. Ends with `N passed, N failed, N skipped`.
#
# Usage:
#   scripts/test/project/fixes.sh                 the fixtures
#   scripts/test/project/fixes.sh --only NAME     only fixtures with NAME in their names
#   scripts/test/project/fixes.sh FOLDER...       these projects instead; they are copied
#   scripts/test/project/fixes.sh --help

set -euo pipefail

# shellcheck source=scripts/lib/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/../../lib/common.sh"
# shellcheck source=scripts/lib/programs.sh
. "$ROOT/scripts/lib/programs.sh"
# shellcheck source=scripts/lib/engine_run.sh
. "$ROOT/scripts/lib/engine_run.sh"
# shellcheck source=scripts/lib/rust.sh
. "$ROOT/scripts/lib/rust.sh"
# shellcheck source=scripts/lib/checks.sh
. "$ROOT/scripts/lib/checks.sh"

readonly WORK=$ROOT/target/engine/project_fixes
readonly FIXTURES=$ROOT/rust/gdscene-lint/tests/fixtures
# The rules with safe fixes that the example spoil_project.rs makes necessary.
readonly SPOILT=RES002,RES003,RES004,RES006,RES011,RES012,RES014,TREE008,TREE009,MIG002

main() {
    local folder only=""
    if [ "${1:-}" = --only ]; then
        only=${2:?--only needs a NAME} && set --
    fi
    rm -rf "$WORK"
    mkdir -p "$WORK"
    gdscene=$(built gdscene)
    if [ $# = 0 ]; then
        while IFS= read -r folder; do
            judge_fixture "$folder"
        done < <(fixtures_with_fixes "$only" | sampled 1)
    fi
    for folder in "$@"; do
        judge_real "$folder"
    done
    report_checks
}

# fixtures_with_fixes NAME: prints the folders that contain the name.
fixtures_with_fixes() {
    local folder
    for folder in "$FIXTURES"/*"$1"*/; do
        folder=${folder%/}
        ! grep -q ' safe fix: ' "$folder.snap" || printf '%s\n' "$folder"
    done
}

# judge_fixture FOLDER: its rule's fixes, one after the other, with the fixes that they make possible.
judge_fixture() {
    local name code project
    name=$(basename "$1")
    code=${name%%-*}
    project=$WORK/$name
    cp -R "$1" "$project"
    # An import writes the files that this rule misses.
    [ "$code" = RES011 ] || import "$project"
    dump "$name" before "$project" &&
        fix "$name" "$project" "$code" &&
        dump "$name" after "$project" &&
        import "$project" &&
        dump "$name" imported "$project"
    verdict $? "$name"
}

# judge_real FOLDER: the spoilt project must be as before.
judge_real() {
    local name project
    name=$(basename "$1")
    project=$WORK/$name
    cp -R "$1" "$project"
    import "$project"
    dump "$name" before "$project" &&
        "$(built examples/spoil_project)" "$project" >"$WORK/$name.spoilt" &&
        sed "s/^/$name: /" "$WORK/$name.spoilt" >&2 &&
        fix "$name" "$project" "$SPOILT" &&
        dump "$name" after "$project" &&
        import "$project" &&
        dump "$name" imported "$project"
    verdict $? "$name"
}

verdict() {
    if [ "$1" = 0 ]; then pass; else flunk "$2"; fi
}

import() {
    limited "$ROOT/scripts/godot.sh" --headless --path "$1" --import </dev/null >"$1.import.log" 2>&1 || true
    # A second time, because one import may need the result of another.
    limited "$ROOT/scripts/godot.sh" --headless --path "$1" --import </dev/null >>"$1.import.log" 2>&1 || true
}

# fix NAME PROJECT RULES: prints its changes. Remaining findings are not a failure here.
fix() {
    local status=0
    "$gdscene" fix --no-config --select "$3" "$2" >"$WORK/$1.fix.log" 2>&1 || status=$?
    say "$1: $(tail -n 1 "$WORK/$1.fix.log")"
    if [ "$status" = 2 ] || ! grep -q '^[1-9][0-9]* fix' "$WORK/$1.fix.log"; then
        say "$1: nothing was fixed, or not all could be written: $WORK/$1.fix.log"
        return 1
    fi
}

# dump NAME STEP PROJECT: dumps, and compares with the step `before`.
dump() {
    local log=$WORK/$1.$2.log arguments=("$WORK/$1.$2.jsonl")
    [ "$2" = before ] || arguments+=("$WORK/$1.before.jsonl")
    limited "$ROOT/scripts/godot.sh" --headless --path "$3" -s "$ROOT/godot_project/tools/dump_project.gd" -- \
        "${arguments[@]}" </dev/null >"$log" 2>&1 || true
    if ! grep -qxF 'dump: DONE' "$log"; then
        say "$1: the engine did not come to its end. All it printed: $log"
        return 1
    fi
    [ "$2" != before ] || return 0
    grep '^DIFFERS ' "$log" | head -n 5 >&2 || true
    say "$1, $2: $(grep '^dump: [0-9]' "$log" | cut -c 7-)"
    grep -q '^dump: .* 0 differ$' "$log"
}

run_main "$@"
