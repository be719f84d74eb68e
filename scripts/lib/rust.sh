# shellcheck shell=bash
# The Rust toolchain. Sourced after common.sh.

# The oldest Rust that the workspace accepts.
wanted_rust() {
    sed -n 's/^rust-version *= *"\(.*\)"/\1/p' "$ROOT/Cargo.toml"
}

require_cargo() {
    local wanted answer found
    wanted=$(wanted_rust)
    have cargo || fail "Rust $wanted or newer is needed, and there is no \`cargo\` on the PATH." \
        "Install it with rustup: https://rustup.rs"
    # Run in the project, because rustup chooses the toolchain by folder.
    answer=$(cd "$ROOT" && cargo --version 2>&1) || fail "\`cargo --version\` does not work:" "$answer" \
        "With rustup, install a toolchain: rustup toolchain install stable"
    found=$(printf '%s\n' "$answer" | sed -n 's/^cargo \([0-9][^ ]*\).*/\1/p')
    version_at_least "$found" "$wanted" || fail "Rust $wanted or newer is needed; this is ${found:-$answer}." \
        "With rustup: rustup update stable"
}

# The version of all that is released.
workspace_version() {
    sed -n 's/^version *= *"\(.*\)"/\1/p' "$ROOT/Cargo.toml" | head -n 1
}

# What builds for WebAssembly. A nightly, because only it builds the standard library anew: smaller, and without the texts of
# panics, which is a quarter of what a page loads.
readonly WASM_TOOLCHAIN=nightly-2026-05-20

# wasm_cargo ARGUMENTS...: cargo of that toolchain, which scripts/setup.sh --wasm gets.
wasm_cargo() {
    RUSTUP_HOME=$(wasm_rustup_home) RUSTUP_TOOLCHAIN=$WASM_TOOLCHAIN cargo "$@"
}

wasm_rustup_home() {
    printf '%s/rustup-wasm\n' "$(cache_folder)"
}
