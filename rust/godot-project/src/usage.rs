//! The used files of a project: those that its settings, scripts, scenes and other texts reach.
//!
//! A named file is used if the file that names it is used. Names are searched in the texts themselves, not only where Godot
//! lists dependencies: `ext_resource` tags, `preload("…")`, `#include`, classes by their names, textures of a model, paths in
//! data files. Files with uncertain use are kept with the reason: a path that is built at run time, a mention of the name
//! alone, addons, scripts that the editor runs.

mod compressed;
mod edges;
mod kinds;
mod models;
mod names;
mod presets;
mod reasons;
mod roots;
mod scan;
mod stems;

use std::collections::VecDeque;

use hashbrown::HashMap;

use self::edges::Edges;
pub use self::kinds::FileKind;
pub use self::reasons::KeptReason;
use crate::project::{FileId, Project};

/// The result of [`unused_files`].
#[derive(Clone, Debug, Default)]
pub struct Unused {
    /// The files that nothing uses, by path.
    pub unused: Vec<UnusedFile>,
    /// The files that may be used, by path.
    pub kept: Vec<KeptFile>,
    /// The limits of the judgement: the path of a file, its line, and the reason.
    pub notes: Vec<(String, u32, String)>,
}

/// A file that nothing uses.
#[derive(Clone, Debug)]
pub struct UnusedFile {
    /// The file.
    pub file: FileId,
    /// Its kind.
    pub kind: FileKind,
    /// How many bytes it has, with its companions.
    pub size: u64,
    /// The files next to it that go with it: `.import`, `.uid`.
    pub companions: Vec<FileId>,
    /// Other unused files that name it.
    pub named_by: Vec<FileId>,
}

/// A file that may be used.
#[derive(Clone, Debug)]
pub struct KeptFile {
    /// The file.
    pub file: FileId,
    /// Its kind.
    pub kind: FileKind,
    /// How many bytes it has, with the files that belong to it.
    pub size: u64,
    /// Why it may be used.
    pub reason: KeptReason,
}

/// The use of each file.
#[derive(Debug, Default)]
pub struct Usage {
    /// For each file.
    states: Vec<State>,
    edges: Edges,
}

/// Whether a file is used.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum State {
    /// Nothing uses it.
    #[default]
    Unused,
    /// Nothing is known to use it, but something may.
    Kept(KeptReason),
    /// Something uses it.
    Used,
}

impl Usage {
    /// Reads all texts of the project.
    pub(crate) fn new(project: &Project) -> Self {
        let edges = Edges::new(project);
        let mut states = vec![State::Unused; project.files().len()];
        let mut open: Vec<FileId> = roots::roots(project).collect();
        let mut used: Vec<FileId> = Vec::new();
        while let Some(file) = open.pop() {
            let state = &mut states[file.index()];
            if *state == State::Unused {
                *state = State::Used;
                used.push(file);
                open.extend(edges.certain(file));
            }
        }
        let mut usage = Self { states, edges };
        usage.keep(project, &used);
        usage
    }

    /// Spreads the doubts: from used files, from files that are doubtful by themselves, and from all kept ones.
    fn keep(&mut self, project: &Project, used: &[FileId]) {
        let mut open: VecDeque<(FileId, KeptReason)> = VecDeque::new();
        open.extend(roots::doubtful(project));
        let mut starts = edges::Starts::default();
        for file in used {
            self.edges
                .doubts(project, *file, &mut starts, |to, reason| open.push_back((to, reason)));
        }
        while let Some((file, reason)) = open.pop_front() {
            if self.states[file.index()] != State::Unused {
                continue;
            }
            self.states[file.index()] = State::Kept(reason);
            for to in self.edges.certain(file) {
                open.push_back((to, KeptReason::NeededBy(project.path(file).to_owned())));
            }
            self.edges
                .doubts(project, file, &mut starts, |to, reason| open.push_back((to, reason)));
        }
    }

    /// The files that `file` certainly names.
    pub fn named_by(&self, file: FileId) -> impl Iterator<Item = FileId> {
        self.edges.certain(file)
    }

    /// Why `file` may use `to`, which it does not certainly name.
    pub fn doubt(&self, project: &Project, file: FileId, to: FileId) -> Option<KeptReason> {
        self.edges.doubt(project, file, to)
    }

    /// The limits of the judgement: the path of a file, its line, and the reason.
    pub(crate) fn notes(&self, project: &Project) -> Vec<(String, u32, String)> {
        self.edges.notes(project, self)
    }

    /// Whether the file is used.
    pub fn state(&self, file: FileId) -> &State {
        &self.states[file.index()]
    }
}

/// The unused files of the project, and those that are possibly used.
///
/// Only files of games are judged: scenes, resources, images, sounds, models, fonts, scripts, shaders and other files that
/// Godot imports. Other files, such as data that scripts read, count as used.
///
/// ```
/// # let folder = tempfile::tempdir().unwrap();
/// # let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
/// # write("project.godot", "config_version=5\n[application]\nrun/main_scene=\"res://a.tscn\"\n");
/// # write("a.tscn", "[gd_scene format=3]\n");
/// # write("old.tscn", "[gd_scene format=3]\n");
/// let project = godot_project::Project::open(folder.path())?;
/// let found = godot_project::unused_files(&project);
/// let paths: Vec<&str> = found.unused.iter().map(|unused| project.path(unused.file)).collect();
/// assert_eq!(paths, ["res://old.tscn"]);
/// # Ok::<(), godot_project::ProjectError>(())
/// ```
pub fn unused_files(project: &Project) -> Unused {
    let usage = project.usage();
    let named_by = usage.edges.reversed(|file| *usage.state(file) == State::Unused);
    let mut found = Unused { notes: usage.notes(project), ..Unused::default() };
    for file in project.files() {
        let Some(kind) = kinds::kind_of(project, file) else { continue };
        let companions = kinds::companions(project, file);
        let all = std::iter::once(&file).chain(&companions);
        let size = all.map(|file| project.size(*file)).sum();
        match usage.state(file) {
            State::Used => {}
            State::Kept(reason) => {
                found.kept.push(KeptFile { file, kind, size, reason: reason.clone() });
            }
            State::Unused => {
                let named_by = named_by.get(&file).cloned().unwrap_or_default();
                found.unused.push(UnusedFile { file, kind, size, companions, named_by });
            }
        }
    }
    found
}

/// The files that name each file.
type Reversed = HashMap<FileId, Vec<FileId>>;
