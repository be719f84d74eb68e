//! What is asked to move, where to, and why that may not be.

use crate::project::Project;
use crate::refactor::RefactorError;
use crate::refactor::names::check_file_name;
use crate::res_path::{extension_of, folder_of, name_of, resolve_path};

/// What moves, and where to: paths without a slash at their ends.
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
    /// What `from` and `to` mean: as for `mv`, an existing folder, or one with a slash behind it, takes up what moves.
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
            return refuse(format!("`{old}` has its place: Godot looks for it nowhere else"));
        }
        for end in [".import", ".uid"] {
            if let Some(source) =
                old.strip_suffix(end).filter(|source| project.file(source).is_some())
            {
                return refuse(format!("`{old}` goes with `{source}`: move that"));
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
            return refuse(format!("`{old}` lies there already"));
        }
        if new.strip_prefix(&**old).is_some_and(|rest| rest.starts_with('/')) {
            return refuse(format!("`{old}` cannot be moved into itself"));
        }
        self.check_names(project)?;
        if let Some(reason) = unseen(project, new) {
            return refuse(format!("Godot's editor would not see `{new}`: {reason}"));
        }
        self.check_free(project, new)?;
        if *is_folder {
            return Ok(());
        }
        for end in [".import", ".uid"] {
            if project.file(&format!("{old}{end}")).is_some() {
                self.check_free(project, &format!("{new}{end}"))?;
            }
        }
        self.check_extension()
    }

    /// The folders on the way that are there keep their names, whatever they are.
    fn check_names(&self, project: &Project) -> Result<(), RefactorError> {
        let mut folder = "res:/".to_owned();
        for name in self.new.strip_prefix("res://").unwrap_or_default().split('/') {
            let path = format!("{folder}/{name}");
            let is_last = path == self.new;
            if !is_last && project.file(&path).is_some() {
                return Err(RefactorError::Clash {
                    what: format!("`{path}` is a file, not a folder"),
                });
            }
            if is_last || !is_existing_folder(project, &path) {
                check_file_name(name)?;
                self.check_case(project, &path)?;
            }
            folder = path;
        }
        Ok(())
    }

    /// No other file or folder may be called as `path` but for upper and lower case: on Windows and macOS they are one.
    fn check_case(&self, project: &Project, path: &str) -> Result<(), RefactorError> {
        let start = format!("{path}/").to_lowercase();
        let (old, old_start) = (&self.old, format!("{}/", self.old));
        for file in project.files() {
            let other = project.path(file);
            if other == old || other.starts_with(&old_start) {
                continue;
            }
            let folded = other.to_lowercase();
            let is_file = folded.len() + 1 == start.len() && start.starts_with(&folded);
            let other = match folded.starts_with(&start) {
                true => other.get(..path.len()).unwrap_or(other),
                false if is_file => other,
                false => continue,
            };
            if other != path {
                let what = format!(
                    "`{path}` differs from `{other}` in upper and lower case only, which some systems take for one"
                );
                return Err(RefactorError::Clash { what });
            }
        }
        Ok(())
    }

    fn check_free(&self, project: &Project, path: &str) -> Result<(), RefactorError> {
        let on_disk =
            project.root().map(|root| root.join(path.strip_prefix("res://").unwrap_or(path)));
        // Where case does not count, a file is found under its new name already.
        let is_own = path.to_lowercase() == self.old.to_lowercase();
        let is_there = project.file(path).is_some()
            || has_files_below(project, path)
            || project.source().exists(path)
            || !is_own && on_disk.is_some_and(|path| path.symlink_metadata().is_ok());
        if is_there {
            return Err(RefactorError::Clash { what: format!("`{path}` exists") });
        }
        Ok(())
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
            "Godot reads a file by its ending: `.{old}` does not become `.{new}` by another name"
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

fn has_files_below(project: &Project, folder: &str) -> bool {
    let start = if folder.ends_with('/') { folder.to_owned() } else { format!("{folder}/") };
    project.files_that_start_with(&start).next().is_some()
}

/// Also one without files.
fn is_existing_folder(project: &Project, path: &str) -> bool {
    let on_disk =
        |root: &std::path::Path| root.join(path.strip_prefix("res://").unwrap_or(path)).is_dir();
    has_files_below(project, path) || project.root().is_some_and(on_disk)
}

fn not_there(project: &Project, path: &str) -> RefactorError {
    let on_disk =
        |root: &std::path::Path| root.join(path.strip_prefix("res://").unwrap_or(path)).exists();
    let is_there = project.source().exists(path) || project.root().is_some_and(on_disk);
    match unseen(project, path).filter(|_| is_there) {
        Some(reason) => {
            RefactorError::Refused(format!("Godot's editor does not see `{path}`: {reason}"))
        }
        None if is_there => {
            RefactorError::Refused(format!("`{path}` has no files that Godot's editor sees"))
        }
        None => match project.nearest_path(path) {
            Some(near) => RefactorError::Refused(format!(
                "`{path}` is not in the project; did you mean `{near}`?"
            )),
            None => RefactorError::NoSuchFile { path: path.to_owned() },
        },
    }
}

/// Why the editor does not see what lies at a path (`EditorFileSystem::_scan_new_dir`, `_should_skip_directory`, Godot 4.6.3).
fn unseen(project: &Project, path: &str) -> Option<String> {
    let below = path.strip_prefix("res://")?;
    if let Some(name) = below.split('/').find(|name| name.starts_with('.')) {
        return Some(format!("the name of `{name}` begins with a dot"));
    }
    let mut folder = folder_of(path);
    while folder.len() > "res:/".len() {
        for mark in [".gdignore", "project.godot"] {
            if project.source().exists(&format!("{folder}/{mark}")) {
                return Some(format!("`{folder}` has a `{mark}`"));
            }
        }
        folder = folder_of(folder);
    }
    None
}
