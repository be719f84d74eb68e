//! The operations, and how they are read from JSON.
//!
//! To add an operation, add its variant of [`Operation`], its row of `OPERATIONS` in `operation_kind.rs`, its function next to
//! similar ones, and its arm in `session.rs`. Add its section with an example to `docs/edit.md`, which `gdscene/tests/edit_page.rs`
//! runs. For the proof: its case in `examples/random_edits/choose.rs` and `godot_project/tools/edit_operations.gd`, and its inverse
//! in `tests/edit_properties/inverse.rs`.

use indexmap::IndexMap;
use serde::Deserialize;
use serde_json::Value as Json;
use thiserror::Error;

use crate::edit::operation_kind::check_keys;

/// One change of a scene or resource.
///
/// In JSON an object with `op`, the operation's name in lower case with `-` between words, and the fields; each may name its
/// `file`. Paths to nodes begin at the root, which is `.`; paths to properties (`at`) are those of
/// [`PropertyPath`](godot_project::PropertyPath).
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(tag = "op", rename_all = "kebab-case")]
pub enum Operation {
    /// Gives a property a value. One that equals the default is left out of the file, as Godot does.
    Set {
        /// The file, if it is not that of all.
        file: Option<String>,
        /// The property: `Player/Sprite:position`.
        at: String,
        /// The value.
        value: ValueSpec,
    },
    /// Takes a property back to its default.
    Unset {
        /// The file, if it is not that of all.
        file: Option<String>,
        /// The property.
        at: String,
    },
    /// Adds a node.
    Add {
        /// The file, if it is not that of all.
        file: Option<String>,
        /// The path that it gets. The parent is there already; a name that is taken gets a number, as in Godot.
        node: String,
        /// A class of the engine, or the `class_name` of a script.
        #[serde(rename = "type")]
        class: String,
        /// The place and the contents.
        #[serde(flatten)]
        with: NewNode,
    },
    /// Adds a scene as a node.
    Instance {
        /// The file, if it is not that of all.
        file: Option<String>,
        /// The path that the node gets.
        node: String,
        /// The scene: `res://…`, or relative to the file.
        scene: String,
        /// The place and the contents.
        #[serde(flatten)]
        with: NewNode,
    },
    /// Removes a node with all below it, and its connections.
    Remove {
        /// The file, if it is not that of all.
        file: Option<String>,
        /// The node.
        node: String,
        /// Whether properties that name it go back to their defaults.
        #[serde(default)]
        with_references: bool,
    },
    /// Renames a node, with all that names it in all files: see [`rename_node`](crate::rename_node).
    Rename {
        /// The file, if it is not that of all.
        file: Option<String>,
        /// The node.
        node: String,
        /// Its new name.
        name: String,
    },
    /// Puts a node, with all below it, under another parent or to another place, with all that names it: see
    /// [`move_node`](crate::move_node).
    Move {
        /// The file, if it is not that of all.
        file: Option<String>,
        /// The node.
        node: String,
        /// The new parent; the one that it has without it.
        parent: Option<String>,
        /// Its place among the children there, counted from 0; behind them all without it.
        index: Option<usize>,
    },
    /// Gives a node a script.
    Attach {
        /// The file, if it is not that of all.
        file: Option<String>,
        /// The node.
        node: String,
        /// The script: `res://…`, or relative to the file.
        script: String,
    },
    /// Removes a node's script, with the values of its exported variables.
    Detach {
        /// The file, if it is not that of all.
        file: Option<String>,
        /// The node.
        node: String,
    },
    /// Adds a node to groups, and takes it out of others.
    Group {
        /// The file, if it is not that of all.
        file: Option<String>,
        /// The node.
        node: String,
        /// Groups to be in.
        #[serde(default)]
        add: Vec<String>,
        /// Groups not to be in.
        #[serde(default)]
        remove: Vec<String>,
    },
    /// Connects a signal.
    Connect {
        /// The file, if it is not that of all.
        file: Option<String>,
        /// The connection.
        #[serde(flatten)]
        connection: ConnectionSpec,
        /// `Object.ConnectFlags`: 2 is `CONNECT_PERSIST`, which every saved connection has, and the default.
        flags: Option<i64>,
        /// Arguments that are passed behind those of the signal.
        #[serde(default)]
        binds: Vec<ValueSpec>,
        /// How many of the signal's last arguments are left out.
        #[serde(default)]
        unbinds: u32,
    },
    /// Removes a connection.
    Disconnect {
        /// The file, if it is not that of all.
        file: Option<String>,
        /// The connection.
        #[serde(flatten)]
        connection: ConnectionSpec,
    },
    /// Gives a property a new resource inside the file.
    AddResource {
        /// The file, if it is not that of all.
        file: Option<String>,
        /// The property.
        at: String,
        /// The resource's class, or the `class_name` of a script.
        #[serde(rename = "type")]
        class: String,
        /// Its properties.
        #[serde(default)]
        properties: IndexMap<String, ValueSpec>,
    },
    /// Gives a property the resource in another file.
    LoadResource {
        /// The file, if it is not that of all.
        file: Option<String>,
        /// The property.
        at: String,
        /// The other file: `res://…`, or relative to the file.
        path: String,
    },
    /// Lets the nodes of an instanced scene be changed here, or no more.
    Editable {
        /// The file, if it is not that of all.
        file: Option<String>,
        /// The node that is the instance.
        node: String,
        /// Whether.
        #[serde(default = "yes")]
        on: bool,
    },
    /// Sets and erases cells of a `TileMapLayer`.
    SetCells {
        /// The file, if it is not that of all.
        file: Option<String>,
        /// The layer.
        node: String,
        /// The set cells, after the erased ones.
        #[serde(default)]
        set: Vec<CellsSpec>,
        /// The erased cells: `[x, y]`, or a rectangle `[x, y, width, height]`.
        #[serde(default)]
        erase: Vec<Vec<i64>>,
    },
    /// Gives an `AnimationPlayer` an animation with all its tracks and keys, in the place of one with that name.
    AddAnimation {
        /// The file, if it is not that of all.
        file: Option<String>,
        /// The player.
        node: String,
        /// The name of the animation.
        name: String,
        /// The name of the library, which is made if it is missing; the library without a name if it is left
        /// out.
        #[serde(default)]
        library: String,
        /// The animation.
        #[serde(flatten)]
        animation: AnimationSpec,
    },
    /// Changes settings of the project, in `project.godot`.
    Configure {
        /// The file: `project.godot`, or nothing.
        file: Option<String>,
        /// Settings by their paths; `null` removes one.
        #[serde(default)]
        settings: IndexMap<String, ValueSpec>,
        /// Scenes and scripts that are loaded at the start, by their names; `null` removes one.
        #[serde(default)]
        autoloads: IndexMap<String, Option<String>>,
        /// The events of input actions, by their names; `null` removes one.
        #[serde(default)]
        actions: IndexMap<String, Json>,
    },
    /// Makes a scene or resource.
    New {
        /// The file: `res://….tscn` or `res://….tres`.
        file: String,
        /// The class of the root or resource, or the `class_name` of a script.
        #[serde(rename = "type")]
        class: Option<String>,
        /// The scene that it inherits, instead of a class.
        inherits: Option<String>,
        /// The name of the root; the file's name without it.
        name: Option<String>,
        /// Properties of the root or resource.
        #[serde(default)]
        properties: IndexMap<String, ValueSpec>,
    },
}

