#!/usr/bin/env bash
# Tests the addon in the window of a real editor, with mouse and keys, as a user would. The X server has no screen, and Mesa draws
# in software. Ends with `N passed, N failed, N skipped`. Needs scripts/build.sh.
#
# Usage:
#   scripts/test/editor/window.sh
#   scripts/test/editor/window.sh --pictures   put the pictures for the README and the Asset Store into rust/docs/store, too
#   scripts/test/editor/window.sh --help
#
# A picture of each step is kept in target/engine/editor_window.

# No `set -e`: a step that fails does not end the run.
set -uo pipefail

# shellcheck source=scripts/lib/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/../../lib/common.sh"
# shellcheck source=scripts/lib/engines.sh
. "$ROOT/scripts/lib/engines.sh"
# shellcheck source=scripts/lib/engine_run.sh
. "$ROOT/scripts/lib/engine_run.sh"
# shellcheck source=scripts/lib/godot_project.sh
. "$ROOT/scripts/lib/godot_project.sh"
# shellcheck source=scripts/lib/window.sh
. "$ROOT/scripts/lib/window.sh"
# shellcheck source=scripts/lib/checks.sh
. "$ROOT/scripts/lib/checks.sh"

readonly OUTPUT=$ENGINE_OUTPUT/editor_window
readonly WORK=$OUTPUT/project
readonly LOG=$OUTPUT/editor.log

main() {
    local pictures=no
    case "${1:-}" in
        "") ;;
        --pictures) pictures=yes ;;
        *) misused "unknown argument \`$1\`" ;;
    esac
    [ "$(uname -s)" = Linux ] || skip_all "there is no X server"
    make_project || fail "The project could not be made."
    trap stop_display EXIT
    if pictured "the editor opens its window" open_window; then
        pictured "a new user is told what the addon does, once" read_first_run
        pictured "the Problems panel lists what is wrong in the project" open_panel
        pictured "a click on a problem opens the scene and selects the node" click_problem
        pictured "the keys do so, too" choose_problem_with_keys
        pictured "a problem in a scene that cannot be opened leads to its text" click_unreadable
        pictured "F8 leads to the finding, and Escape asks before it drops what was typed" type_into_text
        pictured "Ctrl+S saves the text" save_text
        pictured "a click on a code tells of the rule" click_code
        pictured "a fix is a click, and the panel forgets the problem" fix_problem
        pictured "Ctrl+S saves a scene, and a toast tells what is wrong with it" save_broken_scene
        pictured "what a save dropped is told, and a click brings it back" restore_dropped
        pictured "a good scene is saved without a message" save_good_scene
        pictured "the Variant panel shows pasted bytes" paste_bytes
        pictured "all of the Problems panel is reached with the keys" walk_panel_with_keys
        pictured "the Project Settings tell of gdscene.toml, and describe themselves" read_settings
    fi
    stop_display
    pictured "the editor logged no error of ours" no_unexpected_errors
    [ "$pictures" = no ] || [ "$failed" != 0 ] || keep_pictures
    report_checks
}

# pictured NAME COMMAND...: one test, and a picture of its end.
pictured() {
    local status=0
    show_check "$@" || status=1
    [ -z "$display_process" ] || picture "$OUTPUT/$(printf '%02d' $((passed + failed)))-$2.png"
    return "$status"
}

make_project() {
    rm -rf "$OUTPUT"
    mkdir -p "$WORK/addons"
    cp -R "$PROJECT/tests/editor_window/." "$WORK"
    rm "$WORK/.gdignore"
    # Under its real name, Godot would warn of a project in a project.
    mv "$WORK/project.godot.in" "$WORK/project.godot"
    cp -R "$PROJECT/addons/fast_variant" "$WORK/addons"
    list_extension "$WORK"
    without_merge_offer "$WORK"
}

open_window() {
    start_display "$OUTPUT" && start_editor "$WORK" "$LOG" && wait_until "the files" shows item 'harbour\.tscn'
}

# --- Problems panel -----------------------------------------------------------------------------------

# The panel is at the front the first time.
read_first_run() {
    wait_until "the note" shows label 'FastVariant checks scenes and resources .*' &&
        wait_until "the question" shows button 'Create gdscene\.toml' || return 1
    picture "$OUTPUT/first_run.png"
    click button Close && wait_until "the note is gone" not shows button 'Create gdscene\.toml'
}

