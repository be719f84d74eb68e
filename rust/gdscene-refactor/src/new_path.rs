//! Whether something can get a path that it has not had: a file that is made, or one that moves.

use std::path::Path;

use godot_project::Project;
use godot_project::res_path::folder_of;

use crate::RefactorError;
use crate::names::check_file_name;

/// A path that a file or folder is to get.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NewPath<'p> {
    pub(crate) project: &'p Project,
    /// `res://…`, without a slash at its end.
    pub(crate) path: &'p str,
    /// The path that it has now, if it has one.
    pub(crate) old: Option<&'p str>,
}

impl NewPath<'_> {
    /// Whether it is free, Godot sees it, and every system can have it.
    ///
    /// # Errors
    /// With the reason why not.
    pub(crate) fn check(self) -> Result<(), RefactorError> {
        let Self { project, path, .. } = self;
        self.check_names()?;
        if let Some(reason) = unseen(project, path) {
            let reason = format!("Godot's editor would ignore `{path}`: {reason}");
            return Err(RefactorError::Refused(reason));
        }
        self.check_free()
    }

    /// The folders on the way that are there keep their names, whatever they are.
    fn check_names(self) -> Result<(), RefactorError> {
        let mut folder = "res:/".to_owned();
        for name in self.path.strip_prefix("res://").unwrap_or_default().split('/') {
            let path = format!("{folder}/{name}");
            let is_last = path == self.path;
            if !is_last && self.project.file(&path).is_some() {
                let what = format!("`{path}` is a file, not a folder");
                return Err(RefactorError::Clash { what });
            }
            if is_last || !is_existing_folder(self.project, &path) {
                check_file_name(name)?;
            }
            // Where case does not count, a folder is found under any upper and lower case.
            if is_last || !has_files_below(self.project, &path) {
                self.check_case(&path)?;
            }
            folder = path;
        }
        Ok(())
    }

    /// No other file or folder may differ from `path` only in case: on Windows and macOS they are one.
    fn check_case(self, path: &str) -> Result<(), RefactorError> {
        let start = format!("{path}/").to_lowercase();
        let old_start = self.old.map(|old| format!("{old}/"));
        let is_own = |other: &str| {
            Some(other) == self.old
                || old_start.as_deref().is_some_and(|start| other.starts_with(start))
        };
        let files = self.project.files().map(|file| self.project.path(file));
        for other in files.filter(|other| !is_own(other)) {
            let folded = other.to_lowercase();
            let is_file = folded.len() + 1 == start.len() && start.starts_with(&folded);
            let other = match folded.starts_with(&start) {
                true => other.get(..path.len()).unwrap_or(other),
                false if is_file => other,
                false => continue,
            };
            if other != path {
                let what = format!(
                    "`{path}` differs from `{other}` only in upper and lower case, and some systems treat both as one file"
                );
                return Err(RefactorError::Clash { what });
            }
        }
        Ok(())
    }

    /// Whether nothing is there, whatever it is.
    pub(crate) fn check_free(self) -> Result<(), RefactorError> {
        let Self { project, path, old } = self;
        // Where case does not count, a file is found under its new name already.
        let is_own = old.is_some_and(|old| path.to_lowercase() == old.to_lowercase());
        let is_there = project.file(path).is_some()
            || has_files_below(project, path)
            || project.source().exists(path)
            || !is_own && on_disk(project, path, |place| place.symlink_metadata().is_ok());
        if is_there {
            return Err(RefactorError::Clash { what: format!("`{path}` exists") });
        }
        Ok(())
    }
}

/// Whether the project has files in this folder.
pub(crate) fn has_files_below(project: &Project, folder: &str) -> bool {
    let start = if folder.ends_with('/') { folder.to_owned() } else { format!("{folder}/") };
    project.files_that_start_with(&start).next().is_some()
}

/// Also one without files.
pub(crate) fn is_existing_folder(project: &Project, path: &str) -> bool {
    has_files_below(project, path) || on_disk(project, path, Path::is_dir)
}

/// Whether `is` holds of the place of a path in the file system, if the project has one.
pub(crate) fn on_disk(project: &Project, path: &str, is: impl Fn(&Path) -> bool) -> bool {
    let place = |root: &Path| root.join(path.strip_prefix("res://").unwrap_or(path));
    project.root().is_some_and(|root| is(&place(root)))
}

/// Why the editor does not see the file at a path (`EditorFileSystem::_scan_new_dir`, `_should_skip_directory`, Godot 4.6.3).
pub(crate) fn unseen(project: &Project, path: &str) -> Option<String> {
    let below = path.strip_prefix("res://")?;
    if let Some(name) = below.split('/').find(|name| name.starts_with('.')) {
        return Some(format!("the name of `{name}` begins with a dot"));
    }
    let mut folder = folder_of(path);
    while folder.len() > "res:/".len() {
        for mark in [".gdignore", "project.godot"] {
            if project.source().exists(&format!("{folder}/{mark}")) {
                return Some(format!("`{folder}` has a `{mark}`"));
            }
        }
        folder = folder_of(folder);
    }
    None
}
