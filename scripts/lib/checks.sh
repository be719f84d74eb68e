# shellcheck shell=bash
# Counts tests. Sourced after common.sh; for `check`, `prints` and `refuses`, the caller has a folder WORK.

passed=0
failed=0
skipped=0

# pass [NAME]: counts a test that passed.
pass() {
    passed=$((passed + 1))
    [ $# = 0 ] || say "ok: $1"
}

# flunk WHAT: counts one that failed.
flunk() {
    failed=$((failed + 1))
    say "FAIL: $1"
}

# check NAME COMMAND...: keeps the output, and shows it if the command fails.
check() {
    local name=$1
    shift
    if "$@" >"$WORK/check.log" 2>&1; then
        pass "$name"
    else
        flunk "$name"
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

# show_check NAME COMMAND...: the same, but shows the output at once. Fails if the command does.
show_check() {
    local name=$1
    shift
    if "$@"; then
        pass "$name"
    else
        flunk "$name"
        return 1
    fi
}

# add_counts NAME LOG: adds the counts in the last line of a log, and shows the failures.
add_counts() {
    local last
    last=$(tail -n 1 "$2")
    if [[ $last =~ ^([0-9]+)\ passed,\ ([0-9]+)\ failed(,\ [0-9]+\ skipped)?$ ]]; then
        passed=$((passed + BASH_REMATCH[1]))
        failed=$((failed + BASH_REMATCH[2]))
    else
        flunk "$1 did not end by itself"
        tail -n 20 "$2" >&2
    fi
    { grep -A 20 '^FAIL' "$2" | sed "s/^FAIL/FAIL: $1/" || true; } >&2
}

# add_cargo_tests NAME LOG STATUS: adds the tests that cargo ran. A run that fails without a test that does counts as one, and so
# does a run without tests.
add_cargo_tests() {
    local good bad
    good=$(sum_of passed "$2")
    bad=$(sum_of failed "$2")
    if [ "$bad" = 0 ] && { [ "$3" != 0 ] || [ "$good" = 0 ]; }; then
        bad=1
    fi
    passed=$((passed + good))
    failed=$((failed + bad))
    say "$1: $good tests passed, $bad failed"
    [ "$bad" = 0 ] || {
        { grep -E '^test .* FAILED|^    [a-z_:]+$|^error|panicked at|Undefined Behavior' "$2" || true; } | sort -u | sed -n '1,20s/^/    /p' >&2
        say "    All of it: $2"
    }
}

# sum_of passed|failed|ignored LOG: over all lines `test result: ok. 12 passed; 0 failed; 3 ignored; ...`.
sum_of() {
    awk -v what="$1" '
        /^test result: / { for (i = 2; i <= NF; i++) if ($i == what ";") sum += $(i - 1) }
        END { print sum + 0 }' "$2"
}

# skip REASON: counts one test that cannot run here.
skip() {
    skipped=$((skipped + 1))
    say "SKIPPED: $1"
}

# skip_all REASON: ends a script that cannot run here.
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
