//! The version of Godot of each file's project.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use godot_project::read_file;
use godot_tscn::GodotVersion;

/// The versions of the folders that were asked for so far. Threads share it.
#[derive(Debug, Default)]
pub(crate) struct GodotVersions {
    versions: Mutex<HashMap<PathBuf, Option<GodotVersion>>>,
}

impl GodotVersions {
    /// The version in the `project.godot` of the project of the file at `path`.
    pub(crate) fn version_of(&self, path: &Path) -> Option<GodotVersion> {
        let folder = path.parent()?;
        let known = self.versions.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(version) = known.get(folder) {
            return *version;
        }
        // Not held while files are read.
        drop(known);
        let version = search(folder);
        let mut known = self.versions.lock().unwrap_or_else(PoisonError::into_inner);
        known.insert(folder.to_owned(), version);
        version
    }
}

fn search(folder: &Path) -> Option<GodotVersion> {
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let folder = fs::canonicalize(folder).ok()?;
    let root = godot_project::find_root(&folder)?;
    GodotVersion::of_project(&read_file(&root.join("project.godot")).ok()?)
}
