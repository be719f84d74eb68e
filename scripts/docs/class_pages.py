"""Makes a page of Markdown of each class of the library, from what the engine knows of it and from its help.

    class_pages.py DOCTOOL_FOLDER HELP_FOLDER OUTPUT_FOLDER

What is registered, with types and defaults, is in the first folder, as `godot --doctool` writes it; descriptions are in the
second, as the library gives them to the editor. Both are XML of Godot's class reference.
"""

import re
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

# Parts of a page: its title, the list and the element in the XML.
PARTS = [
    ("Properties", "members", "member"),
    ("Methods", "methods", "method"),
    ("Signals", "signals", "signal"),
    ("Constants", "constants", "constant"),
]
SAMPLE = re.compile(r"\[codeblock(?: lang=(\w+))?\](.*?)\[/codeblock\]", re.DOTALL)
CODE = re.compile(r"\[code\](.*?)\[/code\]", re.DOTALL)
TAG = re.compile(r"\[(/?)([A-Za-z_@][\w@]*)(?:[ =]([^\]]*))?\]")
# The elements of these tags have a place on a page.
MEMBERS = {"method", "member", "signal", "constant", "enum"}
WORDS = {"b": "**", "i": "*"}


def main(arguments):
    if len(arguments) != 3:
        sys.exit(__doc__)
    registered, documented, output = map(Path, arguments)
    classes = {path.stem: ElementTree.parse(path).getroot() for path in sorted(registered.glob("*.xml"))}
    if not classes:
        sys.exit(f"error: there are no classes in {registered}")
    names = {name: anchors(found) for name, found in classes.items()}
    lines = []
    for name, found in classes.items():
        path = documented / f"{name}.xml"
        if not path.exists():
            sys.exit(f"error: {name} has no help: {path}")
        page = Page(name, names, ElementTree.parse(path).getroot())
        (output / f"{name}.md").write_text(page.written(found), encoding="utf-8")
        # A link within the page leads to that page from here.
        brief = page.brief().replace("](#", f"]({name}.md#")
        lines.append(f"| [{name}]({name}.md) | {brief} |\n")
    index = "# Classes\n\nMade by `scripts/data/class_reference.sh` of what F1 shows in the editor.\n\n| class | what it is |\n|---|---|\n"
    (output / "README.md").write_text(index + "".join(lines), encoding="utf-8")


def anchors(found):
    """The names of the members of a class that have a heading."""
    return {member.get("name") for _, plural, _ in PARTS for member in found.iterfind(f"{plural}/*")}


class Page:
    """The page of one class."""

    def __init__(self, name, names, documentation):
        self.name = name
        self.names = names
        self.documentation = documentation

    def brief(self):
        return " ".join(self.markdown(self.documentation.findtext("brief_description") or "").split())

    def written(self, found):
        parts = [f"# {self.name}", self.brief(), f"Extends {code(found.get('inherits'))}."]
        parts.append(self.markdown(self.documentation.findtext("description") or ""))
        for title, plural, singular in PARTS:
            members = [one for one in found.iterfind(f"{plural}/{singular}") if not one.get("name").startswith("_")]
            if members:
                parts.append(f"## {title}")
            for member in members:
                parts += [f"### {member.get('name')}", code(signature(member)), self.description(plural, member)]
        return "\n\n".join(part for part in parts if part) + "\n"

    def description(self, plural, member):
        name = member.get("name")
        for documented in self.documentation.iterfind(f"{plural}/*"):
            if documented.get("name") == name:
                description = documented.find("description")
                return self.markdown((documented if description is None else description).text or "")
        sys.exit(f"error: {self.name}.{name} has no help")

    def markdown(self, text):
        """The same as Markdown. Code is put in at the end, so that nothing in it is taken for a tag."""
        kept = []

        def keep(markdown):
            kept.append(markdown)
            return f"\0{len(kept) - 1}\0"

        def sample(found):
            return keep(f"\n\n```{found[1] or 'text'}\n{found[2].strip(chr(10))}\n```\n\n")

        text = CODE.sub(lambda found: keep(code(found[1])), SAMPLE.sub(sample, text))
        text = TAG.sub(lambda found: WORDS.get(found[2]) or self.tag(found), text.replace("<", "&lt;"))
        text = re.sub(r"^• ", "- ", text, flags=re.MULTILINE)
        # A list begins behind an empty line.
        text = re.sub(r"(?m)^(?!- )(.+)\n(?=- )", r"\1\n\n", text)
        text = re.sub(r"\0(\d+)\0", lambda found: kept[int(found[1])], text)
        return re.sub(r"\n{3,}", "\n\n", text).strip()

    def tag(self, found):
        _, name, argument = found.groups()
        if name == "br":
            return "\n"
        if name in ("param", "key"):
            return code(argument)
        if name in MEMBERS:
            return self.member(argument)
        return self.linked(name, "", name) if argument is None else found[0]

    def member(self, name):
        owner, _, member = name.rpartition(".")
        return self.linked(owner or self.name, member, name)

    def linked(self, owner, member, shown):
        """A link if the class is one of ours, else the name alone."""
        if owner not in self.names or (member and member not in self.names[owner]):
            return code(shown)
        page = "" if owner == self.name else f"{owner}.md"
        place = f"#{member.lower()}" if member else ""
        return f"[{code(shown)}]({page + place})" if page + place else code(shown)


def signature(member):
    name = member.get("name")
    if member.tag == "constant":
        return f"{name} = {member.get('value')}"
    if member.tag == "member":
        return f"{name}: {member.get('type')}"
    arguments = ", ".join(map(argument, member.iterfind("param")))
    qualifiers = member.get("qualifiers") or ""
    if member.tag == "signal":
        return f"{name}({arguments})"
    static = "static " if "static" in qualifiers.split() else ""
    return f"{static}{name}({arguments}) -> {member.find('return').get('type')}"


def argument(found):
    default = found.get("default")
    return f"{found.get('name')}: {found.get('type')}" + (f" = {default}" if default is not None else "")


def code(text):
    fence = "``" if "`" in text else "`"
    return f"{fence}{text}{fence}"


if __name__ == "__main__":
    main(sys.argv[1:])
