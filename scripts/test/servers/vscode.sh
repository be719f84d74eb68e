#!/usr/bin/env bash
# Runs the extension in a real VS Code (code-server) in a Chromium without a screen, as a person would. Tries problems, a quick fix,
# a rename, fixes and formatting on save, the scene tree, and the view of values. Ends with `N passed, N failed, N skipped`.
#
# Usage:
#   scripts/test/servers/vscode.sh
#   scripts/test/servers/vscode.sh --help
#
# Node.js comes with pip, VS Code with npm, Chromium from Debian's packages, all into the cache. A few modules of VS Code are built
# by `make` and a compiler of C++. Where something cannot be had, all counts as skipped, unless CI=true. Pictures of the page are
# left in target/engine/vscode/pictures.
#
# Environment:
#   GDSCENE             the program to test (default: it is built)
#   FAST_VARIANT_CACHE  where all of that is kept (default: ~/.cache/fast_variant)

set -euo pipefail

# shellcheck source=scripts/lib/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/../../lib/common.sh"
# shellcheck source=scripts/lib/programs.sh
. "$ROOT/scripts/lib/programs.sh"
# shellcheck source=scripts/lib/rust.sh
. "$ROOT/scripts/lib/rust.sh"
# shellcheck source=scripts/lib/node.sh
. "$ROOT/scripts/lib/node.sh"
# shellcheck source=scripts/lib/editors.sh
. "$ROOT/scripts/lib/editors.sh"
# shellcheck source=scripts/lib/checks.sh
. "$ROOT/scripts/lib/checks.sh"

readonly WORK=$ROOT/target/engine/vscode
readonly PARTS=$ROOT/scripts/test/servers/vscode/test
# Modules that the editor's server needs; the others are for Kerberos, SSH and Windows.
readonly NATIVE_MODULES="node-pty @parcel/watcher @vscode/spdlog @vscode/native-watchdog @vscode/sqlite3 @vscode/fs-copyfile @vscode/deviceid"

server=""

main() {
    expect_no_arguments "$@"
    cd "$ROOT"
    rm -rf "$WORK"
    mkdir -p "$WORK/bin" "$WORK/pictures" "$WORK/user/User" "$WORK/home"
    if ! get_all >"$WORK/setup.log" 2>&1; then
        [ "${CI:-}" != true ] || fail "VS Code and Chromium cannot be had:" "$(tail -n 3 "$WORK/setup.log")"
        skip_all "VS Code in a browser: $(tail -n 1 "$WORK/setup.log")"
    fi
    ln -s "$(program)" "$WORK/bin/gdscene"
    scripts/package/vscode.sh >"$WORK/package.log" 2>&1 || fail "the extension cannot be packed:" "$(tail -n 5 "$WORK/package.log")"
    make_project
    start_server
    NODE_PATH=$(vscode_folder)/node_modules node "$PARTS/session.js" "$(browser)" "$(address)?folder=$WORK/project" "$WORK/project" "$WORK/pictures" \
        >"$WORK/session.log" 2>&1 || true
    stop_server
    add_counts "VS Code" "$WORK/session.log"
    report_checks
}

# --- What it takes --------------------------------------------------------------------------------------

get_all() {
    use_node "$WORK/node.log" || { cat "$WORK/node.log" && return 1; }
    scripts/setup.sh --browser || return 1
    get_vscode || return 1
}

browser() {
    printf '%s/usr/lib/chromium/chromium\n' "$(set_prefix browser)"
}

vscode_folder() {
    printf '%s/vscode-%s\n' "$(cache_folder)" "$(cat "$PARTS/package-lock.json" "$NODE_REQUIREMENTS" | cksum | cut -d ' ' -f 1)"
}

