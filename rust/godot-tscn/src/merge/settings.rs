//! Three-way merge of settings files, by section and key: `project.godot`, `export_presets.cfg`, `.import`, `.gdextension`.
//!
//! The result is ours with edits: [`side`] reads the three texts, [`value`] merges values that both changed, [`writer`]
//! makes the edits, and [`marks`] writes conflicts.

mod marks;
pub(crate) mod side;
mod value;
mod writer;

#[cfg(test)]
mod tests;

use std::borrow::Cow;

use hashbrown::HashMap;

use crate::config_file::{ConfigFile, parse_config};
use crate::conflict_marks::conflicts_in_settings;
use crate::diagnostic::Severity;
use crate::line_index::LineIndex;
use crate::lint::lint_config;
use crate::merge::canonical::is_same_or_none;
use crate::merge::keyed;
use crate::merge::refusal::{MergeRefusal, MergeSide};
use crate::merge::side::{BASE, OURS, THEIRS};
use crate::merge::{MergeConflict, MergeNote, Merged};
use crate::options::LintOptions;
use side::{Presets, SectionAt, SettingsSide};
use writer::Writer;

pub(super) use marks::{settle, unresolved};
pub(crate) use value::SETTING;

/// The kind of a settings file, which decides the lists in it, and the place of conflicts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// `project.godot`: a save keeps settings that Godot does not know, so that conflicts can be one.
    Project,
    /// `export_presets.cfg`: the numbers of its sections only count the presets.
    Presets,
    /// `.import`: everything except the parameters is made by the importer.
    Import,
    Other,
}

/// The section of `project.godot` with a relevant order.
const AUTOLOAD: &[u8] = b"autoload";
/// The name of a conflict about it, instead of a key.
const ORDER: &str = "order";

/// The fate of an entry.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Outcome {
    /// It is as ours has it, which may be not at all.
    Ours,
    Value(Vec<u8>),
    Removed,
    Conflict,
}

/// Merges two sides of one settings file with this `path` or name. `base` may be empty, if both added the file.
///
/// A conflict in `project.godot` leaves ours in its place and theirs in the setting `gdscene/conflicts`, for
/// [`resolve`](crate::resolve); in other files it gets git's markers.
///
/// # Errors
/// When Godot would not read one of the texts.
///
/// ```
/// let base = b"[display]\n\nwindow/size/mode=0\n";
/// let ours = b"[display]\n\nwindow/size/mode=3\n";
/// let theirs = b"[autoload]\n\nGame=\"*res://game.gd\"\n\n[display]\n\nwindow/size/mode=0\n";
/// let merged = godot_tscn::merge_config("project.godot", base, ours, theirs).unwrap();
/// assert!(merged.conflicts.is_empty());
/// let text = String::from_utf8(merged.text).unwrap();
/// assert_eq!(text, "[autoload]\n\nGame=\"*res://game.gd\"\n\n[display]\n\nwindow/size/mode=3\n");
/// ```
pub fn merge_config(
    path: &str,
    base: &[u8],
    ours: &[u8],
    theirs: &[u8],
) -> Result<Merged, MergeRefusal> {
    let is_unresolved =
        |text: &[u8]| conflicts_in_settings(parse_config(text).document()).is_some();
    super::merge_texts([base, ours, theirs], is_unresolved, |texts| merge(kind_of(path), texts))
}

