#!/usr/bin/env bash
# Tests the npm package as others get it: packed, installed into an empty folder, used from Node, by its command and in a
# Chromium without a screen. What it answers is compared with the native program, for many files. Ends with
# `N passed, N failed, N skipped`.
#
# Usage:
#   scripts/test/javascript/npm.sh
#   scripts/test/javascript/npm.sh --help
#
# Where Chromium or what builds the package (a nightly Rust) cannot be had, that counts as skipped.
#
# Environment:
#   GDSCENE             the native program to compare with (default: it is built)
#   FV_SHARED           folder of shared test data, of which files are checked (default: ../shared; without it, only those of
#                       the repository)
#   FV_NPM_FILES        how many files are checked (default: 250)
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
    mkdir -p "$WORK/installed" "$WORK/page"
    if ! get_npm_tools; then
        skip "the npm package: $(tail -n 1 "$NPM_WORK/tools.log")"
    else
        scripts/package/npm.sh >&2
        install
        choose_files
        types
        part api "$WORK/installed/api.mjs"
        part same "$WORK/installed/same.mjs" "$(program)" "$FILES"
        mkdir "$WORK/odd"
        part command "$WORK/installed/command.mjs" "$(program)" "$WORK/odd"
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

install() {
    local file
    file=$(compgen -G "$NPM_WORK/gdscene-*.tgz") || fail "there is no package in $NPM_WORK"
    (cd "$WORK/installed" && npm init --yes >/dev/null && npm install --no-audit --no-fund --loglevel=error "$file" >&2) ||
        fail "the package cannot be installed"
    cp "$PARTS"/*.mjs "$WORK/installed"
    ln -s "$NPM_TOOLS/node_modules/playwright-core" "$WORK/installed/node_modules/playwright-core"
}

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
    add_read_only_file
    say "files: $number"
}

# Both commands would change it, and must not.
add_read_only_file() {
    mkdir "$FILES/read_only"
    printf '[gd_scene format=3]\n\n[node name="A" type="Node"]\nvisible=True\n' >"$FILES/read_only/a.tscn"
    chmod a-w "$FILES/read_only/a.tscn"
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
