//! Which nodes run which script: those see the paths in it.

use godot_project::FileId;
use godot_project::scripts::places::ScriptPlaces;
use hashbrown::{HashMap, HashSet};

use crate::node_change::rewrite::{Names, Seen, View, names_of};
use crate::node_change::scene::seen_everywhere;
use crate::node_change::{ChangeKind, NodeChange};

/// The nodes that run each script, those of scripts that extend it too.
#[derive(Debug)]
pub(super) struct ScriptUses<'p> {
    places: &'p ScriptPlaces,
    /// The scripts of nodes that get another place in the tree.
    on_moved: HashSet<FileId>,
}

/// At most this number of nodes of one script is checked.
const MOST_USES: usize = 10_000;

/// The path of a node in a scene.
pub(super) type Use = (FileId, Names);

/// The start of a path in a script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Start {
    /// At the node that runs the script.
    Itself,
    /// At its parent.
    Parent,
    /// At its owner.
    Owner,
    /// At the node that this path leads to.
    At(String),
    /// At the root of the autoload with this name.
    Root(String),
    /// At an unknown node.
    Unknown,
}

impl<'p> ScriptUses<'p> {
    pub(super) fn of(change: &NodeChange<'p>) -> Self {
        let project = change.project;
        let mut uses = Self { places: project.script_places(), on_moved: HashSet::new() };
        for (script, places) in uses.places.direct() {
            let moves = change.kind == ChangeKind::Move
                && places.iter().any(|place| is_moved(change, *place));
            if moves {
                uses.on_moved.extend(project.scripts().files_of_chain(project, *script));
            }
        }
        uses
    }

    /// Whether nodes with this script get another place in the tree.
    pub(super) fn is_on_moved(&self, script: FileId) -> bool {
        self.on_moved.contains(&script)
    }

    /// The nodes that run a script; nothing if there are too many to look at.
    pub(super) fn nodes(&self, change: &NodeChange<'_>, script: FileId) -> Option<Vec<Use>> {
        let places = self.places.of(script);
        let nodes = places.iter().take(MOST_USES).map(|(scene, tag)| {
            let path = change.project.tree(*scene)?.path_of_tag(*tag)?;
            Some((*scene, names_of(&path)))
        });
        let nodes: Option<Vec<Use>> = nodes.collect();
        nodes.filter(|_| places.len() <= MOST_USES)
    }
}

fn is_moved(change: &NodeChange<'_>, (scene, tag): (FileId, u32)) -> bool {
    let path = change.project.tree(scene).and_then(|tree| tree.path_of_tag(tag));
    path.is_some_and(|path| {
        let names = names_of(&path);
        change.view_of_names(scene).moves(&names)
    })
}

/// The nodes of a script, and their paths.
pub(super) struct Viewers<'a, 'p> {
    change: &'a NodeChange<'p>,
    nodes: Option<Vec<Use>>,
    views: HashMap<FileId, View<'a, 'p>>,
}

impl<'a, 'p> Viewers<'a, 'p> {
    pub(super) fn of(change: &'a NodeChange<'p>, uses: &ScriptUses<'_>, script: FileId) -> Self {
        let nodes = uses.nodes(change, script);
        let scenes: HashSet<FileId> = nodes.iter().flatten().map(|(scene, _)| *scene).collect();
        let views = scenes.into_iter().map(|scene| (scene, change.view(scene))).collect();
        Self { change, nodes, views }
    }

    /// Whether a node that gets another parent is among them.
    pub(super) fn has_moved_node(&self) -> bool {
        let mut nodes = self.nodes.iter().flatten();
        nodes.any(|(scene, path)| self.views[scene].target(path).is_some())
    }

    /// The new form of a path in the script.
    pub(super) fn seen(&self, start: &Start, path: &str) -> Seen {
        let unclear = |why| {
            if self.change.is_on_path(path) { Seen::Unclear(why) } else { Seen::Same }
        };
        if path.starts_with('/') {
            return self.change.view(self.change.scene).rewrite(&[], path);
        }
        if let Start::Root(autoload) = start {
            return match self
                .change
                .view(self.change.scene)
                .rewrite(&[], &format!("/root/{autoload}/{path}"))
            {
                Seen::New(new) => {
                    Seen::New(new.splitn(4, '/').nth(3).unwrap_or_default().to_owned())
                }
                seen => seen,
            };
        }
        let Some(nodes) = &self.nodes else { return unclear("too many nodes have the script") };
        let mut found: Option<Seen> = None;
        for (scene, base) in nodes {
            let seen = match self.base(start, *scene, base) {
                Some(base) => seen_everywhere(self.change, &self.views[scene], *scene, &base, path),
                None => return unclear("cannot determine which node the path starts at"),
            };
            match &found {
                Some(other) if *other != seen => {
                    return Seen::Unclear(
                        "the path leads to different nodes for the nodes with the script",
                    );
                }
                _ => found = Some(seen),
            }
        }
        found.unwrap_or_else(|| unclear("no scene has a node with the script"))
    }

    /// The node that paths of a node start at.
    fn base(&self, start: &Start, scene: FileId, node: &[String]) -> Option<Names> {
        match start {
            Start::Itself => Some(node.to_vec()),
            Start::Parent => node.split_last().map(|(_, parent)| parent.to_vec()),
            // A node with another owner in its tag is rare.
            Start::Owner => (!node.is_empty()).then(Names::new),
            Start::At(path) => self.views[&scene].follow(node, path),
            Start::Root(_) | Start::Unknown => None,
        }
    }
}

impl<'p> NodeChange<'p> {
    /// [`NodeChange::view`] for names alone.
    fn view_of_names(&self, scene: FileId) -> View<'_, 'p> {
        View::new(self, self.placed(scene), None)
    }
}
