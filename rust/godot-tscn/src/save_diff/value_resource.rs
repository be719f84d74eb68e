//! A value by itself, with the resources that it refers to.

use hashbrown::HashSet;

use crate::document::{Document, Reference, ReferenceKind, Section, TagKind};
use crate::model::resource_ids::ResourceIds;
use crate::span::Span;

/// A text resource with the value at this place as `metadata/value`, with all `ext_resource`s and
/// `sub_resource`s that it needs; nothing if it needs none. Godot can load it.
///
/// ```
/// let text = b"[gd_scene format=3]\n\n[sub_resource type=\"Curve\" id=\"c\"]\nbake_resolution = 9\n\n\
///              [node name=\"A\" type=\"Node\"]\ncurve = SubResource(\"c\")\n";
/// let document = godot_tscn::parse(text);
/// let node = document.sections().last().unwrap();
/// let value = node.properties().next().unwrap().value_span();
/// let resource = godot_tscn::value_resource(&document, value).unwrap();
/// assert!(resource.ends_with(b"\n[resource]\nmetadata/value = SubResource(\"c\")\n"));
/// assert_eq!(godot_tscn::value_resource(&document, node.name_span()), None);
/// ```
pub fn value_resource(document: &Document<'_>, value: Span) -> Option<Vec<u8>> {
    let needed = needed_sections(document, value);
    if needed.is_empty() {
        return None;
    }
    let text = document.text();
    let header = document.sections().next();
    let format =
        header.and_then(|header| header.field("format")).map_or(&b"3"[..], |field| field.source());
    let mut resource = [b"[gd_resource type=\"Resource\" format=", format, b"]\n\n"].concat();
    for section in document.sections().filter(|section| needed.contains(&section.index())) {
        resource.extend_from_slice(section.span().of(text).trim_ascii_end());
        resource.extend_from_slice(b"\n\n");
    }
    resource.extend_from_slice(b"[resource]\nmetadata/value = ");
    resource.extend_from_slice(value.of(text));
    resource.push(b'\n');
    Some(resource)
}

/// The indexes of the sections that the value refers to, and those that they refer to.
fn needed_sections(document: &Document<'_>, value: Span) -> HashSet<u32> {
    let external = ResourceIds::new(document, ReferenceKind::ExtResource);
    let internal = ResourceIds::new(document, ReferenceKind::SubResource);
    let mut needed = HashSet::new();
    let references = document.references();
    let first = references.partition_point(|reference| reference.target.start < value.start);
    let mut open: Vec<&Reference> =
        references[first..].iter().take_while(|each| value.contains(each.target)).collect();
    while let Some(reference) = open.pop() {
        let ids = match reference.kind {
            ReferenceKind::ExtResource => &external,
            ReferenceKind::SubResource => &internal,
            ReferenceKind::Resource => continue,
        };
        let Some(definition) = ids.find(&document.target(reference)) else { continue };
        let section: Section<'_> = definition.section;
        if needed.insert(section.index()) && section.kind() == TagKind::SubResource {
            open.extend(section.references());
        }
    }
    needed
}
