"""Checks a site that scripts/docs.sh has made, as a browser would find it.

    check_site.py SITE_FOLDER RULES_FOLDER

Prints a line for each fault, and at the end `N passed, N failed, N skipped`; each page is a test, and so are the search, the
rules and the way to all pages.
"""

import json
import re
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

# Made by other programs, and tested there; only that links to them lead somewhere is tested here.
OTHERS = ("playground", "api")
# The page that a server shows for a missing address. It appears at any address, so its links start at the top.
NOT_FOUND = "404.html"
# Elements that load something by themselves, and the attributes with its address.
LOADING = {
    "audio": ["src"],
    "embed": ["src"],
    "iframe": ["src"],
    "image": ["href", "xlink:href"],
    "img": ["src", "srcset"],
    "input": ["src"],
    "link": ["href"],
    "object": ["data"],
    "script": ["src"],
    "source": ["src", "srcset"],
    "track": ["src"],
    "use": ["href", "xlink:href"],
    "video": ["src", "poster"],
}
# Links in the head that load nothing.
NOT_LOADING = {"canonical", "next", "prev", "alternate"}
IN_STYLES = re.compile(r"""url\(\s*['"]?([^'")]+)|@import\s+['"]([^'"]+)""")
# A list or a table that Markdown has not taken for one.
NOT_RENDERED = re.compile(r"^\s*(- |\* |1\. |\|.*\|$|```)", re.MULTILINE)
VOID = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}


def main(arguments):
    if len(arguments) != 2:
        sys.exit(__doc__)
    site, rules = Site(Path(arguments[0])), Path(arguments[1])
    tests = {name: site.faults(page) for name, page in site.pages.items()}
    tests["style sheets"] = site.faults_of_styles()
    tests["search"] = site.faults_of_search()
    tests["rules"] = site.faults_of_rules(rules)
    tests["way to all pages"] = site.faults_of_navigation()
    for name, faults in tests.items():
        for fault in faults:
            print(f"FAIL {name}: {fault}")
    failed = sum(1 for faults in tests.values() if faults)
    print(f"{len(tests) - failed} passed, {failed} failed, 0 skipped")
    return 1 if failed else 0


class Page(HTMLParser):
    """What a page loads, where it leads, and which places it has."""

    def __init__(self, text):
        super().__init__()
        self.ids = set()
        self.links = []
        self.in_navigation = []
        self.loaded = []
        self.styles = []
        self.not_rendered = []
        self.open = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        self.ids.update(value for name in ("id", "name") if (value := attributes.get(name)))
        self.styles += [attributes["style"]] if attributes.get("style") else []
        if tag == "a" and attributes.get("href"):
            self.links.append(attributes["href"])
            if "nav" in self.open:
                self.in_navigation.append(attributes["href"])
        if tag != "link" or not NOT_LOADING & set((attributes.get("rel") or "").split()):
            for name in LOADING.get(tag, []):
                value = attributes.get(name) or ""
                self.loaded += [part.split()[0] for part in value.split(",") if part.split()] if name == "srcset" else [value][: bool(value)]
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        if tag in self.open:
            while self.open.pop() != tag:
                pass

    def handle_data(self, data):
        if "style" in self.open:
            self.styles.append(data)
        if self.open and self.open[-1] == "p" and NOT_RENDERED.search(data):
            self.not_rendered.append(data.strip())


