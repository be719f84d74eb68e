#!/usr/bin/env bash
# Runs a Godot 3.6 without a window: the one in $GODOT3_BIN, else the server in the private prefix (which
# scripts/setup.sh fills first if need be).
#
# Usage:
#   scripts/godot3.sh [arguments for Godot]
#   scripts/godot3.sh --where   print the path of the program that would run
#   scripts/godot3.sh --help    this text (Godot's own: scripts/godot3.sh -h)
#
# Environment:
#   GODOT3_BIN          the Godot 3.6 to run, a headless or server build
#   FAST_VARIANT_CACHE  see scripts/setup.sh

set -euo pipefail

# shellcheck source=scripts/lib/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"
# shellcheck source=scripts/lib/engines.sh
. "$ROOT/scripts/lib/engines.sh"

readonly GODOT3_MINIMUM=3.6

main() {
    case "${1:-}" in
        --help) print_help ;;
        --where)
            find_godot
            printf '%s\n' "$godot"
            ;;
        *)
            find_godot
            exec "$godot" "$@"
            ;;
    esac
}

# Sets `godot`.
find_godot() {
    if [ -n "${GODOT3_BIN:-}" ]; then
        godot=$(chosen_godot GODOT3_BIN "$GODOT3_BIN" "$GODOT3_MINIMUM")
    else
        fill_prefix_if_needed
        godot=$(prefix_folder)/usr/bin/godot3-server
    fi
}

main "$@"
