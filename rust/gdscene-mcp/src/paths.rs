//! A model's path, as `res://…` in the project.

use std::collections::BTreeSet;
use std::path::{Component, Path};

use gdscene_lint::{Scope, Workspace};
use godot_project::{FileId, Project, is_checkable, resolve_path};

use crate::limits::excerpt;
use crate::tool::ToolError;

/// A path as `res://…`: `res://a.tscn`, `a.tscn` from the project's folder, or an absolute one in it. The file need not be
/// there.
pub(crate) fn res_path(project: &Project, given: &str) -> Result<String, ToolError> {
    let outside = || {
        ToolError(format!(
            "`{}` is not in the project's folder; write `res://…`, or a path relative to the project's folder",
            excerpt(given)
        ))
    };
    let relative = match project.root() {
        Some(root) if !given.starts_with("res://") && Path::new(given).is_absolute() => {
            Some(below(root, Path::new(given)).ok_or_else(outside)?)
        }
        _ => None,
    };
    let path = resolve_path("res://", relative.as_deref().unwrap_or(given)).ok_or_else(outside)?;
    let is_hidden = |part: &str| part.starts_with('.');
    if path["res://".len()..].split('/').any(is_hidden) || path.contains('\0') {
        return Err(ToolError(format!(
            "`{}` is hidden: Godot and this server ignore names that begin with a dot",
            excerpt(&path)
        )));
    }
    Ok(path)
}

/// The file at a path, which is there.
pub(crate) fn file(project: &Project, given: &str) -> Result<FileId, ToolError> {
    let path = res_path(project, given)?;
    project.file(&path).ok_or_else(|| missing(project, &path))
}

/// The target of a path.
pub(crate) enum FileOrFolder {
    File(FileId),
    /// All files below a folder.
    Folder(Vec<FileId>),
}

/// The file or folder at a path, which is there.
pub(crate) fn file_or_folder(project: &Project, given: &str) -> Result<FileOrFolder, ToolError> {
    let path = res_path(project, given)?;
    if let Some(file) = project.file(&path) {
        return Ok(FileOrFolder::File(file));
    }
    let folder = if path == "res://" { path.clone() } else { format!("{path}/") };
    let below: Vec<FileId> =
        project.files().filter(|file| project.path(*file).starts_with(&folder)).collect();
    if below.is_empty() { Err(missing(project, &path)) } else { Ok(FileOrFolder::Folder(below)) }
}

/// The checkable files at these paths: named files, even if git ignores them, and the files in folders that a check of the
/// whole project includes.
pub(crate) fn checkable(
    workspace: &Workspace,
    project: &Project,
    given: &[String],
) -> Result<BTreeSet<FileId>, ToolError> {
    let in_scope: BTreeSet<FileId> = workspace.files(Scope::All).into_iter().collect();
    let mut files = BTreeSet::new();
    for path in given {
        match file_or_folder(project, path)? {
            FileOrFolder::File(file) if !is_checkable(project.path(file).as_ref()) => {
                return Err(ToolError(format!(
                    "`{}` is not a scene, text resource, GDScript or settings file, so it cannot be checked",
                    project.path(file)
                )));
            }
            FileOrFolder::File(file) => _ = files.insert(file),
            FileOrFolder::Folder(below) => {
                files.extend(below.into_iter().filter(|file| in_scope.contains(file)));
            }
        }
    }
    Ok(files)
}

fn missing(project: &Project, path: &str) -> ToolError {
    let paths = project.files().map(|file| project.path(file).as_bytes());
    let near = godot_tscn::nearest(path.as_bytes(), paths);
    // The folder may be the only thing that is wrong.
    let name = path.rsplit('/').next().unwrap_or(path);
    let of_name = || {
        let mut same = project.files().map(|file| project.path(file));
        same.find(|other| other.rsplit('/').next() == Some(name))
    };
    let near = near.map(String::from_utf8_lossy).or_else(|| Some(of_name()?.into()));
    let hint = near.map_or_else(
        || "; `project` lists the scenes".to_owned(),
        |near| format!("; did you mean `{near}`?"),
    );
    ToolError(format!(
        "`{}` is not a file of the project, or Godot's editor does not see it{hint}",
        excerpt(path)
    ))
}

/// An absolute path from the folder `root` above it.
fn below(root: &Path, path: &Path) -> Option<String> {
    if path.components().any(|part| part == Component::ParentDir) {
        return None;
    }
    let real = |path: &Path| path.canonicalize().ok();
    let inside = path.strip_prefix(root).ok().map(Path::to_owned).or_else(|| {
        // The same folder under another name. The file need not be there.
        let root = real(root)?;
        let (there, rest) = path
            .ancestors()
            .find_map(|there| Some((real(there)?, path.strip_prefix(there).ok()?.to_owned())))?;
        Some(there.strip_prefix(&root).ok()?.join(rest))
    })?;
    let parts: Vec<_> =
        inside.components().map(|part| part.as_os_str().to_string_lossy().into_owned()).collect();
    Some(parts.join("/"))
}
