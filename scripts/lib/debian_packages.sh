# shellcheck shell=bash
# Programs from Debian's packages (of the suite `testing`, if it has them), unpacked into private prefixes with every library they
# need. Nothing in the system changes, no root is needed, and apt checks the signatures. Sourced after common.sh.
#
# A *set* is a name and the packages that are unpacked together. Each has a folder of its own in the cache, in which the
# link `current` leads to the newest set that works. A set for another processor has its programs started by an emulator, which
# finds their libraries.

readonly KEYRING=/usr/share/keyrings/debian-archive-keyring.gpg
# shellcheck disable=SC2016 # apt's own notation
readonly TARGET_FORMAT=(--format '$(REPO_URI)|$(LABEL)' 'Created-By: Packages')
readonly LIBRARIES=usr/lib/x86_64-linux-gnu

# The caller may set them before it fills a set.
suite=testing
architecture=amd64

CACHE=$(cache_folder)
readonly CACHE
readonly APT=$CACHE/apt
readonly LOG=$CACHE/setup.log

# fill_set SET CHECK [--update] PACKAGES...: does nothing if the set exists, except with --update. CHECK is called with the new
# prefix, and fails if it does not work. The caller has a function `unsupported REASON`.
fill_set() {
    local update=no
    set=$1 check=$2
    shift 2
    if [ "$1" = --update ]; then
        update=yes
        shift
    elif set_is_filled "$set"; then
        return
    fi
    require_debian
    take_lock
    # Another run may have filled it while this one waited.
    if [ "$update" = no ] && set_is_filled "$set"; then
        return
    fi
    packages=("$@")
    archives=$APT/$set.archives
    : >"$LOG"
    say "Getting $* from Debian's packages into $CACHE (nothing else on the system is changed)"
    write_apt_configuration
    write_package_source
    refresh_package_list
    list_archives
    if [ "$(prefix_id)" = "$(current_id)" ] && set_is_filled "$set"; then
        say "  these packages are already in use"
        return
    fi
    download_archives
    build_prefix
    drop_old
}

require_debian() {
    local missing="" tool
    [ "$(uname -s)-$(uname -m)" = Linux-x86_64 ] || missing="this is $(uname -s) on $(uname -m)"
    for tool in apt-get dpkg-deb flock; do
        have "$tool" || missing=${missing:-"there is no \`$tool\`"}
    done
    [ -f "$KEYRING" ] || missing=${missing:-"there is no $KEYRING to check signatures with"}
    [ -z "$missing" ] || unsupported "$missing"
}

# The lock is held until this process and the downloads it started have ended.
take_lock() {
    mkdir -p "$CACHE"
    exec 9>"$CACHE/setup.lock"
    flock --nonblock 9 && return
    say "Waiting for another setup to finish ..."
    flock 9
}

# --- Packages -----------------------------------------------------------------------------------------

# A private apt: it knows one source and no installed package, so it fetches every library too. It uses only one part of the
# machine's configuration: how to reach a mirror (proxies, and whether a mirror may be behind the clock). The rest stays out: hooks
# and pinning do not belong here, and signatures are checked whatever the machine says.
write_apt_configuration() {
    mkdir -p "$APT/state/lists/partial" "$APT/cache/archives/partial" "$APT/cache/none/partial"
    : >"$APT/status"
    {
        cat <<END
Dir::Etc::main "/dev/null";
Dir::Etc::parts "/dev/null";
Dir::Etc::sourcelist "$APT/sources.list";
Dir::Etc::sourceparts "/dev/null";
Dir::Etc::preferences "/dev/null";
Dir::Etc::preferencesparts "/dev/null";
Dir::State "$APT/state";
Dir::State::status "$APT/status";
Dir::Cache "$APT/cache";
Dir::Cache::pkgcache "";
Dir::Cache::srcpkgcache "";
APT::Architecture "$architecture";
APT::Architectures "$architecture";
APT::Install-Recommends "false";
APT::Sandbox::User "";
Acquire::Languages "none";
Acquire::Retries "3";
Acquire::ForceHash "SHA256";
END
        apt-config dump | grep -E '^Acquire::(https?::|ForceIPv|Check-Valid-Until|Check-Date)' || true
    } >"$APT/apt.conf"
}

