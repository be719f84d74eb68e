#!/usr/bin/env bash
# Makes the extension for VS Code: dist/gdscene-VERSION.vsix, which uses the `gdscene` that is on the PATH; or, with a
# program, dist/gdscene-VERSION-TARGET.vsix, which has it packed.
#
# Usage:
#   scripts/package/vscode.sh
#   scripts/package/vscode.sh --program FILE --target linux-x64
#                                  the program, and its platform: linux-x64, linux-arm64, win32-x64,
#                                  win32-arm64, darwin-x64, darwin-arm64
#   scripts/package/vscode.sh --help
#
# Prints the file, its size and its SHA-256. Needs python3, which gets Node.js into the cache.
#
# Environment:
#   GDSCENE_PUBLISHER   the publisher, as registered with the marketplaces (default: that of package.json)
#   FAST_VARIANT_CACHE  the folder of Node.js (default: ~/.cache/fast_variant)

set -euo pipefail

# shellcheck source=scripts/lib/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/../lib/common.sh"
# shellcheck source=scripts/lib/rust.sh
. "$ROOT/scripts/lib/rust.sh"
# shellcheck source=scripts/lib/node.sh
. "$ROOT/scripts/lib/node.sh"

readonly EXTENSION=$ROOT/rust/editors/vscode
readonly STAGE=$ROOT/target/package_vscode
# Built there, so that no packages of others lie among the sources.
readonly BUILD=$STAGE/build
readonly TARGETS=" linux-x64 linux-arm64 win32-x64 win32-arm64 darwin-x64 darwin-arm64 "

main() {
    local program="" target="" version file
    while [ $# -gt 0 ]; do
        case "$1" in
            --program | --target)
                [ $# -gt 1 ] || misused "$1 needs a value"
                [ "$1" = --program ] && program=$2 || target=$2
                shift
                ;;
            *) misused "unknown argument \`$1\`" ;;
        esac
        shift
    done
    check_arguments "$program" "$target"
    [ -z "$program" ] || program=$(cd "$(dirname "$program")" && pwd)/$(basename "$program")
    cd "$ROOT"
    mkdir -p "$STAGE" dist
    use_node "$STAGE/node.log" || fail "Node.js cannot be had: $(tail -n 1 "$STAGE/node.log")"
    version=$(package_version)
    file=$ROOT/dist/gdscene-$version${target:+-$target}.vsix
    build
    stage "$program" "$target"
    (cd "$STAGE/extension" && "$BUILD/node_modules/.bin/vsce" package --no-dependencies --allow-missing-repository \
        ${target:+--target "$target"} --out "$file") >"$STAGE/vsce.log" 2>&1 ||
        fail "vsce could not pack the extension:" "$(tail -n 5 "$STAGE/vsce.log")"
    printf '%s: %s MB\n' "${file#"$ROOT/"}" "$(wc -c <"$file" | awk '{ printf "%.1f", $1 / 1000000 }')"
    (cd dist && sha256sum "${file##*/}")
}

check_arguments() {
    [ -z "$1$2" ] && return
    if [ -z "$1" ] || [ -z "$2" ]; then
        fail "--program and --target belong together."
    fi
    [ -f "$1" ] || fail "there is no file $1"
    [[ $TARGETS == *" $2 "* ]] || misused "unknown target \`$2\`"
}

# The extension has the version of the program.
package_version() {
    local version shown
    version=$(workspace_version)
    shown=$(sed -n 's/^  "version": "\(.*\)",/\1/p' "$EXTENSION/package.json")
    [ "$version" = "$shown" ] || fail "Cargo.toml has the version $version, and the extension's package.json $shown."
    printf '%s\n' "$version"
}

build() {
    mkdir -p "$BUILD"
    rm -rf "$BUILD/src" "$BUILD/dist"
    (cd "$EXTENSION" && cp -R package.json package-lock.json .npmrc tsconfig.json src "$BUILD")
    npm_packages "$BUILD"
    (cd "$BUILD" && npm run --silent check && npm run --silent build -- --log-level=warning)
}

# stage PROGRAM TARGET: lays out the contents of the file in STAGE/extension.
stage() {
    local place=$STAGE/extension name=gdscene
    rm -rf "$place"
    mkdir -p "$place"
    (cd "$EXTENSION" && cp -R package.json README.md language-configuration.json .vscodeignore syntaxes "$place")
    cp -R "$BUILD/dist" "$place"
    cp LICENSE "$place/LICENSE.txt"
    (cd "$BUILD" && node "$ROOT/scripts/test/servers/vscode/licenses.js") >"$place/THIRD_PARTY_LICENSES.txt"
    if [ -n "${GDSCENE_PUBLISHER:-}" ]; then
        (cd "$place" && npm pkg set "publisher=$GDSCENE_PUBLISHER")
    fi
    [ -n "$1" ] || return 0
    case "$2" in win32-*) name=gdscene.exe ;; esac
    mkdir "$place/bin"
    cp "$1" "$place/bin/$name"
    chmod 755 "$place/bin/$name"
    python3 scripts/package/third_party_licenses.py scripts/package/licenses gdscene >>"$place/THIRD_PARTY_LICENSES.txt"
}

run_main "$@"
