//! The differences of a file, for all formats.

use godot_tscn::diff::{Diff, State};

/// The differences of one file.
#[derive(Debug)]
pub(crate) struct FileDiff {
    /// Its path; of a removed file the old one.
    pub(crate) path: String,
    /// Its old path, if it was moved.
    pub(crate) old_path: Option<String>,
    /// Whether it was added, removed or changed.
    pub(crate) state: State,
    /// The difference in its contents, or in its lines.
    pub(crate) diff: Result<Diff, ByLines>,
}

impl FileDiff {
    /// Whether nothing differs but noise.
    pub(crate) fn is_only_noise(&self) -> bool {
        let is_quiet = self.diff.as_ref().is_ok_and(|diff| diff.changes.is_empty());
        is_quiet && self.state == State::Changed && self.old_path.is_none()
    }

    /// Whether the file came or went, and has nothing that people wrote.
    pub(crate) fn is_told_by_its_name(&self) -> bool {
        self.state != State::Changed
            && (self.path.ends_with(".uid") || self.path.ends_with(".import"))
    }
}

/// A file that is compared by its lines.
#[derive(Debug)]
pub(crate) struct ByLines {
    /// Why it is not compared by its contents.
    pub(crate) reason: String,
    /// A unified diff; empty for binary files.
    pub(crate) hunks: String,
}
