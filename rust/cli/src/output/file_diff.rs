//! What differs of a file, for all formats.

/// What differs of one file.
pub(crate) struct FileDiff {
    /// Its path; of a removed file the old one.
    pub(crate) path: String,
    /// Its old path, if it was moved.
    pub(crate) old_path: Option<String>,
    /// What became of it.
    pub(crate) state: tscn::diff::State,
    /// What it says, or its lines.
    pub(crate) diff: Result<tscn::diff::Diff, ByLines>,
}

/// A file that is compared by its lines.
pub(crate) struct ByLines {
    /// Why it is not compared by what it says.
    pub(crate) reason: String,
    /// A unified diff; empty for binary files.
    pub(crate) hunks: String,
}
