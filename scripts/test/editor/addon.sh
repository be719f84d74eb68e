#!/usr/bin/env bash
# Tests parts of the addon in Godot's editor without a window: the export guard, the Variant inspector, and the replacement of the
# library while the editor runs. Ends with `N passed, N failed, N skipped`. Needs scripts/build.sh.
#
# Usage:
#   scripts/test/editor/addon.sh [TEXT]   only the tests with the text in their names
#   scripts/test/editor/addon.sh --help

# No `set -e`: a step that fails does not end the run.
set -uo pipefail

# shellcheck source=scripts/lib/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/../../lib/common.sh"
# shellcheck source=scripts/lib/engine_run.sh
. "$ROOT/scripts/lib/engine_run.sh"
# shellcheck source=scripts/lib/godot_project.sh
. "$ROOT/scripts/lib/godot_project.sh"
# shellcheck source=scripts/lib/checks.sh
. "$ROOT/scripts/lib/checks.sh"

readonly OUTPUT=$ENGINE_OUTPUT/editor_addon
readonly LIBRARY=addons/fast_variant/bin/linux.x86_64/libfast_variant_editor.so
readonly DEAD='res://dead\.tscn:5:[0-9]+: error\[SIG003 '
readonly FOUND='res://harbour\.tscn:6:[0-9]+: error\[[A-Z]+[0-9]+ unknown-parent\]'

main() {
    [[ ${1:-} != -* ]] || misused "unknown argument \`$1\`"
    wanted=${1:-}
    rm -rf "$OUTPUT"
    mkdir -p "$OUTPUT"
    test_if_wanted "export: errors let it fail, and are listed" export_fails
    test_if_wanted "export: what a failed one has written goes, and nothing else" export_cleans_up
    test_if_wanted "export: an error that does no harm there is listed, and stops only with Stop for Every Error" \
        export_passes_dead_connection
    test_if_wanted "export: with the setting Warn they are listed" export_warns
    test_if_wanted "export: with the setting Ignore they are not" export_ignores
    test_if_wanted "export: a pack with errors is not kept, and Godot says so by its status" export_drops_pack
    test_if_wanted "export: a pack without errors is kept" export_keeps_pack
    test_if_wanted "export: without errors nothing is said" export_passes
    test_if_wanted "export: the addon's own scripts are left out" export_leaves_scripts_out
    test_if_wanted "export: scripts are listed that use what only the editor has" export_lists_scripts
    test_if_wanted "export: where there is no library, the extension is left out, and the game starts without an error" \
        export_without_library
    test_if_wanted "export: a library that is not there is named" export_names_missing_library
    test_if_wanted "the Variant inspector" editor_test inspector
    if [ "$(uname -s)" = Linux ]; then
        test_if_wanted "the library is replaced while the editor runs" replaced_library hot_reload
        test_if_wanted "the library is written over while the editor runs" replaced_library overwritten
        test_if_wanted "a newer release is unpacked over the addon while the editor runs" unpacked_release
    else
        skip "the library's tests are for Linux"
    fi
    report_checks
}

# test_if_wanted NAME COMMAND...
test_if_wanted() {
    [[ $1 != *"$wanted"* ]] || show_check "$@" || true
}

# make_project NAME [LINES OF SETTINGS...]: sets `work` and `log`.
make_project() {
    work=$OUTPUT/$1 log=$OUTPUT/$1.log
    shift
    mkdir -p "$work/addons"
    cp -R "$PROJECT/tests/editor_addon/." "$work"
    rm "$work/.gdignore"
    cp -R "$PROJECT/addons/fast_variant" "$work/addons"
    # As strict as the other tests of the editor.
    sed -E '/^\[fast_variant\]/,/^\[debug\]/ { /^\[debug\]/! d; }' "$PROJECT/tests/editor/project.godot.in" \
        >"$work/project.godot"
    printf '\n%s\n' "[fast_variant]" "$@" >>"$work/project.godot"
    list_extension "$work"
    make_preset "$work"
    godot_in "$work" --import >"$log" 2>&1
}

make_preset() {
    local template
    template=$("$ROOT/scripts/godot.sh" --template release) || return 1
    sed "s|^custom_template/release=.*|custom_template/release=\"$template\"|" "$PROJECT/export_presets.cfg" \
        >"$1/export_presets.cfg"
}

godot_in() {
    local folder=$1
    shift
    limited "$ROOT/scripts/godot.sh" --headless --path "$folder" "$@" </dev/null
}

