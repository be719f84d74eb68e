#!/usr/bin/env bash
# Writes the linter's data on Godot's classes, from the engines themselves and their sources:
#   rust/godot-project/data/classes.txt   classes, properties, signals, methods and enums of Godot 3.6 and 4.2 to 4.7
#   rust/godot-project/data/renames.txt   the renames between them
#   rust/godot-project/data/property_order.txt  in which order the newest Godot 4 saves properties
#   rust/godot-project/data/settings.txt  which settings of a project the newest Godot 4 knows, in its order
#   rust/godot-project/data/actions.txt   which input actions the newest Godot 4 defines
#   rust/godot-project/data/limits.txt    which numbers the setters of the newest Godot 4 refuse or change
#   rust/godot-project/data/property_enums.txt  which enum each property of the newest Godot 4 takes
#   rust/gdscene-lsp/data/documentation.txt  the texts of the newest Godot 4's class reference on classes, properties and signals
# The APIs of Godot 4 come from the crate gdextension-api, which cargo has once gdextension was built. The API of Godot 3 and the
# defaults of properties come from the engines that scripts/godot.sh and scripts/godot3.sh run.
#
# Usage:
#   scripts/data/class_db.sh GODOT4_SOURCE GODOT3_SOURCE   folders with the sources of those two engines (apt-get source godot)
#   scripts/data/class_db.sh --help
#
# Needs python3.

set -euo pipefail

# shellcheck source=scripts/lib/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/../lib/common.sh"
# shellcheck source=scripts/lib/engine_run.sh
. "$ROOT/scripts/lib/engine_run.sh"

readonly WORK=$ROOT/target/engine/class_db
readonly SUCCESS='class database: WRITTEN'

main() {
    case "${1:-}" in
        "") misused "the folders of the sources are missing" ;;
        *) write_class_db "$1" "${2:-}" ;;
    esac
}

write_class_db() {
    [ -d "$1/editor/project_upgrade" ] || fail "no sources of Godot 4.6 or newer in \`$1\`"
    [ -d "$2/scene/3d" ] || fail "no sources of Godot 3 in \`$2\`"
    rm -rf "$WORK"
    mkdir -p "$WORK/4" "$WORK/3"
    printf 'config_version=5\n' >"$WORK/4/project.godot"
    printf 'config_version=4\n' >"$WORK/3/project.godot"
    cp "$ROOT"/scripts/data/class_db/*4.gd "$WORK/4"
    cp "$ROOT"/scripts/data/class_db/*3.gd "$WORK/3"
    ask "$WORK/4.log" "$ROOT/scripts/godot.sh" --headless --path "$WORK/4" -s properties_godot4.gd -- "$WORK/properties_4.json"
    ask "$WORK/order.log" "$ROOT/scripts/godot.sh" --headless --path "$WORK/4" -s property_order_godot4.gd -- "$ROOT/rust/godot-project/data/property_order.txt"
    ask "$WORK/settings.log" "$ROOT/scripts/godot.sh" --headless --path "$WORK/4" -s settings_godot4.gd -- "$ROOT/rust/godot-project/data/settings.txt"
    ask "$WORK/actions.log" "$ROOT/scripts/godot.sh" --headless --path "$WORK/4" -s actions_godot4.gd -- "$ROOT/rust/godot-project/data/actions.txt"
    ask "$WORK/3.log" "$ROOT/scripts/godot3.sh" --path "$WORK/3" -s properties_godot3.gd "$WORK/properties_3.json"
    ask "$WORK/limits.log" "$ROOT/scripts/godot.sh" --headless --path "$WORK/4" -s limits_godot4.gd -- "$ROOT/rust/godot-project/data/limits.txt"
    limited "$ROOT/scripts/godot3.sh" --path "$WORK/3" --gdnative-generate-json-api "$WORK/api_3.json" >"$WORK/api_3.log" 2>&1
    (cd "$WORK" && limited "$ROOT/scripts/godot.sh" --headless --dump-extension-api-with-docs >"$WORK/documentation.log" 2>&1)
    python3 "$ROOT/scripts/data/class_db/enums.py" "$WORK/extension_api.json" "$ROOT/rust/godot-project/data/property_enums.txt"
    python3 "$ROOT/scripts/data/class_db/documentation.py" "$WORK/extension_api.json" "$ROOT/rust/gdscene-lsp/data/documentation.txt"
    python3 "$ROOT/scripts/data/class_db/merge.py" "$(apis)" "$WORK/api_3.json" "$WORK/properties_4.json" \
        "$WORK/properties_3.json" "$1" "$2" "$ROOT/rust/godot-project/data"
    say "Written: rust/godot-project/data and rust/gdscene-lsp/data"
}

# Objects outside a scene log errors when all their properties are read: only the sentinel counts.
ask() {
    local log=$1
    shift
    limited "$@" </dev/null >"$log" 2>&1 || true
    grep -qxF "$SUCCESS" "$log" || fail "the engine did not write its properties" "All it printed: $log"
}

# The folder of the crate gdextension-api with a folder a version.
apis() {
    local manifest
    manifest=$(cargo metadata --manifest-path "$ROOT/Cargo.toml" --format-version 1 |
        python3 -c 'import json, sys; print(*(p["manifest_path"] for p in json.load(sys.stdin)["packages"] if p["name"] == "gdextension-api"))')
    [ -f "$manifest" ] || fail "cargo does not have the crate gdextension-api" "Build rust/fast-variant first."
    printf '%s\n' "$(dirname "$manifest")/src"
}

run_main "$@"
