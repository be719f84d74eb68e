#!/usr/bin/env bash
# Fuzzes the codec, the parser, formatter, fixes and merges of text scenes, and O3DE's JSON. Each target in rust/fuzz gets bytes
# from a fuzzer, under the address sanitizer. It fails if anything panics, hangs (25 s) or allocates much (256 MiB at once, 2 GiB in
# all). The targets' checks are in rust/testkit/src: codec_checks.rs, text_checks.rs, merge_checks.rs and o3de_checks.rs.
# `cargo test` runs the same checks from a seeded corpus.
#
# Usage:
#   scripts/fuzz.sh [MINUTES [TARGET...]]   each target, or the named ones, for this time (default: 20)
#   scripts/fuzz.sh --list                  names of the targets
#   scripts/fuzz.sh --asan                  the tests of the core crates under the address sanitizer
#   scripts/fuzz.sh --help
#
# The corpus grows in target/fuzz/corpus and begins with the engine's goldens, generated values and the fixtures of text
# scenes. An input that fails is left in target/fuzz/artifacts/TARGET. To keep it as a test, copy it to
# tests/fuzz_regressions/TARGET of the crate: rust/godot-variant-codec, rust/godot-tscn or rust/o3de-json.
#
# scripts/test/crates/miri.sh runs the unit tests of the crates that need no engine under Miri.
#
# The extension is not fuzzed here, because the engine is not built with the sanitizer. Instead, scripts/test/codec/valgrind.sh
# finds its wrong accesses and uses of uninitialised memory, and the tests in the engine decode tens of thousands of broken byte
# strings.
#
# Needs a nightly toolchain (rustup toolchain install nightly) and cargo-fuzz (cargo install cargo-fuzz --locked).

set -euo pipefail

# shellcheck source=scripts/lib/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

readonly WORK=$ROOT/target/fuzz
readonly FUZZ=$ROOT/rust/fuzz
readonly CORES=(-p godot-variant -p godot-variant-codec -p engine-kernels)

main() {
    case "${1:-}" in
        --list) list_targets ;;
        --asan) run_asan ;;
        -*) misused "unknown argument \`$1\`" ;;
        *) run_targets "$@" ;;
    esac
}

list_targets() {
    local target
    for target in "$FUZZ"/fuzz_targets/*.rs; do
        basename "$target" .rs
    done
}

run_targets() {
    local minutes=${1:-20} targets target failed=""
    [[ $minutes =~ ^[0-9]+$ ]] || misused "\`$minutes\` is no number of minutes"
    if [ $# -gt 1 ]; then
        targets=("${@:2}")
    else
        IFS=$'\n' read -r -d '' -a targets < <(list_targets && printf '\0')
    fi
    require_nightly
    cargo fuzz --version >/dev/null 2>&1 || fail "cargo-fuzz is needed: cargo install cargo-fuzz --locked"
    write_corpus
    for target in "${targets[@]}"; do
        say "== $target, $minutes min"
        fuzz "$target" "$minutes" || failed="$failed $target"
    done
    [ -z "$failed" ] || fail "failed:$failed. The inputs are in $WORK/artifacts; each log says what was wrong."
    say "No target failed."
}

# fuzz TARGET MINUTES
fuzz() {
    local corpus=$WORK/corpus/$1 artifacts=$WORK/artifacts/$1 log=$WORK/$1.log status=0
    mkdir -p "$corpus" "$artifacts"
    cargo +nightly fuzz run --fuzz-dir "$FUZZ" --target-dir "$WORK/target" "$1" "$corpus" -- \
        -max_total_time="$((60 * $2))" -max_len=16384 -timeout=25 -malloc_limit_mb=256 -rss_limit_mb=2048 \
        -print_final_stats=1 -artifact_prefix="$artifacts/" >"$log" 2>&1 || status=1
    grep -E '^stat::(number_of_executed_units|peak_rss_mb)|panicked at|^SUMMARY|ERROR: libFuzzer' "$log" | head -n 10 >&2 || true
    say "All it printed: $log"
    return "$status"
}

# From the crates' own tests.
write_corpus() {
    FUZZ_CORPUS=$WORK/corpus cargo test --quiet --manifest-path "$ROOT/Cargo.toml" -p godot-variant-codec -p godot-tscn -p o3de-json \
        --test tests the_corpus_can_be_written >/dev/null
}

# The standard library without the sanitizer is enough to find faults of our code. The test that counts memory has an allocator of
# its own, and documentation tests are examples.
run_asan() {
    require_nightly
    RUSTFLAGS=-Zsanitizer=address cargo +nightly test --manifest-path "$ROOT/Cargo.toml" \
        --target "$(host)" --target-dir "$WORK/asan" "${CORES[@]}" --lib \
        --test tests
}

require_nightly() {
    cargo +nightly --version >/dev/null 2>&1 ||
        fail "A nightly toolchain is needed: rustup toolchain install nightly --profile minimal"
}

host() {
    rustc +nightly -vV | sed -n 's/^host: //p'
}

run_main "$@"
