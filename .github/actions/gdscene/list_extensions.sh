#!/usr/bin/env bash
# Lists the extensions of a Godot project in its .godot/extension_list.cfg, as Godot itself does when it finds them. But a Godot
# without a window that finds an extension for the first time aborts when it ends: godotengine/godot#111048, #123511.
#
# Usage:
#   list_extensions.sh [FOLDER]   the folder of project.godot (default: this one)

set -euo pipefail

cd "${1:-.}"
if [ ! -f project.godot ]; then
    printf 'error: there is no project.godot in %s\n' "$PWD" >&2
    exit 1
fi
mkdir -p .godot
# Godot does not look into hidden folders, nor into those with a .gdignore.
find . \( -name '.?*' -o -type d -exec test -e '{}/.gdignore' \; \) -prune -o -type f -name '*.gdextension' -print | sort |
    while IFS= read -r file; do
        grep -qsxF "res://${file#./}" .godot/extension_list.cfg ||
            printf '%s\n' "res://${file#./}" >>.godot/extension_list.cfg
    done
