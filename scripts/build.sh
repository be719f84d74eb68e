#!/usr/bin/env bash
# Builds the two native libraries, one for games and one for the editor, and copies them to addons/fast_variant/bin. Also copies the
# whole addon to godot_project/addons, because links do not survive every checkout.
#
# Usage:
#   scripts/build.sh [--release] [--only-editor] [arguments for cargo]
#                        e.g. scripts/build.sh --release --target aarch64-unknown-linux-gnu
#   scripts/build.sh --help
#
#   --release      builds the libraries of a release, smaller and faster, in about ten minutes on two cores. Without it, a local build
#                  takes three to four; it checks more and is slower. scripts/package.sh refuses local builds
#   --only-editor  leaves the library of games out: enough to open a project and to play it, but not to export it
#
# A local build contains the command `gdscene`, too: target/debug/gdscene.
#
# For Windows (x86_64-pc-windows-gnu), zig compiles and links if the machine has no MinGW; it is got when it is needed.
#
# Environment:
#   CARGO_TARGET_DIR, CARGO_BUILD_TARGET and cargo's other variables are respected.
#   FV_BUILT   a folder with the libraries of a local build: they are installed, and nothing is built; --release ignores it

set -euo pipefail

# shellcheck source=scripts/lib/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"
# shellcheck source=scripts/lib/rust.sh
. "$ROOT/scripts/lib/rust.sh"
# shellcheck source=scripts/lib/python.sh
. "$ROOT/scripts/lib/python.sh"
# shellcheck source=scripts/lib/cross.sh
. "$ROOT/scripts/lib/cross.sh"
# shellcheck source=scripts/lib/files.sh
. "$ROOT/scripts/lib/files.sh"

readonly ADDON=addons/fast_variant
# The packages of the libraries.
libraries="fast-variant fast-variant-editor"

main() {
    require_cargo
    cd "$ROOT"
    read_arguments "$@"

    local folder library place file
    get_zig_for_windows
    folder=$ADDON/bin/$(library_folder "$target")
    build_libraries
    for library in $libraries; do
        file=$(built_library "${library//-/_}")
        [ -n "$file" ] || fail "cargo built no library of the package $library."
        place=$folder/$(basename "$file")
        install_file "$file" "$place"
        printf '%s (%s, %s)\n' "$place" "$profile" "$(size_of "$place")"
    done
    mirror_folder "$ADDON" "godot_project/$ADDON"
}

# Sets `profile`, `target`, `names_target` and `cargo_arguments`.
read_arguments() {
    profile=local names_target=no
    target=${CARGO_BUILD_TARGET:-$(cargo -vV | sed -n 's/^host: //p')}
    cargo_arguments=(build)
    while [ $# -gt 0 ]; do
        case "$1" in
            --release) profile=release ;;
            --only-editor) libraries=${libraries#* } ;;
            --target)
                [ $# -gt 1 ] || misused "--target needs a value"
                target=$2 names_target=yes
                shift
                ;;
            --target=*) target=${1#--target=} names_target=yes ;;
            *) cargo_arguments+=("$1") ;;
        esac
        shift
    done
    if [ "$profile" = release ]; then
        cargo_arguments+=(--release)
    fi
}

# Sets `with_zig`.
get_zig_for_windows() {
    local log
    with_zig=no
    if [ "$target" = x86_64-pc-windows-gnu ] && ! have x86_64-w64-mingw32-gcc; then
        log=$(mktemp)
        get_target "$target" "$log" || fail "$target cannot be built for: $(tail -n 1 "$log")"
        rm -f "$log"
        with_zig=yes
    fi
}

# cargo itself says in its messages where the libraries are: that depends on its configuration, too.
#
# For a release one package at a time, because cargo builds a crate that several need with all features that one of them asks
# for. Locally all at once, so that each crate is built once.
build_libraries() {
    local library local_packages=(--package gdscene)
    : "${messages:=$(mktemp)}"
    trap 'rm -f "$messages"' EXIT
    if uses_what_is_built; then
        return
    elif [ "$profile" = local ]; then
        say "Building the libraries and gdscene (a local build: not optimized as a release is) ..."
        for library in $libraries; do local_packages+=(--package "$library"); done
        chosen_cargo "${cargo_arguments[@]}" "${local_packages[@]}" --message-format=json-render-diagnostics >"$messages"
        return
    fi
    for library in $libraries; do
        say "Building $library (release) ..."
        chosen_cargo "${cargo_arguments[@]}" --package "$library" --message-format=json-render-diagnostics >>"$messages"
    done
}

# A local build is never installed as a release.
uses_what_is_built() {
    [ "$profile" = local ] && [ -n "${FV_BUILT:-}" ]
}

# built_library NAME: prints its path.
built_library() {
    if uses_what_is_built; then
        compgen -G "$FV_BUILT/lib$1.so" || compgen -G "$FV_BUILT/lib$1.dylib" || compgen -G "$FV_BUILT/$1.dll" || true
    else
        library_in_messages "$1" <"$messages"
    fi
}

# chosen_cargo SUBCOMMAND ARGUMENTS...
chosen_cargo() {
    if [ "$with_zig" = yes ]; then
        cross_cargo "$target" "$@"
    elif [ "$names_target" = yes ]; then
        cargo "$@" --target "$target"
    else
        cargo "$@"
    fi
}

# library_in_messages NAME
library_in_messages() {
    sed -nE '/"reason":"compiler-artifact"/ s/.*"([^"]*[/\\](lib'"$1"'\.(so|dylib)|'"$1"'\.dll))".*/\1/p' |
        sed 's/\\\\/\//g' | tail -n 1
}

# The names that fast_variant.gdextension uses.
library_folder() {
    case "$1" in
        x86_64-*-linux-gnu) printf 'linux.x86_64\n' ;;
        aarch64-*-linux-gnu) printf 'linux.arm64\n' ;;
        x86_64-*-windows-*) printf 'windows.x86_64\n' ;;
        aarch64-*-windows-*) printf 'windows.arm64\n' ;;
        *-apple-darwin) printf 'macos\n' ;;
        *) fail "fast_variant.gdextension has no entry for $1." ;;
    esac
}

size_of() {
    wc -c <"$1" | awk '{ printf "%.1f MB\n", $1 / 1000000 }'
}

run_main "$@"
