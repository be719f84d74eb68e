#!/usr/bin/env bash
# Tests the npm packages as others get them. They are packed, installed into an empty folder without a network, and used from Node,
# by the command and in a Chromium without a screen. Their answers are compared with those of the native program, for many files.
# Ends with `N passed, N failed, N skipped`.
#
# Usage:
#   scripts/test/javascript/npm.sh
#   scripts/test/javascript/npm.sh --help
#
# If Chromium or the build tools of the package (Rust's standard library for WebAssembly) are missing, that counts as skipped.
#
# Environment:
#   GDSCENE             the native program to pack and to compare with (default: it is built)
#   FV_SHARED           folder of shared test data with files to check (default: ../shared; without it, only those of
#                       the repository)
#   FV_NPM_FILES        the number of checked files (default: 250)
#   FAST_VARIANT_CACHE  where tools are kept (default: ~/.cache/fast_variant)

set -euo pipefail

# shellcheck source=scripts/lib/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/../../lib/common.sh"
# shellcheck source=scripts/lib/programs.sh
. "$ROOT/scripts/lib/programs.sh"
# shellcheck source=scripts/lib/npm.sh
. "$ROOT/scripts/lib/npm.sh"
# shellcheck source=scripts/lib/editors.sh
. "$ROOT/scripts/lib/editors.sh"
# shellcheck source=scripts/lib/checks.sh
. "$ROOT/scripts/lib/checks.sh"

readonly WORK=$ROOT/target/npm/test
readonly PARTS=$ROOT/scripts/test/javascript/parts
readonly FILES=$WORK/files

main() {
    expect_no_arguments "$@"
    cd "$ROOT"
    rm -rf "$WORK"
    mkdir -p "$WORK/page"
    if ! get_npm_tools; then
        skip "the npm package: $(tail -n 1 "$NPM_WORK/tools.log")"
    else
        test_archives
        scripts/package/npm.sh >&2
        scripts/package/npm.sh --program "$(program)" --target "$(platform)" >&2
        install "$WORK/installed" "gdscene-$(workspace_version)" "gdscene-$(platform)-$(workspace_version)"
        install "$WORK/alone" "gdscene-$(workspace_version)"
        choose_files
        types
        part api "$WORK/installed/api.mjs"
        part same "$WORK/installed/same.mjs" "$(program)" "$FILES"
        part command "$WORK/installed/command.mjs" "$(program)" "$FILES" "$WORK/alone"
        in_browser
    fi
    report_checks
}

# part NAME SCRIPT ARGUMENTS...: runs a script in the folder in which the package is installed.
part() {
    local name=$1
    shift
    (cd "$WORK/installed" && node "$@") >"$WORK/$name.log" 2>&1 || true
    add_counts "$name" "$WORK/$name.log"
    say "$name: $(tail -n 1 "$WORK/$name.log")"
}

# The platform of this machine.
platform() {
    node -p 'process.platform + "-" + process.arch'
}

