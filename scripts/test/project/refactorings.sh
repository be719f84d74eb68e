#!/usr/bin/env bash
# Checks that refactorings change nothing that Godot loads, except the changed names and paths. A project is loaded before and
# after, with all its scripts, resources and settings, and all results are compared. The game runs for a few frames, too: nothing
# that it complains of may be new.
#
# The refactorings are random, and many run at once. If something differs then, halves are tried until one refactoring is left. Each
# must change only what it is asked to change. A difference counts as announced if the command lists this place as doubtful
# (`godot_project/tools/refactored_doubts.gd`). It also counts if nothing differs once the doubtful places have the new name, too.
# Another doubt excuses nothing. For the project made for this test, `scripts/test/project/refactorings_announced.txt` names the
# refactorings that may differ in this way. `gdscene undo` has to bring the bytes back. Ends with `N passed, N failed, N skipped`.
#
# Usage:
#   scripts/test/project/refactorings.sh [--kinds K,K] [--count N] [--seed N] [FOLDER...]
#                                                 these projects, which are copied; by default the one made for this test, of
#                                                 which tries with a change left out follow. N of each kind (default: 8)
#   scripts/test/project/refactorings.sh --sabotage ...   the same, but each refactoring is tried alone, and one of its changes is left
#                                                 out: passed means that the comparison tells of that, and that no doubt
#                                                 excuses it
#   scripts/test/project/refactorings.sh --help

set -euo pipefail

# shellcheck source=scripts/lib/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/../../lib/common.sh"
# shellcheck source=scripts/lib/programs.sh
. "$ROOT/scripts/lib/programs.sh"
# shellcheck source=scripts/lib/engine_run.sh
. "$ROOT/scripts/lib/engine_run.sh"
# shellcheck source=scripts/lib/rust.sh
. "$ROOT/scripts/lib/rust.sh"
# shellcheck source=scripts/test/project/lib/refactorings.sh
. "$ROOT/scripts/test/project/lib/refactorings.sh"
# shellcheck source=scripts/lib/checks.sh
. "$ROOT/scripts/lib/checks.sh"

readonly WORK=${FV_REFACTORINGS_WORK:-$ROOT/target/engine/refactorings}
readonly OWN_PROJECT=$ROOT/rust/gdscene-refactor/tests/refactored_project
# The tries in it that differ as announced: the arguments of `gdscene`, in the order of their bytes.
readonly OWN_ANNOUNCED=$ROOT/scripts/test/project/refactorings_announced.txt
# After these Godot has to look at the project again, as its editor does.
readonly IMPORTED=",mv,rename-class,extract,inline,upgrade,prune,"

# All of a group is tried together.
readonly GROUPS_OF_KINDS=(
    "mv" "rename-node rename-method rename-signal rename-class rename-property" "prune" "move-node" "extract" "inline" "dedupe"
    "upgrade prune-inside"
)

kinds=mv,rename-node,rename-method,rename-signal,rename-class,rename-property,prune,move-node,extract,inline,dedupe,upgrade
kinds=$kinds,prune-inside
switches=sabotage
is_sabotage=no

