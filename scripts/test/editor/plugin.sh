#!/usr/bin/env bash
# Tests the addon as an editor plugin, in Godot's editor without a window: its reports on opened and saved scenes, its panel, menus,
# repairs and settings, and the editor's help. It also tests it without a library, and in a folder with another name. Needs
# scripts/build.sh.
#
# Usage:
#   scripts/test/editor/plugin.sh
#   scripts/test/editor/plugin.sh --help

set -euo pipefail

# shellcheck source=scripts/lib/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/../../lib/common.sh"
# shellcheck source=scripts/lib/programs.sh
. "$ROOT/scripts/lib/programs.sh"
# shellcheck source=scripts/lib/engine_run.sh
. "$ROOT/scripts/lib/engine_run.sh"
# shellcheck source=scripts/lib/godot_project.sh
. "$ROOT/scripts/lib/godot_project.sh"

readonly WORK=$ENGINE_OUTPUT/editor_plugin
# The file with the help that the library gives to the editor.
readonly HELP=$ENGINE_OUTPUT/editor_plugin_help
readonly LOG=$ENGINE_OUTPUT/editor_plugin.log
readonly LOG_WITHOUT_TABLE=$ENGINE_OUTPUT/editor_plugin_without_table.log
readonly LOG_IN_ANOTHER_FOLDER=$ENGINE_OUTPUT/editor_plugin_in_another_folder.log
readonly LOG_BESIDE_A_GAME=$ENGINE_OUTPUT/editor_plugin_beside_a_game.log
readonly LOG_WITHOUT_LIBRARY=$ENGINE_OUTPUT/editor_plugin_without_library.log
# The engine's own messages about an extension without a library.
readonly ABOUT_EXTENSION='GDExtension|FileAccess::exists\(path\)'

main() {
    local part
    expect_no_arguments "$@"
    cache_help_of_godot
    run_suites "$LOG"
    expect '4:[0-9]+: error\[[A-Z]+[0-9]+ undefined-ext-id\]: '
    expect '6:[0-9]+: [a-z]+\[[A-Z]+[0-9]+ unknown-parent\]: '
    grep '^res://broken' "$LOG" >&2
    if grep '^res://good\.tscn:' "$LOG" >&2; then
        fail "the good scene got the diagnostics above"
    fi
    grep '^cost of ' "$LOG" >&2
    [ "$(grep -c '^WARNING: .*gdscene\.toml:3:1: unknown key .serious' "$LOG")" = 1 ] ||
        fail "what is wrong with gdscene.toml was not said once" "All it printed: $LOG"
    for part in $(printf '%s\n' check_without_table check_without_library check_in_another_folder check_beside_a_game | sampled 1); do
        "$part"
    done
}

# The first start of a Godot writes its help to a cache, and shows no help on classes of extensions until the next start.
cache_help_of_godot() {
    if ! compgen -G "${XDG_CACHE_HOME:-$HOME/.cache}/godot/editor_doc_cache-*" >/dev/null; then
        rm -rf "$WORK"
        mkdir -p "$WORK"
        printf 'config_version=5\n' >"$WORK/project.godot"
        limited "$ROOT/scripts/godot.sh" --headless --editor --quit --path "$WORK" >/dev/null 2>&1 </dev/null ||
            fail "Godot did not write its help to its cache"
    fi
}

# As in an engine that is newer than the table of classes.
check_without_table() {
    FV_EDITOR_SUITE=classes FAST_VARIANT_READ_ALL_CLASSES=1 run_suites "$LOG_WITHOUT_TABLE"
    grep '^cost of the classes' "$LOG_WITHOUT_TABLE" >&2
}

# run_suites LOG: with editor settings that are not the user's own.
run_suites() {
    make_project
    list_extension "$WORK"
    mkdir -p "$HELP"
    # Shown only if it failed: an editor without a window complains of its own doings.
    judged_run "$1" 'editor plugin test: SUCCESS' \
        env XDG_CONFIG_HOME="$WORK/.home" FAST_VARIANT_HELP_FOLDER="$HELP" \
        "$ROOT/scripts/godot.sh" --headless --editor --quit-after "$LAST_EDITOR_FRAME" --path "$WORK" \
        2>"$WORK/shown.txt" || {
        cat "$WORK/shown.txt" >&2
        exit 1
    }
}

# One message of ours in the log, the same in a tab, and nothing else that is not the engine's own.
check_without_library() {
    local unexpected
    make_project
    rm -r "$WORK/addons/fast_variant/bin"
    # Complaints about the library are expected, so the run is judged here.
    run_with_witness "$LOG_WITHOUT_LIBRARY" fast_variant Problems
    unexpected=$(unexpected_lines "$LOG_WITHOUT_LIBRARY" | grep -vE "$ABOUT_EXTENSION" |
        grep -v '^WARNING: FastVariant: There is no native library for this platform' || true)
    [ -z "$unexpected" ] || fail "without the library this was printed: $unexpected"
    [ "$(grep -c '^WARNING: FastVariant: There is no native library' "$LOG_WITHOUT_LIBRARY")" = 1 ] ||
        fail "without the library it is not said once that there is none" "All it printed: $LOG_WITHOUT_LIBRARY"
    grep -q '^label: There is no native library for this platform in res://addons/fast_variant/bin' "$LOG_WITHOUT_LIBRARY" ||
        fail "the tab Problems does not say that there is no library" "All it printed: $LOG_WITHOUT_LIBRARY"
}

