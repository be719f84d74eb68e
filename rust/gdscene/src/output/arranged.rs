//! The formats for people, in the order that was asked for, and with equal diagnostics together.
//!
//! Nothing is written before the last file is checked, so only a diagnostic's text and place are kept.

use std::collections::HashMap;
use std::mem;
use std::sync::{Mutex, PoisonError};

use clap::ValueEnum;
use godot_tscn::{Diagnostic, Severity};

use crate::counted::Counted;
use crate::output::{FileDiagnostics, Renderer, Run};
use crate::terminal::printable;

/// In which order diagnostics are printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Order {
    /// Errors first
    #[default]
    Severity,
    /// One file after another
    File,
}

/// Prints diagnostics one by one.
pub(crate) trait Entries: Sync {
    /// The text of one diagnostic, without what parts it from the next.
    fn entry(&self, out: &mut String, file: &FileDiagnostics<'_>, diagnostic: &Diagnostic);

    /// What comes between two diagnostics.
    fn gap(&self) -> &'static str;
}

/// A format in which nothing is written before the end.
pub(crate) struct Arranged<E> {
    entries: E,
    order: Order,
    is_grouped: bool,
    groups: Mutex<Vec<Group>>,
}

/// Diagnostics of one cause, or diagnostics that differ only in their places.
struct Group {
    /// What they have in common; empty if nothing is grouped.
    key: String,
    severity: Severity,
    cause: Option<String>,
    /// The number of the first one's file.
    file: usize,
    /// The text of the first one.
    text: String,
    /// The first places, the one of `text` among them.
    places: Vec<String>,
    count: usize,
    file_count: usize,
}

/// So many places are named besides the first one.
const MAX_PLACES: usize = 3;

impl<E: Entries> Arranged<E> {
    pub(crate) fn new(entries: E, order: Order, is_grouped: bool) -> Self {
        Self { entries, order, is_grouped, groups: Mutex::default() }
    }

    fn group(&self, key: String, file: &FileDiagnostics<'_>, diagnostic: &Diagnostic) -> Group {
        let mut text = String::new();
        self.entries.entry(&mut text, file, diagnostic);
        Group {
            key,
            severity: diagnostic.severity,
            cause: diagnostic.cause.as_deref().map(str::to_owned),
            file: file.number,
            text,
            places: vec![place(file, diagnostic)],
            count: 1,
            file_count: 1,
        }
    }
}

impl<E: Entries> Renderer for Arranged<E> {
    fn file(&self, _: &mut String, file: &FileDiagnostics<'_>) {
        let mut groups: Vec<Group> = Vec::new();
        let mut by_key: HashMap<String, usize> = HashMap::new();
        for diagnostic in file.diagnostics {
            let key = if self.is_grouped { key(diagnostic) } else { String::new() };
            match by_key.get(&key) {
                Some(index) => groups[*index].add_place(|| place(file, diagnostic)),
                None => {
                    if self.is_grouped {
                        by_key.insert(key.clone(), groups.len());
                    }
                    groups.push(self.group(key, file, diagnostic));
                }
            }
        }
        self.groups.lock().unwrap_or_else(PoisonError::into_inner).append(&mut groups);
    }

    fn end(&self, out: &mut String, run: &Run<'_>) {
        let mut groups =
            mem::take(&mut *self.groups.lock().unwrap_or_else(PoisonError::into_inner));
        groups.sort_by_key(|group| group.file);
        if self.is_grouped {
            groups = merged(groups);
        }
        if self.order == Order::Severity {
            groups.sort_by_key(|group| std::cmp::Reverse(group.severity));
        }
        for group in groups {
            out.push_str(&group.text);
            group.write_others(out);
            out.push_str(self.entries.gap());
        }
        out.push_str(&format!("{}\n", run.summary));
    }
}

impl Group {
    fn add_place(&mut self, place: impl FnOnce() -> String) {
        self.count += 1;
        if self.places.len() <= MAX_PLACES {
            self.places.push(place());
        }
    }

    /// Adds the group of a later file.
    fn add(&mut self, other: Self) {
        self.count += other.count;
        self.file_count += other.file_count;
        let left = (MAX_PLACES + 1).saturating_sub(self.places.len());
        self.places.extend(other.places.into_iter().take(left));
    }

    /// `and in 12 more places of 3 files, because the folder "res://art" is missing: a.tscn:3:1, …`
    fn write_others(&self, out: &mut String) {
        let (more, named) = (self.count - 1, self.places.len() - 1);
        if more == 0 {
            return;
        }
        let places = self.places[1..].join(", ");
        let rest = if more > named { ", …; --each shows all" } else { "" };
        let files = Some(self.file_count).filter(|count| *count > 1 && more > named);
        let files = files.map(|count| format!(" of {count} files")).unwrap_or_default();
        let cause = self.cause.as_ref().map(|cause| format!(", because {}", printable(cause)));
        let cause = cause.unwrap_or_default();
        let more = Counted(more, "more place");
        out.push_str(&format!("and in {more}{files}{cause}: {places}{rest}\n"));
    }
}

/// Each key once, where it stands first.
fn merged(groups: Vec<Group>) -> Vec<Group> {
    let mut all: Vec<Group> = Vec::with_capacity(groups.len());
    let mut by_key: HashMap<String, usize> = HashMap::with_capacity(groups.len());
    for mut group in groups {
        match by_key.get(&group.key) {
            Some(index) => all[*index].add(group),
            None => {
                by_key.insert(mem::take(&mut group.key), all.len());
                all.push(group);
            }
        }
    }
    all
}

/// The rule with the cause, or everything that a text says of the diagnostic except its places.
fn key(diagnostic: &Diagnostic) -> String {
    if let Some(cause) = &diagnostic.cause {
        return [diagnostic.code, diagnostic.severity.as_str(), cause].join("\0");
    }
    let fix = diagnostic.fix.as_ref();
    let parts = [
        diagnostic.code,
        diagnostic.severity.as_str(),
        &diagnostic.message,
        diagnostic.consequence.as_deref().unwrap_or_default(),
        diagnostic.help.as_deref().unwrap_or_default(),
        fix.map_or("", |fix| fix.applicability.as_str()),
        fix.map_or("", |fix| &fix.title),
    ];
    parts.join("\0")
}

/// `path:line:column`
fn place(file: &FileDiagnostics<'_>, diagnostic: &Diagnostic) -> String {
    let position = file.index().position(diagnostic.span.start);
    format!("{}:{}:{}", printable(file.path), position.line, position.column)
}
