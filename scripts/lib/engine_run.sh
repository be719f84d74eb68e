# shellcheck shell=bash
# Runs an engine and judges the run by its output. Sourced after common.sh.
#
# Godot exits with 0 after most failures. So a run has passed only if it printed the line that means success, and no line that means
# an error.

# In seconds; a run that takes longer hangs. The caller may set it before: emulators take longer.
readonly ENGINE_TIME_LIMIT=${ENGINE_TIME_LIMIT:-1200}

# Errors that a test wants are printed between these marks (godot_project/tests/support/logged_errors.gd).
readonly EXPECTED_BEGIN='^\[expected errors$'
readonly EXPECTED_END='^expected errors\]$'
# The last words of a program that ends early, by Godot, C++'s and C's libraries, a sanitizer or Rust.
readonly CRASH='handle_crash|crashed with signal|terminate called|SIG(SEGV|ABRT|BUS|ILL|FPE)|Segmentation fault|Bus error|AddressSanitizer|stack smashing detected|(free|malloc|realloc)\(\): |panicked at'
# Output that must not appear elsewhere: errors and warnings of the engine, of scripts and of our library, objects that are alive at
# the end, and crashes.
readonly UNEXPECTED='^ *(USER )?(SCRIPT )?(ERROR|WARNING):|Parse Error|[Ll]eaked|still in use at exit|still referenced|'$CRASH
# The place of an error that is not ours. An editor without a window wants a thumbnail of each scene that it saves, and its renderer
# has none.
readonly ALLOWED_PLACE='^ +at: texture_2d_get .*rendering/dummy/'
# Frequent output that hides the rest: the greetings of the engine and of our library, empty lines, and the progress of imports and
# exports.
readonly NOISE='^ *$|^Godot Engine v|^Initialize godot-rust|^\[ *[0-9]+% *\]|^\[ DONE \]'

# judged_run LOG SENTINEL COMMAND...
#   Shows the output as it comes and keeps it in LOG. SENTINEL is the line that means success; without one (empty)
#   the caller has to look for what the run should have made.
judged_run() {
    local log=$1 sentinel=$2 status unexpected
    shift 2
    mkdir -p "$(dirname "$log")"
    status=$(
        set +o pipefail
        { limited "$@" </dev/null 2>&1; printf '%s\n' $? >"$log.status"; } | without_colors | tee "$log" |
            without_noise >&2
        cat "$log.status"
    )
    rm -f "$log.status"
    unexpected=$(unexpected_lines "$log")
    if [ "$status" != 0 ]; then
        complain "$log" "it ended with status $status"
    elif [ -n "$sentinel" ] && ! grep -qxF "$sentinel" "$log"; then
        complain "$log" "it did not print \`$sentinel\`"
    elif [ -n "$unexpected" ]; then
        printf '%s\n' "$unexpected" | head -n 20 >&2
        complain "$log" "it printed the lines above"
    fi
}

# complain LOG REASON
complain() {
    say "The engine's run failed: $2. All it printed: $1"
    return 1
}

# In the foreground, so that Ctrl-C reaches the engine. macOS has no `timeout`.
limited() {
    if have timeout; then
        timeout --foreground "$ENGINE_TIME_LIMIT" "$@"
    else
        "$@"
    fi
}

# Line by line, so that progress is seen. Debian's awk waits for 4 KB.
without_colors() {
    sed -u $'s/\033\\[[0-9;]*m//g'
}

without_noise() {
    awk -v begin="$EXPECTED_BEGIN" -v end="$EXPECTED_END" -v noise="$NOISE" '
        $0 ~ begin { expected = 1 }
        !expected && $0 !~ noise { print "    " $0; fflush() }
        $0 ~ end { expected = 0 }'
}

# An error's place is in the next line.
unexpected_lines() {
    awk -v begin="$EXPECTED_BEGIN" -v end="$EXPECTED_END" -v unexpected="$UNEXPECTED" -v allowed="$ALLOWED_PLACE" '
        held != "" && $0 !~ allowed { print held }
        { held = "" }
        $0 ~ begin { expected = 1 }
        !expected && $0 ~ unexpected { held = $0 }
        $0 ~ end { expected = 0 }
        END { if (held != "") print held }' "$1"
}
