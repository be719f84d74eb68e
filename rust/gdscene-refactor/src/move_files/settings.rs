//! Settings files: `project.godot`, `export_presets.cfg`, `plugin.cfg`, `.gdextension`, `.import` and their like.

use godot_project::res_path::{extension_of, name_of};
use godot_tscn::{ConfigFile, Property, Span};
use md5::{Digest, Md5};

use crate::draft::FileDraft;
use crate::move_files::literal::{Extent, Moving, Verdict};
use crate::move_files::patterns::{self, Syntax};
use crate::move_files::scenes::{is_string, string};

/// Where Godot loads buses from if no setting says otherwise.
const DEFAULT_BUS_LAYOUT: &str = "res://default_bus_layout.tres";

/// Adds the changes of the paths in a settings file.
pub(super) fn change(moving: Moving<'_>, draft: &mut FileDraft) {
    let text = draft.text.clone();
    let file = godot_tscn::parse_config(&text);
    let path = draft.path.clone();
    let name = name_of(&path);
    let is_extension = extension_of(name) == "gdextension";
    for section in file.sections() {
        let section_name = section.name();
        for property in section.properties() {
            let key = property.engine_key();
            match (name, &*section_name, &*key) {
                (
                    "export_presets.cfg",
                    _,
                    b"include_filter"
                    | b"exclude_filter"
                    | b"encryption_include_filters"
                    | b"encryption_exclude_filters",
                ) => {
                    filter(moving, property, draft);
                }
                ("plugin.cfg", b"plugin", b"script") => relative(moving, property, draft),
                (_, b"libraries" | b"icons", _) if is_extension => {
                    relative(moving, property, draft);
                }
                (_, b"dependencies", _) if is_extension => dependencies(moving, property, draft),
                (_, b"internationalization", b"locale/translation_remaps") => {
                    remaps(moving, property, draft);
                }
                _ => strings(property, "path in a setting", draft, |path| absolute(moving, path)),
            }
        }
    }
    match &*extension_of(&path) {
        "import" => import(moving, &file, draft),
        "godot" => bus_layout(moving, &file, draft),
        _ => {}
    }
}

/// In settings, a folder is a colour of the FileSystem dock, or a place to put things: not the files in it.
fn absolute(moving: Moving<'_>, text: &str) -> Verdict {
    let stays_in =
        || moving.renames.new.strip_prefix(text).is_some_and(|rest| rest.starts_with('/'));
    match moving.absolute(text, Extent::Whole) {
        Verdict::Doubt(_) if text.ends_with('/') || stays_in() => Verdict::Keep,
        verdict => verdict,
    }
}

fn strings(
    property: Property<'_>,
    what: &'static str,
    draft: &mut FileDraft,
    verdict: impl Fn(&str) -> Verdict,
) {
    let tree = property.value_tree();
    for part in tree.parts().filter(is_string) {
        string(part.span(), what, &verdict, draft);
    }
}

/// Paths that may be relative to the file (`EditorNode::set_addon_plugin_enabled`, `GDExtensionLibraryLoader::open_library`,
/// Godot 4.6.3).
fn relative(moving: Moving<'_>, property: Property<'_>, draft: &mut FileDraft) {
    let base = draft.path.clone();
    strings(property, "path in a setting", draft, |path| moving.path_in(&base, path));
}

/// The keys are paths, the values folders of the exported game (`GDExtensionLibraryLoader::find_extension_dependencies`,
/// Godot 4.6.3).
fn dependencies(moving: Moving<'_>, property: Property<'_>, draft: &mut FileDraft) {
    let base = draft.path.clone();
    let tree = property.value_tree();
    for (key, _) in tree.root().entries().filter(|(key, _)| is_string(key)) {
        let verdict = |path: &str| moving.path_in(&base, path);
        string(key.span(), "path in a setting", verdict, draft);
    }
}

/// A locale follows each path: `res://b.png:de` (`ResourceLoader::_path_remap`, core/io/resource_loader.cpp, 4.6.3).
fn remaps(moving: Moving<'_>, property: Property<'_>, draft: &mut FileDraft) {
    strings(property, "path of a translation", draft, |text| {
        let scheme = "res://".len();
        let end = text.rfind(':').filter(|end| *end > scheme).unwrap_or(text.len());
        match moving.absolute(&text[..end], Extent::Whole) {
            Verdict::Becomes(new) => Verdict::Becomes(new + &text[end..]),
            verdict => verdict,
        }
    });
}

