//! Nodes of a scene that get other paths: the places in the project with paths to them, and the new paths.
//!
//! Everything follows from one model. A [`NodeChange`] contains the scene, the node and its new path; all nodes below it
//! move along, in every scene that instances or inherits that one. [`View::rewrite`] takes a path, its start node and this
//! model, and returns the path that leads to the same node afterwards. The modules below only know where paths stand and
//! from which node they are seen.

#[cfg(test)]
mod corpus_tests;
mod csharp;
mod libraries;
mod resources;
mod rewrite;
mod scene;
mod script_uses;
mod scripts;
#[cfg(test)]
pub(crate) mod test_files;

use godot_project::tree::Uses;
use godot_project::{FileId, NodeInTree, NodeLookup, Plan, Project, SceneTree};
use godot_tscn::GodotVersion;
use hashbrown::HashMap;

use crate::RefactorError;
use crate::draft::plan_of_files;

use rewrite::View;
pub(super) use rewrite::{Names, joined, names_of, path_between};
pub(super) use scene::quoted;

/// At most this number of places of a scene in others is checked.
const MOST_PLACES: usize = 100_000;

/// A node of a scene that gets another path.
#[derive(Debug)]
pub(super) struct NodeChange<'p> {
    pub(super) project: &'p Project,
    /// The scene with the text that makes the node.
    pub(super) scene: FileId,
    /// The old name of the node, by which paths to it are found.
    pub(super) name: String,
    pub(super) kind: ChangeKind,
    /// Where the node is in each scene that has it.
    placed: HashMap<FileId, Places>,
}

/// The change of the node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum ChangeKind {
    /// It gets this name.
    Rename(String),
    /// It gets another parent.
    Move,
}

/// Where the node is in a scene, which may instance the one that makes it at several places.
#[derive(Debug, Default)]
pub(super) struct Places {
    /// By the path before.
    by_old: HashMap<Names, Placed>,
    /// How many names these paths have, the largest number first.
    lengths: Vec<usize>,
}

/// One place of the node.
#[derive(Debug)]
pub(super) struct Placed {
    /// Where the scene that makes the node is in this one.
    pub(super) root: Names,
    /// The path afterwards.
    pub(super) new: Names,
}

impl Places {
    /// Each place, with the path before.
    pub(super) fn iter(&self) -> impl Iterator<Item = (&Names, &Placed)> {
        self.by_old.iter()
    }

    /// The place at this path before. Long paths are looked at only if one of their length may be there.
    fn at(&self, old: &[String]) -> Option<&Placed> {
        self.lengths.binary_search_by(|length| old.len().cmp(length)).ok()?;
        self.by_old.get(old)
    }

    fn add(&mut self, root: Names, old: &[String], new: &[String]) {
        let below = |end: &[String]| root.iter().chain(end).cloned().collect();
        let (old, new): (Names, Names) = (below(old), below(new));
        if let Err(at) = self.lengths.binary_search_by(|length| old.len().cmp(length)) {
            self.lengths.insert(at, old.len());
        }
        self.by_old.insert(old, Placed { root, new });
    }
}

impl<'p> NodeChange<'p> {
    /// The node at `old` in `scene`, below the root, which moves to `new`.
    ///
    /// # Errors
    /// When the scene is used more often than can be followed.
    pub(super) fn new(
        project: &'p Project,
        scene: FileId,
        old: &[String],
        new: &[String],
        kind: ChangeKind,
    ) -> Result<Self, RefactorError> {
        let uses = Uses::up_to(project, scene, MOST_PLACES);
        // Before their names, because each takes its own memory.
        if uses.has_more() {
            let path = project.path(scene);
            return Err(RefactorError::Refused(format!(
                "`{path}` is instanced at more than {MOST_PLACES} places, or by scenes that instance each other in a cycle"
            )));
        }
        let mut placed: HashMap<FileId, Places> = HashMap::new();
        placed.entry(scene).or_default().add(Names::new(), old, new);
        for (file, root) in uses.places(project).filter(|(file, _)| *file != scene) {
            placed.entry(file).or_default().add(names_of(root), old, new);
        }
        let name = old.last().cloned().unwrap_or_default();
        Ok(Self { project, scene, name, kind, placed })
    }

