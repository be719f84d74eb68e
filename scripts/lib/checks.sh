# shellcheck shell=bash
# Counted checks of commands. Sourced after common.sh; the caller has a folder WORK.

passed=0
failed=0

# check NAME COMMAND...: what it prints is kept, and shown if it fails.
check() {
    local name=$1
    shift
    if "$@" >"$WORK/check.log" 2>&1; then
        passed=$((passed + 1))
        say "ok: $name"
    else
        failed=$((failed + 1))
        say "FAILED: $name"
        tail -n 20 "$WORK/check.log" | sed 's/^/    /' >&2
    fi
}

# prints TEXT COMMAND...: whether it succeeds and prints that.
prints() {
    local text=$1
    shift
    "$@" >"$WORK/printed" 2>&1 || {
        cat "$WORK/printed"
        return 1
    }
    cat "$WORK/printed"
    grep -qF -- "$text" "$WORK/printed"
}

# refuses TEXT COMMAND...: whether it fails and prints that.
refuses() {
    local text=$1
    shift
    ! "$@" >"$WORK/printed" 2>&1 || {
        cat "$WORK/printed"
        return 1
    }
    cat "$WORK/printed"
    grep -qF -- "$text" "$WORK/printed"
}

# report_checks [SKIPPED]: the last line of a script that tests.
report_checks() {
    printf '%d passed, %d failed, %d skipped\n' "$passed" "$failed" "${1:-0}"
    [ "$failed" = 0 ]
}
