# shellcheck shell=bash
# The addresses of a release. Only the owner of the repository can decide them: `repository` in Cargo.toml, from which the others
# follow. Sourced after common.sh and rust.sh.

repository_address() {
    sed -n 's/^repository *= *"\(.*\)"/\1/p' "$ROOT/Cargo.toml" | head -n 1
}

# Who has the repository, by its address.
repository_owner() {
    repository_address | sed -nE 's#^https://[^/]+/([^/]+)/.*#\1#p'
}

pre_commit_address() {
    printf '%s/gdscene-pre-commit\n' "$(repository_address | sed -E 's#/[^/]+/?$##')"
}

image_registry() {
    sed -n '/^\[workspace.metadata.image\]$/,/^$/ s/^registry *= *"\(.*\)"/\1/p' "$ROOT/Cargo.toml"
}

# Images have no capitals in their names.
image_name() {
    printf '%s/%s/gdscene\n' "$(image_registry)" "$(repository_owner | tr '[:upper:]' '[:lower:]')"
}

# fill_template TEMPLATE [CHECKSUMS]: prints it, with values for the names between `@`s. CHECKSUMS is a file in sha256sum's format.
fill_template() {
    local text name sum
    text=$(cat "$1")
    text=${text//@VERSION@/$(workspace_version)}
    text=${text//@REPOSITORY@/$(repository_address)}
    text=${text//@PRE_COMMIT_REPOSITORY@/$(pre_commit_address)}
    text=${text//@IMAGE@/$(image_name)}
    while [[ $text =~ @SHA256:([A-Za-z0-9._-]+)@ ]]; do
        name=${BASH_REMATCH[1]}
        sum=$(awk -v name="$name" '{ sub(/^\*/, "", $2) } $2 == name { print $1 }' "${2:-/dev/null}")
        [ "${#sum}" = 64 ] || fail "there is no checksum of $name${2:+ in $2}."
        text=${text//@SHA256:$name@/$sum}
    done
    printf '%s\n' "$text"
}

# These fail while the owner has not decided.
require_image_registry() {
    [ "$(image_registry)" != REGISTRY ] || fail "\`registry\` in Cargo.toml, below [workspace.metadata.image], is not a host yet."
}

require_address() {
    case "$(repository_owner)" in
        "" | OWNER) fail "\`repository\` in Cargo.toml is not the address of a repository yet: $(repository_address)" ;;
    esac
}
