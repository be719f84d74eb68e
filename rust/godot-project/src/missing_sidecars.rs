//! Files that tell the uids of others and that are not in version control: all of a kind together, because one line of a
//! `.gitignore` leaves all of them out.

use hashbrown::HashSet;

use crate::project::{FileId, Project, ResolvedPath};
use crate::res_path::extension_of;

/// What of a project's uids others do not get.
#[derive(Debug, Default)]
pub struct MissingSidecars {
    /// An `.import` file does not exist.
    pub missing_imports: Lack,
    /// Git ignores an `.import` file.
    pub ignored_imports: Lack,
    /// Git ignores a `.uid` file.
    pub ignored_uids: Lack,
}

/// The references by uid to files that lack one that tells it.
#[derive(Debug, Default)]
pub struct Lack {
    /// How many references there are.
    pub reference_count: usize,
    /// Those that refer.
    pub callers: HashSet<FileId>,
    /// Those that are referred to.
    pub targets: HashSet<FileId>,
}

/// If so many files lack it, it is no accident of each of them.
const MANY: usize = 10;

impl Lack {
    /// Whether it is to be reported once for the project instead of at each reference.
    pub fn is_common(&self) -> bool {
        self.targets.len() > MANY
    }

    fn add(&mut self, caller: FileId, target: FileId) {
        self.reference_count += 1;
        self.callers.insert(caller);
        self.targets.insert(target);
    }
}

impl MissingSidecars {
    pub(crate) fn of(project: &Project) -> Self {
        let git = project.version_control();
        let mut all = Self::default();
        for caller in project.text_files().into_iter().filter(|file| !project.is_unchecked(*file)) {
            let caller_path = project.path(caller);
            let git = git.filter(|git| git.is_tracked(caller_path));
            for resource in &project.facts(caller).ext_resources {
                let Some(uid) = resource.uid else { continue };
                let ResolvedPath::File(target) = project.resolve_external(caller_path, resource)
                else {
                    continue;
                };
                if needs_import(project, target) && project.files_with_uid(uid).is_empty() {
                    all.missing_imports.add(caller, target);
                }
                let Some(git) = git else { continue };
                let path = project.path(target);
                if git.is_ignored(path) {
                    continue;
                }
                if git.is_ignored(&format!("{path}.import")) {
                    all.ignored_imports.add(caller, target);
                }
                if git.is_ignored(&format!("{path}.uid")) {
                    all.ignored_uids.add(caller, target);
                }
            }
        }
        all
    }
}

/// Files that Godot 3 and 4 load only as what their importers made of them (`get_recognized_extensions` of
/// editor/import/resource_importer_*.cpp and the modules). Fonts are not among them: Godot 3 loads them as they are.
pub const ARE_IMPORTED: &[&str] = &[
    "bmp", "exr", "hdr", "jpeg", "jpg", "png", "svg", "tga", "webp", "mp3", "ogg", "wav", "blend",
    "dae", "fbx", "glb", "gltf", "obj",
];

/// Whether a file is to be imported, and the `.import` file that would say how is not there.
pub fn needs_import(project: &Project, file: FileId) -> bool {
    let path = project.path(file);
    ARE_IMPORTED.contains(&&*extension_of(path))
        && project.file(&format!("{path}.import")).is_none()
}