/// The place and the contents of a new node.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct NewNode {
    /// Its place among its siblings; behind them all without one.
    #[serde(flatten)]
    pub place: Siblings,
    /// Its properties.
    pub properties: IndexMap<String, ValueSpec>,
    /// The groups that it is in.
    pub groups: Vec<String>,
    /// Its script.
    pub script: Option<String>,
    /// Whether the scene finds it as `%Name`.
    pub unique_name: bool,
}

/// A place among siblings. Only one of them may be given.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct Siblings {
    /// In front of the sibling with this name.
    pub before: Option<String>,
    /// Behind the sibling with this name.
    pub after: Option<String>,
    /// The place, counted from 0; from the end if negative, as in `Node.move_child()`.
    pub index: Option<i64>,
}

/// The two ends of a connection.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct ConnectionSpec {
    /// The signal.
    pub signal: String,
    /// The node that emits it.
    pub from: String,
    /// The node with the called method.
    pub to: String,
    /// The method.
    pub method: String,
}

/// Cells with one tile.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CellsSpec {
    /// The cell `[x, y]`, or the rectangle `[x, y, width, height]`.
    pub at: Vec<i64>,
    /// The number of the source in the `TileSet`.
    #[serde(default)]
    pub source: i64,
    /// The coordinates of the tile in an atlas.
    #[serde(default)]
    pub tile: [i64; 2],
    /// The alternative of the tile, or the number of the scene.
    #[serde(default)]
    pub alternative: i64,
}

