//! The names in `project.godot` and `export_presets.cfg`.

use globset::{GlobBuilder, GlobMatcher};
use godot_tscn::{ConfigFile, LineIndex, parse_config};

use super::KeptReason;
use crate::project::{FileId, Project};
use crate::settings::lossy;

/// Gives `found` the values of `project.godot` that use the files that they name, each with its
/// line.
pub(super) fn settings(content: &[u8], found: impl FnMut(&[u8], u32)) {
    // Lists of existing files, and colours of folders.
    let is_list = |section: &[u8], key: &[u8]| {
        section == b"file_customization" || key.starts_with(b"_global_script_class")
    };
    values(content, |section, key| !is_list(section, key), found);
}

/// Gives `found` the values of `export_presets.cfg` that use the files that they name: icons, templates, files to
/// sign with.
pub(super) fn presets(content: &[u8], found: impl FnMut(&[u8], u32)) {
    const FILTERS: [&[u8]; 4] =
        [b"export_files", b"include_filter", b"exclude_filter", b"customized_files"];
    values(content, |_, key| !FILTERS.contains(&key), found);
}

fn values(
    content: &[u8],
    is_meant: impl Fn(&[u8], &[u8]) -> bool,
    mut found: impl FnMut(&[u8], u32),
) {
    let config = parse_config(content);
    let lines = LineIndex::new(content);
    for section in config.sections() {
        let name = section.name();
        for property in section.properties().filter(|found| is_meant(&name, &found.engine_key())) {
            found(property.source(), lines.position(property.value_span().start).line);
        }
    }
}

/// The files that export presets select, and those that their filters include.
pub(super) fn exported(project: &Project) -> Vec<(FileId, KeptReason)> {
    let content = project.file("res://export_presets.cfg").and_then(|file| project.read(file).ok());
    let Some(content) = content else { return Vec::new() };
    let config = parse_config(&content);
    let mut found = Vec::new();
    for section in config.sections() {
        let name = lossy(&section.name());
        if name.starts_with("preset.") && !name.ends_with(".options") {
            preset(project, &config, name.as_bytes(), &mut found);
        }
    }
    found
}

fn preset(
    project: &Project,
    config: &ConfigFile<'_>,
    section: &[u8],
    found: &mut Vec<(FileId, KeptReason)>,
) {
    let text = |key: &[u8]| {
        let property = config.get(section, key)?;
        property.value_tree().root().text().map(|text| lossy(&text))
    };
    let preset = text(b"name").unwrap_or_default();
    // The list names the excluded files if everything else is exported.
    if matches!(text(b"export_filter").as_deref(), Some("scenes" | "resources"))
        && let Some(files) = config.get(section, b"export_files")
    {
        for path in crate::settings::mentions(files.source()) {
            let file = project.file(&path);
            let reason = KeptReason::Exported { preset: preset.clone(), filter: None };
            found.extend(file.map(|file| (file, reason)));
        }
    }
    let filters = text(b"include_filter").unwrap_or_default();
    for filter in filters.split(',').map(str::trim).filter(|filter| !filter.is_empty()) {
        let Some(matcher) = matcher(filter) else { continue };
        let reason =
            KeptReason::Exported { preset: preset.clone(), filter: Some(filter.to_owned()) };
        let is_match = |file: &FileId| matcher.is_match(project.path(*file));
        found.extend(project.files().filter(is_match).map(|file| (file, reason.clone())));
    }
}

/// `EditorExportPlatform::_edit_filter_list` (editor/export/editor_export_platform.cpp, Godot 4.6.3) compares whole paths
/// by `String::matchn`.
fn matcher(filter: &str) -> Option<GlobMatcher> {
    let pattern =
        if filter.starts_with("res://") { filter.to_owned() } else { format!("res://{filter}") };
    let pattern = if filter.starts_with('*') { filter.to_owned() } else { pattern };
    let glob = GlobBuilder::new(&pattern).case_insensitive(true).literal_separator(false).build();
    Some(glob.ok()?.compile_matcher())
}
