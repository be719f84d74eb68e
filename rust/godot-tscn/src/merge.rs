//! Three-way merge of text scenes and resources, by what they say; of settings files: [`settings`].
//!
//! [`merge`] takes what two sides made of one text and gives a text with the changes of both. How it goes:
//!
//! 1. `rows`: which section of one text is which of the others (`pairs`, `node_pairs`).
//! 2. `places`, `ids`: where each node is in the result, and which id each resource has. With them (`names`) a value of any
//!    side can be written as the result will have it, so that values can be compared byte by byte.
//! 3. `touched`, `alive`: what one side removed goes, unless the other side changed it.
//! 4. `entries`: fields and properties one by one; `lists` and `tracks` know which number is which; `value`, `cells`, `lines`
//!    look inside of those that both changed.
//! 5. `piece`, `order`, `output`: ours, with its edits, and what comes from theirs.
//! 6. `marks`: what cannot be merged stays as ours has it; what theirs has is put into metadata.

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
pub use refusal::{MergeRefusal, MergeSide};
pub use resolve::{Resolved, resolve, resolve_by, settle, unresolved};
pub use scene_moves::SceneMoves;
pub use settings::merge_config;
pub use unresolved::{Settlement, Unresolved, UnresolvedKind};

/// What came of a merge.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Merged {
    /// The text. Where there are conflicts it has what ours has, and in metadata what theirs has.
    pub text: Vec<u8>,
    /// What both sides changed, each otherwise.
    pub conflicts: Vec<MergeConflict>,
    /// What both sides changed and ours was taken of, because Godot finds files and nodes without it, and comments of theirs
    /// that are left out.
    pub notes: Vec<MergeNote>,
}

/// Something that the two sides do not agree on.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct MergeConflict {
    /// Where it is: `node "Player/Sprite"`.
    pub place: String,
    /// What it is about: `property position`.
    pub what: String,
    /// What each text has; nothing where it has no such thing.
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
    /// What was done.
    pub text: String,
}

/// Merges what two sides made of one text. `base` may be empty, if both added the file.
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

/// Merges what two sides made of the file at `path`, of which the name counts: by [`merge_config`] if it is one of settings,
/// else by [`merge()`]. Of `.uid` files, that of ours is taken.
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