# --- Export -------------------------------------------------------------------------------------------

# export_game --export-release|--export-pack FILE: the exit status is the engine's.
export_game() {
    mkdir -p "$work.out"
    godot_in "$work" "$1" Linux "$work.out/$2" >"$log" 2>&1
}

export_fails() {
    make_project export_fails
    ! export_game --export-release game.x86_64 && said "$FOUND" && said 'Project export for preset "Linux" failed' &&
        not_said 'good\.tscn:' && said 'Project Settings > Fast Variant > Scenes > Errors on Export' &&
        said 'Removed incomplete files: game\.pck, game\.x86_64, libfast_variant\.so\.'
}

# An older game is overwritten by Godot, so that it is half of the new one.
export_cleans_up() {
    make_project export_cleans_up
    mkdir -p "$work.out/game.data"
    printf old >"$work.out/game.x86_64"
    printf mine >"$work.out/game.log"
    printf mine >"$work.out/notes.txt"
    printf mine >"$work.out/libfast_variant.so"
    printf mine >"$work.out/game.data/save.dat"
    ! export_game --export-release game.x86_64 || return 1
    [ "$(cd "$work.out" && find . -type f | sort | tr '\n' ' ')" = \
        './game.data/save.dat ./game.log ./libfast_variant.so ./notes.txt ' ] ||
        complain "$log" "it left: $(find "$work.out" -type f)"
}

# No rule for a single file finds it: the export waits until the project is read.
export_passes_dead_connection() {
    make_dead_connection export_passes_dead 'scenes/errors_on_export=2'
    export_game --export-release game.x86_64 && said "^WARNING: FastVariant: $DEAD" && [ -x "$work.out/game.x86_64" ] || return 1
    make_dead_connection export_stops_for_all 'scenes/errors_on_export=4'
    ! export_game --export-release game.x86_64 && said "^ERROR: FastVariant: $DEAD" && [ ! -e "$work.out/game.x86_64" ]
}

make_dead_connection() {
    make_project "$@"
    rm "$work/harbour.tscn"
    printf '%s\n' '[gd_scene format=3]' '' '[node name="Root" type="Node"]' '' \
        '[connection signal="ready" from="." to="." method="gone"]' >"$work/dead.tscn"
}

export_warns() {
    make_project export_warns 'scenes/errors_on_export=1'
    export_game --export-release game.x86_64 && said "$FOUND" && [ -x "$work.out/game.x86_64" ]
}

export_ignores() {
    make_project export_ignores 'scenes/errors_on_export=0'
    export_game --export-release game.x86_64 && not_said "$FOUND" && [ -x "$work.out/game.x86_64" ]
}

export_drops_pack() {
    make_project export_pack
    ! export_game --export-pack game.pck && said "$FOUND" && [ ! -e "$work.out/game.pck" ]
}

export_keeps_pack() {
    make_project export_good_pack
    rm "$work/harbour.tscn"
    export_game --export-pack game.pck && [ -e "$work.out/game.pck" ]
}

export_passes() {
    make_project export_passes
    rm "$work/harbour.tscn"
    export_game --export-release game.x86_64 && not_said 'FastVariant|errors_on_export' && [ -x "$work.out/game.x86_64" ]
}

# Names of scripts stand in the pack's list of files.
export_leaves_scripts_out() {
    make_project export_scripts_out
    rm "$work/harbour.tscn"
    export_game --export-pack game.pck && grep -aq 'driver/driver\.gdc' "$work.out/game.pck" || return 1
    ! grep -aqE 'addons/fast_variant/(editor/[a-z_/]+|plugin)\.gdc' "$work.out/game.pck" ||
        complain "$log" "the addon's scripts are in the pack"
}

# One script uses it in the game, too, and the other one asks where it runs.
export_lists_scripts() {
    make_project export_scripts
    rm "$work/harbour.tscn"
    printf '%s\n' 'extends Node' '# SceneRewriter' 'func f() -> void:' '	SceneLinter.refresh()' >"$work/careless.gd"
    printf '%s\n' 'extends Node' 'func f() -> void:' '	if OS.has_feature("editor"):' '		SceneLinter.refresh()' >"$work/careful.gd"
    export_game --export-release game.x86_64 && said "careless\\.gd:4: .SceneLinter\\.refresh. is part of FastVariant's library" &&
        not_said 'careful\.gd:|careless\.gd:2' && [ -x "$work.out/game.x86_64" ]
}

