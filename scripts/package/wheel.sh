#!/usr/bin/env bash
# Makes the package of PyPI: dist/gdscene_cli-VERSION-py3-none-PLATFORM.whl, which has the program for one platform.
#
# Usage:
#   scripts/package/wheel.sh [--debug] [arguments for maturin]   e.g. scripts/package/wheel.sh --target aarch64-apple-darwin
#   scripts/package/wheel.sh --help
#
#   --debug   a quick build without optimisations; otherwise a release build
#
# Prints the file, its size and its SHA-256. Needs python3, which gets maturin into the cache.
#
# Environment:
#   FAST_VARIANT_CACHE  where maturin is kept (default: ~/.cache/fast_variant)
#   CARGO_TARGET_DIR and cargo's other variables are respected.

set -euo pipefail

# shellcheck source=scripts/lib/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/../lib/common.sh"
# shellcheck source=scripts/lib/rust.sh
. "$ROOT/scripts/lib/rust.sh"
# shellcheck source=scripts/lib/python.sh
. "$ROOT/scripts/lib/python.sh"

readonly REQUIREMENTS=$ROOT/scripts/lib/python/build.txt
# Goes into the package; git ignores it.
readonly LICENSES=$ROOT/rust/gdscene/THIRD_PARTY_LICENSES.txt
readonly WORK=$ROOT/target/package_wheel

main() {
    local profile=(--release) python file
    if [ "${1:-}" = --debug ]; then
        profile=(--profile dev)
        shift
    fi
    require_cargo
    cd "$ROOT"
    rm -rf "$WORK"
    mkdir -p "$WORK/wheels" dist
    python=$(python_with maturin "$REQUIREMENTS" "$WORK/install.log") ||
        fail "maturin cannot be installed:" "$(tail -n 3 "$WORK/install.log")"
    python3 scripts/package/third_party_licenses.py scripts/package/licenses gdscene >"$LICENSES"
    trap 'rm -f "$LICENSES"' EXIT
    # maturin finds its helpers there, and `zig` with --zig.
    PATH=$python/bin:$PATH maturin build --quiet --locked "${profile[@]}" --manifest-path rust/gdscene/Cargo.toml \
        --out "$WORK/wheels" "$@" >&2
    for file in "$WORK"/wheels/*.whl; do
        mv "$file" dist
        file=dist/${file##*/}
        printf '%s: %s MB\n' "$file" "$(wc -c <"$file" | awk '{ printf "%.1f", $1 / 1000000 }')"
        (cd dist && sha256sum "${file##*/}")
    done
}

run_main "$@"
