//! The differences between two texts of one scene, resource or settings file, by their contents.
//!
//! This module contains the data of a difference; front ends decide how it looks. How it is found:
//!
//! 1. `scene`: pairs the sections of both texts, with the parts of a merge ([`crate::merge()`]): the old text is base and ours,
//!    the new one theirs. So paths to nodes in the old text can be written as the new one has them.
//! 2. `labels`: the meaning of the ids of resources. Values of both texts are written with labels in the place of ids, and
//!    are compared after that.
//! 3. `things`, `entries`: the differences of each thing; `tracks` identifies the tracks of animations by
//!    their paths.
//! 4. `parts`, `packed`: the inside of values; `spelling`: whether two spellings are one value to
//!    Godot.
//! 5. `order`: the order of things, and the tree of the nodes of both texts.
//!
//! `settings` does the same for settings files and `.uid` files. `noise` has the names of differences without a meaning, `refusal`
//! the reasons why texts are not compared, and `readable` is one text for a diff of lines.

mod entries;
mod labels;
mod noise;
mod order;
mod packed;
mod parts;
mod readable;
mod refusal;
mod scene;
mod settings;
mod spelling;
mod things;
mod tracks;

use crate::config_file::is_config_path;
use crate::merge;
use crate::merge::TakeBackRefusal;
use crate::merge::take_back::Wanted;
use crate::merge::text::{BYTE_ORDER_MARK, Texts};

pub use readable::readable;
pub use refusal::{DiffRefusal, DiffSide};

/// The differences between two texts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Diff {
    /// The differences, in the order of the new text; a removed thing is at its old place.
    pub changes: Vec<Change>,
    /// All nodes of a scene, including removed ones, in the order of its tree. Empty for other files.
    pub tree: Vec<TreeNode>,
    /// The differences without a meaning, which are left out of [`Diff::changes`].
    pub noise: Vec<Noise>,
}

/// A thing that differs.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Change {
    /// Its kind.
    pub kind: ThingKind,
    /// Its name in the new text, or in the old one if it was removed. For a node it is the path from the root (`.` for
    /// the root itself), for a resource the path of its file, or `Animation "walk"` inside the file. For a connection
    /// it is `pressed: Button -> . :: _on_pressed`, for settings the section.
    pub name: String,
    /// The type that the file names, or the instanced scene: `Sprite2D`, `res://enemy.tscn`. Nothing if it names none.
    pub type_name: Option<String>,
    /// Whether it was added, removed or changed.
    pub state: State,
    /// Its name in the old text, if a node was renamed or moved, or a resource's file: the entries `name` and `parent`, or
    /// `path`, contain this, too. The old name of a node with a renamed parent is not here.
    pub old_name: Option<String>,
    /// The differences in it. For an added or removed thing: its contents.
    pub entries: Vec<Entry>,
    /// The line at which it begins in the old text, from 1.
    pub old_line: Option<u32>,
    /// The line at which it begins in the new text, from 1.
    pub new_line: Option<u32>,
}

/// The kind of a thing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ThingKind {
    /// The `[gd_scene]` or `[gd_resource]` tag, or the part of a settings file before its first
    /// section.
    Header,
    /// A node.
    Node,
    /// A file that is used.
    ExtResource,
    /// A resource inside the file.
    SubResource,
    /// The resource that the file is.
    Resource,
    /// A connection.
    Connection,
    /// An instance with editable children.
    Editable,
    /// A section of a settings file.
    Section,
}

/// The fate of a thing.
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
    /// Its value in the old text, in Godot's own words, with paths to nodes as in the new text. Ids of resources are
    /// replaced by their meaning: `ExtResource("res://icon.svg")`, `SubResource(Animation "walk")`.
    pub old: Option<String>,
    /// Its value in the new text.
    pub new: Option<String>,
    /// The differences inside the value, if they are known: keys of a dictionary, members of a list, lines of a script. Empty
    /// if only the whole can be compared.
    pub parts: Vec<Part>,
    /// The differences inside a value that is too large to list: `12 cells set, 3 erased, 1 changed`. For a track that only
    /// one text has, all properties are one entry with the summary `value, 3 keys`.
    pub summary: Option<String>,
}

/// Something inside a value.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Part {
    /// Where it is: `["speed"]`, `["walk"]["loop"]`, `[3]`, `line 12`, `lines 12-14`; of a member of a set, like the groups of a
    /// node, its value, `"enemies"`.
    pub place: String,
    /// Its text in the old file.
    pub old: Option<String>,
    /// Its text in the new file.
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
    /// The kind: `ids of resources`, `unique ids`, `uids`, `load_steps`, `state of the editor`, `order of resources`, `line ends`,
    /// `how values are written` and others, in the plural where that makes sense.
    pub what: &'static str,
    /// How many there are.
    pub count: u32,
}