/// The keys of ours and those that theirs added, each after all its predecessors there, because it may need
/// them.
fn behind_all<'d>(ours: &[Cow<'d, [u8]>], theirs: &[Cow<'d, [u8]>]) -> Vec<Cow<'d, [u8]>> {
    let places: HashMap<&[u8], usize> =
        ours.iter().enumerate().map(|(place, key)| (&**key, place + 1)).collect();
    let mut behind: Vec<Vec<&Cow<'d, [u8]>>> = vec![Vec::new(); ours.len() + 1];
    let mut last = 0;
    for key in theirs {
        match places.get(&**key) {
            Some(place) => last = last.max(*place),
            None => behind[last].push(key),
        }
    }
    let own = std::iter::once(None).chain(ours.iter().map(Some));
    own.zip(behind).flat_map(|(own, new)| own.into_iter().chain(new)).cloned().collect()
}

fn kind_of(path: &str) -> Kind {
    match path.rsplit(['/', '\\']).next().unwrap_or(path) {
        "project.godot" => Kind::Project,
        "export_presets.cfg" => Kind::Presets,
        name if name.ends_with(".import") => Kind::Import,
        _ => Kind::Other,
    }
}

fn merge(kind: Kind, texts: [&[u8]; 3]) -> Result<Merged, MergeRefusal> {
    let files = texts.map(parse_config);
    for (file, side) in files.iter().zip(MergeSide::ALL) {
        check(file, side)?;
    }
    let presets = (kind == Kind::Presets).then(|| Presets::new(&files)).flatten();
    let side = |side: usize| SettingsSide::new(&files[side], side, presets.as_ref());
    let sides = [side(BASE), side(OURS), side(THEIRS)];
    let mut work = Work { kind, sides: &sides, conflicts: Vec::new(), notes: Vec::new() };
    let mut writer = Writer::new(&sides[OURS]);
    let ids = |side: usize| sides[side].sections.iter().map(|at| at.id.clone()).collect::<Vec<_>>();
    let (of_ours, of_theirs) = (ids(OURS), ids(THEIRS));
    let mut all = keyed::joined(&of_ours, &of_theirs, |_| true);
    all.dedup();
    let mut before = None;
    for id in &all {
        let is_there = work.section(id, before, &mut writer);
        if is_there {
            before = Some(id.as_slice());
        }
    }
    if let Some(presets) = &presets {
        presets.renumber(&sides, &all, &mut writer);
    }
    let Work { conflicts, notes, .. } = work;
    if kind == Kind::Project {
        writer.append(&marks::setting(&conflicts));
    }
    let conflicts = conflicts.into_iter().map(Found::described).collect();
    Ok(Merged { text: writer.written(), conflicts, notes })
}

/// Refuses text that Godot cannot read.
pub(crate) fn check(file: &ConfigFile<'_>, side: MergeSide) -> Result<(), MergeRefusal> {
    let Some(error) = file.errors().first() else { return Ok(()) };
    let line = LineIndex::new(file.text()).position(error.span.start).line;
    let found = lint_config(file.text(), &LintOptions::default()).diagnostics;
    let worst = found.into_iter().filter(|each| each.severity == Severity::Error);
    let nearest = worst.min_by_key(|each| each.span.start.abs_diff(error.span.start));
    let reason = nearest.map_or_else(|| "a syntax error".into(), |found| found.message);
    Err(MergeRefusal::Broken { side, line, reason })
}

/// A conflict, as it is found.
#[derive(Clone, Debug)]
struct Found {
    /// The section, as it is written.
    section: String,
    /// The key; nothing where it is about the whole section.
    key: Option<String>,
    values: [Option<Vec<u8>>; 3],
}

impl Found {
    fn described(self) -> MergeConflict {
        let readable = |value: Option<Vec<u8>>| {
            value.map(|value| String::from_utf8_lossy(&value).into_owned())
        };
        let [base, ours, theirs] = self.values.map(readable);
        let what =
            self.key.map_or_else(|| "the section".to_owned(), |key| format!("setting {key}"));
        MergeConflict { place: place(&self.section), what, base, ours, theirs }
    }
}

fn place(section: &str) -> String {
    if section.is_empty() { "the beginning".to_owned() } else { format!("[{section}]") }
}

struct Work<'w, 'd> {
    kind: Kind,
    sides: &'w [SettingsSide<'d>; 3],
    conflicts: Vec<Found>,
    notes: Vec<MergeNote>,
}

