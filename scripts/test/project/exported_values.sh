#!/usr/bin/env bash
# Compares the rule on values of another type (TREE016) with the values that Godot drops: variables of each type, values of each
# kind. Ends with `N passed, N failed, N skipped`.
#
# Usage:
#   scripts/test/project/exported_values.sh
#   scripts/test/project/exported_values.sh --help

set -euo pipefail

# shellcheck source=scripts/lib/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/../../lib/common.sh"
# shellcheck source=scripts/lib/programs.sh
. "$ROOT/scripts/lib/programs.sh"
# shellcheck source=scripts/lib/engine_run.sh
. "$ROOT/scripts/lib/engine_run.sh"
# shellcheck source=scripts/lib/checks.sh
. "$ROOT/scripts/lib/checks.sh"

readonly WORK=$ROOT/target/engine/exported_values
readonly PROJECT=$WORK/project

main() {
    local line verdict pair reported
    expect_no_arguments "$@"
    GDSCENE=$(built gdscene)
    rm -rf "$WORK"
    mkdir -p "$PROJECT/tools" "$PROJECT/.godot"
    cp "$ROOT/godot_project/tools/judge_exported_values.gd" "$PROJECT/tools"
    printf 'config_version=5\n\n[application]\n\nconfig/features=PackedStringArray("4.6")\n' >"$PROJECT/project.godot"
    printf 'class_name Data\nextends Resource\n@export var weight := 1.0\n' >"$PROJECT/data.gd"
    printf 'class_name More\nextends Data\n' >"$PROJECT/more.gd"
    limited "$ROOT/scripts/godot.sh" --headless --path "$PROJECT" --import </dev/null >"$WORK/import.log" 2>&1 || true
    limited "$ROOT/scripts/godot.sh" --headless --path "$PROJECT" -s res://tools/judge_exported_values.gd -- "$WORK/verdicts" \
        </dev/null >"$WORK/godot.log" 2>&1 || true
    grep -qxF 'exported values: JUDGED' "$WORK/godot.log" || fail "Godot did not judge the values. All it printed: $WORK/godot.log"
    (cd "$PROJECT" && "$GDSCENE" check --output concise --each matrix.tscn) >"$WORK/found" || true
    sed -n 's/^matrix\.tscn:\([0-9]*\):.*TREE016.*/\1/p' "$WORK/found" | sort -u >"$WORK/lines"
    while read -r line verdict pair; do
        reported=kept
        ! grep -qx "$line" "$WORK/lines" || reported=dropped
        if [ "$verdict" = "$reported" ]; then
            pass
        else
            flunk "\`$pair\` is $verdict in Godot, and $reported here"
        fi
    done <"$WORK/verdicts"
    report_checks
}

run_main "$@"
