# shellcheck shell=bash
# The common part of the tests of editors: the program, and the settings in the documentation. Sourced after common.sh and
# programs.sh.

readonly EDITORS_DOCS=$ROOT/rust/docs/editors.md

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
