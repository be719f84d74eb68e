"""Writes the enum of each property of Godot's classes, from the API that the engine dumps.

Usage: enums.py EXTENSION_API OUTPUT
"""

import json
import sys
from pathlib import Path


# Properties with a getter that does not name their enum (scene/gui/control.cpp).
OTHERS = {("Control", "anchors_preset"): "Control.LayoutPreset"}


def main() -> None:
    api, output = map(Path, sys.argv[1:])
    api = json.loads(api.read_text())
    enums = {found["name"]: found for found in api["global_enums"]}
    for owner in api["classes"]:
        enums |= {f"{owner['name']}.{found['name']}": found for found in owner.get("enums", [])}
    lines, used = [], set()
    for owner in api["classes"]:
        if owner["api_type"] != "core":
            continue
        taken = methods(owner)
        for found in owner.get("properties", []):
            name = OTHERS.get((owner["name"], found["name"])) or enum_of(found, taken)
            if name in enums:
                lines.append(f"{owner['name']} {found['name']} {name}")
                used.add(name)
    lines += [f"enum {name} {values(enums[name])}" for name in sorted(used)]
    output.write_text("\n".join(lines) + "\n")


def methods(owner: dict) -> dict:
    """The types of the class's getters, and of the last argument of its setters."""
    taken = {}
    for method in owner.get("methods", []):
        arguments = method.get("arguments", [])
        found = method.get("return_value") or (arguments[-1] if arguments else {})
        taken[method["name"]] = found.get("type", "")
    return taken


def enum_of(found: dict, taken: dict) -> str:
    of_methods = [taken.get(found.get(key), "") for key in ("getter", "setter")]
    for name in [found["type"], *of_methods]:
        if name.startswith(("enum::", "bitfield::")):
            return name.split("::", 1)[1]
    return ""


def values(enum: dict) -> str:
    # The last constant counts the others.
    kept = [found for found in enum["values"] if not found["name"].endswith("_MAX")]
    return " ".join(f"{found['name']}={found['value']}" for found in kept)


if __name__ == "__main__":
    main()
