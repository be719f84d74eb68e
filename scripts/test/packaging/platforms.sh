#!/usr/bin/env bash
# Builds for other platforms on this one, and runs the results if an emulator can. Ends with `N passed, N failed, N skipped`. It
# takes an hour and more, and is not part of scripts/test.sh.
#
# Usage:
#   scripts/test/packaging/platforms.sh arm64     Linux on arm64: the command, the crates' tests, and the library in Debian's Godot for
#                                       arm64, by QEMU
#   scripts/test/packaging/platforms.sh windows   Windows on x86-64: the command, the crates' tests, and the libraries loaded, by Wine
#   scripts/test/packaging/platforms.sh macos     macOS on both processors: the command and the libraries are linked, and looked into;
#                                       nothing here can run them
#   scripts/test/packaging/platforms.sh PLATFORM command|crates|libraries
#                                       only that part of it
#   scripts/test/packaging/platforms.sh --help
#
# Needs Debian on x86-64, rustup and python3; scripts/setup.sh --arm64 and --wine are called. A comparison with the command of
# this machine needs a build of it, which is made.
#
# Environment:
#   FAST_VARIANT_CACHE  where emulators, linkers and toolchains are kept (default: ~/.cache/fast_variant)
#   CRATES              the crates to test (default: all without an engine)
#   ENGINE_TESTS        names of the tests inside Godot to run on arm64, with commas between (default: those of the layout of the
#                       engine's memory, of identical bytes and values, of threads and of O3DE)
#   ENGINE_COUNT        how many values and byte strings they compare (default: 500)

set -euo pipefail

# shellcheck source=scripts/lib/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/../../lib/common.sh"
# shellcheck source=scripts/lib/rust.sh
. "$ROOT/scripts/lib/rust.sh"
# shellcheck source=scripts/lib/python.sh
. "$ROOT/scripts/lib/python.sh"
# shellcheck source=scripts/lib/cross.sh
. "$ROOT/scripts/lib/cross.sh"
# shellcheck source=scripts/test/packaging/platforms/frameworks.sh
. "$ROOT/scripts/test/packaging/platforms/frameworks.sh"
# shellcheck source=scripts/lib/checks.sh
. "$ROOT/scripts/lib/checks.sh"
ENGINE_TIME_LIMIT=5400
# shellcheck source=scripts/lib/engine_run.sh
. "$ROOT/scripts/lib/engine_run.sh"
# shellcheck source=scripts/lib/godot_project.sh
. "$ROOT/scripts/lib/godot_project.sh"

# One for each platform, so that they can run at the same time.
readonly WORK=$ROOT/target/test_platforms/${1:-none}
# Those without an engine.
readonly ALL_CRATES="godot-variant godot-variant-codec godot-tscn o3de-json variant-schema engine-kernels godot-project gdscene-lint gdscene-refactor gdscene-journal gdscene-lsp gdscene-mcp gdscene"
# Without tests that take minutes in an emulator, and without tests that start a second Godot, which the kernel cannot do.
readonly ALL_ENGINE_TESTS=api/,framing/,identity/,o3de/,-api/collisions,-api/leaks,-api/large_values,-save_file/a_game_that_is_killed,-stream/debugger
# One profile for all, so that the tests' dependencies are built once; optimised a little, because emulators are slow.
export CARGO_PROFILE_DEV_OPT_LEVEL=1 CARGO_PROFILE_DEV_DEBUG=0 CARGO_INCREMENTAL=0

main() {
    case "${1:-}" in
        arm64 | windows | macos) ;;
        *) misused "which platform?" ;;
    esac
    case "${2:-}" in
        "" | command | crates | libraries) part=${2:-} ;;
        *) misused "unknown part \`$2\`" ;;
    esac
    require_cargo
    cd "$ROOT"
    rm -rf "$WORK"
    mkdir -p "$WORK"
    "test_$1"
    report_checks
}

# wanted PART
wanted() {
    [ -z "$part" ] || [ "$part" = "$1" ]
}

# --- Linux on arm64 -----------------------------------------------------------------------------------

