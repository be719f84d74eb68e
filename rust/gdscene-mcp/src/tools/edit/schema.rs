//! What a model is told of operations. The crate `gdscene-refactor` reads the operations themselves, and says what is wrong.

use gdscene_refactor::operation_names;
use schemars::{Schema, SchemaGenerator, json_schema};

/// The fields of each operation, for a model.
const OPERATIONS: &str = "\
Each operation is an object with `op` and its fields (`?`: may be left out), and `file?` if it is about another file than `file` of the call:\n\
set {at, value} · unset {at}: a property, `Player/Sprite:position`; of a resource file `:speed`\n\
add {node, type, properties?, groups?, script?, unique_name?, before?|after?|index?}: a node at the path it gets, `Enemies/Slime`; type is a class\n\
instance {node, scene, properties?, groups?, script?, unique_name?, before?|after?|index?}: a scene as a node\n\
remove {node, with_references?}: a node with all below it\n\
rename {node, name} · move {node, parent?, index?}: with all that names it, in other files too\n\
attach {node, script} · detach {node}: a script\n\
group {node, add?, remove?}: lists of groups\n\
connect {signal, from, to, method, flags?, binds?, unbinds?} · disconnect {signal, from, to, method}: from and to are nodes\n\
add-resource {at, type, properties?}: a new resource inside the file as a property's value\n\
load-resource {at, path}: the resource in a file as a property's value\n\
editable {node, on?}: the children of an instance\n\
new {file, type?|inherits?, name?, properties?}: a new scene or resource file; type is the class of the root or resource\n\
A value is Godot's text in {\"godot\": \"Vector2(1, 2)\"}, {\"load\": \"res://…\"}, {\"new\": \"CircleShape2D\", \"properties\": {…}}, or plain JSON: \
numbers, booleans, strings, and arrays for vectors and colors ([1, 2]).";

pub(super) fn operations(_: &mut SchemaGenerator) -> Schema {
    let text = |description: &str| json_schema!({"type": "string", "description": description});
    let names: Vec<&str> = operation_names().collect();
    json_schema!({
        "type": "array",
        "minItems": 1,
        "description": OPERATIONS,
        "items": {
            "type": "object",
            "required": ["op"],
            "properties": {
                "op": {"type": "string", "enum": names},
                "file": text("The file, if it is not that of the call."),
                "node": text("The path of a node below the root, which is `.`."),
                "at": text("The path of a property: `Player/Sprite:position`."),
                "value": {"description": "The value."},
                "type": text("A class of Godot's, or the `class_name` of a script."),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_operations_are_explained() {
        for name in operation_names() {
            assert!(OPERATIONS.contains(&format!("{name} {{")), "{name}");
        }
    }
}