# Its own way to install itself wants the headers of Kerberos, which nothing here needs.
get_vscode() {
    local folder module
    folder=$(vscode_folder)
    [ ! -f "$folder/complete" ] || return 0
    rm -rf "$folder"
    mkdir -p "$folder"
    cp "$PARTS"/package.json "$PARTS"/package-lock.json "$folder"
    install_modules ci "$folder" || return 1
    # Their lists of versions are not quite complete, which `npm ci` does not take.
    install_modules install "$folder/node_modules/code-server/lib/vscode" || return 1
    install_modules install "$folder/node_modules/code-server/lib/vscode/extensions" || return 1
    for module in $NATIVE_MODULES; do
        (cd "$folder/node_modules/code-server/lib/vscode/node_modules/$module" &&
            node "$NODE_HOME/lib/node_modules/npm/node_modules/node-gyp/bin/node-gyp.js" rebuild --nodedir="$NODE_HOME") || return 1
    done
    : >"$folder/complete"
}

install_modules() {
    (cd "$2" && npm "$1" --omit=dev --ignore-scripts --no-audit --no-fund --loglevel=error)
}

# --- The session ----------------------------------------------------------------------------------------

make_project() {
    mkdir "$WORK/project"
    cp "$ROOT"/scripts/test/servers/editors/project/* "$WORK/project"
    # The result of var_to_bytes for [16639, "a"].
    printf '\034\0\0\0\002\0\0\0\002\0\0\0\377\100\0\0\004\0\0\0\001\0\0\0a\0\0\0' >"$WORK/project/values.dat"
    node -e '
        const settings = JSON.parse(require("node:fs").readFileSync(0, "utf8"));
        Object.assign(settings, {
            "chat.disableAIFeatures": true,
            "git.openRepositoryInParentFolders": "never",
            "telemetry.telemetryLevel": "off",
            "workbench.secondarySideBar.defaultVisibility": "hidden",
            "workbench.startupEditor": "none",
        });
        console.log(JSON.stringify(settings));
    ' <<<"$(settings_of "VS Code" json)" >"$WORK/user/User/settings.json"
}

# code_server ARGUMENTS...: with nothing of the user's. VS Code asks a login shell for the PATH.
code_server() {
    # shellcheck disable=SC2016 # that shell puts the PATH in
    printf 'export PATH=%q:$PATH\n' "$WORK/bin" >"$WORK/home/.bash_profile"
    SHELL=/bin/bash HOME=$WORK/home XDG_CONFIG_HOME=$WORK/home/config XDG_CACHE_HOME=$WORK/home/cache XDG_DATA_HOME=$WORK/home/data \
        node "$(vscode_folder)/node_modules/code-server/out/node/entry.js" \
        --user-data-dir "$WORK/user" --extensions-dir "$WORK/extensions" "$@"
}

start_server() {
    local extension
    extension=$ROOT/$(sed -nE "s#^(dist/.*): [0-9.]+ MB\$#\1#p" "$WORK/package.log")
    code_server --install-extension "$extension" >"$WORK/install.log" 2>&1 ||
        fail "the extension cannot be installed:" "$(tail -n 5 "$WORK/install.log")"
    # In a process group of its own: it starts others.
    set -m
    code_server --auth none --bind-addr 127.0.0.1:0 --disable-telemetry --disable-update-check --disable-workspace-trust \
        --disable-getting-started-override >"$WORK/server.log" 2>&1 &
    server=$!
    set +m
    trap stop_server EXIT
    local tries=0
    : >>"$WORK/server.log"
    until [ -n "$(address)" ]; do
        tries=$((tries + 1))
        if [ "$tries" -gt 100 ] || ! kill -0 "$server" 2>/dev/null; then
            fail "VS Code does not start:" "$(tail -n 5 "$WORK/server.log")"
        fi
        sleep 0.3
    done
}

# Where the server listens, once it does.
address() {
    sed -nE 's|.*HTTP server listening on (http://[0-9.:]+/).*|\1|p' "$WORK/server.log"
}

stop_server() {
    [ -n "$server" ] || return 0
    kill -- "-$server" 2>/dev/null || true
    wait "$server" 2>/dev/null || true
    server=""
}

run_main "$@"
