#!/usr/bin/env bash
# The whole thing, from nothing to a running demo: gets a Godot, builds the libraries, encodes and decodes a save game in
# the engine, and checks and formats the demo's scenes.
#
# Usage:
#   scripts/demo.sh
#   scripts/demo.sh --help

set -euo pipefail

# shellcheck source=scripts/lib/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"
# shellcheck source=scripts/lib/engine_run.sh
. "$ROOT/scripts/lib/engine_run.sh"
# shellcheck source=scripts/lib/godot_project.sh
. "$ROOT/scripts/lib/godot_project.sh"

main() {
    case "${1:-}" in
        "") ;;
        --help | -h) print_help && return ;;
        *) fail "unknown argument \`$1\`; see scripts/demo.sh --help" ;;
    esac
    cd "$ROOT"

    title "1. Rust and Godot"
    scripts/setup.sh
    title "2. The libraries (the first build takes a few minutes)"
    scripts/build.sh >&2
    title "3. The demo in Godot, without a window"
    import_project "$PROJECT" || exit 1
    run_project "$ENGINE_OUTPUT/demo.log" "$DEMO_SENTINEL" || exit 1
    title "4. The demo's scenes, checked without Godot"
    check_scenes
    title "5. ... and formatted as Godot would save them"
    format_scenes
    title "What to try next"
    print_next
}

title() {
    say ""
    say "$*"
}

check_scenes() {
    local status=0
    say "  building gdscene ..."
    cargo build --quiet --release --package gdscene
    say '  $ gdscene check godot_project/demo/scenes'
    gdscene check godot_project/demo/scenes >&2 || fail "the good scenes of the demo are not good"
    say ""
    say '  $ gdscene check godot_project/demo/broken/harbour.tscn'
    gdscene check godot_project/demo/broken/harbour.tscn >&2 || status=$?
    # 1 stands for "found something", everything above for a failure of the program.
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
    cargo run --quiet --release --package gdscene --bin gdscene -- "$@"
}

print_next() {
    cat >&2 <<'END'
  scripts/godot.sh --path godot_project --editor     the demo project in Godot's editor
  cargo run --release -p gdscene -- check YOUR_PROJECT   check all scenes of a project of yours
  cp -r addons/fast_variant YOUR_PROJECT/addons/     use FastVariant.encode(value) and .decode(bytes) in it
  scripts/bench.sh codec                             how fast, workload by workload
  scripts/test.sh                                    all tests, also inside Godot
END
}

main "$@"
