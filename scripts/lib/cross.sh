# shellcheck shell=bash
# Building for other systems than this one. Rust's standard library comes by rustup, into a folder of its own in the cache; zig,
# which compiles C and links for all of them, from PyPI. Sourced after common.sh, rust.sh and python.sh.

# get_target TARGET LOG: gets what is needed to build for it, unless it is there. Fails if it cannot be had; LOG says why.
get_target() {
    ZIG_ENVIRONMENT=$(python_with cross "$ROOT/scripts/lib/python/cross.txt" "$2") || return 1
    cross_target_is_there "$1" && return
    {
        have rustup || {
            printf 'Rust'\''s standard library for %s is got by rustup, which is not here\n' "$1"
            return 1
        }
        say "Getting Rust's standard library for $1 into $(cross_rustup_home)"
        RUSTUP_HOME=$(cross_rustup_home) rustup --quiet toolchain install "$(cross_toolchain)" --profile minimal \
            --target "$1" --no-self-update
    } >"$2" 2>&1
    cross_target_is_there "$1"
}

# cross_cargo TARGET SUBCOMMAND ARGUMENTS...: cargo's subcommand for that target, after get_target.
cross_cargo() {
    local target=$1 subcommand=$2
    shift 2
    # zig is found as a module of this Python's.
    PATH=$ZIG_ENVIRONMENT/bin:$PATH CARGO_TARGET_DIR=$(cross_output) RUSTUP_HOME=$(cross_rustup_home) RUSTUP_TOOLCHAIN=$(cross_toolchain) \
        cargo-zigbuild "$subcommand" --target "$target" "$@"
}

# cross_folder TARGET: where cargo has put what it built.
cross_folder() {
    printf '%s/%s/debug\n' "$(cross_output)" "$1"
}

# A folder of its own, so that it waits for no other build.
cross_output() {
    printf '%s/cross\n' "$(cd "$ROOT" && mkdir -p "${CARGO_TARGET_DIR:-target}" && cd "${CARGO_TARGET_DIR:-target}" && pwd)"
}

cross_rustup_home() {
    printf '%s/rustup\n' "$(cache_folder)"
}

# The machine's own version of Rust, if it is a release.
cross_toolchain() {
    local version
    version=$(cd "$ROOT" && rustc --version | cut -d ' ' -f 2)
    case "$version" in
        *-*) printf 'stable\n' ;;
        *) printf '%s\n' "$version" ;;
    esac
}

cross_target_is_there() {
    compgen -G "$(cross_rustup_home)/toolchains/$(cross_toolchain)-*/lib/rustlib/$1/lib" >/dev/null
}
