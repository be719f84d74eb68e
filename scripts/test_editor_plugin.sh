#!/usr/bin/env bash
# Tests the addon as an editor plugin, in Godot's editor without a window: what it says of scenes that are opened and
# saved, its panel, menus, repairs and settings, the editor's help on the library, and what it does where there is no
# library. Needs scripts/build.sh.
#
# Usage:
#   scripts/test_editor_plugin.sh
#   scripts/test_editor_plugin.sh --help

set -euo pipefail

# shellcheck source=scripts/lib/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"
# shellcheck source=scripts/lib/engine_run.sh
. "$ROOT/scripts/lib/engine_run.sh"
# shellcheck source=scripts/lib/godot_project.sh
. "$ROOT/scripts/lib/godot_project.sh"

readonly WORK=$ENGINE_OUTPUT/editor_plugin
# In case that the driver cannot even be compiled.
readonly LAST_EDITOR_FRAME=20000
# Where the library writes what it gives the editor for its help.
readonly HELP=$ENGINE_OUTPUT/editor_plugin_help
readonly LOG=$ENGINE_OUTPUT/editor_plugin.log
readonly LOG_WITHOUT_TABLE=$ENGINE_OUTPUT/editor_plugin_without_table.log
readonly LOG_WITHOUT_LIBRARY=$ENGINE_OUTPUT/editor_plugin_without_library.log
# Frames that are enough to load all scripts.
readonly FRAMES_WITHOUT_LIBRARY=200
# What the engine itself says of an extension without a library.
readonly ABOUT_EXTENSION='GDExtension|FileAccess::exists\(path\)'

main() {
    case "${1:-}" in
        "") ;;
        --help | -h) print_help && return ;;
        *) fail "unknown argument \`$1\`; see scripts/test_editor_plugin.sh --help" ;;
    esac
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
    # As in an engine that is newer than the table of classes.
    FV_EDITOR_SUITE=classes FAST_VARIANT_READ_ALL_CLASSES=1 run_suites "$LOG_WITHOUT_TABLE"
    grep '^cost of the classes' "$LOG_WITHOUT_TABLE" >&2
    check_without_library
}

# run_suites LOG
run_suites() {
    make_project
    list_extension "$WORK"
    mkdir -p "$HELP"
    # Shown only if it failed: an editor without a window complains of its own doings.
    FAST_VARIANT_HELP_FOLDER=$HELP judged_run "$1" 'editor plugin test: SUCCESS' \
        "$ROOT/scripts/godot.sh" --headless --editor --quit-after "$LAST_EDITOR_FRAME" --path "$WORK" \
        2>"$WORK/shown.txt" || {
        cat "$WORK/shown.txt" >&2
        exit 1
    }
}

# One message of ours, and nothing else that is not the engine's own.
check_without_library() {
    local unexpected
    make_project
    rm -r "$WORK/addons/fast_variant/bin" "$WORK/driver"
    sed 's|"res://driver/plugin.cfg", ||' "$PROJECT/tests/editor/project.godot.in" >"$WORK/project.godot"
    # Complaints about the library are expected, so the run is judged here.
    limited "$ROOT/scripts/godot.sh" --headless --editor --quit-after "$FRAMES_WITHOUT_LIBRARY" --path "$WORK" \
        </dev/null 2>&1 | without_colors >"$LOG_WITHOUT_LIBRARY"
    unexpected=$(unexpected_lines "$LOG_WITHOUT_LIBRARY" | grep -vE "$ABOUT_EXTENSION" |
        grep -v '^WARNING: FastVariant: there is no native library for this platform' || true)
    [ -z "$unexpected" ] || fail "without the library this was printed: $unexpected"
    [ "$(grep -c 'FastVariant: there is no native library' "$LOG_WITHOUT_LIBRARY")" = 1 ] ||
        fail "without the library it is not said once that there is none" "All it printed: $LOG_WITHOUT_LIBRARY"
}

make_project() {
    rm -rf "$WORK"
    mkdir -p "$WORK/addons"
    cp -R "$PROJECT/tests/editor/." "$WORK"
    rm "$WORK/.gdignore"
    # Under its real name, Godot would warn of a project in a project.
    mv "$WORK/project.godot.in" "$WORK/project.godot"
    cp -R "$PROJECT/addons/fast_variant" "$WORK/addons"
}

# expect PATTERN: a diagnostic of the broken scene, from its line on.
expect() {
    grep -qE "^res://broken\.tscn:$1" "$LOG" || fail "the plugin printed no diagnostic like $1" "All it printed: $LOG"
}

main "$@"
