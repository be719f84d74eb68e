"""Writes what Godot's class reference says of classes, their properties and signals, shortened, as Markdown.

    documentation.py API_WITH_DOCS OUTPUT

API_WITH_DOCS is what `godot --dump-extension-api-with-docs` writes. The form of the file is described at its head.
"""

import json
import re
import sys
from pathlib import Path

HEAD = """\
# What Godot's class reference says, the first paragraph of each text. Written by scripts/data/class_db.sh from Godot {version}.
# Copyright (c) 2014-present Godot Engine contributors, Copyright (c) 2007-2014 Juan Linietsky, Ariel Manzur; MIT licence.
#
# =Class, its text, then a line for each property and signal: name, tab, text. No texts: no line.
"""
# The length that a reader of a hover can read at a glance.
LONGEST = 400


def main() -> None:
    api = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    version = api["header"]
    lines = [HEAD.format(version=f"{version['version_major']}.{version['version_minor']}")]
    for found in sorted(api["classes"], key=lambda found: found["name"]):
        lines.append(f"={found['name']}\n{shortened(found.get('brief_description', ''))}\n")
        members = found.get("properties", []) + found.get("signals", [])
        for member in sorted(members, key=lambda member: member["name"]):
            if text := shortened(member.get("description", "")):
                lines.append(f"{member['name']}\t{text}\n")
    Path(sys.argv[2]).write_text("".join(lines), encoding="utf-8")


def shortened(text: str) -> str:
    """The first paragraph of a text in BBCode, as Markdown on one line, cut at the end of a sentence if it is long."""
    paragraph = markdown(text.strip().split("\n")[0].strip())
    if len(paragraph) <= LONGEST:
        return paragraph
    end = paragraph.rfind(". ", 0, LONGEST)
    return paragraph[: end + 1] if end > 0 else paragraph[:LONGEST].rsplit(" ", 1)[0] + " …"


def markdown(text: str) -> str:
    # Code first, because its contents are not markup.
    parts = re.split(r"\[(code|kbd)(?: [^\]]*)?\](.*?)\[/\1\]", text)
    result = []
    for index in range(0, len(parts), 3):
        result.append(marked(parts[index]))
        if index + 2 < len(parts):
            result.append(f"`{parts[index + 2]}`")
    return "".join(result)


def marked(text: str) -> str:
    text = re.sub(r"\[b\](.*?)\[/b\]", r"**\1**", text)
    text = re.sub(r"\[i\](.*?)\[/i\]", r"*\1*", text)
    text = re.sub(r"\[url=([^\]]*)\](.*?)\[/url\]", r"[\2](<\1>)", text)
    text = re.sub(r"\[(?:method|signal|member|constant|enum|param|annotation|constructor|operator|theme_item) ([^\]]+)\]", r"`\1`", text)
    # The name of a class, but not the text of a link.
    return re.sub(r"\[(@?[A-Za-z_][A-Za-z0-9_]*)\](?!\()", r"`\1`", text)


main()
