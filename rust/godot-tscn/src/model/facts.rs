//! The contents of a document, looked up once for all rules: rare things, and the known Godot names of its
//! fields.

use crate::document::{Document, TagKind};
use crate::model::field_name::{FieldName, FieldNames};

/// Which properties and fields a document has. A rule has nothing to do if its `has_…` is false.
#[derive(Clone, Debug, Default)]
pub(crate) struct Facts {
    /// A property `metadata/_…`: data of the editor and of addons.
    pub(crate) has_private_metadata: bool,
    /// A property `__meta__`, as Godot 3 wrote it.
    pub(crate) has_meta: bool,
    /// A property `unique_name_in_owner`.
    pub(crate) has_unique_names: bool,
    /// A property `resource_path`, or one with a quoted key that may be it.
    pub(crate) has_resource_paths: bool,
    pub(crate) has_unique_ids: bool,
    pub(crate) has_groups: bool,
    pub(crate) has_node_paths: bool,
    pub(crate) has_indices: bool,
    pub(crate) has_flags: bool,
    /// The length in bytes of the longest property value.
    pub(crate) longest_value: u32,
    pub(crate) connection_count: u32,
    /// The names of all fields, in the order of the text, if Godot knows them.
    pub(crate) field_names: Vec<Option<FieldName>>,
}

impl Facts {
    pub(crate) fn new(document: &Document<'_>) -> Self {
        let mut facts = Self::default();
        let text = document.text();
        for property in &document.tree.properties {
            let key = property.key.of(text);
            match key.first() {
                Some(b'm') => facts.has_private_metadata |= key.starts_with(b"metadata/_"),
                Some(b'_') => facts.has_meta |= key == b"__meta__",
                Some(b'r') => facts.has_resource_paths |= key == b"resource_path",
                Some(b'"') => facts.has_resource_paths = true,
                Some(b'u') => facts.has_unique_names |= key == b"unique_name_in_owner",
                _ => {}
            }
            facts.longest_value = facts.longest_value.max(property.value.len());
        }
        facts.field_names =
            document.tree.fields.iter().map(|field| FieldName::of(field.name.of(text))).collect();
        let mut names = FieldNames::default();
        for name in facts.field_names.iter().flatten() {
            names.insert(*name);
        }
        facts.has_unique_ids = names.contains(FieldName::UniqueId);
        facts.has_groups = names.contains(FieldName::Groups);
        facts.has_node_paths = names.contains(FieldName::NodePaths);
        facts.has_indices = names.contains(FieldName::Index);
        facts.has_flags = names.contains(FieldName::Flags);
        let is_connection = |kind: TagKind| u32::from(kind == TagKind::Connection);
        facts.connection_count =
            document.tree.sections.iter().map(|section| is_connection(section.kind)).sum();
        facts
    }
}
