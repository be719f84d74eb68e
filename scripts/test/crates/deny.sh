#!/usr/bin/env bash
# Checks the crates of others that we build with, by the rules in .deny.toml: their licences, their source (cargo's own registry),
# and known holes. None of the cores may depend on the engine. Ends with `N passed, N failed, N skipped`: the list of holes has to
# be fetched, and where it cannot be, that check is skipped.
#
# Usage:
#   scripts/test/crates/deny.sh
#   scripts/test/crates/deny.sh --help
#
# Needs cargo-deny: the first run builds it (two to three minutes on two cores) and keeps it in the cache.
#
# Environment:
#   FAST_VARIANT_CACHE  where it is kept (default: ~/.cache/fast_variant)

set -euo pipefail

# shellcheck source=scripts/lib/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/../../lib/common.sh"
# shellcheck source=scripts/lib/rust.sh
. "$ROOT/scripts/lib/rust.sh"
# shellcheck source=scripts/lib/checks.sh
. "$ROOT/scripts/lib/checks.sh"

# .deny.toml is written for it.
readonly VERSION=0.20.2
# git would otherwise ask for a password where it is led to the wrong place, or wait for ever.
export GIT_TERMINAL_PROMPT=0 GIT_HTTP_LOW_SPEED_LIMIT=1000 GIT_HTTP_LOW_SPEED_TIME=30

main() {
    expect_no_arguments "$@"
    require_cargo
    cd "$ROOT"
    local program check
    program=$(cargo_deny)
    for check in licenses bans sources; do
        show_check "$check" "$program" --locked check "$check" >&2 || true
    done
    if holes_are_fetched "$program"; then
        show_check advisories "$program" --locked check --disable-fetch advisories >&2 || true
    fi
    report_checks
}

# Prints the path of the program, which is built if it is missing.
cargo_deny() {
    local folder program
    folder=$(cache_folder)/cargo-deny-$VERSION
    program=$folder/bin/cargo-deny
    if ! [ -x "$program" ]; then
        say "Building cargo-deny $VERSION ..."
        # Not in our folder: cargo would take its configuration, and our target folder.
        (cd / && cargo install cargo-deny --version "$VERSION" --locked --quiet --root "$folder" \
            --target-dir "$folder/target" >&2) ||
            fail "cargo-deny $VERSION cannot be built; see above."
        rm -rf "$folder/target"
    fi
    printf '%s\n' "$program"
}

holes_are_fetched() {
    local answer
    answer=$("$1" fetch db 2>&1) && return
    skip "known holes (advisories): the list of them is not reachable:"
    say "$(printf '%s\n' "$answer" | tail -n 1)"
    return 1
}

run_main "$@"
