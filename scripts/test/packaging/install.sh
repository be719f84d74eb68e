#!/usr/bin/env bash
# Installs gdscene in the ways that need no release: the wheel by pip into a clean environment, the hooks by the real pre-commit
# from a clone, and an archive by the steps of the GitHub action. Ends with `N passed, N failed, N skipped`.
#
# Usage:
#   scripts/test/packaging/install.sh [--release]
#   scripts/test/packaging/install.sh --help
#
#   --release   test a release build; otherwise one without optimisations
#
# Needs git, curl and python3; maturin and pre-commit are installed with pip into environments in the cache. Where they cannot be
# had, all counts as skipped, unless CI=true.
#
# Environment:
#   FAST_VARIANT_CACHE  where the environments are kept (default: ~/.cache/fast_variant)

set -euo pipefail

# shellcheck source=scripts/lib/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/../../lib/common.sh"
# shellcheck source=scripts/lib/rust.sh
. "$ROOT/scripts/lib/rust.sh"
# shellcheck source=scripts/lib/python.sh
. "$ROOT/scripts/lib/python.sh"
# shellcheck source=scripts/lib/release.sh
. "$ROOT/scripts/lib/release.sh"
# shellcheck source=scripts/lib/checks.sh
. "$ROOT/scripts/lib/checks.sh"

readonly WORK=$ROOT/target/test_install
# It is built once, and not debugged.
export CARGO_INCREMENTAL=0 CARGO_PROFILE_DEV_DEBUG=0
readonly WHEELS=$WORK/wheels
readonly GAME=$WORK/game
readonly BROKEN='[gd_scene format=3]

[node name="A" type="Node2D"]
position = Vector2(1, 2
'
readonly GOOD='[gd_scene format=3]

[node name="A" type="Node2D"]
position = Vector2(1, 2)
'
# Content that differs from Godot's format only.
readonly UGLY='[gd_scene format=3]

[node name="A" type="Node2D"]
position=Vector2( 1,2 )
'
# Godot refuses `True`.
readonly FIXABLE='[gd_scene format=3]

[node name="A" type="Node2D"]
visible = True
'

version=$(workspace_version)
# pip takes wheels from there, and nothing from the network.
export PIP_DISABLE_PIP_VERSION_CHECK=1
# The build tool of the hooks' repository.
readonly BUILD_BACKEND=setuptools==80.9.0

main() {
    local profile=--debug python tool
    case "${1:-}" in
        "") ;;
        --release) profile="" ;;
        *) misused "unknown argument \`$1\`" ;;
    esac
    require_cargo
    for tool in git curl; do
        have "$tool" || fail "there is no \`$tool\`."
    done
    cd "$ROOT"
    rm -rf "$WORK"
    mkdir -p "$WHEELS"
    if ! python=$(python_with pre-commit "$ROOT/scripts/lib/python/pre_commit.txt" "$WORK/install.log"); then
        [ "${CI:-}" != true ] || fail "pre-commit cannot be installed:" "$(tail -n 3 "$WORK/install.log")"
        skip_all "installing: $(tail -n 1 "$WORK/install.log")"
    fi
    scripts/package/wheel.sh $profile >"$WORK/wheel.log"
    cp "$(sed -n 's/: [0-9.]* MB$//p' "$WORK/wheel.log")" "$WHEELS"
    scripts/package/channels.sh >"$WORK/channels.log"
    "$python/bin/python" -m pip download --quiet --no-deps --dest "$WHEELS" "$BUILD_BACKEND" >&2
    export PIP_NO_INDEX=1 PIP_FIND_LINKS=$WHEELS
    test_wheel
    test_hooks "$python/bin/pre-commit"
    test_archive
    test_scoop
    report_checks
}

# --- The wheel ----------------------------------------------------------------------------------------

test_wheel() {
    local environment=$WORK/environment
    python3 -m venv "$environment"
    check "pip installs the wheel" "$environment/bin/pip" install --quiet gdscene-cli
    check "the program has the version" prints "gdscene $version" "$environment/bin/gdscene" --version
    check "python -m gdscene_cli runs it" prints "gdscene $version" "$environment/bin/python" -m gdscene_cli --version
    check "pip tells the same version" prints "Version: $version" "$environment/bin/pip" show gdscene-cli
    check "the licences of what it contains are there" licenses_are_there "$environment"
    printf '%s' "$BROKEN" >"$WORK/broken.tscn"
    check "python -m gdscene_cli ends with the status of gdscene" \
        refuses SYN007 "$environment/bin/python" -m gdscene_cli check "$WORK/broken.tscn"
    check "pip install --target works without a PATH" installs_elsewhere "$environment"
    rm "$environment/bin/gdscene"
    check "a program that is gone is named" refuses "there is no gdscene" "$environment/bin/python" -m gdscene_cli
    check "pip removes it" "$environment/bin/pip" uninstall --quiet --yes gdscene-cli
    check "nothing is left" nothing_is_left "$environment"
}

licenses_are_there() {
    local folder
    folder=$(compgen -G "$1/lib/python3*/site-packages/gdscene_cli-$version.dist-info/licenses") || return 1
    cmp "$folder/LICENSE" LICENSE && grep -q '^clap ' "$folder/THIRD_PARTY_LICENSES.txt"
}

installs_elsewhere() {
    "$1/bin/pip" install --quiet --target "$WORK/elsewhere" gdscene-cli &&
        PYTHONPATH=$WORK/elsewhere prints "gdscene $version" python3 -m gdscene_cli --version
}

