#!/usr/bin/env bash
# Installs a released gdscene, if its archive has the checksum that the release tells.
#
# Usage:
#   install.sh VERSION FOLDER   e.g. install.sh 0.1.0 "$RUNNER_TEMP/gdscene"
#
# Environment:
#   GDSCENE_RELEASES  where the releases are (default: those of the repository that this script lies in)
#   GDSCENE_TARGET    the archive to take, e.g. x86_64-unknown-linux-musl (default: that for this machine)

set -euo pipefail

readonly MANIFEST=$(dirname "${BASH_SOURCE[0]}")/../../../Cargo.toml

main() {
    local version=${1:?"the version is missing"} folder=${2:?"the folder is missing"} target archive program=gdscene
    target=${GDSCENE_TARGET:-$(machine_target)}
    case "$target" in
        *-windows-*) archive=gdscene-$target.zip program=gdscene.exe ;;
        *) archive=gdscene-$target.tar.gz ;;
    esac
    # Not `local`: the trap is run when the function has ended.
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
    download "$version" "$archive"
    download "$version" "$archive.sha256"
    check_sum "$archive"
    unpack "$archive"
    mkdir -p "$folder"
    mv "$(find "$work" -name "$program" -type f)" "$folder/$program"
    "$folder/$program" --version
}

machine_target() {
    case "$(uname -s)-$(uname -m)" in
        Linux-x86_64) printf 'x86_64-unknown-linux-musl\n' ;;
        Linux-aarch64) printf 'aarch64-unknown-linux-musl\n' ;;
        Darwin-arm64) printf 'aarch64-apple-darwin\n' ;;
        Darwin-x86_64) printf 'x86_64-apple-darwin\n' ;;
        MINGW*-x86_64 | MSYS*-x86_64) printf 'x86_64-pc-windows-msvc\n' ;;
        MINGW*-aarch64 | MSYS*-aarch64) printf 'aarch64-pc-windows-msvc\n' ;;
        *) fail "there is no gdscene for $(uname -s) on $(uname -m); \`cargo install gdscene\` builds one" ;;
    esac
}

# download VERSION NAME
download() {
    local address
    address=${GDSCENE_RELEASES:-$(sed -n 's/^repository *= *"\(.*\)"/\1/p' "$MANIFEST")/releases/download}/v$1/$2
    curl --fail --silent --show-error --location --retry 3 --output "$work/$2" "$address" ||
        fail "$address cannot be downloaded: is $1 a released version?"
}

# check_sum NAME: macOS has another program for it.
check_sum() {
    local wanted found
    wanted=$(cut -c 1-64 "$work/$1.sha256")
    if command -v sha256sum >/dev/null; then
        found=$(sha256sum "$work/$1" | cut -c 1-64)
    else
        found=$(shasum -a 256 "$work/$1" | cut -c 1-64)
    fi
    [ "${#found}" = 64 ] && [ "$found" = "$wanted" ] || fail "$1 has the SHA-256 $found, and the release says $wanted"
}

unpack() {
    case "$1" in
        *.zip) unzip -q "$work/$1" -d "$work" ;;
        *) tar -xzf "$work/$1" -C "$work" ;;
    esac
}

fail() {
    printf 'error: %s\n' "$1" >&2
    exit 1
}

main "$@"
