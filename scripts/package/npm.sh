#!/usr/bin/env bash
# Builds the npm package `gdscene` (rust/npm): the engine-free crates as WebAssembly, the interface for JavaScript and the
# command. Leaves the folder target/npm/package and the file target/npm/gdscene-VERSION.tgz.
#
# Usage:
#   scripts/package/npm.sh
#   scripts/package/npm.sh --help
#
# Prints the file, its size, and how large the library is. Rust's standard library for WebAssembly is got into the cache if
# the machine's toolchain lacks it; Node.js comes with pip, what makes the library smaller with npm.
#
# Environment:
#   GDSCENE_REPOSITORY  address of the repository, for the package's page (default: none)
#   FAST_VARIANT_CACHE  where tools are kept (default: ~/.cache/fast_variant)

set -euo pipefail

# shellcheck source=scripts/lib/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/../lib/common.sh"
# shellcheck source=scripts/lib/npm.sh
. "$ROOT/scripts/lib/npm.sh"

main() {
    expect_no_arguments "$@"
    cd "$ROOT"
    get_npm_tools || fail "what builds the package cannot be had:" "$(tail -n 3 "$NPM_WORK/tools.log")"
    build_wasm || fail "the library cannot be built:" "$(tail -n 5 "$NPM_WORK/wasm.log")"
    stage
    local file
    file=$NPM_WORK/$(cd "$NPM_WORK/package" && npm pack --silent --pack-destination "$NPM_WORK")
    printf '%s: %s kB; the library has %s kB, %s kB gzipped\n' "${file#"$ROOT/"}" "$(kilobytes <"$file")" \
        "$(kilobytes <"$NPM_WASM/wasm_bg.wasm")" "$(gzip -9 <"$NPM_WASM/wasm_bg.wasm" | kilobytes)"
}

kilobytes() {
    wc -c | awk '{ printf "%.0f", $1 / 1000 }'
}

# Lays out in target/npm/package what goes into the file.
stage() {
    local place=$NPM_WORK/package version shown
    version=$(sed -n 's/^version *= *"\(.*\)"/\1/p' Cargo.toml | head -n 1)
    shown=$(sed -n 's/^  "version": "\(.*\)",/\1/p' "$NPM_PACKAGE/package.json")
    [ "$version" = "$shown" ] || fail "Cargo.toml has the version $version, and rust/npm/package.json $shown."
    rm -rf "$place" "$NPM_WORK"/gdscene-*.tgz
    mkdir -p "$place/wasm"
    (cd "$NPM_PACKAGE" && cp -R package.json README.md bin src "$place")
    cp LICENSE "$place/LICENSE"
    cp "$NPM_WASM/wasm.js" "$NPM_WASM/wasm_bg.wasm" "$place/wasm"
    python3 scripts/package/third_party_licenses.py scripts/package/licenses wasm >"$place/THIRD_PARTY_LICENSES.txt"
    if [ -n "${GDSCENE_REPOSITORY:-}" ]; then
        (cd "$place" && npm pkg set "repository=$GDSCENE_REPOSITORY")
    fi
}

run_main "$@"
