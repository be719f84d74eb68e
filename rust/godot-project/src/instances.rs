//! How deep scenes are instanced in each other, and which of them need a broken one.

use hashbrown::HashMap;

use crate::facts::{Instance, Scene};
use crate::project::{FileId, Project, ResolvedPath};

/// For each scene, the longest chain of scenes that it instances or inherits.
#[derive(Debug, Default)]
pub struct InstanceDepths {
    /// How many scenes that way has below the file, and the first of them.
    of_files: Vec<(u32, Option<FileId>)>,
}

/// How far the search has come with a file.
#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    New,
    /// It is on the way; who comes to it again has gone in a circle.
    Open,
    Done,
}

/// Whether a scene contains the one at `path`, or is it.
pub fn leads_to(project: &Project, file: FileId, path: &str) -> bool {
    let mut seen = hashbrown::HashSet::new();
    let mut open = vec![file];
    while let Some(file) = open.pop() {
        if project.path(file) == path {
            return true;
        }
        if seen.insert(file) {
            open.extend(instanced(project, file));
        }
    }
    false
}

/// A scene that contains itself: a scene, or one of those that it instances or inherits.
pub fn circle_below(project: &Project, file: FileId) -> Option<FileId> {
    let mut states: HashMap<FileId, State> = HashMap::new();
    // Not by recursion: files decide how long the way is.
    let mut open = vec![file];
    while let Some(file) = open.last().copied() {
        if states.contains_key(&file) {
            states.insert(file, State::Done);
            open.pop();
            continue;
        }
        states.insert(file, State::Open);
        for inner in instanced(project, file) {
            match states.get(&inner) {
                Some(State::Open) => return Some(inner),
                Some(_) => {}
                None => open.push(inner),
            }
        }
    }
    None
}

/// A scene that inherits itself: a scene, or one of those that it inherits.
pub fn circle_above(project: &Project, file: FileId) -> Option<FileId> {
    let mut seen = hashbrown::HashSet::new();
    let mut file = file;
    while seen.insert(file) {
        let facts = project.facts(file);
        let root = facts.scene.as_ref()?.nodes.first()?;
        file = made_of(project, file, root.instance.as_ref().filter(|_| root.parent.is_none())?)?;
    }
    Some(file)
}

impl InstanceDepths {
    pub(crate) fn new(project: &Project) -> Self {
        let count = project.files().len();
        let mut depths = Self { of_files: vec![(0, None); count] };
        let mut states = vec![State::New; count];
        for start in project.files() {
            // Not by recursion: files decide how long the way is.
            let mut open = vec![start];
            while let Some(file) = open.last().copied() {
                if states[file.index()] == State::New {
                    states[file.index()] = State::Open;
                    let is_new = |inner: &FileId| states[inner.index()] == State::New;
                    open.extend(instanced(project, file).into_iter().filter(is_new));
                    continue;
                }
                open.pop();
                if states[file.index()] == State::Open {
                    states[file.index()] = State::Done;
                    let inner = instanced(project, file).into_iter();
                    // A scene that is still open is on a circle, which another rule reports.
                    let inner = inner
                        .filter(|inner| states[inner.index()] == State::Done && *inner != file);
                    let deepest = inner.max_by_key(|inner| depths.of_files[inner.index()].0);
                    if let Some(inner) = deepest {
                        depths.of_files[file.index()] =
                            (depths.of_files[inner.index()].0 + 1, Some(inner));
                    }
                }
            }
        }
        depths
    }

    /// The files on the longest way down from a file, which is the first.
    pub fn way_down(&self, file: FileId) -> Vec<FileId> {
        let mut way = vec![file];
        while let Some(next) = way.last().and_then(|last| self.of_files[last.index()].1) {
            way.push(next);
        }
        way
    }
}

/// The scenes that need a broken one, over those that they instance or inherit.
#[derive(Debug, Default)]
pub struct BrokenInstances {
    /// The broken file that each of them needs.
    of_files: HashMap<FileId, FileId>,
}

impl BrokenInstances {
    pub(crate) fn new(project: &Project) -> Self {
        let is_broken = |file: &FileId| project.facts(*file).refusal.is_some();
        // Each with the broken file that it needs, or is.
        let mut reached: Vec<(FileId, FileId)> =
            project.files().filter(is_broken).map(|file| (file, file)).collect();
        let mut found = Self::default();
        if reached.is_empty() {
            return found;
        }
        let mut users: HashMap<FileId, Vec<FileId>> = HashMap::new();
        for file in project.files() {
            for inner in instanced(project, file) {
                users.entry(inner).or_default().push(file);
            }
        }
        let mut next = 0;
        while let Some((file, broken)) = reached.get(next).copied() {
            next += 1;
            for user in users.get(&file).into_iter().flatten() {
                if !is_broken(user) && found.of_files.insert(*user, broken).is_none() {
                    reached.push((*user, broken));
                }
            }
        }
        found
    }

    /// The broken file that a scene needs, if it needs one and is not broken itself.
    pub fn below(&self, file: FileId) -> Option<FileId> {
        self.of_files.get(&file).copied()
    }
}

/// The scenes that the nodes of a file are made of.
pub fn instanced(project: &Project, file: FileId) -> Vec<FileId> {
    let facts = project.facts(file);
    let nodes = facts.scene.as_ref().map_or(&[][..], |scene: &Scene| &scene.nodes);
    let mut found: Vec<FileId> = Vec::new();
    for instance in nodes.iter().filter_map(|node| node.instance.as_ref()) {
        if let Some(inner) = made_of(project, file, instance)
            && !found.contains(&inner)
        {
            found.push(inner);
        }
    }
    found
}

/// The scene that a node of a file is made of.
fn made_of(project: &Project, file: FileId, instance: &Instance) -> Option<FileId> {
    let Instance::Scene(index) = instance else { return None };
    let resource = &project.facts(file).ext_resources[*index as usize];
    match project.resolve_external(project.path(file), resource) {
        ResolvedPath::File(inner) => Some(inner),
        _ => None,
    }
}