/// An animation.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct AnimationSpec {
    /// In seconds; the time of the last key without it.
    pub length: Option<f64>,
    /// `none`, `linear` or `pingpong`.
    #[serde(rename = "loop")]
    pub loop_mode: Option<ValueSpec>,
    /// The step of the editor's timeline, in seconds.
    pub step: Option<ValueSpec>,
    /// The tracks.
    pub tracks: Vec<TrackSpec>,
}

/// A track of an animation.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TrackSpec {
    /// The property that it changes, or the node: a path from the player's `root_node`, which is its parent at first.
    pub path: String,
    /// `value` without it.
    #[serde(rename = "type", default = "value")]
    pub kind: String,
    /// The keys.
    pub keys: Vec<KeySpec>,
    /// `continuous`, `discrete` or `capture`.
    pub update: Option<Json>,
    /// `nearest`, `linear`, `cubic` and so on.
    pub interpolation: Option<Json>,
    /// Whether a loop blends the end with the start.
    pub loop_wrap: Option<bool>,
}

/// A key of a track.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(try_from = "Json")]
pub struct KeySpec {
    /// In seconds.
    pub time: f64,
    /// The value of the property then.
    pub value: Option<ValueSpec>,
    /// How the value changes after the key: an exponent, where 1 is even.
    pub transition: f64,
    /// The method that is called.
    pub method: Option<String>,
    /// Its arguments.
    pub args: Vec<ValueSpec>,
    /// The end of the handle in front of a key of a Bézier track, as time and value from the key.
    pub handle_in: [f64; 2],
    /// The handle after the point.
    pub handle_out: [f64; 2],
}

/// A value as given by the user.
#[derive(Clone, Debug, PartialEq)]
pub enum ValueSpec {
    /// Godot's own text: `Vector2(1, 2)`.
    Godot(String),
    /// JSON. A string is a string if the property takes one or its type is unknown; otherwise it is Godot's text.
    Json(Json),
    /// The resource in a file.
    Load(String),
    /// A new resource of this class inside the file, with properties.
    New(String, IndexMap<String, ValueSpec>),
}

/// `[time, value]`, or an object.
impl TryFrom<Json> for KeySpec {
    type Error = String;

    fn try_from(json: Json) -> Result<Self, String> {
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct Key {
            time: f64,
            value: Option<ValueSpec>,
            #[serde(default = "even")]
            transition: f64,
            method: Option<String>,
            #[serde(default)]
            args: Vec<ValueSpec>,
            #[serde(default, rename = "in")]
            handle_in: [f64; 2],
            #[serde(default, rename = "out")]
            handle_out: [f64; 2],
        }
        let json = match json {
            Json::Array(mut pair) if pair.len() == 2 => {
                let (time, value) = (pair[0].take(), pair[1].take());
                serde_json::json!({"time": time, "value": value})
            }
            json => json,
        };
        let key: Key = serde_json::from_value(json).map_err(|error| {
            format!("invalid key ({error}); expected [time, value], or an object with `time`")
        })?;
        let Key { time, value, transition, method, args, handle_in, handle_out } = key;
        Ok(Self { time, value, transition, method, args, handle_in, handle_out })
    }
}

fn value() -> String {
    "value".to_owned()
}

fn even() -> f64 {
    1.0
}

fn yes() -> bool {
    true
}