test_arm64() {
    local target=aarch64-unknown-linux-gnu emulator system
    scripts/setup.sh --arm64
    emulator=$(set_prefix arm64)/usr/bin/qemu-aarch64
    system=$(set_prefix arm64-engine)
    get_target "$target" "$WORK/target.log" || fail "$target cannot be built for: $(tail -n 1 "$WORK/target.log")"
    # The emulator also starts programs that tests start, because the kernel may not be able to.
    export CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_RUNNER="$emulator -L $system"
    if wanted command; then
        check "gdscene is built for arm64" build "$target" gdscene
        check "it is a program for arm64" is_elf_for_arm64 "$(cross_folder "$target")/gdscene"
        test_command "$emulator" -L "$system" "$(cross_folder "$target")/gdscene"
    fi
    ! wanted crates || test_crates_for "$target"
    if wanted libraries; then
        check "the libraries are built for arm64" build_libraries "$target"
        test_engine_on_arm64 "$target" "$emulator" "$system"
    fi
}

is_elf_for_arm64() {
    # The machine's number in the header: 183.
    [ "$(od -An -tu2 -j18 -N2 "$1" | tr -d ' ')" = 183 ]
}

# The demo project with the library that was built, in Godot for arm64.
test_engine_on_arm64() {
    local project=$WORK/project folder=addons/fast_variant/bin/linux.arm64 file
    cp -R "$PROJECT" "$project"
    rm -rf "$project/.godot" "$project/addons/fast_variant"
    mkdir -p "$project/addons"
    cp -R addons/fast_variant "$project/addons"
    rm -rf "$project"/addons/fast_variant/bin/*
    mkdir -p "$project/$folder"
    for file in libfast_variant.so libfast_variant_editor.so; do
        cp "$(cross_folder "$1")/$file" "$project/$folder"
    done
    printf '#!/bin/sh\nexec "%s" -L "%s" "%s/usr/bin/godot" "$@"\n' "$2" "$3" "$3" >"$WORK/godot"
    chmod 755 "$WORK/godot"
    export GODOT4_BIN=$WORK/godot
    check "Godot for arm64 runs" prints "4." scripts/godot.sh --version
    check "it imports the demo project" import_project "$project"
    check "tests inside it" engine_tests "$project"
    sed -n 's/^\([0-9]* passed, .*\)/  in Godot: \1/p' "$WORK/engine.log" >&2
}

engine_tests() {
    judged_run "$WORK/engine.log" "$TESTS_SENTINEL" scripts/godot.sh --headless --quit-after "$LAST_FRAME" --path "$1" -- \
        --run-tests --filter "${ENGINE_TESTS:-$ALL_ENGINE_TESTS}" \
        --count "${ENGINE_COUNT:-500}"
}

# --- Windows on x86-64 --------------------------------------------------------------------------------

test_windows() {
    local target=x86_64-pc-windows-gnu wine
    scripts/setup.sh --wine
    wine=$(set_prefix wine)/usr/lib/wine/wine64
    get_target "$target" "$WORK/target.log" || fail "$target cannot be built for: $(tail -n 1 "$WORK/target.log")"
    # A Windows of its own, without a desktop; Wine's own libraries need one of another package.
    export WINEPREFIX=$WORK/windows WINEDEBUG=-all WINEDLLOVERRIDES='mscoree,mshtml='
    # The folder of the stored output of commands; otherwise cargo is asked, which is missing.
    export INSTA_WORKSPACE_ROOT=$ROOT
    export WINEPATH=${wine%/lib/wine/wine64}/x86_64-w64-mingw32/lib CARGO_TARGET_X86_64_PC_WINDOWS_GNU_RUNNER=$wine
    unset DISPLAY
    check "Wine makes a Windows" prints "hello" "$wine" cmd /c echo hello
    if wanted command; then
        check "gdscene is built for Windows" build "$target" gdscene
        test_command "$wine" "$(cross_folder "$target")/gdscene.exe"
    fi
    ! wanted crates || test_crates_for "$target"
    if wanted libraries; then
        check "the libraries are built for Windows" build_libraries "$target"
        test_libraries_on_windows "$target" "$wine"
    fi
}

# A program loads each library, as Godot does, and calls its entry with an engine that has no functions. The library must refuse,
# and the program must continue.
test_libraries_on_windows() {
    local library loader=$WORK/loader.exe
    check "a program that loads libraries is built" \
        "$ZIG_ENVIRONMENT/bin/python" -m ziglang cc -target x86_64-windows-gnu -o "$loader" scripts/test/packaging/platforms/load_library.c
    for library in fast_variant fast_variant_editor; do
        check "$library.dll is loaded, and its entry refuses an engine without functions" \
            prints "refused" "$2" "$loader" "$(cross_folder "$1")/$library.dll" fast_variant_init
    done
}

# --- macOS --------------------------------------------------------------------------------------------

test_macos() {
    local processor target file
    write_frameworks "$WORK/frameworks"
    # Nothing of it is run.
    export CARGO_PROFILE_DEV_OPT_LEVEL=0
    # The oldest that Rust supports on both.
    export MACOSX_DEPLOYMENT_TARGET=11.0
    export CARGO_TARGET_AARCH64_APPLE_DARWIN_RUSTFLAGS="-Clink-arg=-F$WORK/frameworks -Clink-arg=-L$WORK/frameworks"
    export CARGO_TARGET_X86_64_APPLE_DARWIN_RUSTFLAGS=$CARGO_TARGET_AARCH64_APPLE_DARWIN_RUSTFLAGS
    for processor in aarch64 x86_64; do
        target=$processor-apple-darwin
        get_target "$target" "$WORK/target.log" || fail "$target cannot be built for: $(tail -n 1 "$WORK/target.log")"
        if wanted command; then
            check "gdscene is linked for macOS on $processor" build "$target" gdscene
            check "it is a program for macOS on $processor" macho_is_right "$(cross_folder "$target")/gdscene" "$processor"
        fi
        if wanted libraries; then
            check "the libraries are linked for macOS on $processor" build_libraries "$target"
            for file in libfast_variant.dylib libfast_variant_editor.dylib; do
                check "$file is one for macOS on $processor" macho_is_right "$(cross_folder "$target")/$file" "$processor"
            done
        fi
    done
}

macho_is_right() {
    "$ZIG_ENVIRONMENT/bin/python" scripts/test/packaging/platforms/macho.py "$1" "$2"
}

# --- What all have ------------------------------------------------------------------------------------

# build TARGET PACKAGE
build() {
    cross_cargo "$1" build --quiet --package "$2"
}

# build_libraries TARGET: one at a time, as scripts/build.sh does.
build_libraries() {
    build "$1" fast-variant && build "$1" fast-variant-editor
}

# test_command COMMAND...: gdscene's output on the demo project and on broken files is the same as on this machine, byte by byte.
test_command() {
    local here=${CARGO_TARGET_DIR:-target}/debug/gdscene
    # As other scripts build it.
    env -u CARGO_PROFILE_DEV_OPT_LEVEL cargo build --quiet --package gdscene
    check "gdscene has the version" prints "gdscene $(workspace_version)" "$@" --version
    check "gdscene reports the same as here" says_the_same "$here" "$@"
    check "gdscene formats the same as here" formats_the_same "$here" "$@"
    printf '[gd_scene format=3]\n\n[node name="A" type="Node2D"]\nvisible = True\n' >"$WORK/fixed.tscn"
    check "gdscene fixes a file" "$@" fix "$WORK/fixed.tscn"
    check "it is fixed" grep -qx 'visible = true' "$WORK/fixed.tscn"
}

# says_the_same HERE COMMAND...
says_the_same() {
    local here=$1
    shift
    "$here" check --all --output concise godot_project rust/godot-tscn/fixtures >"$WORK/here.txt" || true
    "$@" check --all --output concise godot_project rust/godot-tscn/fixtures >"$WORK/there.txt" || true
    # Windows writes backslashes in the path at the beginning of a line.
    [ -s "$WORK/here.txt" ] && diff "$WORK/here.txt" <(tr -d '\r' <"$WORK/there.txt" | sed -E ':a; s|^([^:]*)\\|\1/|; ta')
}

formats_the_same() {
    local here=$1 file
    shift
    for file in rust/godot-tscn/fixtures/findings/*.tscn; do
        "$here" format - <"$file" >"$WORK/here.txt" 2>/dev/null || true
        "$@" format - <"$file" >"$WORK/there.txt" 2>/dev/null || true
        cmp "$WORK/here.txt" "$WORK/there.txt" || return 1
    done
}

# test_crates_for TARGET: each test of the crates counts.
test_crates_for() {
    local package log status
    for package in ${CRATES:-$ALL_CRATES}; do
        log=$WORK/$package.log
        status=0
        cross_cargo "$1" test --quiet --no-fail-fast --package "$package" --tests >"$log" 2>&1 || status=$?
        add_cargo_tests "$package" "$log" "$status"
    done
}

run_main "$@"
