#!/usr/bin/env bash
# Replays what people renamed and moved by hand in the git histories of projects, with our refactorings, and compares the two:
# exported variables that got another name, and files that got another path. What we repair and people left behind is
# counted, and each place that people changed and we do not is told.
#
# The output has a line for each commit in which something was found, and tables in the end. `only by hand, MISS` and `WRONG`
# are to be looked at: a mistake of ours, or another intention of theirs. Nothing is written.
#
# Usage:
#   scripts/test/project/replay_refactorings.sh [--most N] GITDIR...
#                              the histories of these git directories, bare or `.git`. Of each, at most N commits that move
#                              files (default: 60)
#   scripts/test/project/replay_refactorings.sh --help

set -euo pipefail

# shellcheck source=scripts/lib/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/../../lib/common.sh"
# shellcheck source=scripts/lib/programs.sh
. "$ROOT/scripts/lib/programs.sh"

main() {
    case "${1:---help}" in
        --help | -h) print_help && return ;;
    esac
    "$(built examples/refactor_replay)" "$@"
}

main "$@"
