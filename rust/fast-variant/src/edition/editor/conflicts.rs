//! Conflicts that a merge left, for `SceneMerge`.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use godot::builtin::{
    AnyDictionary, Array, PackedByteArray, PackedInt32Array, PackedStringArray, VarDictionary,
    vdict,
};
use godot_tscn::{
    Document, LineIndex, MergeSide, Reference, ReferenceKind, Section, Settlement, Span,
    SyntaxError, SyntaxErrorKind, TagKind, Unresolved, UnresolvedKind,
};
use similar::{Algorithm, DiffOp, capture_diff_slices_deadline};

use super::readable::readable;

const SIDES: [MergeSide; 3] = [MergeSide::Base, MergeSide::Ours, MergeSide::Theirs];

/// The part of a value that is shown; the rest is in the text.
const MAX_SHOWN: usize = 20_000;

/// So long what differs in a value is looked for; after that, more is marked than differs.
const DIFF_DEADLINE: Duration = Duration::from_millis(50);

pub(crate) fn conflicts(text: &[u8]) -> Array<VarDictionary> {
    let found = godot_tscn::unresolved(text);
    if found.is_empty() {
        return Array::new();
    }
    let document = godot_tscn::parse(text);
    let names = Names::new(&document);
    let lines = LineIndex::new(text);
    found.iter().map(|conflict| dictionary(conflict, &names, &lines)).collect()
}

/// Whether git has left its markers in the text of the file at `path`.
pub(crate) fn has_markers(path: &str, text: &[u8]) -> bool {
    // Most files have nothing that looks like one.
    if !text.split(|byte| *byte == b'\n').any(|line| line.starts_with(b"<<<<<<<")) {
        return false;
    }
    let is_marker = |error: &SyntaxError| error.kind == SyntaxErrorKind::ConflictMarker;
    match godot_tscn::is_config_path(path) {
        true => godot_tscn::parse_config(text).errors().iter().any(is_marker),
        false => godot_tscn::parse(text).errors().iter().any(is_marker),
    }
}

pub(crate) fn settle(text: &[u8], choices: &AnyDictionary) -> PackedByteArray {
    let choices: HashMap<String, String> = choices
        .iter_shared()
        .map(|(number, choice)| (number.stringify().to_string(), choice.stringify().to_string()))
        .collect();
    let choice = |conflict: &Unresolved| {
        let choice = choices.get(&conflict.number.to_string())?;
        let side = SIDES.into_iter().find(|side| side.as_str() == choice);
        side.map(Settlement::Take).or((choice == "as_it_stands").then_some(Settlement::AsItStands))
    };
    godot_tscn::settle(text, choice).text.into()
}

/// `texts` are base, ours and theirs.
pub(crate) fn merge_texts(path: &str, [base, ours, theirs]: [&[u8]; 3]) -> VarDictionary {
    let (text, conflicts, error) = match godot_tscn::merge_file(path, base, ours, theirs) {
        Ok(merged) => (merged.text, merged.conflicts.len() as i64, String::new()),
        Err(refusal) => (Vec::new(), 0, refusal.to_string()),
    };
    vdict! { "text" => &PackedByteArray::from(text), "conflicts" => conflicts, "error" => error }
}

pub(crate) fn conflict_resource(text: &[u8], number: i64, side: &str) -> PackedByteArray {
    let found = godot_tscn::unresolved(text);
    let conflict = found.iter().find(|conflict| conflict.number as i64 == number);
    let side = SIDES.into_iter().position(|each| each.as_str() == side);
    let span = conflict.zip(side).and_then(|(conflict, side)| conflict.spans[side]);
    let resource = span.and_then(|span| godot_tscn::value_resource(&godot_tscn::parse(text), span));
    resource.map_or_else(PackedByteArray::new, Into::into)
}

fn dictionary(conflict: &Unresolved, names: &Names<'_>, lines: &LineIndex<'_>) -> VarDictionary {
    let (kind, name) = match &conflict.kind {
        UnresolvedKind::Property(name) => ("property", name.as_str()),
        UnresolvedKind::Field(name) => ("field", name.as_str()),
        UnresolvedKind::Removed(by) => ("removed", by.as_str()),
        UnresolvedKind::Name(name) => ("name", name.as_str()),
        UnresolvedKind::Order => ("order", ""),
        UnresolvedKind::Setting => ("setting", ""),
        _ => ("other", ""),
    };
    let values = values(conflict, names, lines);
    let sides: PackedStringArray = conflict.sides.iter().map(|side| side.as_str().into()).collect();
    vdict! {
        "number" => conflict.number as i64,
        "place" => readable(&conflict.place),
        "what" => readable(&conflict.what),
        "kind" => kind,
        "name" => name,
        "shown_name" => readable(name),
        "node_path" => conflict.node_path.as_deref().unwrap_or_default(),
        "sub_resource" => conflict.sub_resource.as_deref().unwrap_or_default(),
        "sides" => &sides,
        "values" => &values,
    }
}

/// What each side has, by side.
fn values(conflict: &Unresolved, names: &Names<'_>, lines: &LineIndex<'_>) -> VarDictionary {
    let texts = [&conflict.base, &conflict.ours, &conflict.theirs];
    let mut values = VarDictionary::new();
    for ((side, text), span) in SIDES.into_iter().zip(texts).zip(conflict.spans) {
        let Some(text) = text.as_deref() else { continue };
        let shown = match conflict.kind {
            UnresolvedKind::Order => shortened(&names_in_lines(text)),
            _ => names.shown(text, span),
        };
        let (path, class) = names.resource(span);
        let line = span.map_or(1, |span| i64::from(lines.position(span.start).line));
        values.set(side.as_str(), &vdict! {
            "shown" => readable(&shown), "path" => path, "resource_class" => class, "line" => line,
        });
    }
    values
}