# install FOLDER PACKAGE...: without the network, optional packages are missing, as on a platform without a program.
install() {
    local folder=$1 files
    shift
    files=("${@/#/$NPM_WORK/}")
    mkdir "$folder"
    (cd "$folder" && npm init --yes >/dev/null &&
        npm install --offline --no-audit --no-fund --loglevel=error "${files[@]/%/.tgz}" >&2) || fail "the package cannot be installed"
    cp "$PARTS"/*.mjs "$folder"
    ln -s "$NPM_TOOLS/node_modules/playwright-core" "$folder/node_modules/playwright-core"
}

# --- Packages of platforms ----------------------------------------------------------------------------

# Archives as a release has them, but with the name of the platform instead of a program.
test_archives() {
    local folder=$WORK/archives platform target
    while read -r platform target; do
        mkdir -p "$folder/gdscene-$target"
        printf '%s' "$platform" | tee "$folder/gdscene.exe" >"$folder/gdscene-$target/gdscene"
        case "$target" in
            *-windows-*) (cd "$folder" && python3 -m zipfile -c "gdscene-$target.zip" gdscene.exe) ;;
            *) tar -czf "$folder/gdscene-$target.tar.gz" -C "$folder" "gdscene-$target" ;;
        esac
    done < <(npm_platforms)
    check "the packages of platforms are made from archives" scripts/package/npm.sh --archives "$folder"
    while read -r platform target; do
        check "the package of $platform" platform_is_right "$platform"
        check "$target is released" grep -qx "    \"$target\"," Cargo.toml
    done < <(npm_platforms)
    rm "$folder"/*.zip
    check "an archive that is missing is named" refuses "there is no archive for x86_64-pc-windows-msvc" \
        scripts/package/npm.sh --archives "$folder"
}

# platform_is_right PLATFORM
platform_is_right() {
    local place=$WORK/unpacked program=gdscene
    case "$1" in win32-*) program=gdscene.exe ;; esac
    rm -rf "$place"
    mkdir "$place"
    tar -xzf "$NPM_WORK/gdscene-$1-$(workspace_version).tgz" -C "$place" --strip-components 1
    [ -x "$place/$program" ] && [ "$(cat "$place/$program")" = "$1" ] && [ -s "$place/THIRD_PARTY_LICENSES.txt" ] &&
        prints "@gdscene/$1 $(workspace_version) ${1%-*} ${1#*-}" node -p \
            'const { name, version, os, cpu } = require(process.argv[1]); [name, version, os, cpu].join(" ")' "$place/package.json"
}

# --- The package gdscene ------------------------------------------------------------------------------

# Files with different names in folders of their own, taken evenly from all that there are.
choose_files() {
    local shared=${FV_SHARED:-../shared} number=0 file
    while IFS= read -r file; do
        number=$((number + 1))
        mkdir -p "$FILES/$number"
        cp "$file" "$FILES/$number/"
        chmod u+w "$FILES/$number"/*
    done < <(all_files "$shared" | awk -v wanted="${FV_NPM_FILES:-250}" '
        { files[NR] = $0 }
        END {
            step = NR > wanted ? NR / wanted : 1
            for (place = 1; place <= NR; place += step) print files[int(place)]
        }')
    [ "$number" -gt 0 ] || fail "there are no files to check"
    say "files: $number"
}

all_files() {
    { find "$ROOT/rust/godot-tscn/fixtures" "$ROOT/godot_project" "$1" -type f 2>/dev/null || true; } |
        grep -E '\.(tscn|tres|escn|import)$|/project\.godot$' | sort
}

types() {
    cp "$PARTS/types.ts" "$WORK/installed"
    if (cd "$WORK/installed" && node "$NPM_TOOLS/node_modules/typescript/bin/tsc" --strict --noEmit --target es2022 --module nodenext \
        --lib es2022,dom types.ts) >"$WORK/types.log" 2>&1; then
        pass
    else
        flunk "types:"
        cat "$WORK/types.log" >&2
    fi
}

in_browser() {
    if ! scripts/setup.sh --browser >"$WORK/browser_setup.log" 2>&1; then
        skip "the package in a browser: $(tail -n 1 "$WORK/browser_setup.log")"
        return
    fi
    mkdir -p "$WORK/page/js" "$WORK/page/wasm"
    cp "$WORK/installed/node_modules/gdscene/wasm/wasm_bg.wasm" "$WORK/page/wasm"
    printf 'import * as gdscene from "gdscene";\nglobalThis.gdscene = gdscene;\n' >"$WORK/installed/page.mjs"
    printf '<!doctype html><script type="module" src="js/page.js"></script>\n' >"$WORK/page/index.html"
    "$NPM_TOOLS/node_modules/.bin/esbuild" "$WORK/installed/page.mjs" --bundle --format=esm --target=es2022 --log-level=warning \
        --outfile="$WORK/page/js/page.js"
    part browser "$WORK/installed/browser.mjs" "$(set_prefix browser)/usr/lib/chromium/chromium" "$WORK/page" "$FILES"
}

run_main "$@"
