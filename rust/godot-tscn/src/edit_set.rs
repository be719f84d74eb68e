//! Edits of a text: one, and those of several fixes together.

use crate::span::Span;

/// A replacement of a byte range.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// The removed span.
    pub span: Span,
    /// The replacement.
    pub replacement: String,
}

/// Edits of one text that do not touch each other.
///
/// ```
/// use godot_tscn::{Edit, EditSet, Span};
///
/// let first = [Edit::replace(Span::new(0, 1), "A")];
/// let second = [Edit::remove(Span::new(1, 2)), Edit::insert(3, "!")];
/// let mut edits = EditSet::default();
/// assert!(edits.add(&first));
/// assert!(!edits.add(&second), "it touches the first one, so none of it is taken");
/// assert_eq!(edits.apply(b"abc"), b"Abc");
/// ```
#[derive(Clone, Debug, Default)]
pub struct EditSet<'e> {
    /// By place.
    edits: Vec<&'e Edit>,
}

impl Edit {
    /// Replaces the text at `span`.
    pub fn replace(span: Span, replacement: impl Into<String>) -> Self {
        Self { span, replacement: replacement.into() }
    }

    /// Removes the text at `span`.
    pub fn remove(span: Span) -> Self {
        Self::replace(span, "")
    }

    /// Inserts at `offset`.
    pub fn insert(offset: u32, text: impl Into<String>) -> Self {
        Self::replace(Span::empty(offset), text)
    }

    /// Sorts edits by place.
    ///
    /// # Panics
    /// When two overlap.
    pub(crate) fn in_order(mut edits: Vec<Self>) -> Vec<Self> {
        edits.sort_by_key(|edit| edit.span);
        let disjoint = edits.windows(2).all(|pair| pair[0].span.end <= pair[1].span.start);
        assert!(disjoint, "the edits of a fix overlap");
        edits
    }
}

impl<'e> EditSet<'e> {
    /// Adds all these edits, or none and says so: if one of them touches one that is there.
    pub fn add(&mut self, edits: &'e [Edit]) -> bool {
        if !self.takes(edits) {
            return false;
        }
        for edit in edits {
            let at = self.edits.partition_point(|other| other.span <= edit.span);
            self.edits.insert(at, edit);
        }
        true
    }

    /// Whether none of these edits touches one that is there.
    pub fn takes(&self, edits: &[Edit]) -> bool {
        !edits.iter().any(|edit| self.touches(edit))
    }

    fn touches(&self, edit: &Edit) -> bool {
        let at = self.edits.partition_point(|other| other.span.end < edit.span.start);
        self.edits.get(at).is_some_and(|other| other.span.start <= edit.span.end)
    }

    /// The text with all edits.
    ///
    /// # Panics
    /// When an edit is outside the text.
    pub fn apply(&self, text: &[u8]) -> Vec<u8> {
        let mut edited = Vec::with_capacity(text.len());
        let mut copied = 0;
        for edit in &self.edits {
            let range = edit.span.range();
            edited.extend_from_slice(&text[copied..range.start]);
            edited.extend_from_slice(edit.replacement.as_bytes());
            copied = range.end;
        }
        edited.extend_from_slice(&text[copied..]);
        edited
    }
}