/// Patterns with commas between them (`EditorExportPlatform::_edit_filter_list`, Godot 4.6.3).
fn filter(moving: Moving<'_>, property: Property<'_>, draft: &mut FileDraft) {
    let tree = property.value_tree();
    for part in tree.parts().filter(is_string) {
        let source = part.source();
        let (Some(open), Ok(text)) = (memchr::memchr(b'"', source), std::str::from_utf8(source))
        else {
            continue;
        };
        let Some(inner) = text.get(open + 1..text.len() - 1).filter(|inner| !inner.contains('\\'))
        else {
            continue;
        };
        let mut start = part.span().start + open as u32 + 1;
        for (index, piece) in inner.split(',').enumerate() {
            let blank = piece.len() - piece.trim_start().len();
            let pattern = piece.trim();
            let first = start + blank as u32;
            let span = Span::new(first, first + pattern.len() as u32);
            match patterns::moved(moving, pattern, Syntax::Export, index) {
                Verdict::Keep => {}
                Verdict::Becomes(new) => draft.edit(span, new, "pattern of the export"),
                Verdict::Doubt(why) => draft.doubt(span, why),
            }
            start += piece.len() as u32 + 1;
        }
    }
}

/// The names of imported files hold the hash of the source's path (`ResourceFormatImporter::get_import_base_path`,
/// core/io/resource_importer.cpp, Godot 4.6.3). The editor imports a moved file again
/// (`EditorFileSystem::_test_for_reimport`), keeps its uid and parameters, and writes the same text as here.
fn import(moving: Moving<'_>, file: &ConfigFile<'_>, draft: &mut FileDraft) {
    let Some(source) = draft.path.strip_suffix(".import").map(str::to_owned) else { return };
    let Some(new) = moving.renames.new_path(&source) else { return };
    let (old_name, new_name) = (imported_name(&source), imported_name(&new));
    let verdict = |path: &str| {
        let folders = ["res://.godot/imported/", "res://.import/"];
        let renamed = folders.iter().find_map(|folder| {
            let end = path.strip_prefix(folder)?.strip_prefix(&*old_name)?;
            Some(format!("{folder}{new_name}{end}"))
        });
        renamed.map_or(Verdict::Keep, Verdict::Becomes)
    };
    for property in file.sections().flat_map(godot_tscn::ConfigSection::properties) {
        strings(property, "path of an imported file", draft, verdict);
    }
}

fn imported_name(source: &str) -> String {
    use std::fmt::Write;
    let mut name = format!("{}-", name_of(source));
    for byte in Md5::digest(source.as_bytes()) {
        // Writing to a string does not fail.
        let _ = write!(name, "{byte:02x}");
    }
    name
}

/// The buses lie at a path that the project need not name; the FileSystem dock writes the setting if they move
/// (`FileSystemDock::_update_project_settings_after_move`, Godot 4.6.3).
fn bus_layout(moving: Moving<'_>, file: &ConfigFile<'_>, draft: &mut FileDraft) {
    let is_said = file.get(b"audio", b"buses/default_bus_layout").is_some();
    let new = moving.renames.new_path(DEFAULT_BUS_LAYOUT);
    let is_meant = draft.path == "res://project.godot" && !is_said && moves_buses(moving);
    let Some(new) = new.filter(|_| is_meant) else { return };
    let line = format!("buses/default_bus_layout=\"{new}\"\n");
    let section = file.sections().find(|section| *section.name() == *b"audio");
    let first = section.and_then(|section| section.properties().next());
    let what =
        "setting of the audio buses; without it, Godot looks for the file at its default path";
    match first {
        Some(first) => draft.edit(Span::empty(first.key_span().start), line, what),
        None => {
            let end = draft.text.len() as u32;
            let gap = if draft.text.ends_with(b"\n") { "" } else { "\n" };
            draft.edit(Span::empty(end), format!("{gap}\n[audio]\n\n{line}"), what);
        }
    }
}

/// Whether the file moves that Godot loads buses from if no setting says otherwise.
pub(super) fn moves_buses(moving: Moving<'_>) -> bool {
    moving.renames.new_path(DEFAULT_BUS_LAYOUT).is_some()
        && moving.project.file(DEFAULT_BUS_LAYOUT).is_some()
}

#[cfg(test)]
mod tests {
    use super::imported_name;

    /// As Godot 4.6.3 names it.
    #[test]
    fn names_of_imported_files() {
        assert_eq!(imported_name("res://icon.svg"), "icon.svg-218a8f2b3041327d8a5756f3a245f83b");
    }
}
