//! Where a merge leaves conflicts: the names that files carry until each conflict is settled.

use crate::config_file::named_properties;
use crate::document::{Document, Property};

/// The metadata that holds the conflicts of a node or resource: a list of dictionaries.
pub(crate) const METADATA: &str = "_gdscene_conflicts";

/// The section and key that hold the conflicts of `project.godot`.
pub(crate) const SECTION: &[u8] = b"gdscene";
pub(crate) const KEY: &[u8] = b"conflicts";

/// The setting that holds the conflicts of a project, if the text has one.
pub(crate) fn conflicts_in_settings<'d>(document: &'d Document<'_>) -> Option<Property<'d>> {
    let mut named = named_properties(document);
    let found =
        named.find(|(section, property)| **section == *SECTION && *property.engine_key() == *KEY);
    found.map(|(_, property)| property)
}
