#!/usr/bin/env bash
# Holds the refactorings to their promise that Godot loads the same as before but for the names and paths that change: a project
# is loaded before and after, with all its scripts, resources and settings, and all that came out is compared. The game runs for a
# few frames, too: nothing that it complains of may be new.
#
# What is refactored is chosen by chance, and much at once; if something differs then, by halves until one is alone. Each has to
# change nothing but what was asked for; if the command itself said that something is doubtful, a difference is told and not
# counted as a failure. `gdscene undo` has to bring the bytes back. Ends with `N passed, N failed, N skipped`.
#
# Usage:
#   scripts/test_refactorings.sh [--kinds K,K] [--count N] [--seed N] [FOLDER...]
#                                                 these projects, which are copied; by default the one made for this test.
#                                                 N of each kind (default: 8)
#   scripts/test_refactorings.sh --sabotage ...   the same, but each refactoring is tried alone, and one of its changes is left
#                                                 out: passed means that the comparison tells of that
#   scripts/test_refactorings.sh --help

set -euo pipefail

# shellcheck source=scripts/lib/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"
# shellcheck source=scripts/lib/engine_run.sh
. "$ROOT/scripts/lib/engine_run.sh"
# shellcheck source=scripts/lib/rust.sh
. "$ROOT/scripts/lib/rust.sh"

readonly WORK=${FV_REFACTORINGS_WORK:-$ROOT/target/engine/refactorings}
readonly CANDIDATES=$ROOT/target/release/examples/refactor_candidates
readonly GDSCENE=$ROOT/target/release/gdscene
readonly OWN_PROJECT=$ROOT/rust/project/tests/refactored_project
# After these Godot has to look at the project again, as its editor does.
readonly IMPORTED=",mv,rename-class,extract,inline,upgrade,prune,"

# Of each group, all is tried together.
readonly GROUPS_OF_KINDS=(
    "mv" "rename-node rename-method rename-signal rename-class rename-property" "prune" "move-node" "extract" "inline" "dedupe"
    "upgrade prune-inside"
)

kinds=mv,rename-node,rename-method,rename-signal,rename-class,rename-property,prune,move-node,extract,inline,dedupe,upgrade
kinds=$kinds,prune-inside
count=8
seed=1
is_sabotage=no
passed=0
failed=0

main() {
    local folder
    while [ $# != 0 ]; do
        case "$1" in
            --help | -h) print_help && return ;;
            --kinds) kinds=${2:?--kinds needs a list} && shift 2 ;;
            --count) count=${2:?--count needs a number} && shift 2 ;;
            --seed) seed=${2:?--seed needs a number} && shift 2 ;;
            --sabotage) is_sabotage=yes && shift ;;
            -*) fail "unknown argument \`$1\`; see scripts/test_refactorings.sh --help" ;;
            *) break ;;
        esac
    done
    require_cargo
    rm -rf "$WORK"
    mkdir -p "$WORK"
    (cd "$ROOT" && cargo build --quiet --release -p cli && cargo build --quiet --release -p project --example refactor_candidates)
    [ $# != 0 ] || set -- "$OWN_PROJECT"
    for folder in "$@"; do
        judge_project "$folder"
    done
    printf '%d passed, %d failed, 0 skipped\n' "$passed" "$failed"
    [ "$failed" = 0 ]
}

