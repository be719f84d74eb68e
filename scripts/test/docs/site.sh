#!/usr/bin/env bash
# Builds the site of the documentation and checks it: each link and picture, the resources that pages load, the search, a page for
# each rule, and a way to each page. Sees that faults are found, too. Ends with `N passed, N failed, N skipped`.
#
# Usage:
#   scripts/test/docs/site.sh
#   scripts/test/docs/site.sh --help
#
# The tools for the site come with pip and npm, into the cache. Where it cannot be had, all counts as skipped, unless CI=true.
#
# Environment:
#   FAST_VARIANT_CACHE  where it is kept (default: ~/.cache/fast_variant)

set -euo pipefail

# shellcheck source=scripts/lib/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/../../lib/common.sh"
# shellcheck source=scripts/lib/node.sh
. "$ROOT/scripts/lib/node.sh"
# shellcheck source=scripts/lib/docs_site.sh
. "$ROOT/scripts/lib/docs_site.sh"
# shellcheck source=scripts/lib/checks.sh
. "$ROOT/scripts/lib/checks.sh"

readonly WORK=$ROOT/target/docs_test
readonly SITE=$WORK/site
readonly SPOILT=$WORK/spoilt
readonly RULES=$ROOT/rust/docs/rules
# A fault to put into a page of the site, and the expected report: PAGE|FROM|TO|REPORT.
readonly FAULTS="game.html|href=\"saves.html\"|href=\"savings.html\"|FAIL game.html: .savings.html. leads to savings.html, which does not exist
game.html|#install|#instal|FAIL game.html: .*has no place .instal.
game.html|src=\"pictures/|src=\"photos/|FAIL game.html: photos/.*, which is loaded, does not exist
saves.html|<script src=\"|<script src=\"//example.org/|FAIL saves.html: .//example.org/.* is loaded from another server
assets/../site.css|:root {|@import \"https://example.org/a.css\"; :root {|FAIL style sheets: site.css: .* is loaded from another server
mods.html|</article>|<p>Two:\\\\n- things</p></article>|FAIL mods.html: this is not rendered
search/search_index.json|\"netcode.html|\"elsewhere.html|FAIL search: the index does not have netcode.html"

main() {
    local tools
    expect_no_arguments "$@"
    cd "$ROOT"
    rm -rf "$WORK"
    mkdir -p "$WORK"
    if ! tools=$(docs_tools "$WORK/tools.log"); then
        [ "${CI:-}" != true ] || fail "what makes the site cannot be had:" "$(tail -n 3 "$WORK/tools.log")"
        skip_all "the site of the documentation: $(tail -n 1 "$WORK/tools.log")"
    fi
    # Nothing is loaded, whatever the address of the repository.
    DOCS_REPOSITORY_URL=https://github.com/example/example scripts/docs.sh --to "$SITE"
    check_site "$tools/bin/python"
    check_faults "$tools/bin/python"
    check_pages_without_way "$tools/bin/python"
    check_classes
    report_checks
}

# The site itself.
check_site() {
    run_checker "$1" "$SITE" || true
    add_counts "the site" "$WORK/check.log"
}

run_checker() {
    PYTHONDONTWRITEBYTECODE=1 "$1" "$DOCS_SITE/check_site.py" "$2" "$RULES" >"$WORK/check.log" 2>&1
}

# Each fault alone, in a copy.
check_faults() {
    local page from to report
    cp -R "$SITE" "$SPOILT"
    while IFS='|' read -r page from to report; do
        cp "$SITE/$page" "$WORK/kept"
        "$1" - "$SPOILT/$page" "$from" "$to" <<'END'
import sys
path, before, after = sys.argv[1:]
text = open(path, encoding="utf-8").read()
open(path, "w", encoding="utf-8").write(text.replace(before, after.replace("\\n", "\n")))
END
        if cmp -s "$SITE/$page" "$SPOILT/$page"; then
            flunk "$page has no \`$from\` to spoil"
        else
            expect_fault "$1" "$report"
        fi
        cp "$WORK/kept" "$SPOILT/$page"
    done <<<"$FAULTS"
}

expect_fault() {
    if ! run_checker "$1" "$SPOILT" && grep -qE "^$2" "$WORK/check.log"; then
        pass
    else
        flunk "the fault is not found: $2"
    fi
}

check_pages_without_way() {
    cp "$SPOILT/game.html" "$SPOILT/lost.html"
    expect_fault "$1" 'FAIL way to all pages: no way leads to lost.html'
    rm "$SPOILT/lost.html" "$SPOILT/rules/SYN007.html"
    expect_fault "$1" 'FAIL rules: SYN007 has no page'
}

# Each class that scripts see, by its icon, has a page. The script scripts/data/class_reference.sh --check compares the contents.
check_classes() {
    local class
    for class in $(sed -n '/^\[icons\]/,$ s/^\([A-Za-z0-9]*\) *=.*/\1/p' addons/fast_variant/fast_variant.gdextension); do
        if [ -f "$SITE/classes/$class.html" ]; then
            pass
        else
            flunk "the class $class has no page"
        fi
    done
}

run_main "$@"
