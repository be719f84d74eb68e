#!/usr/bin/env bash
# Compares the new names that renames accept with Godot: words, classes, types, and members of `Node`, as names of a variable,
# signal, method and class. Ends with `N passed, N failed, N skipped`.
#
# Usage:
#   scripts/test/project/names.sh
#   scripts/test/project/names.sh --help

set -euo pipefail

# shellcheck source=scripts/lib/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/../../lib/common.sh"
# shellcheck source=scripts/lib/programs.sh
. "$ROOT/scripts/lib/programs.sh"
# shellcheck source=scripts/lib/engine_run.sh
. "$ROOT/scripts/lib/engine_run.sh"
# shellcheck source=scripts/lib/checks.sh
. "$ROOT/scripts/lib/checks.sh"

readonly WORK=$ROOT/target/engine/names
readonly PROJECT=$WORK/project

main() {
    local kind verdict name
    expect_no_arguments "$@"
    GDSCENE=$(built gdscene)
    rm -rf "$WORK"
    mkdir -p "$PROJECT/tools"
    cp "$ROOT/godot_project/tools/judge_names.gd" "$PROJECT/tools"
    printf 'config_version=5\n' >"$PROJECT/project.godot"
    printf 'extends Node\nsignal hit\n@export var strength := 3\nfunc go() -> void:\n\tpass\n' >"$PROJECT/e.gd"
    printf 'class_name Enemy\nextends Node\n' >"$PROJECT/enemy.gd"
    limited "$ROOT/scripts/godot.sh" --headless --path "$PROJECT" -s res://tools/judge_names.gd -- "$WORK/verdicts" \
        </dev/null >"$WORK/godot.log" 2>&1 || true
    grep -qxF 'names: JUDGED' "$WORK/godot.log" || fail "Godot did not judge the names. All it printed: $WORK/godot.log"
    rm -r "$PROJECT/tools"
    while read -r kind verdict name; do
        judge "$kind" "$verdict" "$name"
    done < <(sampled 200 <"$WORK/verdicts")
    report_checks
}

# judge KIND VERDICT NAME
judge() {
    local status=0 found expected=refused
    [ "$2" != free ] || expected=free
    case "$1" in
        property) rename rename-property e.gd strength "$3" ;;
        signal) rename rename-signal e.gd hit "$3" ;;
        method) rename rename-method e.gd go "$3" ;;
        class) rename rename-class Enemy "$3" ;;
    esac || status=$?
    case "$status" in
        0 | 1) found=free ;;
        2) found=refused ;;
        *) found="an exit with $status" ;;
    esac
    if [ "$found" = "$expected" ]; then
        pass
    else
        flunk "the $1 name \`$3\` is $2 in Godot, and $found here"
    fi
}

rename() {
    (cd "$PROJECT" && "$GDSCENE" "$1" --dry-run --allow-dirty "${@:2}") >"$WORK/rename.log" 2>&1
}

run_main "$@"
