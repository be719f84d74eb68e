# shellcheck shell=bash
# The contents of the npm packages: the library as WebAssembly, the platforms with a program, and the tools that build and test
# them. Sourced after common.sh.

# shellcheck source=scripts/lib/programs.sh
. "$ROOT/scripts/lib/programs.sh"
# shellcheck source=scripts/lib/rust.sh
. "$ROOT/scripts/lib/rust.sh"
# shellcheck source=scripts/lib/node.sh
. "$ROOT/scripts/lib/node.sh"

readonly NPM_PACKAGE=$ROOT/rust/npm
readonly NPM_WORK=$ROOT/target/npm
# The library and the JavaScript around it, as wasm-bindgen makes it.
readonly NPM_WASM=$NPM_WORK/wasm
readonly NPM_CARGO=$NPM_WORK/cargo
readonly WASM_TARGET=wasm32-unknown-unknown
# The packages in package-lock.json next to this file: esbuild, TypeScript, Playwright.
readonly NPM_TOOLS=$NPM_WORK/tools

# Puts Node.js on the PATH and the tools into NPM_TOOLS; NPM_WORK/tools.log says why they cannot be had.
get_npm_tools() {
    mkdir -p "$NPM_TOOLS"
    use_node "$NPM_WORK/tools.log" || return 1
    {
        get_rust_for "$WASM_TARGET" &&
            cp "$ROOT"/scripts/package/npm/{package.json,package-lock.json,.npmrc} "$NPM_TOOLS" &&
            npm_packages "$NPM_TOOLS"
    } >>"$NPM_WORK/tools.log" 2>&1
}

# Prints the platforms that have a program, as Node calls them and as Rust does. A program that is linked with musl runs on every
# Linux.
npm_platforms() {
    cat <<'END'
linux-x64 x86_64-unknown-linux-musl
linux-arm64 aarch64-unknown-linux-musl
darwin-x64 x86_64-apple-darwin
darwin-arm64 aarch64-apple-darwin
win32-x64 x86_64-pc-windows-msvc
win32-arm64 aarch64-pc-windows-msvc
END
}

# Builds the library into NPM_WASM, unless it exists from the same sources. wasm-opt is not used: its result has fewer bytes, but
# more once they are packed.
build_wasm() {
    # Texts may nest deeper than a stack of 1 MB lets them be read. All browsers since 2023 compare sixteen bytes at once.
    local flags="-Clink-arg=-zstack-size=4194304 -Ctarget-feature=+simd128" wasm sum
    RUSTFLAGS=$flags with_rust_for cargo build --release --package wasm --lib --target "$WASM_TARGET" \
        --target-dir "$NPM_CARGO" >"$NPM_WORK/wasm.log" 2>&1 || return 1
    wasm=$NPM_CARGO/$WASM_TARGET/release/wasm.wasm
    sum=$(cksum <"$wasm")
    [ "$(cat "$NPM_WASM/.complete" 2>/dev/null)" != "$sum" ] || return 0
    rm -rf "$NPM_WASM"
    mkdir -p "$NPM_WASM"
    bindgen "$wasm" "$NPM_WASM" >>"$NPM_WORK/wasm.log" 2>&1 || return 1
    printf '%s\n' "$sum" >"$NPM_WASM/.complete"
}

# bindgen LIBRARY FOLDER
bindgen() {
    if [ -n "${FV_BUILT:-}" ]; then
        "$(built examples/bindgen)" "$@"
    else
        cargo run --quiet --package wasm --example bindgen -- "$@"
    fi
}
