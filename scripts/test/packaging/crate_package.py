"""Says what a packed crate lacks: the first argument is the .crate file, the second the text of the licence."""

import pathlib
import sys
import tarfile
import tomllib

# The public crate registry takes no larger ones.
LARGEST = 10_000_000
WANTED = ["description", "license", "repository", "readme", "keywords", "categories", "rust-version"]
UNWANTED = {"tests", "benches", "examples", "goldens", "fixtures"}


def complaints(file, license_text):
    if file.stat().st_size >= LARGEST:
        yield f"it has {file.stat().st_size} bytes, and may have {LARGEST}"
    with tarfile.open(file) as archive:
        contents = {member.name.split("/", 1)[1]: archive.extractfile(member).read() for member in archive if member.isfile()}
    if contents.get("LICENSE") != license_text:
        yield "its LICENSE is not that of the repository"
    if not contents.get("README.md", b"").strip():
        yield "it has no README.md"
    for folder in sorted({name.split("/")[0] for name in contents} & UNWANTED):
        yield f"it has the folder {folder}, which nobody needs who uses the crate"
    package = tomllib.loads(contents["Cargo.toml"].decode())["package"]
    for key in WANTED:
        if not package.get(key):
            yield f"its Cargo.toml has no `{key}`"
    if len(package.get("keywords", [])) > 5:
        yield "it has more than five keywords"


def main():
    file = pathlib.Path(sys.argv[1])
    if not file.is_file():
        sys.exit(f"error: there is no {file}")
    found = list(complaints(file, pathlib.Path(sys.argv[2]).read_bytes()))
    print(f"{file.name}: {file.stat().st_size / 1000:.0f} kB")
    if found:
        sys.exit("\n".join(f"error: {file.name}: {complaint}" for complaint in found))


main()
