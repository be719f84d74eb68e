//! The dependencies and the users of each file.

use hashbrown::{HashMap, HashSet};
use rayon::prelude::*;

use crate::graph::is_read_for_paths;
use crate::project::{FileId, Project, ResolvedPath};
use crate::res_path::FactsKind;
use crate::settings::mentions;

/// The references in the files of a project.
///
/// These are the `ext_resource` tags of text scenes and resources, and the paths and uids that stand in them, in
/// scripts, shaders and `project.godot`. Paths that code builds at run time, and classes that are called by
/// their names, are not among them.
///
/// ```
/// # let folder = tempfile::tempdir().unwrap();
/// # let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
/// # write("project.godot", "config_version=5\n");
/// # write("b.gd", "extends Node\n");
/// use godot_project::{Dependencies, Project};
/// # write("a.tscn", "[gd_scene format=3]\n\n[ext_resource type=\"Script\" path=\"res://b.gd\" id=\"1\"]\n");
/// let project = Project::open(folder.path())?;
/// let dependencies = Dependencies::new(&project);
/// let script = project.file("res://b.gd").unwrap();
/// assert_eq!(dependencies.of(project.file("res://a.tscn").unwrap())[0].file(), Some(script));
/// assert_eq!(dependencies.dependents(script), [project.file("res://a.tscn").unwrap()]);
/// # Ok::<(), godot_project::ProjectError>(())
/// ```
#[derive(Debug, Default)]
pub struct Dependencies {
    /// For each file.
    needs: Vec<Vec<Dependency>>,
    needed_by: HashMap<FileId, Vec<FileId>>,
    /// By the path or uid of a target that is missing, or that the editor does not see.
    wanted_by: HashMap<String, Vec<FileId>>,
}

/// A reference from a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dependency {
    /// Where it leads.
    pub target: ResolvedPath,
    /// How the file names it.
    pub kind: DependencyKind,
}

/// How a file names another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DependencyKind {
    /// By an `ext_resource` tag.
    ExtResource,
    /// By a path or uid in its text. Only those that lead to a file are known: others may be the start of a
    /// longer path, or a file that is yet to be written.
    Mention,
}

impl Dependency {
    /// The file, if it is one of the project.
    pub fn file(&self) -> Option<FileId> {
        match self.target {
            ResolvedPath::File(file) => Some(file),
            _ => None,
        }
    }
}

impl Dependencies {
    /// Looks at all files, on all cores. Texts other than scenes, resources and scripts are read.
    pub fn new(project: &Project) -> Self {
        let files: Vec<FileId> = project.files().collect();
        let needs: Vec<Vec<Dependency>> =
            files.par_iter().map(|file| needs(project, *file)).collect();
        let mut needed_by: HashMap<FileId, Vec<FileId>> = HashMap::new();
        let mut wanted_by: HashMap<String, Vec<FileId>> = HashMap::new();
        for (file, needs) in files.into_iter().zip(&needs) {
            for needed in needs {
                match &needed.target {
                    ResolvedPath::File(to) => needed_by.entry(*to).or_default().push(file),
                    ResolvedPath::Missing(path) | ResolvedPath::Unseen(path) => {
                        wanted_by.entry(path.clone()).or_default().push(file);
                    }
                    ResolvedPath::Outside => {}
                }
            }
        }
        Self { needs, needed_by, wanted_by }
    }

    /// The references of a file, each target once, in the order of its text.
    pub fn of(&self, file: FileId) -> &[Dependency] {
        self.needs.get(file.index()).map_or(&[], Vec::as_slice)
    }

    /// The files that refer to a file, by path.
    pub fn dependents(&self, file: FileId) -> &[FileId] {
        self.needed_by.get(&file).map_or(&[], Vec::as_slice)
    }

    /// The files that refer to a path (`res://…`) at which there is no file, by path.
    pub fn referring_to_missing(&self, path: &str) -> &[FileId] {
        self.wanted_by.get(path).map_or(&[], Vec::as_slice)
    }

    /// These files and all that refer to them, directly or through others, by path.
    pub fn all_dependents(&self, files: impl IntoIterator<Item = FileId>) -> Vec<FileId> {
        self.reach(files, |file| self.dependents(file).to_vec())
    }

    /// These files and all that they refer to, directly or through others, by path.
    pub fn all_needed(&self, files: impl IntoIterator<Item = FileId>) -> Vec<FileId> {
        self.reach(files, |file| self.of(file).iter().filter_map(Dependency::file).collect())
    }

    fn reach(
        &self,
        files: impl IntoIterator<Item = FileId>,
        neighbors: impl Fn(FileId) -> Vec<FileId>,
    ) -> Vec<FileId> {
        let mut reached: HashSet<FileId> = HashSet::new();
        let mut open: Vec<FileId> = files.into_iter().collect();
        while let Some(file) = open.pop() {
            if reached.insert(file) {
                open.extend(neighbors(file));
            }
        }
        let mut reached: Vec<FileId> = reached.into_iter().collect();
        reached.sort_unstable();
        reached
    }
}

/// The references of one file.
fn needs(project: &Project, file: FileId) -> Vec<Dependency> {
    let (path, facts) = (project.path(file), project.facts(file));
    let tags = facts.ext_resources.iter().map(|found| Dependency {
        target: project.resolve_external(path, found),
        kind: DependencyKind::ExtResource,
    });
    let text = if is_read_for_paths(path) { project.read(file).ok() } else { None };
    let in_text = text.map(|text| mentions(&text)).unwrap_or_default();
    // The options of an import are about the file next to them.
    let own = if FactsKind::of(path) == FactsKind::Import { &[][..] } else { &facts.mentions };
    let options = project.import(file).into_iter().flat_map(|options| &options.mentions);
    let mentioned = own.iter().chain(&in_text).chain(options);
    let mentioned = mentioned.map(|mention| Dependency {
        target: project.resolve(path, mention),
        kind: DependencyKind::Mention,
    });
    let mentioned = mentioned.filter(|found| found.file().is_some_and(|to| to != file));
    let mut needs: Vec<Dependency> = Vec::new();
    let mut seen: HashSet<Key> = HashSet::new();
    for found in tags.chain(mentioned) {
        if found.target != ResolvedPath::Outside && seen.insert(Key::of(&found.target)) {
            needs.push(found);
        }
    }
    needs
}

/// The key of equal targets.
#[derive(PartialEq, Eq, Hash)]
enum Key {
    File(FileId),
    Path(String),
}

impl Key {
    fn of(target: &ResolvedPath) -> Self {
        match target {
            ResolvedPath::File(file) => Self::File(*file),
            ResolvedPath::Unseen(path) | ResolvedPath::Missing(path) => Self::Path(path.clone()),
            ResolvedPath::Outside => Self::Path(String::new()),
        }
    }
}
