//! Compares texts, files and folders.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use godot_project::{WalkPolicy, walk};
use godot_tscn::diff::{Diff, State};
use godot_tscn::{diff_file, is_config_path};
use rayon::prelude::*;

use crate::files;
use crate::inputs::Input;
use crate::output::diff::hunks;
use crate::output::file_diff::{ByLines, FileDiff};

/// A file to compare.
pub(super) struct Pair {
    pub(super) path: String,
    /// Its path before, if that was another.
    pub(super) old_path: Option<String>,
    /// The old contents; nothing if there were none.
    pub(super) old: Option<Vec<u8>>,
    /// The new contents; nothing if there are none.
    pub(super) new: Option<Vec<u8>>,
}

impl Pair {
    /// The difference, if there is one.
    pub(super) fn compare(self) -> Option<FileDiff> {
        let Self { path, old_path, old, new } = self;
        let state = match (&old, &new) {
            (None, _) => State::Added,
            (_, None) => State::Removed,
            _ => State::Changed,
        };
        let is_there = [old.is_some(), new.is_some()];
        let [old, new] = [old, new].map(Option::unwrap_or_default);
        if old == new && old_path.is_none() && is_there == [true, true] {
            return None;
        }
        let diff = compare_texts(&path, &old, &new);
        Some(FileDiff { path, old_path, state, diff })
    }
}

/// The difference between two texts, by contents if Godot can read them, else by lines.
pub(super) fn compare_texts(path: &str, old: &[u8], new: &[u8]) -> Result<Diff, ByLines> {
    diff_file(path, old, new).map_err(|refusal| {
        let is_text = |text: &[u8]| !text.contains(&0);
        let mut lines = Vec::new();
        if is_text(old) && is_text(new) {
            hunks(&mut lines, old, new);
        }
        ByLines { reason: refusal.to_string(), hunks: String::from_utf8_lossy(&lines).into_owned() }
    })
}

/// Whether files of this name are compared, of all that are in a repository or a folder.
pub(super) fn is_compared(path: &Path) -> bool {
    let extension = path.extension().map(|extension| extension.to_string_lossy().to_lowercase());
    matches!(extension.as_deref(), Some("tscn" | "tres" | "escn" | "uid"))
        || is_config_path(&path.to_string_lossy())
}

pub(super) fn compare_files(
    old: &Path,
    new: &Path,
    path: Option<&str>,
) -> Result<Vec<FileDiff>, String> {
    let read = |path: &Path| {
        let read = files::read(&Input::named(path));
        read.map_err(|problem| format!("{}: {}", problem.path.display(), problem.reason))
    };
    let (old_text, new_text) = (read(old)?, read(new)?);
    if old_text == new_text {
        return Ok(Vec::new());
    }
    let shown = |path: &Path| path.to_string_lossy().into_owned();
    let kind = path.map_or_else(|| shown(new), str::to_owned);
    let diff = compare_texts(&kind, &old_text, &new_text);
    let (path, old_path) = match path {
        Some(path) => (path.to_owned(), None),
        None => (shown(new), Some(shown(old)).filter(|path| *path != shown(new))),
    };
    Ok(vec![FileDiff { path, old_path, state: State::Changed, diff }])
}

pub(super) fn compare_folders(old: &Path, new: &Path) -> Result<Vec<FileDiff>, String> {
    let below = |folder: &Path| -> Result<BTreeSet<PathBuf>, String> {
        let walked = walk(folder, WalkPolicy::Compared);
        let walked = walked.map_err(|error| format!("{}: {error}", folder.display()))?;
        let is_meant = |path: &Path| is_compared(path) || folder.join(path).is_dir();
        if let Some((path, reason)) = walked.skipped.iter().find(|(path, _)| is_meant(path)) {
            return Err(format!("{}: {reason}", folder.join(path).display()));
        }
        let paths = walked.files.into_iter().map(|file| file.path);
        Ok(paths.filter(|path| is_compared(path)).collect())
    };
    let (in_old, in_new) = (below(old)?, below(new)?);
    let all: Vec<&PathBuf> = in_old.union(&in_new).collect();
    let read = |folder: &Path, path: &Path, is_there: bool| match is_there {
        false => Ok(None),
        true => {
            let path = folder.join(path);
            let read = godot_project::read_file(&path);
            read.map(Some).map_err(|error| format!("{}: {error}", path.display()))
        }
    };
    let compare = |path: &&PathBuf| {
        let pair = Pair {
            path: path.to_string_lossy().into_owned(),
            old_path: None,
            old: read(old, path, in_old.contains(*path))?,
            new: read(new, path, in_new.contains(*path))?,
        };
        Ok(pair.compare())
    };
    let found: Result<Vec<_>, String> = all.par_iter().map(compare).collect();
    Ok(found?.into_iter().flatten().collect())
}

/// A file that may have gone meanwhile.
pub(super) fn read_if_there(path: &Path) -> Result<Option<Vec<u8>>, String> {
    match fs::symlink_metadata(path) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        _ => godot_project::read_file(path)
            .map(Some)
            .map_err(|error| format!("{}: {error}", path.display())),
    }
}