# It checks the project by itself. A tab since Godot 4.6, a button before.
open_panel() {
    show_panel && raise_panel && wait_until "the files in the panel" shows item 'res://harbour\.tscn \(1\)' &&
        wait_until "the files in the panel" shows item 'res://quay\.tscn \(2\)' &&
        wait_until "the files in the panel" shows item 'res://wreck\.tscn \(1\)' &&
        wait_until "the toast is gone" not shows label '.* files have errors\.'
}

# It checks the project by itself. A tab since Godot 4.6, a button before.
show_panel() {
    shows edit 'Filter Problems' || click 'tab|button' 'Problems \([0-9]+\)'
}

# Toasts do not show what the panel shows.
hide_panel() {
    ! shows edit 'Filter Problems' ||
        { click 'tab|button' 'Problems \([0-9]+\)' && wait_until "the panel is hidden" not shows edit 'Filter Problems'; }
}

# Draws the line above the panel up, to see more of it.
raise_panel() {
    local x y
    wait_until "the panel" shows edit 'Filter Problems' && read -r x y <<<"$(place_of edit 'Filter Problems')" &&
        drag "$x" $((y - 24)) "$x" $((y - 144))
}

click_problem() {
    click item 'node .Gone. not found in the scene.*' &&
        wait_until "the scene" shows edited 'res://quay\.tscn' && wait_until "the node" shows selected Shed/Crane
}

# From the row of a file down to its problem.
choose_problem_with_keys() {
    click item 'res://harbour\.tscn \(1\)' && press Down && press Return &&
        wait_until "the scene" shows edited 'res://harbour\.tscn' &&
        wait_until "the node" shows selected Pier/AnimationPlayer
}

# Godot brings another panel to the front when an AnimationPlayer is selected.
click_unreadable() {
    show_panel && click item 'unterminated construct.*' &&
        wait_until "the text" shows window 'res://wreck\.tscn' && wait_until "the text" shows text '.*Vector2\(320, 300.*' ||
        return 1
    picture "$OUTPUT/text.png"
    press Escape && wait_until "the window is closed" not shows window 'res://wreck\.tscn'
}

type_into_text() {
    show_panel && click item 'unterminated construct.*' && wait_until "the text" shows window 'res://wreck\.tscn' || return 1
    press ctrl+Home && wait_until "the first line" shows typed '1:1' &&
        press F8 && wait_until "the line of the finding" shows typed '6:[0-9]+' || return 1
    press Down && press Up && press End && type_text ')' &&
        wait_until "the typed text" shows window 'res://wreck\.tscn \(\*\)' || return 1
    press Escape && wait_until "the question" shows window 'Unsaved Text' || return 1
    picture "$OUTPUT/question.png"
    press Escape && wait_until "the text again" not shows window 'Unsaved Text' &&
        shows text '.*Vector2\(320, 300\).*' && ! grep -q '300)' "$WORK/wreck.tscn"
}

save_text() {
    press ctrl+s && wait_until "the saved text" grep -q '300)' "$WORK/wreck.tscn" &&
        wait_until "nothing is unsaved" shows window 'res://wreck\.tscn' &&
        press Escape && wait_until "the window is closed" not shows window 'res://wreck\.tscn'
}

click_code() {
    click item 'REF007' && wait_until "the rule" shows window '.*REF007.*' || return 1
    picture "$OUTPUT/rule.png"
    press Escape && wait_until "the window is closed" not shows window '.*REF007.*'
}

not() {
    ! "$@"
}

# --- Saving -------------------------------------------------------------------------------------------

open_scene() {
    click item "$1\\.tscn" 2 && wait_until "the scene" shows edited "res://$1\\.tscn"
}

# The track stays the same when the editor saves the scene.
save_broken_scene() {
    open_scene harbour && hide_panel || return 1
    press ctrl+s
    wait_until "the saved scene" grep -q 'unique_id=' "$WORK/harbour.tscn" &&
        wait_until "a toast" shows label 'harbour\.tscn: 1 warning'
}

# The editor does not know the property.
restore_dropped() {
    open_scene buoy || return 1
    press ctrl+s
    wait_until "the saved scene" not grep -q loudness "$WORK/buoy.tscn" &&
        wait_until "the button" shows button 'Restore the Earlier Text' || return 1
    sleep 1
    raise_panel
    press Escape
    sleep 8 # until the toast is gone, which says what the panel says
    picture "$OUTPUT/dropped.png"
    click button 'Restore the Earlier Text' && wait_until "the earlier text" cmp -s "$PROJECT/tests/editor_window/buoy.tscn" "$WORK/buoy.tscn"
}

