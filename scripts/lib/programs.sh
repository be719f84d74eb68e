# shellcheck shell=bash
# The programs that are already built, how much to test, and with which random numbers. Sourced after common.sh.
#
# scripts/test.sh builds everything once and sets:
#   FV_BUILT    the folder of the programs and libraries of the local build
#   FV_SHIPPED  the folder of the programs that are built as a release
#   FV_SAMPLE   1: test a sample instead of everything
#   FV_SEED     the number that chooses the sample and all random inputs

# shellcheck disable=SC2034 # used by the scripts that source this file
SEED=${FV_SEED:-1}

# built NAME: prints the path of a program, such as `gdscene` or `examples/spoil_project`.
built() {
    existing "${FV_BUILT:-${CARGO_TARGET_DIR:-$ROOT/target}/debug}/$1"
}

# shipped NAME: the same program as releases have it.
shipped() {
    existing "${FV_SHIPPED:-${CARGO_TARGET_DIR:-$ROOT/target}/release}/$1"
}

# built_test PACKAGE TARGET: prints the path of the program that runs the tests of a target.
built_test() {
    local list program
    list=$(dirname "$(built gdscene)")/tests.tsv
    program=$(awk -F '\t' -v package="$1" -v target="$2" '$1 == package && $2 == target { print $3 }' "$list")
    [ -x "$program" ] || fail "$list names no test program for $1, $2." "scripts/test.sh --step NAME writes it."
    printf '%s\n' "$program"
}

existing() {
    local program
    program=$(absolute_path "$1")
    [ -x "$program" ] || program=$program.exe
    [ -x "$program" ] || fail "${program%.exe} does not exist." "scripts/test.sh --step NAME builds it and runs one test."
    printf '%s\n' "$program"
}

is_sample() {
    [ "${FV_SAMPLE:-}" = 1 ]
}

# amount SAMPLE ALL: prints the first number for a sample, the second one otherwise.
amount() {
    if is_sample; then printf '%s\n' "$1"; else printf '%s\n' "$2"; fi
}

# sampled COUNT: of the lines of standard input prints COUNT that the seed chooses, in their order; without a sample all. The
# numbers are those of `minstd`, because each awk has its own rand().
sampled() {
    if ! is_sample; then
        cat
        return
    fi
    awk -v count="$1" -v seed="$SEED" '
        function random() { return (state = state * 16807 % 2147483647) / 2147483647 }
        BEGIN { state = seed % 2147483646 + 1; for (i = 0; i < 10; i++) random() }
        { lines[NR] = $0 }
        END {
            for (i = 1; i <= NR; i++) {
                if (random() * (NR - i + 1) < count) { print lines[i]; count-- }
            }
        }'
}
