"""Makes one site of documents that lie where they belong in the repository.

Each page keeps its path of the repository as its source, so the links that work there work here, and MkDocs checks them; only
its address is shorter.
"""

import os
import re
from pathlib import Path, PurePosixPath

from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File, Files, InclusionLevel

ROOT = Path(__file__).resolve().parents[2]
# The pages, and the folder of each in the site.
PAGES = {
    "README.md": "guides/overview.md",
    ".github/CONTRIBUTING.md": "reference/contributing.md",
    "CHANGELOG.md": "reference/changelog.md",
    ".github/SECURITY.md": "reference/security.md",
    "addons/fast_variant/README.md": "guides/plugin.md",
    "rust/ARCHITECTURE.md": "reference/architecture.md",
    "rust/docs/store/README.md": "reference/store.md",
}
FOLDERS = {
    "rust/docs/site": "",
    "rust/docs/rules": "rules",
    "rust/docs/classes": "classes",
    "rust/docs": "guides",
}
# Pages of `rust/docs` that people look things up in.
REFERENCE = ("wire-format", "compact-format", "errors", "lint-differential", "godot-versions", "speed", "proof", "limits")
# The files of the theme, and where they come from.
FILES = {"site.css": "rust/docs/site/site.css", "icon.svg": "rust/docs/store/icon.svg"}
RULES = "rust/docs/rules"
CLASSES = "rust/docs/classes"
PLAYGROUND = "playground"
SERVER = "rust/docs/site/server.md"
LINK = re.compile(r"(?<!\\)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^()\s]+)\)")
# The first word behind a fence says how to colour it; others are for tests.
FENCE = re.compile(r"^```(\w+) .*$", re.MULTILINE)
ROW = re.compile(r"\| \[(\w+)\]\((\w+\.md)\)")


def on_config(config):
    if address := os.environ.get("DOCS_REPOSITORY_URL"):
        # Not as `repo_url`: with some addresses, pages would ask another server for the number of stars.
        config.extra["social"] = [{"icon": "material/source-repository", "link": address, "name": "Repository"}]
    listed = set(paths(config.nav))
    for entry in config.nav:
        if "Guides" in entry:
            guides = (f"rust/docs/{page.name}" for page in ordered(ROOT / "rust/docs"))
            entry["Guides"] += [guide for guide in guides if guide not in listed]
        elif "Rules" in entry:
            entry["Rules"] = rules_by_group()
        elif "Classes" in entry:
            entry["Classes"] = [f"{CLASSES}/{page.name}" for page in ordered(ROOT / CLASSES)]
    return config


def paths(nav):
    """The pages that a part of the navigation names."""
    for entry in nav:
        for value in entry.values() if isinstance(entry, dict) else [entry]:
            yield from [value] if isinstance(value, str) else paths(value)


def rules_by_group():
    """The pages on rules, in the groups of their index."""
    nav = [f"{RULES}/README.md"]
    for line in (ROOT / RULES / "README.md").read_text(encoding="utf-8").splitlines():
        if line.startswith("## "):
            nav.append({line[3:].split(":")[0]: []})
        elif (row := ROW.match(line)) is not None:
            next(iter(nav[-1].values())).append(f"{RULES}/{row[2]}")
    return nav


def ordered(folder):
    """The pages of a folder, the index first."""
    return sorted(folder.glob("*.md"), key=lambda page: (page.name != "README.md", page.name))


def on_files(files, config):
    pages = {**PAGES, **{source: f"{place}/{name}".lstrip("/") for source, place, name in pages_of_folders()}}
    found = Files([file for file in files if Path(file.src_dir or "") != Path(config.docs_dir)])
    for source, place in pages.items():
        text = (ROOT / source).read_text(encoding="utf-8")
        add(found, config, source, place.removesuffix(".md") + ".html")
        for target in targets(source, text):
            if target not in pages and found.get_file_from_path(target) is None:
                add_linked(found, config, target)
    for place, source in FILES.items():
        found.append(File.generated(config, place, abs_src_path=str(ROOT / source)))
    for path in playground_files():
        name = f"{PLAYGROUND}/{path.relative_to(playground_folder()).as_posix()}"
        found.append(File.generated(config, name, abs_src_path=str(path)))
    return found


def pages_of_folders():
    for folder, place in FOLDERS.items():
        for page in ordered(ROOT / folder):
            name = page.name.replace("README", "index")
            is_reference = place == "guides" and page.stem in REFERENCE
            yield f"{folder}/{page.name}", "reference" if is_reference else place, name


def targets(source, text):
    """The files of the repository to which a page leads."""
    for _, link in LINK.findall(text):
        path = link.split("#")[0]
        if path and "://" not in path:
            target = os.path.normpath(PurePosixPath(source).parent / path)
            if (ROOT / target).is_file():
                yield PurePosixPath(target).as_posix()


def add(files, config, source, place):
    files.append(at(File.generated(config, source, abs_src_path=str(ROOT / source)), place))


def add_linked(files, config, target):
    """A picture, or a file to read: as text, because a browser would save other kinds."""
    path = PurePosixPath(target)
    if path.suffix in (".png", ".svg"):
        add(files, config, target, f"pictures/{path.name}")
    else:
        add(files, config, target, f"files/{target.replace('/.', '/').lstrip('.')}{'' if path.suffix == '.txt' else '.txt'}")


def at(file, place):
    file.dest_uri = place
    # A README is the index of a part of the site only where it is one of its folder.
    file.name = PurePosixPath(place).stem
    # Also files in a hidden folder.
    file.inclusion = InclusionLevel.INCLUDED
    return file


def playground_folder():
    return Path(os.environ.get("DOCS_PLAYGROUND") or ROOT / "target/none")


def playground_files():
    return sorted(path for path in playground_folder().rglob("*") if path.is_file())


def on_page_markdown(markdown, page, **_):
    source = page.file.src_uri
    markdown = FENCE.sub(r"```\1", LINK.sub(lambda found: adapted(source, found), markdown))
    if playground_files():
        markdown += playground_link(source)
    if source == SERVER and os.environ.get("DOCS_API"):
        markdown += '\n\n<a href="api/godot_variant_codec/index.html">The documentation of the crates</a>\n'
    return markdown


def adapted(source, found):
    """Of a link to a folder, which is not in the site, only the name remains."""
    text, link = found.groups()
    path = link.partition("#")[0]
    if not path or "://" in path:
        return found[0]
    folder = PurePosixPath(source).parent
    target = os.path.normpath(folder / path)
    return text if (ROOT / target).is_dir() else found[0]


def playground_link(source):
    path = PurePosixPath(source)
    up = os.path.relpath(f"{PLAYGROUND}/index.html", path.parent)
    if str(path.parent) == RULES and path.name != "README.md":
        return f"\n\n[Open in the playground]({up}#rule={path.stem}){{ .md-button }}\n"
    if source == "rust/docs/site/index.md":
        return f"\n\n[Try it in the browser]({up}){{ .md-button }}\n"
    return ""
