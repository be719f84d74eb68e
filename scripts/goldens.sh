#!/usr/bin/env bash
# Writes rust/variant-codec/goldens/godot4.txt: what a real Godot encodes, accepts and decodes. The tests of the crate
# compare themselves with it.
#
# Usage:
#   scripts/goldens.sh           write the file anew
#   scripts/goldens.sh --check   fail if this Godot would write another file
#   scripts/goldens.sh --help

set -euo pipefail

# shellcheck source=scripts/lib/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"
# shellcheck source=scripts/lib/engine_run.sh
. "$ROOT/scripts/lib/engine_run.sh"

readonly GOLDENS=$ROOT/rust/variant-codec/goldens/godot4.txt
readonly WORK=$ROOT/target/engine/goldens

main() {
    case "${1:-}" in
        --help | -h) print_help ;;
        --check) check_goldens ;;
        "")
            write_goldens
            install_goldens
            ;;
        *) fail "unknown argument \`$1\`; see scripts/goldens.sh --help" ;;
    esac
}

# In a project of its own, without our library: what stands in the file is the engine's word only.
write_goldens() {
    rm -rf "$WORK"
    mkdir -p "$WORK/tests"
    cp -R "$ROOT/godot_project/tools" "$WORK"
    cp -R "$ROOT/godot_project/tests/support" "$WORK/tests"
    printf 'config_version=5\n' >"$WORK/project.godot"
    judged_run "$WORK/run.log" 'goldens: WRITTEN' \
        "$ROOT/scripts/godot.sh" --headless --path "$WORK" -s res://tools/write_goldens.gd -- "$WORK/godot4.txt" ||
        exit 1
}

install_goldens() {
    if cmp -s "$WORK/godot4.txt" "$GOLDENS"; then
        say "No change in $GOLDENS"
        return
    fi
    mkdir -p "$(dirname "$GOLDENS")"
    cp "$WORK/godot4.txt" "$GOLDENS"
    say "Written: $GOLDENS"
}

# Another version of the engine may do other things, for example write garbage as padding before 4.6.3.
check_goldens() {
    [ -f "$GOLDENS" ] || fail "There is no $GOLDENS. Write it with scripts/goldens.sh."
    write_goldens
    if [ "$(head -n 1 "$WORK/godot4.txt")" != "$(head -n 1 "$GOLDENS")" ]; then
        printf 'SKIPPED: goldens are of another Godot\n'
        say "    in the file:  $(head -n 1 "$GOLDENS")"
        say "    this engine:  $(head -n 1 "$WORK/godot4.txt")"
    elif ! diff "$GOLDENS" "$WORK/godot4.txt" >"$WORK/diff.txt"; then
        head -n 20 "$WORK/diff.txt" | cut -c 1-200 >&2
        fail "Godot would write another rust/variant-codec/goldens/godot4.txt (lines above: <file, >engine)." \
            "If that is right, write it with scripts/goldens.sh."
    fi
}

main "$@"
