"""Prints the licences of everything that is compiled into the libraries, or into the command, with their texts.

Asks cargo. The first argument is a folder of texts, named by their SPDX identifiers, for crates that are published without one.
A second one, `gdscene`, asks for the command, `wasm` for the library of the npm package. Fails if a crate has no text at all.
"""

import json
import pathlib
import subprocess
import sys

# Has all that `fast-variant` has, and more.
ROOT_PACKAGE = "fast-variant-editor"
# All that libraries are built for: the platforms of scripts/package.sh.
TARGETS = [
    "x86_64-unknown-linux-gnu",
    "aarch64-unknown-linux-gnu",
    "x86_64-pc-windows-msvc",
    "x86_64-pc-windows-gnu",
    "aarch64-pc-windows-msvc",
    "x86_64-apple-darwin",
    "aarch64-apple-darwin",
]
# Where a crate may be used under one of several licences, the first of these that it comes with is taken.
PREFERRED = ["MIT", "ZLIB", "BSD", "ISC", "UNICODE", "APACHE"]
STANDARD_LIBRARY = """The standard library of Rust
Licence: MIT OR Apache-2.0. Copyright (c) The Rust Project Contributors; its own notices are listed in
https://github.com/rust-lang/rust/blob/master/COPYRIGHT. The text of its licence is that of the crate {} below."""
WHAT = {
    "gdscene": "The program gdscene contains",
    "wasm": "The library of the npm package gdscene, which the playground has too, contains",
}


def linked_packages(root):
    """The packages whose code ends up in a library: no procedural macros, which run while it is built. `cargo metadata`
    alone would say what the whole workspace needs."""
    linked = set()
    for target in ["wasm32-unknown-unknown"] if root == "wasm" else TARGETS:
        tree = cargo("tree", "--package", root, "--edges", "normal,no-proc-macro", "--target", target,
                     "--prefix", "none", "--format", "{p}")
        linked.update(tuple(line.split()[:2]) for line in tree.splitlines() if line)
    packages = json.loads(cargo("metadata", "--format-version", "1"))["packages"]
    found = [p for p in packages if p["source"] and (p["name"], "v" + p["version"]) in linked]
    return sorted(found, key=lambda package: (package["name"], package["version"]))


def cargo(*arguments):
    return subprocess.run(["cargo", *arguments, "--locked"], check=True, capture_output=True, text=True).stdout


def license_texts(package, licenses):
    """The texts under which the package is used, and those of others' code within its sources."""
    folder = pathlib.Path(package["manifest_path"]).parent
    sources = [file for name in ["src", "c_src"] for file in (folder / name).rglob("*")]
    return own_texts(package, licenses, texts_among(folder.iterdir())) + texts_among(sources)


def texts_among(files):
    return sorted(file for file in files if file.name.upper().startswith(("LICENSE", "LICENCE", "COPYRIGHT")) and file.is_file())


def own_texts(package, licenses, files):
    expression = package["license"] or ""
    if not files:
        texts = [licenses / f"{choice}.txt" for choice in sorted(expression.split(" OR "), key=rank)]
        text = next((text for text in texts if text.is_file()), None)
        if text is None:
            sys.exit(f"error: {package['name']} {package['version']} ({expression}) comes without a licence's text")
        return [text]
    if " AND " in expression:
        return files
    for preferred in PREFERRED:
        for file in files:
            if file.name.upper().endswith("-" + preferred):
                return [file]
    return files


def rank(choice):
    """How much a licence is preferred: the least is the most."""
    return next((place for place, name in enumerate(PREFERRED) if choice.upper().startswith(name)), len(PREFERRED))


def main():
    licenses = pathlib.Path(sys.argv[1])
    root = sys.argv[2] if len(sys.argv) > 2 else ROOT_PACKAGE
    packages = linked_packages(root)
    what = WHAT.get(root, "The native libraries of fast_variant contain")
    print(f"{what} code of the following projects.\n")
    for package in packages:
        print(f"{package['name']} {package['version']}: {package['license']}, source: {package['repository']}")
    print(f"\n{'=' * 100}\n{STANDARD_LIBRARY.format('cfg-if' if root == 'wasm' else 'libc')}")
    by_text = {}
    for package in packages:
        for file in license_texts(package, licenses):
            text = file.read_text(encoding="utf-8").strip()
            by_text.setdefault(text, {})[f"{package['name']} {package['version']}"] = None
    for text, names in by_text.items():
        print(f"\n{'=' * 100}\n{', '.join(names)}\n\n{text}")


main()
