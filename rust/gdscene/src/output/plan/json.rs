//! For programs: one object.
//!
//! The types below are the format. All paths but that of the project are `res://…`, and those of files that move are the old
//! ones. All offsets count bytes from 0, ends are excluded; lines and columns count from 1, columns in characters. A key may
//! be added in a later version; those below stay. The keys of an object are written in alphabetical order, so the fields of
//! the types are in that order, too.

use gdscene_render::JsonSpan;
use godot_project::{FileMove, Place};
use godot_tscn::LineIndex;
use serde::Serialize;

use super::{PlanReport, ReportedFile};
use crate::output::to_json_pretty;

/// The changes of a refactoring. All of it belongs together: it is done as a whole or not at all, contents first, then moves,
/// then removals.
#[derive(Debug, Serialize)]
struct JsonPlan<'p> {
    /// Places that may have to change too. The user must look at these places.
    doubts: Vec<JsonPlace<'p>>,
    /// The files with changed contents, by path.
    files: Vec<JsonFile<'p>>,
    /// Whether it has been done: false with `--dry-run`.
    is_done: bool,
    moves: Vec<JsonMove<'p>>,
    /// Further notes, such as failures of git.
    notes: &'p [String],
    /// Where files change and why: one for each edit.
    places: Vec<JsonPlace<'p>>,
    /// The folder with `project.godot`.
    project: String,
    /// The paths of the files that go.
    removals: &'p [String],
    /// The paths of files that come back, which a refactoring had removed.
    restored: Vec<&'p str>,
    /// The last line for people.
    summary: String,
    /// Its title: ``rename the property `health` of `res://enemy.gd` to `max_health` ``.
    title: &'p str,
}

#[derive(Debug, Serialize)]
pub(crate) struct JsonPlace<'p> {
    column: u32,
    end: u32,
    line: u32,
    path: &'p str,
    start: u32,
    /// The content of the place: `value of the property`, or why it is doubtful.
    what: &'p str,
}

#[derive(Debug, Serialize)]
pub(crate) struct JsonFile<'p> {
    /// Disjoint, by place. None for `gdscene undo`; its `--diff` shows the changes.
    edits: Vec<JsonEdit<'p>>,
    /// Whether the file does not exist before: the edits insert its text.
    is_new: bool,
    path: &'p str,
}

/// Text that replaces the bytes from `start` to `end` of the file as it was.
#[derive(Debug, Serialize)]
struct JsonEdit<'p> {
    column: u32,
    end: u32,
    line: u32,
    replacement: &'p str,
    start: u32,
}

/// A file or folder that gets another path.
#[derive(Debug, Serialize)]
struct JsonMove<'p> {
    from: &'p str,
    to: &'p str,
}

pub(super) fn json(report: &PlanReport<'_>) -> String {
    let moved = report.moves.iter().map(|FileMove { from, to }| JsonMove { from, to });
    let plan = JsonPlan {
        doubts: report.doubts.iter().map(place).collect(),
        files: report.files.iter().map(file).collect(),
        is_done: report.is_done,
        moves: moved.collect(),
        notes: &report.notes,
        places: report.places.iter().map(place).collect(),
        project: dunce::simplified(report.root).to_string_lossy().into_owned(),
        removals: report.removals,
        restored: report.restored.iter().map(|restored| restored.path.as_str()).collect(),
        summary: report.summary().to_string(),
        title: report.title,
    };
    to_json_pretty(&plan) + "\n"
}

pub(super) fn place(place: &Place) -> JsonPlace<'_> {
    let Place { path, span, line, column, what } = place;
    JsonPlace { column: *column, end: span.end, line: *line, path, start: span.start, what }
}

pub(super) fn file<'p>(file: &'p ReportedFile<'p>) -> JsonFile<'p> {
    let index = LineIndex::new(file.before.unwrap_or_default());
    let edit = |edit: &'p godot_tscn::Edit| {
        let JsonSpan { line, column, start, end } = JsonSpan::new(&index, edit.span);
        JsonEdit { column, end, line, replacement: &edit.replacement, start }
    };
    let edits = file.edits.iter().map(edit).collect();
    JsonFile { edits, is_new: file.before.is_none(), path: file.path }
}
