//! Removing files that nothing uses.

#[cfg(test)]
mod tests;

use std::collections::BTreeSet;

use godot_project::{FileId, FileKind, Place, Plan, Project, Unused, unused_files};
use godot_tscn::Span;
use hashbrown::{HashMap, HashSet};

use crate::RefactorError;

/// Which files [`prune`] removes.
#[derive(Clone, Debug, Default)]
pub struct PruneOptions {
    /// The requested files: unused ones, and also those that are possibly used. A folder means the unused files in it.
    pub paths: Vec<String>,
    /// Only files of these kinds; all if empty. Does not count for files that are named.
    pub kinds: Vec<FileKind>,
}

/// A plan that removes unused files, with the `.import` and `.uid` files next to them: all of them, or the named ones.
///
/// ```
/// # let folder = tempfile::tempdir().unwrap();
/// # let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
/// # write("project.godot", "config_version=5\n[application]\nrun/main_scene=\"res://a.tscn\"\n");
/// # write("a.tscn", "[gd_scene format=3]\n");
/// # write("old.gd", "extends Node\n");
/// # write("old.gd.uid", "uid://cqq2j4h8p6vy1\n");
/// let project = godot_project::Project::open(folder.path()).unwrap();
/// let plan = gdscene_refactor::prune(&project, &gdscene_refactor::PruneOptions::default())?;
/// assert_eq!(plan.removals, ["res://old.gd", "res://old.gd.uid"]);
/// # Ok::<(), gdscene_refactor::RefactorError>(())
/// ```
///
/// # Errors
/// When a named file is used, cannot be judged, or does not exist.
pub fn prune(project: &Project, options: &PruneOptions) -> Result<Plan, RefactorError> {
    let found = unused_files(project);
    let chosen = match options.paths.as_slice() {
        [] => found
            .unused
            .iter()
            .map(|row| row.file)
            .filter(|file| is_of(&found, options, *file))
            .collect(),
        paths => named(project, &found, options, paths)?,
    };
    let mut removals: BTreeSet<String> = BTreeSet::new();
    for file in &chosen {
        let path = project.path(*file);
        removals.insert(path.to_owned());
        for end in [".import", ".uid"] {
            let beside = format!("{path}{end}");
            if project.file(&beside).is_some() {
                removals.insert(beside);
            }
        }
    }
    let title = match chosen.len() {
        1 => "remove 1 file".to_owned(),
        count => format!("remove {count} files that nothing uses"),
    };
    let mut doubts = left_behind(project, &found, &chosen);
    if options.paths.is_empty() && !chosen.is_empty() {
        doubts.extend(limits(project, &found));
    }
    Ok(Plan { title, removals: removals.into_iter().collect(), doubts, ..Plan::default() })
}

fn is_of(found: &Unused, options: &PruneOptions, file: FileId) -> bool {
    let row = found.unused.binary_search_by_key(&file, |row| row.file);
    options.kinds.is_empty() || row.is_ok_and(|at| options.kinds.contains(&found.unused[at].kind))
}

/// The files that `paths` stand for.
fn named(
    project: &Project,
    found: &Unused,
    options: &PruneOptions,
    paths: &[String],
) -> Result<HashSet<FileId>, RefactorError> {
    let unused: HashSet<FileId> = found.unused.iter().map(|row| row.file).collect();
    let kept: HashMap<FileId, &_> = found.kept.iter().map(|row| (row.file, row)).collect();
    let mut chosen = HashSet::new();
    for path in paths {
        if let Some(file) = project.file(path) {
            if !unused.contains(&file) && !kept.contains_key(&file) {
                let reason = "it is used, or its use cannot be determined; remove it yourself if you do not need it";
                return Err(RefactorError::Refused(format!("`{path}` is not unused: {reason}")));
            }
            chosen.insert(file);
            continue;
        }
        let folder = format!("{}/", path.trim_end_matches('/'));
        let folder =
            if path.trim_end_matches('/') == "res:" { "res://".to_owned() } else { folder };
        if project.files_that_start_with(&folder).next().is_none() {
            return Err(RefactorError::NoSuchFile { path: path.clone() });
        }
        let inside = project.files_that_start_with(&folder);
        chosen.extend(inside.filter(|file| unused.contains(file) && is_of(found, options, *file)));
    }
    Ok(chosen)
}

/// The limits of the judgement, if all unused files are removed.
fn limits(project: &Project, found: &Unused) -> Vec<Place> {
    let notes = found.notes.iter().map(|(path, line, reason)| {
        let text = project.file(path).and_then(|file| project.read(file).ok()).unwrap_or_default();
        let before =
            text.split_inclusive(|byte| *byte == b'\n').take(line.saturating_sub(1) as usize);
        let start = before.map(<[u8]>::len).sum::<usize>() as u32;
        let place = Place::of_file(path, reason.clone());
        Place { line: (*line).max(1), span: Span::empty(start), ..place }
    });
    notes.collect()
}

/// The files that stay and name one that goes. They are unused, too, or may be.
fn left_behind(project: &Project, found: &Unused, chosen: &HashSet<FileId>) -> Vec<Place> {
    let mut doubts = Vec::new();
    let usage = project.usage();
    let rows = found.unused.iter().map(|row| row.file).chain(found.kept.iter().map(|row| row.file));
    for file in rows.filter(|file| !chosen.contains(file)) {
        let mut lost: Vec<FileId> = usage.named_by(file).filter(|to| chosen.contains(to)).collect();
        lost.sort_unstable();
        if let Some(first) = lost.first() {
            let more = match lost.len() {
                1 => String::new(),
                count => format!(" and {} more", count - 1),
            };
            let what = format!(
                "this file stays, but refers to `{}`{more}, which will be removed",
                project.path(*first)
            );
            doubts.push(Place::of_file(project.path(file), what));
        }
    }
    doubts
}