impl<'w, 'd> Work<'w, 'd> {
    /// Merges a section; whether ours has it. `before` is the one of ours that a new one comes behind.
    fn section(&mut self, id: &[u8], before: Option<&[u8]>, writer: &mut Writer<'w, 'd>) -> bool {
        let at = [BASE, OURS, THEIRS].map(|side| self.sides[side].get(id));
        if self.kind == Kind::Presets && self.is_removed_and_changed(at) {
            self.section_conflict(id, at, before, writer);
            return at[OURS].is_some();
        }
        let keys = |side: usize| at[side].map_or(&[][..], |at| at.entries.keys.as_slice());
        let order = match id == AUTOLOAD {
            true => behind_all(keys(OURS), keys(THEIRS)),
            false => keyed::joined(keys(OURS), keys(THEIRS), |_| true),
        };
        let mut outcomes: HashMap<&[u8], Outcome> = HashMap::new();
        for key in &order {
            outcomes.insert(key, self.entry(id, key, at));
        }
        let is_empty = |outcome: &Outcome| *outcome == Outcome::Removed;
        let is_removed = at[BASE].is_some() && at[THEIRS].is_none();
        match at[OURS] {
            Some(ours) if is_removed && outcomes.values().all(is_empty) => {
                writer.remove_section(ours);
            }
            Some(ours) => {
                if !self.order(at, &outcomes, writer) {
                    self.write_entries(ours, at[THEIRS], &order, &outcomes, writer);
                }
            }
            None => {
                let new = at[THEIRS].into_iter().flat_map(|theirs| {
                    order.iter().filter_map(|key| {
                        self.line(theirs, key, &outcomes[&**key], [None, theirs.value(key)])
                    })
                });
                let lines: Vec<Vec<u8>> = new.collect();
                if let Some(theirs) = at[THEIRS].filter(|_| !lines.is_empty()) {
                    writer.add_section(theirs, before, &lines);
                }
            }
        }
        at[OURS].is_some()
    }

