//! The nodes that scripts find at paths, by the scenes in which they are attached.

use std::sync::PoisonError;

use hashbrown::HashMap;

use crate::facts::ScriptUse;
use crate::project::{FileId, Project, ResolvedPath};
use crate::script::Script;
use crate::scripts::types::{ClassRef, Type, Types};
use crate::tree::{Node, NodeInTree};

/// At most this number of scenes with a script is checked; with more, the common nodes are unknown.
const MOST_SCENES: usize = 64;

impl Types<'_> {
    /// The type of the root of a scene.
    pub(super) fn root_of_scene(&self, scene: FileId) -> Type {
        let Some(tree) = self.project.tree(scene) else { return Type::Unknown };
        self.type_of_node(NodeInTree::root(self.project, tree).node())
    }

    /// The type of the node that a script finds at a path, if it is the same wherever the script is attached.
    pub(super) fn type_of_path(&self, class: ClassRef, path: &str) -> Type {
        if class.class != 0 {
            return Type::Unknown;
        }
        let known = || self.at_paths.lock().unwrap_or_else(PoisonError::into_inner);
        let key = (class.file, path.to_owned());
        if let Some(found) = known().get(&key) {
            return found.clone();
        }
        let found = self.find_type_of_path(class, path).unwrap_or(Type::Unknown);
        known().insert(key, found.clone());
        found
    }

    fn find_type_of_path(&self, class: ClassRef, path: &str) -> Option<Type> {
        let mut found: Option<Type> = None;
        let mut count = 0;
        for script in self.with_heirs(class.file) {
            for scene in self.project.graph().users(script) {
                let Some(tree) = self.project.tree(scene) else { continue };
                count += 1;
                if count > MOST_SCENES {
                    return None;
                }
                let root = NodeInTree::root(self.project, tree);
                for (index, tag) in tree.tags().iter().enumerate() {
                    if !self.has_script(scene, tag.script, script) {
                        continue;
                    }
                    let place =
                        root.find(self.project, &tree.path_of_tag(index as u32)?).place()?;
                    let target = place.find(self.project, path).place()?;
                    let next = self.type_of_node(target.node());
                    if found.as_ref().is_some_and(|found| *found != next) {
                        return None;
                    }
                    found = Some(next);
                }
            }
        }
        found
    }

    fn has_script(&self, scene: FileId, used: ScriptUse, script: FileId) -> bool {
        let ScriptUse::External(index) = used else { return false };
        let facts = self.project.facts(scene);
        let resource = &facts.ext_resources[index as usize];
        let path = self.project.path(scene);
        self.project.resolve_external(path, resource) == ResolvedPath::File(script)
    }

    fn type_of_node(&self, node: &Node) -> Type {
        match node.script(self.project) {
            Ok(Some(file)) if self.is_class(file) => Type::Object(ClassRef::of(file)),
            Ok(None) => node.class().map_or(Type::Unknown, |class| self.type_of_native(class)),
            _ => Type::Unknown,
        }
    }

    /// The file of a script, and all files with derived scripts.
    pub(crate) fn with_heirs(&self, file: FileId) -> impl Iterator<Item = FileId> {
        let heirs = self.heirs.get_or_init(|| heirs(self.project));
        std::iter::once(file).chain(heirs.get(&file).into_iter().flatten().copied())
    }
}

/// The files with scripts that extend the one in a file, by that.
fn heirs(project: &Project) -> HashMap<FileId, Vec<FileId>> {
    let scripts = project.scripts();
    let all = || project.files().filter_map(|file| Some((file, scripts.script(file)?)));
    let files: HashMap<*const Script, FileId> =
        all().map(|(file, script)| (std::ptr::from_ref(script), file)).collect();
    let mut heirs: HashMap<FileId, Vec<FileId>> = HashMap::new();
    for (file, _) in all() {
        for base in scripts.chain(project, file).scripts.iter().skip(1) {
            if let Some(base) = files.get(&std::ptr::from_ref(base.as_ref())) {
                heirs.entry(*base).or_default().push(file);
            }
        }
    }
    heirs
}