    /// Where the node is in a scene, if it is there.
    pub(super) fn placed(&self, file: FileId) -> Option<&Places> {
        self.placed.get(&file)
    }

    /// The scenes that have the node: the one that makes it, then the others by path.
    pub(super) fn scenes(&self) -> Vec<FileId> {
        let mut scenes: Vec<FileId> = self.placed.keys().copied().collect();
        scenes.sort_by_key(|scene| (*scene != self.scene, *scene));
        scenes
    }

    /// The targets of paths in a scene, from its root.
    fn view(&self, file: FileId) -> View<'_, 'p> {
        let root = self.project.tree(file).map(|tree| NodeInTree::root(self.project, tree));
        View::new(self, self.placed(file), root)
    }

    /// Whether a text may name the node.
    fn is_named_in(&self, text: &[u8]) -> bool {
        memchr::memmem::find(text, self.name.as_bytes()).is_some()
            // An escape may hide the name.
            || (memchr::memchr(b'\\', text).is_some() && !self.name.is_ascii())
            || self.name.contains('\\')
    }

    /// Whether the name of the node is in a text, and not as a part of a longer one.
    fn is_word_of(&self, text: &[u8]) -> bool {
        let name = self.name.as_bytes();
        let is_part = |byte: Option<&u8>| {
            byte.is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_')
        };
        memchr::memmem::find_iter(text, name).any(|at| {
            let before = at.checked_sub(1).and_then(|before| text.get(before));
            !is_part(before) && !is_part(text.get(at + name.len()))
        })
    }

    /// All changes in the project, except the order of tags.
    ///
    /// # Errors
    /// When a file cannot be read, or a scene that has the node is broken.
    pub(super) fn plan(
        &self,
        title: String,
        in_scene: impl Fn(&godot_project::SceneContext<'_>, &mut crate::draft::FileDraft) + Sync,
    ) -> Result<Plan, RefactorError> {
        for file in self.scenes() {
            check_readable(self.project, file)?;
        }
        let uses = script_uses::ScriptUses::of(self);
        let inside = scene::scenes_inside(self);
        let files = self.project.files().filter(|file| {
            let path = self.project.path(*file);
            path.ends_with(".gd")
                || path.ends_with(".cs")
                || self.placed.contains_key(file)
                || inside.contains(file)
                || libraries::may_hold_tracks(self, *file)
        });
        plan_of_files(self.project, title, files.collect(), |file, draft| {
            let path = self.project.path(file);
            let may_change = self.placed.contains_key(&file)
                || uses.is_on_moved(file)
                || self.is_named_in(&draft.text);
            if !may_change {
                return Ok(());
            }
            match path.rsplit('.').next() {
                Some("gd") => scripts::change(self, &uses, file, draft),
                Some("cs") => csharp::change(self, &uses, file, draft),
                Some("tres") => libraries::change(self, file, draft),
                _ => scene::change(self, file, draft, &in_scene),
            }
            Ok(())
        })
    }
}

/// Refuses a file that Godot does not load, or that is only partly understood.
///
/// # Errors
/// With the reason.
pub(super) fn check_readable(project: &Project, file: FileId) -> Result<(), RefactorError> {
    let facts = project.facts(file);
    let version = project.settings().version;
    let is_newer = version.is_some_and(|version| version > GodotVersion::NEWEST);
    if is_newer && (facts.refusal.is_some() || facts.is_incomplete) {
        let place = facts.refusal.as_ref().map(|refusal| format!("line {}", refusal.line));
        return Err(RefactorError::Refused(format!(
            "`{}` cannot be changed: {} is unknown to this version of gdscene, which knows Godot up to {}",
            project.path(file),
            place.as_deref().unwrap_or("a part of it"),
            GodotVersion::NEWEST
        )));
    }
    let reason = match &facts.refusal {
        Some(refusal) => format!("{} in line {}", refusal.code, refusal.line),
        None if facts.is_incomplete => "parts of it cannot be read".to_owned(),
        None => return Ok(()),
    };
    Err(RefactorError::Broken { path: project.path(file).to_owned(), reason })
}

/// The tree of a scene to change, and its file.
///
/// # Errors
/// When there is none at `path`, or it cannot be read.
pub(super) fn scene_at<'p>(
    project: &'p Project,
    path: &str,
) -> Result<(FileId, &'p std::sync::Arc<SceneTree>), RefactorError> {
    let file =
        project.file(path).ok_or_else(|| RefactorError::NoSuchFile { path: path.to_owned() })?;
    check_readable(project, file).or_else(|error| match project.facts(file).scene {
        Some(_) => Err(error),
        None => Ok(()),
    })?;
    let tree = project.tree(file).filter(|tree| !tree.tags().is_empty());
    let tree = tree.ok_or_else(|| RefactorError::WrongKind {
        path: path.to_owned(),
        wanted: "a scene with nodes",
    })?;
    Ok((file, tree))
}

