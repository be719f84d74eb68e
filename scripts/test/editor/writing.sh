#!/usr/bin/env bash
# Tests whatever the addon writes while the editor holds it: that the editor does not crash, and that nothing is lost which the user
# did. In rounds, each action that writes is repeated on everything that is selected and inspected. In random sequences, users,
# other programs and the addon interfere with each other. A model knows the expected content of each file and of the editor's memory
# (godot_project/tests/editor_writing). In the window of an editor, with mouse and keys, and without a window, which is quicker.
# Ends with `N passed, N failed, N skipped`. Needs scripts/build.sh.
#
# Usage:
#   scripts/test/editor/writing.sh
#   scripts/test/editor/writing.sh --rounds 15    of each action (default: 2)
#   scripts/test/editor/writing.sh --steps 2000   of a sequence, in the window and again without (default: 40)
#   scripts/test/editor/writing.sh --seed 7       other sequences (default: always the same; before a release, try others)
#   scripts/test/editor/writing.sh --only rounds|sequences
#   scripts/test/editor/writing.sh --without-window
#   scripts/test/editor/writing.sh --help
#
# Environment:
#   FV_ONLY   a single round, such as "restore of res://stats.tres"

# No `set -e`: a part that fails does not end the run.
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

readonly OUTPUT=$ENGINE_OUTPUT/editor_writing
readonly WORK=$OUTPUT/project
readonly HEARTBEAT=$OUTPUT/heartbeat
# In seconds; an editor that does not draw for so long hangs.
readonly HANGS_AFTER=${HANGS_AFTER:-90}
readonly SENTINEL='editor writing test: SUCCESS'

rounds=2
steps=40
seed=1795428940
only=""
has_window=yes

main() {
    read_arguments "$@"
    [ "$(uname -s)" = Linux ] || skip_all "there is no X server"
    mkdir -p "$OUTPUT"
    trap stop_display EXIT
    [ "$only" = sequences ] || run_part rounds window
    [ "$only" = rounds ] || run_part sequences window
    [ "$only" = rounds ] || run_part sequences headless
    report_checks
}

read_arguments() {
    while [ $# -gt 0 ]; do
        case "$1" in
            --rounds) rounds=${2:-} && shift ;;
            --steps) steps=${2:-} && shift ;;
            --seed) seed=${2:-} && shift ;;
            --only) only=${2:-} && shift ;;
            --without-window) has_window=no ;;
            *) misused "unknown argument \`$1\`" ;;
        esac
        shift
    done
    case "$rounds$steps$seed" in
        *[!0-9]* | "") fail "--rounds, --steps and --seed are followed by a number" ;;
    esac
}

# run_part PART window|headless: one editor, which does all of the part and ends.
run_part() {
    local log=$OUTPUT/$1-$2.log reason
    if [ "$2" = window ] && [ "$has_window" = no ]; then
        skip "$1 in a window"
        return
    fi
    make_project || fail "The project could not be made."
    [ "$2" = headless ] || [ -n "$display_process" ] || start_display "$OUTPUT" || fail "There is no X server: $OUTPUT"
    say "== $1, $2, seed $seed"
    reason=$(run_editor "$1" "$2" "$log")
    grep -E '^(ok|FAIL|seed| +[0-9]+ )' "$log" >&2
    if [ -z "$reason" ]; then
        pass "$1, $2"
    else
        tail -n 15 "$log" >&2
        flunk "$1, $2, seed $seed: $reason. Log: $log; the project as it was left: $WORK-$1-$2"
        rm -rf "$WORK-$1-$2"
        cp -R "$WORK" "$WORK-$1-$2"
    fi
}

make_project() {
    rm -rf "$WORK"
    mkdir -p "$WORK/addons"
    cp -R "$PROJECT/tests/editor_writing/." "$WORK"
    cp "$PROJECT/tests/editor/driver/suite.gd" "$WORK/driver"
    rm "$WORK/.gdignore"
    # Under its real name, Godot would warn of a project in a project.
    mv "$WORK/project.godot.in" "$WORK/project.godot"
    cp -R "$PROJECT/addons/fast_variant" "$WORK/addons"
    list_extension "$WORK"
    without_first_run "$WORK"
    set_environment "$WORK/.home"
    (export "${environment[@]}" && limited "$ROOT/scripts/godot.sh" --headless --path "$WORK" --import) \
        </dev/null >"$OUTPUT/import.log" 2>&1
}

# run_editor PART window|headless LOG: prints why it failed, or nothing.
run_editor() {
    local status arguments=(--headless) of_part=("FV_WRITING=$1" "FV_HEARTBEAT=$HEARTBEAT")
    of_part+=("FV_ROUNDS=$rounds" "FV_STEPS=$steps" "FV_SEED=$seed")
    if [ "$2" = window ]; then
        arguments=(--rendering-driver opengl3 --audio-driver Dummy --single-window --resolution "$SCREEN" --position 0,0)
        of_part+=("FV_XDOTOOL=$(set_prefix window)/usr/bin/xdotool")
    fi
    date +%s >"$HEARTBEAT"
    env "${environment[@]}" "${of_part[@]}" "$ROOT/scripts/godot.sh" "${arguments[@]}" --editor --path "$WORK" \
        </dev/null >"$3" 2>&1 &
    watch_editor $! "$3"
    wait $! 2>/dev/null
    status=$?
    if grep -q '^The editor hangs' "$3"; then
        printf 'the editor hung'
    elif [ "$status" -gt 1 ] || grep -qE "$CRASH" "$3"; then
        printf 'the editor crashed: exit %s' "$status"
    elif ! grep -qxF "$SENTINEL" "$3"; then
        printf 'it did not print `%s`: exit %s' "$SENTINEL" "$status"
    elif [ -n "$(unexpected_lines "$3" | grep -vE "$WINDOW_NOISE")" ]; then
        printf 'it logged %s' "$(unexpected_lines "$3" | grep -vE "$WINDOW_NOISE" | head -n 1)"
    fi
}

# watch_editor PROCESS LOG: returns when it has ended. One that hangs is ended by a signal that makes it print where it was.
watch_editor() {
    while kill -0 "$1" 2>/dev/null; do
        sleep 1
        if [ $(($(date +%s) - $(cat "$HEARTBEAT"))) -gt "$HANGS_AFTER" ]; then
            printf 'The editor hangs.\n' >>"$2"
            kill -SEGV "$1"
            sleep 5
            kill -KILL "$1" 2>/dev/null
            return
        fi
    done
}

run_main "$@"
