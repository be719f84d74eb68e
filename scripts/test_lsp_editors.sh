#!/usr/bin/env bash
# Runs Neovim and Helix with `gdscene lsp` and the settings of rust/docs/editors.md in copies of a small project: problems,
# a quick fix, a rename, formatting and fixes on save. Ends with `N passed, N failed, N skipped`.
#
# Usage:
#   scripts/test_lsp_editors.sh
#   scripts/test_lsp_editors.sh --help
#
# The editors come from Debian's packages (scripts/setup.sh --editors). Where they cannot be had, all counts as skipped,
# unless CI=true. Helix is driven through a terminal by python3.
#
# Environment:
#   GDSCENE             the program to test (default: it is built)
#   FAST_VARIANT_CACHE  where the editors are kept (default: ~/.cache/fast_variant)

set -euo pipefail

# shellcheck source=scripts/lib/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"
# shellcheck source=scripts/lib/rust.sh
. "$ROOT/scripts/lib/rust.sh"

readonly WORK=$ROOT/target/engine/lsp_editors
readonly PARTS=$ROOT/scripts/lib/editors
readonly DOCS=$ROOT/rust/docs/editors.md

passed=0
failed=0

main() {
    case "${1:-}" in
        "") ;;
        --help | -h) print_help && return ;;
        *) fail "unknown argument \`$1\`; see scripts/test_lsp_editors.sh --help" ;;
    esac
    cd "$ROOT"
    rm -rf "$WORK"
    mkdir -p "$WORK/bin"
    if ! scripts/setup.sh --editors >"$WORK/setup.log" 2>&1; then
        [ "${CI:-}" != true ] || fail "the editors cannot be had:" "$(tail -n 3 "$WORK/setup.log")"
        say "SKIPPED: Neovim and Helix: $(tail -n 1 "$WORK/setup.log")"
        printf '0 passed, 0 failed, 1 skipped\n'
        return
    fi
    ln -s "$(program)" "$WORK/bin/gdscene"
    PREFIX=$(set_prefix editors)
    # No settings, caches or projects of the user's.
    export PATH=$WORK/bin:$PATH HOME=$WORK/home
    export XDG_CONFIG_HOME=$HOME/config XDG_CACHE_HOME=$HOME/cache XDG_DATA_HOME=$HOME/data XDG_STATE_HOME=$HOME/state
    mkdir -p "$XDG_CONFIG_HOME" "$XDG_CACHE_HOME" "$XDG_DATA_HOME" "$XDG_STATE_HOME"
    test_neovim
    test_helix
    printf '%d passed, %d failed, 0 skipped\n' "$passed" "$failed"
    [ "$failed" = 0 ]
}

program() {
    if [ -n "${GDSCENE:-}" ]; then
        printf '%s/%s\n' "$(cd "$(dirname "$GDSCENE")" && pwd)" "$(basename "$GDSCENE")"
        return
    fi
    require_cargo
    cargo build --quiet -p cli
    printf '%s/debug/gdscene\n' "$(cd "${CARGO_TARGET_DIR:-target}" && pwd)"
}

# project NAME: a copy of the project, and its folder.
project() {
    mkdir -p "$WORK/$1"
    cp "$PARTS"/project/* "$WORK/$1"
    printf '%s\n' "$WORK/$1"
}

# settings_of HEADING LANGUAGE: the blocks of code of this language below the heading of the documentation.
settings_of() {
    awk -v heading="## $1" -v start="\`\`\`$2" '
        /^## / { is_there = $0 == heading }
        /^```$/ { is_code = 0 }
        is_there && is_code { print }
        is_there && $0 == start { is_code = 1 }
    ' "$DOCS"
}

# count NAME LOG: adds the counts in the last line of a log, and shows what failed.
count() {
    local last counts
    last=$(tail -n 1 "$2")
    if [[ $last =~ ^([0-9]+)\ passed,\ ([0-9]+)\ failed$ ]]; then
        counts=("${BASH_REMATCH[@]}")
        passed=$((passed + counts[1]))
        failed=$((failed + counts[2]))
    else
        failed=$((failed + 1))
        say "FAIL: $1 did not end by itself"
        tail -n 20 "$2" >&2
    fi
    { grep -A 20 '^FAIL' "$2" | sed "s/^FAIL/FAIL: $1/" || true; } >&2
}

test_neovim() {
    mkdir -p "$XDG_CONFIG_HOME/nvim"
    settings_of Neovim lua >"$XDG_CONFIG_HOME/nvim/init.lua"
    [ -s "$XDG_CONFIG_HOME/nvim/init.lua" ] || fail "$DOCS has no settings for Neovim."
    (cd "$(project neovim)" && VIM=$PREFIX/usr/share/nvim timeout 240 "$PREFIX/usr/bin/nvim" --headless \
        -c "luafile $PARTS/neovim.lua") >"$WORK/neovim.log" 2>&1 </dev/null || true
    count Neovim "$WORK/neovim.log"
}

test_helix() {
    mkdir -p "$XDG_CONFIG_HOME/helix"
    settings_of Helix toml >"$XDG_CONFIG_HOME/helix/languages.toml"
    [ -s "$XDG_CONFIG_HOME/helix/languages.toml" ] || fail "$DOCS has no settings for Helix."
    (cd "$(project helix)" && HELIX_RUNTIME=$PREFIX/usr/lib/hx/runtime timeout 240 \
        python3 "$PARTS/helix.py" "$PREFIX/usr/bin/hx") >"$WORK/helix.log" 2>&1 </dev/null || true
    count Helix "$WORK/helix.log"
}

main "$@"
