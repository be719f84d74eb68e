#!/usr/bin/env bash
# Loads the files of rust/godot-tscn/fixtures/security in a real Godot, each in its own process, and checks that their code runs if
# their first line says so. This is the evidence for the rules `SEC...`. Ends with `N passed, N failed, N skipped`.
#
# Usage:
#   scripts/test/scenes/security.sh
#   scripts/test/scenes/security.sh --help

set -euo pipefail

# shellcheck source=scripts/lib/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/../../lib/common.sh"
# shellcheck source=scripts/lib/programs.sh
. "$ROOT/scripts/lib/programs.sh"
# shellcheck source=scripts/lib/checks.sh
. "$ROOT/scripts/lib/checks.sh"

readonly WORK=$ROOT/target/engine/security
readonly PROJECT=$WORK/project
readonly FIXTURES=$ROOT/rust/godot-tscn/fixtures/security
# A file that takes longer hangs the engine.
readonly TIME_LIMIT=60

main() {
    local file
    expect_no_arguments "$@"
    make_project
    while IFS= read -r file; do
        judge "$file"
    done < <(ls "$FIXTURES" | sampled 15)
    report_checks
}

# A separate project without our library, and next to it the files that the cases refer to: a script that runs when it is loaded, in
# the project, in the user's folder and outside both.
make_project() {
    rm -rf "$WORK"
    mkdir -p "$PROJECT/tools" "$PROJECT/cases" "$WORK/outside" "$WORK/home/godot/app_userdata/security"
    cp "$ROOT/godot_project/tools/load_untrusted.gd" "$PROJECT/tools"
    cp "$FIXTURES"/* "$PROJECT/cases"
    printf 'config_version=5\n\n[application]\n\nconfig/name="security"\n' >"$PROJECT/project.godot"
    printf 'extends Node\n' >"$PROJECT/harmless.gd"
    printf '[gd_resource type="PlaceholderTexture2D" format=3]\n\n[resource]\n' >"$PROJECT/harmless.tres"
    write_script "$PROJECT/runs.gd"
    write_script "$WORK/outside/runs.gd"
    write_script "$WORK/home/godot/app_userdata/security/runs.gd"
    printf 'uid://bruns0000000\n' >"$PROJECT/runs.gd.uid"
    cp "$FIXTURES/static_initializer.tres" "$WORK/outside/runs.tres"
    printf '%s\n' '[configuration]' 'entry_symbol = "x"' 'compatibility_minimum = "4.1"' '[libraries]' \
        'linux = "not_there.so"' 'macos = "not_there.dylib"' >"$WORK/outside/native.gdextension"
    # So that uids are known. Cases that run in the editor do so here, too.
    run_godot "$WORK/import.log" --import || true
}

# write_script FILE
write_script() {
    printf '%s\n\n%s\n\t%s\n\t%s\n' 'static var ran: bool = start()' 'static func start() -> bool:' \
        'OS.set_environment("FV_RAN", "1")' 'return true' >"$1"
}

# run_godot LOG ARGUMENTS...
run_godot() {
    local log=$1
    shift
    XDG_CACHE_HOME=${XDG_CACHE_HOME:-$HOME/.cache} XDG_DATA_HOME=$WORK/home \
        timeout "$TIME_LIMIT" "$ROOT/scripts/godot.sh" --headless --path "$PROJECT" "$@" </dev/null >"$log" 2>&1
}

# judge FILE: by its first line, `; AT load SHOWS text FINDS ...`. Without SHOWS, code has to run at that time.
judge() {
    local head at log=$WORK/$1.log
    head=$(head -n 1 "$FIXTURES/$1")
    at=${head#; AT }
    at=${at%% *}
    run_godot "$log" -s res://tools/load_untrusted.gd -- "res://cases/$1" || true
    if ! grep -qxF 'load_untrusted: DONE' "$log"; then
        miss "$1" "Godot did not come to the end"
    elif [ "$at" = nowhere ]; then
        if grep -qE '^ran at |^(sibling|scene|node|path) is ' "$log"; then miss "$1" "it does run"; else hit "$1"; fi
    elif [[ $head = *" SHOWS "* ]]; then
        head=${head#* SHOWS }
        if grep -qF "${head% FINDS *}" "$log"; then hit "$1"; else miss "$1" "no \`${head% FINDS *}\`"; fi
    elif grep -qxF "ran at $at" "$log"; then
        hit "$1"
    else
        miss "$1" "its code did not run at $at"
    fi
}

# hit FILE
hit() {
    pass
    say "    $1: $(head -n 1 "$FIXTURES/$1" | cut -c 3-)"
}

# miss FILE REASON
miss() {
    flunk "$1: $2. All it printed: $WORK/$1.log"
}

run_main "$@"
