#!/usr/bin/env bash
# Checks that Godot behaves as the linter's rules for projects say. Imports and loads each project of
# rust/gdscene-lint/tests/fixtures, and compares the output with the project's engine.txt. Its lines start with `has` or `lacks`;
# the output must, or must not, contain the rest of the line. Ends with `N passed, N failed, N skipped`.
#
# Usage:
#   scripts/test/project/fixtures.sh [NAME]    only projects with NAME in their names
#   scripts/test/project/fixtures.sh --help

set -euo pipefail

# shellcheck source=scripts/lib/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/../../lib/common.sh"
# shellcheck source=scripts/lib/programs.sh
. "$ROOT/scripts/lib/programs.sh"
# shellcheck source=scripts/lib/engine_run.sh
. "$ROOT/scripts/lib/engine_run.sh"
# shellcheck source=scripts/lib/checks.sh
. "$ROOT/scripts/lib/checks.sh"

readonly WORK=$ROOT/target/engine/project_fixtures
readonly FIXTURES=$ROOT/rust/gdscene-lint/tests/fixtures

main() {
    local fixture
    rm -rf "$WORK"
    mkdir -p "$WORK"
    while IFS= read -r fixture; do
        judge "$(dirname "$fixture")"
    done < <(compgen -G "$FIXTURES/*${1:-}*/engine.txt" | sampled 6)
    report_checks
}

# judge FOLDER: in a copy, because Godot writes into projects.
judge() {
    local name project log
    name=$(basename "$1")
    project=$WORK/$name
    log=$WORK/$name.log
    cp -R "$1" "$project"
    run_godot "$project" >"$log" 2>&1 || true
    if ! grep -qxF 'inspect: DONE' "$log"; then
        flunk "$name: the engine did not come to its end. All it printed: $log"
        return
    fi
    compare "$name" "$log" <"$project/engine.txt"
}

run_godot() {
    limited "$ROOT/scripts/godot.sh" --headless --path "$1" --import </dev/null
    limited "$ROOT/scripts/godot.sh" --headless --path "$1" -s "$ROOT/godot_project/tools/inspect_scenes.gd" </dev/null
}

# compare NAME LOG: standard input is the engine.txt.
compare() {
    local verb text found
    while read -r verb text; do
        found=lacks
        ! grep -qF -- "$text" "$2" || found=has
        if [ "$found" = "$verb" ]; then
            pass
        else
            flunk "$1: the output $found: $text"
            say "    All of it: $2"
        fi
    done
}

run_main "$@"