# The addon finds its own files, whatever its folder is called, and says where it is.
check_in_another_folder() {
    local unexpected
    make_project
    mkdir "$WORK/addons/vendor" "$WORK/.godot"
    cp "$PROJECT/demo/broken/harbour.tscn" "$WORK"
    mv "$WORK/addons/fast_variant" "$WORK/addons/vendor/fv"
    printf 'res://addons/vendor/fv/fast_variant.gdextension\n' >"$WORK/.godot/extension_list.cfg"
    run_with_witness "$LOG_IN_ANOTHER_FOLDER" vendor/fv 'Problems ('
    unexpected=$(unexpected_lines "$LOG_IN_ANOTHER_FOLDER")
    [ -z "$unexpected" ] || fail "in another folder this was printed: $unexpected"
    grep -qE '^tab: Problems \([0-9]+\)' "$LOG_IN_ANOTHER_FOLDER" ||
        fail "in another folder no problems were found" "All it printed: $LOG_IN_ANOTHER_FOLDER"
    grep -qx 'icon: there' "$LOG_IN_ANOTHER_FOLDER" || fail "in another folder there is no icon"
}

# In types, Godot looks for classes and autoloads of the project before it looks into the script. So all types that the addon's scripts
# declare begin with an underscore, and a game may have classes of the same names without it.
check_beside_a_game() {
    local declared name
    make_project
    cp "$PROJECT/demo/broken/harbour.tscn" "$WORK"
    mkdir "$WORK/of_game"
    printf 'extends Node\n' >"$WORK/of_game/autoload.gd"
    declared=$(grep -rhoE --include='*.gd' '^\s*(const|enum|class) _?[A-Z][A-Za-z]*[a-z]\w*' "$ROOT/addons/fast_variant" | awk '{ print $2 }' | sort -u)
    ! grep -v '^_' <<<"$declared" >&2 || fail "these names of types in the addon must begin with an underscore"
    for name in $(sed 's/^_//' <<<"$declared"); do
        [ "$name" = Settings ] || printf 'class_name %s\nextends Node\n' "$name" >"$WORK/of_game/$name.gd"
    done
    # At first Godot finds the classes after the addon is loaded, and then before it.
    for _ in first second; do
        run_with_witness "$LOG_BESIDE_A_GAME" fast_variant 'Problems (' '[autoload]' 'Settings="*res://of_game/autoload.gd"'
        check_log_beside_a_game
    done
}

check_log_beside_a_game() {
    local unexpected
    unexpected=$(unexpected_lines "$LOG_BESIDE_A_GAME")
    [ -z "$unexpected" ] || fail "beside a game this was printed: $unexpected"
    grep -qE '^tab: Problems \([0-9]+\)' "$LOG_BESIDE_A_GAME" ||
        fail "beside a game no problems were found" "All it printed: $LOG_BESIDE_A_GAME"
}

# run_with_witness LOG FOLDER TITLE [LINE]...: until the tab has a title that begins so. Next to the addon in res://addons/FOLDER, only
# the plugin `witness` runs. The lines are added to the project's settings.
run_with_witness() {
    rm -rf "$WORK/driver"
    sed "s|\"res://driver/plugin.cfg\", \"res://addons/fast_variant/|\"res://witness/plugin.cfg\", \"res://addons/$2/|" \
        "$PROJECT/tests/editor/project.godot.in" >"$WORK/project.godot"
    printf '%s\n' "${@:4}" >>"$WORK/project.godot"
    FV_WITNESS=$3 XDG_CONFIG_HOME=$WORK/.home limited "$ROOT/scripts/godot.sh" --headless --editor \
        --quit-after "$LAST_EDITOR_FRAME" --path "$WORK" </dev/null 2>&1 | without_colors >"$1"
}

make_project() {
    rm -rf "$WORK"
    mkdir -p "$WORK/addons"
    cp -R "$PROJECT/tests/editor/." "$WORK"
    rm "$WORK/.gdignore"
    # Under its real name, Godot would warn of a project in a project.
    mv "$WORK/project.godot.in" "$WORK/project.godot"
    cp -R "$PROJECT/addons/fast_variant" "$WORK/addons"
    # Their samples are compiled.
    mkdir "$WORK/driver/pages"
    cp "$ROOT"/rust/docs/site/*.md "$WORK/driver/pages"
}

# expect PATTERN: a diagnostic of the broken scene, from its line on.
expect() {
    grep -qE "^res://broken\.tscn:$1" "$LOG" || fail "the plugin printed no diagnostic like $1" "All it printed: $LOG"
}

run_main "$@"
