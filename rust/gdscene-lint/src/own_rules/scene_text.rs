//! What rules ask of the texts of instanced scenes, read once for all scenes that instance them.

use std::sync::{Arc, PoisonError, RwLock};

use godot_project::settings::lossy;
use godot_project::{FileFacts, FileId, Project};
use godot_tscn::{Document, Section, TagKind};
use hashbrown::HashMap;

/// The parts of a scene's text that rules ask for.
#[derive(Debug, Default)]
pub(super) struct SceneText {
    nodes: HashMap<u32, NodeText>,
    pub(super) connections: Connections,
}

/// What a tag says.
#[derive(Debug, Default)]
struct NodeText {
    /// By the index of the key in the list of all that rules name.
    values: Vec<(usize, Option<Box<[u8]>>)>,
    groups: Vec<String>,
}

/// The connections of a scene, by the path of the node that they begin at.
#[derive(Debug, Default)]
pub(super) struct Connections(HashMap<String, Vec<ConnectionText>>);

#[derive(Debug)]
pub(super) struct ConnectionText {
    pub(super) signal: String,
    pub(super) method: String,
}

/// The value of a property in a text.
pub(super) enum Stored<'t> {
    Nothing,
    Value(&'t [u8]),
    /// It is long, so it was not kept.
    Long,
}

/// The largest value that is kept.
const MAX_VALUE: usize = 64 << 10;

/// The texts of scenes, by what the project knows of them: a changed file is another one.
#[derive(Debug, Default)]
pub(super) struct SceneTexts(RwLock<HashMap<usize, Kept>>);

type Kept = (Arc<FileFacts>, Option<Arc<SceneText>>);

/// The largest number of texts that are kept.
const MAX_TEXTS: usize = 10_000;

impl SceneTexts {
    /// What the text of a scene says of the properties `keys`; nothing if it cannot be read.
    pub(super) fn of(
        &self,
        project: &Project,
        file: FileId,
        keys: &[String],
    ) -> Option<Arc<SceneText>> {
        let facts = project.facts(file);
        // The facts are kept, so no others get their address.
        let address = Arc::as_ptr(facts).addr();
        let known = self.0.read().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, text)) = known.get(&address) {
            return text.clone();
        }
        drop(known);
        let text = project.read(file).ok().map(|text| {
            let document = godot_tscn::parse(&text);
            Arc::new(SceneText::new(&document, keys))
        });
        let mut known = self.0.write().unwrap_or_else(PoisonError::into_inner);
        if known.len() >= MAX_TEXTS {
            known.clear();
        }
        known.insert(address, (Arc::clone(facts), text.clone()));
        text
    }
}

impl SceneText {
    fn new(document: &Document<'_>, keys: &[String]) -> Self {
        let indexes: HashMap<&[u8], usize> =
            keys.iter().enumerate().map(|(index, key)| (key.as_bytes(), index)).collect();
        let mut nodes = HashMap::new();
        for section in document.sections().filter(|section| section.kind() == TagKind::Node) {
            let mut node = NodeText { values: Vec::new(), groups: groups(section) };
            for property in section.properties() {
                if let Some(index) = indexes.get(&*property.engine_key()) {
                    let source = property.source();
                    let value = (source.len() <= MAX_VALUE).then(|| Box::from(source));
                    node.values.push((*index, value));
                }
            }
            if !node.values.is_empty() || !node.groups.is_empty() {
                nodes.insert(section.index(), node);
            }
        }
        Self { nodes, connections: Connections::new(document) }
    }

    /// The value that a tag gives a property: the last one.
    pub(super) fn value(&self, section: u32, key: usize) -> Stored<'_> {
        let values = self.nodes.get(&section).map_or(&[][..], |node| &node.values);
        match values.iter().rfind(|(found, _)| *found == key) {
            None => Stored::Nothing,
            Some((_, Some(value))) => Stored::Value(value),
            Some((_, None)) => Stored::Long,
        }
    }

    /// The groups that a tag puts its node into.
    pub(super) fn groups(&self, section: u32) -> &[String] {
        self.nodes.get(&section).map_or(&[], |node| &node.groups)
    }
}

impl Connections {
    pub(super) fn new(document: &Document<'_>) -> Self {
        let mut all: HashMap<String, Vec<ConnectionText>> = HashMap::new();
        for section in document.sections().filter(|found| found.kind() == TagKind::Connection) {
            let field =
                |name| section.field_text(name).map(|text| lossy(&text)).unwrap_or_default();
            let from = field("from");
            let names: Vec<&str> =
                from.split('/').filter(|name| !matches!(*name, "" | ".")).collect();
            let from = if names.is_empty() { ".".to_owned() } else { names.join("/") };
            let connection = ConnectionText { signal: field("signal"), method: field("method") };
            all.entry(from).or_default().push(connection);
        }
        Self(all)
    }

    /// Those that begin at the node at a path from the root.
    pub(super) fn from(&self, path: &str) -> &[ConnectionText] {
        self.0.get(path).map_or(&[], Vec::as_slice)
    }
}

/// The groups that a `node` tag names.
pub(super) fn groups(section: Section<'_>) -> Vec<String> {
    let Some(field) = section.field("groups") else { return Vec::new() };
    let tree = field.value_tree();
    tree.root().children().filter_map(|part| Some(lossy(&part.text()?))).collect()
}
