//! Three-way merge of text scenes and resources, by their contents; of settings files:
//! [`settings`].
//!
//! [`merge`] takes two sides of one text and returns a text with the changes of both. How it goes:
//!
//! 1. `rows`: which section of one text is which of the others (`pairs`, `node_pairs`).
//! 2. `places`, `ids`: where each node is in the result, and which id each resource has. With them (`names`) a value of any
//!    side can be written as in the result, so that values can be compared byte by byte.
//! 3. `touched`, `alive`: a thing that one side removed goes, unless the other side changed it.
//! 4. `entries`: fields and properties one by one; `lists` and `tracks` match their numbers; `value`, `cells`, `lines` merge
//!    the values that both changed.
//! 5. `piece`, `order`, `output`: ours, with its edits, and the parts of theirs.
//! 6. `marks`: conflicts stay as in ours; metadata contains the version of theirs.
//!
//! `take_back` uses the same for one of the changes between two texts.

mod alive;
pub(crate) mod canonical;
pub(crate) mod cells;
pub(crate) mod conflict;
pub(crate) mod content;
mod entries;
pub(crate) mod entry_list;
pub(crate) mod ids;
mod instances;
pub(crate) mod keyed;
pub(crate) mod lines;
pub(crate) mod lists;
mod marks;
pub(crate) mod names;
mod new_kinds;
mod node_pairs;
pub(crate) mod noise;
mod order;
mod output;
mod pairs;
mod piece;
pub(crate) mod places;
mod rearrange;
mod refusal;
mod report;
mod resolve;
pub(crate) mod rows;
mod scene_moves;
pub(crate) mod settings;
pub(crate) mod side;
pub(crate) mod take_back;
pub(crate) mod text;
mod touched;
mod tracks;
pub(crate) mod tree;
mod twice;
mod uid;
mod unresolved;
pub(crate) mod value;
pub(crate) mod work;

use crate::config_file::is_config_path;
use crate::lfs::LFS_POINTER;

pub use instances::{LostPath, follow_instances, instances, lost_in_instances};
pub(crate) use refusal::what_of_tag;
pub use refusal::{MergeRefusal, MergeSide};
pub use resolve::{Resolved, resolve, resolve_by, settle, unresolved};
pub use scene_moves::SceneMoves;
pub use settings::merge_config;
pub use take_back::TakeBackRefusal;
pub use unresolved::{Settlement, Unresolved, UnresolvedKind};

/// The result of a merge.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Merged {
    /// The text. In conflicts it has the version of ours, and metadata has the version of theirs.
    pub text: Vec<u8>,
    /// The different changes of both sides.
    pub conflicts: Vec<MergeConflict>,
    /// The changes of both sides where ours was taken, because Godot finds files and nodes without them, and comments of
    /// theirs that are left out.
    pub notes: Vec<MergeNote>,
}

/// Something that the two sides do not agree on.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct MergeConflict {
    /// Where it is: `node "Player/Sprite"`.
    pub place: String,
    /// Its subject: `property position`.
    pub what: String,
    /// The value of each text; nothing where it is missing.
    pub base: Option<String>,
    /// See [`MergeConflict::base`].
    pub ours: Option<String>,
    /// See [`MergeConflict::base`].
    pub theirs: Option<String>,
}

/// Something that was settled.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct MergeNote {
    /// Where it is.
    pub place: String,
    /// The result.
    pub text: String,
}

/// Merges two sides of one text. `base` may be empty, if both added the file.
///
/// Line ends and byte order mark are those of ours, and so is every line that theirs did not change.
///
/// # Errors
/// When a text is not one that Godot loads, or when the three are of different kinds.
///
/// ```
/// let base = b"[gd_scene format=3]\n\n[node name=\"A\" type=\"Node2D\"]\nposition = Vector2(1, 2)\nrotation = 0.5\n";
/// let ours = base.as_slice();
/// let ours = String::from_utf8_lossy(ours).replace("Vector2(1, 2)", "Vector2(3, 4)");
/// let theirs = String::from_utf8_lossy(base).replace("0.5", "1.5");
/// let merged = godot_tscn::merge(base, ours.as_bytes(), theirs.as_bytes()).unwrap();
/// assert!(merged.conflicts.is_empty());
/// let text = String::from_utf8(merged.text).unwrap();
/// assert!(text.ends_with("position = Vector2(3, 4)\nrotation = 1.5\n"));
/// ```
pub fn merge(base: &[u8], ours: &[u8], theirs: &[u8]) -> Result<Merged, MergeRefusal> {
    merge_texts([base, ours, theirs], |text| !unresolved(text).is_empty(), work::merge)
}

/// Merges two sides of the file at `path`. The name decides: by [`merge_config`] if it is a settings file, else by
/// [`merge()`]. For `.uid` files, ours is taken.
///
/// # Errors
/// As they have.
pub fn merge_file(
    path: &str,
    base: &[u8],
    ours: &[u8],
    theirs: &[u8],
) -> Result<Merged, MergeRefusal> {
    if is_config_path(path) {
        merge_config(path, base, ours, theirs)
    } else if path.ends_with(".uid") {
        merge_texts([base, ours, theirs], |_| false, uid::merge)
    } else {
        merge(base, ours, theirs)
    }
}

/// Merges texts by `work` if more than one of them differs.
fn merge_texts(
    [base, ours, theirs]: [&[u8]; 3],
    is_unresolved: impl Fn(&[u8]) -> bool,
    work: impl FnOnce([&[u8]; 3]) -> Result<Merged, MergeRefusal>,
) -> Result<Merged, MergeRefusal> {
    if let Some(one) = unchanged([base, ours, theirs]) {
        return Ok(plain(one));
    }
    for (text, side) in [base, ours, theirs].iter().zip(MergeSide::ALL) {
        if text.starts_with(LFS_POINTER) {
            return Err(MergeRefusal::LfsPointer(side));
        }
    }
    let texts = text::Texts::new(base, ours, theirs)?;
    let [base, ours, theirs] = texts.plain();
    for (text, side) in [(ours, MergeSide::Ours), (theirs, MergeSide::Theirs)] {
        if is_unresolved(text) {
            return Err(MergeRefusal::Unresolved(side));
        }
    }
    let merged = match unchanged([base, ours, theirs]) {
        Some(one) => plain(one),
        None => work([base, ours, theirs])?,
    };
    Ok(Merged { text: texts.as_ours(merged.text), ..merged })
}

/// The text that is the result, if one side made no change or both made the same.
fn unchanged([base, ours, theirs]: [&[u8]; 3]) -> Option<&[u8]> {
    if ours == theirs || base == theirs { Some(ours) } else { (base == ours).then_some(theirs) }
}

fn plain(text: &[u8]) -> Merged {
    Merged { text: text.to_vec(), conflicts: Vec::new(), notes: Vec::new() }
}

#[cfg(test)]
mod tests;
