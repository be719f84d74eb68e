#!/usr/bin/env bash
# Creates the pages on the library's classes, rust/docs/classes, from the engine's data on them and from the help that F1 shows.
# Needs scripts/build.sh.
#
# Usage:
#   scripts/data/class_reference.sh           write the pages again
#   scripts/data/class_reference.sh --check   fail if they are not what this library would give
#   scripts/data/class_reference.sh --help

set -euo pipefail

# shellcheck source=scripts/lib/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/../lib/common.sh"
# shellcheck source=scripts/lib/engine_run.sh
. "$ROOT/scripts/lib/engine_run.sh"
# shellcheck source=scripts/lib/godot_project.sh
. "$ROOT/scripts/lib/godot_project.sh"

readonly PAGES=$ROOT/rust/docs/classes
readonly WORK=$ENGINE_OUTPUT/class_reference

main() {
    case "${1:-}" in
        --check)
            make_pages
            diff -r "$PAGES" "$WORK/pages" >&2 || fail "rust/docs/classes is not what the library says; see above" \
                "scripts/data/class_reference.sh writes it anew."
            ;;
        "")
            make_pages
            rm -rf "$PAGES"
            cp -R "$WORK/pages" "$PAGES"
            ;;
        *) misused "unknown argument \`$1\`" ;;
    esac
}

make_pages() {
    have python3 || fail "python3 is needed to make the pages."
    compgen -G "$ROOT/addons/fast_variant/bin/*/*fast_variant_editor*" >/dev/null ||
        fail "there is no library in addons/fast_variant/bin; scripts/build.sh builds it."
    rm -rf "$WORK"
    mkdir -p "$WORK/project/addons" "$WORK/registered" "$WORK/help" "$WORK/pages"
    cp -R "$ROOT/addons/fast_variant" "$WORK/project/addons"
    printf 'config_version=5\n' >"$WORK/project/project.godot"
    list_extension "$WORK/project"
    # The library writes its help into that folder, too. `--doctool` deletes the documentation that editors cache, and the first
    # editor without it shows no help of extensions. So it gets its own folder.
    FAST_VARIANT_CACHE=$(cache_folder) XDG_CACHE_HOME=$WORK/cache FAST_VARIANT_HELP_FOLDER=$WORK/help judged_run "$WORK/run.log" '' "$ROOT/scripts/godot.sh" --headless --path "$WORK/project" \
        --doctool "$WORK/registered" --gdextension-docs || exit 1
    python3 "$ROOT/scripts/docs/class_pages.py" "$WORK/registered/doc_classes" "$WORK/help" "$WORK/pages"
}

run_main "$@"
