//! The text that a model reads about operations. The crate `gdscene-refactor` knows their names and keys, and
//! reads them.

use std::fmt::Write;

use gdscene_refactor::OPERATIONS;
use schemars::{Schema, SchemaGenerator, json_schema};
use serde_json::{Map, Value as Json, json};

const VALUE: &str = "\
A value is Godot's text in {\"godot\": \"Vector2(1, 2)\"}, {\"load\": \"res://…\"}, {\"new\": \"CircleShape2D\", \"properties\": {…}}, or plain JSON: \
numbers, booleans, strings, and arrays for vectors and colors ([1, 2]).";

pub(super) fn operations(_: &mut SchemaGenerator) -> Schema {
    let names: Vec<&str> = OPERATIONS.iter().map(|kind| kind.name).collect();
    let mut properties = Map::from_iter([
        ("op".to_owned(), json!({"type": "string", "enum": names})),
        ("value".to_owned(), json!({"description": "The value."})),
        ("binds".to_owned(), list("Values that are passed after the signal's arguments.")),
    ]);
    let of_type = |type_name: &str, keys: &[(&str, &str)]| -> Vec<(String, Json)> {
        let schema = |description: &str| json!({"type": type_name, "description": description});
        keys.iter().map(|(key, description)| ((*key).to_owned(), schema(description))).collect()
    };
    properties.extend(of_type("string", TEXTS));
    properties.extend(of_type("boolean", FLAGS));
    properties.extend(of_type("number", NUMBERS));
    properties.extend(of_type("object", OBJECTS));
    properties
        .extend(LISTS.iter().map(|(key, description)| ((*key).to_owned(), list(description))));
    json_schema!({
        "type": "array",
        "minItems": 1,
        "description": description(),
        "items": {"type": "object", "required": ["op"], "properties": properties}
    })
}

fn list(description: &str) -> Json {
    json!({"type": "array", "description": description})
}

const TEXTS: &[(&str, &str)] = &[
    ("file", "The file, if it differs from `file` of the call."),
    (
        "node",
        "The path of a node below the root, which is `.`; for a new node, its new path: `Enemies/Slime`.",
    ),
    ("at", "The path of a property: `Player/Sprite:position`; in a resource file, `:speed`."),
    ("type", "A Godot class, or the `class_name` of a script."),
    ("inherits", "The scene that a new scene inherits, instead of a `type`."),
    ("name", "The name of the root, node or animation."),
    ("parent", "The path of the new parent."),
    ("before", "A sibling. Only one of `before`, `after` and `index` may be given."),
    ("after", "A sibling."),
    ("scene", "A scene: `res://…`."),
    ("script", "A script: `res://…`."),
    ("path", "A resource file: `res://…`."),
    ("signal", "The signal."),
    ("from", "The node that emits it."),
    ("to", "The node whose method is called."),
    ("method", "The method."),
    ("library", "The library of the animation. Default: the library without a name."),
    ("loop", "`none`, `linear` or `pingpong`."),
];

const FLAGS: &[(&str, &str)] = &[
    ("unique_name", "Whether the scene finds the node as `%Name`."),
    ("with_references", "Whether properties that refer to the node are reset to their defaults."),
    ("on", "False to undo it."),
];

const NUMBERS: &[(&str, &str)] = &[
    ("index", "The index among the siblings, from 0."),
    ("flags", "`Object.ConnectFlags`."),
    ("unbinds", "The number of the signal's last arguments to drop."),
    ("length", "Seconds. Default: the time of the last key."),
    ("step", "Seconds between the lines of the timeline."),
];

const OBJECTS: &[(&str, &str)] = &[
    ("properties", "Properties with their values; also `points` of a curve or gradient."),
    (
        "settings",
        "Settings with their values: `application/run/main_scene`, `internationalization/locale/translations`, \
      `layer_names/2d_physics/layer_1`; null removes one.",
    ),
    ("autoloads", "Names with scenes or scripts; null removes one."),
    (
        "actions",
        "Names with lists of events: {\"key\": \"Space\"} (with `ctrl`, `shift`, `alt`, `meta`), {\"mouse\": \"left\"}, \
      {\"button\": \"a\"}, {\"axis\": \"left_x\", \"value\": -1}; or {\"deadzone\": 0.5, \"events\": […]}; null removes one.",
    ),
];

const LISTS: &[(&str, &str)] = &[
    ("groups", "Groups of the new node."),
    ("add", "Groups."),
    ("remove", "Groups."),
    (
        "set",
        "Cells: {\"at\": [x, y] or [x, y, width, height], \"source\": 0, \"tile\": [0, 0], \"alternative\": 0}.",
    ),
    ("erase", "Cells: [x, y] or [x, y, width, height]."),
    (
        "tracks",
        "{\"path\": \"Sprite:position\" from the player's parent, \"keys\": [[time, value], …]}; `type` is value, method \
      (keys {\"time\", \"method\", \"args\"}), bezier (keys with `in`, `out`), position_3d, rotation_3d, scale_3d, blend_shape, audio \
      or animation; optional: `update`, `interpolation`, `loop_wrap`, and `transition` of a key.",
    ),
];

/// The keys of each operation, for a model.
fn description() -> String {
    let mut text = "The operations, in this order: all or none is applied. Each is an object with `op` and its fields (`?`: optional), and `file?` if it changes \
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

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use gdscene_refactor::OperationKind;

    use super::*;

    #[test]
    fn every_key_of_every_operation_is_listed_and_no_other() {
        let schema = operations(&mut SchemaGenerator::default());
        let schema = schema.as_value();
        let listed = schema["items"]["properties"].as_object().unwrap();
        let listed: BTreeSet<&str> = listed.keys().map(String::as_str).collect();
        let mut keys: BTreeSet<&str> = OPERATIONS.iter().flat_map(OperationKind::keys).collect();
        keys.insert("op");
        assert_eq!(listed, keys);
    }
}