fix_problem() {
    show_panel && click button 'Fix [0-9]+ Safe' &&
        wait_until "the mended file" not grep -q ext_resource "$WORK/quay.tscn" &&
        wait_until "the problem is gone" panel_shows 'res://quay\.tscn \(1\)'
}

# The scene is opened again, with the AnimationPlayer selected, which brings another panel to the front.
panel_shows() {
    show_panel && shows item "$1"
}

save_good_scene() {
    open_scene lighthouse || return 1
    press ctrl+s
    wait_until "the saved scene" grep -q 'unique_id=' "$WORK/lighthouse.tscn" && sleep 1 &&
        ! shows label 'lighthouse\.tscn: .*'
}

# --- Variant panel ------------------------------------------------------------------------------------

paste_bytes() {
    click 'tab|button' 'Variant Bytes' && click edit 'Paste bytes.*' || return 1
    # {"name": "Ada", "hp": 7, "pos": Vector2(1, 2)}
    type_text '1b000000 03000000 04000000 04000000 6e616d65 04000000 03000000 41646100 04000000 02000000 68700000 '
    type_text '02000000 07000000 04000000 03000000 706f7300 05000000 0000803f 00000040'
    wait_until "the value" shows item '.*hp.* int 7' && wait_until "the value" shows item '.*pos.* Vector2\(1, 2\)' &&
        wait_until "no toast is in front of it" not shows label 'Restore .*: .* changed\.'
}

# --- Keys and settings ---------------------------------------------------------------------------

# Alt+P hides and shows the panel; the Tab key leads through it, Enter opens a problem, the Menu key its menu.
walk_panel_with_keys() {
    local place
    click 'tab|button' 'Problems \([0-9]+\)' && focus_filter || return 1
    press_until alt+p "the panel is hidden" not shows edit 'Filter Problems' || return 1
    press_until alt+p "the panel is shown" shows edit 'Filter Problems' && focus_filter || return 1
    for place in 'Button: [0-9]+' 'Button: [0-9]+' 'Button: [0-9]+' 'Button: This Scene Only' 'OptionButton: By File' \
        'MenuButton: What can be done.*' 'Button: Fix .*Safe' 'Button: Check Project' 'Tree: '; do
        press Tab && wait_until "$place" shows focus "$place" || return 1
        sleep 0.5
    done
    press Home && press Down && press Menu && wait_until "the menu" shows window || return 1
    picture "$OUTPUT/menu.png"
    press Escape && wait_until "the tree" shows focus 'Tree: '
}

# For keys that follow: they go to the control with the focus.
focus_filter() {
    click edit 'Filter Problems' && wait_until "the filter" shows focus 'LineEdit: Filter Problems'
}

# The editor's list of commands leads to the settings.
read_settings() {
    press ctrl+shift+p && wait_until "the commands" shows window 'Command Palette' || return 1
    type_text 'project settings' && click item 'Project Settings' 2 || return 1
    wait_until "the settings" shows window 'Project Settings.*' || return 1
    # Until the list is the short one, the section is elsewhere.
    click edit 'Filter Settings' && type_text 'fast_variant' && sleep 2 && click item 'Scenes' || return 1
    wait_until "the note" shows label '.*A file gdscene\.toml next to project\.godot can choose the rules\..*' || return 1
    picture "$OUTPUT/settings.png"
    hover row 'Check on Save' 300 &&
        wait_until "its description" shows rich 'Checks a scene or resource when the editor has saved it\..*' || return 1
    press Escape
}

# --- End ----------------------------------------------------------------------------------------------

# An editor without a screen logs its own errors; messages that name the addon are ours.
no_unexpected_errors() {
    # The animation's track leads nowhere on purpose.
    ! unexpected_lines "$LOG" | grep -vE "couldn't resolve track|V-Sync mode|VK_KHR_surface|\"err != OK\" is true" >&2
}

keep_pictures() {
    small_picture "$OUTPUT"/*-open_panel.png "$ROOT/rust/docs/store/problems.png"
    small_picture "$OUTPUT/dropped.png" "$ROOT/rust/docs/store/dropped.png"
    small_picture "$OUTPUT"/*-paste_bytes.png "$ROOT/rust/docs/store/variant-bytes.png"
    "$ROOT/scripts/godot.sh" --headless --path "$PROJECT" --script tools/picture_of_svg.gd -- \
        "$ROOT/rust/docs/store/icon.svg" "$OUTPUT/icon.png" 128 >/dev/null 2>&1 &&
        small_picture "$OUTPUT/icon.png" "$ROOT/rust/docs/store/icon.png"
}

run_main "$@"
