#!/usr/bin/env bash
# Shows generated files of all harmless content (rust/godot-tscn/data/harmless.txt), at its limits, to a real Godot: loads them,
# adds them to a tree, draws, duplicates and frees them. Fails when one crashes or hangs the engine, takes too much memory, or makes
# it open another file, connect, or start a program. Ends with `N passed, N failed, N skipped`.
#
# Usage:
#   scripts/test/scenes/harmless.sh                  a small form: a file or two of each class, without and with drawing
#   scripts/test/scenes/harmless.sh --limits         instead, files at the limits of the budget: each may take a second and 200 MB
#   scripts/test/scenes/harmless.sh --files N        this number of files of each seed
#   scripts/test/scenes/harmless.sh --seeds "1 2 3"  other files
#   scripts/test/scenes/harmless.sh --seconds N      stop after this time
#   scripts/test/scenes/harmless.sh --record         write the results for each class into rust/godot-tscn/data/harmless_proof.txt
#   scripts/test/scenes/harmless.sh --help
#
# Needs python3. strace watches Godot's system calls (scripts/setup.sh --trace gets it); if a process cannot be traced, that is
# skipped. It draws where there is an X server (scripts/setup.sh --window), in software.

# No `set -e`: a step that fails does not end the run.
set -uo pipefail

# shellcheck source=scripts/lib/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/../../lib/common.sh"
# shellcheck source=scripts/lib/programs.sh
. "$ROOT/scripts/lib/programs.sh"
# shellcheck source=scripts/lib/engines.sh
. "$ROOT/scripts/lib/engines.sh"
# shellcheck source=scripts/lib/engine_run.sh
. "$ROOT/scripts/lib/engine_run.sh"
# shellcheck source=scripts/lib/godot_project.sh
. "$ROOT/scripts/lib/godot_project.sh"
# shellcheck source=scripts/lib/window.sh
. "$ROOT/scripts/lib/window.sh"
# shellcheck source=scripts/lib/checks.sh
. "$ROOT/scripts/lib/checks.sh"

readonly WORK=$ENGINE_OUTPUT/harmless
readonly PROOF=$ROOT/rust/godot-tscn/data/harmless_proof.txt
# In MiB. OpenGL in software has threads with much unused memory.
readonly MEMORY=4096
readonly MEMORY_DRAWN=16384

files=450
# The number of drawn files of each seed; drawing takes longer.
drawn=60
seeds=1
seconds=0
record=no
limits=no
# The maximum cost of a file at the limits of the budget, to load it and to run it for 30 frames, above an empty scene.
readonly MILLISECONDS=1000
readonly GROWTH=200

main() {
    read_arguments "$@"
    [ "$(uname -s)" = Linux ] || skip_all "the limits are Linux's"
    rm -rf "$WORK"
    mkdir -p "$WORK"
    generator=$(built examples/harmless_files)
    if [ "$limits" = yes ]; then
        show_limits
        report_checks
        return
    fi
    find_tracer
    check_list
    check_watch
    trap stop_display EXIT
    local seed
    for seed in $seeds; do
        show_seed "$seed"
    done
    stop_display
    [ "$record" = no ] || [ "$failed" != 0 ] || write_proof
    report_checks
}

read_arguments() {
    while [ $# -gt 0 ]; do
        case "$1" in
            --record) record=yes ;;
            --limits) limits=yes ;;
            --files | --seeds | --seconds)
                [ $# -gt 1 ] || misused "\`$1\` needs a value"
                case "$1" in
                    --files) files=$2 drawn=$((($2 + 7) / 8)) ;;
                    --seeds) seeds=$2 ;;
                    --seconds) seconds=$2 ;;
                esac
                shift
                ;;
            *) misused "unknown argument \`$1\`" ;;
        esac
        shift
    done
}

# Files at the limits of the budget, and those of an attack that are small enough to be called safe.
show_limits() {
    local folder seed attack=${FV_SHARED:-}/trials/attack-2
    for seed in $seeds; do
        folder=$WORK/limits.$seed
        make_case_project "$folder"
        "$generator" "$folder/cases" "$seed" "$files" limits || { flunk "no files could be made for the seed $seed" && continue; }
        show "$folder" "$files" "$MEMORY" --milliseconds "$MILLISECONDS" --growth "$GROWTH" --patience 5 -- --headless
    done
    if [ ! -d "$attack" ]; then
        skip "the files of an attack: there is no $attack"
        return
    fi
    folder=$WORK/attack
    make_case_project "$folder"
    python3 "$attack/make.py" "$folder/made"
    mv "$folder/made/materials_20.tscn" "$folder/cases"
    printf 'materials_20.tscn\t0\t0\tattack\t\n' >"$folder/cases/index.tsv"
    show "$folder" 1 "$MEMORY" --milliseconds "$MILLISECONDS" --growth "$GROWTH" --patience 5 -- --headless
    check_measure "$attack"
}

# Files that the budget refuses have to fall, by time and by memory, or nothing is measured.
check_measure() {
    local folder=$WORK/refused name
    make_case_project "$folder"
    cp "$1/safe/hang_layout_aspect_ratio.tscn" "$WORK/attack/made/memory_shadow_outline.tscn" "$folder/cases"
    for name in hang_layout_aspect_ratio memory_shadow_outline; do
        printf '%s.tscn\t0\t0\trefused\t\n' "$name"
    done >"$folder/cases/index.tsv"
    run_show "$folder" 2 "$MEMORY" --milliseconds "$MILLISECONDS" --growth "$GROWTH" --patience 5 -- --headless
    if grep -q 'hang_layout.*: hangs' "$WORK/show.log" && grep -q 'memory_shadow.*\(MiB\|ended with\|hangs\)' "$WORK/show.log"; then
        pass
    else
        flunk "what files take is not seen: $folder"
        sed 's/^/    /' "$WORK/show.log" >&2
    fi
}

