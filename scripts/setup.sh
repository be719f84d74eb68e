#!/usr/bin/env bash
# Gets everything that the other scripts need: checks the Rust toolchain and makes sure there is a Godot.
#
# Usage:
#   scripts/setup.sh            use your own Godot 4 if there is one, else fill the private prefix
#   scripts/setup.sh --engines  fill the private prefix in any case; no look at Rust
#   scripts/setup.sh --update   the same, with the newest packages; earlier exports must be exported again
#   scripts/setup.sh --prefix   print the private prefix's folder, and do nothing else
#   scripts/setup.sh --window   get the tools for tests of the editor in a window: an X server without a screen, and
#                               programs that click and take pictures
#   scripts/setup.sh --trace    get strace, which watches the system calls of engines in tests
#   scripts/setup.sh --editors  get Neovim, Helix and Emacs, in which tests run the language server
#   scripts/setup.sh --browser  get Chromium, in which tests run VS Code
#   scripts/setup.sh --arm64    get the tools to run programs for Linux on arm64: an emulator, and Debian's Godot for arm64 with all
#                               that it needs
#   scripts/setup.sh --wine     get Wine, which runs programs for Windows
#   scripts/setup.sh --help
#
# The private prefix contains real engines from Debian's packages (suite `testing`), with every library they need: the Godot 4
# editor, its export templates and the Godot 3.6 server. Nothing of the system is changed, no root is needed, and signatures are
# checked by apt. `versions.txt` in the prefix lists its contents. An interrupted run is continued by the next one; when all is
# there, a run returns at once.
#
# Environment:
#   GODOT4_BIN          your own Godot 4.4 or newer; also found as `godot` or `godot4` on the PATH
#   FAST_VARIANT_CACHE  where downloads and engines are kept (default: ${XDG_CACHE_HOME:-~/.cache}/fast_variant)

set -euo pipefail

# shellcheck source=scripts/lib/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"
# shellcheck source=scripts/lib/rust.sh
. "$ROOT/scripts/lib/rust.sh"
# shellcheck source=scripts/lib/engines.sh
. "$ROOT/scripts/lib/engines.sh"
# shellcheck source=scripts/lib/debian_packages.sh
. "$ROOT/scripts/lib/debian_packages.sh"

# The engines, the libraries that a rendered editor loads at run time, and the tool that ties them to the prefix.
readonly ENGINES=(
    godot godot-template-release godot-template-debug godot3-server
    libgl1-mesa-dri libgl1 libegl1
    patchelf
)
# The X server, clicks and keys, pictures, and tools that make them small.
readonly WINDOW=(xvfb xdotool maim pngquant patchelf)
readonly TRACE=(strace patchelf)
readonly EDITORS=(neovim hx emacs-nox patchelf)
readonly BROWSER=(chromium fonts-dejavu-core patchelf)
readonly WINE=(wine64 patchelf)
readonly ARM64=(qemu-user patchelf)
readonly ARM64_ENGINE=(godot)

main() {
    case "${1:-}" in
        --prefix) prefix_folder ;;
        --engines) fill_prefix ;;
        --update) fill_prefix --update ;;
        --window) fill_set window check_window "${WINDOW[@]}" ;;
        --trace) fill_set trace check_trace "${TRACE[@]}" ;;
        --editors) fill_set editors check_editors "${EDITORS[@]}" ;;
        --browser) fill_set browser check_browser "${BROWSER[@]}" ;;
        --arm64) get_arm64_emulator ;;
        --wine) get_wine ;;
        "") set_up ;;
        *) misused "unknown argument \`$1\`" ;;
    esac
}

set_up() {
    local godot
    require_cargo
    if godot=$(own_godot4); then
        say "Godot $(godot_version "$godot") is ready: $godot"
    elif [ -n "${GODOT4_BIN:-}" ]; then
        exit 1 # own_godot4 has said why
    else
        fill_prefix
    fi
}

# fill_prefix [--update]
fill_prefix() {
    fill_set engines check_engines "$@" "${ENGINES[@]}"
    say "Godot $(engine_version) is ready in $(prefix_folder)"
}

