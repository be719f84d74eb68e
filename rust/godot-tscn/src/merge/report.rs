//! Conflicts and notes in words.

use hashbrown::{HashMap, HashSet};

use crate::diagnostic::RuleGroup;
use crate::diagnostic::Severity;
use crate::document::{Document, Section, TagKind};
use crate::line_index::LineIndex;
use crate::lint::lint_unsuppressed;
use crate::merge::conflict::{Conflicts, Found, Item};
use crate::merge::names::{Names, quoted};
use crate::merge::places::place_in;
use crate::merge::side::{BASE, OURS, THEIRS};
use crate::merge::touched::other;
use crate::merge::tracks::shown;
use crate::merge::tree::{path_of, push_name};
use crate::merge::{MergeConflict, MergeNote, MergeSide, Merged};
use crate::options::LintOptions;
use crate::rule_info::RuleInfo;
use crate::span::Span;
use crate::syntax;

/// Gives conflicts about names, parents and orders the values of each side, as in the result.
pub(super) fn fill(names: &Names<'_, '_>, conflicts: &mut Conflicts) {
    for found in &mut conflicts.found {
        let of_side = |side: usize| match &found.item {
            Item::Field(field) if field == "name" => {
                let place = place_in(names.sides, names.rows, found.row, side)?;
                Some(quoted(&place.name))
            }
            Item::Field(field) if field == "parent" => {
                let place = place_in(names.sides, names.rows, found.row, side)?;
                let mut path = path_of(names.places, place.parent);
                push_name(&mut path, &place.rest);
                Some(quoted(if path.is_empty() { b"." } else { &path }))
            }
            _ => None,
        };
        let values = [BASE, OURS, THEIRS].map(of_side);
        if values.iter().any(Option::is_some) {
            found.values = values;
        }
    }
    orders(names, conflicts);
}

/// The children of nodes with a conflict of their order.
fn orders(names: &Names<'_, '_>, conflicts: &mut Conflicts) {
    let is_order = |found: &&mut Found| found.item == Item::Order;
    let mut lists: HashMap<u32, [Vec<Vec<u8>>; 3]> = conflicts
        .found
        .iter_mut()
        .filter(is_order)
        .map(|found| (found.row, Default::default()))
        .collect();
    if lists.is_empty() {
        return;
    }
    for side in [BASE, OURS, THEIRS] {
        for node in &names.sides[side].tree.nodes {
            let row = names.rows.of[side][node.section as usize];
            let Some(place) = names.places.get(row).filter(|place| place.rest.is_empty()) else {
                continue;
            };
            if let Some(lists) = lists.get_mut(&place.parent) {
                lists[side].push(quoted(&place.name));
            }
        }
    }
    for found in conflicts.found.iter_mut().filter(is_order) {
        let Some(lists) = lists.remove(&found.row) else { continue };
        found.values =
            lists.map(|list| Some([b"[", list.join(&b", "[..]).as_slice(), b"]"].concat()));
    }
}

/// Where a row is, for people.
pub(super) fn place(names: &Names<'_, '_>, index: u32) -> String {
    let row = names.rows.row(index);
    let side = [OURS, THEIRS, BASE].into_iter().find(|side| row.is_in(*side)).unwrap_or(BASE);
    place_of(names.sides[side].section(row.at[side]), || path_of(names.places, index))
}

/// Where a section is, for people; `path` gives the path of a node.
pub(super) fn place_of(section: Section<'_>, path: impl FnOnce() -> Vec<u8>) -> String {
    let text = |field: &str| {
        let text = section.field_text(field).unwrap_or_default();
        String::from_utf8_lossy(&text).into_owned()
    };
    match section.kind() {
        TagKind::Node => {
            let path = path();
            let path = if path.is_empty() { b".".to_vec() } else { path };
            format!("node \"{}\"", String::from_utf8_lossy(&path))
        }
        TagKind::ExtResource => format!("ext_resource \"{}\"", text("path")),
        TagKind::SubResource => format!("sub_resource {} \"{}\"", text("type"), text("id")),
        TagKind::Connection => format!(
            "connection {} of \"{}\" to {} of \"{}\"",
            text("signal"),
            text("from"),
            text("method"),
            text("to")
        ),
        TagKind::Editable => format!("editable \"{}\"", text("path")),
        TagKind::Resource => "resource".to_owned(),
        TagKind::GdScene | TagKind::GdResource | TagKind::Nested | TagKind::Unknown => {
            "header".to_owned()
        }
    }
}

