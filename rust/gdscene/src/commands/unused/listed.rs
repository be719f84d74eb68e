//! The list of unused files, for people and for programs.

use std::fmt::Write as _;

use godot_project::{FileId, FileKind, Project, Unused};
use serde::Serialize;

use super::{Order, UnusedArgs};
use crate::counted::Counted;
use crate::output::diff_markdown::code;
use crate::output::size;
use crate::terminal::printable;

/// The listed files.
#[derive(Debug, Default, Serialize)]
pub(super) struct Listed {
    pub(super) unused: Vec<UnusedRow>,
    #[serde(skip_serializing_if = "Option::is_none")]
    kept: Option<Vec<KeptRow>>,
    notes: Vec<Note>,
    /// The total size of the unused files in bytes, with the files that are removed with them.
    bytes: u64,
}

#[derive(Debug, Serialize)]
pub(super) struct UnusedRow {
    path: String,
    kind: &'static str,
    bytes: u64,
    /// Files next to it that are removed with it.
    companions: Vec<String>,
    /// Unused files that name it.
    named_by: Vec<String>,
}

#[derive(Debug, Serialize)]
struct KeptRow {
    path: String,
    kind: &'static str,
    bytes: u64,
    reason: String,
}

/// The limits of the judgement.
#[derive(Debug, Serialize)]
struct Note {
    path: String,
    /// 0 if it is about the whole file.
    line: u32,
    text: String,
}

impl Listed {
    pub(super) fn new(project: &Project, found: &Unused, args: &UnusedArgs, folder: &str) -> Self {
        let path = |file: FileId| project.path(file).to_owned();
        let is_meant = |file: FileId, kind: FileKind| {
            project.path(file).starts_with(folder)
                && (args.kind.is_empty() || args.kind.contains(&kind))
        };
        let unused = found.unused.iter().filter(|row| is_meant(row.file, row.kind));
        let unused = unused.map(|row| UnusedRow {
            path: path(row.file),
            kind: row.kind.name(),
            bytes: row.size,
            companions: row.companions.iter().map(|file| path(*file)).collect(),
            named_by: row.named_by.iter().map(|file| path(*file)).collect(),
        });
        let kept = found.kept.iter().filter(|row| is_meant(row.file, row.kind));
        let kept = kept.map(|row| KeptRow {
            path: path(row.file),
            kind: row.kind.name(),
            bytes: row.size,
            reason: row.reason.to_string(),
        });
        let notes = found.notes.iter();
        let notes = notes.map(|(path, line, text)| Note {
            path: path.clone(),
            line: *line,
            text: text.clone(),
        });
        let mut listed = Self {
            unused: unused.collect(),
            kept: args.kept.then(|| kept.collect()),
            notes: notes.collect(),
            bytes: 0,
        };
        listed.bytes = listed.unused.iter().map(|row| row.bytes).sum();
        if args.sort == Order::Size {
            listed.unused.sort_by_key(|row| std::cmp::Reverse(row.bytes));
            listed
                .kept
                .iter_mut()
                .for_each(|kept| kept.sort_by_key(|row| std::cmp::Reverse(row.bytes)));
        }
        listed
    }

    /// A checklist of the unused files.
    pub(super) fn markdown(&self) -> String {
        let mut out = format!(
            "# Unused files\n\n{}, {}.\n\n",
            Counted(self.unused.len(), "file"),
            size(self.bytes)
        );
        for row in &self.unused {
            let _ = writeln!(out, "- [ ] {} ({}, {})", code(&row.path), row.kind, size(row.bytes));
        }
        out
    }

    pub(super) fn text(&self) -> String {
        let mut text = String::new();
        for row in &self.unused {
            let path = printable(&row.path);
            let _ = write!(text, "{:>9}  {:9} {path}", size(row.bytes), row.kind);
            match row.named_by.as_slice() {
                [] => {}
                [one] => _ = write!(text, "  (only named by {}, which is unused)", printable(one)),
                more => _ = write!(text, "  (only named by {} unused files)", more.len()),
            }
            text.push('\n');
        }
        for row in self.kept.iter().flatten() {
            let (path, reason) = (printable(&row.path), printable(&row.reason));
            let _ = writeln!(text, "{:>9}  {:9} {path}: kept, {reason}", size(row.bytes), row.kind);
        }
        for note in &self.notes {
            let path = printable(&note.path);
            let _ = match note.line {
                0 => writeln!(text, "note: {path}: {}", note.text),
                line => writeln!(text, "note: {path}:{line}: {}", note.text),
            };
        }
        let count = Counted(self.unused.len(), "unused file");
        let _ = write!(text, "{count}, {}", size(self.bytes));
        if let Some(kept) = &self.kept {
            let _ = write!(text, "; {} kept", kept.len());
        }
        text.push('\n');
        text
    }
}