engine_version() {
    sed -n 's/^godot //p' "$(prefix_folder)/versions.txt"
}

check_engines() {
    local program version
    for program in "$1"/usr/bin/godot*; do
        godot_version "$program" >/dev/null || fail_check "$program"
    done
    version=$(godot_version "$1/usr/bin/godot")
    version_at_least "$version" "$GODOT4_MINIMUM" ||
        fail "The packages carry Godot $version, and $GODOT4_MINIMUM or newer is needed."
}

fail_check() {
    "$1" --version >>"$LOG" 2>&1 || true
    fail_with_log "$1 does not start. What was in use before stays in use."
}

# The X server starts its keyboard compiler by an absolute path, which is not ours. A relative path of the same length replaces it.
# So the server must be started in the folder of its programs.
check_window() {
    local server=$1/usr/bin/Xvfb name
    [ "$(grep -caP '\x00/usr/bin\x00' "$server")" = 1 ] || fail "Xvfb names its keyboard compiler in an unknown way."
    LC_ALL=C sed -i 's|\x00/usr/bin\x00|\x00././././\x00|' "$server"
    for name in Xvfb xkbcomp xdotool maim pngquant; do
        [ -x "$1/usr/bin/$name" ] || fail "The packages have no $name."
    done
}

check_trace() {
    "$1/usr/bin/strace" -V >>"$LOG" 2>&1 || fail_with_log "strace does not start."
}

# Emacs and Neovim look for their own files where Debian has them; tests say where they are.
check_editors() {
    local dump
    dump=$(compgen -G "$1/usr/libexec/emacs/*/*/*.pdmp") || fail "The packages have no image of Emacs."
    "$1/usr/bin/emacs-nox" --dump-file="$dump" --version >>"$LOG" 2>&1 || fail_with_log "Emacs does not start."
    VIM=$1/usr/share/nvim "$1/usr/bin/nvim" --version >>"$LOG" 2>&1 || fail_with_log "Neovim does not start."
    "$1/usr/bin/hx" --version >>"$LOG" 2>&1 || fail_with_log "Helix does not start."
}

check_browser() {
    "$1/usr/lib/chromium/chromium" --version >>"$LOG" 2>&1 || fail_with_log "Chromium does not start."
}

# The emulator finds the engine's libraries by its option -L.
get_arm64_emulator() {
    fill_set arm64 check_arm64 "${ARM64[@]}"
    architecture=arm64
    fill_set arm64-engine check_arm64_engine "${ARM64_ENGINE[@]}"
}

check_arm64() {
    "$1/usr/bin/qemu-aarch64" --version >>"$LOG" 2>&1 || fail_with_log "The emulator of arm64 does not start."
}

check_arm64_engine() {
    local emulator
    emulator=$(set_prefix arm64)/usr/bin/qemu-aarch64
    "$emulator" -L "$1" "$1/usr/bin/godot" --version >>"$LOG" 2>&1 || fail_with_log "Godot for arm64 does not start."
}

# `testing` had none when this was written.
get_wine() {
    suite=stable
    fill_set wine check_wine "${WINE[@]}"
}

# Wine starts its server from its own folder. Debian has a script there that looks below /usr, and Wine looks for its data in a
# folder that Debian makes during the installation.
check_wine() {
    ln -sf wineserver64 "$1/usr/lib/wine/wineserver"
    ln -sfn . "$1/usr/share/wine/wine"
    "$1/usr/lib/wine/wine64" --version >>"$LOG" 2>&1 || fail_with_log "Wine does not start."
}

# unsupported REASON: these packages cannot be used here.
unsupported() {
    [ "$set" = engines ] || fail "Debian's packages can be used only on Debian on x86_64, and $1."
    fail "Godot can be fetched for you only on Debian on x86_64, and $1." \
        "Install Godot $GODOT4_MINIMUM or newer yourself: https://godotengine.org/download" \
        "Then set GODOT4_BIN to its program file, for example:" \
        "    export GODOT4_BIN=\$HOME/Godot_v4.6-stable_linux.x86_64" \
        "Tests against Godot 3.6 look for its headless or server program in GODOT3_BIN."
}

run_main "$@"
