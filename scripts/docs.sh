#!/usr/bin/env bash
# Builds the site of the documentation in target/site. Its pages load nothing from elsewhere, have a search, and work on any server
# for files or opened as files. A link that leads nowhere is an error.
#
# Usage:
#   scripts/docs.sh [--with-api] [--to FOLDER]
#   scripts/docs.sh --help
#
#   --with-api   with the documentation of the crates, by cargo, in the site's folder `api`
#   --to FOLDER  make it there; an existing site is replaced
#
# The playground becomes a part of the site, with a link from each rule, if scripts/package/playground.sh has put it into
# target/playground.
#
# Environment:
#   DOCS_SITE_URL        the address of the site (default: none)
#   DOCS_REPOSITORY_URL  the address of the repository, for a link to it (default: none)
#   FAST_VARIANT_CACHE   the folder of the generator (default: ~/.cache/fast_variant); it comes with pip and npm

set -euo pipefail

# shellcheck source=scripts/lib/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"
# shellcheck source=scripts/lib/rust.sh
. "$ROOT/scripts/lib/rust.sh"
# shellcheck source=scripts/lib/node.sh
. "$ROOT/scripts/lib/node.sh"
# shellcheck source=scripts/lib/docs_site.sh
. "$ROOT/scripts/lib/docs_site.sh"

readonly WORK=$ROOT/target/docs
readonly PLAYGROUND=$ROOT/target/playground
# Crates for programs that speak with games or read scenes.
readonly CRATES=(godot-variant godot-variant-codec o3de-json variant-schema godot-tscn godot-project)

with_api=false
site=$ROOT/target/site

main() {
    local tools
    while [ $# -gt 0 ]; do
        case "$1" in
            --with-api) with_api=true ;;
            --to)
                [ -n "${2:-}" ] || fail "--to needs a folder"
                site=$2
                shift
                ;;
            *) misused "unknown argument \`$1\`" ;;
        esac
        shift
    done
    case "$site" in /*) ;; *) site=$PWD/$site ;; esac
    [ ! -e "$site" ] || [ -f "$site/search/search_index.json" ] || fail "$site is there and is not a site; name another folder"
    cd "$ROOT"
    mkdir -p "$WORK"
    tools=$(docs_tools "$WORK/tools.log") || fail "the generator of the site cannot be had:" "$(tail -n 3 "$WORK/tools.log")"
    [ "$with_api" = false ] || make_api
    make_site "$tools"
    say "$(find "$site" -name '*.html' | wc -l | tr -d ' ') pages: $site/index.html"
}

# Into a new folder first, so that a site that failed is not half a site.
make_site() {
    local new=$WORK/site
    rm -rf "$new"
    [ ! -f "$PLAYGROUND/index.html" ] || export DOCS_PLAYGROUND=$PLAYGROUND
    [ "$with_api" = false ] || export DOCS_API=1
    # Not `--quiet`: MkDocs counts only warnings that it prints.
    NO_MKDOCS_2_WARNING=1 PYTHONDONTWRITEBYTECODE=1 "$1/bin/python" -m mkdocs build --strict \
        --config-file "$DOCS_SITE/mkdocs.yml" --site-dir "$new" >"$WORK/build.log" 2>&1 ||
        { grep -v '^INFO' "$WORK/build.log" >&2 && fail "the site has the faults above"; }
    cp "$1/node_modules/iframe-worker/shim/index.js" "$new/assets/iframe-worker.js"
    [ "$with_api" = false ] || cp -R "$WORK/api/doc" "$new/api"
    rm -rf "$site"
    mkdir -p "$(dirname "$site")"
    mv "$new" "$site"
}

# Its own target folder, because otherwise it would include crates that were documented before.
make_api() {
    local crate arguments=()
    require_cargo
    for crate in "${CRATES[@]}"; do
        arguments+=(--package "$crate")
    done
    rm -rf "$WORK/api/doc"
    cargo doc --quiet --no-deps --all-features --lib --target-dir "$WORK/api" "${arguments[@]}"
}

run_main "$@"
