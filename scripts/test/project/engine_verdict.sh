#!/usr/bin/env bash
# Sees whether `gdscene check --engine` reports what Godot says of projects, and nothing else: errors and warnings in scripts,
# shaders that do not compile, missing addons, broken assets, and scripts at which Godot crashes or hangs. Ends with
# `N passed, N failed, N skipped`.
#
# Usage:
#   scripts/test/project/engine_verdict.sh [NAME]    only projects whose name contains NAME
#   scripts/test/project/engine_verdict.sh --help

set -euo pipefail

# shellcheck source=scripts/lib/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/../../lib/common.sh"
# shellcheck source=scripts/lib/programs.sh
. "$ROOT/scripts/lib/programs.sh"
# shellcheck source=scripts/lib/checks.sh
. "$ROOT/scripts/lib/checks.sh"

readonly WORK=$ROOT/target/engine/verdicts
readonly PROJECTS=$ROOT/rust/gdscene/tests/fixtures/engine

main() {
    local folder
    GODOT=$("$ROOT/scripts/godot.sh" --where)
    export GODOT
    rm -rf "$WORK"
    mkdir -p "$WORK"
    for folder in "$PROJECTS"/*"${1:-}"*/; do
        [ ! -f "$folder/expected" ] || judge "$(basename "$folder")"
    done
    if [ -z "${1:-}" ]; then
        limits
        refusals
    fi
    report_checks
}

# judge NAME: in a copy, because Godot writes into projects. The file `expected` has the findings and the exit status.
judge() {
    local name=$1 run
    copy_project "$name"
    # The second run does not import again, and finds the same.
    for run in 1 2; do
        findings "$WORK/$name" >"$WORK/$name.$run"
        if diff -u "$PROJECTS/$name/expected" "$WORK/$name.$run" >&2; then
            pass
        else
            flunk "$name: run $run found something else"
        fi
    done
}

# copy_project NAME
copy_project() {
    rm -rf "${WORK:?}/$1"
    cp -R "$PROJECTS/$1" "$WORK/$1"
    rm -f "$WORK/$1/expected"
}

# findings FOLDER [ARGUMENTS...]
findings() {
    local folder=$1 status=0
    shift
    (cd "$folder" && "$(built gdscene)" check --engine --engine-timeout 20 --output concise "$@" . 2>&1) >"$WORK/printed" || status=$?
    # The folder and the version are others on each machine.
    sed -E -e "s|$folder|FOLDER|g" -e 's/Godot [0-9][0-9.]*/Godot N/g' -e 's/signal:? [0-9]+( .SIG[A-Z]+.)?/signal N/g' "$WORK/printed"
    printf 'exit status %d\n' "$status"
}

# Limits of time and memory, and what hides findings.
limits() {
    copy_project hang
    check "a short limit" prints 'ENG008 load-timeout' \
        lets_fail "$(built gdscene)" check --engine --engine-timeout 1 --output concise "$WORK/hang"
    if [ "$(uname -s)" = Linux ]; then
        copy_project memory
        check "memory" prints 'greedy.gd:8:3: warning[ENG006 runtime-error]' \
            lets_fail "$(built gdscene)" check --engine --engine-memory 1024 --output concise "$WORK/memory"
        check "enough memory" prints 'nothing found' \
            "$(built gdscene)" check --engine --engine-memory 4096 --output concise "$WORK/memory"
    fi
    copy_project crash
    check "a baseline does not make a crash clean" refuses 'nothing found' \
        hides_crash "$WORK/crash"
    copy_project scripts
    check "sarif" prints '"id":"ENG001"' \
        lets_fail "$(built gdscene)" check --engine --output sarif "$WORK/scripts"
    check "ignored rules" prints 'no errors or warnings' \
        "$(built gdscene)" check --engine --ignore ENG --output concise "$WORK/scripts"
}

lets_fail() {
    "$@" || [ $? = 1 ]
}

hides_crash() {
    "$(built gdscene)" check --engine --write-baseline "$WORK/known.json" "$1" >/dev/null 2>&1
    "$(built gdscene)" check --engine --baseline "$WORK/known.json" "$1"
}

refusals() {
    copy_project clean
    check "untrusted" refuses 'refused for untrusted files' \
        "$(built gdscene)" check --engine --profile untrusted "$WORK/clean"
    printf 'profile = "untrusted"\n' >"$WORK/clean/gdscene.toml"
    check "untrusted by its configuration" refuses 'refused for untrusted files' "$(built gdscene)" check --engine "$WORK/clean"
    printf '[engine]\npath = "./godot"\n' >"$WORK/clean/gdscene.toml"
    check "a program of the project" refuses 'a project cannot choose the engine' "$(built gdscene)" check --engine "$WORK/clean"
    rm "$WORK/clean/gdscene.toml"
    check "no program" refuses 'cannot run' "$(built gdscene)" check --engine="$WORK/none" "$WORK/clean"
    check "another program" refuses 'is not a Godot' "$(built gdscene)" check --engine=/bin/echo "$WORK/clean"
    check "no project" refuses 'none of these files is in a project' "$(built gdscene)" check --engine "$WORK/known.json"
}

run_main "$@"
