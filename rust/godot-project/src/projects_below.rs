//! Projects in a folder that is not one: those of a repository, say.

use std::fs;
use std::path::{Path, PathBuf};

/// The maximum depth and number of folders below the searched one.
const MAX_DEPTH: usize = 4;
const MAX_FOLDERS: usize = 2_000;

/// The folders of the projects below a folder, by path, up to a limited depth. Hidden folders and links are passed over.
pub fn projects_below(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut level = vec![folder.to_owned()];
    let mut left = MAX_FOLDERS;
    for _ in 0..MAX_DEPTH {
        let mut next = Vec::new();
        for folder in level {
            for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
                // Links are not followed: they may lead round.
                let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
                let is_hidden = entry.file_name().to_string_lossy().starts_with('.');
                if !is_folder || is_hidden || left == 0 {
                    continue;
                }
                left -= 1;
                let path = entry.path();
                if path.join("project.godot").is_file() {
                    found.push(path);
                } else {
                    next.push(path);
                }
            }
        }
        level = next;
    }
    found.sort();
    found
}
