# shellcheck shell=bash
# The suite `load` of scripts/bench.sh: how much later a game is there that has the library. Sourced after common.sh, engine_run.sh
# and godot_project.sh.

readonly BENCH_LOAD_WORK=$ROOT/target/engine/bench_load
readonly BENCH_LOAD_ROUNDS=25

# Reads `json`. Two exported release builds of a project with an empty scene, one with the addon, start and quit alternately. The
# difference of each pair counts, and of those the median; of the processor's time, too, which other programs disturb less. Writes a
# row with the keys suite, rounds, with_ms, without_ms, difference_ms, difference_cpu_ms.
bench_load() {
    local round times=$BENCH_LOAD_WORK/times.tsv row
    "$ROOT/scripts/setup.sh"
    "$ROOT/scripts/build.sh" --release >&2
    rm -rf "$BENCH_LOAD_WORK"
    bench_load_project with "FastVariant: true"
    bench_load_project without "FastVariant: false"
    for ((round = 0; round < BENCH_LOAD_ROUNDS; round++)); do
        # The first build changes each round, because the second finds warmer caches.
        if ((round % 2)); then
            printf '%s\t%s\n' "$(bench_load_run with)" "$(bench_load_run without)"
        else
            bench_load_run without >"$BENCH_LOAD_WORK/first"
            printf '%s\t%s\n' "$(bench_load_run with)" "$(cat "$BENCH_LOAD_WORK/first")"
        fi
    done >"$times"
    row=$(printf '{"suite": "load", "rounds": %d, "with_ms": %s, "without_ms": %s, "difference_ms": %s, "difference_cpu_ms": %s}' \
        "$BENCH_LOAD_ROUNDS" "$(bench_load_median '$1')" "$(bench_load_median '$3')" "$(bench_load_median '$1 - $3')" \
        "$(bench_load_median '$2 - $4')")
    printf '%s\n' "$row"
    [ -z "$json" ] || printf '[%s]\n' "$row" >"$json"
}

# bench_load_project with|without LINE: exports a project, which prints LINE.
bench_load_project() {
    local project=$BENCH_LOAD_WORK/$1 template log=$BENCH_LOAD_WORK/$1.log
    mkdir -p "$project" "$BENCH_LOAD_WORK/export_$1"
    printf 'config_version=5\n\n[application]\n\nconfig/name="Load"\nrun/main_scene="res://main.tscn"\n' >"$project/project.godot"
    printf '[gd_scene format=3]\n\n[ext_resource type="Script" path="res://main.gd" id="1"]\n\n%s\n' \
        $'[node name="Main" type="Node"]\nscript = ExtResource("1")' >"$project/main.tscn"
    printf 'extends Node\n\n\nfunc _ready() -> void:\n\tprint("FastVariant: ", ClassDB.class_exists(&"FastVariant"))\n' >"$project/main.gd"
    if [ "$1" = with ]; then
        mkdir -p "$project/addons"
        cp -R "$ROOT/addons/fast_variant" "$project/addons"
        list_extension "$project"
    fi
    template=$("$ROOT/scripts/godot.sh" --template release) || exit 1
    sed "s|^custom_template/release=.*|custom_template/release=\"$template\"|" "$PROJECT/export_presets.cfg" >"$project/export_presets.cfg"
    judged_run "$log" '' "$ROOT/scripts/godot.sh" --headless --path "$project" \
        --export-release Linux "$BENCH_LOAD_WORK/export_$1/load.x86_64" || exit 1
    judged_run "$log" "$2" "$BENCH_LOAD_WORK/export_$1/load.x86_64" --headless --quit || exit 1
}

# bench_load_run with|without: milliseconds from the start of the process to its end, and those of the processor.
bench_load_run() {
    local TIMEFORMAT='%R %U %S'
    { time "$BENCH_LOAD_WORK/export_$1/load.x86_64" --headless --quit </dev/null >"$BENCH_LOAD_WORK/run.log" 2>&1; } 2>&1 |
        awk '{ printf "%d\t%d", $1 * 1000, ($2 + $3) * 1000 }'
}

# bench_load_median EXPRESSION: the median of the values that awk computes for each pair.
bench_load_median() {
    awk -F '\t' "{ print $1 }" "$BENCH_LOAD_WORK/times.tsv" | sort -n | awk '{ all[NR] = $1 } END { print all[int((NR + 1) / 2)] }'
}
