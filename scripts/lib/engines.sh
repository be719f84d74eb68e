# shellcheck shell=bash
# Which Godot to run: the user's own, or the one in the private prefix. Sourced after common.sh.

# The oldest Godot 4 that the extension supports: `compatibility_minimum` in fast_variant.gdextension.
readonly GODOT4_MINIMUM=4.4

# A link to the newest working set of engines. Setup switches it in one step.
prefix_folder() {
    set_prefix engines
}

prefix_is_filled() {
    set_is_filled engines && [ -x "$(prefix_folder)/usr/bin/godot" ]
}

fill_prefix_if_needed() {
    prefix_is_filled || "$ROOT/scripts/setup.sh" --engines >&2
}

# godot_version BINARY: prints its version, e.g. `4.6.3.stable.debian`; fails if the answer is not from a Godot.
godot_version() {
    local answer
    answer=$(run_briefly "$1" --version </dev/null 2>/dev/null | tail -n 1 | tr -d '\r') || true
    [[ $answer =~ ^[0-9]+\.[0-9]+(\.[0-9]+)*\.(stable|rc|beta|alpha|dev|custom_build) ]] || return 1
    printf '%s\n' "$answer"
}

# A binary of another program may wait for ever. macOS has no `timeout`.
run_briefly() {
    if have timeout; then
        timeout 60 "$@"
    else
        "$@"
    fi
}

# usable_godot BINARY MINIMUM: prints the absolute path if it runs, and is a Godot of MINIMUM's major version that is not
# older than MINIMUM.
usable_godot() {
    local path version
    path=$(command -v "$1") || return 1
    version=$(godot_version "$path") || return 1
    version_at_least "$version" "$2" || return 1
    [ "${version%%.*}" = "${2%%.*}" ] || return 1
    case "$path" in
        /* | [A-Za-z]:*) printf '%s\n' "$path" ;;
        *) printf '%s/%s\n' "$PWD" "$path" ;;
    esac
}

# The user's own Godot 4, if there is one: $GODOT4_BIN, then the PATH. A $GODOT4_BIN that does not work
# is an error: silently running another engine than the one asked for would be worse.
own_godot4() {
    local name
    if [ -n "${GODOT4_BIN:-}" ]; then
        chosen_godot GODOT4_BIN "$GODOT4_BIN" "$GODOT4_MINIMUM"
        return
    fi
    for name in godot godot4; do
        usable_godot "$name" "$GODOT4_MINIMUM" && return
    done
    return 1
}

# chosen_godot VARIABLE BINARY MINIMUM: the binary that the user named, or an error.
chosen_godot() {
    local version
    if usable_godot "$2" "$3"; then
        return
    elif ! have "$2"; then
        fail "$1 is set to \`$2\`, which is not a program that can be run."
    elif version=$(godot_version "$2"); then
        fail "$1 is set to \`$2\`, which is Godot $version; a Godot ${3%%.*}, version $3 or newer, is needed."
    else
        fail "$1 is set to \`$2\`, which does not answer --version as a Godot does."
    fi
}

# The prefix has its own Mesa, and its drivers do not find themselves outside /usr.
use_prefix_graphics() {
    local usr
    usr=$(prefix_folder)/usr
    export LIBGL_DRIVERS_PATH="${LIBGL_DRIVERS_PATH:-$usr/lib/x86_64-linux-gnu/dri}"
    export __EGL_VENDOR_LIBRARY_DIRS="${__EGL_VENDOR_LIBRARY_DIRS:-$usr/share/glvnd/egl_vendor.d}"
}

# installed_templates VERSION: where Godot's editor keeps the export templates of that version.
installed_templates() {
    local data
    case "$(uname -s)" in
        Darwin) data="$HOME/Library/Application Support/Godot" ;;
        MINGW* | MSYS* | CYGWIN*) data=$(cygpath --unix "$APPDATA")/Godot ;;
        *) data=${XDG_DATA_HOME:-$HOME/.local/share}/godot ;;
    esac
    printf '%s/export_templates/%s\n' "$data" "$(template_version "$1")"
}

# 4.6.3.stable.official.89cea1439 -> 4.6.3.stable; 4.6.stable.mono.official.89cea1439 -> 4.6.stable.mono
template_version() {
    printf '%s\n' "$1" | sed -E 's/^([0-9.]+\.[a-z_]+[0-9]*(\.mono)?).*/\1/'
}

# template_name release|debug: the file for this machine's platform.
template_name() {
    case "$(uname -s)-$(uname -m)" in
        Darwin-*) printf 'macos.zip\n' ;; # holds both
        MINGW*-aarch64 | MSYS*-aarch64 | CYGWIN*-aarch64) printf 'windows_%s_arm64.exe\n' "$1" ;;
        MINGW* | MSYS* | CYGWIN*) printf 'windows_%s_x86_64.exe\n' "$1" ;;
        *-aarch64 | *-arm64) printf 'linux_%s.arm64\n' "$1" ;;
        *) printf 'linux_%s.x86_64\n' "$1" ;;
    esac
}
