//! Merge of `.uid` files: one line, by which Godot knows a script or shader.

use crate::merge::refusal::{MergeRefusal, MergeSide};
use crate::merge::{MergeNote, Merged};

/// Takes the uid of ours where each side made one: references with the other are found by their path.
pub(super) fn merge([_, ours, theirs]: [&[u8]; 3]) -> Result<Merged, MergeRefusal> {
    for (text, side) in [(ours, MergeSide::Ours), (theirs, MergeSide::Theirs)] {
        if !text.starts_with(b"uid://") || text.trim_ascii().contains(&b'\n') {
            return Err(MergeRefusal::NotUid(side));
        }
    }
    let text = format!("each side has its own; that of theirs was {}", lossy(theirs.trim_ascii()));
    let notes = vec![MergeNote { place: "uid".to_owned(), text }];
    Ok(Merged { text: ours.to_vec(), conflicts: Vec::new(), notes })
}

fn lossy(text: &[u8]) -> String {
    String::from_utf8_lossy(text).into_owned()
}
