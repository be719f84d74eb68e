# shellcheck shell=bash
# Counts tests. Sourced after common.sh; for `check`, `prints` and `refuses`, the caller has a folder WORK.

passed=0
failed=0
skipped=0

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

# show_check NAME COMMAND...: the same, but what it prints is shown as it comes. Fails if the command does.
show_check() {
    local name=$1
    shift
    if "$@"; then
        passed=$((passed + 1))
        say "ok    $name"
    else
        failed=$((failed + 1))
        say "FAIL  $name"
        return 1
    fi
}

# skip REASON: counts one test that cannot run here.
skip() {
    skipped=$((skipped + 1))
    say "SKIPPED: $1"
}

# skip_all REASON: ends a script of which nothing can run here.
skip_all() {
    skip "$1"
    report_checks
    exit
}

# report_checks: the last line of a script that tests.
report_checks() {
    printf '%d passed, %d failed, %d skipped\n' "$passed" "$failed" "$skipped"
    [ "$failed" = 0 ] && [ "$((passed + skipped))" != 0 ]
}
