//! Where other scenes put a scene: they may change its nodes after it has made its connections.

use std::rc::Rc;
use std::sync::Arc;

use hashbrown::HashSet;

use crate::facts::ScriptUse;
use crate::project::{FileId, Project, ResolvedPath};
use crate::scripts::Chain;
use crate::tree::{Inner, SceneTree};

/// The places at which other scenes instance or inherit a scene, or one that has it inside.
#[derive(Debug)]
pub struct Uses<'p> {
    /// The other scene, and the path in it of the root of the first one.
    places: Vec<(&'p Arc<SceneTree>, Rc<str>)>,
    /// Whether there are more.
    has_more: bool,
}

/// At most this number of places is checked.
const MOST_PLACES: usize = 256;

/// At most this average number of bytes per place is in their paths. Scenes that instance each other in a circle, which Godot does
/// not load, have paths without end.
const MOST_BYTES: usize = 64;

/// As many bytes they may have in any case.
const ALLOWED_BYTES: usize = 1 << 16;

impl<'p> Uses<'p> {
    /// The uses of the scene in `file`.
    pub fn of(project: &'p Project, file: FileId) -> Self {
        Self::up_to(project, file, MOST_PLACES)
    }

    /// [`Uses::of`], but looks at this many places.
    pub fn up_to(project: &'p Project, file: FileId, most: usize) -> Self {
        let mut uses = Self { places: Vec::new(), has_more: false };
        let mut seen = HashSet::new();
        let mut open = vec![(file, Rc::<str>::from(""))];
        let mut bytes = most.saturating_mul(MOST_BYTES).max(ALLOWED_BYTES);
        while let Some((inner, below)) = open.pop() {
            for user in project.graph().users(inner) {
                let Some(tree) = project.tree(user) else { continue };
                for place in tree.paths_of_scene(inner) {
                    let path = Rc::<str>::from(join(place, &below));
                    if !seen.insert((user, Rc::clone(&path))) {
                        continue;
                    }
                    let Some(left) = bytes.checked_sub(path.len()) else {
                        uses.has_more = true;
                        return uses;
                    };
                    bytes = left;
                    if uses.places.len() == most {
                        uses.has_more = true;
                        return uses;
                    }
                    uses.places.push((tree, Rc::clone(&path)));
                    open.push((user, path));
                }
            }
        }
        uses
    }

    /// The other scenes, each with the path in it of the root of the first one: empty where it inherits that.
    pub fn places(&self, project: &Project) -> impl Iterator<Item = (FileId, &str)> {
        let places = self.places.iter();
        places.filter_map(|(tree, root)| Some((project.file(&tree.path)?, &**root)))
    }

    /// Whether there are more places than were looked at.
    pub fn has_more(&self) -> bool {
        self.has_more
    }

    /// Whether one of the other scenes gives the node at `path` a script with the wanted member (`has`), or may do
    /// so.
    pub fn give_script(
        &self,
        project: &Project,
        path: &str,
        has: impl Fn(&Chain<'_>) -> bool,
    ) -> bool {
        let may_have = |(tree, root): &(&Arc<SceneTree>, Rc<str>)| {
            let place = join(root.to_string(), path);
            let script = tree.entry_below_root(&place).map(|entry| tree.script(entry));
            match script {
                Some(ScriptUse::External(index)) => {
                    let resource = &tree.facts.ext_resources[index as usize];
                    let ResolvedPath::File(file) = project.resolve_external(&tree.path, resource)
                    else {
                        return true;
                    };
                    let chain = project.scripts().chain(project, file);
                    !chain.is_complete || has(&chain)
                }
                Some(ScriptUse::Inline) => true,
                Some(ScriptUse::Unset | ScriptUse::Removed) | None => false,
            }
        };
        self.has_more || self.places.iter().any(may_have)
    }
}

impl SceneTree {
    /// The paths of the nodes that are made of the scene in `file`.
    fn paths_of_scene(&self, file: FileId) -> impl Iterator<Item = String> {
        let entries = self.entries.iter().enumerate();
        let made = entries.filter(move |(_, entry)| entry.inner == Inner::Scene(file));
        made.map(|(index, _)| self.path_of(index as u32).join("/"))
    }
}

fn join(mut start: String, end: &str) -> String {
    if matches!(end, "" | ".") {
        return start;
    }
    if !start.is_empty() {
        start.push('/');
    }
    start.push_str(end);
    start
}
