# shellcheck shell=bash
# The common part of the tests of refactorings: their arguments, and the programs that choose and run. Sourced after common.sh and
# programs.sh.

# The results of `read_arguments`. A script says before which kinds and switches it knows.
kinds=""
switches=""
count=8
seed=1
folders=()

# read_arguments ARGUMENT...: `--NAME` of a switch sets `is_NAME` to `yes`.
read_arguments() {
    local switch
    while [ $# != 0 ]; do
        switch=${1#--}
        if [[ "$1" == --* && " $switches " == *" $switch "* ]]; then
            printf -v "is_$switch" yes
            shift
            continue
        fi
        case "$1" in
            --kinds)
                check_kinds "${2:?--kinds needs a list}"
                kinds=$2
                ;;
            --count | --seed)
                [[ "${2:-}" =~ ^[0-9]+$ ]] || fail "$1 needs a number"
                printf -v "$switch" %s "$2"
                ;;
            -*) misused "unknown argument \`$1\`" ;;
            *)
                folders+=("$1")
                shift
                continue
                ;;
        esac
        shift 2
    done
}

# check_kinds LIST
check_kinds() {
    local kind
    for kind in ${1//,/ }; do
        [[ ",$kinds," == *",$kind,"* ]] || fail "unknown kind \`$kind\`; there are $kinds"
    done
}

# Sets GDSCENE, CANDIDATES and CHANGE_DOUBTFUL.
# shellcheck disable=SC2034 # used by the scripts that source this file
find_programs() {
    GDSCENE=$(built gdscene)
    CANDIDATES=$(built examples/refactor_candidates)
    CHANGE_DOUBTFUL=$(built examples/change_doubtful)
}
