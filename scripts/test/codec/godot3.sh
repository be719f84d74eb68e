#!/usr/bin/env bash
# Compares the dialect GODOT_3 of the crate godot-variant-codec with a real Godot 3.6. Each decodes and encodes values of the other,
# and both give the same verdict on broken ones. The last line says how many were compared.
#
# Usage:
#   scripts/test/codec/godot3.sh [COUNT]   values each way (default: 20000; a sample: 2000)
#   scripts/test/codec/godot3.sh --help

set -euo pipefail

# shellcheck source=scripts/lib/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/../../lib/common.sh"
# shellcheck source=scripts/lib/programs.sh
. "$ROOT/scripts/lib/programs.sh"
# shellcheck source=scripts/lib/engine_run.sh
. "$ROOT/scripts/lib/engine_run.sh"

readonly WORK=$ROOT/target/engine/godot3

main() {
    local count
    count=$(amount 2000 20000)
    case "${1:-}" in
        "") ;;
        *[!0-9]*) misused "\`$1\` is no number" ;;
        *) count=$1 ;;
    esac
    rm -rf "$WORK"
    mkdir -p "$WORK"
    exchange write "$WORK" "$count" "$SEED"
    ask_godot "$count"
    exchange check "$WORK"
}

exchange() {
    "$(built examples/godot3_exchange)" "$@"
}

# Godot prints errors for every broken value: thousands of lines that say nothing.
ask_godot() {
    local log=$WORK/run.log project=$WORK/project
    cp -R "$ROOT/godot_project/godot3" "$project"
    mv "$project/project.godot.in" "$project/project.godot"
    FAST_VARIANT_EXCHANGE=$WORK FAST_VARIANT_COUNT=$1 FAST_VARIANT_SEED=$SEED limited "$ROOT/scripts/godot3.sh" \
        --path "$project" -s res://exchange.gd </dev/null >"$log" 2>&1 ||
        fail "Godot 3.6 ended with an error. All it printed: $log"
    grep -qxF 'godot3 exchange: WRITTEN' "$log" || fail "Godot 3.6 did not do its part. All it printed: $log"
}

run_main "$@"
