//! Patches of JSON documents: JSON Patch (RFC 6902) and JSON Merge Patch (RFC 7386)
//! (`JsonMerger` of O3DE).
//!
//! RFC 6902's crates know none of O3DE's outcomes, keep no duplicate names, and take 42 and 42.0
//! for two values.

mod draft;
mod json_patch;
mod locate;
mod merge_patch;

pub(crate) use draft::Draft;
pub(crate) use json_patch::apply_operations;
pub(crate) use merge_patch::merge_patch_between;

pub use json_patch::{apply_json_patch, create_json_patch};
pub use merge_patch::{apply_merge_patch, create_merge_patch};

use std::collections::HashMap;

use crate::{Issue, Json, Outcome, ResultCode, Task};

/// Why a patch could not be applied or made: the code and where in the patch.
pub type PatchError = Issue;

fn refused(task: Task, path: String, outcome: Outcome, message: impl Into<String>) -> PatchError {
    Issue::new(path, message, ResultCode::new(task, outcome))
}

/// The values of members by their names; of those with the same name the first counts.
fn by_name(members: &[(String, Json)]) -> HashMap<&str, &Json> {
    let mut values = HashMap::with_capacity(members.len());
    for (name, value) in members {
        values.entry(name.as_str()).or_insert(value);
    }
    values
}
