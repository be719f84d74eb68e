//! Whether a path is spelt as the files and folders on disk are.
//!
//! Where upper and lower case do not count for the file system, they still do for Godot once exported.

use std::fs;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use hashbrown::{HashMap, HashSet};

/// The contents of folders, kept so that many missing files ask the system once.
#[derive(Debug, Default)]
pub(super) struct Spelling {
    /// By the folder's path from the root. Only folders that are there have one, or hostile paths would take much memory.
    folders: Mutex<HashMap<String, Names>>,
}

/// The names of files and folders in a folder.
type Names = Arc<HashSet<String>>;

impl Spelling {
    /// Whether each part of `path` is a name in the folder before it. The first folder is `root`, from which the path is.
    pub(super) fn has(&self, root: &Path, path: &str) -> bool {
        match path.rsplit_once('/') {
            // A path that begins with `/` would be outside.
            Some(("", _)) => false,
            Some((folder, name)) => {
                self.of_folder(root, folder).is_some_and(|names| names.contains(name))
            }
            None => self.read(root, "").contains(path),
        }
    }

    /// Forgets all folders: they may have changed.
    pub(super) fn clear(&self) {
        self.folders().clear();
    }

    /// The names in a folder; nothing if its path is not spelt so.
    fn of_folder(&self, root: &Path, folder: &str) -> Option<Names> {
        let known = self.folders().get(folder).cloned();
        if known.is_some() {
            return known;
        }
        let mut names = self.read(root, "");
        let mut start = 0;
        for end in folder.match_indices('/').map(|(at, _)| at).chain([folder.len()]) {
            if !names.contains(&folder[start..end]) {
                return None;
            }
            names = self.read(root, &folder[..end]);
            start = end + 1;
        }
        Some(names)
    }

    /// The names in a folder that is there, read when it is asked for first.
    fn read(&self, root: &Path, folder: &str) -> Names {
        if let Some(names) = self.folders().get(folder) {
            return Arc::clone(names);
        }
        let entries = fs::read_dir(root.join(folder)).into_iter().flatten().flatten();
        let names = entries.map(|entry| entry.file_name().to_string_lossy().into_owned());
        let names: Names = Arc::new(names.collect());
        self.folders().insert(folder.to_owned(), Arc::clone(&names));
        names
    }

    fn folders(&self) -> MutexGuard<'_, HashMap<String, Names>> {
        self.folders.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
