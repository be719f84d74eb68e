//! Patches of JSON documents: JSON Patch (RFC 6902) and JSON Merge Patch (RFC 7386)
//! (`JsonMerger` of O3DE).
//!
//! RFC 6902's crates know none of O3DE's outcomes, keep no duplicate names, and take 42 and 42.0
//! for two values.

mod json_patch;
mod locate;
mod merge_patch;

pub(crate) use locate::find_mut;

pub use json_patch::{apply_json_patch, create_json_patch};
pub use merge_patch::{apply_merge_patch, create_merge_patch};

use crate::{Issue, Outcome, ResultCode, Task};

/// Why a patch could not be applied or made: the code and where in the patch.
pub type PatchError = Issue;

fn refused(task: Task, path: String, outcome: Outcome, message: impl Into<String>) -> PatchError {
    Issue { path, message: message.into(), code: ResultCode::new(task, outcome) }
}
