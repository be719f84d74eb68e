//! Differences for programs: one JSON object.
//!
//! The types below are the format. A key may be added in a later version; those below stay. The keys of an object are written
//! in alphabetical order, so the fields of the types are in that order, too.

use godot_tscn::diff::{Change, Entry, Noise, Part, State, ThingKind};
use serde::Serialize;

use crate::output::file_diff::FileDiff;
use crate::output::to_json;

/// All files that differ.
#[derive(Debug, Serialize)]
struct JsonDiff<'d> {
    files: Vec<JsonFile<'d>>,
}

/// A file that differs.
#[derive(Debug, Serialize)]
struct JsonFile<'d> {
    /// The differences, in the order of the new file; null if it was compared by lines.
    changes: Option<Vec<JsonChange<'d>>>,
    /// A unified diff without names, if Godot cannot read the file; else null.
    lines: Option<&'d str>,
    /// Differences without a meaning.
    noise: Vec<JsonNoise<'d>>,
    /// Its path before, if it was renamed; else null.
    old_path: Option<&'d str>,
    /// Its path; of a removed file the old one.
    path: &'d str,
    /// Why it was compared by lines, or null.
    reason: Option<&'d str>,
    /// `added`, `removed` or `changed`.
    state: &'static str,
}

/// A thing that differs.
#[derive(Debug, Serialize)]
struct JsonChange<'d> {
    /// The differences in it; for an added or removed thing, its contents.
    entries: Vec<JsonEntry<'d>>,
    /// `header`, `node`, `ext_resource`, `sub_resource`, `resource`, `connection`, `editable` or `section`.
    kind: &'static str,
    /// The path of a node or a file, or another name.
    name: &'d str,
    /// The line at which it begins in the new file, or null.
    new_line: Option<u32>,
    /// The line at which it begins in the old file, or null.
    old_line: Option<u32>,
    /// Its name before, if a node was renamed or moved, or the file of a resource; else null.
    old_name: Option<&'d str>,
    /// `added`, `removed` or `changed`.
    state: &'static str,
    /// Its class, or the scene that it is an instance of, or null.
    #[serde(rename = "type")]
    type_name: Option<&'d str>,
}

/// A property, a field of a tag, a setting.
#[derive(Debug, Serialize)]
struct JsonEntry<'d> {
    name: &'d str,
    /// The value, as text of Godot's with names in the place of ids, or null.
    new: Option<&'d str>,
    old: Option<&'d str>,
    /// The differences inside the value; empty if they are unknown.
    parts: Vec<JsonPart<'d>>,
    /// The differences inside a value that is too large to list, or null.
    summary: Option<&'d str>,
}

#[derive(Debug, Serialize)]
struct JsonPart<'d> {
    new: Option<&'d str>,
    old: Option<&'d str>,
    place: &'d str,
}

#[derive(Debug, Serialize)]
struct JsonNoise<'d> {
    count: u32,
    what: &'d str,
}

/// All files.
pub(crate) fn json(files: &[FileDiff]) -> String {
    let mut text = to_json(&JsonDiff { files: files.iter().map(file).collect() });
    text.push('\n');
    text
}

fn file(file: &FileDiff) -> JsonFile<'_> {
    let (diff, lines) = (file.diff.as_ref().ok(), file.diff.as_ref().err());
    let noise = diff.map_or(&[][..], |diff| &diff.noise);
    JsonFile {
        changes: diff.map(|diff| diff.changes.iter().map(change).collect()),
        lines: lines.map(|lines| lines.hunks.as_str()),
        noise: noise
            .iter()
            .map(|Noise { what, count, .. }| JsonNoise { count: *count, what })
            .collect(),
        old_path: file.old_path.as_deref(),
        path: &file.path,
        reason: lines.map(|lines| lines.reason.as_str()),
        state: state(file.state),
    }
}

fn change(change: &Change) -> JsonChange<'_> {
    JsonChange {
        entries: change.entries.iter().map(entry).collect(),
        kind: match change.kind {
            ThingKind::Node => "node",
            ThingKind::ExtResource => "ext_resource",
            ThingKind::SubResource => "sub_resource",
            ThingKind::Resource => "resource",
            ThingKind::Connection => "connection",
            ThingKind::Editable => "editable",
            ThingKind::Section => "section",
            _ => "header",
        },
        name: &change.name,
        new_line: change.new_line,
        old_line: change.old_line,
        old_name: change.old_name.as_deref(),
        state: state(change.state),
        type_name: change.type_name.as_deref(),
    }
}

fn entry(entry: &Entry) -> JsonEntry<'_> {
    fn part(part: &Part) -> JsonPart<'_> {
        JsonPart { new: part.new.as_deref(), old: part.old.as_deref(), place: &part.place }
    }
    let Entry { name, old, new, parts, summary, .. } = entry;
    JsonEntry {
        name,
        new: new.as_deref(),
        old: old.as_deref(),
        parts: parts.iter().map(part).collect(),
        summary: summary.as_deref(),
    }
}

fn state(state: State) -> &'static str {
    match state {
        State::Added => "added",
        State::Removed => "removed",
        _ => "changed",
    }
}
