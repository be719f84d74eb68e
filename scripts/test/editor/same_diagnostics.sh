#!/usr/bin/env bash
# Compares the reports of the editor and the command: `SceneLinter.lint_project()` in a running Godot and `gdscene check`, in the
# fixture projects and in whole repositories of others. Ends with `N passed, N failed, N skipped`. Needs scripts/build.sh.
#
# Usage:
#   scripts/test/editor/same_diagnostics.sh [TEXT]    only projects with TEXT in their paths
#   scripts/test/editor/same_diagnostics.sh --help
#
# Environment:
#   FV_SHARED  folder of shared test data (default: ../shared); without it the repositories are skipped

set -euo pipefail

# shellcheck source=scripts/lib/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/../../lib/common.sh"
# shellcheck source=scripts/lib/programs.sh
. "$ROOT/scripts/lib/programs.sh"
# shellcheck source=scripts/lib/engine_run.sh
. "$ROOT/scripts/lib/engine_run.sh"
# shellcheck source=scripts/lib/godot_project.sh
. "$ROOT/scripts/lib/godot_project.sh"
# shellcheck source=scripts/lib/checks.sh
. "$ROOT/scripts/lib/checks.sh"

readonly WORK=$ENGINE_OUTPUT/same_diagnostics
readonly FIXTURES=$ROOT/rust/gdscene-lint/tests/fixtures
readonly CORPUS=${FV_SHARED:-$ROOT/../shared}/corpus
# The number of checked repositories, beginning with the one with the most scenes.
readonly REPOSITORIES=16

diagnostics=0

main() {
    local folder
    [[ ${1:-} != -* ]] || misused "unknown argument \`$1\`"
    rm -rf "$WORK"
    mkdir -p "$WORK"
    GDSCENE=$(built gdscene)
    [ -d "$CORPUS" ] || skip "projects of the corpus, which FV_SHARED has"
    while IFS= read -r folder; do
        [[ $folder != *"${1:-}"* ]] || judge "$folder"
    done < <(all_projects | sampled 5)
    say "$diagnostics diagnostics compared"
    [ "$diagnostics" != 0 ] || flunk "nothing was found to compare"
    report_checks
}

all_projects() {
    find "$FIXTURES" -mindepth 2 -maxdepth 2 -name project.godot -exec dirname {} \; | sort
    largest_repositories
}

# Those of Godot 4.
largest_repositories() {
    local settings folder
    [ -d "$CORPUS" ] || return 0
    find "$CORPUS" -name project.godot -not -path '*/.[!.]*' | while IFS= read -r settings; do
        folder=$(dirname "$settings")
        ! grep -q '^config_version=5' "$settings" ||
            printf '%d\t%s\n' "$(find "$folder" -name '*.tscn' | wc -l)" "$folder"
    done | sort -rn -k 1,1 | head -n "$REPOSITORIES" | cut -f 2-
}

# judge FOLDER: in a copy, which has the addon.
judge() {
    local name project
    name=$(printf '%s' "${1#"$ROOT"/}" | tr -c 'A-Za-z0-9._-' _)
    project=$WORK/$name
    cp -R "$1" "$project"
    chmod -R u+w "$project"
    mkdir -p "$project/addons"
    rm -rf "$project/addons/fast_variant" "$project/.godot"
    cp -R "$ROOT/addons/fast_variant" "$project/addons"
    is_of_this_godot "$project/project.godot"
    list_extension "$project"
    cp "$PROJECT/tools/lint_project.gd" "$project"
    found_by_editor "$project" "$WORK/$name.log" >"$WORK/$name.editor" || return 0
    found_by_command "$project" >"$WORK/$name.command"
    diagnostics=$((diagnostics + $(wc -l <"$WORK/$name.command")))
    if diff "$WORK/$name.editor" "$WORK/$name.command" >"$WORK/$name.diff"; then
        pass
        rm -rf "$project"
    else
        flunk "$name: the editor (<) and the command (>) report different things:"
        head -n 10 "$WORK/$name.diff" >&2
    fi
}

# The editor checks against its own classes, the command against those of the version that the project says.
is_of_this_godot() {
    local version
    version=$("$ROOT/scripts/godot.sh" --headless --version | cut -d . -f 1,2)
    awk -v features="config/features=PackedStringArray(\"$version\")" '
        /^config\/features=/ { next }
        { print }
        /^\[application\]\r?$/ && !done { print features; done = 1 }
        END { if (!done) print "\n[application]\n\n" features }' "$1" >"$1.new"
    mv "$1.new" "$1"
}

# found_by_editor FOLDER LOG
found_by_editor() {
    limited "$ROOT/scripts/godot.sh" --headless --path "$1" -s lint_project.gd </dev/null >"$2" 2>&1 || true
    if ! grep -qxF 'lint project: DONE' "$2"; then
        flunk "$1: the engine did not come to its end. All it printed: $2"
        return 1
    fi
    sed -n 's|^found: res://||p' "$2" | sort
}

# found_by_command FOLDER: all that the editor gets, without the lines that count it.
found_by_command() {
    (cd "$1" && "$GDSCENE" check --all --output concise . 2>/dev/null || true) |
        sed -n -E '/:[0-9]+:[0-9]+: (error|warning|info)\[/p' | sort
}

run_main "$@"
