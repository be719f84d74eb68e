#!/usr/bin/env bash
# Tests the addon as users get it. Packs it and unpacks it into an empty project and into projects of others. Opens each in the
# editor without a window, enables the plugin, uses it, exports a release build and runs that. Godot's own installer of assets
# installs it, too. Ends with `N passed, N failed, N skipped`. Needs scripts/build.sh.
#
# Usage:
#   scripts/test/packaging/addon.sh [PACKAGE.zip]   without a package, one is made of the libraries that are built
#   scripts/test/packaging/addon.sh --help
#
# Environment:
#   FV_SHARED  folder of shared test data (default: ../shared); without it only the empty project is tested

# No `set -e`: a step that fails does not end the run.
set -uo pipefail

# shellcheck source=scripts/lib/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/../../lib/common.sh"
# shellcheck source=scripts/lib/engine_run.sh
. "$ROOT/scripts/lib/engine_run.sh"
# shellcheck source=scripts/lib/godot_project.sh
. "$ROOT/scripts/lib/godot_project.sh"
# shellcheck source=scripts/lib/checks.sh
. "$ROOT/scripts/lib/checks.sh"

readonly OUTPUT=$ENGINE_OUTPUT/package
# Projects with scenes of Godot 4. The shared data have no pictures, sounds and scripts: Godot's messages about these are not judged
# here.
readonly FOREIGN="KenneyNL__Starter-Kit-FPS statico__godot-roguelike-example"
# Messages that would be ours.
readonly OURS='addons/fast_variant|fast_variant::|GDExtension|Leaked instance: (FastVariant|Scene|Variant)'
# The maximum size of the library that games contain.
readonly MAX_LIBRARY_SIZE=5200000
readonly EDITOR_ONLY="^ERROR: \`SceneRewriter.format\` is part of FastVariant's library for the editor"

