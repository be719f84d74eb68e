#!/usr/bin/env bash
# Writes the files for other ways to install gdscene, in dist/channels: the repository for pre-commit, the manifest for Scoop and
# the template for GitLab. The release workflow publishes them.
#
# Usage:
#   scripts/package/channels.sh [--checksums FILE]
#   scripts/package/channels.sh --help
#
#   --checksums FILE   SHA-256 of the release's archives, as `sha256sum` prints them; without it, there is no manifest for Scoop
#
# The addresses in them follow from `repository` in Cargo.toml.

set -euo pipefail

# shellcheck source=scripts/lib/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/../lib/common.sh"
# shellcheck source=scripts/lib/rust.sh
. "$ROOT/scripts/lib/rust.sh"
# shellcheck source=scripts/lib/release.sh
. "$ROOT/scripts/lib/release.sh"

readonly TEMPLATES=$ROOT/rust/packaging
readonly OUTPUT=$ROOT/dist/channels

main() {
    local checksums=""
    while [ $# -gt 0 ]; do
        case "$1" in
            --checksums)
                [ -f "${2:-}" ] || misused "--checksums needs a file"
                checksums=$(cd "$(dirname "$2")" && pwd)/$(basename "$2")
                shift
                ;;
            *) misused "unknown argument \`$1\`" ;;
        esac
        shift
    done
    rm -rf "$OUTPUT"
    mkdir -p "$OUTPUT"
    make_pre_commit_repository "$OUTPUT/pre-commit"
    fill_template "$TEMPLATES/gitlab/gdscene.yml.in" >"$OUTPUT/gdscene.gitlab.yml"
    if [ -n "$checksums" ]; then
        mkdir "$OUTPUT/scoop"
        fill_template "$TEMPLATES/scoop/gdscene.json.in" "$checksums" >"$OUTPUT/scoop/gdscene.json"
    fi
    (cd "$OUTPUT" && find . -type f | sort | sed "s|^\./|dist/channels/|")
}

# make_pre_commit_repository FOLDER: its files. The hooks are ours, only that pre-commit installs the program.
make_pre_commit_repository() {
    mkdir -p "$1"
    {
        printf '# Hooks for https://pre-commit.com; README.md describes their use.\n'
        sed -e '1{/^#/d;}' -e 's/^  language: system$/  language: python/' "$ROOT/.pre-commit-hooks.yaml"
    } >"$1/.pre-commit-hooks.yaml"
    fill_template "$TEMPLATES/pre-commit/pyproject.toml.in" >"$1/pyproject.toml"
    fill_template "$TEMPLATES/pre-commit/README.md.in" >"$1/README.md"
    cp "$ROOT/LICENSE" "$1/LICENSE"
}

run_main "$@"
