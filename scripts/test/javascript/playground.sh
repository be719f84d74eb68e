#!/usr/bin/env bash
# Tests the playground in a Chromium without a screen, as a person uses it, mostly by keys and without a network. It tries findings,
# fixes, formatting, the tree, binary values, links, each rule's example, a scene of 2 MB, light and dark. Ends with
# `N passed, N failed, N skipped`.
#
# Usage:
#   scripts/test/javascript/playground.sh
#   scripts/test/javascript/playground.sh --help
#
# If Chromium or the build tools of the page (Rust's standard library for WebAssembly) are missing, everything counts as skipped.
# Pictures of the page are left in target/npm/pictures.
#
# Environment:
#   FAST_VARIANT_CACHE  where tools are kept (default: ~/.cache/fast_variant)

set -euo pipefail

# shellcheck source=scripts/lib/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/../../lib/common.sh"
# shellcheck source=scripts/lib/programs.sh
. "$ROOT/scripts/lib/programs.sh"
# shellcheck source=scripts/lib/npm.sh
. "$ROOT/scripts/lib/npm.sh"
# shellcheck source=scripts/lib/checks.sh
. "$ROOT/scripts/lib/checks.sh"

readonly WORK=$NPM_WORK/playground_test
readonly PICTURES=$NPM_WORK/pictures

main() {
    expect_no_arguments "$@"
    cd "$ROOT"
    rm -rf "$WORK" "$PICTURES"
    mkdir -p "$WORK" "$PICTURES"
    if ! get_all >"$WORK/setup.log" 2>&1; then
        skip_all "the playground: $(tail -n 1 "$WORK/setup.log")"
    fi
    show_check "the page is not larger than it may be" scripts/package/playground.sh >&2 || true
    cp "$ROOT"/scripts/test/javascript/parts/*.mjs "$WORK"
    ln -s "$NPM_TOOLS/node_modules" "$WORK/node_modules"
    node "$WORK/playground.mjs" "$(set_prefix browser)/usr/lib/chromium/chromium" "$ROOT/target/playground" "$PICTURES" \
        >"$WORK/session.log" 2>&1 || true
    add_counts "the playground" "$WORK/session.log"
    grep '^    2 MB' "$WORK/session.log" >&2 || true
    report_checks
}

get_all() {
    get_npm_tools || { cat "$NPM_WORK/tools.log" && return 1; }
    scripts/setup.sh --browser
}

run_main "$@"