impl Operation {
    /// The file that it names.
    pub fn file(&self) -> Option<&str> {
        match self {
            Self::New { file, .. } => Some(file),
            Self::Set { file, .. }
            | Self::Unset { file, .. }
            | Self::Add { file, .. }
            | Self::Instance { file, .. }
            | Self::Remove { file, .. }
            | Self::Rename { file, .. }
            | Self::Move { file, .. }
            | Self::Attach { file, .. }
            | Self::Detach { file, .. }
            | Self::Group { file, .. }
            | Self::Connect { file, .. }
            | Self::Disconnect { file, .. }
            | Self::AddResource { file, .. }
            | Self::LoadResource { file, .. }
            | Self::SetCells { file, .. }
            | Self::AddAnimation { file, .. }
            | Self::Configure { file, .. }
            | Self::Editable { file, .. } => file.as_deref(),
        }
    }
}

/// An object with `op` and its keys. The error contains the problem, and the right form.
impl TryFrom<Json> for Operation {
    type Error = String;

    fn try_from(json: Json) -> Result<Self, String> {
        check_keys(&json)?;
        serde_json::from_value(json).map_err(|error| error.to_string())
    }
}

impl<'de> Deserialize<'de> for ValueSpec {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::try_from(Json::deserialize(deserializer)?).map_err(serde::de::Error::custom)
    }
}

/// `{"godot": …}` and its like; any other object is a dictionary.
impl TryFrom<Json> for ValueSpec {
    type Error = String;

    fn try_from(json: Json) -> Result<Self, String> {
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct New {
            new: String,
            #[serde(default)]
            properties: IndexMap<String, ValueSpec>,
        }
        let Json::Object(object) = &json else { return Ok(Self::Json(json)) };
        let only = |key: &str| object.get(key).filter(|_| object.len() == 1)?.as_str();
        if let Some(text) = only("godot") {
            return Ok(Self::Godot(text.to_owned()));
        }
        if let Some(path) = only("load") {
            return Ok(Self::Load(path.to_owned()));
        }
        if object.contains_key("new") {
            let New { new, properties } =
                serde_json::from_value(json).map_err(|error| error.to_string())?;
            return Ok(Self::New(new, properties));
        }
        Ok(Self::Json(json))
    }
}

/// Why a text is not a list of operations.
#[derive(Debug, Error)]
#[error("{place}: {reason}")]
pub struct OperationsError {
    /// Where: `operation 3`, `line 7`.
    pub place: String,
    /// The problem, and the right form.
    pub reason: String,
}

/// Reads operations: an array of objects, one object, or an object on each line.
///
/// # Errors
/// With the place of the first thing that is not an operation.
pub fn operations(text: &[u8]) -> Result<Vec<Operation>, OperationsError> {
    // Some programs put a byte order mark in front.
    let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text).trim_ascii();
    if text.first() == Some(&b'[') {
        let all: Vec<Json> = serde_json::from_slice(text).map_err(|error| not_json(0, &error))?;
        let read = |(index, json)| operation(json, || format!("operation {}", index + 1));
        return all.into_iter().enumerate().map(read).collect();
    }
    if let Ok(one) = serde_json::from_slice::<Json>(text) {
        return Ok(vec![operation(one, || "operation 1".to_owned())?]);
    }
    let lines = text.split(|byte| *byte == b'\n').enumerate();
    let filled = lines.filter(|(_, line)| !line.trim_ascii().is_empty());
    filled
        .map(|(index, line)| {
            let json = serde_json::from_slice(line).map_err(|error| not_json(index, &error))?;
            operation(json, || format!("line {}", index + 1))
        })
        .collect()
}

fn not_json(lines_before: usize, error: &serde_json::Error) -> OperationsError {
    let place = format!("line {}, column {}", lines_before + error.line(), error.column());
    let reason = error.to_string();
    let reason = reason.split(" at line ").next().unwrap_or_default();
    OperationsError { place, reason: format!("not valid JSON: {reason}") }
}

fn operation(json: Json, place: impl Fn() -> String) -> Result<Operation, OperationsError> {
    json.try_into().map_err(|reason| OperationsError { place: place(), reason })
}
