//! What differs between two texts of one scene, resource or settings file, by what they say.
//!
//! Here is what a difference is made of; front ends decide how it looks.

/// What differs between two texts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Diff {
    /// What differs, in the order of the new text; what was removed stands where it stood.
    pub changes: Vec<Change>,
    /// All nodes of a scene, those that were removed too, in the order of its tree. Empty for other files.
    pub tree: Vec<TreeNode>,
    /// What differs and says nothing: it is left out of [`Diff::changes`].
    pub noise: Vec<Noise>,
}

/// A thing that differs.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Change {
    /// What it is.
    pub kind: ThingKind,
    /// What the new text calls it, or the old one if it was removed: the path of a node from the root (`.` for the root itself),
    /// the path of a resource's file, `Animation "walk"` for one inside of the file, `pressed: Button -> . :: _on_pressed` for a connection, the section of
    /// a settings file.
    pub name: String,
    /// The type that the file names, or the instanced scene: `Sprite2D`, `res://enemy.tscn`. Nothing if it names none.
    pub type_name: Option<String>,
    /// What became of it.
    pub state: State,
    /// What the old text calls it, where that is something else: a node was renamed or moved.
    pub old_name: Option<String>,
    /// What differs in it. Of what was added or removed: what it has.
    pub entries: Vec<Entry>,
    /// The line at which it begins in the old text, from 1.
    pub old_line: Option<u32>,
    /// The line at which it begins in the new text, from 1.
    pub new_line: Option<u32>,
}

/// What a thing is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ThingKind {
    /// The `[gd_scene]` or `[gd_resource]` tag, or what a settings file says before its first section.
    Header,
    /// A node.
    Node,
    /// A file that is used.
    ExtResource,
    /// A resource inside of the file.
    SubResource,
    /// The resource that the file is.
    Resource,
    /// A connection.
    Connection,
    /// An instance whose children can be edited.
    Editable,
    /// A section of a settings file.
    Section,
}

/// What became of a thing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum State {
    /// Only the new text has it.
    Added,
    /// Only the old text has it.
    Removed,
    /// Both have it, and something of it differs.
    Changed,
}

/// A property, a field of a tag, a key of a settings file.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Entry {
    /// Its name: `position`, `groups`, `order of children`.
    pub name: String,
    /// Its value in the old text, in Godot's own words; ids of resources are replaced by what they stand for:
    /// `ExtResource("res://icon.svg")`, `SubResource(Animation "walk")`.
    pub old: Option<String>,
    /// Its value in the new text.
    pub new: Option<String>,
    /// What differs inside of the value, if that can be told: keys of a dictionary, members of a list, lines of a script. Empty if only the whole can be compared.
    pub parts: Vec<Part>,
    /// What differs inside of a value that is too large to list: `12 cells set, 3 erased, 1 changed`.
    pub summary: Option<String>,
}

/// Something inside of a value.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Part {
    /// Where it is: `["speed"]`, `animations["walk"].loop`, `line 12`, `group "enemies"`.
    pub place: String,
    /// What it is in the old text.
    pub old: Option<String>,
    /// What it is in the new text.
    pub new: Option<String>,
}

/// A node of the tree of both texts.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TreeNode {
    /// Its name.
    pub name: String,
    /// How many nodes are above it.
    pub depth: u32,
    /// Its type or the scene that it is an instance of, as in [`Change::type_name`].
    pub type_name: Option<String>,
    /// The index of its change in [`Diff::changes`]; nothing if both texts have the same.
    pub change: Option<u32>,
}

/// Differences of one kind that say nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Noise {
    /// What kind: `ids of resources`, `unique ids that the engine added`, `load_steps`, `state of the editor`, `order of resources`, `how values are written`.
    pub what: &'static str,
    /// How many there are.
    pub count: u32,
}