main() {
    local folder is_whole=no
    [ $# != 0 ] || is_sample || is_whole=yes
    read_arguments "$@"
    find_programs
    rm -rf "$WORK"
    mkdir -p "$WORK"
    [ ${#folders[@]} != 0 ] || folders=("$OWN_PROJECT")
    for folder in "${folders[@]}"; do
        judge_project "$folder"
    done
    [ "$is_whole" = no ] || judge_own_project
    report_checks
}

# The known results for the project made for this test: the refactorings that differ as announced, and that doubts excuse only their
# own places. For these refactorings, one change after another is left out.
judge_own_project() {
    if LC_ALL=C sort "$WORK/announced" 2>/dev/null | diff "$OWN_ANNOUNCED" - >&2; then
        pass
    else
        flunk "$name: other tries than those in $OWN_ANNOUNCED differ as announced"
    fi
    is_sabotage=yes
    kinds=rename-node,move-node
    judge_project "$OWN_PROJECT"
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
    # A second time, because one import may need the result of another.
    import
    cp -R "$project" "$original"
    # Some results depend on the time.
    for _ in 1 2 3; do
        run_game
    done >"$project.game"
    if ! dump before "$project.before.jsonl" || ! is_stable; then
        flunk "$name: without a refactoring, it does not load the same again"
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
    grep -q '^dump: .* 0 differ as announced, 0 differ$' "$step.after.log" && return
    say "$name: it loads in another way each time"
    return 1
}

# judge_group KIND...: all chosen refactorings of these kinds at once, and by halves if the result is not equal.
judge_group() {
    local kind number certain=() doubtful=()
    for kind in "$@"; do
        step=$WORK/$name.$kind
        "$CANDIDATES" "$original" "$kind" "$count" "$seed" | sampled 1 >"$step.candidates"
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
    local half=$(($# / 2)) outcome
    step=$WORK/$name.${1/:/.}.and.$(($# - 1))
    outcome=$(outcome_of "$@")
    if [ "$outcome" != equal ] && [ $# != 1 ]; then
        judge_batch "${@:1:half}"
        judge_batch "${@:half+1}"
        return
    fi
    if [ "$outcome" != equal ]; then
        is_of_doubts "$1" && outcome="announced and proved"
    fi
    verdict "${outcome%% *}" "$@"
    case "$outcome" in
        announced*)
            tell "$1" "differs as $outcome"
            one_line "$1" >>"$WORK/announced"
            ;;
        failed) tell "$1" "FAILED" ;;
    esac
}

# is_of_doubts KIND:NUMBER: whether nothing differs once the doubtful places have the new name.
is_of_doubts() {
    local was=$step outcome=failed
    [ "$(field "${1%:*}" "${1#*:}" 2)" != 0 ] || return 1
    step=$step.resolved
    restore
    printf '%s\n' "$(field "${1%:*}" "${1#*:}" 3)" >"$step.change.json"
    printf '[%s]\n' "$(cat "$step.change.json")" >"$step.changes.json"
    if "$CHANGE_DOUBTFUL" "$project" "$step.change.json" && refactor "${1%:*}" "${1#*:}"; then
        outcome=$(loaded "${1%:*}" "$step.changes.json")
    fi
    restore
    step=$was
    [ "$outcome" = equal ]
}

# verdict equal|announced|failed KIND:NUMBER...
verdict() {
    local what=$1 one
    shift
    for one in "$@"; do
        printf '%s\n' "$one" >>"$WORK/$name.${one%:*}.$what"
        if [ "$what" = failed ]; then failed=$((failed + 1)); else pass; fi
    done
}

# verdicts KIND equal|announced|failed
verdicts() {
    cat "$WORK/$name.$1.$2" 2>/dev/null | wc -l
}

# tell KIND:NUMBER WHAT
tell() {
    say "$name: $2: gdscene $(one_line "$1"): $step.*"
    [ ! -f "$step.after.log" ] || grep -E '^(DIFFERS|ANNOUNCED) ' "$step.after.log" | head -n 5 | cut -c 1-700 >&2 || true
}

# field KIND NUMBER FIELD: of a candidate.
field() {
    sed -n "$2p" "$WORK/$name.$1.candidates" | cut -f "$3"
}

# arguments KIND NUMBER: a line for each.
arguments() {
    field "$1" "$2" 4- | tr '\t' '\n'
}

# one_line KIND:NUMBER: the arguments, for people.
one_line() {
    arguments "${1%:*}" "${1#*:}" | paste -s -d ' ' -
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

# outcome_of KIND:NUMBER...: the project's content in Godot after these.
outcome_of() {
    local one kinds="" outcome=equal
    restore
    printf '[' >"$step.changes.json"
    for one in "$@"; do
        # One that meets another one is refused here, and tried alone.
        refactor "${one%:*}" "${one#*:}" || { outcome=failed && break; }
        [ "$one" = "$1" ] || printf ',' >>"$step.changes.json"
        field "${one%:*}" "${one#*:}" 3 >>"$step.changes.json"
        kinds="$kinds ${one%:*} "
    done
    printf ']\n' >>"$step.changes.json"
    [ "$outcome" = failed ] || outcome=$(loaded "$kinds" "$step.changes.json")
    restore
    printf '%s\n' "$outcome"
}

# loaded KINDS CHANGES: `equal`, `announced` if all that differs was, or `failed`.
loaded() {
    local kind before=$project.before.jsonl is_imported=no
    for kind in $1; do
        [[ "$IMPORTED" != *",$kind,"* ]] || is_imported=yes
    done
    case "$1" in
        # They are printed in another form, for the comparison.
        *inline* | *dedupe*)
            mv "$project" "$project.changed"
            cp -R "$original" "$project"
            before=$step.before.jsonl
            dump before "$before" "$2" || { printf 'failed\n' && return; }
            rm -rf "$project"
            mv "$project.changed" "$project"
            ;;
    esac
    [ "$is_imported" = no ] || import
    dump after "$step.jsonl" "$2" "$before" || { printf 'failed\n' && return; }
    runs_the_same "$1" "$2" >>"$step.after.log" || true
    if grep -q '^DIFFERS ' "$step.after.log"; then
        printf 'failed\n'
    elif grep -q '^ANNOUNCED ' "$step.after.log"; then
        printf 'announced\n'
    else
        printf 'equal\n'
    fi
}

# --- Changes that are left out ------------------------------------------------------------------------

# sabotage KIND NUMBER: one of its changes is left out, in one of the files that it changes.
sabotage() {
    local kind=$1 number=$2 files file hunks hunk
    restore
    refactor "$kind" "$number" || fail "refused: gdscene $(arguments "$kind" "$number" | tr '\n' ' ')"
    files=$(changed_files)
    if [ -z "$files" ]; then
        # Files that it removed exist again.
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
    case "$(loaded "$kind" "$step.changes.json")" in
        failed)
            pass
            tell "$kind:$number" "seen, without a change of $file, with $(field "$kind" "$number" 2) doubts"
            ;;
        announced)
            failed=$((failed + 1))
            tell "$kind:$number" "FAIL: EXCUSED, without $step.left_out"
            ;;
        equal)
            flunk "$name: NOT SEEN: gdscene $(one_line "$kind:$number") without $step.left_out"
            ;;
    esac
}

# The files that a refactoring has changed and not moved.
changed_files() {
    local file
    (cd "$original" && find . -type f -not -path './.godot/*' | LC_ALL=C sort) | while IFS= read -r file; do
        [ ! -f "$project/$file" ] || cmp -s "$original/$file" "$project/$file" || printf '%s\n' "$file"
    done
}

# nth_line NUMBER: a line of standard input; after the last line, the first comes again.
nth_line() {
    awk -v wanted="$1" '{ lines[NR - 1] = $0 } END { print lines[wanted % NR] }'
}

# unified FILE: its changes.
unified() {
    diff --unified=0 "$original/$1" "$project/$1" || true
}

# --- What Godot makes of it ---------------------------------------------------------------------------

# runs_the_same KINDS CHANGES: the game itself, for a few frames. It logs no new errors, and prints the same traces, unless nodes
# have moved: the game may ask for the children of one. Differences are printed in the form of the dump.
runs_the_same() {
    local complaint script mark
    run_game >"$step.game"
    comm -13 <(cut -f 1 "$project.game" | sort -u) <(cut -f 1 "$step.game" | sort -u) | grep -v '^TRACE: ' |
        while IFS= read -r complaint; do
            script=$(awk -F '\t' -v wanted="$complaint" '$1 == wanted { print $2; exit }' "$step.game")
            mark=DIFFERS
            [ -z "$script" ] || ! grep -qF "\"path\":\"$script\"" "$2" || mark=ANNOUNCED
            printf '%s the running game: new in %s: %s\n' "$mark" "${script:-the engine}" "$complaint"
        done
    [[ "$1" == *move-node* ]] ||
        diff <(traced "$project.game") <(traced "$step.game") | sed -n 's/^[<>]/DIFFERS the running game: &/p'
}

# traced FILE
traced() {
    grep '^TRACE: ' "$1" | sort -u || true
}

# run_game: its error, and after a tab the script that caused it.
run_game() {
    limited "$ROOT/scripts/godot.sh" --headless --fixed-fps 60 --quit-after 30 --path "$project" \
        </dev/null >"$step.game.log" 2>&1 || true
    # Without the marks of new names, and without parts that differ in each run.
    awk '
        function end() { if (held != "") print held "\t" script; held = script = "" }
        /^(TRACE|(USER )?(SCRIPT )?ERROR): / { end(); held = $0; next }
        /^ / && script == "" && match($0, /res:\/\/[^:)]*/) { script = substr($0, RSTART, RLENGTH) }
        /^[^ ]/ { end() }
        END { end() }' "$step.game.log" | sed -E 's/_?zq[0-9]+q_?//g; s/-?[0-9]{4,}/N/g' | grep -v 'still in use at exit' || true
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

run_main "$@"