/// A list of names, each in a line.
fn names_in_lines(list: &str) -> String {
    let inside = list.strip_prefix("[\"").and_then(|list| list.strip_suffix("\"]"));
    inside.map_or_else(|| list.to_owned(), |names| names.replace("\", \"", "\n"))
}

/// What the ids of a file stand for.
struct Names<'d> {
    document: &'d Document<'d>,
    resources: HashMap<(ReferenceKind, Vec<u8>), Section<'d>>,
}

impl<'d> Names<'d> {
    fn new(document: &'d Document<'d>) -> Self {
        let mut resources = HashMap::new();
        for section in document.sections() {
            let kind = match section.kind() {
                TagKind::ExtResource => ReferenceKind::ExtResource,
                TagKind::SubResource => ReferenceKind::SubResource,
                _ => continue,
            };
            if let Some(id) = section.field_text("id") {
                resources.insert((kind, id.into_owned()), section);
            }
        }
        Self { document, resources }
    }

    /// The value with paths in the place of ids. For a resource inside the file, also its content.
    fn shown(&self, text: &str, span: Option<Span>) -> String {
        let Some(span) = span else { return shortened(text) };
        let source = self.document.text();
        let mut shown = Vec::new();
        let mut done = span.start;
        for reference in self.references(span) {
            if shown.len() > MAX_SHOWN {
                break;
            }
            shown.extend_from_slice(&source[done as usize..reference.target.start as usize]);
            shown.extend_from_slice(&self.explained(reference));
            done = reference.target.end;
        }
        let end = span.end.min(done.saturating_add(MAX_SHOWN as u32 + 1));
        shown.extend_from_slice(&source[done as usize..end as usize]);
        if let Some(section) =
            self.only(span).filter(|section| section.kind() == TagKind::SubResource)
        {
            for property in section.properties().take(MAX_SHOWN / 10) {
                shown.extend_from_slice(b"\n");
                shown.extend_from_slice(&property.key());
                shown.extend_from_slice(b" = ");
                shown.extend_from_slice(property.source());
                if shown.len() > MAX_SHOWN {
                    break;
                }
            }
        }
        shortened(&String::from_utf8_lossy(&shown))
    }

    /// The path and the class of the resource that is the whole value; empty if it is something else.
    fn resource(&self, span: Option<Span>) -> (String, String) {
        let Some(section) = span.and_then(|span| self.only(span)) else {
            return Default::default();
        };
        let field = |name| section.field_text(name).unwrap_or_default();
        let text = |name| String::from_utf8_lossy(&field(name)).into_owned();
        let is_file = section.kind() == TagKind::ExtResource;
        (if is_file { text("path") } else { String::new() }, text("type"))
    }

    /// What the whole value refers to.
    fn only(&self, span: Span) -> Option<Section<'d>> {
        let value = span.of(self.document.text());
        let is_reference = value.starts_with(b"ExtResource(") || value.starts_with(b"SubResource(");
        let reference = self.references(span).next().filter(|_| is_reference)?;
        self.section(reference)
    }

    fn section(&self, reference: &Reference) -> Option<Section<'d>> {
        let id = self.document.target(reference).into_owned();
        self.resources.get(&(reference.kind, id)).copied()
    }

    fn references(&self, span: Span) -> impl Iterator<Item = &'d Reference> {
        let all = self.document.references();
        let first = all.partition_point(|reference| reference.target.start < span.start);
        all[first..].iter().take_while(move |reference| span.contains(reference.target))
    }

    fn explained(&self, reference: &Reference) -> Vec<u8> {
        let source = reference.target.of(self.document.text());
        let Some(section) = self.section(reference) else { return source.to_vec() };
        match section.kind() {
            TagKind::ExtResource => {
                section.field("path").map_or(source, |path| path.source()).to_vec()
            }
            _ => [&*section.field_text("type").unwrap_or_default(), b" ", source].concat(),
        }
    }
}

fn shortened(text: &str) -> String {
    match text.char_indices().nth(MAX_SHOWN) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// Where `text` differs from `other`: pairs of a first character and the one after the last.
pub(crate) fn marks(other: &str, text: &str) -> PackedInt32Array {
    let (other, text) = (words(other), words(text));
    let deadline = Some(Instant::now() + DIFF_DEADLINE);
    let steps = capture_diff_slices_deadline(Algorithm::Myers, &other, &text, deadline);
    let mut starts = vec![0];
    for word in &text {
        starts.push(starts[starts.len() - 1] + word.chars().count() as i32);
    }
    let changed = steps.iter().filter(|step| !matches!(step, DiffOp::Equal { .. }));
    let ranges = changed.map(DiffOp::new_range).filter(|range| !range.is_empty());
    ranges.flat_map(|range| [starts[range.start], starts[range.end]]).collect()
}

/// Words and numbers, and each other character by itself.
fn words(text: &str) -> Vec<&str> {
    let is_inside = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '.' | '-');
    let mut words = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let end = rest.find(|letter| !is_inside(letter)).unwrap_or(rest.len());
        let (word, after) = rest.split_at(end.max(first.len_utf8()));
        words.push(word);
        rest = after;
    }
    words
}
