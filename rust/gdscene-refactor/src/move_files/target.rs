//! The requested move, its target, and why it may be refused.

use std::path::Path;

use godot_project::res_path::{extension_of, name_of};
use godot_project::{Project, resolve_path};

use crate::RefactorError;
use crate::new_path::{NewPath, has_files_below, is_existing_folder, on_disk, unseen};

/// The source and the target: paths without a slash at their ends.
#[derive(Debug)]
pub(super) struct Target {
    pub(super) old: String,
    pub(super) new: String,
    pub(super) is_folder: bool,
}

/// Files that Godot, or this program, finds by their places.
const FIXED: [&str; 4] =
    ["res://project.godot", "res://override.cfg", "res://export_presets.cfg", "res://gdscene.toml"];

/// By these Godot decides how to read a file. Between other endings it sees no difference.
const KNOWN_EXTENSIONS: &[&str] = &[
    "tscn",
    "tres",
    "escn",
    "scn",
    "res",
    "gd",
    "cs",
    "gdshader",
    "gdshaderinc",
    "shader",
    "gdextension",
    "gdnlib",
    "gdns",
    "import",
    "uid",
    "png",
    "jpg",
    "jpeg",
    "webp",
    "svg",
    "bmp",
    "tga",
    "hdr",
    "exr",
    "ktx",
    "dds",
    "ogg",
    "oga",
    "wav",
    "mp3",
    "ogv",
    "glb",
    "gltf",
    "fbx",
    "blend",
    "dae",
    "obj",
    "ttf",
    "otf",
    "woff",
    "woff2",
    "fnt",
    "font",
    "csv",
    "po",
    "mo",
    "translation",
    "json",
    "material",
    "mesh",
    "theme",
    "godot",
];

/// Endings of one format.
const SAME: [(&str, &str); 2] = [("jpg", "jpeg"), ("ogg", "oga")];

impl Target {
    /// The meaning of `from` and `to`: as for `mv`, an existing folder, or one with a slash after it, receives the
    /// moved files.
    ///
    /// # Errors
    /// When nothing may move so.
    pub(super) fn of(project: &Project, from: &str, to: &str) -> Result<Self, RefactorError> {
        let old = inside(from)?;
        let is_folder = has_files_below(project, &old);
        if project.file(&old).is_none() && !is_folder {
            return Err(not_there(project, &old));
        }
        if old == "res://" || FIXED.contains(&&*old) {
            return refuse(format!("`{old}` cannot be moved, because Godot requires this path"));
        }
        for end in [".import", ".uid"] {
            if let Some(source) =
                old.strip_suffix(end).filter(|source| project.file(source).is_some())
            {
                return refuse(format!(
                    "`{old}` moves together with `{source}`; move that file instead"
                ));
            }
        }
        let mut new = inside(to)?;
        // Where case does not count, a folder is found under its new name already.
        let is_own = new.to_lowercase() == old.to_lowercase();
        if to.ends_with('/') || new == "res://" || !is_own && is_existing_folder(project, &new) {
            let end = if new.ends_with('/') { "" } else { "/" };
            new = format!("{new}{end}{}", name_of(&old));
        }
        let target = Self { old, new, is_folder };
        target.check(project)?;
        Ok(target)
    }

    fn check(&self, project: &Project) -> Result<(), RefactorError> {
        let Self { old, new, is_folder } = self;
        if new == old {
            return refuse(format!("`{old}` is already there"));
        }
        if new.strip_prefix(&**old).is_some_and(|rest| rest.starts_with('/')) {
            return refuse(format!("`{old}` cannot be moved into itself"));
        }
        let new_path = NewPath { project, path: new, old: Some(old) };
        new_path.check()?;
        if *is_folder {
            return Ok(());
        }
        for end in [".import", ".uid"] {
            if project.file(&format!("{old}{end}")).is_some() {
                NewPath { path: &format!("{new}{end}"), ..new_path }.check_free()?;
            }
        }
        self.check_extension()
    }

    /// A file is read by its ending.
    fn check_extension(&self) -> Result<(), RefactorError> {
        let [old, new] = [&self.old, &self.new].map(|path| extension_of(path));
        let is_known = |extension: &str| KNOWN_EXTENSIONS.contains(&extension);
        let is_same = old == new
            || SAME.iter().any(|pair| *pair == (&*old, &*new) || *pair == (&*new, &*old));
        if is_same || !is_known(&old) && !is_known(&new) {
            return Ok(());
        }
        refuse(format!(
            "Godot chooses a file's format by its extension; renaming `.{old}` to `.{new}` does not convert the file"
        ))
    }
}

fn refuse<T>(reason: String) -> Result<T, RefactorError> {
    Err(RefactorError::Refused(reason))
}

fn inside(path: &str) -> Result<String, RefactorError> {
    let found = resolve_path("res://", path).filter(|_| !path.contains("::"));
    found.ok_or_else(|| RefactorError::Refused(format!("`{path}` is not in the project's folder")))
}

fn not_there(project: &Project, path: &str) -> RefactorError {
    let is_there = project.source().exists(path) || on_disk(project, path, Path::exists);
    match unseen(project, path).filter(|_| is_there) {
        Some(reason) => {
            RefactorError::Refused(format!("Godot's editor ignores `{path}`: {reason}"))
        }
        None if is_there => {
            RefactorError::Refused(format!("`{path}` contains no files that Godot's editor sees"))
        }
        None => match project.nearest_path(path) {
            Some(near) => RefactorError::Refused(format!(
                "`{path}` is not in the project; did you mean `{near}`?"
            )),
            None => RefactorError::NoSuchFile { path: path.to_owned() },
        },
    }
}
