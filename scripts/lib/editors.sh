# shellcheck shell=bash
# What tests of editors share: the settings that the documentation has, and the counts of sessions. Sourced after common.sh and
# programs.sh.

readonly EDITORS_DOCS=$ROOT/rust/docs/editors.md

# shellcheck source=scripts/lib/checks.sh
. "$ROOT/scripts/lib/checks.sh"

# The program to test.
program() {
    if [ -n "${GDSCENE:-}" ]; then absolute_path "$GDSCENE"; else built gdscene; fi
}

# settings_of HEADING LANGUAGE: the blocks of code of this language below the heading of the documentation.
settings_of() {
    local settings
    settings=$(awk -v heading="## $1" -v start="\`\`\`$2" '
        /^## / { is_there = $0 == heading }
        /^```$/ { is_code = 0 }
        is_there && is_code { print }
        is_there && $0 == start { is_code = 1 }
    ' "$EDITORS_DOCS")
    [ -n "$settings" ] || fail "$EDITORS_DOCS has no settings for $1."
    printf '%s\n' "$settings"
}

# count NAME LOG: adds the counts in the last line of a log, and shows what failed.
count() {
    local last
    last=$(tail -n 1 "$2")
    if [[ $last =~ ^([0-9]+)\ passed,\ ([0-9]+)\ failed$ ]]; then
        passed=$((passed + BASH_REMATCH[1]))
        failed=$((failed + BASH_REMATCH[2]))
    else
        failed=$((failed + 1))
        say "FAIL: $1 did not end by itself"
        tail -n 20 "$2" >&2
    fi
    { grep -A 20 '^FAIL' "$2" | sed "s/^FAIL/FAIL: $1/" || true; } >&2
}