private_apt() {
    APT_CONFIG=$APT/apt.conf apt-get --quiet --yes "$@"
}

# The mirror is the one of the machine itself. apt does not know a source's label before the machine's first `apt-get update`. If
# there was none, its sources are read into a private state, without root.
write_package_source() {
    local address read_all=yes
    address=$(apt-get indextargets "${TARGET_FORMAT[@]}" 2>>"$LOG" | first_debian) || true
    if [ -z "$address" ]; then
        say "  reading the machine's package sources ..."
        machine_sources_apt -o APT::Update::Error-Mode=any update >>"$LOG" 2>&1 || read_all=no
        address=$(machine_sources_apt indextargets "${TARGET_FORMAT[@]}" 2>>"$LOG" | first_debian) || true
    fi
    if [ -z "$address" ]; then
        [ "$read_all" = yes ] || fail_with_log "The machine's package sources could not be read; see above."
        unsupported "this machine's apt has no source labelled Debian"
    fi
    say "  mirror: $address"
    printf 'deb [arch=%s signed-by=%s] %s %s main\n' "$architecture" "$KEYRING" "$address" "$suite" >"$APT/sources.list"
}

machine_sources_apt() {
    mkdir -p "$APT/machine/lists/partial"
    private_apt -o Dir::State="$APT/machine" \
        -o Dir::Etc::sourcelist=/etc/apt/sources.list -o Dir::Etc::sourceparts=/etc/apt/sources.list.d "$@"
}

first_debian() {
    awk -F '|' '$2 == "Debian" && !seen++ { print $1 }'
}

# Without a network, the list of an earlier run will do: its archives may all be there.
refresh_package_list() {
    say "  package list ..."
    if ! private_apt -o APT::Update::Error-Mode=any update >>"$LOG" 2>&1; then
        compgen -G "$APT/state/lists/*_Packages*" >/dev/null ||
            fail_with_log "The package list could not be fetched; see above."
        say "  it could not be fetched; going on with the list of an earlier run"
    fi
}

# Writes the list `archives` of everything to unpack, in sha256sum's format. apt lists only archives that it has not fetched yet, so
# it is shown an empty folder.
list_archives() {
    private_apt -o Dir::Cache::archives="$APT/cache/none" install --print-uris "${packages[@]}" \
        >"$APT/uris" 2>>"$LOG" || fail_with_log "The packages could not be found on the mirror."
    sed -nE "s/^'.*' ([^ ]+) [0-9]+ SHA256:([0-9a-f]+)$/\2  \1/p" "$APT/uris" | sort -k 2 >"$archives"
}

# apt runs in the foreground, so that Ctrl-C reaches it. Archives that it has fetched stay for the next run.
download_archives() {
    local megabytes progress status=0
    drop_damaged_archives
    megabytes=$(awk "/^'/ { bytes += \$3 } END { print int(bytes / 1000000) }" "$APT/uris")
    say "  $(wc -l <"$archives") packages, $megabytes MB ..."
    show_progress "$megabytes" &
    progress=$!
    private_apt install --download-only "${packages[@]}" >>"$LOG" 2>&1 || status=$?
    { kill "$progress" && wait "$progress"; } 2>/dev/null || true
    [ "$status" = 0 ] || fail_with_log "The download did not finish. Run again to continue it."
}

# apt checks the archives that it fetches, but not those of an earlier run.
drop_damaged_archives() {
    local file
    cd "$APT/cache/archives" || fail "$APT/cache/archives is gone."
    { sha256sum --check --ignore-missing "$archives" 2>/dev/null || true; } | sed -n 's/: FAILED$//p' |
        while IFS= read -r file; do
            rm -f "$file"
        done
    cd "$ROOT" || fail "$ROOT is gone."
}

# show_progress TOTAL: runs during the download, and ends with it or with this script.
show_progress() {
    local script=$$ before
    before=$(fetched_megabytes)
    exec 9>&- # not to hold the lock
    while sleep 5 >/dev/null 2>&1 && kill -0 "$script" 2>/dev/null; do
        say "    $(($(fetched_megabytes) - before)) of at most $1 MB"
    done
}