# As on a platform that fast_variant.gdextension does not name. Without the plugin, Godot exports the file nevertheless.
export_without_library() {
    make_game export_without_library
    sed -i.before '/^linux\.\(x86_64\|arm64\) = /d' "$work/addons/fast_variant/fast_variant.gdextension"
    rm "$work/addons/fast_variant/fast_variant.gdextension.before"
    export_game --export-release game.x86_64 && said 'has no library for Linux \(x86_64\)' &&
        said 'names\.gd:5: this export does not have the class .FastVariant.' && not_said 'No "x86_64" library found|main\.gd:' &&
        grep -qxF "$EXTENSION" "$work/.godot/extension_list.cfg" || complain "$log" "it is not as expected" || return 1
    [ "$(cd "$work.out" && find . -name '*fast_variant*')" = "" ] || complain "$log" "the game has a library" || return 1
    run_game && said '^FastVariant: false, false$' && not_said 'ERROR|WARNING'
}

# The reason for the guard.
export_names_missing_library() {
    make_game export_names_missing
    rm "$work/addons/fast_variant/bin/linux.x86_64/libfast_variant.so"
    ! export_game --export-release game.x86_64 && said 'libfast_variant\.so is not there, and the game needs it'
}

# make_game NAME: a project with a game that prints whether it has the library.
make_game() {
    make_project "$1"
    rm "$work/harbour.tscn"
    printf '%s\n' 'extends Node' 'func _ready() -> void:' '	print("FastVariant: ", ClassDB.class_exists(&"FastVariant"), ", ", FileAccess.file_exists("'"$EXTENSION"'"))' \
        '	get_tree().quit()' >"$work/main.gd"
    printf '%s\n' 'extends Node' '# FastVariant' 'var a := "FastVariant is its name"' 'func f() -> PackedByteArray:' '	return FastVariant.encode(1)' >"$work/names.gd"
    printf '%s\n' '[gd_scene load_steps=2 format=3]' '' '[ext_resource type="Script" path="res://main.gd" id="1"]' '' \
        '[node name="Main" type="Node"]' 'script = ExtResource("1")' >"$work/main.tscn"
    sed -i.before 's|^\[application\]$|&\nrun/main_scene="res://main.tscn"|' "$work/project.godot"
    rm "$work/project.godot.before"
}

run_game() {
    log=$work.game.log
    limited "$work.out/game.x86_64" --headless --quit-after "$LAST_FRAME" >"$log" 2>&1 </dev/null
}

# --- Editor -------------------------------------------------------------------------------------------

# editor_test NAME: the file driver/NAME.gd of the project.
editor_test() {
    make_project "$1"
    run_driver "$1"
}

run_driver() {
    FV_EDITOR_TEST=$1 godot_in "$work" --editor --quit-after "$LAST_EDITOR_FRAME" >"$log" 2>&1 ||
        complain "$log" "it ended with an error: $(grep -E "^FAIL|$CRASH" "$log" | head -n 5)" || return 1
    said '^editor test: SUCCESS$' && not_said "$CRASH|SCRIPT ERROR|Parse Error|^WARNING.*ObjectDB|Leaked instance"
}

# replaced_library DRIVER: the same code with other bytes, as a new build of it would be.
replaced_library() {
    local number
    make_project "$1"
    mkdir "$work/builds" && touch "$work/builds/.gdignore"
    for number in 1 2 3; do
        cp "$work/$LIBRARY" "$work/builds/$number.so" && printf '%s' "build $number" >>"$work/builds/$number.so"
    done
    run_driver "$1"
}

# By a program that writes into the files that are there; its scripts are other ones, too.
unpacked_release() {
    make_project unpacked
    mkdir -p "$OUTPUT/release" && cp -R "$work/addons" "$OUTPUT/release" || return 1
    printf '%s' 'newer' >>"$OUTPUT/release/$LIBRARY"
    find "$OUTPUT/release" -name '*.gd' -exec sh -c 'for file; do printf "\n# newer\n" >>"$file"; done' sh {} +
    python3 "$ROOT/scripts/package/zip_folder.py" "$OUTPUT/release" "$work/release.zip" 1700000000 || return 1
    run_driver unpacked
}

# said PATTERN, not_said PATTERN
said() {
    grep -qE -e "$1" "$log" || complain "$log" "it did not say $1"
}

not_said() {
    if grep -E -e "$1" "$log" >&2; then
        complain "$log" "it said the lines above"
    fi
}

run_main "$@"
