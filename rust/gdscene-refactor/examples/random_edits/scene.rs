//! The parts of a scene or resource for operations.

use godot_project::{NodeInTree, Project};
use godot_tscn::{Section, TagKind};

/// A scene or resource.
pub(crate) struct SceneInfo {
    pub(crate) path: String,
    pub(crate) is_scene: bool,
    /// Those of instanced scenes too, where they may be changed.
    pub(crate) nodes: Vec<NodeInfo>,
    pub(crate) connections: Vec<[String; 4]>,
    pub(crate) editables: Vec<String>,
    /// The class of a resource, and its properties.
    pub(crate) main: Option<ObjectInfo>,
}

/// A node.
pub(crate) struct NodeInfo {
    pub(crate) path: String,
    /// Whether this file makes it.
    pub(crate) is_own: bool,
    pub(crate) is_instance: bool,
    pub(crate) groups: Vec<String>,
    pub(crate) object: ObjectInfo,
}

/// An object with properties.
#[derive(Clone, Debug, Default)]
pub(crate) struct ObjectInfo {
    pub(crate) class: String,
    /// `res://…`
    pub(crate) script: Option<String>,
    /// The properties that the file sets, with their values.
    pub(crate) properties: Vec<(String, String)>,
}

impl SceneInfo {
    pub(crate) fn read(project: &Project, path: &str) -> Option<Self> {
        let file = project.file(path)?;
        let text = project.read(file).ok()?;
        let document = godot_tscn::parse(&text);
        // Godot makes a new one, with another id, whenever a texture is asked for it.
        let is_image = |section: Section<'_>| field(section, "type").as_deref() == Some("Image");
        if document.sections().any(is_image) {
            return None;
        }
        let is_scene = document.sections().any(|section| section.kind() == TagKind::GdScene);
        let mut info = Self {
            path: path.to_owned(),
            is_scene,
            nodes: Vec::new(),
            connections: Vec::new(),
            editables: Vec::new(),
            main: None,
        };
        for section in document.sections() {
            match section.kind() {
                TagKind::Connection => info.connections.push(
                    ["signal", "from", "to", "method"]
                        .map(|name| field(section, name).unwrap_or_default()),
                ),
                TagKind::Editable => info.editables.extend(field(section, "path")),
                TagKind::Resource => {
                    let header =
                        document.sections().find(|one| one.kind() == TagKind::GdResource)?;
                    let script = properties(section).into_iter().find(|(key, _)| key == "script");
                    info.main = Some(ObjectInfo {
                        class: field(header, "type")?,
                        script: script.and_then(|(_, value)| script_path(&document, &value)),
                        properties: properties(section),
                    });
                }
                _ => {}
            }
        }
        if is_scene {
            let root = NodeInTree::root(project, project.tree(file)?);
            info.add(project, &document, &root, ".");
        }
        Some(info)
    }

    /// A node and those below it, if they may be changed.
    fn add(
        &mut self,
        project: &Project,
        document: &godot_tscn::Document<'_>,
        node: &NodeInTree,
        path: &str,
    ) {
        let section = document
            .sections()
            .find(|section| section.kind() == TagKind::Node && path_of(*section) == path);
        let is_root = path == ".";
        let has = |name: &str| section.is_some_and(|section| section.field(name).is_some());
        let is_instance = !is_root && has("instance");
        let script = node.node().script(project);
        let groups = section.map(groups).unwrap_or_default();
        self.nodes.push(NodeInfo {
            path: path.to_owned(),
            is_own: is_root || has("type") || has("instance"),
            is_instance,
            groups,
            object: ObjectInfo {
                class: node.node().class().unwrap_or("Node").to_owned(),
                script: script.ok().flatten().map(|file| project.path(file).to_owned()),
                properties: section.map(properties).unwrap_or_default(),
            },
        });
        let children: Vec<String> = node.children().map(str::to_owned).collect();
        for child in children {
            let below = if is_root { child.clone() } else { format!("{path}/{child}") };
            let is_made_here = document.sections().any(|section| {
                section.kind() == TagKind::Node
                    && path_of(section) == below
                    && (section.field("type").is_some() || section.field("instance").is_some())
            });
            if is_instance && !is_made_here && !self.editables.iter().any(|known| known == path) {
                continue;
            }
            if let Some(child) = node.find(project, &child).place() {
                self.add(project, document, &child, &below);
            }
        }
    }
}

fn field(section: Section<'_>, name: &str) -> Option<String> {
    Some(String::from_utf8_lossy(&section.field_text(name)?).into_owned())
}

pub(crate) fn path_of(section: Section<'_>) -> String {
    let name = field(section, "name").unwrap_or_default();
    match field(section, "parent").as_deref() {
        None => ".".to_owned(),
        Some(".") => name,
        Some(parent) => format!("{parent}/{name}"),
    }
}

fn groups(section: Section<'_>) -> Vec<String> {
    let Some(text) = section.field("groups") else { return Vec::new() };
    let text = String::from_utf8_lossy(text.source()).into_owned();
    let Ok(groups) = serde_json::from_str::<Vec<String>>(&text) else { return Vec::new() };
    groups
}

pub(crate) fn properties(section: Section<'_>) -> Vec<(String, String)> {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    section
        .properties()
        .map(|property| (text(&property.engine_key()), text(property.source())))
        .collect()
}

fn script_path(document: &godot_tscn::Document<'_>, value: &str) -> Option<String> {
    let id = value.strip_prefix("ExtResource(\"")?.strip_suffix("\")")?;
    let mut tags = document.sections().filter(|section| section.kind() == TagKind::ExtResource);
    let tag = tags.find(|section| field(*section, "id").as_deref() == Some(id))?;
    field(tag, "path")
}
