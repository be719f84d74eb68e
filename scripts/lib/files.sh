# shellcheck shell=bash
# Copies files so that a half-written file is never visible. Sourced after common.sh.

# install_file FROM TO: does nothing if the content is the same. A running engine keeps the old file.
install_file() {
    if cmp -s "$1" "$2"; then
        return
    fi
    mkdir -p "$(dirname "$2")"
    half_written=$2.$$
    trap 'rm -f "$half_written"' EXIT
    cp "$1" "$half_written"
    mv -f "$half_written" "$2"
}

# mirror_folder FROM TO: afterwards TO has the files of FROM, and none that FROM no longer has.
mirror_folder() {
    local from=$1 to=$2 file
    mkdir -p "$to"
    files_in "$from" | while IFS= read -r file; do
        install_file "$from/$file" "$to/$file"
    done
    files_in "$to" | while IFS= read -r file; do
        [ -e "$from/$file" ] || godot_made_it "$from" "$file" || rm -f "$to/$file"
    done
    find "$to" -mindepth 1 -type d -empty -delete
}

files_in() {
    (cd "$1" && find . -type f)
}

# Godot writes `.uid` and `.import` files next to their files, and on Windows a `~` copy of a library that it has loaded.
godot_made_it() {
    case "$2" in
        *.uid | *.import) [ -e "$1/${2%.*}" ] ;;
        */'~'*) true ;;
        *) false ;;
    esac
}