/// The names of the path of a node that the text of the scene makes; none for the root.
///
/// # Errors
/// When there is no such node, or another scene makes it.
pub(super) fn own_node(
    project: &Project,
    file: FileId,
    tree: &std::sync::Arc<SceneTree>,
    path: &str,
) -> Result<Names, RefactorError> {
    let scene = project.path(file);
    let names = names_of(path);
    let wanted = joined(&names);
    let is_plain =
        !path.starts_with('/') && !names.iter().any(|name| name == ".." || name.starts_with('%'));
    if is_plain && tree.tag_at(&wanted).is_some() {
        return Ok(names);
    }
    let found =
        is_plain.then(|| NodeInTree::root(project, tree).find(project, &wanted).place()).flatten();
    if let Some(found) = found {
        let by = found
            .node()
            .made_by()
            .map_or_else(|| "another scene".to_owned(), |(file, _)| format!("`{file}`"));
        return Err(RefactorError::Refused(format!("`{wanted}` comes from {by}; change it there")));
    }
    let paths: Vec<String> = tree.made_paths().collect();
    let near = godot_tscn::nearest(path.as_bytes(), paths.iter().map(String::as_bytes));
    let near = near.map(|near| String::from_utf8_lossy(near).into_owned());
    // Or the last name alone.
    let near = near.or_else(|| tree.path_to_name(names.last()?));
    Err(RefactorError::NotFound {
        path: scene.to_owned(),
        kind: "node",
        name: path.to_owned(),
        near,
    })
}

/// Whether a sibling has the new path already, in one of the scenes that have the node.
pub(super) fn check_siblings(
    change: &NodeChange<'_>,
    after: &[String],
) -> Result<(), RefactorError> {
    let project = change.project;
    for file in change.scenes() {
        let (Some(places), Some(tree)) = (change.placed(file), project.tree(file)) else {
            continue;
        };
        let root = NodeInTree::root(project, tree);
        for (_, placed) in places.iter() {
            if let NodeLookup::Node(found) = root.find(project, &joined(&placed.new)) {
                let path = project.path(file);
                let by = found.node().made_by().map(|(by, _)| by).filter(|by| *by != path);
                let by = by.map_or_else(String::new, |by| format!(", which comes from `{by}`"));
                let (found, name) = (joined(&placed.new), after.last().map_or("", String::as_str));
                return Err(RefactorError::Clash {
                    what: format!(
                        "`{path}` already has a node `{found}`{by}: two nodes of one parent cannot both be called `{name}`"
                    ),
                });
            }
        }
    }
    Ok(())
}