# Sets `tracer`: empty if processes cannot be traced.
find_tracer() {
    tracer=$(command -v strace) || tracer=$(set_prefix trace)/usr/bin/strace
    [ -x "$tracer" ] || "$ROOT/scripts/setup.sh" --trace || true
    if ! "$tracer" -f --seccomp-bpf -qq -o /dev/null -e trace=execve true 2>"$WORK/tracer.log"; then
        skip "system calls are not watched, because processes may not be traced here: $(tail -n 1 "$WORK/tracer.log")"
        tracer=""
    fi
}

# Files that are not harmless have to fall, or the watch sees nothing.
check_watch() {
    local folder=$WORK/fallen file
    [ -n "$tracer" ] || return 0
    make_case_project "$folder"
    cp "$ROOT"/scripts/test/scenes/harmless/fallen/* "$folder/cases"
    cp "$folder/own/warm.tres" "$folder/canary.tres"
    for file in "$folder"/cases/*.tscn; do
        printf '%s\t2\t0\tfalls\t\n' "$(basename "$file")"
    done >"$folder/cases/index.tsv"
    run_show "$folder" 9 "$MEMORY" --trace "$tracer" -- --headless
    if grep -q 'connects.tscn.*: \(socket\|connect\)(' "$WORK/show.log" && grep -q 'opens_file.tscn.*: openat(.*canary' "$WORK/show.log"; then
        pass
    else
        flunk "the watch does not see what files do: $folder"
        sed 's/^/    /' "$WORK/show.log" >&2
    fi
}

# The list is the result of the review and this engine, if it was made with this engine.
check_list() {
    local version
    version=$(sed -n 's/^# Godot //p' "$ROOT/rust/godot-tscn/data/harmless.txt")
    if [ "$(engine)" != "$version" ]; then
        skip "the list was made with Godot $version, and this is $(engine)"
    else
        show_check "the list is what the review and this engine make" "$ROOT/scripts/data/harmless.sh" --check || true
    fi
}

engine() {
    local version
    version=$(godot_version "$("$ROOT/scripts/godot.sh" --where)")
    printf '%s\n' "${version%%.stable*}"
}

# show_seed SEED
show_seed() {
    local folder=$WORK/$1
    make_case_project "$folder"
    "$generator" "$folder/cases" "$1" "$files" || { flunk "no files could be made for the seed $1" && return; }
    show "$folder" "$files" "$MEMORY" --results "$WORK/results.tsv" ${tracer:+--trace "$tracer"} -- --headless
    [ -n "$display_process" ] || start_display "$WORK" || { skip "what is drawn: there is no X server" && return; }
    # Drivers of graphics open their own files all the time; these are not part of the proof. In software, large and well-kept
    # materials take long, too.
    show "$folder" "$drawn" "$MEMORY_DRAWN" --patience 150 -- --rendering-driver opengl3 --resolution 640x480
}

# show FOLDER FILES MEMORY OPTIONS... -- ENGINE OPTIONS...: counts passed and failed files.
show() {
    local counts status=0
    run_show "$@" || status=$?
    sed 's/^/    /' "$WORK/show.log" >&2
    counts=$(sed -n -E 's/^([0-9]+) files passed, ([0-9]+) fell.*/\1 \2/p' "$WORK/show.log")
    if [ -z "$counts" ]; then
        flunk "the files were not counted"
    else
        passed=$((passed + ${counts% *}))
        failed=$((failed + ${counts#* }))
    fi
    return "$status"
}

# run_show, with the same arguments: its output is in show.log.
run_show() {
    local folder=$1 count=$2 memory=$3 options=()
    shift 3
    while [ "$1" != -- ]; do
        options+=("$1")
        shift
    done
    shift
    set_environment "$folder/home"
    env "${environment[@]}" python3 "$ROOT/scripts/test/scenes/harmless/show.py" "$folder" 0 "$count" --memory "$memory" --seconds "$seconds" \
        ${options[@]+"${options[@]}"} -- "$("$ROOT/scripts/godot.sh" --where)" "$@" --fixed-fps 20 --audio-driver Dummy \
        >"$WORK/show.log" 2>&1
}

# make_case_project FOLDER: with the project's own warnings as errors, and files of its own that the cases name.
make_case_project() {
    mkdir -p "$1/own" "$1/cases" "$1/home"
    cp "$ROOT"/scripts/test/scenes/harmless/own/* "$1/own"
    cp "$ROOT"/scripts/test/scenes/harmless/{show,limits}.gd "$1"
    sed '/^run\/main_scene=/d' "$PROJECT/project.godot" >"$1/project.godot"
}

write_proof() {
    [ -n "$tracer" ] || fail "There is no proof without a look at the system calls."
    {
        printf '# How many objects of each class a real engine was shown without a crash, a hang, an opened file, a script or a\n'
        printf '# connection: written by scripts/test/scenes/harmless.sh --record; not to be edited.\n'
        printf '# Godot %s, seeds %s: %d files of each\n' "$(engine)" "$seeds" "$files"
        awk -F '\t' '{ counts[$1] += $2 } END { for (name in counts) printf "%s\t%d\n", name, counts[name] }' "$WORK/results.tsv" |
            LC_ALL=C sort
    } >"$PROOF"
}

run_main "$@"
