#!/usr/bin/env bash
# Compares merges with a real Godot:
#
# - Scenes are edited as two people do, with the engine's own calls, and saved by it. The result of `gdscene merge` must load as one
#   scene with both edits. Incompatible edits must be reported. The file with conflicts loads, and keeps them when Godot has saved
#   it. Then `gdscene resolve` gives the content of the chosen side.
# - Merges of public projects load, and keep the changes of either side, by the engine's facts on the four files: each node,
#   property, group and connection, also inside resources. Godot keeps their conflicts. Those of Godot 3 are loaded in 3.6.
# - A `project.godot` with conflicts is read, and keeps them when Godot saves the settings.
#
# Ends with `N passed, N failed, N skipped`.
#
# Usage:
#   scripts/test/project/merges.sh [SEEDS]    the number of edits of each scene (default: 40)
#   scripts/test/project/merges.sh --help
#
# Environment:
#   FV_SHARED  folder of shared test data (default: ../shared): merges that people made, and scenes to edit. Without it, only
#              scenes that are made here are edited.

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

readonly WORK=$ROOT/target/engine/merges
readonly EDITED=$WORK/project
readonly TOOLS=$ROOT/godot_project/tools
readonly DONE='merge edits: DONE'
# Scenes of the corpus that need no other file.
readonly ALONE=(
    TokisanGames__Terrain3D/project/addons/terrain_3d/menu/channel_packer.tscn
    TokisanGames__Terrain3D/project/demo/assets/models/LOD10Example.tscn
    godotengine__godot-demo-projects__master/3d/antialiasing/thin_lines.tscn
    godotengine__godot-demo-projects__master/networking/websocket_chat/chat.tscn
    godotengine__godot-demo-projects__master/viewport/3d_scaling/cubes.tscn
)
# Conflicts with a side that a command cannot choose.
readonly BY_HAND='^(rename|move)_'

main() {
    local seeds=${1:-$(amount 3 40)}
    [[ $seeds =~ ^[1-9][0-9]*$ ]] || misused "\`$seeds\` is not a number of edits"
    cd "$ROOT"
    SHARED=$(absolute_path "${FV_SHARED:-../shared}")
    [ -d "$SHARED/merges" ] || [ "${CI:-}" != true ] || fail "There is no $SHARED/merges; FV_SHARED names the folder that holds it."
    GDSCENE=$(built gdscene)
    make_project
    edited_by_godot "$seeds"
    made_by_people
    settings_with_conflicts
    report_checks
}

# A project of its own, without our library, as strict with scripts as the demo project.
make_project() {
    rm -rf "$WORK"
    mkdir -p "$EDITED/tools"
    cp "$TOOLS"/{merge_edits,merge_edit_plan,merge_base_scene,lint_differential_dump,scene_facts,stand_ins,save_settings}.gd "$EDITED/tools"
    {
        printf 'config_version=5\n\n[debug]\n\n'
        sed -n '/^gdscript\/warnings\/untyped/,/^$/p' "$ROOT/godot_project/project.godot"
    } >"$EDITED/project.godot"
}

# --- Edits that Godot makes ----------------------------------------------------------------------------

