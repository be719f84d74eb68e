//! A file that both judge.

use std::fs;
use std::path::{Path, PathBuf};

use crate::bases::{Base, with_stand_ins};
use crate::intent::{Item, items, read_lines};

/// A text, and what it plainly says.
#[derive(Debug)]
pub(crate) struct Case {
    /// Where it comes from and what was done to it.
    pub(crate) label: String,
    /// `tscn` or `tres`.
    pub(crate) extension: &'static str,
    pub(crate) text: Vec<u8>,
    /// What should come out, line by line.
    pub(crate) items: Vec<Item>,
    pub(crate) origin: Origin,
    /// Whether the engine is to tell all that it loads.
    pub(crate) is_dumped: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    /// A broken file as somebody left or wrote it.
    AsItIs,
    /// A sound file of the corpus, by its index.
    Base(usize),
    /// A mutation of that file.
    Mutation(usize),
    /// A text of ours that shows a fault.
    Example,
    /// The sound file of the case with this number, after its sections were shuffled.
    Shuffled(usize),
    /// The case with this number, after its safe fixes.
    Fixed(usize),
}

impl Case {
    pub(crate) fn of_base(base: &Base) -> Self {
        Self {
            label: base.name.clone(),
            extension: base.extension,
            text: base.text.clone(),
            items: items(&godot_tscn::parse(&base.text)),
            origin: Origin::Base(base.index),
            is_dumped: false,
        }
    }

    /// A file of the corpus that the linter has errors for.
    pub(crate) fn of_doubtful(base: &Base) -> Self {
        Self { items: read_lines(&base.text), origin: Origin::AsItIs, ..Self::of_base(base) }
    }

    /// The name under which it is linted.
    pub(crate) fn path(&self) -> String {
        format!("res://case.{}", self.extension)
    }
}

/// The files below `folder`, with stand-ins for what they refer to.
pub(crate) fn files_as_they_are(folder: &Path) -> Vec<Case> {
    let mut cases = Vec::new();
    for path in files(folder) {
        let name = path.strip_prefix(folder).unwrap_or(&path).display().to_string();
        // These run code when they are loaded; rules for them are another issue's.
        if name.starts_with("security") {
            continue;
        }
        let Some(extension) = extension(&path) else { continue };
        let Ok(text) = fs::read(&path) else { continue };
        let text = with_stand_ins(&text);
        let items = read_lines(&text);
        cases.push(Case {
            label: name,
            extension,
            text,
            items,
            origin: Origin::AsItIs,
            is_dumped: false,
        });
    }
    cases
}

/// All files below `folder`, by name.
pub(crate) fn files(folder: &Path) -> Vec<PathBuf> {
    let (mut found, mut folders) = (Vec::new(), vec![folder.to_owned()]);
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() { folders.push(path) } else { found.push(path) }
        }
    }
    found.sort();
    found
}

/// How Godot reads the file at `path`, if as text.
pub(crate) fn extension(path: &Path) -> Option<&'static str> {
    match path.extension()?.to_str()? {
        "tscn" | "escn" => Some("tscn"),
        "tres" => Some("tres"),
        _ => None,
    }
}
