#!/usr/bin/env bash
# Packs the published crates as for the public crate registry. Builds each from its own package, with the other packages in the
# place of the registry: a build fails if its package lacks something. Then looks at each package, and lets the program that was
# built from the packages check a broken scene. Ends with `N passed, N failed, N skipped`.
#
# Usage:
#   scripts/test/packaging/crates.sh
#   scripts/test/packaging/crates.sh --help
#
# Needs python3, and the registry: dependencies are resolved as in a normal installation.
#
# Environment:
#   CARGO_TARGET_DIR and cargo's other variables are respected.

set -euo pipefail

# shellcheck source=scripts/lib/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/../../lib/common.sh"
# shellcheck source=scripts/lib/rust.sh
. "$ROOT/scripts/lib/rust.sh"
# shellcheck source=scripts/lib/checks.sh
. "$ROOT/scripts/lib/checks.sh"

readonly WORK=$ROOT/target/test_crates
# It is built once, and not debugged.
export CARGO_INCREMENTAL=0 CARGO_PROFILE_DEV_DEBUG=0

main() {
    expect_no_arguments "$@"
    require_cargo
    have python3 || fail "there is no python3, which reads what cargo tells of the packages."
    cd "$ROOT"
    rm -rf "$WORK"
    mkdir -p "$WORK"
    local target package names=()
    target=${CARGO_TARGET_DIR:-target}
    while IFS= read -r package; do
        names+=(-p "$package")
    done < <(published_packages)
    [ ${#names[@]} -gt 0 ] || fail "no package of the workspace is published."
    forget_unpacked_packages
    # Also with uncommitted changes, because the next commit will contain them.
    check "all packages build from what they contain" cargo package --quiet --allow-dirty "${names[@]}"
    while IFS= read -r package; do
        check "$package is complete" package_is_complete "$target/package/$package-$(workspace_version).crate"
    done < <(published_packages)
    check "the packed program works" program_works "$target"
    report_checks
}

published_packages() {
    cargo metadata --format-version 1 --no-deps --locked |
        python3 -c 'import json, sys
for package in json.load(sys.stdin)["packages"]:
    if package["publish"] is None: print(package["name"])'
}

# cargo unpacks a package into its home once for each name, version and path of a target folder. With the packages of an earlier run
# in the same folder, it would build the dependants against the old sources.
forget_unpacked_packages() {
    local package unpacked
    while IFS= read -r package; do
        # Those of a registry that is a folder have no host before the `-`.
        for unpacked in "${CARGO_HOME:-$HOME/.cargo}"/registry/src/-*/"$package-$(workspace_version)"; do
            rm -rf "$unpacked"
        done
    done < <(published_packages)
}

package_is_complete() {
    python3 "$ROOT/scripts/test/packaging/crate_package.py" "$1" "$ROOT/LICENSE"
}

# cargo has put the program that it built last, from its package, where it puts all programs.
program_works() {
    local status=0
    printf '[gd_scene format=3]\n\n[node name="A" type="Node2D"]\nposition = Vector2(1, 2\n' >"$WORK/broken.tscn"
    "$1/debug/gdscene" check "$WORK/broken.tscn" >"$WORK/output" || status=$?
    [ "$status" = 1 ] && grep -q SYN007 "$WORK/output"
}

run_main "$@"