fetched_megabytes() {
    du -s --block-size=1000000 "$APT/cache/archives" | cut -f 1
}

fail_with_log() {
    tail -n 15 "$LOG" >&2
    fail "$1" "The whole log: $LOG"
}

# --- Prefix -------------------------------------------------------------------------------------------

# The same packages always give the same name.
prefix_id() {
    sha256sum "$archives" | cut -c 1-12
}

set_folder() {
    dirname "$(set_prefix "$set")"
}

current_id() {
    basename "$(readlink "$(set_prefix "$set")" || true)"
}

# Builds the new set next to the current one, and switches over only when it works. The engines' headers contain absolute paths, so
# a set is built in its final place, and the switch changes a link.
build_prefix() {
    local prefix
    prefix=$(set_folder)/$(prefix_id)
    rm -rf "$prefix"
    mkdir -p "$prefix"
    prefix=$(cd "$prefix" && pwd -P)
    unpack_archives "$prefix"
    if [ "$architecture" = amd64 ]; then
        tie_to_prefix "$prefix"
    else
        # Where the emulator looks for the loader.
        [ -e "$prefix/lib" ] || ln -s usr/lib "$prefix/lib"
    fi
    "$check" "$prefix"
    sed -E 's/^[^ ]+  ([^_]+)_([^_]+)_.*/\1 \2/; s/%3a/:/' "$archives" >"$prefix/versions.txt"
    printf '%s\n' "$prefix" >"$prefix/built-in"
    ln -sfn "$(basename "$prefix")" "$(set_folder)/current.new"
    mv -T "$(set_folder)/current.new" "$(set_prefix "$set")"
}

unpack_archives() {
    local file
    say "  unpacking ..."
    while read -r _ file; do
        dpkg-deb -x "$APT/cache/archives/$file" "$1" || fail "$file could not be unpacked into $1."
    done <"$archives"
}

# Makes the programs load all libraries from the prefix: the machine's own may be too old for them. `rpath` (hence --force-rpath)
# also applies to the libraries of libraries, except those that have their own search path; that path is removed.
tie_to_prefix() {
    local prefix=$1 file
    local libraries=$prefix/$LIBRARIES
    local loader=$libraries/ld-linux-x86-64.so.2
    # patchelf comes with the prefix as well, and is started through the prefix's loader.
    local patchelf=("$loader" --library-path "$libraries" "$prefix/usr/bin/patchelf")

    say "  tying the programs to the prefix ..."
    programs_in "$prefix" | while IFS= read -r file; do
        "${patchelf[@]}" --print-interpreter "$file" >/dev/null 2>&1 || continue # a script
        "${patchelf[@]}" --set-interpreter "$loader" \
            --force-rpath --set-rpath "$libraries:$libraries/pulseaudio:$libraries/dri" "$file"
    done
    { find "$libraries" "$libraries/pulseaudio" -maxdepth 1 -name '*.so*' -type f 2>/dev/null || true; } |
        while IFS= read -r file; do
            if [ -n "$("${patchelf[@]}" --print-rpath "$file")" ]; then
                "${patchelf[@]}" --remove-rpath "$file"
            fi
        done
}

# Helix, Chromium and Wine are only linked to from usr/bin.
programs_in() {
    find "$1/usr/bin" "$1/usr/lib/hx" "$1/usr/lib/chromium" "$1/usr/lib/wine" -type f -perm -u+x ! -name patchelf 2>/dev/null || true
}

# Drops the earlier set, and archives that are not part of any set.
drop_old() {
    local entry keep
    keep=$(current_id)
    for entry in "$(set_folder)"/*; do
        case "${entry##*/}" in
            "$keep" | current) ;;
            *) rm -rf "$entry" ;;
        esac
    done
    for entry in "$APT"/cache/archives/*.deb; do
        grep -qhF "  ${entry##*/}" "$APT"/*.archives || rm -f "$entry"
    done
}
