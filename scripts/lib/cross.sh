# shellcheck shell=bash
# Building for other systems than this one: zig, which compiles C and links for all of them, comes from PyPI. Sourced after common.sh,
# rust.sh and python.sh.

# get_target TARGET LOG: gets the tools to build for it, if they are missing. Fails if it cannot be had; LOG says why.
get_target() {
    ZIG_ENVIRONMENT=$(python_with cross "$ROOT/scripts/lib/python/cross.txt" "$2") || return 1
    get_rust_for "$1" >"$2" 2>&1
}

# cross_cargo TARGET SUBCOMMAND ARGUMENTS...: cargo's subcommand for that target, after get_target.
cross_cargo() {
    local target=$1 subcommand=$2
    shift 2
    # zig is found as a module of this Python's.
    PATH=$ZIG_ENVIRONMENT/bin:$PATH CARGO_TARGET_DIR=$(cross_output) \
        with_rust_for cargo-zigbuild "$subcommand" --target "$target" "$@"
}

# cross_folder TARGET: the folder of cargo's results.
cross_folder() {
    printf '%s/%s/debug\n' "$(cross_output)" "$1"
}

# A folder of its own, so that it waits for no other build.
cross_output() {
    printf '%s/cross\n' "$(cd "$ROOT" && mkdir -p "${CARGO_TARGET_DIR:-target}" && cd "${CARGO_TARGET_DIR:-target}" && pwd)"
}
