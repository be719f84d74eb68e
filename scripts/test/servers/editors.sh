#!/usr/bin/env bash
# Runs Neovim, Helix and Emacs with `gdscene lsp` and the settings of rust/docs/editors.md in copies of a small project. Tries
# problems, a quick fix, a rename, formatting and fixes on save. Ends with `N passed, N failed, N skipped`.
#
# Usage:
#   scripts/test/servers/editors.sh
#   scripts/test/servers/editors.sh --help
#
# The editors come from Debian's packages (scripts/setup.sh --editors). Where they cannot be had, all counts as skipped,
# unless CI=true. Helix is driven through a terminal by python3.
#
# Environment:
#   GDSCENE             the program to test (default: it is built)
#   FAST_VARIANT_CACHE  where the editors are kept (default: ~/.cache/fast_variant)

set -euo pipefail

# shellcheck source=scripts/lib/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/../../lib/common.sh"
# shellcheck source=scripts/lib/programs.sh
. "$ROOT/scripts/lib/programs.sh"
# shellcheck source=scripts/lib/rust.sh
. "$ROOT/scripts/lib/rust.sh"
# shellcheck source=scripts/lib/editors.sh
. "$ROOT/scripts/lib/editors.sh"
# shellcheck source=scripts/lib/checks.sh
. "$ROOT/scripts/lib/checks.sh"

readonly WORK=$ROOT/target/engine/lsp_editors
readonly PARTS=$ROOT/scripts/test/servers/editors

main() {
    expect_no_arguments "$@"
    cd "$ROOT"
    rm -rf "$WORK"
    mkdir -p "$WORK/bin"
    if ! scripts/setup.sh --editors >"$WORK/setup.log" 2>&1; then
        [ "${CI:-}" != true ] || fail "the editors cannot be had:" "$(tail -n 3 "$WORK/setup.log")"
        skip_all "Neovim, Helix and Emacs: $(tail -n 1 "$WORK/setup.log")"
    fi
    ln -s "$(program)" "$WORK/bin/gdscene"
    PREFIX=$(set_prefix editors)
    # No settings, caches or projects of the user's.
    export PATH=$WORK/bin:$PATH HOME=$WORK/home
    export XDG_CONFIG_HOME=$HOME/config XDG_CACHE_HOME=$HOME/cache XDG_DATA_HOME=$HOME/data XDG_STATE_HOME=$HOME/state
    mkdir -p "$XDG_CONFIG_HOME" "$XDG_CACHE_HOME" "$XDG_DATA_HOME" "$XDG_STATE_HOME"
    test_neovim
    test_helix
    test_emacs
    report_checks
}

# project NAME: a copy of the project, and its folder.
project() {
    mkdir -p "$WORK/$1"
    cp "$PARTS"/project/* "$WORK/$1"
    printf '%s\n' "$WORK/$1"
}

test_neovim() {
    mkdir -p "$XDG_CONFIG_HOME/nvim"
    settings_of Neovim lua >"$XDG_CONFIG_HOME/nvim/init.lua"
    (cd "$(project neovim)" && VIM=$PREFIX/usr/share/nvim timeout 240 "$PREFIX/usr/bin/nvim" --headless \
        -c "luafile $PARTS/neovim.lua") >"$WORK/neovim.log" 2>&1 </dev/null || true
    add_counts Neovim "$WORK/neovim.log"
}

test_helix() {
    mkdir -p "$XDG_CONFIG_HOME/helix"
    settings_of Helix toml >"$XDG_CONFIG_HOME/helix/languages.toml"
    (cd "$(project helix)" && HELIX_RUNTIME=$PREFIX/usr/lib/hx/runtime timeout 240 \
        python3 "$PARTS/helix.py" "$PREFIX/usr/bin/hx") >"$WORK/helix.log" 2>&1 </dev/null || true
    add_counts Helix "$WORK/helix.log"
}

test_emacs() {
    local share=$PREFIX/usr/share/emacs libexec version dump
    version=$(basename "$(compgen -G "$share/[0-9]*")")
    libexec=$(compgen -G "$PREFIX/usr/libexec/emacs/$version/*")
    dump=$(compgen -G "$libexec/*.pdmp")
    settings_of Emacs elisp >"$WORK/init.el"
    (cd "$(project emacs)" && EMACSLOADPATH=$(find "$share/$version/lisp" -type d | paste -sd : -) \
        EMACSDATA=$share/$version/etc EMACSPATH=$libexec timeout 240 "$PREFIX/usr/bin/emacs-nox" --dump-file="$dump" \
        --batch --load "$WORK/init.el" --load "$PARTS/emacs.el") >"$WORK/emacs.log" 2>&1 </dev/null || true
    add_counts Emacs "$WORK/emacs.log"
}

run_main "$@"
