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
