//! `.import` files.

use godot_tscn::parse_config;

use crate::Uid;
use crate::facts::FileFacts;
use crate::settings::lossy;

/// Reads the section `remap` (`ResourceFormatImporter::_get_path_and_type`, core/io/resource_importer.cpp,
/// Godot 4.6.3).
pub(super) fn facts(content: &[u8]) -> FileFacts {
    let file = parse_config(content);
    let text = |key: &str| {
        let property = file.get(b"remap", key.as_bytes())?;
        property.value_tree().root().text().map(|text| lossy(&text))
    };
    FileFacts {
        uid: text("uid").and_then(|uid| Uid::parse(uid.as_bytes())),
        resource_type: text("type"),
        importer: text("importer"),
        ..FileFacts::default()
    }
}