/// The differences between two texts of a scene or a resource. A text that is empty has nothing: all of the other was added,
/// or removed.
///
/// Differences that are left out are counted as noise: ids of resources with other numbers, the editor's own notes, the
/// order of resources, other ways to write one value.
///
/// # Errors
/// When a text is not one that Godot loads, or when one is a scene and the other a resource.
///
/// ```
/// let old = b"[gd_scene format=3]\n\n[node name=\"A\" type=\"Node2D\"]\nposition = Vector2(1, 2)\n";
/// let new = b"[gd_scene format=3]\n\n[node name=\"A\" type=\"Node2D\"]\nposition = Vector2(1, 5)\n";
/// let diff = godot_tscn::diff(old, new).unwrap();
/// assert_eq!(diff.changes.len(), 1);
/// assert_eq!(diff.changes[0].name, ".");
/// assert_eq!(diff.changes[0].entries[0].name, "position");
/// assert_eq!(diff.changes[0].entries[0].new.as_deref(), Some("Vector2(1, 5)"));
/// ```
pub fn diff(old: &[u8], new: &[u8]) -> Result<Diff, DiffRefusal> {
    compare([old, new], scene::diff)
}

/// The text `new` without one change that [`diff`] lists, or without one entry of it; all else stays. A removed node comes
/// back with its child nodes, and an added one goes with them.
///
/// # Errors
/// When the change cannot be taken back by itself.
///
/// ```
/// let old = "[gd_scene format=3]\n\n[node name=\"A\" type=\"Node2D\"]\nposition = Vector2(1, 2)\nrotation = 1.0\n";
/// let new = old.replace("(1, 2)", "(3, 4)").replace("1.0", "2.0");
/// let diff = godot_tscn::diff(old.as_bytes(), new.as_bytes()).unwrap();
/// let change = &diff.changes[0];
/// let entry = Some(&change.entries[1]);
/// let text = godot_tscn::take_back(old.as_bytes(), new.as_bytes(), change, entry).unwrap();
/// assert_eq!(String::from_utf8(text).unwrap(), old.replace("(1, 2)", "(3, 4)"));
/// ```
pub fn take_back(
    old: &[u8],
    new: &[u8],
    change: &Change,
    entry: Option<&Entry>,
) -> Result<Vec<u8>, TakeBackRefusal> {
    if change.kind == ThingKind::Section {
        return Err(TakeBackRefusal::Settings);
    }
    let lines = [change.old_line, change.new_line];
    let wanted = Wanted { lines, entry: entry.map(|entry| entry.name.as_str()) };
    merge::take_back::take_back([old, new], &wanted)
}

/// The differences between two texts of the file at `path`. The name decides whether it is a settings file, a `.uid` file,
/// a scene or a resource.
///
/// # Errors
/// When Godot would not read one of the texts.
pub fn diff_file(path: &str, old: &[u8], new: &[u8]) -> Result<Diff, DiffRefusal> {
    if is_config_path(path) {
        compare([old, new], |texts| settings::diff(path, texts))
    } else if path.ends_with(".uid") {
        compare([old, new], |texts| Ok(settings::diff_uids(texts)))
    } else {
        diff(old, new)
    }
}

fn compare(
    [old, new]: [&[u8]; 2],
    work: impl FnOnce([&[u8]; 2]) -> Result<Diff, DiffRefusal>,
) -> Result<Diff, DiffRefusal> {
    if old == new {
        return Ok(Diff::default());
    }
    let texts = Texts::new(old, old, new).map_err(DiffRefusal::from)?;
    let [plain_old, _, plain_new] = texts.plain();
    let mut diff =
        if plain_old == plain_new { Diff::default() } else { work([plain_old, plain_new])? };
    let marks = [old, new].map(|text| text.starts_with(BYTE_ORDER_MARK));
    let length =
        |text: &[u8], has_mark: bool| text.len() - usize::from(has_mark) * BYTE_ORDER_MARK.len();
    let has_ends =
        [length(old, marks[0]) != plain_old.len(), length(new, marks[1]) != plain_new.len()];
    if !old.is_empty() && !new.is_empty() {
        for (what, [of_old, of_new]) in [(noise::MARK, marks), (noise::LINE_ENDS, has_ends)] {
            diff.noise.extend((of_old != of_new).then_some(Noise { what, count: 1 }));
        }
    }
    if diff.changes.is_empty() && diff.noise.is_empty() {
        diff.noise.push(Noise { what: noise::LAYOUT, count: 1 });
    }
    Ok(diff)
}

#[cfg(test)]
mod tests;
