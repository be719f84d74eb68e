# shellcheck shell=bash
# The demo project: importing, exporting and running it. Sourced after common.sh and engine_run.sh.

readonly PROJECT=$ROOT/godot_project
# Exports and logs; outside of the project, or Godot would import them.
readonly ENGINE_OUTPUT=$ROOT/target/engine
readonly TESTS_SENTINEL='fast_variant engine tests: SUCCESS'
readonly BENCH_SENTINEL='fast_variant bench: SUCCESS'

# import_project [FOLDER]: needed once in a new project, or Godot does not load the extension.
import_project() {
    local folder=${1:-$PROJECT}
    judged_run "$ENGINE_OUTPUT/import.log" '' "$ROOT/scripts/godot.sh" --headless --path "$folder" --import || return 1
    grep -qs fast_variant "$folder/.godot/extension_list.cfg" ||
        complain "$ENGINE_OUTPUT/import.log" "Godot did not find the extension in $folder/addons"
}

# run_project LOG SENTINEL ARGUMENTS...: the project in the editor's program, without a window.
run_project() {
    local log=$1 sentinel=$2
    shift 2
    judged_run "$log" "$sentinel" "$ROOT/scripts/godot.sh" --headless --path "$PROJECT" -- "$@"
}

# run_export LOG SENTINEL ARGUMENTS...: the same in the release build that export_project has made.
run_export() {
    local log=$1 sentinel=$2
    shift 2
    judged_run "$log" "$sentinel" "$(exported_program)" --headless -- "$@"
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
