# shellcheck shell=bash
# The suite `lsp` of scripts/bench.sh measures a session of `gdscene lsp`: from a keystroke to its findings, and from the opening of
# a generated project of 10,000 files to its answers. Sourced after common.sh and rust.sh.

readonly BENCH_LSP_WORK=$ROOT/target/engine/bench_lsp

# Reads `json` and `filter`. Client and server are one process, over channels. The time that an editor adds is not included.
bench_lsp() {
    local project=$BENCH_LSP_WORK/project rows=$BENCH_LSP_WORK/rows
    rm -rf "$BENCH_LSP_WORK"
    mkdir -p "$project"
    (cd "$ROOT" && cargo build --quiet --release -p gdscene-lsp --example bench_sessions && cargo run --quiet --release -p gdscene-refactor \
        --example bench_project -- --make "$project")
    # Else git is asked about a folder that it ignores.
    mkdir -p "$project/.git"
    printf '[gd_scene format=3]\n\n[node name="Last" type="NoSuchClass"]\n' >"$project/zz_last.tscn"
    printf '[gd_scene format=3]\n\n[node name="Level" type="NoSuchClass"]\n' >"$project/level_0.tscn"
    "${CARGO_TARGET_DIR:-$ROOT/target}/release/examples/bench_sessions" "$project" | grep -F "$filter" >"$rows" ||
        fail "no row's name contains \`$filter\`"
    cat "$rows"
    [ -z "$json" ] || printf '[%s]\n' "$(paste -sd, "$rows")" >"$json"
}
