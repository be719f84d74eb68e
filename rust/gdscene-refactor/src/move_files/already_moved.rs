//! References to files that have moved already, by other means than a refactoring.
//!
//! Godot's FileSystem dock repairs the tags of external resources, settings that are files, and autoloads
//! (`FileSystemDock::_update_dependencies_after_move` and `_update_project_settings_after_move`,
//! editor/docks/filesystem_dock.cpp, Godot 4.6.3). Other references to the old path are found as before a move: in the
//! project with the file still at its old place ([`Before`]).

use std::collections::BTreeMap;
use std::io;
use std::sync::Arc;

use godot_project::{FileMove, FileSource, Listing, Plan, Project, resolve_path};
use godot_tscn::Span;

use crate::RefactorError;
use crate::draft::{FileDraft, plan_of_drafts};
use crate::move_files::literal::Moving;
use crate::move_files::renames::Renames;
use crate::move_files::{drafts_of, files_below};
use crate::new_path::has_files_below;

/// Lets everything that still names the old paths of `moves`, files or folders that have moved already, name the new ones.
/// Nothing moves.
///
/// ```
/// # let folder = tempfile::tempdir().unwrap();
/// # let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
/// # write("project.godot", "config_version=5\n");
/// # write("new.tscn", "[gd_scene format=3]\n\n[node name=\"A\" type=\"Node\"]\n");
/// # write("a.gd", "extends Node\n\n\nfunc f() -> void:\n\tload(\"res://old.tscn\")\n");
/// use godot_project::{FileMove, Project};
/// use gdscene_refactor::repair_moved;
///
/// let project = Project::open(folder.path())?;
/// let moved = FileMove { from: "res://old.tscn".to_owned(), to: "res://new.tscn".to_owned() };
/// let plan = repair_moved(&project, &[moved])?;
/// assert_eq!(plan.places[0].path, "res://a.gd");
/// assert!(plan.moves.is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// When there is nothing at a new path, or something at an old one again: then it is unknown which of the two is meant.
pub fn repair_moved(project: &Project, moves: &[FileMove]) -> Result<Plan, RefactorError> {
    let mut drafts: BTreeMap<String, FileDraft> = BTreeMap::new();
    for moved in moves {
        for draft in drafts_after(project, moved)? {
            match drafts.get_mut(&draft.path) {
                Some(known) => join(known, draft),
                None => _ = drafts.insert(draft.path.clone(), draft),
            }
        }
    }
    let what = match moves {
        [moved] => format!("`{}`, which is `{}` now", moved.from, moved.to),
        _ => format!("{} moved files and folders", moves.len()),
    };
    Ok(plan_of_drafts(format!("repair the references to {what}"), drafts.into_values()))
}

/// The changes after one of the moves, in files at their current paths.
fn drafts_after(project: &Project, moved: &FileMove) -> Result<Vec<FileDraft>, RefactorError> {
    let inside = |path: &str| {
        let found = resolve_path("res://", path).filter(|found| found != "res://");
        found.ok_or_else(|| {
            RefactorError::Refused(format!("`{path}` is not in the project's folder"))
        })
    };
    let before = Before::new(project, inside(&moved.from)?, inside(&moved.to)?)?;
    let Before { old, new, is_folder, .. } = before.clone();
    let unreadable = |source| RefactorError::Unreadable { path: "res://".to_owned(), source };
    let earlier = Project::from_source(Arc::new(before.clone())).map_err(unreadable)?;
    let files = match is_folder {
        true => files_below(&earlier, &old, &new),
        false => ["", ".import", ".uid"]
            .into_iter()
            .map(|end| (format!("{old}{end}"), format!("{new}{end}")))
            .filter(|(old, _)| earlier.file(old).is_some())
            .collect(),
    };
    let renames = Renames::new(old, new, is_folder, files);
    let moving = Moving { project: &earlier, renames: &renames, has_happened: true };
    let mut drafts = drafts_of(moving)?;
    for draft in &mut drafts {
        draft.path = before.path_now(&draft.path);
    }
    Ok(drafts)
}

/// Adds the changes of another move in the same file. A change that conflicts with a known one becomes
/// a doubt.
fn join(known: &mut FileDraft, draft: FileDraft) {
    for (span, (replacement, what)) in draft.edits {
        let is_in_the_way = |other: &Span| other.start < span.end && span.start < other.end;
        match known.edits.keys().any(is_in_the_way) {
            true => known.doubt(span, "contains paths of several moved files"),
            false => known.edit(span, replacement, what),
        }
    }
    for (span, why) in draft.doubts {
        known.doubt(span, why);
    }
}

/// The files of a project as they were before something moved.
#[derive(Clone, Debug)]
struct Before {
    now: Arc<dyn FileSource>,
    old: String,
    new: String,
    is_folder: bool,
}

impl Before {
    /// # Errors
    /// When nothing is at `new`, or something at `old`.
    fn new(project: &Project, old: String, new: String) -> Result<Self, RefactorError> {
        let is_folder = has_files_below(project, &new);
        if !is_folder && project.file(&new).is_none() {
            return Err(RefactorError::NoSuchFile { path: new });
        }
        if has_files_below(project, &old) || project.source().exists(&old) {
            return Err(RefactorError::Refused(format!(
                "a new file exists at `{old}`, and references may mean this file"
            )));
        }
        Ok(Self { now: project.shared_source(), old, new, is_folder })
    }

    fn path_before(&self, path: &str) -> String {
        self.other_path(path, &self.new, &self.old).unwrap_or_else(|| path.to_owned())
    }

    fn path_now(&self, path: &str) -> String {
        self.other_path(path, &self.old, &self.new).unwrap_or_else(|| path.to_owned())
    }

    /// The files next to a file move with it.
    fn other_path(&self, path: &str, from: &str, to: &str) -> Option<String> {
        let rest = path.strip_prefix(from)?;
        let goes_along = match self.is_folder {
            true => rest.is_empty() || rest.starts_with('/'),
            false => matches!(rest, "" | ".import" | ".uid"),
        };
        goes_along.then(|| format!("{to}{rest}"))
    }

    /// Whether a path leads nowhere, because the file there moved in from elsewhere.
    fn is_vacant(&self, path: &str) -> bool {
        self.other_path(path, &self.new, &self.old).is_some()
    }
}

impl FileSource for Before {
    fn list(&self) -> io::Result<Listing> {
        let mut listing = self.now.list()?;
        for file in &mut listing.files {
            file.path = self.path_before(&file.path);
        }
        listing.unchecked = listing.unchecked.iter().map(|path| self.path_before(path)).collect();
        Ok(listing)
    }

    fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        if self.is_vacant(path) {
            return Err(io::ErrorKind::NotFound.into());
        }
        self.now.read(&self.path_now(path))
    }

    fn exists(&self, path: &str) -> bool {
        !self.is_vacant(path) && self.now.exists(&self.path_now(path))
    }
}

#[cfg(test)]
mod tests;
