//! The nodes and scenes that run a script.

use hashbrown::{HashMap, HashSet};

use crate::facts::ScriptUse;
use crate::project::{FileId, Project, ResolvedPath};
use crate::tree::Uses;

/// The nodes that run each script.
#[derive(Debug, Default)]
pub struct ScriptPlaces {
    /// The scene and the tag of each node with the script itself.
    direct: HashMap<FileId, Vec<Place>>,
    /// Those, and the nodes with scripts that extend it.
    all: HashMap<FileId, Vec<Place>>,
    /// The scripts that extend each script.
    heirs: HashMap<FileId, Vec<FileId>>,
}

/// A scene, and the number of one of its `node` tags.
pub(crate) type Place = (FileId, u32);

/// At most this number of nodes with one script is checked.
const MOST_PLACES: usize = 256;

impl ScriptPlaces {
    pub(crate) fn new(project: &Project) -> Self {
        let mut places = Self::default();
        for scene in project.text_files() {
            let facts = project.facts(scene);
            let Some(nodes) = facts.scene.as_ref().map(|scene| &scene.nodes) else { continue };
            for (tag, node) in nodes.iter().enumerate() {
                let ScriptUse::External(index) = node.script else { continue };
                let Some(resource) = facts.ext_resources.get(index as usize) else { continue };
                let target = project.resolve_external(project.path(scene), resource);
                if let ResolvedPath::File(script) = target {
                    places.direct.entry(script).or_default().push((scene, tag as u32));
                }
            }
        }
        for file in project.files().filter(|file| project.scripts().script(*file).is_some()) {
            let of_heir = places.direct.get(&file).map_or(&[][..], Vec::as_slice);
            for base in project.scripts().files_of_chain(project, file) {
                places.all.entry(base).or_default().extend_from_slice(of_heir);
                if base != file {
                    places.heirs.entry(base).or_default().push(file);
                }
            }
        }
        places
    }

    /// The nodes with the script itself, by script.
    pub fn direct(&self) -> &HashMap<FileId, Vec<Place>> {
        &self.direct
    }

    /// The nodes with the script, or one that extends it, where their scenes list them.
    pub fn of(&self, script: FileId) -> &[Place] {
        self.all.get(&script).map_or(&[], Vec::as_slice)
    }

    /// The script and derived ones.
    pub fn with_heirs(&self, script: FileId) -> Vec<FileId> {
        let heirs = self.heirs.get(&script).into_iter().flatten();
        std::iter::once(script).chain(heirs.copied()).collect()
    }

    /// The nodes with the script, or a derived one, in all scenes, including those that instance and inherit theirs. Each is
    /// a scene and a path from its root. Nothing if there are too many.
    pub fn everywhere(&self, project: &Project, script: FileId) -> Option<Vec<(FileId, String)>> {
        let mut found = Vec::new();
        let mut seen = HashSet::new();
        for (scene, tag) in self.of(script) {
            let path = project.tree(*scene)?.path_of_tag(*tag)?;
            let uses = Uses::up_to(project, *scene, MOST_PLACES);
            if uses.has_more() {
                return None;
            }
            let others = uses.places(project).map(|(user, root)| (user, join(root, &path)));
            for place in std::iter::once((*scene, path.clone())).chain(others) {
                if seen.insert(place.clone()) {
                    found.push(place);
                }
            }
            if found.len() > MOST_PLACES {
                return None;
            }
        }
        Some(found)
    }
}

fn join(root: &str, path: &str) -> String {
    match (root, path) {
        ("", path) => path.to_owned(),
        (root, "" | ".") => root.to_owned(),
        (root, path) => format!("{root}/{path}"),
    }
}
