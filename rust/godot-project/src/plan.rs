//! The changes in a project, as plain data.

use std::borrow::Cow;
use std::collections::BTreeSet;

use godot_tscn::{FileEdits, Span};
/// The changes of a refactoring in the files of a project: all of it or nothing.
///
/// Contents change first, at the paths that the files have before; then files move; then files are removed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Plan {
    /// Its heading: ``rename the property `health` of `res://enemy.gd` to `max_health` ``.
    pub title: String,
    /// The files with changed content, and new ones, by path.
    pub files: Vec<FileEdits>,
    /// The files that get another path, by their old one. No two get the same.
    pub moves: Vec<FileMove>,
    /// The files that go, by path.
    pub removals: Vec<String>,
    /// Where `files` change and why, by path and place: one for each edit.
    pub places: Vec<Place>,
    /// Uncertain changes, which the user must look at.
    pub doubts: Vec<Place>,
}

/// A file that gets another path.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct FileMove {
    /// Its path: `res://…`.
    pub from: String,
    /// The path that it gets: `res://…`. Folders on the way to it need not be there.
    pub to: String,
}

/// A place in a file, and its content.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// The file's path before the refactoring: `res://…`.
    pub path: String,
    /// Where it is, in the file as it was.
    pub span: Span,
    /// Its line, counted from 1.
    pub line: u32,
    /// Its column in characters, counted from 1.
    pub column: u32,
    /// The content of the place: `value of the property`, or why it is doubtful.
    pub what: Cow<'static, str>,
}

impl Place {
    /// For something that is about a whole file.
    pub fn of_file(path: &str, what: impl Into<Cow<'static, str>>) -> Self {
        let (path, span) = (path.to_owned(), Span::default());
        Self { path, span, line: 1, column: 1, what: what.into() }
    }
}

impl Plan {
    /// Whether nothing would change.
    pub fn is_empty(&self) -> bool {
        self.files.is_empty() && self.moves.is_empty() && self.removals.is_empty()
    }

    /// How many files change, move or go.
    pub fn file_count(&self) -> usize {
        let changed = self.files.iter().map(|file| file.path.as_str());
        let moved = self.moves.iter().map(|moved| moved.from.as_str());
        let removed = self.removals.iter().map(String::as_str);
        changed.chain(moved).chain(removed).collect::<BTreeSet<&str>>().len()
    }

    /// The same without the places with these numbers in `places`, which stay as they are.
    #[must_use]
    pub fn without(&self, left_out: &BTreeSet<usize>) -> Self {
        let mut plan = self.clone();
        let place = |number: &usize| self.places.get(*number);
        let out: BTreeSet<(&str, Span)> = left_out
            .iter()
            .filter_map(place)
            .map(|place| (place.path.as_str(), place.span))
            .collect();
        if out.is_empty() {
            return plan;
        }
        plan.files = plan.files.into_iter().filter_map(|file| without_edits(file, &out)).collect();
        plan.places.retain(|place| !out.contains(&(place.path.as_str(), place.span)));
        plan
    }

    /// Sorts everything, as the fields say.
    pub fn put_in_order(&mut self) {
        self.files.sort_by(|one, other| one.path.cmp(&other.path));
        self.moves.sort();
        self.removals.sort();
        self.places.sort();
        self.doubts.sort();
        self.doubts.dedup();
    }
}

/// Nothing if no edit is left.
fn without_edits(file: FileEdits, out: &BTreeSet<(&str, Span)>) -> Option<FileEdits> {
    let Some(text) = file.text().cloned() else { return Some(file) };
    let is_left = |edit: &&godot_tscn::Edit| !out.contains(&(file.path.as_str(), edit.span));
    let edits: Vec<godot_tscn::Edit> = file.edits().iter().filter(is_left).cloned().collect();
    (!edits.is_empty()).then(|| FileEdits::new(file.path.clone(), text, edits))
}
