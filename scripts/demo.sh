#!/usr/bin/env bash
# Everything from nothing to a running demo. Gets a Godot, builds the libraries, encodes and decodes a save game in the engine, and
# checks and formats the demo's scenes.
#
# Usage:
#   scripts/demo.sh
#   scripts/demo.sh --help

set -euo pipefail

# shellcheck source=scripts/lib/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"
# shellcheck source=scripts/lib/programs.sh
. "$ROOT/scripts/lib/programs.sh"
# shellcheck source=scripts/lib/engine_run.sh
. "$ROOT/scripts/lib/engine_run.sh"
# shellcheck source=scripts/lib/godot_project.sh
. "$ROOT/scripts/lib/godot_project.sh"

main() {
    expect_no_arguments "$@"
    cd "$ROOT"

    build_and_get_godot
    title "2. The demo in Godot, without a window"
    say "  The figures are those of a local build, which is hardly optimized: releases are several times faster."
    import_project "$PROJECT" || exit 1
    run_project "$ENGINE_OUTPUT/demo.log" "$DEMO_SENTINEL" || exit 1
    title "3. The demo's scenes, checked without Godot"
    check_scenes
    title "4. ... and formatted as Godot would save them"
    format_scenes
    title "What to try next"
    print_next
}

# Cargo compiles while Godot is downloaded.
build_and_get_godot() {
    local log=$ENGINE_OUTPUT/setup.log download
    title "1. The library of the editor, gdscene and a Godot (the first time: about four minutes on two cores)"
    mkdir -p "$ENGINE_OUTPUT"
    scripts/setup.sh >"$log" 2>&1 &
    download=$!
    # shellcheck disable=SC2064 # that one, whatever the variable holds then
    trap "kill $download 2>/dev/null || true" EXIT
    scripts/build.sh --only-editor >&2
    ! kill -0 "$download" 2>/dev/null || say "Waiting for Godot ..."
    wait "$download" || { cat "$log" >&2 && fail "There is no Godot; see above."; }
    trap - EXIT
    tail -n 1 "$log" >&2
}

title() {
    say ""
    say "$*"
}

check_scenes() {
    local status=0
    say '  $ gdscene check godot_project/demo/scenes'
    gdscene check godot_project/demo/scenes >&2 || fail "the good scenes of the demo are not good"
    say ""
    say '  $ gdscene check godot_project/demo/broken/harbour.tscn'
    gdscene check godot_project/demo/broken/harbour.tscn >&2 || status=$?
    # 1 means "found something", and everything above it means a failure of the program.
    [ "$status" = 1 ] || fail "gdscene ended with $status on the broken scene; 1 was expected"
}

format_scenes() {
    local folder status=0 scene=godot_project/demo/scenes/player.tscn
    say '  $ gdscene format --check godot_project/demo/scenes'
    gdscene format --check godot_project/demo/scenes >&2 || fail "the demo's scenes are not laid out as Godot does it"
    folder=$(mktemp -d)
    sed -e 's/radius = /radius=/' -e 's/(0.9, 0.8/( 0.9,0.8/' -e '/^height/{n;d;}' "$scene" >"$folder/edited.tscn"
    say ""
    say "  A copy that somebody edited by hand:"
    say '  $ gdscene format --diff edited.tscn'
    gdscene format --diff "$folder/edited.tscn" >&2 || status=$?
    [ "$status" = 1 ] || fail "gdscene ended with $status for a file that is not formatted; 1 was expected"
    say ""
    say '  $ gdscene format edited.tscn'
    gdscene format "$folder/edited.tscn" >&2 || fail "the copy could not be formatted"
    cmp -s "$folder/edited.tscn" "$scene" || fail "the formatted copy is not what it was before"
    say "  the copy is again what Godot had saved, byte for byte"
    rm -r "$folder"
}

gdscene() {
    "$(built gdscene)" "$@"
}

print_next() {
    cat >&2 <<'END'
  scripts/godot.sh --path godot_project --editor     the demo project in Godot's editor
  target/debug/gdscene check YOUR_PROJECT            check all scenes of a project of yours
  cp -r addons/fast_variant YOUR_PROJECT/addons/     use FastVariant.encode(value) and .decode(bytes) in it
  scripts/build.sh --release                         the libraries as they ship, for games
  scripts/bench.sh codec                             how fast, workload by workload
  scripts/test.sh                                    tests, also inside Godot
END
}

run_main "$@"
