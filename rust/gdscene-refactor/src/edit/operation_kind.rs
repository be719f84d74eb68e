//! The operations by name: the effect of each, and its keys in JSON.

use serde_json::Value as Json;

/// The facts about an operation before its values are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OperationKind {
    /// The value of `op`: `add-resource`.
    pub name: &'static str,
    /// Its effect, as a command and without a period at the end.
    pub about: &'static str,
    /// The keys that it must have.
    pub required: &'static [&'static str],
    /// The keys that it may have. It may have `file`, too, unless that is required.
    pub optional: &'static [&'static str],
}

/// All operations. Their command-line commands and the description for agents are made of this, too.
pub const OPERATIONS: &[OperationKind] = &[
    kind("set", "Set a property", &["at", "value"], &[]),
    kind("unset", "Reset a property to its default", &["at"], &[]),
    kind("add", "Add a node", &["node", "type"], NEW_NODE),
    kind("instance", "Add a scene as a node", &["node", "scene"], NEW_NODE),
    kind(
        "remove",
        "Remove a node with its child nodes and connections",
        &["node"],
        &["with_references"],
    ),
    kind(
        "rename",
        "Rename a node and update all references to it in all files",
        &["node", "name"],
        &[],
    ),
    kind(
        "move",
        "Move a node to another parent or index and update all references to it in all files",
        &["node"],
        &["parent", "index"],
    ),
    kind("attach", "Attach a script to a node", &["node", "script"], &[]),
    kind(
        "detach",
        "Detach a node's script and remove the values of its exported variables",
        &["node"],
        &[],
    ),
    kind("group", "Add a node to groups and remove it from others", &["node"], &["add", "remove"]),
    kind(
        "connect",
        "Connect a signal of a node to a method of a node",
        CONNECTION,
        &["flags", "binds", "unbinds"],
    ),
    kind("disconnect", "Remove the connection of a signal", CONNECTION, &[]),
    kind(
        "add-resource",
        "Set a property to a new resource inside the file",
        &["at", "type"],
        &["properties"],
    ),
    kind("load-resource", "Set a property to a resource in another file", &["at", "path"], &[]),
    kind(
        "editable",
        "Make the children of an instanced scene editable in this scene",
        &["node"],
        &["on"],
    ),
    kind(
        "set-cells",
        "Set and erase cells of a TileMapLayer by their coordinates",
        &["node"],
        &["set", "erase"],
    ),
    kind(
        "add-animation",
        "Add an animation with tracks and keys to an AnimationPlayer",
        &["node", "name", "tracks"],
        &["library", "length", "loop", "step"],
    ),
    kind(
        "configure",
        "Change project settings, autoloads and input actions",
        &[],
        &["settings", "autoloads", "actions"],
    ),
    kind(
        "new",
        "Create a scene or resource",
        &["file"],
        &["type", "inherits", "name", "properties"],
    ),
];

const CONNECTION: &[&str] = &["signal", "from", "to", "method"];

const NEW_NODE: &[&str] =
    &["before", "after", "index", "properties", "groups", "script", "unique_name"];

const fn kind(
    name: &'static str,
    about: &'static str,
    required: &'static [&'static str],
    optional: &'static [&'static str],
) -> OperationKind {
    OperationKind { name, about, required, optional }
}

impl OperationKind {
    /// The operation with this name.
    pub fn named(name: &str) -> Option<&'static Self> {
        OPERATIONS.iter().find(|kind| kind.name == name)
    }

    /// All keys that it may have, except `op`.
    pub fn keys(&self) -> impl Iterator<Item = &'static str> {
        let file = (!self.required.contains(&"file")).then_some("file");
        self.required.iter().chain(self.optional).copied().chain(file)
    }
}

/// Says which operation or key is wrong, and which may be meant. `serde` ignores unknown keys of flattened structs.
pub(super) fn check_keys(json: &Json) -> Result<(), String> {
    let Json::Object(object) = json else {
        return Err("an operation must be an object, such as {\"op\": \"set\", …}".to_owned());
    };
    let names = || OPERATIONS.iter().map(|kind| kind.name);
    let one_of_all = || format!("; it is one of {}", names().collect::<Vec<_>>().join(", "));
    let Some(op) = object.get("op").and_then(Json::as_str) else {
        return Err(format!("`op` is missing{}", one_of_all()));
    };
    let Some(kind) = OperationKind::named(op) else {
        let hint = meant(op, names()).unwrap_or_else(one_of_all);
        return Err(format!("`{op}` is not an operation{hint}"));
    };
    if let Some(key) =
        object.keys().find(|key| *key != "op" && !kind.keys().any(|known| known == *key))
    {
        let all = || format!("; it takes {}", kind.keys().collect::<Vec<_>>().join(", "));
        let hint = meant(key, kind.keys()).unwrap_or_else(all);
        return Err(format!("`{key}` is not a key of `{op}`{hint}"));
    }
    let missing = kind.required.iter().find(|key| !object.contains_key(**key));
    missing.map_or(Ok(()), |key| Err(format!("`{key}` of `{op}` is missing")))
}

fn meant<'k>(word: &str, known: impl Iterator<Item = &'k str>) -> Option<String> {
    let near = godot_tscn::nearest(word.as_bytes(), known.map(str::as_bytes))?;
    Some(format!("; did you mean `{}`?", String::from_utf8_lossy(near)))
}
