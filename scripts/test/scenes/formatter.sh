#!/usr/bin/env bash
# Compares the formatter with real engines: numbers and values as Godot 4 writes them, and scenes that Godot 4 and Godot 3 have
# saved. The formatter must leave these scenes unchanged, and restore them after they were spoiled. Ends with
# `N passed, N failed, N skipped`.
#
# Usage:
#   scripts/test/scenes/formatter.sh
#   scripts/test/scenes/formatter.sh --help
#
# Environment:
#   FV_SHARED  folder of shared test data (default: ../shared); the scenes come from its corpus

set -euo pipefail

# shellcheck source=scripts/lib/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/../../lib/common.sh"
# shellcheck source=scripts/lib/programs.sh
. "$ROOT/scripts/lib/programs.sh"
# shellcheck source=scripts/lib/checks.sh
. "$ROOT/scripts/lib/checks.sh"
# shellcheck source=scripts/lib/engine_run.sh
. "$ROOT/scripts/lib/engine_run.sh"
# shellcheck source=scripts/lib/godot_project.sh
. "$ROOT/scripts/lib/godot_project.sh"

readonly WORK=$ROOT/target/engine/format
readonly LOG=$WORK/tests.log
# Folders of the corpus with the scenes that each engine saves again. Scenes of Godot 3 are loaded without the files that they refer
# to.
readonly FOLDERS_4=(godotengine__godot-demo-projects__master godotengine__godot-demo-projects__4.2 ramokz__phantom-camera)
readonly FOLDERS_3=(godotengine__godot-demo-projects__3.x bitwes__Gut__3.x RodZill4__material-maker__3.x)

main() {
    expect_no_arguments "$@"
    cd "$ROOT"
    CORPUS=$(absolute_path "${FV_SHARED:-../shared}")/corpus
    rm -rf "$WORK"
    mkdir -p "$WORK"
    write_values
    if [ -d "$CORPUS" ]; then
        resave_with_godot4
        resave_with_godot3
    elif [ "${CI:-}" = true ]; then
        fail "There is no $CORPUS; FV_SHARED names the folder that holds it."
    fi
    compare
}

# In a separate project without our library, so that only the engine writes the files.
write_values() {
    local project=$WORK/values_project
    mkdir -p "$project/tools" "$project/tests" "$WORK/numbers"
    cp "$ROOT"/godot_project/tools/{write_numbers,write_values,write_scene,golden_values}.gd "$project/tools"
    cp -R "$ROOT/godot_project/tests/support" "$project/tests"
    printf 'config_version=5\n' >"$project/project.godot"
    judged_run "$WORK/numbers.log" 'numbers: WRITTEN' \
        "$ROOT/scripts/godot.sh" --headless --path "$project" -s res://tools/write_numbers.gd -- "$WORK/numbers"
    judged_run "$WORK/values.log" 'values: WRITTEN' \
        "$ROOT/scripts/godot.sh" --headless --path "$project" -s res://tools/write_values.gd -- "$WORK/values.txt"
    judged_run "$WORK/scene.log" 'scene: WRITTEN' \
        "$ROOT/scripts/godot.sh" --headless --path "$project" -s res://tools/write_scene.gd -- "$WORK/scene.tscn"
    mkdir -p "$WORK/numbers3" "$WORK/numbers3_project"
    printf 'config_version=4\n' >"$WORK/numbers3_project/project.godot"
    judged_run "$WORK/numbers3.log" 'numbers: WRITTEN' \
        "$ROOT/scripts/godot3.sh" --path "$WORK/numbers3_project" \
        -s "$ROOT/scripts/test/scenes/write_numbers_godot3.gd" "$WORK/numbers3"
    export FV_NUMBERS=$WORK/numbers FV_NUMBERS_3=$WORK/numbers3 FV_VALUES=$WORK/values.txt
    FV_VERSION_4=$(version_of "$("$ROOT/scripts/godot.sh" --version)")
    export FV_SCENE=$WORK/scene.tscn FV_VERSION_4
}

# An engine logs errors about scenes of a missing project. The test only checks that it has saved enough of them.
resave_with_godot4() {
    local project=$WORK/project4
    mkdir -p "$project/tools" "$WORK/resaved4"
    cp "$ROOT"/godot_project/tools/{resave_scenes,stand_ins}.gd "$project/tools"
    printf 'config_version=5\n' >"$project/project.godot"
    list_scenes "${FOLDERS_4[@]}" >"$WORK/list4.txt"
    quiet_run "$WORK/resave4.log" "$ROOT/scripts/godot.sh" --headless --path "$project" \
        -s res://tools/resave_scenes.gd -- "$WORK/list4.txt" "$WORK/resaved4"
    export FV_RESAVED_4=$WORK/resaved4
}

resave_with_godot3() {
    local project=$WORK/project3
    mkdir -p "$project" "$WORK/resaved3"
    printf 'config_version=4\n' >"$project/project.godot"
    list_scenes "${FOLDERS_3[@]}" >"$WORK/list3.txt"
    quiet_run "$WORK/resave3.log" "$ROOT/scripts/godot3.sh" --path "$project" \
        -s "$ROOT/scripts/test/scenes/resave_godot3.gd" "$WORK/list3.txt" "$WORK/resaved3"
    FV_VERSION_3=$(version_of "$("$ROOT/scripts/godot3.sh" --version)")
    export FV_RESAVED_3=$WORK/resaved3 FV_VERSION_3
}

list_scenes() {
    (cd "$CORPUS" && find "$@" \( -name '*.tscn' -o -name '*.tres' \)) | LC_ALL=C sort | sed "s|^|$CORPUS/|"
}

# quiet_run LOG COMMAND...: an engine's run that is full of errors and says at its end that it has done its work.
quiet_run() {
    local log=$1
    shift
    limited "$@" </dev/null >"$log" 2>&1 || fail "The engine's run failed. All it printed: $log"
    grep -qxF 'resave: WRITTEN' "$log" || fail "The engine did not save the scenes. All it printed: $log"
    say "    $(grep '^resaved ' "$log")"
}

# 4.6.3.stable.debian -> 4.6
version_of() {
    printf '%s\n' "$1" | cut -d. -f1-2
}

compare() {
    local status=0 target
    for target in lib tests; do
        (cd "$ROOT/rust/godot-tscn" && "$(built_test godot-tscn "$target")" --show-output number:: what_godot_) || status=1
    done >"$LOG" 2>&1
    grep -E ' of the engine compared$| are fixpoints$| came back$|^SKIPPED: |panicked at' "$LOG" |
        sed 's/^/    /' >&2 || true
    add_cargo_tests "the formatter" "$LOG" "$status"
    # Such a test counts as one that passed, too.
    skipped=$(grep -c '^SKIPPED: ' "$LOG" || true)
    passed=$((passed - skipped))
    report_checks
}

run_main "$@"
