#!/usr/bin/env bash
# Tests the addon in the window of a real editor, with mouse and keys, as a user would: on an X server without a screen,
# drawn by Mesa in software. Ends with `N passed, N failed, N skipped`. Needs scripts/build.sh.
#
# Usage:
#   scripts/test_editor_window.sh
#   scripts/test_editor_window.sh --pictures   put the pictures that the README shows into rust/docs, too
#   scripts/test_editor_window.sh --help
#
# A picture of each step is kept in target/engine/editor_window.

# No `set -e`: a step that fails does not end the run.
set -uo pipefail

# shellcheck source=scripts/lib/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"
# shellcheck source=scripts/lib/engines.sh
. "$ROOT/scripts/lib/engines.sh"
# shellcheck source=scripts/lib/engine_run.sh
. "$ROOT/scripts/lib/engine_run.sh"
# shellcheck source=scripts/lib/godot_project.sh
. "$ROOT/scripts/lib/godot_project.sh"
# shellcheck source=scripts/lib/window.sh
. "$ROOT/scripts/lib/window.sh"

readonly OUTPUT=$ENGINE_OUTPUT/editor_window
readonly WORK=$OUTPUT/project
readonly LOG=$OUTPUT/editor.log

passed=0
failed=0

main() {
    local pictures=no
    case "${1:-}" in
        "") ;;
        --pictures) pictures=yes ;;
        --help | -h) print_help && return ;;
        *) fail "unknown argument \`$1\`; see scripts/test_editor_window.sh --help" ;;
    esac
    [ "$(uname -s)" = Linux ] || { say "SKIPPED: there is no X server" && printf '0 passed, 0 failed, 1 skipped\n' && return; }
    make_project || fail "The project could not be made."
    trap stop_display EXIT
    if check "the editor opens its window" open_window; then
        check "a double click opens a scene" open_scene
        check "Ctrl+S saves it, and a toast tells what is wrong with it" save_broken_scene
        check "the Output panel lists it" read_output
        check "a good scene is saved without a word" save_good_scene
    fi
    stop_display
    check "the editor logged no error of ours" no_unexpected_errors
    [ "$pictures" = no ] || keep_pictures
    printf '%d passed, %d failed, 0 skipped\n' "$passed" "$failed"
    [ "$failed" = 0 ]
}

# check NAME COMMAND...: one test, and a picture of what it ended with.
check() {
    local name=$1
    shift
    if "$@"; then
        passed=$((passed + 1))
        say "ok    $name"
    else
        failed=$((failed + 1))
        say "FAIL  $name (pictures and log: $OUTPUT)"
    fi
    [ -z "$display_process" ] || picture "$OUTPUT/$(printf '%02d' $((passed + failed)))-$1.png"
    [ "${failed_before:-0}" = "$failed" ] || { failed_before=$failed && return 1; }
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
}

open_window() {
    start_display "$OUTPUT" && start_editor "$WORK" "$LOG" && wait_until "the files" shows item 'harbour\.tscn'
}

open_scene() {
    click item 'harbour\.tscn' 2 && wait_until "the scene" shows edited 'res://harbour\.tscn' &&
        click item Pier && wait_until "the selected node" shows selected Pier
}

# The track stays what it is when the editor saves the scene.
save_broken_scene() {
    press ctrl+s
    wait_until "a toast" shows label 'harbour\.tscn: 0 error\(s\), 1 warning\(s\)' &&
        grep -q 'unique_id=' "$WORK/harbour.tscn"
}

read_output() {
    # A tab since Godot 4.6, a button before.
    click 'tab|button' Output && sleep 1 && grep -q 'harbour\.tscn:.*unresolved-track-path' "$LOG"
}

save_good_scene() {
    click item 'lighthouse\.tscn' 2 && wait_until "the scene" shows edited 'res://lighthouse\.tscn' || return 1
    press ctrl+s
    wait_until "the saved scene" grep -q 'unique_id=' "$WORK/lighthouse.tscn" && sleep 1 &&
        ! shows label 'lighthouse\.tscn: .*'
}

# An editor without a screen complains of its own doings; what names the addon is ours.
no_unexpected_errors() {
    ! grep -nE 'addons/fast_variant|panicked at|crashed with signal|fast_variant::' "$LOG" >&2
}

keep_pictures() {
    say "no pictures yet"
}

main "$@"
