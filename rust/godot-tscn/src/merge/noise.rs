//! The parts of a file about the editor, or computed by Godot again, and not about the scene.

use crate::document::Section;

/// Whether a property only mirrors the editor's display, or a value that Godot computes.
pub(crate) fn is_noise(section: Section<'_>, parent: Option<Section<'_>>, key: &[u8]) -> bool {
    if is_of_editor(key) {
        return true;
    }
    let class = section.field_text("type");
    let is_dialog =
        class.as_deref().is_some_and(|class| matches!(class, b"FileDialog" | b"EditorFileDialog"));
    if is_dialog && matches!(key, b"current_dir" | b"current_path" | b"current_file") {
        return true;
    }
    is_derived_margin(key) && parent.is_some_and(is_container)
}

/// Whether the metadata is the editor's own.
pub(crate) fn is_of_editor(key: &[u8]) -> bool {
    let name = key.strip_prefix(b"metadata/").unwrap_or_default();
    name.starts_with(b"_edit_") || name.starts_with(b"_editor_") || name == b"_custom_type_script"
}

/// Whether the metadata of Godot 3, a dictionary, has only the editor's own under this key.
pub(crate) fn is_editor_key(key: &[u8]) -> bool {
    key.starts_with(b"_edit_") || key.starts_with(b"_editor_")
}

/// A container sets these of its children (`Container::fit_child_in_rect`); Godot 3 saves them all the same.
fn is_derived_margin(key: &[u8]) -> bool {
    matches!(
        key,
        b"margin_left"
            | b"margin_top"
            | b"margin_right"
            | b"margin_bottom"
            | b"offset_left"
            | b"offset_top"
            | b"offset_right"
            | b"offset_bottom"
    )
}

fn is_container(parent: Section<'_>) -> bool {
    parent.field_text("type").is_some_and(|class| class.ends_with(b"Container"))
}
