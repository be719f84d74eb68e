//! What a model reads of operations. The crate `gdscene-refactor` knows their names and keys, and reads them.

use std::fmt::Write;

use gdscene_refactor::OPERATIONS;
use schemars::{Schema, SchemaGenerator, json_schema};

const VALUE: &str = "\
A value is Godot's text in {\"godot\": \"Vector2(1, 2)\"}, {\"load\": \"res://…\"}, {\"new\": \"CircleShape2D\", \"properties\": {…}}, or plain JSON: \
numbers, booleans, strings, and arrays for vectors and colors ([1, 2]).";

pub(super) fn operations(_: &mut SchemaGenerator) -> Schema {
    let text = |description: &str| json_schema!({"type": "string", "description": description});
    let names: Vec<&str> = OPERATIONS.iter().map(|kind| kind.name).collect();
    json_schema!({
        "type": "array",
        "minItems": 1,
        "description": description(),
        "items": {
            "type": "object",
            "required": ["op"],
            "properties": {
                "op": {"type": "string", "enum": names},
                "file": text("The file, if it is not that of the call."),
                "node": text("The path of a node below the root, which is `.`; of a new node, the path that it gets: `Enemies/Slime`."),
                "at": text("The path of a property: `Player/Sprite:position`; of a resource file `:speed`."),
                "value": {"description": "The value."},
                "type": text("A class of the engine, or the `class_name` of a script."),
                "inherits": text("The scene that a new scene inherits, instead of a `type`."),
                "before": text("A sibling. Only one of `before`, `after` and `index` may be given."),
                "properties": {"type": "object", "description": "Properties with their values."},
                "scene": text("A scene: `res://…`."),
                "script": text("A script: `res://…`."),
                "path": text("A resource file: `res://…`."),
                "signal": text("The signal."),
                "from": text("The node that emits it."),
                "to": text("The node whose method is called."),
                "method": text("The method.")
            }
        }
    })
}

/// The keys of each operation, for a model.
fn description() -> String {
    let mut text = "What is done, in this order: all or nothing. Each operation is an object with `op` and its fields (`?`: may be left out), and `file?` if it is about \
                    another file than `file` of the call:\n"
        .to_owned();
    for kind in OPERATIONS {
        let required = kind.required.iter().map(|key| (*key).to_owned());
        let keys: Vec<String> =
            required.chain(kind.optional.iter().map(|key| format!("{key}?"))).collect();
        let _ = writeln!(text, "{} {{{}}}: {}", kind.name, keys.join(", "), kind.about);
    }
    text + VALUE
}
