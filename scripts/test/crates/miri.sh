#!/usr/bin/env bash
# Runs the unit tests of the crates without an engine (godot-variant, godot-variant-codec, engine-kernels) under Miri. It finds uses
# of memory that was never written, accesses beyond it, and data races. Ends with `N passed, N failed, N skipped`.
#
# Usage:
#   scripts/test/crates/miri.sh
#   scripts/test/crates/miri.sh --help
#
# Miri needs a nightly toolchain. The first run installs one with rustup, into a folder of its own, so that the toolchains
# of the user stay as they are. Where that cannot be had, it prints `SKIPPED: reason`.
#
# Environment:
#   FAST_VARIANT_CACHE  where the toolchain is kept (default: ~/.cache/fast_variant)

set -euo pipefail

# shellcheck source=scripts/lib/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/../../lib/common.sh"
# shellcheck source=scripts/lib/rust.sh
. "$ROOT/scripts/lib/rust.sh"
# shellcheck source=scripts/lib/checks.sh
. "$ROOT/scripts/lib/checks.sh"

readonly TARGET=$ROOT/target/miri
readonly LOG=$TARGET/log
readonly KERNELS=engine-kernels
readonly CODECS=(godot-variant godot-variant-codec)

main() {
    expect_no_arguments "$@"
    require_cargo
    cd "$ROOT"
    mkdir -p "$TARGET"
    run_miri
    report_checks
}

run_miri() {
    local reason status=0
    if ! reason=$(install_miri); then
        skip "Miri: $reason"
        return
    fi
    # Some tests read shared data.
    MIRIFLAGS=-Zmiri-disable-isolation with_miri cargo miri test --quiet --target-dir "$TARGET" -p "$KERNELS" "${CODECS[@]/#/-p}" \
        --lib >"$LOG" 2>&1 || status=1
    add_cargo_tests Miri "$LOG" "$status"
}

# Prints the reason if it fails.
install_miri() {
    have rustup || { echo "rustup is not installed" && return 1; }
    if ! with_miri cargo miri --version >/dev/null 2>&1; then
        say "Installing a nightly toolchain with Miri ..."
        with_miri rustup toolchain install nightly --no-self-update --profile minimal --component miri --component rust-src >"$LOG" 2>&1 ||
            { echo "the toolchain cannot be installed: $(tail -n 1 "$LOG")" && return 1; }
    fi
    with_miri cargo miri setup >"$LOG" 2>&1 ||
        { echo "its standard library cannot be built: $(tail -n 1 "$LOG")" && return 1; }
}

with_miri() {
    RUSTUP_HOME=$(cache_folder)/rustup-miri RUSTUP_TOOLCHAIN=nightly "$@"
}

run_main "$@"
