//! The common part of the tests of refactorings in C#: a project as names and texts.

use godot_project::{Plan, Project};
use tempfile::TempDir;

/// The files of a project, by name.
pub(super) type Files = Vec<(&'static str, String)>;

/// These files, with the settings of a project.
pub(super) fn project_of(files: &[(&'static str, &str)]) -> Files {
    let settings =
        "config_version=5\n\n[application]\n\nconfig/features=PackedStringArray(\"4.6\")\n";
    let all = [("project.godot", settings)].into_iter().chain(files.iter().copied());
    all.map(|(name, text)| (name, text.to_owned())).collect()
}

pub(super) fn opened(files: &Files) -> (TempDir, Project) {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    let project = Project::open(folder.path()).unwrap();
    (folder, project)
}

/// The files with their new contents, where they were.
pub(super) fn carried_out(files: &Files, plan: &Plan) -> Files {
    let changed = |name: &str| {
        let file = plan.files.iter().find(|file| file.path == format!("res://{name}"))?;
        Some(String::from_utf8(file.new_text()).unwrap())
    };
    files
        .iter()
        .map(|(name, text)| (*name, changed(name).unwrap_or_else(|| text.clone())))
        .collect()
}
