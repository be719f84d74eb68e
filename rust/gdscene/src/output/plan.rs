//! The changes of a refactoring in a project, for people and for programs.

mod diff;
mod json;
mod markdown;
mod text;

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fmt;
use std::path::Path;

use clap::ValueEnum;
use gdscene_journal::{Restored, Undo, Write};
use godot_project::{FileMove, Place, Plan};
use godot_tscn::Edit;

pub(crate) use self::json::{JsonFile, JsonPlace};
use crate::counted::Counted;
use crate::files::file_path;
use crate::output::place::relative;

/// How the plan of a refactoring is printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum PlanFormat {
    /// A line for each place
    #[default]
    Text,
    /// One object
    Json,
    /// A checklist for an issue or a pull request
    Markdown,
}

/// A refactoring that is planned, or done.
pub(crate) struct PlanReport<'p> {
    /// The folder of the project.
    pub(crate) root: &'p Path,
    /// What it does.
    pub(crate) title: &'p str,
    /// Whether the files have been written.
    pub(crate) is_done: bool,
    /// By path.
    pub(crate) files: Vec<ReportedFile<'p>>,
    pub(crate) moves: &'p [FileMove],
    /// The paths of the files that go.
    pub(crate) removals: &'p [String],
    /// The files that come back.
    pub(crate) restored: &'p [Restored],
    /// Where files change and why. A file without a place changes as a whole.
    pub(crate) places: &'p [Place],
    /// What may have to change too.
    pub(crate) doubts: &'p [Place],
    /// What else is to be known.
    pub(crate) notes: Vec<String>,
}

/// A file that changes.
pub(crate) struct ReportedFile<'p> {
    /// `res://…`, before it is moved.
    pub(crate) path: &'p str,
    /// Nothing for a new file.
    pub(crate) before: Option<&'p [u8]>,
    /// Nothing for a file that goes.
    pub(crate) after: Option<Cow<'p, [u8]>>,
    /// What changes, if that is known.
    pub(crate) edits: &'p [Edit],
}

impl<'p> PlanReport<'p> {
    pub(crate) fn of_plan(root: &'p Path, plan: &'p Plan) -> Self {
        let file = |file: &'p godot_tscn::FileEdits| ReportedFile {
            path: &file.path,
            before: file.text().map(|text| &**text),
            after: Some(Cow::Owned(file.new_text())),
            edits: file.edits(),
        };
        Self {
            root,
            title: &plan.title,
            is_done: false,
            files: plan.files.iter().map(file).collect(),
            moves: &plan.moves,
            removals: &plan.removals,
            restored: &[],
            places: &plan.places,
            doubts: &plan.doubts,
            notes: Vec::new(),
        }
    }

    pub(crate) fn of_undo(root: &'p Path, undo: &'p Undo) -> Self {
        let changes = &undo.changes;
        let file = |write: &'p Write| ReportedFile {
            path: &write.path,
            before: write.before.as_deref(),
            after: write.after.as_deref().map(Cow::Borrowed),
            edits: &[],
        };
        let note = |path: &String| {
            let path = relative(&file_path(root, path).to_string_lossy());
            format!("{path} has changed since, so only the changed lines get their old content")
        };
        Self {
            root,
            title: &changes.title,
            is_done: false,
            files: changes.writes.iter().map(file).collect(),
            moves: &changes.moves,
            removals: &changes.removals,
            restored: &undo.restored,
            places: &[],
            doubts: &[],
            notes: undo.merged.iter().map(note).collect(),
        }
    }

    /// The unified diffs of all files, with moves as git shows them.
    pub(crate) fn diff(&self) -> Vec<u8> {
        diff::diff(self)
    }

    /// One object.
    pub(crate) fn json(&self) -> Vec<u8> {
        json::json(self).into_bytes()
    }

    /// The files whose content changes, as objects.
    pub(crate) fn json_files(&self) -> Vec<JsonFile<'_>> {
        self.files.iter().map(json::file).collect()
    }

    /// The doubts, as objects.
    pub(crate) fn json_doubts(&self) -> Vec<JsonPlace<'_>> {
        self.doubts.iter().map(json::place).collect()
    }

    /// A checklist.
    pub(crate) fn markdown(&self) -> Vec<u8> {
        markdown::markdown(self).into_bytes()
    }

    /// A line for each place.
    pub(crate) fn text(&self) -> Vec<u8> {
        text::text(self).into_bytes()
    }

    /// The doubts under their heading, or nothing.
    pub(crate) fn doubts(&self) -> String {
        text::doubts(self)
    }

    /// The last line.
    pub(crate) fn summary(&self) -> impl fmt::Display {
        Summary(self)
    }

    /// Whether nothing changes.
    fn is_empty(&self) -> bool {
        self.files.is_empty()
            && [self.moves.len(), self.removals.len(), self.restored.len()] == [0; 3]
    }

    /// The name of a file in messages: its path from the current folder.
    pub(crate) fn name(&self, path: &str) -> String {
        relative(&file_path(self.root, path).to_string_lossy())
    }
}

/// `12 places in 4 files changed`
struct Summary<'r, 'p>(&'r PlanReport<'p>);

impl fmt::Display for Summary<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(report) = self;
        let would = if report.is_done { "" } else { "would be " };
        if report.is_empty() {
            write!(f, "nothing to change")?;
        }
        let mut comma = "";
        if !report.files.is_empty() {
            let files = Counted(report.files.len(), "file");
            let with_places: BTreeSet<&str> =
                report.places.iter().map(|place| place.path.as_str()).collect();
            if report.files.iter().all(|file| with_places.contains(file.path)) {
                write!(f, "{} in {files} {would}changed", Counted(report.places.len(), "place"))?;
            } else {
                write!(f, "{files} {would}changed")?;
            }
            comma = ", ";
        }
        let counts = [
            (report.moves.len(), "moved"),
            (report.removals.len(), "removed"),
            (report.restored.len(), "restored"),
        ];
        for (count, verb) in counts {
            if count > 0 {
                write!(f, "{comma}{} {would}{verb}", Counted(count, "path"))?;
                comma = ", ";
            }
        }
        match report.doubts.len() {
            0 => Ok(()),
            count => write!(f, "; {} to look at", Counted(count, "place")),
        }
    }
}

#[cfg(test)]
mod tests;
