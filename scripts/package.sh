#!/usr/bin/env bash
# Builds dist/fast_variant-VERSION.zip: the addon as a user copies it into a project. It contains the libraries for all platforms in
# addons/fast_variant/bin, stripped, and the licences of all their parts. The same sources and libraries give the same file.
#
# Usage:
#   scripts/package.sh              build the libraries for this machine, and pack
#   scripts/package.sh --windows    build those for Windows, too
#   scripts/package.sh --built      build nothing: pack the existing libraries, which must be releases
#   scripts/package.sh --local      the same, also of local builds, which are larger and slower: for tests
#   scripts/package.sh --require linux.x86_64,windows.x86_64,...
#                                   fail if a library of these platforms is missing (the folders of
#                                   addons/fast_variant/bin)
#   scripts/package.sh --help
#
# Prints the file, its size and its SHA-256, which is also written into dist/SHA256SUMS.
#
# Environment:
#   SOURCE_DATE_EPOCH  the time that all files get (default: that of the last commit)

set -euo pipefail

# shellcheck source=scripts/lib/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

readonly ADDON=addons/fast_variant
readonly STAGE=$ROOT/target/package
# An empty folder next to `addons`. Up to 4.6, Godot's Asset Library leaves out a single folder at the top of an archive, because
# Git hosts put one around a repository (`EditorAssetInstaller::_check_has_toplevel`,
# editor/asset_library/editor_asset_installer.cpp, Godot 4.6.3). The addon would be in res://fast_variant. No project has such a
# folder, so no file is overwritten, and the plugin removes it (plugin.gd).
readonly SECOND_AT_TOP=.fast_variant_installed
readonly WINDOWS_TARGET=x86_64-pc-windows-gnu
# Every platform in fast_variant.gdextension, with the two libraries that it names: one for games, and one for the editor.
readonly PLATFORMS="linux.x86_64 linux.arm64 windows.x86_64 windows.arm64 macos"
readonly LIBRARIES="fast_variant fast_variant_editor"

main() {
    local build=yes windows=no require="" version file
    allow_local=no
    while [ $# -gt 0 ]; do
        case "$1" in
            --built) build=no ;;
            --local) build=no allow_local=yes ;;
            --windows) windows=yes ;;
            --require)
                [ $# -gt 1 ] || misused "--require needs a value"
                require=${2//,/ }
                shift
                ;;
            *) misused "unknown argument \`$1\`" ;;
        esac
        shift
    done
    cd "$ROOT"
    version=$(package_version)
    [ "$build" = no ] || build_libraries "$windows"
    stage
    check_platforms "$require"
    file=dist/fast_variant-$version.zip
    mkdir -p dist
    python3 scripts/package/zip_folder.py "$STAGE" "$file" "${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}"
    (cd dist && sha256sum fast_variant-*.zip >SHA256SUMS)
    printf '%s: %s MB\n' "$file" "$(wc -c <"$file" | awk '{ printf "%.1f", $1 / 1000000 }')"
    (cd dist && sha256sum "${file#dist/}")
}

# The version in the libraries and the version in the editor must be the same.
package_version() {
    local version shown
    version=$(sed -n 's/^version *= *"\(.*\)"/\1/p' Cargo.toml | head -n 1)
    shown=$(sed -n 's/^version="\(.*\)"/\1/p' "$ADDON/plugin.cfg")
    [ "$version" = "$shown" ] || fail "Cargo.toml has the version $version, and $ADDON/plugin.cfg $shown."
    printf '%s\n' "$version"
}

# Without the paths of this machine, which the messages of panics name.
build_libraries() {
    local cargo_home=${CARGO_HOME:-$HOME/.cargo}
    export CARGO_TARGET_DIR=$ROOT/target/package_build
    export RUSTFLAGS="${RUSTFLAGS:-} --remap-path-prefix=$cargo_home=/cargo --remap-path-prefix=$ROOT=/fast_variant"
    scripts/build.sh --release --locked
    if [ "$1" = yes ]; then
        scripts/build.sh --release --locked --target "$WINDOWS_TARGET"
    fi
}

# Lays out the contents of the file in STAGE.
stage() {
    local place=$STAGE/$ADDON library
    rm -rf "$STAGE"
    mkdir -p "$place" "$STAGE/$SECOND_AT_TOP"
    git ls-files --cached --others --exclude-standard "$ADDON" | while IFS= read -r file; do
        mkdir -p "$(dirname "$STAGE/$file")"
        cp "$file" "$STAGE/$file"
    done
    for library in "$ADDON"/bin/*/*; do
        case "$library" in
            *.so | *.dll | *.dylib) ;;
            *) continue ;;
        esac
        [ "$allow_local" = yes ] || ! is_local_build "$library" ||
            fail "$library is a local build, which is slower and larger than what ships." \
                "Build it with scripts/build.sh --release."
        mkdir -p "$(dirname "$STAGE/$library")"
        cp "$library" "$STAGE/$library"
        strip_library "$STAGE/$library"
    done
    python3 scripts/package/third_party_licenses.py scripts/package/licenses >"$place/THIRD_PARTY_LICENSES.txt"
    add_mingw_license "$place"
}

# is_local_build LIBRARY: rust/fast-variant/src/entry.rs marks it.
is_local_build() {
    LC_ALL=C grep -q 'fast_variant: a local build' "$1"
}

# library_of FOLDER NAME: prints its path, if it is there.
library_of() {
    compgen -G "$1/$2.*" || compgen -G "$1/lib$2.*" || true
}

# strip_library FILE: of any platform, where there is a program for it. A library as it is built works as well.
strip_library() {
    local tool
    for tool in llvm-strip strip; do
        have "$tool" || continue
        "$tool" --strip-unneeded "$1" 2>/dev/null && return
        "$tool" -x "$1" 2>/dev/null && return
    done
    say "  nothing here can strip ${1#"$STAGE/"}"
}

# The library for Windows contains parts of MinGW's C runtime. zig includes this, with its terms next to it.
add_mingw_license() {
    local terms
    terms=$(compgen -G "$(cache_folder)/cross-*/lib/python*/site-packages/ziglang/lib/libc/mingw/COPYING" | head -n 1) || true
    if [ -f "$1/bin/windows.x86_64/fast_variant.dll" ] && [ -n "$terms" ]; then
        { printf '\n%s\nMinGW-w64 (in the library for Windows)\n\n' "$(printf '=%.0s' {1..100})" && cat "$terms"; } \
            >>"$1/THIRD_PARTY_LICENSES.txt"
    fi
}

# check_platforms REQUIRED
check_platforms() {
    local platform library file
    for platform in $PLATFORMS; do
        for library in $LIBRARIES; do
            file=$(library_of "$STAGE/$ADDON/bin/$platform" "$library")
            if [ -n "$file" ]; then
                say "  $platform, $library: $(wc -c <"$file" | awk '{ printf "%.1f MB", $1 / 1000000 }')"
            else
                case " $1 " in
                    *" $platform "*) fail "There is no library $library for $platform in $ADDON/bin." ;;
                esac
                say "  $platform, $library: none; Godot says so on that platform"
            fi
        done
    done
}

run_main "$@"
