#!/usr/bin/env bash
# Checks that a real Godot refuses the numbers that the rule `refused-value` reports. Loads a file for each limit of
# rust/godot-project/data/limits.txt, which scripts/data/class_db.sh writes, with the number at the limit and one beyond it. Ends
# with `N passed, N failed, N skipped`.
#
# Usage:
#   scripts/test/scenes/limits.sh
#   scripts/test/scenes/limits.sh --help

set -euo pipefail

# shellcheck source=scripts/lib/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/../../lib/common.sh"
# shellcheck source=scripts/lib/engine_run.sh
. "$ROOT/scripts/lib/engine_run.sh"

readonly WORK=$ROOT/target/engine/limits

main() {
    expect_no_arguments "$@"
    rm -rf "$WORK"
    mkdir -p "$WORK"
    printf 'config_version=5\n' >"$WORK/project.godot"
    cp "$ROOT/scripts/test/scenes/check_limits.gd" "$WORK"
    limited "$ROOT/scripts/godot.sh" --headless --path "$WORK" -s check_limits.gd -- "$ROOT/rust/godot-project/data/limits.txt" \
        </dev/null >"$WORK.log" 2>&1 || true
    # All else that it prints are the errors that are asked for.
    grep -E ': logged [0-9]+ errors, has' "$WORK.log" || true
    grep -E '^[0-9]+ passed, 0 failed, 0 skipped$' "$WORK.log" ||
        fail "the limits are not those of this Godot" "All it printed: $WORK.log"
}

run_main "$@"
