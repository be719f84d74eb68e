//! Where paths and uids lead.

use super::{FileId, Project};
use crate::Uid;
use crate::res_path::resolve_path;

/// Where a reference leads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ResolvedPath {
    /// To this file.
    File(FileId),
    /// To a file that is there, but that Godot's editor does not see: in a hidden folder, one with a
    /// `.gdignore`, or another project.
    Unseen(String),
    /// To no file.
    Missing(String),
    /// Out of the project, or unknown.
    Outside,
}

impl Project {
    /// The target of a path in the file `base`.
    pub fn resolve(&self, base: &str, path: &str) -> ResolvedPath {
        if path.starts_with("uid://") {
            let found = Uid::parse(path.as_bytes()).map(|uid| self.files_with_uid(uid));
            return match found {
                Some([first, ..]) => ResolvedPath::File(*first),
                _ => ResolvedPath::Missing(path.to_owned()),
            };
        }
        let Some(path) = resolve_path(base, path) else {
            return ResolvedPath::Outside;
        };
        match self.file(&path) {
            Some(file) => ResolvedPath::File(file),
            None if self.source.exists(&path) => ResolvedPath::Unseen(path),
            None => ResolvedPath::Missing(path),
        }
    }

    /// The target of an `ext_resource` in the file `base`. As in Godot, a uid that is known wins over
    /// the path (`ResourceLoaderText::load`).
    pub fn resolve_external(&self, base: &str, resource: &crate::ExtResource) -> ResolvedPath {
        if let Some([file, ..]) = resource.uid.map(|uid| self.files_with_uid(uid)) {
            return ResolvedPath::File(*file);
        }
        resource.path.as_deref().map_or(ResolvedPath::Outside, |path| self.resolve(base, path))
    }
}
