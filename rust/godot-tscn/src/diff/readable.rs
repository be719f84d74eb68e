//! A text as people read it line by line: with the meaning of ids in their place, and without noise.

use crate::diff::labels::Labels;
use crate::diff::scene::NEW;
use crate::document::{Section, TagKind};
use crate::merge::conflict::Conflicts;
use crate::merge::ids::Ids;
use crate::merge::names::{Names, with_edits};
use crate::merge::noise::is_of_editor;
use crate::merge::places::Places;
use crate::merge::rows::Rows;
use crate::merge::side::Side;
use crate::span::Span;
use crate::syntax;

/// A scene or resource with the names of resources in the place of their ids, the resources in the order of those, and without
/// ids of nodes, `load_steps` and the editor's own notes. Nothing if Godot cannot read it.
///
/// Godot cannot read the result: it is for a diff of lines.
///
/// ```
/// let text = b"[gd_scene load_steps=2 format=3]\n\n[ext_resource path=\"res://a.gd\" id=\"1_x\"]\n\n\
///     [node name=\"A\" type=\"Node\" unique_id=7]\nscript = ExtResource(\"1_x\")\n";
/// let readable = String::from_utf8(godot_tscn::readable(text).unwrap()).unwrap();
/// assert_eq!(
///     readable,
///     "[gd_scene format=3]\n\n[ext_resource path=\"res://a.gd\"]\n\n\
///      [node name=\"A\" type=\"Node\"]\nscript = ExtResource(\"res://a.gd\")\n"
/// );
/// ```
#[must_use]
pub fn readable(text: &[u8]) -> Option<Vec<u8>> {
    let (nothing, document) = (syntax::parse(b""), syntax::parse(text));
    let is_known = !document
        .sections()
        .any(|section| matches!(section.kind(), TagKind::Unknown | TagKind::Nested));
    if !document.errors().is_empty() || !is_known || document.sections().len() == 0 {
        return None;
    }
    let sides = [Side::new(&nothing), Side::new(&nothing), Side::new(&document)];
    let rows = Rows::of_two(&sides);
    let places = Places::new(&sides, &rows, &mut Conflicts::default());
    let ids = Ids::new(&sides, &rows);
    let names = Names::new(&sides, &rows, &ids, &places);
    let labels = Labels::new(&names);
    let mut written: Vec<(u8, Vec<u8>)> = Vec::new();
    for section in document.sections() {
        let rank = match section.kind() {
            TagKind::GdScene | TagKind::GdResource => 0,
            TagKind::ExtResource => 1,
            TagKind::SubResource => 2,
            _ => 3,
        };
        let mut lines = Vec::new();
        write(&names, &labels, section, &mut lines);
        written.push((rank, lines));
    }
    // The sections after the resources keep their order.
    let resources = |entry: &(u8, Vec<u8>)| match entry.0 {
        1 | 2 => (entry.0, entry.1.clone()),
        rank => (rank, Vec::new()),
    };
    written.sort_by_cached_key(resources);
    let mut out = Vec::with_capacity(text.len());
    let mut last = None;
    for (rank, lines) in written {
        // Files that are used stand in one block.
        if last.is_some_and(|last| last != 1 || rank != 1) {
            out.push(b'\n');
        }
        out.extend(lines);
        last = Some(rank);
    }
    Some(out)
}

fn write<'d>(names: &Names<'_, 'd>, labels: &Labels, section: Section<'d>, out: &mut Vec<u8>) {
    let text = names.sides[NEW].document.text();
    let shown = |span: Span| {
        let mut edits = Vec::new();
        labels.edits(names, NEW, section, span, &mut edits);
        with_edits(text, span, &edits)
    };
    out.push(b'[');
    out.extend_from_slice(section.name());
    let row = names.rows.of[NEW][section.index() as usize];
    if section.kind() == TagKind::SubResource {
        out.push(b' ');
        out.extend_from_slice(labels.get(row).unwrap_or_default().as_bytes());
    }
    for field in section.fields() {
        let key = field.name();
        let is_id = matches!(key, b"load_steps" | b"unique_id")
            || section.kind() == TagKind::ExtResource && key == b"uid"
            || key.ends_with(b"_id_path")
            || key.ends_with(b"_uid_path");
        let is_label = match section.kind() {
            TagKind::SubResource => matches!(key, b"id" | b"type"),
            kind => kind == TagKind::ExtResource && key == b"id",
        };
        if !is_id && !is_label {
            out.push(b' ');
            out.extend_from_slice(key);
            out.push(b'=');
            out.extend(shown(field.value_span()));
        }
    }
    out.extend_from_slice(b"]\n");
    for property in section.properties() {
        if !is_of_editor(&property.engine_key()) {
            out.extend_from_slice(property.engine_key_span().of(text));
            out.extend_from_slice(b" = ");
            out.extend(shown(property.value_span()));
            out.push(b'\n');
        }
    }
}
