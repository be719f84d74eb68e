# shellcheck shell=bash
# Godot's editor in a window on an X server without a screen, with mouse and keys. Sourced after common.sh, engine_run.sh
# and godot_project.sh.
#
# The plugin `probe` of the project in the window writes a file with the contents of the window
# (godot_project/tests/editor_window/probe/probe.gd): lines `what TAB text TAB x TAB y`.

readonly SCREEN=1600x900
# Messages of an editor on a machine without a screen and without Vulkan.
readonly WINDOW_NOISE='V-Sync mode|VK_KHR_surface|"err != OK" is true'
# In seconds.
readonly WINDOW_PATIENCE=${WINDOW_PATIENCE:-180}

display_process=""
editor_process=""

# start_display FOLDER: sets DISPLAY; logs go to FOLDER.
start_display() {
    local programs
    set_is_filled window || "$ROOT/scripts/setup.sh" --window
    programs=$(set_prefix window)/usr/bin
    rm -f "$1/display"
    # Its keyboard compiler is found in the folder in which it runs (scripts/setup.sh). No key repeats: on a machine that halts
    # between a press and the release, a repeated Alt+P would show again what it hid.
    (cd "$programs" && exec ./Xvfb -displayfd 3 -screen 0 "${SCREEN}x24" -nolisten tcp -ardelay 3600000 \
        -xkbdir ../share/X11/xkb 3>"$1/display" >"$1/display.log" 2>&1) &
    display_process=$!
    wait_until "an X server" test -s "$1/display"
    DISPLAY=:$(cat "$1/display")
    export DISPLAY
    XLOCALEDIR=$(set_prefix window)/usr/share/X11/locale
    export XLOCALEDIR
}

# start_editor PROJECT LOG: returns when the editor has read the project. The user's own editor settings are not used.
#
# Imports first, because the other work of a first start takes long.
start_editor() {
    seen=$1/window.tsv
    set_environment "$1/.home"
    (export "${environment[@]}" && limited "$ROOT/scripts/godot.sh" --headless --path "$1" --import) \
        </dev/null >"$2.import" 2>&1
    rm -f "$seen"
    env "${environment[@]}" "$ROOT/scripts/godot.sh" --rendering-driver opengl3 --audio-driver Dummy --single-window \
        --resolution "$SCREEN" --position 0,0 --editor --path "$1" </dev/null >"$2" 2>&1 &
    editor_process=$!
    wait_until "the editor's window" shows ready && wait_until "the editor at rest" is_at_rest
}

# set_environment HOME: sets `environment`.
#
# Without Vulkan, which Godot asks for even where it draws by OpenGL. The system's drivers use another version of Mesa than the
# engines' prefix. They would shorten the file of compiled shaders that the other version has in memory (SIGBUS).
set_environment() {
    environment=(
        FAST_VARIANT_CACHE="$(cache_folder)" XDG_CONFIG_HOME="$1" XDG_DATA_HOME="$1" XDG_CACHE_HOME="$1"
        VK_DRIVER_FILES=/none VK_ICD_FILENAMES=/none
    )
}

# Clicks are not answered quickly while the editor reads its files.
is_at_rest() {
    local count
    for count in 1 2 3 4 5 6; do
        sleep 0.5
        shows ready && ! shows label 'Updating.*|Scanning.*|Importing.*|Registering.*' || return 1
    done
    [ "$count" = 6 ]
}

# Ends all started programs; also for a trap on EXIT.
stop_editor() {
    [ -z "$editor_process" ] || { kill "$editor_process" && wait "$editor_process"; } 2>/dev/null || true
    editor_process=""
}

stop_display() {
    stop_editor
    [ -z "$display_process" ] || { kill "$display_process" && wait "$display_process"; } 2>/dev/null || true
    display_process=""
}

# wait_until WHAT COMMAND...: until the command succeeds; fails after a while, or when the editor has ended.
wait_until() {
    wait_for "$WINDOW_PATIENCE" "$@"
}

# wait_for SECONDS WHAT COMMAND...: the same, with another patience.
wait_for() {
    local patience=$1 what=$2 end=$((SECONDS + $1))
    shift 2
    until "$@"; do
        if [ -n "$editor_process" ] && ! kill -0 "$editor_process" 2>/dev/null; then
            say "The editor has ended while waiting for: $what"
            grep -E "$CRASH" -A 3 "$LOG" >&2 || true
            return 1
        fi
        if [ "$SECONDS" -ge "$end" ]; then
            say "Waited $patience s in vain for: $what (the focus: $(focus))"
            return 1
        fi
        sleep 0.2
    done
}

# shows WHAT [TEXT]: whether the window shows it. Both are extended regular expressions for all of a field.
shows() {
    place_of "$@" >/dev/null
}

# focus: prints the class and the words of the control with the focus.
focus() {
    awk -F '\t' '$1 == "focus" { print $2 }' "${seen:-}" 2>/dev/null
}

# place_of WHAT [TEXT]: prints the place of the last such line.
place_of() {
    [ "$(tail -n 1 "$seen" 2>/dev/null)" = end ] || return 1
    awk -F '\t' -v what="^($1)\$" -v text="^(${2:-.*})\$" '
        $1 ~ what && $2 ~ text { place = $3 " " $4; found = 1 }
        END { if (found) print place; exit !found }' "$seen"
}

# click WHAT TEXT [COUNT]: waits for it, and clicks its middle.
click() {
    local place
    wait_until "$1 \`$2\`" shows "$1" "$2" || return 1
    place=$(place_of "$1" "$2") || return 1
    # shellcheck disable=SC2086 # two numbers
    window_tool xdotool mousemove $place
    sleep 0.3 # the editor has to see the mouse there first
    window_tool xdotool click --repeat "${3:-1}" --delay 80 1
}

# hover WHAT TEXT [LEFT]: waits for it, and moves the mouse over it, LEFT pixels left of its middle.
hover() {
    local x y
    wait_until "$1 \`$2\`" shows "$1" "$2" && read -r x y <<<"$(place_of "$1" "$2")" || return 1
    window_tool xdotool mousemove $((x - ${3:-0})) "$y"
    sleep 0.3
    window_tool xdotool mousemove $((x - ${3:-0} + 3)) "$y"
}

# drag X Y TO_X TO_Y
drag() {
    window_tool xdotool mousemove "$1" "$2" mousedown 1
    sleep 0.3
    window_tool xdotool mousemove "$3" "$4"
    sleep 0.3
    window_tool xdotool mouseup 1
}

# press KEYS: e.g. ctrl+s
press() {
    window_tool xdotool key --clearmodifiers "$1"
}

# press_until KEYS WHAT COMMAND...: presses the keys until the command succeeds, as a user does if keys had no effect. On a busy
# machine, Godot takes a key for a repeated one when it reads its press together with a release just before it. Says so if once was
# not enough.
press_until() {
    local keys=$1 count
    shift
    for count in 1 2 3; do
        press "$keys" && wait_for $((WINDOW_PATIENCE / 6)) "$@" && return
        say "$keys was pressed $count times"
    done
    return 1
}

type_text() {
    window_tool xdotool type --delay 20 "$1"
}

# picture FILE.png
picture() {
    sleep 1 # what is shown may be older than what is written
    window_tool maim --hidecursor "$1"
}

# small_picture FROM TO: for documents.
small_picture() {
    window_tool pngquant --force --strip --speed 1 --quality 60-90 --output "$2" "$1"
}

window_tool() {
    local name=$1
    shift
    "$(set_prefix window)/usr/bin/$name" "$@"
}
