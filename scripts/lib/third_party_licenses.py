"""Prints the licences of everything that is compiled into the libraries, with their texts.

Asks cargo. The argument is a folder of texts, named by their SPDX identifiers, for crates that are published without one.
Fails if a crate has no text at all.
"""

import json
import pathlib
import subprocess
import sys

# Has all that `gdextension` has, and more.
ROOT_PACKAGE = "gdextension-editor"
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
https://github.com/rust-lang/rust/blob/master/COPYRIGHT. The text of its licence is that of the crate libc below."""


def linked_packages():
    """The packages whose code ends up in a library: no procedural macros, which run while it is built. `cargo metadata`
    alone would say what the whole workspace needs."""
    linked = set()
    for target in TARGETS:
        tree = cargo("tree", "--package", ROOT_PACKAGE, "--edges", "normal,no-proc-macro", "--target", target,
                     "--prefix", "none", "--format", "{p}")
        linked.update(tuple(line.split()[:2]) for line in tree.splitlines() if line)
    packages = json.loads(cargo("metadata", "--format-version", "1"))["packages"]
    found = [p for p in packages if p["source"] and (p["name"], "v" + p["version"]) in linked]
    return sorted(found, key=lambda package: (package["name"], package["version"]))


def cargo(*arguments):
    return subprocess.run(["cargo", *arguments, "--locked"], check=True, capture_output=True, text=True).stdout


def license_texts(package, licenses):
    """The texts under which the package is used."""
    folder = pathlib.Path(package["manifest_path"]).parent
    files = sorted(file for file in folder.iterdir() if file.name.upper().startswith(("LICENSE", "LICENCE", "COPYRIGHT")))
    expression = package["license"] or ""
    if not files:
        text = licenses / f"{expression}.txt"
        if not text.is_file():
            sys.exit(f"error: {package['name']} {package['version']} ({expression}) comes without a licence's text")
        return [text]
    if " AND " in expression:
        return files
    for preferred in PREFERRED:
        for file in files:
            if file.name.upper().endswith("-" + preferred):
                return [file]
    return files


def main():
    licenses = pathlib.Path(sys.argv[1])
    packages = linked_packages()
    print("The native libraries of fast_variant contain code of the following projects.\n")
    for package in packages:
        print(f"{package['name']} {package['version']}: {package['license']}, source: {package['repository']}")
    print(f"\n{'=' * 100}\n{STANDARD_LIBRARY}")
    by_text = {}
    for package in packages:
        for file in license_texts(package, licenses):
            text = file.read_text(encoding="utf-8").strip()
            by_text.setdefault(text, []).append(f"{package['name']} {package['version']}")
    for text, names in by_text.items():
        print(f"\n{'=' * 100}\n{', '.join(names)}\n\n{text}")


main()
