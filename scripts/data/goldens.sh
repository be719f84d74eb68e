#!/usr/bin/env bash
# Writes the results of a real Godot, for the tests of the crates:
#   rust/godot-variant-codec/goldens/godot4.txt   values that it encodes, accepts and decodes
#   rust/godot-tscn/goldens/values.txt            values that it reads from texts
#   rust/godot-tscn/goldens/config_files.txt      values that it reads from settings files
#
# Usage:
#   scripts/data/goldens.sh           write the files again
#   scripts/data/goldens.sh --check   fail if this Godot would write other files
#   scripts/data/goldens.sh --help

set -euo pipefail

# shellcheck source=scripts/lib/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/../lib/common.sh"
# shellcheck source=scripts/lib/engine_run.sh
. "$ROOT/scripts/lib/engine_run.sh"

# The tool in godot_project/tools, and the file that it writes.
readonly GOLDENS="write_goldens.gd rust/godot-variant-codec/goldens/godot4.txt
write_value_goldens.gd rust/godot-tscn/goldens/values.txt
write_config_goldens.gd rust/godot-tscn/goldens/config_files.txt"
readonly WORK=$ROOT/target/engine/goldens

main() {
    case "${1:-}" in
        --check) check_goldens ;;
        "")
            write_goldens
            install_goldens
            ;;
        *) misused "unknown argument \`$1\`" ;;
    esac
}

# In a separate project without our library, so that only the engine writes the files.
write_goldens() {
    local tool path
    rm -rf "$WORK"
    mkdir -p "$WORK/tests"
    cp -R "$ROOT/godot_project/tools" "$WORK"
    cp -R "$ROOT/godot_project/tests/support" "$WORK/tests"
    printf 'config_version=5\n' >"$WORK/project.godot"
    while read -r tool path; do
        judged_run "$WORK/run.log" 'goldens: WRITTEN' \
            "$ROOT/scripts/godot.sh" --headless --path "$WORK" -s "res://tools/$tool" -- "$WORK/${path##*/}" ||
            exit 1
    done <<<"$GOLDENS"
}

install_goldens() {
    local path
    while read -r _ path; do
        if cmp -s "$WORK/${path##*/}" "$ROOT/$path"; then
            say "No change in $path"
            continue
        fi
        mkdir -p "$(dirname "$ROOT/$path")"
        cp "$WORK/${path##*/}" "$ROOT/$path"
        say "Written: $path"
    done <<<"$GOLDENS"
}

# Another version of the engine may do other things, for example write garbage as padding before 4.6.3.
check_goldens() {
    local path new
    write_goldens
    while read -r _ path; do
        new=$WORK/${path##*/}
        [ -f "$ROOT/$path" ] || fail "There is no $path. Write it with scripts/data/goldens.sh."
        if [ "$(head -n 1 "$new")" != "$(head -n 1 "$ROOT/$path")" ]; then
            printf 'SKIPPED: goldens are of another Godot\n'
            say "    in the file:  $(head -n 1 "$ROOT/$path")"
            say "    this engine:  $(head -n 1 "$new")"
            return
        elif ! diff "$ROOT/$path" "$new" >"$WORK/diff.txt"; then
            head -n 20 "$WORK/diff.txt" | cut -c 1-200 >&2
            fail "Godot would write another $path (lines above: <file, >engine)." \
                "If that is right, write it with scripts/data/goldens.sh."
        fi
    done <<<"$GOLDENS"
}

run_main "$@"
