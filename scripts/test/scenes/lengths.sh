#!/usr/bin/env bash
# Compares lists (lengths.rs) and elements (families.rs) of rust/godot-project/src with Godot. Godot loads a file for each kind of
# list and each length, and for each family and number. The rules `refused-value` and `unknown-property` must report exactly the
# values that Godot refuses, cuts or drops. Ends with `N passed, N failed, N skipped`.
#
# Usage:
#   scripts/test/scenes/lengths.sh
#   scripts/test/scenes/lengths.sh --help

set -euo pipefail

# shellcheck source=scripts/lib/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/../../lib/common.sh"
# shellcheck source=scripts/lib/programs.sh
. "$ROOT/scripts/lib/programs.sh"
# shellcheck source=scripts/lib/engine_run.sh
. "$ROOT/scripts/lib/engine_run.sh"
# shellcheck source=scripts/lib/checks.sh
. "$ROOT/scripts/lib/checks.sh"

readonly WORK=$ROOT/target/engine/lengths
readonly PROJECT=$WORK/project

main() {
    local name verdict reported
    expect_no_arguments "$@"
    GDSCENE=$(built gdscene)
    rm -rf "$WORK"
    mkdir -p "$PROJECT/.godot"
    printf 'config_version=5\n\n[application]\n\nconfig/features=PackedStringArray("4.6")\n' >"$PROJECT/project.godot"
    cp "$ROOT/scripts/test/scenes/judge_lengths.gd" "$WORK"
    limited "$ROOT/scripts/godot.sh" --headless --path "$PROJECT" -s "$WORK/judge_lengths.gd" -- "$WORK/verdicts" \
        </dev/null >"$WORK/godot.log" 2>&1 || true
    grep -qxF 'lengths: JUDGED' "$WORK/godot.log" || fail "Godot did not judge the lists. All it printed: $WORK/godot.log"
    (cd "$PROJECT" && "$GDSCENE" check --output concise --each .) >"$WORK/found" || true
    sed -n 's/^\([^:]*\):.*TREE0\(15\|22\).*/\1/p' "$WORK/found" | sort -u >"$WORK/files"
    while read -r name verdict; do
        reported=right
        ! grep -qx "$name" "$WORK/files" || reported=wrong
        if [ "$verdict" = "$reported" ]; then
            pass
        else
            flunk "$name: the file is $verdict in Godot, and $reported here"
        fi
    done <"$WORK/verdicts"
    report_checks
}

run_main "$@"