nothing_is_left() {
    [ -z "$(find "$1" -name '*gdscene*')" ]
}

# --- pre-commit ---------------------------------------------------------------------------------------

# test_hooks PRE_COMMIT
test_hooks() {
    local pre_commit=$1 hooks=$WORK/hooks
    export PRE_COMMIT_HOME=$WORK/pre_commit_home
    # Nothing of the user's configuration of git.
    export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null
    cp -R dist/channels/pre-commit "$hooks"
    make_repository "$hooks"
    git -C "$hooks" tag "v$version"
    mkdir "$GAME"
    printf 'repos:\n  - repo: file://%s\n    rev: v%s\n    hooks:\n%s\n' "$hooks" "$version" \
        "$(printf '      - id: %s\n' gdscene-check gdscene-fix gdscene-format)" >"$GAME/.pre-commit-config.yaml"
    printf '%s' "$GOOD" >"$GAME/level.tscn"
    make_repository "$GAME"
    cd "$GAME"
    check "pre-commit takes the list of hooks" "$pre_commit" validate-manifest "$hooks/.pre-commit-hooks.yaml" \
        "$ROOT/.pre-commit-hooks.yaml"
    check "pre-commit installs gdscene" "$pre_commit" install --install-hooks
    check "a good scene passes all hooks" "$pre_commit" run --all-files
    printf '%s' "$BROKEN" >level.tscn
    git add level.tscn
    check "a broken scene fails" refuses SYN007 "$pre_commit" run gdscene-check
    check "git does not commit it" refuses SYN007 git -c user.name=a -c user.email=a@example.org commit --message broken
    repairs "$pre_commit" gdscene-format "$UGLY"
    repairs "$pre_commit" gdscene-fix "$FIXABLE"
    cd "$ROOT"
}

# repairs PRE_COMMIT HOOK TEXT: the hook changes the file, fails because of that, and passes once it is added.
repairs() {
    printf '%s' "$3" >level.tscn
    git add level.tscn
    check "$2 repairs, and says so by failing" refuses "files were modified by this hook" "$1" run "$2"
    check "$2 has changed the file" refuses "level.tscn" git diff --exit-code --stat
    git add level.tscn
    check "$2 passes after that" "$1" run "$2"
    check "what $2 wrote has nothing to report" "$1" run gdscene-check
}

make_repository() {
    git -C "$1" init --quiet
    git -C "$1" add --all
    git -C "$1" -c user.name=a -c user.email=a@example.org commit --quiet --message first
}

# --- Archives -----------------------------------------------------------------------------------------

# As in the release, but next to us.
test_archive() {
    local target=x86_64-unknown-linux-musl install=$ROOT/.github/actions/gdscene/install.sh
    local releases=$WORK/releases name=gdscene-x86_64-unknown-linux-musl
    export GDSCENE_RELEASES=file://$releases GDSCENE_TARGET=$target
    mkdir -p "$releases/v$version" "$WORK/archive/$name"
    python3 -c 'import sys, zipfile
for file in zipfile.ZipFile(sys.argv[1]).infolist():
    if file.filename.endswith("/scripts/gdscene"): sys.stdout.buffer.write(zipfile.ZipFile(sys.argv[1]).read(file))' \
        "$WHEELS"/gdscene_cli-*.whl >"$WORK/archive/$name/gdscene"
    chmod 755 "$WORK/archive/$name/gdscene"
    tar -czf "$releases/v$version/$name.tar.gz" -C "$WORK/archive" "$name"
    (cd "$releases/v$version" && sha256sum "$name.tar.gz" >"$name.tar.gz.sha256")
    check "the action installs an archive with the right checksum" prints "gdscene $version" \
        "$install" "$version" "$WORK/action/good"
    printf 'more' >>"$releases/v$version/$name.tar.gz"
    check "the action refuses an archive that was changed" refuses "and the release says" \
        "$install" "$version" "$WORK/action/changed"
    : >"$releases/v$version/$name.tar.gz.sha256"
    check "the action refuses an empty checksum" refuses "and the release says" "$install" "$version" "$WORK/action/empty"
    check "nothing of them is installed" is_absent "$WORK/action/changed" "$WORK/action/empty"
    check "the action says that a version is not released" refuses "is 9.9.9 a released version?" \
        "$install" 9.9.9 "$WORK/action/none"
}

is_absent() {
    local path
    for path in "$@"; do
        [ ! -e "$path" ] || return 1
    done
}

test_scoop() {
    local sums=$WORK/sums sum
    sum=$(printf 'a' | sha256sum | cut -c 1-64)
    printf '%s  gdscene-%s-pc-windows-msvc.zip\n' "$sum" x86_64 "$sum" aarch64 >"$sums"
    check "the manifest for Scoop has the checksums" scoop_has "$sums" "$sum"
    sed -i '1d' "$sums"
    check "a checksum that is missing is named" refuses "gdscene-x86_64-pc-windows-msvc.zip" \
        scripts/package/channels.sh --checksums "$sums"
    scripts/package/channels.sh >/dev/null
}

scoop_has() {
    scripts/package/channels.sh --checksums "$1" &&
        python3 -c 'import json, sys
manifest = json.load(open(sys.argv[1]))
hashes = [architecture["hash"] for architecture in manifest["architecture"].values()]
sys.exit(hashes != [sys.argv[2]] * 2)' dist/channels/scoop/gdscene.json "$2"
}

run_main "$@"
