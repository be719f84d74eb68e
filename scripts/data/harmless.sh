#!/usr/bin/env bash
# Writes the list of harmless content of untrusted files, rust/godot-tscn/data/harmless.txt. For the classes in harmless_review.txt
# next to it, it contains the properties with a range from the running engine, and the reviewed properties.
#
# Usage:
#   scripts/data/harmless.sh
#   scripts/data/harmless.sh --check   write nothing, and fail if the list is another one
#   scripts/data/harmless.sh --help
#
# Needs python3.

set -euo pipefail

# shellcheck source=scripts/lib/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/../lib/common.sh"

readonly WORK=$ROOT/target/engine/harmless_list
readonly DATA=$ROOT/rust/godot-tscn/data
readonly SUCCESS='harmless properties: WRITTEN'

main() {
    case "${1:-}" in
        --check) make_list && compare ;;
        "") make_list && cp "$WORK/harmless.txt" "$DATA/harmless.txt" ;;
        *) misused "unknown argument \`$1\`" ;;
    esac
}

make_list() {
    rm -rf "$WORK"
    mkdir -p "$WORK"
    printf 'config_version=5\n' >"$WORK/project.godot"
    cp "$ROOT/scripts/data/harmless/properties.gd" "$WORK"
    "$ROOT/scripts/godot.sh" --headless --path "$WORK" -s res://properties.gd -- "$WORK/engine.json" >"$WORK/log" 2>&1 || true
    grep -qxF "$SUCCESS" "$WORK/log" || fail "Godot did not list its properties: $WORK/log"
    python3 "$ROOT/scripts/data/harmless/make.py" "$WORK/engine.json" "$DATA/harmless_review.txt" \
        "$ROOT/rust/godot-project/data/classes.txt" >"$WORK/harmless.txt"
}

compare() {
    diff -u "$DATA/harmless.txt" "$WORK/harmless.txt" || fail "the list is not what scripts/data/harmless.sh makes of the review"
    say "the list is what the engine and the review make it"
}

run_main "$@"
