#!/usr/bin/env bash
# Compares edits of scenes and resources with Godot's editor. `project::edit` runs random operations on a text. The editor runs them
# on the scene that it loads from this text, with the engine's own calls, and saves it. Both files must be the same, byte for byte;
# random ids of either get numbers in their order.
#
# The scenes are those of rust/gdscene-refactor/tests/edited_project, and those of the corpus, with stand-ins for missing files.
# Godot's editor loads and saves each first, until that changes nothing: later differences come from the operations.
#
# A setter in Godot may refuse a value or change other properties, too; which ones is measured at the objects. A difference that is
# nothing but that is counted for itself, with the property. In the others, known open differences (rust/docs/edit.md) may occur in
# one of a hundred cases, which count as skipped; more fail. At the end operations are left out on Godot's side: each has to be
# found. The game of rust/docs/first-game.md is built, saved by the editor, which may change nothing, and played. So is the game
# that an agent builds (rust/gdscene-mcp/tests/game), and Godot saves its settings the same. Ends with
# `N passed, N failed, N skipped`.
#
# Usage:
#   scripts/test/project/edits.sh [--count N] [--seed N] [FOLDER...]
#                                     N cases (default: 1500), chosen by a seed, on scenes of these projects too (default: some of
#                                     the corpus)
#   scripts/test/project/edits.sh --help
#
# Environment:
#   FV_SHARED  folder of shared test data (default: ../shared): its corpus. Without it, only our own scenes are edited.

set -euo pipefail

# shellcheck source=scripts/lib/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/../../lib/common.sh"
# shellcheck source=scripts/lib/programs.sh
. "$ROOT/scripts/lib/programs.sh"
# shellcheck source=scripts/lib/engine_run.sh
. "$ROOT/scripts/lib/engine_run.sh"
# shellcheck source=scripts/lib/godot_project.sh
. "$ROOT/scripts/lib/godot_project.sh"
# shellcheck source=scripts/lib/rust.sh
. "$ROOT/scripts/lib/rust.sh"
# shellcheck source=scripts/lib/checks.sh
. "$ROOT/scripts/lib/checks.sh"

readonly WORK=$ROOT/target/engine/edits
readonly EDITED=$WORK/project
readonly DONE='edit scenes: DONE'
# The number of operations that are left out on one side at the end.
readonly LEFT_OUT=60
# One of this number of cases may have a known open difference.
readonly OPEN=100
# Projects of the corpus with scenes of many kinds.
readonly SOME=(
    KenneyNL__Starter-Kit-City-Builder
    KenneyNL__Starter-Kit-FPS
    KenneyNL__Starter-Kit-Racing
    nezvers__Godot-GameTemplate
    godotengine__godot-demo-projects__master/2d/physics_tests
    godotengine__godot-demo-projects__master/2d/platformer
    godotengine__godot-demo-projects__master/2d/role_playing_game
    godotengine__godot-demo-projects__master/3d/physics_tests
    godotengine__godot-demo-projects__master/3d/truck_town
    godotengine__godot-demo-projects__master/gui/control_gallery
)

count=$(amount 100 1500)
seed=$SEED
folders=()

main() {
    read_arguments "$@"
    cd "$ROOT"
    add_corpus
    EDITS=$(built examples/random_edits)
    GDSCENE=$(built gdscene)
    make_project
    same_again
    by_chance "$WORK/cases" "$count"
    compare "$WORK/cases"
    left_out "$WORK/left_out"
    example
    game_of_agents
    report_checks
}

read_arguments() {
    while [ $# != 0 ]; do
        case "$1" in
            --count | --seed)
                [[ ${2:-} =~ ^[0-9]+$ ]] || misused "$1 needs a number"
                if [ "$1" = --count ]; then count=$2; else seed=$2; fi
                shift
                ;;
            -*) misused "unknown argument \`$1\`" ;;
            *) folders+=("$(absolute_path "$1")") ;;
        esac
        shift
    done
}

