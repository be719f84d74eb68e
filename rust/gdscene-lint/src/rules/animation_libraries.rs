//! Animation libraries that a node has under two names, for the rule on refused values: `AnimationMixer::add_animation_library`
//! (scene/animation/animation_mixer.cpp, Godot 4.6.3) takes each library once.

use godot_project::{FileId, ResolvedPath, SceneContext};
use godot_tscn::{PartRef, Reporter, Section, ValueTree, quote};
use hashbrown::HashMap;

use crate::rules::refused_value::REFUSED;

const START: &str = "libraries/";
/// All libraries in one dictionary, as Godot 4.0 and newer saved them for some time.
const ALL: &str = "libraries";

/// The place of a library: a file, or a part of one.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Library {
    File(FileId),
    Inside(String, Vec<u8>),
}

/// The libraries of a node by name, when Godot has read a part of its properties.
#[derive(Default)]
struct Libraries {
    by_name: HashMap<String, Library>,
    names: HashMap<Library, String>,
}

pub(super) fn check(context: &SceneContext<'_>, reporter: &mut Reporter<'_>) {
    for (index, tag) in context.tree().tags().iter().enumerate() {
        let section = context.section(tag.section);
        if !lists_libraries(section) {
            continue;
        }
        let mut known = Libraries::default();
        if tag.class.is_none() {
            known.inherit(context, index as u32);
        }
        for property in section.properties() {
            let key = property.engine_key();
            let tree = property.value_tree();
            for (name, value) in entries(&key, &tree) {
                let Some(library) = library_of(context, value) else { continue };
                if let Some(other) = known.add(name.clone(), library) {
                    let name = quote(name.as_bytes());
                    let message = match other.as_str() {
                        "" => format!("the node has the library {name} already, without a name"),
                        other => {
                            let other = quote(other.as_bytes());
                            format!("the node has the library {name} already, as {other}")
                        }
                    };
                    reporter.report(value.span(), message).consequence(REFUSED);
                }
            }
        }
    }
}

fn lists_libraries(section: Section<'_>) -> bool {
    section.properties().any(|property| {
        let key = property.engine_key();
        key.starts_with(START.as_bytes()) || *key == *ALL.as_bytes()
    })
}

/// The names and values in a property.
fn entries<'v>(key: &[u8], tree: &'v ValueTree<'_>) -> Vec<(String, PartRef<'v>)> {
    let lossy = |text: &[u8]| String::from_utf8_lossy(text).into_owned();
    if let Some(name) = key.strip_prefix(START.as_bytes()) {
        return vec![(lossy(name), tree.root())];
    }
    if key != ALL.as_bytes() {
        return Vec::new();
    }
    let entry = |(key, value): (PartRef<'v>, PartRef<'v>)| Some((lossy(&key.text()?), value));
    tree.root().entries().filter_map(entry).collect()
}

fn library_of(context: &SceneContext<'_>, value: PartRef<'_>) -> Option<Library> {
    if let Some(id) = value.inner_text("SubResource") {
        return Some(Library::Inside(context.path.to_owned(), id.into_owned()));
    }
    match context.target_of_id(&value.inner_text("ExtResource")?)? {
        ResolvedPath::File(file) => Some(Library::File(*file)),
        _ => None,
    }
}

impl Libraries {
    /// Adds a library, or gives the name that the node has it under already.
    fn add(&mut self, name: String, library: Library) -> Option<String> {
        if let Some(old) = self.by_name.remove(&name) {
            self.names.remove(&old);
        }
        if let Some(other) = self.names.get(&library) {
            return Some(other.clone());
        }
        self.by_name.insert(name.clone(), library.clone());
        self.names.insert(library, name);
        None
    }

    /// The libraries of the scenes that the node comes from.
    fn inherit(&mut self, context: &SceneContext<'_>, index: u32) {
        let Some(place) = context.place_of(index) else { return };
        let project = context.project;
        let mut values = place.node().values(project);
        values.retain(|(_, _, path)| path != context.path);
        values.sort_unstable();
        for (key, value, path) in &values {
            let tree = ValueTree::new(value.as_bytes());
            for (name, value) in entries(key.as_bytes(), &tree) {
                if let Some(library) = library_in(context, path, value) {
                    self.add(name, library);
                }
            }
        }
    }
}

/// [`library_of`], of a value in another file.
fn library_in(context: &SceneContext<'_>, path: &str, value: PartRef<'_>) -> Option<Library> {
    if let Some(id) = value.inner_text("SubResource") {
        return Some(Library::Inside(path.to_owned(), id.into_owned()));
    }
    let id = value.inner_text("ExtResource")?;
    let project = context.project;
    let facts = project.facts(project.file(path)?);
    let resource = facts.ext_resources.iter().find(|found| found.id.as_bytes() == &*id)?;
    match project.resolve_external(path, resource) {
        ResolvedPath::File(file) => Some(Library::File(file)),
        _ => None,
    }
}
