#!/usr/bin/env bash
# Builds the npm packages into target/npm. The package `gdscene` (rust/npm) has the JavaScript interface with the engine-free crates
# as WebAssembly, and starts the program. Each package `@gdscene/PLATFORM` has the program for one platform.
#
# Usage:
#   scripts/package/npm.sh                       gdscene-VERSION.tgz
#   scripts/package/npm.sh --program FILE --target linux-x64
#                                                gdscene-linux-x64-VERSION.tgz, with that program: for linux-x64, linux-arm64,
#                                                darwin-x64, darwin-arm64, win32-x64 or win32-arm64
#   scripts/package/npm.sh --archives FOLDER     the packages of all platforms, with the programs of a release's archives
#   scripts/package/npm.sh --help
#
# Prints each file and its size. Rust's standard library for WebAssembly is got into the cache; Node.js comes with pip, tools of
# tests with npm.
#
# Environment:
#   FAST_VARIANT_CACHE  where tools are kept (default: ~/.cache/fast_variant)

set -euo pipefail

# shellcheck source=scripts/lib/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/../lib/common.sh"
# shellcheck source=scripts/lib/npm.sh
. "$ROOT/scripts/lib/npm.sh"
# shellcheck source=scripts/lib/release.sh
. "$ROOT/scripts/lib/release.sh"

readonly PROGRAM_LICENSES=$NPM_WORK/program_licenses.txt

main() {
    local program="" platform="" archives=""
    while [ $# -gt 0 ]; do
        case "$1" in
            --help | -h) print_help && return ;;
            --program | --target | --archives)
                [ $# -gt 1 ] || fail "$1 needs a value; see scripts/package/npm.sh --help"
                case "$1" in
                    --program) program=$(absolute_path "$2") ;;
                    --target) platform=$2 ;;
                    --archives) archives=$(absolute_path "$2") ;;
                esac
                shift
                ;;
            *) fail "unknown argument \`$1\`; see scripts/package/npm.sh --help" ;;
        esac
        shift
    done
    check_arguments "$program" "$platform" "$archives"
    cd "$ROOT"
    mkdir -p "$NPM_WORK"
    if [ -z "$platform$archives" ]; then
        get_npm_tools || fail "what builds the package cannot be had:" "$(tail -n 3 "$NPM_WORK/tools.log")"
        build_wasm || fail "the library cannot be built:" "$(tail -n 5 "$NPM_WORK/wasm.log")"
        stage
        pack package
        printf 'the library: %s kB, %s kB gzipped\n' "$(kilobytes <"$NPM_WASM/wasm_bg.wasm")" \
            "$(gzip -9 <"$NPM_WASM/wasm_bg.wasm" | kilobytes)"
        return
    fi
    use_node "$NPM_WORK/tools.log" || fail "Node.js cannot be had: $(tail -n 1 "$NPM_WORK/tools.log")"
    python3 scripts/package/third_party_licenses.py scripts/package/licenses gdscene >"$PROGRAM_LICENSES"
    [ -z "$platform" ] || package_platform "$platform" "$program"
    [ -z "$archives" ] || package_archives "$archives"
}

# check_arguments PROGRAM PLATFORM ARCHIVES
check_arguments() {
    if [ -n "$1$2" ] && { [ -z "$1" ] || [ -z "$2" ]; }; then
        fail "--program and --target belong together."
    fi
    [ -z "$1" ] || [ -f "$1" ] || fail "there is no file $1"
    [ -z "$2" ] || npm_platforms | grep -q "^$2 " || fail "unknown target \`$2\`; see scripts/package/npm.sh --help"
    [ -z "$3" ] || [ -d "$3" ] || fail "there is no folder $3"
}

# pack FOLDER: makes the file of a package that is laid out below target/npm.
pack() {
    local file
    file=$NPM_WORK/$(cd "$NPM_WORK/$1" && npm pack --silent --pack-destination "$NPM_WORK")
    printf '%s: %s kB\n' "${file#"$ROOT/"}" "$(kilobytes <"$file")"
}

kilobytes() {
    wc -c | awk '{ printf "%.0f", $1 / 1000 }'
}

# --- The package gdscene ------------------------------------------------------------------------------

# Lays it out in target/npm/package.
stage() {
    local place=$NPM_WORK/package version platform fields
    version=$(workspace_version)
    rm -rf "$place"
    mkdir -p "$place/wasm"
    (cd "$NPM_PACKAGE" && cp -R package.json README.md bin src "$place")
    cp LICENSE "$place/LICENSE"
    cp "$NPM_WASM/wasm.js" "$NPM_WASM/wasm_bg.wasm" "$place/wasm"
    python3 scripts/package/third_party_licenses.py scripts/package/licenses wasm >"$place/THIRD_PARTY_LICENSES.txt"
    fields=("version=$version" "repository.type=git" "repository.url=git+$(repository_address).git")
    while read -r platform _; do
        fields+=("optionalDependencies[@gdscene/$platform]=$version")
    done < <(npm_platforms)
    (cd "$place" && npm pkg set "${fields[@]}")
}

# --- The packages of platforms ------------------------------------------------------------------------

# package_platform PLATFORM PROGRAM
package_platform() {
    local place=$NPM_WORK/platforms/$1 name
    name=$(program_name "$1")
    rm -rf "$place"
    mkdir -p "$place"
    cp "$2" "$place/$name"
    chmod 755 "$place/$name"
    cp LICENSE "$place/LICENSE"
    cp "$PROGRAM_LICENSES" "$place/THIRD_PARTY_LICENSES.txt"
    printf '# gdscene for %s\n\nThe program for %s. Install the package `gdscene`, which needs it.\n' \
        "$1" "$1" >"$place/README.md"
    # `preferUnplugged`: Yarn must not leave a program in an archive.
    cat >"$place/package.json" <<END
{
  "name": "@gdscene/$1",
  "version": "$(workspace_version)",
  "description": "The program of the package gdscene, for $1",
  "license": "MIT",
  "repository": { "type": "git", "url": "git+$(repository_address).git" },
  "os": ["${1%-*}"],
  "cpu": ["${1#*-}"],
  "preferUnplugged": true,
  "publishConfig": { "access": "public" }
}
END
    pack "platforms/$1"
}

program_name() {
    case "$1" in win32-*) printf 'gdscene.exe\n' ;; *) printf 'gdscene\n' ;; esac
}

# package_archives FOLDER: the archives are as dist makes them.
package_archives() {
    local platform target unpacked=$NPM_WORK/unpacked
    while read -r platform target <&3; do
        rm -rf "$unpacked"
        mkdir -p "$unpacked"
        case "$target" in
            *-windows-*) python3 -m zipfile -e "$1/gdscene-$target.zip" "$unpacked" ;;
            *) tar -xzf "$1/gdscene-$target.tar.gz" -C "$unpacked" --strip-components 1 ;;
        esac || fail "there is no archive for $target in $1"
        package_platform "$platform" "$unpacked/$(program_name "$platform")"
    done 3< <(npm_platforms)
}

run_main "$@"