add_corpus() {
    local shared name
    shared=$(absolute_path "${FV_SHARED:-../shared}")
    [ ${#folders[@]} = 0 ] || return 0
    if [ ! -d "$shared/corpus" ]; then
        [ "${CI:-}" != true ] || fail "There is no $shared/corpus; FV_SHARED names the folder that holds it."
        skip "scenes of the corpus, which FV_SHARED has"
        return
    fi
    for name in "${SOME[@]}"; do
        folders+=("$shared/corpus/$name")
    done
}

# A project of its own, without our library, as strict with scripts as the demo project.
make_project() {
    rm -rf "$WORK"
    mkdir -p "$EDITED" "$WORK/home"
    cp -R "$ROOT/rust/gdscene-refactor/tests/edited_project/." "$EDITED"
    add_tools "$EDITED"
    "$EDITS" prepare "$EDITED" ${folders[@]+"${folders[@]}"}
    limited "$ROOT/scripts/godot.sh" --headless --path "$EDITED" --import </dev/null >"$WORK/import.log" 2>&1 || true
}

# add_tools PROJECT: the plugin that edits scenes.
add_tools() {
    mkdir -p "$1/tools"
    cp "$ROOT"/godot_project/tools/{edit_scenes,edit_operations,play_example,play_game}.gd "$1/tools"
    {
        printf '\n[editor_plugins]\n\nenabled=PackedStringArray("res://tools/plugin.cfg")\n\n[debug]\n\n'
        sed -n '/^gdscript\/warnings\/untyped/,/^$/p' "$ROOT/godot_project/project.godot"
    } >>"$1/project.godot"
    {
        printf '[plugin]\n\n'
        printf '%s="%s"\n' name Edits description "Edits scenes." author "The fast_variant authors" version 1.0 \
            script edit_scenes.gd
    } >"$1/tools/plugin.cfg"
}

# edit_scenes LOG ARGUMENT...: in the editor, without a window. Scenes of others make it complain of much.
edit_scenes() {
    local log=$1
    shift
    XDG_CONFIG_HOME=$WORK/home limited "$ROOT/scripts/godot.sh" --headless --editor --quit-after "$LAST_EDITOR_FRAME" \
        --path "${edited:-$EDITED}" -- "$@" </dev/null 2>&1 | without_colors >"$log" || true
    grep -qxF "$DONE" "$log" || fail "Godot did not do its part. All it printed: $log"
    ! grep -E "SCRIPT ERROR|$CRASH" "$log" | grep -v 'signal' >&2 || fail "Godot's part went wrong. All it printed: $log"
}

# The scenes and resources that the editor saves unchanged, without the stand-ins.
same_again() {
    (cd "$EDITED" && find . -path ./.godot -prune -o \( -name '*.tscn' -o -name '*.tres' \) -print | sed 's|^\./|res://|' | LC_ALL=C sort) \
        >"$WORK/list"
    edit_scenes "$WORK/save.log" save "$WORK/list" "$WORK/stable"
    grep -vE '\.[a-z0-9]+\.(tres|tscn)$' "$WORK/stable" >"$WORK/edited"
    say "$(wc -l <"$WORK/stable") of $(wc -l <"$WORK/list") scenes and resources are saved the same again"
    [ -s "$WORK/stable" ] || fail "Godot saved no scene. All it printed: $WORK/save.log"
}

# by_chance FOLDER COUNT
by_chance() {
    mkdir -p "$1"
    "$EDITS" choose "$EDITED" "$WORK/edited" "$2" "$seed" "$1" >&2
}

# compare FOLDER
compare() {
    edit_scenes "$1/apply.log" apply "$1/cases" "$1"
    "$EDITS" compare "$EDITED" "$1" >"$1/compare.log" || true
    grep -vE '^(DIFFERS|[-+@ ]|SETTER |$)' "$1/compare.log" >&2 || true
    local equal by_setters differ
    read -r equal by_setters differ < <(sed -n -E 's/^edits: ([0-9]+) equal, ([0-9]+) differ by setters, ([0-9]+) differ$/\1 \2 \3/p' "$1/compare.log")
    passed=$((passed + equal + by_setters))
    [ "$differ" = 0 ] || say "what differs: $1/compare.log"
    # In a small sample the share varies more.
    if [ "$differ" -le $((count / OPEN + $(amount 4 0))) ]; then
        skipped=$((skipped + differ))
    else
        failed=$((failed + differ))
    fi
}

# left_out FOLDER: of each case, Godot does not do the operation.
left_out() {
    mkdir -p "$1"
    "$EDITS" choose-alone "$EDITED" "$WORK/edited" "$LEFT_OUT" "$((seed + 1))" "$1" >&2
    sed -i.full -E 's/"engine":\[.*\],"ext_ids":\{.*\},"about"/"engine":[],"ext_ids":{},"about"/' "$1/cases"
    edit_scenes "$1/apply.log" apply "$1/cases" "$1"
    "$EDITS" compare "$EDITED" "$1" >"$1/compare.log" || true
    if grep -qxF "edits: 0 equal, 0 differ by setters, $LEFT_OUT differ" "$1/compare.log"; then
        passed=$((passed + LEFT_OUT))
    else
        flunk "what was left out was not always found: $1/compare.log"
    fi
}

# The game of first-game.md: Godot's editor saves it the same, and all coins can be collected.
example() {
    local folder=$WORK/example script reason="" edited=$WORK/example
    script=$(awk '/^<!-- worked example -->$/ { found = 1; next } found && /^```/ { if (inside) exit; inside = 1; next } inside' "$ROOT/rust/docs/first-game.md")
    [ -n "$script" ] || fail "rust/docs/first-game.md has no worked example"
    mkdir -p "$folder"
    build_example || return 0
    # With scripts that Godot knows, as in a project that it has opened once: it gives them their uids.
    rm "$folder"/*.tscn
    limited "$ROOT/scripts/godot.sh" --headless --path "$folder" --import </dev/null >"$WORK/example_import.log" 2>&1 || true
    build_example || return 0
    mkdir "$WORK/built"
    cp "$folder"/*.tscn "$WORK/built"
    add_tools "$folder"
    printf 'res://%s\n' coin.tscn game.tscn >"$WORK/example_list"
    edit_scenes "$WORK/example_save.log" save "$WORK/example_list" "$WORK/example_stable"
    for script in coin.tscn game.tscn; do
        diff "$WORK/built/$script" "$folder/$script" >&2 || reason="Godot saves $script otherwise"
    done
    judged_run "$WORK/example.log" 'example: PLAYED' \
        "$ROOT/scripts/godot.sh" --headless --fixed-fps 60 --path "$folder" -s res://tools/play_example.gd || reason="it cannot be played"
    if [ -z "$reason" ]; then pass; else flunk "the game of first-game.md: $reason"; fi
}

# build_example: in `folder`, by `script`. It fails as a test.
build_example() {
    (cd "$folder" && PATH=$(dirname "$GDSCENE"):$PATH sh -e -c "$script") >"$WORK/example_build.log" 2>&1 || {
        flunk "the game of first-game.md cannot be built: $(tail -n 1 "$WORK/example_build.log")"
        return 1
    }
}

# The game that an agent builds by operations: Godot's editor saves it the same, and Godot plays it.
game_of_agents() {
    local folder=$WORK/agents_game edited=$WORK/agents_game game=$ROOT/rust/gdscene-mcp/tests/game reason="" call file
    mkdir -p "$folder" "$WORK/agents_built"
    find "$game" -maxdepth 1 -type f -exec cp {} "$folder" \;
    # Godot gives the scripts their uids.
    limited "$ROOT/scripts/godot.sh" --headless --path "$folder" --import </dev/null >"$WORK/game_import.log" 2>&1 || true
    for call in "$game"/calls/*.json; do
        "$GDSCENE" edit --project "$folder" "$call" >>"$WORK/game_build.log" 2>&1 || {
            flunk "the game of an agent cannot be built: $(tail -n 1 "$WORK/game_build.log")"
            return 0
        }
    done
    cp "$folder"/*.tscn "$folder"/*.tres "$folder/project.godot" "$WORK/agents_built"
    add_tools "$folder"
    (cd "$folder" && printf 'res://%s\n' *.tres *.tscn) >"$WORK/game_list"
    edit_scenes "$WORK/game_save.log" save "$WORK/game_list" "$WORK/game_stable"
    for file in "$WORK"/agents_built/*.t*; do
        diff "$file" "$folder/${file##*/}" >&2 || reason="Godot saves ${file##*/} otherwise"
    done
    # Without our tools.
    cp "$WORK/agents_built/project.godot" "$folder"
    judged_run "$WORK/game.log" 'game: PLAYED' \
        "$ROOT/scripts/godot.sh" --headless --fixed-fps 60 --path "$folder" -s res://tools/play_game.gd || reason="it cannot be played"
    diff "$WORK/agents_built/project.godot" <(sed -n '/^config_version/,$p' "$folder/saved.godot") >&2 ||
        reason="Godot saves the settings otherwise"
    if [ -z "$reason" ]; then pass; else flunk "the game of an agent: $reason"; fi
}

run_main "$@"