edited_by_godot() {
    local scenes=() name case
    for name in "${ALONE[@]}"; do
        [ ! -f "$SHARED/corpus/$name" ] || {
            cp "$SHARED/corpus/$name" "$EDITED/corpus_${#scenes[@]}.tscn"
            scenes+=("res://corpus_${#scenes[@]}.tscn")
        }
    done
    edits edit "$1" "$(amount "$SEED" 0)" ${scenes[@]+"${scenes[@]}"}
    for case in "$EDITED"/cases/*; do merge_clean "$case"; done
    for case in "$EDITED"/conflicts/*; do merge_conflict "$case"; done
    edits compare
    for case in "$EDITED"/cases/*; do judge "$case"; done
    for case in "$EDITED"/conflicts/*; do settle "$case"; done
    edits settled
    for case in "$EDITED"/conflicts/*; do judge "$case"; done
}

# edits WHAT [ARGUMENT...]: the tool in Godot. Warnings about scenes are the engine's own.
edits() {
    local log=$WORK/$1.log
    judged_run "$log" "$DONE" "$ROOT/scripts/godot.sh" --headless --path "$EDITED" -s res://tools/merge_edits.gd -- "$@" 2>&1 |
        grep -v '^    DIFFERS ' >&2 || fail "Godot did not do its part. All it printed: $log"
    grep '^DIFFERS ' "$log" >>"$WORK/differs" || true
}

# merge FOLDER EXPECTED_STATUS
merge() {
    local status=0
    "$GDSCENE" merge "$1"/{base,ours,theirs}.tscn -o "$1/merged.tscn" >"$1/merge.log" 2>&1 || status=$?
    [ "$status" = "$2" ] || spoil "$1" "merging ended with $status: $(head -n 1 "$1/merge.log")"
}

merge_clean() {
    merge "$1" 0
}

merge_conflict() {
    merge "$1" 1
}

# spoil FOLDER REASON
spoil() {
    printf '%s\n' "$2" >>"$1/wrong"
}

# Whether it is as it has to be.
judge() {
    local name
    name=$(basename "$1")
    grep -F "DIFFERS res://$(basename "$(dirname "$1")")/$name: " "$WORK/differs" | head -n 3 >>"$1/wrong" || true
    [ ! -s "$1/wrong" ] || { flunk "$name: $(head -n 3 "$1/wrong")" && return; }
    pass
}

# How many conflicts a file has.
conflicts() {
    { "$GDSCENE" resolve "$1" || true; } 2>/dev/null | grep -c ': conflict [0-9]' || true
}

# Godot has saved it: are all conflicts still there, and does each side come out?
settle() {
    local side status count
    count=$(conflicts "$1/merged.tscn")
    [ "$count" != 0 ] || spoil "$1" "it has no conflict"
    [ "$(conflicts "$1/resaved.tscn")" = "$count" ] || spoil "$1" "Godot did not keep all of $count conflicts"
    for side in ours theirs; do
        status=0
        cp "$1/resaved.tscn" "$1/settled_$side.tscn"
        "$GDSCENE" resolve "--$side" "$1/settled_$side.tscn" >"$1/settled_$side.log" || status=$?
        [ "$status" = 0 ] || {
            rm "$1/settled_$side.tscn"
            [ "$side" = theirs ] && [[ $(basename "$1") =~ $BY_HAND ]] || spoil "$1" "$side cannot be taken"
        }
    done
}

# --- Merges that people made ---------------------------------------------------------------------------

made_by_people() {
    local number repository commit path git merged seen=0 files
    [ -d "$SHARED/merges" ] || { skip "merges that people made, which FV_SHARED has" && return; }
    mkdir -p "$WORK/people" "$WORK/project_of_3"
    printf 'config_version=4\n' >"$WORK/project_of_3/project.godot"
    : >"$WORK/of_4"
    : >"$WORK/of_3"
    # shellcheck disable=SC2034 # columns
    while IFS=$'\t' read -r number repository commit path git; do
        merged=$WORK/people/$number.${path##*.}
        "$GDSCENE" merge "$SHARED/merges/$number"/{base,ours,theirs}."${path##*.}" -o "$merged" 2>"$merged.log" || true
        # A merge by lines does not test the merge by contents.
        ! grep -q 'line by line$' "$merged.log" || continue
        printf '%s\n' "$SHARED/merges/$number"/{base,ours,theirs}."${path##*.}" "$merged" >>"$WORK/of_$(engine_of "$merged")"
    done < <(sampled 60 <"$SHARED/merges/INDEX.tsv")
    load 4 "$ROOT/scripts/godot.sh" --headless --path "$EDITED" -s res://tools/scene_facts.gd -- "$WORK/of_4" "$WORK/facts_4"
    load 3 "$ROOT/scripts/godot3.sh" --path "$WORK/project_of_3" -s "$ROOT/scripts/test/project/scene_facts_godot3.gd" "$WORK/of_3" "$WORK/facts_3"
    # A merge that kept ours alone would be seen. In three of ten files, this is the case; a sample of 60 can have fewer.
    files=$(($(cat "$WORK/of_4" "$WORK/of_3" | wc -l) / 4))
    [ "$seen" -gt $((files / 16)) ] || flunk "of $files files of ours only $seen miss what theirs changed"
}

engine_of() {
    if head -n 1 "$1" | grep -q 'format=[12]'; then printf 3; else printf 4; fi
}

# load ENGINE COMMAND...: the engine prints its facts on the files in its list. The files that the scenes name are missing, so it
# logs many errors.
load() {
    local engine=$1 log=$WORK/facts_$1.log path number=0
    shift
    limited "$@" </dev/null >"$log" 2>&1 || true
    grep -qxF 'facts: WRITTEN' "$log" || fail "Godot $engine did not load the merges. All it printed: $log"
    while read -r path; do
        judge_loaded "$WORK/facts_$engine/" "$number" "$path"
        number=$((number + 4))
    done < <(awk 'NR % 4 == 0' "$WORK/of_$engine")
}

# judge_loaded FACTS NUMBER FILE: the number is that of its base; behind it come ours, theirs and the file. Counts in `seen`.
judge_loaded() {
    local base=$1$2 ours=$1$(($2 + 1)) theirs=$1$(($2 + 2)) merged=$1$(($2 + 3)) before after otherwise
    if [ ! -f "$merged" ]; then
        if [ -f "$ours" ] || [ -f "$theirs" ]; then
            flunk "$3: Godot does not load it, but a side of it"
        else
            skip "$3: Godot loads none of the sides"
        fi
        return
    fi
    before=$(conflicts "$3")
    after=$(conflicts "$merged.${3##*.}")
    [ "$before" = "$after" ] || { flunk "$3: of $before conflicts Godot kept $after" && return; }
    [ -f "$base" ] && [ -f "$ours" ] && [ -f "$theirs" ] || { flunk "$3: Godot loads it, but not what it was made of" && return; }
    otherwise=$(union "$base" "$ours" "$theirs" "$merged")
    [ -z "$otherwise" ] || { flunk "$3: $(head -n 3 <<<"$otherwise")" && return; }
    [ -z "$(union "$base" "$ours" "$theirs" "$ours")" ] || seen=$((seen + 1))
    pass
}

# union BASE OURS THEIRS MERGED: the facts that are otherwise.
union() {
    awk -f "$ROOT/scripts/test/project/merge_union.awk" "$@" | grep -v '^judged [0-9]*$' || true
}

# --- Settings ------------------------------------------------------------------------------------------

settings_with_conflicts() {
    local folder=$WORK/settings side value number=0 reason=""
    mkdir -p "$folder/tools"
    cp "$TOOLS/save_settings.gd" "$folder/tools"
    for side in base ours theirs; do
        number=$((number + 1))
        printf 'config_version=5\n\n[application]\n\nconfig/name="Game %d"\n\n[display]\n\nwindow/size/viewport_width=%d00\n' \
            $number $number >"$folder/$side.godot"
    done
    "$GDSCENE" merge --path project.godot "$folder"/{base,ours,theirs}.godot -o "$folder/project.godot" 2>/dev/null || true
    [ "$(conflicts "$folder/project.godot")" = 2 ] || reason="the merge has not two conflicts"
    judged_run "$WORK/settings.log" 'settings: SAVED' \
        "$ROOT/scripts/godot.sh" --headless --path "$folder" -s res://tools/save_settings.gd || reason="Godot did not save them"
    [ "$(conflicts "$folder/project.godot")" = 2 ] || reason="Godot did not keep the conflicts"
    grep -q '^config/name="Game 2"$' "$folder/project.godot" || reason="the settings have not what ours has"
    "$GDSCENE" resolve --theirs "$folder/project.godot" >/dev/null || reason="they cannot be settled"
    for value in 'config/name="Game 3"' 'window/size/viewport_width=300'; do
        grep -qxF "$value" "$folder/project.godot" || reason="theirs does not come out"
    done
    [ -z "$reason" ] || { flunk "project.godot: $reason" && return; }
    pass
}

run_main "$@"
