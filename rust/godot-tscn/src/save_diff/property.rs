//! One property as a loss: its object, and the target of its value.

use std::borrow::Cow;

use hashbrown::HashMap;

use crate::document::{Document, Property, ReferenceKind, Section, TagKind};
use crate::node_places::node_path;
use crate::save_diff::comparison::{lossy, sections, text_of};
use crate::save_diff::{Loss, LossCause, LossKind};
use crate::span::Span;

/// Describes the properties of one text.
pub(super) struct PropertyLosses<'d> {
    document: &'d Document<'d>,
    /// The paths of the `ext_resource`s, by id.
    files: HashMap<Cow<'d, [u8]>, String>,
}

impl<'d> PropertyLosses<'d> {
    pub(super) fn new(document: &'d Document<'d>) -> Self {
        let files = sections(document, TagKind::ExtResource)
            .filter_map(|section| Some((section.field_text("id")?, text_of(section, "path"))))
            .collect();
        Self { document, files }
    }

    pub(super) fn loss(
        &self,
        property: Property<'d>,
        section: Section<'d>,
        node_path: Option<&[u8]>,
    ) -> Loss {
        let cause = if property.engine_key_span() == property.key_span() {
            LossCause::Unclear
        } else {
            LossCause::Misread
        };
        let is_node = section.kind() == TagKind::Node;
        let kind = LossKind::Property {
            name: lossy(&property.key()),
            resource_class: (!is_node).then(|| self.class_of(section)),
            sub_resource: section.field_text("id").map(|id| lossy(&id)),
            has_script: section.properties().any(|property| *property.key() == *b"script"),
            files: self.files_in(section, property.value_span()),
        };
        let value = property.value_span();
        let span = property.engine_key_span().join(value);
        Loss { kind, cause, node_path: node_path.map(lossy), span, value }
    }

    /// The class of a resource's section; that of the main one is in the header.
    fn class_of(&self, section: Section<'d>) -> String {
        match section.kind() {
            TagKind::Resource => sections(self.document, TagKind::GdResource)
                .next()
                .map(|header| text_of(header, "type"))
                .unwrap_or_default(),
            _ => text_of(section, "type"),
        }
    }

    fn files_in(&self, section: Section<'d>, span: Span) -> Vec<String> {
        let references = section.references();
        let first = references.partition_point(|reference| reference.target.start < span.start);
        references[first..]
            .iter()
            .take_while(|reference| span.contains(reference.target))
            .filter_map(|reference| match reference.kind {
                ReferenceKind::ExtResource => {
                    self.files.get(&self.document.target(reference)).cloned()
                }
                ReferenceKind::Resource => Some(lossy(&self.document.target(reference))),
                ReferenceKind::SubResource => None,
            })
            .collect()
    }
}

/// The property of a node or resource at this place, as in the result of [`lost`](super::lost).
pub fn property_at(document: &Document<'_>, offset: u32) -> Option<Loss> {
    let section = document.section_at(offset)?;
    let has_object =
        |kind| matches!(kind, TagKind::Node | TagKind::SubResource | TagKind::Resource);
    let property = section.properties().find(|property| {
        property.engine_key_span().start <= offset && offset < property.value_span().end
    });
    let property = property.filter(|_| has_object(section.kind()))?;
    let node_path = (section.kind() == TagKind::Node).then(|| node_path(section)).flatten();
    Some(PropertyLosses::new(document).loss(property, section, node_path.as_deref()))
}
