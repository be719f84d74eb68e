//! Which project is served.

use std::path::{Path, PathBuf};

use godot_project::projects_below;
use thiserror::Error;

/// At most this number of projects is named in a message.
const MAX_NAMED: usize = 10;

/// Why no project is served.
#[derive(Debug, Error)]
pub enum RootError {
    /// There is no project.
    #[error("no `project.godot` found in `{}`, above it, or in a folder below it; give the project's folder with --root", .0.display())]
    None(PathBuf),
    /// There are several, and the intended one is unknown.
    #[error("several projects below `{}`: {}; choose one with --root", folder.display(), named(projects))]
    Several {
        /// Where was looked.
        folder: PathBuf,
        /// The folders of the projects.
        projects: Vec<PathBuf>,
    },
}

fn named(projects: &[PathBuf]) -> String {
    let names = projects.iter().take(MAX_NAMED).map(|path| format!("`{}`", path.display()));
    let more = match projects.len().saturating_sub(MAX_NAMED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    names.collect::<Vec<_>>().join(", ") + &more
}

/// The folder of the project around `folder`, or of the only one below it: agents are often started in the folder of the
/// repository.
///
/// # Errors
/// When there is none, or several.
pub fn find_root(folder: &Path) -> Result<PathBuf, RootError> {
    if let Some(root) = godot_project::find_root(folder) {
        return Ok(root);
    }
    let mut projects = projects_below(folder);
    match projects.len() {
        0 => Err(RootError::None(folder.to_owned())),
        1 => Ok(projects.swap_remove(0)),
        _ => Err(RootError::Several { folder: folder.to_owned(), projects }),
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn project(folder: &Path) {
        fs::create_dir_all(folder).unwrap();
        fs::write(folder.join("project.godot"), "config_version=5\n").unwrap();
    }

    #[test]
    fn the_project_above_counts_then_the_only_one_below() {
        let folder = tempfile::tempdir().unwrap();
        let error = find_root(folder.path()).unwrap_err().to_string();
        assert!(error.starts_with("no `project.godot` found in"), "{error}");
        let game = folder.path().join("client/game");
        project(&game);
        assert_eq!(find_root(folder.path()).unwrap(), game);
        fs::create_dir_all(game.join("levels")).unwrap();
        assert_eq!(find_root(&game.join("levels")).unwrap(), game);
    }

    #[test]
    fn of_several_none_is_chosen() {
        let folder = tempfile::tempdir().unwrap();
        project(&folder.path().join("one"));
        project(&folder.path().join("two"));
        project(&folder.path().join(".hidden"));
        let error = find_root(folder.path()).unwrap_err().to_string();
        assert!(error.contains("one`, ") && error.contains("two`; choose one"), "{error}");
        assert!(!error.contains("hidden"), "{error}");
    }
}