main() {
    local package shared project
    [[ ${1:-} != -* ]] || misused "unknown argument \`$1\`"
    rm -rf "$OUTPUT"
    mkdir -p "$OUTPUT"
    if [ $# -gt 0 ]; then
        package=$(absolute_path "$1")
    else
        show_check "the package is made twice and is the same" make_package
        package=$(compgen -G "$ROOT/dist/fast_variant-*.zip" | head -n 1)
    fi
    [ -f "$package" ] || fail "There is no package."
    show_check "a local build is not packed by accident" local_builds_are_refused
    show_check "what a Git host packs is the addon alone" archive_is_addon
    show_check "Godot's installer puts the addon where unzip does" installer_does_as_unzip
    show_check "the test of the installer tells where the addon ends" installer_leaves_out_single_root
    test_project empty
    shared=$(absolute_path "${FV_SHARED:-$ROOT/../shared}")/corpus
    for project in $FOREIGN; do
        if [ -d "$shared/$project" ]; then
            test_project "$project" "$shared/$project"
        elif [ "${CI:-}" = true ]; then
            flunk "$project: not there"
        else
            skip "$project"
        fi
    done
    report_checks
}

make_package() {
    local how=--built
    ! is_local_build || how=--local
    "$ROOT/scripts/package.sh" "$how" >"$OUTPUT/package.txt" 2>&1 || { cat "$OUTPUT/package.txt" >&2 && return 1; }
    cp "$ROOT/dist/SHA256SUMS" "$OUTPUT/SHA256SUMS"
    "$ROOT/scripts/package.sh" "$how" >/dev/null 2>&1 && cmp "$ROOT/dist/SHA256SUMS" "$OUTPUT/SHA256SUMS" &&
        (cd "$ROOT/dist" && sha256sum --quiet --check SHA256SUMS)
}

is_local_build() {
    LC_ALL=C grep -qs 'fast_variant: a local build' "$ROOT"/addons/fast_variant/bin/*/*fast_variant.*
}

local_builds_are_refused() {
    ! is_local_build || ! "$ROOT/scripts/package.sh" --built >"$OUTPUT/refused.txt" 2>&1
}

# The attributes are those of the files that are here, not those of the commit.
archive_is_addon() {
    local listing=$OUTPUT/archive.txt
    git -C "$ROOT" archive --worktree-attributes --format=tar HEAD | tar -tf - | grep -v '/$' | sort >"$listing"
    git -C "$ROOT" ls-tree -r --name-only HEAD addons/fast_variant | sort | diff - "$listing" >&2 ||
        complain "$listing" "git archive packs other files than the addon's"
}

# --- Godot's installer --------------------------------------------------------------------------------

installer_does_as_unzip() {
    local work=$OUTPUT/installer log=$OUTPUT/installer.log
    install_by_engine "$work" "$package" || return 1
    mkdir -p "$OUTPUT/unzipped" && (cd "$OUTPUT/unzipped" && unzip -q "$package") || return 1
    diff -r -x '*.import' "$work/addons" "$OUTPUT/unzipped/addons" >&2 || complain "$log" "it installed other files than unzip" || return 1
    # Nothing else comes into the project.
    [ "$(project_entries "$OUTPUT/unzipped")" = '.fast_variant_installed addons ' ] ||
        complain "$log" "unzip leaves $(project_entries "$OUTPUT/unzipped")" || return 1
    [ "$(project_entries "$work")" = "$(project_entries "$OUTPUT/unzipped")installer_test " ] ||
        complain "$log" "the installer leaves $(project_entries "$work")"
}

# The reason for a second folder at the top of our archive: the result of an archive without it.
installer_leaves_out_single_root() {
    local work=$OUTPUT/single_root
    mkdir -p "$OUTPUT/single_root.files" && cp -R "$OUTPUT/unzipped/addons" "$OUTPUT/single_root.files" || return 1
    python3 "$ROOT/scripts/package/zip_folder.py" "$OUTPUT/single_root.files" "$OUTPUT/single_root.zip" 1700000000 || return 1
    install_by_engine "$work" "$OUTPUT/single_root.zip" && [ -f "$work/fast_variant/plugin.cfg" ] && [ ! -e "$work/addons" ] ||
        complain "$work.log" "the installer left: $(project_entries "$work")"
}

# install_by_engine PROJECT ARCHIVE: into a new project.
install_by_engine() {
    mkdir -p "$1"
    cp -R "$PROJECT/tests/package/installer_test" "$1"
    printf '%s\n' 'config_version=5' '' '[application]' '' 'config/name="installer"' '' '[editor_plugins]' '' \
        'enabled=PackedStringArray("res://installer_test/plugin.cfg")' >"$1/project.godot"
    FV_ARCHIVE=$2 limited "$ROOT/scripts/godot.sh" --headless --editor --quit-after "$LAST_EDITOR_FRAME" --path "$1" \
        >"$1.log" 2>&1 </dev/null
    grep -qxF 'installer test: SUCCESS' "$1.log" || complain "$1.log" "it did not print \`installer test: SUCCESS\`"
}

# project_entries FOLDER: the entries at the top of a project, without Godot's own.
project_entries() {
    (cd "$1" && find . -mindepth 1 -maxdepth 1 ! -name .godot ! -name project.godot ! -name .editorconfig ! -name '.git*') |
        sed 's|^\./||' | sort | tr '\n' ' '
}

# test_project NAME [FOLDER]: reads `package`.
test_project() {
    local name=$1 work=$OUTPUT/$1
    show_check "$name: it is installed" install_into "$work" "${2:-}" &&
        show_check "$name: it works in the editor" use_in_editor "$work" &&
        show_check "$name: it works in an exported game" use_in_game "$work"
}

install_into() {
    local work=$1
    mkdir -p "$work"
    if [ -n "$2" ]; then
        cp -R "$2/." "$work" && chmod -R u+w "$work"
    else
        printf 'config_version=5\n\n[application]\n\nconfig/name="empty"\n' >"$work/project.godot"
    fi
    (cd "$work" && unzip -q "$package") || return 1
    [ -f "$work/addons/fast_variant/LICENSE" ] && [ -f "$work/addons/fast_variant/THIRD_PARTY_LICENSES.txt" ] || return 1
    cp -R "$PROJECT/tests/package/package_test" "$work"
    # As users of our action do, so that the first import does not abort.
    "$ROOT/.github/actions/gdscene/list_extensions.sh" "$work" || return 1
    use_our_main_scene "$work"
}

# The project keeps its settings, except its main scene, because its own scripts are missing.
use_our_main_scene() {
    awk '
        /^\[/ { section = $0 }
        section == "[autoload]" || section == "[editor_plugins]" { next }
        /^run\/main_scene=/ { next }
        { print }
        section == "[application]" && /^\[/ { print "\nrun/main_scene=\"res://package_test/main.tscn\"" }
        END { print "\n[editor_plugins]\n\nenabled=PackedStringArray(\"res://package_test/plugin.cfg\")" }' \
        "$1/project.godot" >"$1/project.new" && mv "$1/project.new" "$1/project.godot"
}

use_in_editor() {
    local log=$1.editor.log
    # Imports first: the first start of an editor reads the project's files twice.
    limited "$ROOT/scripts/godot.sh" --headless --path "$1" --import >"$1.import.log" 2>&1 </dev/null
    limited "$ROOT/scripts/godot.sh" --headless --editor --quit-after "$LAST_EDITOR_FRAME" --path "$1" \
        >"$log" 2>&1 </dev/null
    grep -E '^[0-9]+ scenes checked' "$log" | sed 's/^/    /' >&2
    [ ! -e "$1/.fast_variant_installed" ] || complain "$log" "the plugin leaves the empty folder of the package" || return 1
    judge "$log" 'package test in the editor: SUCCESS' && without_ours "$1.import.log"
}

use_in_game() {
    local template log=$1.export.log
    template=$("$ROOT/scripts/godot.sh" --template release) || return 1
    mkdir -p "$1.game"
    sed "s|^custom_template/release=.*|custom_template/release=\"$template\"|" "$PROJECT/export_presets.cfg" \
        >"$1/export_presets.cfg"
    limited "$ROOT/scripts/godot.sh" --headless --path "$1" --export-release Linux "$1.game/game.x86_64" \
        >"$log" 2>&1 </dev/null
    without_ours "$log" || return 1
    [ -x "$1.game/game.x86_64" ] || complain "$log" "there is no exported game" || return 1
    limited "$1.game/game.x86_64" --headless --quit-after "$LAST_FRAME" >"$1.game.log" 2>&1 </dev/null
    judge "$1.game.log" 'package test in the game: SUCCESS' && carries_small_library "$1.game" &&
        { grep -qE "$EDITOR_ONLY" "$1.game.log" || complain "$1.game.log" "it did not say what only the editor has"; }
}

# carries_small_library FOLDER: and not the one for the editor.
carries_small_library() {
    local found size
    found=$(cd "$1" && find . -name '*fast_variant*')
    [ "$found" = ./libfast_variant.so ] || complain "$1.log" "the libraries in it are: $found" || return 1
    size=$(wc -c <"$1/libfast_variant.so")
    say "    the library in the game: $size bytes"
    ! is_local_build || { skip "the size of the library that games carry: this is a local build" && return; }
    [ "$size" -le "$MAX_LIBRARY_SIZE" ] || complain "$1.log" "the library has more than $MAX_LIBRARY_SIZE bytes"
}

# judge LOG SENTINEL
judge() {
    grep -qxF "$2" "$1" || complain "$1" "it did not print \`$2\`" || return 1
    without_ours "$1"
}

# An error's place is in the next line.
without_ours() {
    local found
    found=$(awk -v ours="$OURS" -v crash="$CRASH" -v begin="$EXPECTED_BEGIN" -v end="$EXPECTED_END" '
        held != "" && (held $0) ~ ours { print held; print }
        { held = "" }
        $0 ~ begin { expected = 1 }
        !expected && /^ *(USER )?(SCRIPT )?(ERROR|WARNING):/ { held = $0 }
        $0 ~ end { expected = 0 }
        $0 ~ crash { print }' "$1")
    [ -z "$found" ] || { say "$found" && complain "$1" "it printed the lines above"; }
}

run_main "$@"
