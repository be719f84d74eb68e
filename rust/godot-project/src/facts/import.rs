//! `.import` files.

use godot_tscn::parse_config;

use crate::Uid;
use crate::facts::FileFacts;
use crate::settings::{lossy, mentions};

/// Reads the section `remap` (`ResourceFormatImporter::_get_path_and_type`, core/io/resource_importer.cpp,
/// Godot 4.6.3), and the paths in the options of the import.
pub(super) fn facts(content: &[u8]) -> FileFacts {
    let file = parse_config(content);
    let text = |key: &str| {
        let property = file.get(b"remap", key.as_bytes())?;
        property.value_tree().root().text().map(|text| lossy(&text))
    };
    let options = file.sections().filter(|section| *section.name() == *b"params");
    let options = options.flat_map(godot_tscn::ConfigSection::properties);
    FileFacts {
        mentions: options.flat_map(|option| mentions(option.source())).collect(),
        uid: text("uid").and_then(|uid| Uid::parse(uid.as_bytes())),
        resource_type: text("type"),
        importer: text("importer"),
        ..FileFacts::default()
    }
}
