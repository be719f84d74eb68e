#!/usr/bin/env bash
# All tests: formatting, lints, the crates' own tests, and comparisons with a real Godot, in the editor's program and in an
# exported release build. Ends with `N passed, N failed, N skipped`.
#
# Usage:
#   scripts/test.sh                     a sample of each kind, chosen by a seed: minutes
#   scripts/test.sh --all               everything, with the libraries as they ship: an hour
#   scripts/test.sh --group NAME        all tests of an area: crates, codec, scenes, project, editor, servers, javascript,
#                                       packaging, docs or performance; may be repeated
#   scripts/test.sh --changed [REV]     all tests of the areas with files that differ from REV (default: HEAD)
#   scripts/test.sh --step NAME [-- ARGUMENTS]
#                                       one step, with its dependencies; arguments are for its script
#   scripts/test.sh --list              print all steps
#   scripts/test.sh --help
#
#   --seed N   choose this sample and these random inputs (default: another one each time; it is printed)
#   --jobs N   run N steps at a time (default: one for each core)
#
# Prints a line for each step that has ended, and at the end why steps failed. All that they say goes to
# target/engine/steps/NAME.log as they run.
#
# Environment:
#   FV_SHARED     folder of shared test data (default: ../shared). Tests that need it are skipped without it, but fail if
#                 CI=true.
#   O3DE_VECTORS  file, or folder of *.jsonl, with other vectors of O3DE than those of FV_SHARED: an absolute path. How many
#                 there are is printed and not asserted.

set -euo pipefail

# shellcheck source=scripts/lib/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"
# shellcheck source=scripts/lib/rust.sh
. "$ROOT/scripts/lib/rust.sh"

main() {
    cd "$ROOT"
    require_cargo
    # Absolute, because cargo runs each crate's tests in its own folder.
    FV_SHARED=$(absolute_path "${FV_SHARED:-../shared}")
    export FV_SHARED
    cargo build --quiet --package xtask
    exec "${CARGO_TARGET_DIR:-target}/debug/xtask" "$@"
}

run_main "$@"
