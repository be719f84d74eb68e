//! Files with the uids of others that are not in version control: all of a kind together, because one line of a
//! `.gitignore` leaves all of them out.

use godot_tscn::GodotVersion;
use hashbrown::HashSet;

use crate::project::{FileId, Project, ResolvedPath};
use crate::res_path::{extension_of, has_uid_beside};

/// The uids of a project that others do not get.
#[derive(Debug, Default)]
pub struct MissingSidecars {
    /// An `.import` file does not exist.
    pub missing_imports: Lack,
    /// A `.uid` file does not exist.
    pub missing_uids: Lack,
    /// Git ignores an `.import` file.
    pub ignored_imports: Lack,
    /// Git ignores a `.uid` file.
    pub ignored_uids: Lack,
}

/// The references by uid to files that lack the file with it.
#[derive(Debug, Default)]
pub struct Lack {
    /// How many references there are.
    pub reference_count: usize,
    /// The files with references.
    pub callers: HashSet<FileId>,
    /// Their targets.
    pub targets: HashSet<FileId>,
}

/// If at least this number of files lacks it, the cause is common.
const MANY: usize = 10;

impl Lack {
    /// Whether it must be reported once for the project instead of at each reference.
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
                if lacks_uid_file(project, target) && project.files_with_uid(uid).is_empty() {
                    all.missing_uids.add(caller, target);
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

/// Files that Godot 3 and 4 load only as the results of their importers (`get_recognized_extensions` of
/// editor/import/resource_importer_*.cpp and the modules). Fonts are not among them: Godot 3 loads them as they are.
pub const ARE_IMPORTED: &[&str] = &[
    "bmp", "exr", "hdr", "jpeg", "jpg", "png", "svg", "tga", "webp", "mp3", "ogg", "wav", "blend",
    "dae", "fbx", "glb", "gltf", "obj",
];

/// Whether a file is to have a `.uid` file, as since Godot 4.4, and has none.
pub fn lacks_uid_file(project: &Project, file: FileId) -> bool {
    const WITH_UID_FILES: GodotVersion = GodotVersion::godot4(4);
    let path = project.path(file);
    let is_older = project.settings().version.is_some_and(|version| version < WITH_UID_FILES);
    !is_older
        && has_uid_beside(path)
        && project.uid(file).is_none()
        && project.file(&format!("{path}.uid")).is_none()
}

/// Whether a file must be imported, and its `.import` file is missing.
pub fn needs_import(project: &Project, file: FileId) -> bool {
    let path = project.path(file);
    ARE_IMPORTED.contains(&&*extension_of(path))
        && project.file(&format!("{path}.import")).is_none()
}
