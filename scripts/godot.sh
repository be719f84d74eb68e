#!/usr/bin/env bash
# Runs a Godot 4: the one in $GODOT4_BIN, else `godot` or `godot4` on the PATH if it is 4.4 or newer, else the one in the private
# prefix. If needed, scripts/setup.sh fills the prefix first.
#
# Usage:
#   scripts/godot.sh [arguments for Godot]         e.g. scripts/godot.sh --headless --path godot_project
#   scripts/godot.sh --where                       print the path of the program that would run
#   scripts/godot.sh --template release|debug      print the path of the matching export template
#   scripts/godot.sh --help                        this text (Godot's own: scripts/godot.sh -h)
#
# Environment:
#   GODOT4_BIN               the Godot to run, 4.4 or newer
#   GODOT4_TEMPLATE_RELEASE  the export templates to use, if they are not where Godot's editor keeps them
#   GODOT4_TEMPLATE_DEBUG
#   FAST_VARIANT_CACHE       see scripts/setup.sh

set -euo pipefail

# shellcheck source=scripts/lib/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"
# shellcheck source=scripts/lib/engines.sh
. "$ROOT/scripts/lib/engines.sh"

main() {
    case "${1:-}" in
        --help) print_help ;;
        --where)
            find_godot
            printf '%s\n' "$godot"
            ;;
        --template) print_template "${2:-}" ;;
        *)
            find_godot
            exec "$godot" "$@"
            ;;
    esac
}

# Sets `godot`.
find_godot() {
    if godot=$(own_godot4); then
        return
    fi
    [ -z "${GODOT4_BIN:-}" ] || exit 1 # own_godot4 has said why
    fill_prefix_if_needed
    use_prefix_graphics
    godot=$(prefix_folder)/usr/bin/godot
}

print_template() {
    local kind=$1 chosen template
    case "$kind" in
        release) chosen=${GODOT4_TEMPLATE_RELEASE:-} ;;
        debug) chosen=${GODOT4_TEMPLATE_DEBUG:-} ;;
        *) fail "usage: scripts/godot.sh --template release|debug" ;;
    esac
    find_godot
    if [ -n "$chosen" ]; then
        template=$chosen
    elif [ "$godot" = "$(prefix_folder)/usr/bin/godot" ]; then
        template=$(prefix_folder)/usr/bin/godot-template-$kind
    else
        template=$(installed_templates "$(godot_version "$godot")")/$(template_name "$kind")
    fi
    [ -f "$template" ] || fail "There is no $kind export template for $godot." \
        "Looked for $template" \
        "Install the templates from Godot's editor (Editor, Manage Export Templates) or set" \
        "GODOT4_TEMPLATE_RELEASE and GODOT4_TEMPLATE_DEBUG."
    printf '%s\n' "$template"
}

main "$@"