# judge_project FOLDER
judge_project() {
    local group kind chosen
    name=$(basename "$1")
    project=$WORK/$name
    original=$project.original
    cp -R "$1" "$project"
    rm -rf "$project/.git" "$project/.godot"
    step=$project
    import
    # A second time: what one import makes, another one may need.
    import
    cp -R "$project" "$original"
    run_game >"$project.game"
    if ! dump before "$project.before.jsonl" || ! is_stable; then
        failed=$((failed + 1))
        return
    fi
    for group in "${GROUPS_OF_KINDS[@]}"; do
        chosen=()
        for kind in $group; do
            [[ ",$kinds," != *",$kind,"* ]] || chosen+=("$kind")
        done
        [ ${#chosen[@]} = 0 ] || judge_group "${chosen[@]}"
    done
    rm -rf "$project" "$original"
}

# Two loads of an unchanged project have to give the same, or a comparison says nothing.
is_stable() {
    printf '[]\n' >"$project.none.json"
    dump after "$project.again.jsonl" "$project.none.json" "$project.before.jsonl" || return 1
    is_equal && return
    say "$name: it loads in another way each time"
    return 1
}

# judge_group KIND...: what is chosen of these, all at once, and by halves if that does not come out equal.
judge_group() {
    local kind number certain=() doubtful=()
    for kind in "$@"; do
        step=$WORK/$name.$kind
        "$CANDIDATES" "$original" "$kind" "$count" "$seed" >"$step.candidates"
        rm -f "$step".{equal,announced,failed}
        for number in $(seq "$(wc -l <"$step.candidates")"); do
            step=$WORK/$name.$kind.$number
            if [ "$is_sabotage" = yes ]; then
                sabotage "$kind" "$number"
            elif ! can_be_undone "$kind" "$number"; then
                verdict failed "$kind:$number"
            elif [ "$(field "$kind" "$number" 2)" = 0 ]; then
                certain+=("$kind:$number")
            else
                doubtful+=("$kind:$number")
            fi
        done
    done
    [ "$is_sabotage" = no ] || return 0
    [ ${#certain[@]} = 0 ] || judge_batch "${certain[@]}"
    [ ${#doubtful[@]} = 0 ] || judge_batch "${doubtful[@]}"
    for kind in "$@"; do
        say "$name, $kind: $(wc -l <"$WORK/$name.$kind.candidates") tries, $(verdicts "$kind" equal) equal," \
            "$(verdicts "$kind" announced) differ as announced, $(verdicts "$kind" failed) failed"
    done
}

# judge_batch KIND:NUMBER...
judge_batch() {
    local half=$(($# / 2))
    step=$WORK/$name.${1/:/.}.and.$(($# - 1))
    if are_kept "$@"; then
        verdict equal "$@"
    elif [ $# != 1 ]; then
        judge_batch "${@:1:half}"
        judge_batch "${@:half+1}"
    elif [ "$(field "${1%:*}" "${1#*:}" 2)" != 0 ] && grep -qsxF 'dump: DONE' "$step.after.log"; then
        tell "$1" "differs, as the command said it might"
        verdict announced "$1"
    else
        tell "$1" "FAILED"
        verdict failed "$1"
    fi
}

# verdict equal|announced|failed KIND:NUMBER...
verdict() {
    local what=$1 one
    shift
    for one in "$@"; do
        printf '%s\n' "$one" >>"$WORK/$name.${one%:*}.$what"
        if [ "$what" = failed ]; then
            failed=$((failed + 1))
        else
            passed=$((passed + 1))
        fi
    done
}

# verdicts KIND equal|announced|failed
verdicts() {
    cat "$WORK/$name.$1.$2" 2>/dev/null | wc -l
}

# tell KIND:NUMBER WHAT
tell() {
    say "$name: $2: gdscene $(arguments "${1%:*}" "${1#*:}" | tr '\n' ' '): $step.*"
    [ ! -f "$step.after.log" ] || grep '^DIFFERS ' "$step.after.log" | head -n 5 | cut -c 1-700 >&2 || true
}

# field KIND NUMBER FIELD: of a candidate.
field() {
    sed -n "$2p" "$WORK/$name.$1.candidates" | cut -f "$3"
}

# arguments KIND NUMBER: a line for each.
arguments() {
    field "$1" "$2" 4- | tr '\t' '\n'
}

# can_be_undone KIND NUMBER: the bytes come back.
can_be_undone() {
    if ! refactor "$1" "$2"; then
        say "$name: FAILED: gdscene $(arguments "$1" "$2" | tr '\n' ' '): $(tail -n 1 "$step.command.log")"
        restore
        return 1
    fi
    (cd "$project" && "$GDSCENE" undo) >"$step.undo.log" 2>&1 || true
    if ! diff -r --exclude .godot "$original" "$project" >"$step.diff"; then
        say "$name: FAILED: undo of gdscene $(arguments "$1" "$2" | tr '\n' ' ') left something: $step.diff"
        restore
        return 1
    fi
}

# are_kept KIND:NUMBER...: whether Godot loads the same after these.
are_kept() {
    local one kinds="" is_kept=no
    restore
    printf '[' >"$step.changes.json"
    for one in "$@"; do
        # One that meets another one is refused here, and tried alone.
        refactor "${one%:*}" "${one#*:}" || return 1
        [ "$one" = "$1" ] || printf ',' >>"$step.changes.json"
        field "${one%:*}" "${one#*:}" 3 >>"$step.changes.json"
        kinds="$kinds ${one%:*} "
    done
    printf ']\n' >>"$step.changes.json"
    is_loaded_the_same "$kinds" "$step.changes.json" && is_kept=yes
    restore
    [ "$is_kept" = yes ]
}

# is_loaded_the_same KINDS CHANGES
is_loaded_the_same() {
    local kind before=$project.before.jsonl is_imported=no
    for kind in $1; do
        [[ "$IMPORTED" != *",$kind,"* ]] || is_imported=yes
    done
    case "$1" in
        # They are told in another way, to be compared.
        *inline* | *dedupe*)
            mv "$project" "$project.changed"
            cp -R "$original" "$project"
            before=$step.before.jsonl
            dump before "$before" "$2" || return 1
            rm -rf "$project"
            mv "$project.changed" "$project"
            ;;
    esac
    [ "$is_imported" = no ] || import
    dump after "$step.jsonl" "$2" "$before" && is_equal && runs_the_same "$1"
}

# --- Changes that are left out ------------------------------------------------------------------------

# sabotage KIND NUMBER: one of its changes is left out, in one of the files that it changes.
sabotage() {
    local kind=$1 number=$2 files file hunks hunk
    restore
    refactor "$kind" "$number" || fail "refused: gdscene $(arguments "$kind" "$number" | tr '\n' ' ')"
    files=$(changed_files)
    if [ -z "$files" ]; then
        # What it removes is there again.
        file=$(cd "$original" && find . -type f -not -path './.godot/*' | while IFS= read -r file; do
            [ -f "$project/$file" ] || printf '%s\n' "$file"
        done | nth_line "$((seed + number))")
        cp "$original/$file" "$project/$file"
        printf '%s\n' "$file" >"$step.left_out"
    else
        file=$(nth_line "$((seed + number))" <<<"$files")
        hunks=$(unified "$file" | grep -c '^@@ ')
        hunk=$(((seed + number) % hunks + 1))
        unified "$file" | awk -v wanted="$hunk" '/^@@ / { found++ } found == 0 || found == wanted' >"$step.left_out"
        (cd "$project" && patch --quiet --reverse "$file" <"$step.left_out") || fail "patch failed: $step.left_out"
    fi
    printf '[%s]\n' "$(field "$kind" "$number" 3)" >"$step.changes.json"
    if is_loaded_the_same "$kind" "$step.changes.json"; then
        failed=$((failed + 1))
        say "$name: NOT SEEN: gdscene $(arguments "$kind" "$number" | tr '\n' ' ')without $step.left_out"
    else
        passed=$((passed + 1))
        tell "$kind:$number" "seen, without a change of $file"
    fi
}

# The files that a refactoring has changed and not moved.
changed_files() {
    local file
    (cd "$original" && find . -type f -not -path './.godot/*' | LC_ALL=C sort) | while IFS= read -r file; do
        [ ! -f "$project/$file" ] || cmp -s "$original/$file" "$project/$file" || printf '%s\n' "$file"
    done
}

# nth_line NUMBER: of the lines of standard input, of which the first comes again after the last.
nth_line() {
    awk -v wanted="$1" '{ lines[NR - 1] = $0 } END { print lines[wanted % NR] }'
}

# unified FILE: what is changed in it.
unified() {
    diff --unified=0 "$original/$1" "$project/$1" || true
}

# --- What Godot makes of it ---------------------------------------------------------------------------

# runs_the_same KINDS: the game itself, for a few frames. Nothing that it complains of is new, and what it traces comes out
# again, unless nodes have moved: the game may ask for the children of one.
runs_the_same() {
    local new
    run_game >"$step.game"
    new=$(comm -13 <(sort -u "$project.game") <(sort -u "$step.game") | grep -v '^TRACE: ' | head -n 3 || true)
    [ -z "$new" ] || say "$name: new in the running game: $new"
    [ -z "$new" ] || return 1
    [[ "$1" == *move-node* ]] || diff <(grep '^TRACE: ' "$project.game") <(grep '^TRACE: ' "$step.game") >&2
}

run_game() {
    limited "$ROOT/scripts/godot.sh" --headless --fixed-fps 60 --quit-after 30 --path "$project" \
        </dev/null >"$step.game.log" 2>&1 || true
    # Without the marks of new names, and what differs in each run.
    grep -E '^(TRACE|(USER )?(SCRIPT )?ERROR): ' "$step.game.log" | sed -E 's/_?zq[0-9]+q_?//g; s/-?[0-9]{4,}/N/g' |
        grep -v 'still in use at exit' || true
}

is_equal() {
    grep -q '^dump: .* 0 differ$' "$step.after.log"
}

# refactor KIND NUMBER: 1 as the status of the command means that something is doubtful.
refactor() {
    local status=0 words=() word
    while IFS= read -r word; do
        words+=("$word")
    done < <(arguments "$1" "$2")
    (cd "$project" && "$GDSCENE" "${words[@]}" --allow-dirty) >"$step.command.log" 2>&1 || status=$?
    [ "$status" -le 1 ]
}

restore() {
    rm -rf "$project" "$project.changed"
    cp -R "$original" "$project"
}

import() {
    limited "$ROOT/scripts/godot.sh" --headless --path "$project" --import </dev/null >"$step.import.log" 2>&1 || true
}

# dump before|after ARGUMENT...
dump() {
    local log=$step.$1.log
    limited "$ROOT/scripts/godot.sh" --headless --path "$project" -s "$ROOT/godot_project/tools/dump_refactored.gd" -- \
        "$@" </dev/null >"$log" 2>&1 || true
    # A script that fails goes on, and would find nothing that differs.
    if ! grep -qxF 'dump: DONE' "$log" || grep -q "^ *at: .* ($ROOT/godot_project/tools/" "$log"; then
        say "$name: the dump did not come to its end. All the engine printed: $log"
        return 1
    fi
}

main "$@"
