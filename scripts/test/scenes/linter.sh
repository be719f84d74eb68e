#!/usr/bin/env bash
# Compares the linter with a real Godot on thousands of broken scenes and resources. The linter must report files that Godot
# refuses, crashes on, or loses data of, and no file that Godot reads as it was meant. Prints the table of both judgements.
#
# Usage:
#   scripts/test/scenes/linter.sh
#   scripts/test/scenes/linter.sh --help
#
# Environment:
#   FV_SHARED  folder of shared test data (default: ../shared); without it, nothing is done.

set -euo pipefail

# shellcheck source=scripts/lib/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/../../lib/common.sh"
# shellcheck source=scripts/lib/programs.sh
. "$ROOT/scripts/lib/programs.sh"

readonly WORK=$ROOT/target/engine/lint_differential

main() {
    expect_no_arguments "$@"
    cd "$ROOT"
    make_project
    if is_sample; then
        export FV_DIFFERENTIAL_SEED=$SEED FV_DIFFERENTIAL_COUNT=${FV_DIFFERENTIAL_COUNT:-900}
    fi
    "$(built examples/engine_differential)" "$WORK" "$ROOT/scripts/godot.sh"
}

# A separate project without our library, with the files that the tested files refer to.
make_project() {
    local number
    rm -rf "$WORK"
    mkdir -p "$WORK/tools" "$WORK/stand_in"
    cp "$ROOT"/godot_project/tools/lint_differential*.gd "$WORK/tools"
    printf 'config_version=5\n' >"$WORK/project.godot"
    for number in {0..19}; do
        printf 'extends Object\n' >"$WORK/stand_in/script_$number.gd"
        printf '[gd_scene format=3]\n\n[node name="StandIn" type="Node"]\n' >"$WORK/stand_in/scene_$number.tscn"
        stand_in "resource_$number" Resource
        stand_in "texture_$number" PlaceholderTexture2D
        stand_in "material_$number" StandardMaterial3D
        stand_in "shader_$number" Shader
        stand_in "theme_$number" Theme
        stand_in "style_box_$number" StyleBoxFlat
    done
}

# stand_in NAME CLASS
stand_in() {
    printf '[gd_resource type="%s" format=3]\n\n[resource]\n' "$2" >"$WORK/stand_in/$1.tres"
}

run_main "$@"
