//! The differences between two settings files, by section and key.

use hashbrown::HashMap;

use crate::config_file::parse_config;
use crate::diff::noise::{self, Tally};
use crate::diff::parts::{self, Inside};
use crate::diff::scene::{NEW, OLD, other_comments};
use crate::diff::spelling::is_alike;
use crate::diff::{Change, Diff, DiffRefusal, Entry, State, ThingKind, order};
use crate::line_index::LineIndex;
use crate::merge::settings::side::{Presets, SectionAt, SettingsSide};
use crate::merge::settings::{SETTING, check};
use crate::merge::value::Owner;
use crate::merge::{MergeSide, canonical, keyed};

/// The section of `project.godot` with a relevant order.
const AUTOLOAD: &[u8] = b"autoload";

pub(super) fn diff(path: &str, [old, new]: [&[u8]; 2]) -> Result<Diff, DiffRefusal> {
    let files = [parse_config(old), parse_config(old), parse_config(new)];
    check(&files[OLD], MergeSide::Base)?;
    check(&files[NEW], MergeSide::Theirs)?;
    let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
    let presets = (name == "export_presets.cfg").then(|| Presets::new(&files)).flatten();
    let side = |side: usize| SettingsSide::new(&files[side], side, presets.as_ref());
    let sides = [side(OLD), side(NEW)];
    let mut work = Work {
        sides: &sides,
        lines: [LineIndex::new(old), LineIndex::new(new)],
        is_import: name.ends_with(".import"),
        tally: Tally::default(),
    };
    let ids = |side: usize| sides[side].sections.iter().map(|at| &*at.id).collect::<Vec<_>>();
    let ids = [ids(0), ids(1)];
    work.count_order(noise::ORDER_OF_SECTIONS, &ids);
    work.tally.add(noise::COMMENTS, other_comments(files[OLD].document(), files[NEW].document()));
    let mut changes = Vec::new();
    for id in keyed::joined(&ids[1], &ids[0], |_| true) {
        changes.extend(work.section(id));
    }
    Ok(Diff { changes, tree: Vec::new(), noise: work.tally.into_noise() })
}

/// For `.uid` files, which are one line.
pub(super) fn diff_uids([old, new]: [&[u8]; 2]) -> Diff {
    let value = |text: &[u8]| {
        let text = text.trim_ascii();
        (!text.is_empty()).then(|| String::from_utf8_lossy(text).into_owned())
    };
    let (old, new) = (value(old), value(new));
    let state = match (&old, &new) {
        (None, Some(_)) => State::Added,
        (Some(_), None) => State::Removed,
        _ => State::Changed,
    };
    if old == new {
        return Diff::default();
    }
    let lines = [&old, &new].map(|value| value.as_ref().map(|_| 1));
    let entry = Entry { name: "uid".to_owned(), old, new, parts: Vec::new(), summary: None };
    let change = Change {
        kind: ThingKind::Header,
        name: "uid".to_owned(),
        type_name: None,
        state,
        old_name: None,
        entries: vec![entry],
        old_line: lines[0],
        new_line: lines[1],
    };
    Diff { changes: vec![change], ..Diff::default() }
}

struct Work<'w, 'd> {
    sides: &'w [SettingsSide<'d>; 2],
    lines: [LineIndex<'d>; 2],
    is_import: bool,
    tally: Tally,
}