/// The result with its conflicts and notes.
pub(super) fn merged(names: &Names<'_, '_>, conflicts: &Conflicts, text: Vec<u8>) -> Merged {
    let readable = |value: &Option<Vec<u8>>| {
        value.as_ref().map(|value| String::from_utf8_lossy(value).into_owned())
    };
    let conflict = |found: &Found| {
        let [base, ours, theirs] = [0, 1, 2].map(|side: usize| readable(&found.values[side]));
        let place = place(names, found.row);
        MergeConflict { place, what: what(names, found), base, ours, theirs }
    };
    let mut notes: Vec<MergeNote> = Vec::new();
    for settled in &conflicts.settled {
        let theirs = settled.theirs.as_ref().map(|text| String::from_utf8_lossy(text));
        let text = match theirs {
            Some(theirs) => format!("both changed `{}`; that of theirs was {theirs}", settled.name),
            None => format!("both changed `{}`; theirs removed it", settled.name),
        };
        notes.push(MergeNote { place: place(names, settled.row), text });
    }
    Merged { text, conflicts: conflicts.found.iter().map(conflict).collect(), notes }
}

/// Comments that theirs added and the result does not have: Godot does not keep any.
pub(super) fn left_comments(names: &Names<'_, '_>, merged: &[u8]) -> Vec<MergeNote> {
    let [base, _, theirs] = names.sides.each_ref().map(|side| side.document);
    let known: HashSet<&[u8]> = comments(base).map(|(_, text)| text).collect();
    let added: Vec<_> = comments(theirs).filter(|(_, text)| !known.contains(text)).collect();
    if added.is_empty() {
        return Vec::new();
    }
    let document = syntax::parse(merged);
    let kept: HashSet<&[u8]> = comments(&document).map(|(_, text)| text).collect();
    let lines = LineIndex::new(theirs.text());
    let left = added.into_iter().filter(|(_, text)| !kept.contains(text));
    left.map(|(at, text)| MergeNote {
        place: format!("line {} of theirs", lines.position(at).line),
        text: format!(
            "the comment that theirs added is left out: {}",
            String::from_utf8_lossy(text)
        ),
    })
    .collect()
}

/// The start and the text of each comment.
fn comments<'d>(document: &Document<'d>) -> impl Iterator<Item = (u32, &'d [u8])> {
    let text = document.text();
    let comment = move |span: &Span| (span.start, span.of(text).trim_ascii());
    document.comments().iter().map(comment)
}

fn what(names: &Names<'_, '_>, found: &Found) -> String {
    match &found.item {
        Item::Field(name) => format!("field {name}"),
        Item::Property(name) => format!("property {name}"),
        Item::Name(name) => format!("another node has its name `{name}`"),
        Item::Order => "the order of its children".to_owned(),
        Item::Removed { by, changed } => {
            let sides = [*by, other(*by)].map(|side| MergeSide::ALL[side].as_str());
            let what = match *changed == found.row {
                true => "it".to_owned(),
                false => place(names, *changed),
            };
            format!("{} removed it, {} changed {what}", sides[0], sides[1])
        }
        Item::Track { by, path, .. } => {
            let sides = [*by, other(*by)].map(|side| MergeSide::ALL[side].as_str());
            format!("{}: {} removed it, {} changed it", shown(path), sides[0], sides[1])
        }
    }
}

/// Errors of the result that neither side has.
pub(super) fn new_errors(texts: [&[u8]; 3], merged: &[u8]) -> Vec<MergeConflict> {
    let errors = |text: &[u8]| {
        // The other rules have no say here, and would take as long as the merge.
        let may_tell =
            |rule: &RuleInfo| rule.severity == Severity::Error || rule.group == RuleGroup::Syntax;
        let document = syntax::parse(text);
        let found = lint_unsuppressed(&document, &LintOptions::default(), may_tell);
        found
            .diagnostics
            .into_iter()
            .filter(|each| each.severity == Severity::Error)
            .collect::<Vec<_>>()
    };
    let found = errors(merged);
    if found.is_empty() {
        return Vec::new();
    }
    let mut known: HashMap<&'static str, usize> = HashMap::new();
    for side in [OURS, THEIRS] {
        let mut counts: HashMap<&'static str, usize> = HashMap::new();
        for each in errors(texts[side]) {
            *counts.entry(each.code).or_default() += 1;
        }
        for (code, count) in counts {
            let most = known.entry(code).or_default();
            *most = (*most).max(count);
        }
    }
    let mut new = Vec::new();
    for each in found {
        match known.get_mut(each.code) {
            Some(count) if *count > 0 => *count -= 1,
            _ => new.push(MergeConflict {
                place: format!("the merged text: {}", each.code),
                what: each.message,
                base: None,
                ours: None,
                theirs: None,
            }),
        }
    }
    new
}