class Site:
    """A folder of pages."""

    def __init__(self, folder):
        self.folder = folder
        paths = sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*.html"))
        paths = [path for path in paths if path.split("/")[0] not in OTHERS]
        self.pages = {path: Page((folder / path).read_text(encoding="utf-8")) for path in paths}
        self.own = [path for path in paths if path != NOT_FOUND]

    def faults(self, page):
        """What is wrong with the links of a page, and with what it loads."""
        name = next(name for name, other in self.pages.items() if other is page)
        faults = [fault for link in page.links if (fault := self.fault_of_link(name, link))]
        faults += [fault for link in page.loaded if (fault := self.fault_of_loaded(name, link))]
        for style in page.styles:
            faults += self.faults_of_style(name, style)
        return faults + [f"this is not rendered: {text[:80]}" for text in page.not_rendered]

    def fault_of_link(self, name, link):
        parts = urlsplit(link)
        if parts.scheme in ("http", "https", "mailto"):
            return None
        if parts.scheme or parts.netloc:
            return f"`{link}` is not a link to a page"
        target = self.target(name, parts.path)
        if not self.exists(target):
            return f"`{link}` leads to {target}, which does not exist"
        if parts.fragment and target in self.pages and unquote(parts.fragment) not in self.pages[target].ids:
            return f"`{link}`: {target} has no place `{parts.fragment}`"
        return None

    def fault_of_loaded(self, name, link):
        parts = urlsplit(link)
        if parts.scheme == "data":
            return None
        if parts.scheme or parts.netloc:
            return f"`{link}` is loaded from another server"
        target = self.target(name, parts.path)
        return None if self.exists(target) else f"{target}, which is loaded, does not exist"

    def exists(self, target):
        return (self.folder / target).is_file()

    def target(self, name, path):
        """The file that a path stands for in a page."""
        if not path:
            return name
        path = unquote(path)
        start = [] if path.startswith("/") or name == NOT_FOUND else name.split("/")[:-1]
        for part in path.split("/"):
            if part == "..":
                # A path that leads out of the site finds nothing.
                start = start[:-1] if start else [".."]
            elif part not in ("", "."):
                start.append(part)
        target = "/".join(start) or "."
        return f"{target}/index.html".removeprefix("./") if (self.folder / target).is_dir() else target

    def faults_of_styles(self):
        faults = []
        for path in sorted(self.folder.rglob("*.css")):
            name = path.relative_to(self.folder).as_posix()
            if name.split("/")[0] not in OTHERS:
                faults += [f"{name}: {fault}" for fault in self.faults_of_style(name, path.read_text(encoding="utf-8"))]
        return faults

    def faults_of_style(self, name, text):
        found = (first or second for first, second in IN_STYLES.findall(text))
        return [fault for link in found if not link.startswith("#") and (fault := self.fault_of_loaded(name, link))]

    def faults_of_search(self):
        """The index has all pages, for servers and for files."""
        index = self.folder / "search/search_index.json"
        if not index.is_file():
            return ["search/search_index.json does not exist"]
        text = index.read_text(encoding="utf-8")
        known = {entry["location"].split("#")[0] for entry in json.loads(text)["docs"] if entry["text"] or entry["title"]}
        faults = [f"the index does not have {name}" for name in self.own if name not in known]
        for_files = self.folder / "search/search_index.js"
        if not for_files.is_file() or text not in for_files.read_text(encoding="utf-8"):
            faults.append("search/search_index.js is not the index")
        return faults

    def faults_of_rules(self, folder):
        """Each rule has a page, from which one gets to the playground if that is a part of the site."""
        codes = sorted(path.stem for path in folder.glob("*.md") if path.name != "README.md")
        faults = [] if codes else [f"there are no rules in {folder}"]
        for code in codes:
            page = self.pages.get(f"rules/{code}.html")
            if page is None:
                faults.append(f"{code} has no page")
            elif self.exists("playground/index.html") and f"../playground/index.html#rule={code}" not in page.links:
                faults.append(f"{code} has no link to the playground")
        return faults

    def faults_of_navigation(self):
        """All pages are found by the links in the navigation, from the first page on."""
        reached, waiting = set(), ["index.html"]
        while waiting:
            name = waiting.pop()
            if name in reached or name not in self.pages:
                continue
            reached.add(name)
            links = (urlsplit(link) for link in self.pages[name].in_navigation)
            waiting += [self.target(name, link.path) for link in links if not link.scheme]
        return [f"no way leads to {name}" for name in self.own if name not in reached]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