impl<'d> Work<'_, 'd> {
    fn count_order<K: std::hash::Hash + Eq>(&mut self, what: &'static str, order: &[Vec<K>; 2]) {
        let known: HashMap<&K, usize> =
            order[0].iter().enumerate().map(|(index, key)| (key, index)).collect();
        let both = order[1].iter().enumerate();
        let places = both.filter_map(|(index, key)| Some((*known.get(key)?, index))).collect();
        self.tally.add(what, order::moved(places).len());
    }

    fn section(&mut self, id: &[u8]) -> Option<Change> {
        let at = [self.sides[0].get(id), self.sides[1].get(id)];
        let state = match at {
            [Some(_), Some(_)] => State::Changed,
            [None, _] => State::Added,
            [_, None] => State::Removed,
        };
        let keys = at.map(|at| at.map_or(&[][..], |at| at.entries.keys.as_slice()));
        let mut entries = Vec::new();
        for key in keyed::joined(keys[1], keys[0], |_| true) {
            entries.extend(self.entry(id, &key, at));
        }
        if let [Some(old), Some(new)] = at {
            entries.extend(self.order(id, old, new));
            self.tally.add(noise::NUMBERS, usize::from(old.name != new.name));
        }
        let counts = at.map(|at| at.map_or(0, |at| at.earlier.values().map(Vec::len).sum()));
        self.tally.add(noise::DOUBLED, counts[0].abs_diff(counts[1]));
        // Godot knows no section without settings.
        if entries.is_empty() {
            return None;
        }
        let line = |side: usize| {
            let at = at[side]?;
            let first = at.entries.keys.first().and_then(|key| at.entries.get(key));
            let start = at.tags.first().map(|tag| tag.start).or(first.map(|entry| entry.key.start));
            Some(self.lines[side].position(start?).line)
        };
        let [old_line, new_line] = [line(0), line(1)];
        let name = String::from_utf8_lossy(&at[1].or(at[0])?.name).into_owned();
        let kind = if name.is_empty() { ThingKind::Header } else { ThingKind::Section };
        Some(Change {
            kind,
            name,
            type_name: None,
            state,
            old_name: None,
            entries,
            old_line,
            new_line,
        })
    }

    fn entry(&mut self, id: &[u8], key: &[u8], at: [Option<&SectionAt<'d>>; 2]) -> Option<Entry> {
        let [old, new] = at.map(|at| at.and_then(|at| at.value(key)));
        let mut inside = Inside::default();
        if let (Some(old), Some(new)) = (old, new) {
            if old == new {
                return None;
            }
            if canonical::is_same(old, new) || is_alike(old, new) {
                self.tally.add(noise::SPELLING, 1);
                return None;
            }
            inside = parts::inside(Owner::new(SETTING, key), old, new);
        }
        if self.is_import && is_made_by_import(id, key) {
            self.tally.add(noise::IMPORT, 1);
            return None;
        }
        let readable = |text: &[u8]| String::from_utf8_lossy(text).into_owned();
        Some(Entry {
            name: readable(key),
            old: old.map(readable),
            new: new.map(readable),
            parts: inside.parts,
            summary: inside.summary,
        })
    }

    /// Autoloads are made in the order of the file; elsewhere it has no meaning.
    fn order(&mut self, id: &[u8], old: &SectionAt<'d>, new: &SectionAt<'d>) -> Option<Entry> {
        let keys = [old, new].map(|at| at.entries.keys.clone());
        if id != AUTOLOAD {
            self.count_order(noise::ORDER_OF_PROPERTIES, &keys);
            return None;
        }
        let list = |at: &SectionAt<'d>, other: &SectionAt<'d>| {
            let kept = at.entries.keys.iter().filter(|key| other.entries.get(key).is_some());
            let names: Vec<_> = kept.map(|key| String::from_utf8_lossy(key)).collect();
            format!("[{}]", names.join(", "))
        };
        let (before, after) = (list(old, new), list(new, old));
        (before != after).then(|| Entry {
            name: "order".to_owned(),
            old: Some(before),
            new: Some(after),
            parts: Vec::new(),
            summary: None,
        })
    }
}

/// The results that the importer writes (`EditorFileSystem::_reimport_file`, editor/file_system/editor_file_system.cpp,
/// Godot 4.6.3).
fn is_made_by_import(id: &[u8], key: &[u8]) -> bool {
    match id {
        b"remap" => key.starts_with(b"path") || matches!(key, b"valid" | b"metadata"),
        b"deps" => matches!(key, b"files" | b"dest_files" | b"source_md5" | b"dest_md5"),
        _ => false,
    }
}