    fn write_entries(
        &self,
        ours: &SectionAt<'d>,
        theirs: Option<&SectionAt<'d>>,
        order: &[Cow<'d, [u8]>],
        outcomes: &HashMap<&[u8], Outcome>,
        writer: &mut Writer<'w, 'd>,
    ) {
        let mut after = None;
        for key in order {
            let outcome = &outcomes[&**key];
            let known = ours.entries.get(key);
            let values = [ours.value(key), theirs.and_then(|theirs| theirs.value(key))];
            match (known, outcome) {
                (Some(entry), Outcome::Removed) => writer.remove(ours, entry),
                (Some(entry), Outcome::Value(value)) => writer.replace(entry.value, value),
                (Some(entry), Outcome::Conflict) if self.kind != Kind::Project => {
                    let at = theirs.unwrap_or(ours);
                    if let Some(line) = self.line(at, key, outcome, values) {
                        writer.replace_entry(entry, &line);
                    }
                }
                (None, _) => {
                    let line = theirs.and_then(|at| self.line(at, key, outcome, values));
                    if let Some(line) = line {
                        writer.insert(ours, after, &line);
                    }
                }
                _ => {}
            }
            after = known.or(after);
        }
    }

    /// The lines of an entry that ours does not have, or of a conflict.
    fn line(
        &self,
        at: &SectionAt<'d>,
        key: &[u8],
        outcome: &Outcome,
        values: [Option<&[u8]>; 2],
    ) -> Option<Vec<u8>> {
        let written = |value: &[u8]| [at.written_key(key), b"=", value].concat();
        match outcome {
            Outcome::Value(value) => Some(written(value)),
            Outcome::Conflict if self.kind != Kind::Project => {
                let [ours, theirs] = values.map(|value| value.map(written));
                Some(marks::markers(ours.as_deref(), theirs.as_deref()))
            }
            _ => None,
        }
    }

    fn entry(&mut self, id: &[u8], key: &[u8], at: [Option<&SectionAt<'d>>; 3]) -> Outcome {
        let [base, ours, theirs] = at.map(|at| at.and_then(|at| at.value(key)));
        if is_same_or_none(ours, theirs) || is_same_or_none(base, theirs) {
            return Outcome::Ours;
        }
        if is_same_or_none(base, ours) {
            return theirs.map_or(Outcome::Removed, |theirs| Outcome::Value(theirs.to_vec()));
        }
        if let (Some(ours), Some(theirs)) = (ours, theirs)
            && let Some(merged) = value::merged(key, base, ours, theirs)
        {
            return if merged == ours { Outcome::Ours } else { Outcome::Value(merged) };
        }
        if self.is_made_by_godot(id, key) {
            if key == b"uid" {
                self.note(id, key, theirs);
            }
            return Outcome::Ours;
        }
        self.conflicts.push(Found {
            section: self.written_section(at),
            key: Some(String::from_utf8_lossy(key).into_owned()),
            values: [base, ours, theirs].map(|value| value.map(<[u8]>::to_vec)),
        });
        Outcome::Conflict
    }

    /// Whether Godot makes the value again from other files, when it imports them or looks for classes (Godot 3).
    fn is_made_by_godot(&self, id: &[u8], key: &[u8]) -> bool {
        match self.kind {
            Kind::Import => matches!(id, b"remap" | b"deps"),
            Kind::Project => id.is_empty() && key.starts_with(b"_global_script_class"),
            Kind::Presets | Kind::Other => false,
        }
    }

    fn note(&mut self, id: &[u8], key: &[u8], theirs: Option<&[u8]>) {
        let [id, key] = [id, key].map(String::from_utf8_lossy);
        let theirs = theirs.map_or("nothing".into(), String::from_utf8_lossy);
        let text = format!("both changed `{key}`; that of theirs was {theirs}");
        self.notes.push(MergeNote { place: place(&id), text });
    }

    /// Autoloads are made in the order of the file. If theirs changed that, writes the section and returns so.
    fn order(
        &mut self,
        at: [Option<&SectionAt<'d>>; 3],
        outcomes: &HashMap<&[u8], Outcome>,
        writer: &mut Writer<'w, 'd>,
    ) -> bool {
        let [Some(base), Some(ours), Some(theirs)] = at else { return false };
        if self.kind != Kind::Project || ours.id != AUTOLOAD {
            return false;
        }
        let keys = [base, ours, theirs].map(|at| at.entries.keys.as_slice());
        match keyed::takes_order_of_theirs(keys[0], keys[1], keys[2]) {
            Some(false) => false,
            Some(true) => {
                let lines = behind_all(keys[2], keys[1]).into_iter().filter_map(|key| {
                    let value = match &outcomes[&*key] {
                        Outcome::Value(value) => value,
                        Outcome::Removed => return None,
                        Outcome::Ours | Outcome::Conflict => ours.value(&key)?,
                    };
                    let at = if ours.value(&key).is_some() { ours } else { theirs };
                    Some([at.written_key(&key), b"=", value].concat())
                });
                writer.rewrite(ours, &lines.collect::<Vec<_>>());
                true
            }
            None => {
                let values = keys.map(|keys| Some(keys.join(&b", "[..])));
                let (section, key) = (self.written_section(at), Some(ORDER.to_owned()));
                self.conflicts.push(Found { section, key, values });
                false
            }
        }
    }

    /// Whether one side removed a section and the other changed it.
    fn is_removed_and_changed(&self, [base, ours, theirs]: [Option<&SectionAt<'d>>; 3]) -> bool {
        match (base, ours, theirs) {
            (Some(base), Some(one), None) | (Some(base), None, Some(one)) => {
                // If a section is in several places, others may be between its parts.
                if one.tags.len() > 1 {
                    return false;
                }
                let keys = base.entries.keys.iter().chain(&one.entries.keys);
                let mut pairs = keys.map(|key| (base.value(key), one.value(key)));
                pairs.any(|(base, one)| !is_same_or_none(base, one))
            }
            _ => false,
        }
    }

    fn section_conflict(
        &mut self,
        id: &[u8],
        at: [Option<&SectionAt<'d>>; 3],
        before: Option<&[u8]>,
        writer: &mut Writer<'w, 'd>,
    ) {
        let values = [BASE, OURS, THEIRS].map(|side| {
            let at = self.sides[side].get(id)?;
            Some(self.sides[side].source(at).to_vec())
        });
        let section = self.written_section(at);
        let marked = marks::markers(values[OURS].as_deref(), values[THEIRS].as_deref());
        match at[OURS] {
            Some(ours) => writer.replace_lines(self.sides[OURS].span(ours), &marked),
            None => writer.add_text(before, &marked),
        }
        self.conflicts.push(Found { section, key: None, values });
    }

    fn written_section(&self, at: [Option<&SectionAt<'d>>; 3]) -> String {
        let [base, ours, theirs] = at;
        let at = ours.or(theirs).or(base);
        at.map_or_else(String::new, |at| String::from_utf8_lossy(&at.name).into_owned())
    }
}
