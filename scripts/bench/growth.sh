# shellcheck shell=bash
# The suite `growth` of scripts/bench.sh: how cost grows with the size, for the charts of rust/docs/growth.md. Sourced after
# common.sh, engine_run.sh, godot_project.sh, bench_tscn.sh and bench_project.sh.

readonly BENCH_GROWTH_WORK=$ROOT/target/engine/bench_growth
readonly BENCH_GROWTH_ROWS=$BENCH_GROWTH_WORK/rows.jsonl
readonly BENCH_GROWTH_BYTES="100 1000 10000 100000 1000000 10000000 100000000"
# Beyond it, one load of the engine's takes minutes.
readonly BENCH_GROWTH_ENGINE_BYTES=10000000
readonly BENCH_GROWTH_FILES="10 100 1000 10000"
# Beyond it, one import takes minutes.
readonly BENCH_GROWTH_ENGINE_FILES=1000

# Reads `json`, `filter` (of the charts: codec, tscn, project) and `arguments`. Writes the rows to the file $json, too, as a list of
# objects with the keys suite, chart, panel, series, size, unit and seconds.
bench_growth() {
    local chart is_one=no
    mkdir -p "$BENCH_GROWTH_WORK"
    : >"$BENCH_GROWTH_ROWS"
    for chart in codec tscn project; do
        [[ $chart == *"$filter"* ]] || continue
        is_one=yes
        "bench_growth_$chart"
    done
    [ "$is_one" = yes ] || fail "no chart's name contains \`$filter\`"
    [ -z "$json" ] || printf '[\n%s\n]\n' "$(paste -sd, "$BENCH_GROWTH_ROWS" | sed 's/},{/},\n{/g')" >"$json"
}

# In an exported release build, as players run it.
bench_growth_codec() {
    local rows=$BENCH_GROWTH_WORK/codec.json
    rm -f "$rows"
    "$ROOT/scripts/setup.sh"
    "$ROOT/scripts/build.sh" --release >&2
    import_project "$PROJECT" || exit 1
    export_project || exit 1
    run_export "$ENGINE_OUTPUT/bench_growth.log" "$BENCH_SENTINEL" --run-growth-bench --json "$rows" ${arguments[@]+"${arguments[@]}"} || exit 1
    # A row on a line.
    tr -d '\n' <"$rows" | sed 's/^\[ *//; s/ *\]$//; s/}, *{/}\n{/g; s/  */ /g' >>"$BENCH_GROWTH_ROWS"
    printf '\n' >>"$BENCH_GROWTH_ROWS"
}

# Scenes of many nodes, on one core.
bench_growth_tscn() {
    local bytes what file list=$BENCH_GROWTH_WORK/list.txt loaded=() files size seconds
    (cd "$ROOT" && cargo build --quiet --release -p godot-tscn --example bench_tscn)
    : >"$list"
    for bytes in $BENCH_GROWTH_BYTES; do
        file=$BENCH_GROWTH_WORK/nodes_$bytes.tscn
        "$BENCH_TSCN" make nodes "$bytes" "$file"
        for what in parse lint format; do
            IFS=$'\t' read -r files size seconds _ < <("$BENCH_TSCN" "$what" "$file")
            bench_growth_row tscn "scenes of many nodes" "$what" "$size" bytes "$seconds"
        done
        [ "$bytes" -le "$BENCH_GROWTH_ENGINE_BYTES" ] || continue
        loaded+=("$bytes")
        printf '%s\n' "$file" >>"$list"
    done
    mkdir -p "$BENCH_TSCN_WORK"
    : >"$BENCH_TSCN_ROWS"
    bench_tscn_engine "$list" "${loaded[@]}"
    while IFS=$'\t' read -r _ _ files size seconds _; do
        [ "$files" = 0 ] || bench_growth_row tscn "scenes of many nodes" "Godot's load" "$size" bytes "$seconds"
    done <"$BENCH_TSCN_ROWS"
    rm -f "$BENCH_GROWTH_WORK"/nodes_*.tscn
}

# Half of the files are scenes of some twenty nodes, half are scripts.
bench_growth_project() {
    local files project=$BENCH_PROJECT_WORK/project
    (cd "$ROOT" && cargo build --quiet --release -p gdscene && cargo build --quiet --release -p bench-work)
    for files in $BENCH_GROWTH_FILES; do
        rm -rf "$BENCH_PROJECT_WORK"
        mkdir -p "$BENCH_PROJECT_WORK"
        "${CARGO_TARGET_DIR:-$ROOT/target}/release/bench-work" paths project "$project" $((files / 2))
        # A cache does not trust what has just been written.
        find "$project" -exec touch -d '1 hour ago' {} +
        export XDG_CACHE_HOME=$BENCH_PROJECT_WORK/cache
        bench_growth_row project "whole projects" "gdscene check" "$files" files "$(bench_project_best rm -rf "$XDG_CACHE_HOME")"
        bench_growth_row project "whole projects" "with its cache" "$files" files "$(bench_project_best true)"
        # Else the engine is looked for, and made ready, in that folder.
        unset XDG_CACHE_HOME
        [ "$files" -gt "$BENCH_GROWTH_ENGINE_FILES" ] || bench_growth_row project "whole projects" "godot --import" "$files" files \
            "$(bench_project_seconds limited "$ROOT/scripts/godot.sh" --headless --path "$project" --import)"
    done
    rm -rf "$BENCH_PROJECT_WORK"
}

# bench_growth_row CHART PANEL SERIES SIZE UNIT SECONDS
bench_growth_row() {
    printf '%-10s %-22s %-16s %12d %-6s %12s s\n' "$@"
    printf '{"suite": "growth", "chart": "%s", "panel": "%s", "series": "%s", "size": %d, "unit": "%s", "seconds": %s}\n' "$@" \
        >>"$BENCH_GROWTH_ROWS"
}
