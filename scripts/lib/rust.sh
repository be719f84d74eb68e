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

# get_rust_for TARGET: gets Rust's standard library for another target than this machine, unless it is there. It comes by rustup, into
# a folder of its own in the cache.
get_rust_for() {
    rust_for_is_there "$1" && return
    have rustup || {
        printf 'rustup is missing; it gets Rust'\''s standard library for %s\n' "$1"
        return 1
    }
    say "Getting Rust's standard library for $1 into $(other_rustup_home)"
    RUSTUP_HOME=$(other_rustup_home) rustup --quiet toolchain install "$(other_toolchain)" --profile minimal --target "$1" \
        --no-self-update
    rust_for_is_there "$1"
}

# with_rust_for COMMAND...: runs it with the toolchain that has the targets of get_rust_for.
with_rust_for() {
    RUSTUP_HOME=$(other_rustup_home) RUSTUP_TOOLCHAIN=$(other_toolchain) "$@"
}

other_rustup_home() {
    printf '%s/rustup\n' "$(cache_folder)"
}

# The machine's own version of Rust, if it is a release.
other_toolchain() {
    local version
    version=$(cd "$ROOT" && rustc --version | cut -d ' ' -f 2)
    case "$version" in
        *-*) printf 'stable\n' ;;
        *) printf '%s\n' "$version" ;;
    esac
}

rust_for_is_there() {
    compgen -G "$(other_rustup_home)/toolchains/$(other_toolchain)-*/lib/rustlib/$1/lib" >/dev/null
}
