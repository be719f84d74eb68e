#!/usr/bin/env bash
# Checks in a running Godot 4 that the rules on classes, properties and connections describe its behavior, and that the table of
# classes contains all properties that objects store.
#
# Usage:
#   scripts/test/project/class_rules.sh
#   scripts/test/project/class_rules.sh --help

set -euo pipefail

# shellcheck source=scripts/lib/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/../../lib/common.sh"
# shellcheck source=scripts/lib/engine_run.sh
. "$ROOT/scripts/lib/engine_run.sh"

readonly WORK=$ROOT/target/engine/project_rules

main() {
    case "${1:-}" in
        "") run_evidence ;;
        *) misused "unknown argument \`$1\`" ;;
    esac
}

# The engine logs errors about the broken scenes, as intended: the sentinel alone counts.
run_evidence() {
    local log=$WORK/run.log
    rm -rf "$WORK"
    mkdir -p "$WORK/project"
    printf 'config_version=5\n' >"$WORK/project/project.godot"
    cp "$ROOT/scripts/test/project/class_rules.gd" "$WORK/project"
    limited "$ROOT/scripts/godot.sh" --headless --path "$WORK/project" -s class_rules.gd -- \
        "$ROOT/rust/godot-project/data/classes.txt" </dev/null >"$log" 2>&1 || true
    grep -E '^(FAILED: |[0-9]+ checks, )' "$log" || true
    grep -qxF 'evidence: SEEN' "$log" || fail "Godot does not do what the rules say, or did not come to the end" "All it printed: $log"
}

run_main "$@"
