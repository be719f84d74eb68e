#!/usr/bin/env bash
# Tries a release with the program that makes it, `dist`. Checks that it accepts Cargo.toml, that the workflow is the one that it
# writes, and that the addresses agree. Then builds the installers, and lets the one for shells install a local archive. Ends with
# `N passed, N failed, N skipped`.
#
# Usage:
#   scripts/test/packaging/release.sh
#   scripts/test/packaging/release.sh --generate   write .github/workflows/release.yml again, and test nothing
#   scripts/test/packaging/release.sh --help
#
# Needs dist (the crate cargo-dist) in the version in Cargo.toml. The first run builds it (five to ten minutes on two cores) and
# keeps it in the cache.
#
# Environment:
#   FAST_VARIANT_CACHE  where it is kept (default: ~/.cache/fast_variant)

set -euo pipefail

# shellcheck source=scripts/lib/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/../../lib/common.sh"
# shellcheck source=scripts/lib/programs.sh
. "$ROOT/scripts/lib/programs.sh"
# shellcheck source=scripts/lib/rust.sh
. "$ROOT/scripts/lib/rust.sh"
# shellcheck source=scripts/lib/release.sh
. "$ROOT/scripts/lib/release.sh"
# shellcheck source=scripts/lib/checks.sh
. "$ROOT/scripts/lib/checks.sh"

readonly WORK=$ROOT/target/test_release
# It is built once, and not debugged.
export CARGO_INCREMENTAL=0 CARGO_PROFILE_DEV_DEBUG=0
# The folder of dist's results.
readonly MADE=$ROOT/target/distrib

main() {
    case "${1:-}" in
        "" | --generate) ;;
        *) misused "unknown argument \`$1\`" ;;
    esac
    require_cargo
    cd "$ROOT"
    rm -rf "$WORK"
    mkdir -p "$WORK"
    dist=$(cargo_dist)
    if [ "${1:-}" = --generate ]; then
        "$dist" generate --mode ci
        return
    fi
    check "the workflow is what dist writes" "$dist" generate --mode ci --check
    check "dist plans a release" plan
    test_plan
    check "the addresses agree" addresses_agree
    check "the versions agree" versions_agree
    test_installer
    report_checks
}

# Prints the path of the program, which is built if it is missing.
cargo_dist() {
    local version folder
    version=$(sed -n 's/^cargo-dist-version *= *"\(.*\)"/\1/p' Cargo.toml)
    folder=$(cache_folder)/cargo-dist-$version
    if ! [ -x "$folder/bin/dist" ]; then
        say "Building dist $version ..."
        # Not in our folder: cargo would take its configuration, and our target folder.
        (cd / && cargo install cargo-dist --version "$version" --locked --quiet --profile dev --root "$folder" \
            --target-dir "$folder/target" >&2) ||
            fail "dist $version cannot be built; see above."
        rm -rf "$folder/target"
    fi
    printf '%s\n' "$folder/bin/dist"
}

plan() {
    "$dist" plan --output-format json >"$WORK/plan.json"
}

# The names in the action's install.sh, the templates and install.md.
test_plan() {
    local target name
    for target in $(sed -n '/^targets = \[/,/^\]/ s/^ *"\(.*\)",/\1/p' Cargo.toml); do
        name=gdscene-$target.tar.gz
        case "$target" in *-windows-*) name=gdscene-$target.zip ;; esac
        check "$name is released with its checksum" planned "$name" "$name.sha256"
    done
    check "installers are released" planned gdscene-installer.sh gdscene-installer.ps1 gdscene.rb
    check "nothing else is released than gdscene" only_gdscene
}

planned() {
    python3 -c 'import json, sys
missing = set(sys.argv[2:]) - set(json.load(open(sys.argv[1]))["artifacts"])
sys.exit(f"dist does not make {missing}" if missing else 0)' "$WORK/plan.json" "$@"
}

only_gdscene() {
    python3 -c 'import json, sys
names = [release["app_name"] for release in json.load(open(sys.argv[1]))["releases"]]
sys.exit(0 if names == ["gdscene"] else f"dist releases {names}")' "$WORK/plan.json"
}

# The owner writes the address into Cargo.toml; here, its other places are compared with it.
addresses_agree() {
    grep -qx "tap = \"$(repository_owner)/homebrew-tap\"" Cargo.toml || {
        printf 'the tap in Cargo.toml is not one of %s\n' "$(repository_owner)"
        return 1
    }
    grep -qx "homepage = \"$(repository_address)\"" Cargo.toml || {
        printf 'the homepage in Cargo.toml is not %s\n' "$(repository_address)"
        return 1
    }
    grep -qx "    REPOSITORY=$(repository_address)" rust/docs/install.md || {
        printf 'rust/docs/install.md does not have the line REPOSITORY=%s\n' "$(repository_address)"
        return 1
    }
}

# The crates require each other in their current version.
versions_agree() {
    local others
    others=$(sed -n 's|^.* path = "rust/.*version = "\(.*\)" }|\1|p' Cargo.toml | grep -vxF "$(workspace_version)") || return 0
    printf 'Cargo.toml wants crates of its own in the version %s\n' "$others"
    return 1
}

# --- The installer ------------------------------------------------------------------------------------

# Only in the release workflow dist knows the checksums of all archives, and writes them into the installer.
test_installer() {
    local home=$WORK/home name=gdscene-x86_64-unknown-linux-gnu version
    version=$(workspace_version)
    mkdir -p "$WORK/$name" "$home" target/distrib
    cp "$(built gdscene)" LICENSE "$WORK/$name"
    tar -czf "$MADE/$name.tar.gz" -C "$WORK" "$name"
    (cd "$MADE" && sha256sum "$name.tar.gz" >"$name.tar.gz.sha256")
    check "dist makes the installers" "$dist" build --artifacts=global
    check "the formula for Homebrew is Ruby's" formula_is_whole
    check "the installer for shells installs gdscene" install "$home"
    check "what it installed runs" prints "gdscene $version" "$home/.cargo/bin/gdscene" --version
    check "without an archive it fails, and installs nothing" nothing_from_nowhere "$WORK/empty"
}

install() {
    env -i PATH="$PATH" HOME="$1" GDSCENE_DOWNLOAD_URL="file://$MADE" GDSCENE_NO_MODIFY_PATH=1 \
        sh "$MADE/gdscene-installer.sh" --verbose
}

nothing_from_nowhere() {
    ! env -i PATH="$PATH" HOME="$1" GDSCENE_DOWNLOAD_URL="file://$WORK/nowhere" GDSCENE_NO_MODIFY_PATH=1 \
        sh "$MADE/gdscene-installer.sh" && [ ! -e "$1/.cargo/bin/gdscene" ]
}

formula_is_whole() {
    grep -q '^class Gdscene < Formula$' "$MADE/gdscene.rb" && grep -q 'aarch64-apple-darwin' "$MADE/gdscene.rb"
}

run_main "$@"
