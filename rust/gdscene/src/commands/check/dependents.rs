//! The files that depend on changed files.

use std::fs;
use std::path::{Path, PathBuf};

use godot_project::{Dependencies, Project};

use crate::linter::Linter;

/// The files that depend on those at `paths`, or below them, in all projects. All paths are canonical.
pub(super) fn dependents<'p>(
    linter: &Linter,
    paths: impl IntoIterator<Item = &'p PathBuf> + Copy,
) -> Vec<PathBuf> {
    let of_project = |project| dependents_in(project, paths);
    linter.projects().flat_map(|project| of_project(project).unwrap_or_default()).collect()
}

fn dependents_in<'p>(
    project: &Project,
    paths: impl IntoIterator<Item = &'p PathBuf>,
) -> Option<Vec<PathBuf>> {
    let root = fs::canonicalize(project.root()?).ok()?;
    let dependencies = Dependencies::new(project);
    let below = paths.into_iter().filter_map(|path| path.strip_prefix(&root).ok());
    let name = |path: &Path| path.to_string_lossy().replace('\\', "/");
    let names: Vec<String> = below.map(|path| format!("res://{}", name(path))).collect();
    let is_changed = |path: &str| {
        names.iter().any(|name| {
            let rest = path.strip_prefix(name.as_str());
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        })
    };
    let mut changed: Vec<_> =
        project.files().filter(|file| is_changed(project.path(*file))).collect();
    for name in &names {
        // The uid of a script or import is next to it.
        let beside = name.strip_suffix(".uid").or_else(|| name.strip_suffix(".import"));
        changed.extend(beside.and_then(|path| project.file(path)));
        changed.extend(dependencies.referring_to_missing(name));
    }
    let all = dependencies.all_dependents(changed);
    let place = |path: &str| root.join(path.trim_start_matches("res://"));
    Some(all.into_iter().map(|file| place(project.path(file))).collect())
}
