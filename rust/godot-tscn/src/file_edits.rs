//! The changes of a fix in other files than the one with the finding.

use std::sync::Arc;

use crate::edit_set::Edit;
use crate::edit_set::EditSet;

/// The change of a [`Fix`](crate::Fix) in another file of the project.
///
/// ```
/// use godot_tscn::{Edit, FileEdits, Span};
///
/// let text = b"uid://cqq2j4h8p6vy1\n";
/// let edit = Edit::replace(Span::new(0, 19), "uid://b4gkfwf4i3ydl");
/// let file = FileEdits::new("res://a.gd.uid", text.as_slice(), vec![edit]);
/// assert_eq!(file.new_text(), b"uid://b4gkfwf4i3ydl\n");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileEdits {
    /// The file's path: `res://…`.
    pub path: String,
    text: Option<Arc<[u8]>>,
    edits: Vec<Edit>,
}

impl FileEdits {
    /// Edits of the file at `path`, which holds `text`.
    ///
    /// # Panics
    /// When two edits overlap.
    pub fn new(path: impl Into<String>, text: impl Into<Arc<[u8]>>, edits: Vec<Edit>) -> Self {
        Self { path: path.into(), text: Some(text.into()), edits: Edit::in_order(edits) }
    }

    /// A new file.
    pub fn create(path: impl Into<String>, content: impl Into<String>) -> Self {
        Self { path: path.into(), text: None, edits: vec![Edit::insert(0, content)] }
    }

    /// The contents of the file, nothing if the fix makes it. For a file that has changed since, the edits mean nothing.
    pub fn text(&self) -> Option<&Arc<[u8]>> {
        self.text.as_ref()
    }

    /// The edits: disjoint, sorted by place.
    pub fn edits(&self) -> &[Edit] {
        &self.edits
    }

    /// The contents of the file afterwards.
    pub fn new_text(&self) -> Vec<u8> {
        let mut edits = EditSet::default();
        edits.add(&self.edits);
        edits.apply(self.text.as_deref().unwrap_or_default())
    }
}
