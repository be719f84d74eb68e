//! The files that move with a file.

use std::collections::BTreeMap;

use godot_project::Project;
use godot_project::res_path::{folder_of, name_of};
use godot_project::settings::lossy;

use crate::RefactorError;

/// The file at `old`, its companions next to it, and the new path of each.
///
/// # Errors
/// When the place of one is taken.
pub(super) fn of_file(
    project: &Project,
    old: &str,
    new: &str,
) -> Result<BTreeMap<String, String>, RefactorError> {
    let mut files = BTreeMap::from([(old.to_owned(), new.to_owned())]);
    for end in [".import", ".uid"] {
        let beside = format!("{old}{end}");
        if project.file(&beside).is_some() {
            files.insert(beside, format!("{new}{end}"));
        }
    }
    for (made, to) in made_beside(project, old, new) {
        if project.source().exists(&to) {
            return Err(RefactorError::Clash {
                what: format!("`{to}` already exists, but `{made}` must move there"),
            });
        }
        files.insert(made, to);
    }
    Ok(files)
}

/// The files that the import of a file puts next to it under its name, such as `text.de.translation` for
/// `text.csv` (`ResourceImporterCSVTranslation::import`, editor/import/resource_importer_csv_translation.cpp,
/// Godot 4.6.3).
fn made_beside(project: &Project, old: &str, new: &str) -> Vec<(String, String)> {
    let import = project.file(&format!("{old}.import"));
    let Some(text) = import.and_then(|file| project.read(file).ok()) else { return Vec::new() };
    let file = godot_tscn::parse_config(&text);
    let Some(made) = file.get(b"deps", b"dest_files") else { return Vec::new() };
    let (start, new_start) = (without_extension(old), without_extension(new));
    let tree = made.value_tree();
    let paths = tree.root().children().filter_map(|part| Some(lossy(&part.text()?)));
    let beside = paths.filter(|path| project.file(path).is_some() && path.as_str() != old);
    let moved = beside.filter_map(|path| {
        let end = path.strip_prefix(&start).filter(|end| end.starts_with('.'))?;
        let to = format!("{new_start}{end}");
        Some((path, to))
    });
    moved.collect()
}

fn without_extension(path: &str) -> String {
    let name = name_of(path);
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    format!("{}/{stem}", folder_of(path))
}
