"""Makes rust/godot-tscn/data/harmless.txt: of each class that a person has put on the list, the properties that may stand in an
untrusted file, and the shapes of their values.

    make.py ENGINE.json REVIEW CLASSES > OUTPUT

ENGINE.json is written by properties.gd, REVIEW is rust/godot-tscn/data/harmless_review.txt, CLASSES is
rust/godot-project/data/classes.txt: a property whose type another version of Godot has otherwise is left out.
"""

import json
import re
import sys

HEAD = """\
# What may stand in a file of strangers: written by scripts/data/harmless.sh from harmless_review.txt and the engine; not to be
# edited. `=Class base`, then its own properties, each with the shape of its values, and `$` with what an object costs.
"""

# `PropertyHint` (core/object/property_info.h).
RANGE, ENUM, FLAGS, RESOURCE, COLOR_NO_ALPHA = 1, 2, 6, 17, 21
LAYERS = range(7, 13)
EASING = 4

# The largest number of a coordinate, and of a number without a range.
FAR = 1_000_000
# How far beyond a range that an editor may exceed.
BEYOND = 16
NUMBERS = {"Vector2", "Vector3", "Vector4", "Rect2", "Transform2D", "Transform3D", "Basis", "Quaternion", "AABB", "Plane"}
WHOLE = {"Vector2i", "Vector3i", "Vector4i", "Rect2i"}
# The versions of Godot that the library runs in: their bits in CLASSES.
VERSIONS = {8: "4.4", 16: "4.5", 32: "4.6", 64: "4.7"}


def main():
    answer = json.load(open(sys.argv[1], encoding="utf-8"))
    engine = answer["classes"]
    review = read_review(sys.argv[2])
    types = read_types(sys.argv[3])
    listed = set(review) - {"*"}
    unknown = sorted(listed - set(engine))
    if unknown:
        sys.exit(f"classes that the engine does not have: {', '.join(unknown)}")
    out = [HEAD, f"# Godot {answer['version']}\n"]
    for name in sorted(review):
        out.append(block(name, review[name], engine, types, listed))
    sys.stdout.write("".join(out))


def read_review(path):
    review, rows = {}, None
    for number, line in enumerate(open(path, encoding="utf-8"), 1):
        line = line.rstrip("\n")
        if not line or line.startswith("#"):
            continue
        if line[0] == "=":
            name, _, mark = line[1:].partition(" ")
            rows = review.setdefault(name, [])
            rows.extend([("!", "", "")] if mark else [])
        elif line[0] in "-+$" and rows is not None:
            rows.append((line[0], *(line[1:].split(" ", 1) + [""])[:2]))
        else:
            sys.exit(f"{path}:{number}: not understood: {line}")
    return review


def read_types(path):
    """(class, property) -> the types that it has in the versions."""
    types, name = {}, None
    for line in open(path, encoding="utf-8"):
        if line[0] == "=":
            name = line[1:].rstrip("\n")
        elif line[0] == "p" and any(int(line[1:3], 16) & bit for bit in VERSIONS):
            _, key, kind = line.rstrip("\n").split("\t")[:3]
            types.setdefault((name, key), set()).add(kind)
    return types


def block(name, rows, engine, types, listed):
    base = engine[name]["inherits"] if name != "*" else ""
    if name != "*" and base not in listed and base not in ("Object", "RefCounted"):
        sys.exit(f"{name} is on the list, and its base {base} is not")
    creatable = name != "*" and engine[name]["creatable"] and ("!", "", "") not in rows
    decided = {key for _, key, _ in rows}
    shapes = {key: shape for sign, key, shape in rows if sign == "+"}
    own = engine[name]["properties"] if name != "*" else []
    undecided = []
    for prop in own:
        key = prop["name"]
        if key in decided:
            continue
        shape = shape_of(prop, engine, listed)
        if shape is None:
            undecided.append(key)
        elif shape and len(types.get((name, key), [""])) == 1:
            shapes[key] = shape
    if undecided:
        sys.exit(f"{name}: nobody has decided about {', '.join(undecided)}")
    lines = [f"={name}\t{base}\t{'+' if creatable else ''}\n"]
    lines += [f"{key}\t{shape}\n" for key, shape in sorted(shapes.items())]
    lines += [f"${key} {rest}".rstrip() + "\n" for sign, key, rest in rows if sign == "$"]
    return "".join(lines)


def shape_of(prop, engine, listed):
    """The shape of values, "" if nothing fits, None if a person has to decide."""
    kind, hint, text = prop["type"], prop["hint"], prop["hint_string"]
    if kind == "bool":
        return "bool"
    if kind in ("int", "float"):
        return number(kind, hint, text)
    if kind == "Color":
        return "numbers Color -1000 1000"
    if kind in NUMBERS:
        return f"numbers {kind} -{FAR} {FAR}"
    if kind in WHOLE:
        return f"numbers {kind} -16384 16384"
    if kind == "Object" and hint == RESOURCE:
        names = [name for name in re.split("[,;]", text) if inside(name, engine, listed)]
        return f"resource {' '.join(names)}" if names else ""
    return None


def inside(name, engine, listed):
    """Whether the class, or one that inherits it, is on the list."""
    return name in listed and name in engine


def number(kind, hint, text):
    if hint == RANGE:
        least, most, *rest = text.split(",")
        least, most = float(least), float(most)
        room = max(abs(least), abs(most)) * BEYOND
        if kind == "float":
            room = min(max(room, 1_000_000), FAR)
        if "or_greater" in rest:
            most = max(room, most)
        if "or_less" in rest:
            least = min(-room, least)
        return f"{kind} {plain(least)} {plain(most)}"
    if kind == "float":
        return f"float -{FAR} {FAR}" if hint == 0 else None
    if hint == ENUM:
        values, last = [], -1
        for item in text.split(","):
            last = int(item.rsplit(":", 1)[1]) if re.search(r":-?\d+$", item) else last + 1
            values.append(last)
        return f"int {min(values)} {max(values)}"
    if hint == FLAGS:
        total = 0
        for index, item in enumerate(text.split(",")):
            total |= int(item.rsplit(":", 1)[1]) if re.search(r":\d+$", item) else 1 << index
        return f"int 0 {total}"
    if hint in LAYERS:
        return "int -2147483648 4294967295"
    return None


def plain(value):
    return str(int(value)) if value == int(value) else repr(value)


if __name__ == "__main__":
    main()
