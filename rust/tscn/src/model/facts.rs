//! What rare things a document has, looked up once for the rules about them.

use crate::document::{Document, TagKind};

/// Which properties and fields a document has anywhere. A rule whose fact is false has nothing to do.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Facts {
    /// A property `metadata/_…`: what the editor and addons keep.
    pub(crate) has_private_metadata: bool,
    /// A property `__meta__`, as Godot 3 wrote it.
    pub(crate) has_meta: bool,
    /// A property `unique_name_in_owner`.
    pub(crate) has_unique_names: bool,
    /// A property `resource_path`, or one whose key is in quotes and may be it.
    pub(crate) has_resource_paths: bool,
    pub(crate) has_unique_ids: bool,
    pub(crate) has_groups: bool,
    pub(crate) has_node_paths: bool,
    pub(crate) has_indices: bool,
    pub(crate) has_flags: bool,
    /// The length in bytes of the longest property value.
    pub(crate) longest_value: u32,
    pub(crate) connection_count: u32,
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
        for field in &document.tree.fields {
            let name = field.name.of(text);
            match name.first() {
                Some(b'u') => facts.has_unique_ids |= name == b"unique_id",
                Some(b'g') => facts.has_groups |= name == b"groups",
                Some(b'n') => facts.has_node_paths |= name == b"node_paths",
                Some(b'i') => facts.has_indices |= name == b"index",
                Some(b'f') => facts.has_flags |= name == b"flags",
                _ => {}
            }
        }
        let is_connection = |kind: TagKind| u32::from(kind == TagKind::Connection);
        facts.connection_count =
            document.tree.sections.iter().map(|section| is_connection(section.kind)).sum();
        facts
    }
}
