#!/usr/bin/env bash
# Builds the playground (rust/playground): a page that checks, repairs and shows texts and binary values, without a server.
# Leaves it in target/playground, from where any server of static files serves it.
#
# Usage:
#   scripts/package/playground.sh
#   scripts/package/playground.sh --help
#
# Prints the total size, gzipped; the maximum is 700 kB. Has the same requirements as scripts/package/npm.sh.
#
# Environment:
#   FAST_VARIANT_CACHE  where tools are kept (default: ~/.cache/fast_variant)

set -euo pipefail

# shellcheck source=scripts/lib/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/../lib/common.sh"
# shellcheck source=scripts/lib/npm.sh
. "$ROOT/scripts/lib/npm.sh"

readonly SOURCE=$ROOT/rust/playground
readonly PAGE=$ROOT/target/playground
readonly MAX_GZIPPED=700000

main() {
    expect_no_arguments "$@"
    cd "$ROOT"
    scripts/package/npm.sh >&2
    use_node "$NPM_WORK/tools.log" || fail "Node.js cannot be had: $(tail -n 1 "$NPM_WORK/tools.log")"
    rm -rf "$PAGE"
    mkdir -p "$PAGE/wasm"
    cp "$SOURCE/index.html" "$SOURCE/icon.svg" "$PAGE"
    cp "$NPM_WORK/package/THIRD_PARTY_LICENSES.txt" "$PAGE/licenses.txt"
    cp "$NPM_WASM/wasm_bg.wasm" "$PAGE/wasm"
    bundle "$SOURCE/src/main.js" "$SOURCE/src/worker.js" --outdir="$PAGE/js"
    bundle "$SOURCE/playground.css" --outfile="$PAGE/playground.css"
    write_service_worker
    check_size
}

bundle() {
    "$NPM_TOOLS/node_modules/.bin/esbuild" "$@" --bundle --minify --format=esm --target=es2022 --log-level=warning \
        --alias:gdscene="$NPM_WORK/package/src/index.js"
}

# With the list of files to keep, under a name that changes with it.
write_service_worker() {
    local version
    version=$(cd "$PAGE" && find . -type f | sort | xargs cat | cksum | cut -d ' ' -f 1)
    (cd "$PAGE" && find . -type f ! -name sw.js | sort) | awk -v version="$version" -v quote='"' '
        { files = files (NR > 1 ? ", " : "") quote $0 quote }
        END {
            while ((getline line < "'"$SOURCE/sw.js"'") > 0) {
                if (line ~ /^const FILES/) line = "const FILES = [" quote "./" quote ", " files "];"
                if (line ~ /^const VERSION/) line = "const VERSION = " quote "gdscene-" version quote ";"
                print line
            }
        }' >"$PAGE/sw.js"
}

check_size() {
    local file sum=0 size
    while IFS= read -r file; do
        size=$(gzip -9 <"$PAGE/$file" | wc -c)
        sum=$((sum + size))
        printf '%8d %s\n' "$size" "${file#./}"
    done < <(cd "$PAGE" && find . -type f | sort)
    printf '%8d bytes gzipped, of %d at most: %s\n' "$sum" "$MAX_GZIPPED" "${PAGE#"$ROOT/"}"
    [ "$sum" -le "$MAX_GZIPPED" ] || fail "the playground is too large"
}

run_main "$@"
