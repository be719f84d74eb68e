# shellcheck shell=bash
# The demo project: importing, exporting and running it. Sourced after common.sh and engine_run.sh.

readonly PROJECT=$ROOT/godot_project
# Exports and logs; outside the project, or Godot would import them.
readonly ENGINE_OUTPUT=$ROOT/target/engine
# shellcheck disable=SC2034 # used by the scripts that source this file
readonly DEMO_SENTINEL='fast_variant demo: SUCCESS'
# shellcheck disable=SC2034
readonly TESTS_SENTINEL='fast_variant engine tests: SUCCESS'
# shellcheck disable=SC2034
readonly BENCH_SENTINEL='fast_variant bench: SUCCESS'

# All is done in the first frame. A script that cannot be compiled does nothing, and Godot would run for ever.
readonly LAST_FRAME=100
# The same for tests in the editor. An editor without a window draws up to 145 frames a second, most of them while it waits.
# shellcheck disable=SC2034
readonly LAST_EDITOR_FRAME=100000
readonly EXTENSION=res://addons/fast_variant/fast_variant.gdextension

# import_project FOLDER: needed once in a new project.
import_project() {
    list_extension "$1"
    judged_run "$ENGINE_OUTPUT/import.log" '' "$ROOT/scripts/godot.sh" --headless --path "$1" --import
}

# list_extension FOLDER: adds our extension to the list of extensions that Godot loads when it starts. Godot would find it by
# itself. But a Godot without a window that finds an extension for the first time crashes when it ends: godotengine/godot#111048,
# #123511.
list_extension() {
    local list=$1/.godot/extension_list.cfg
    mkdir -p "$1/.godot"
    grep -qsF "$EXTENSION" "$list" || printf '%s\n' "$EXTENSION" >>"$list"
}

# without_first_run FOLDER: as if the user had closed the note for new users in the Problems panel.
without_first_run() {
    mkdir -p "$1/.godot/editor"
    printf '[fast_variant]\n\nfirst_run="closed"\n' >>"$1/.godot/editor/project_metadata.cfg"
}

# without_merge_offer FOLDER: as if the user had closed the offer to set up merging in git, which depends on the machine.
without_merge_offer() {
    mkdir -p "$1/.godot/editor"
    printf '[fast_variant]\n\nmerge_offer="closed"\n' >>"$1/.godot/editor/project_metadata.cfg"
}

# run_project LOG SENTINEL ARGUMENTS...: the project in the editor's program, without a window.
run_project() {
    local log=$1 sentinel=$2
    shift 2
    judged_run "$log" "$sentinel" \
        "$ROOT/scripts/godot.sh" --headless --quit-after "$LAST_FRAME" --path "$PROJECT" -- "$@"
}

# run_export LOG SENTINEL ARGUMENTS...: the same in the release build that export_project has made.
run_export() {
    local log=$1 sentinel=$2
    shift 2
    judged_run "$log" "$sentinel" "$(exported_program)" --headless --quit-after "$LAST_FRAME" -- "$@"
}

exported_program() {
    printf '%s\n' "$ENGINE_OUTPUT/export/fast_variant_demo.x86_64"
}

# Exports the project as a player would get it. A copy is exported, because the path of the template has to stand in
# the preset, and that is another one on each machine.
export_project() {
    local template copy=$ENGINE_OUTPUT/export_project log=$ENGINE_OUTPUT/export.log
    template=$("$ROOT/scripts/godot.sh" --template release) || return 1
    rm -rf "$copy" "$ENGINE_OUTPUT/export"
    mkdir -p "$copy" "$ENGINE_OUTPUT/export"
    cp -R "$PROJECT/." "$copy"
    sed "s|^custom_template/release=.*|custom_template/release=\"$template\"|" "$PROJECT/export_presets.cfg" \
        >"$copy/export_presets.cfg"
    judged_run "$log" '' "$ROOT/scripts/godot.sh" --headless --path "$copy" \
        --export-release Linux "$(exported_program)" || return 1
    [ -x "$(exported_program)" ] || complain "$log" "there is no $(exported_program)"
}
