//! One text that changes, with its contents by name.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use godot_project::property_path::node_path;
use godot_project::res_path::extension_of;
use godot_project::settings::lossy;
use godot_project::{ExtResource, FileId, Project, ResolvedPath, Shader, Uid};
use godot_tscn::{DocumentMut, GodotVersion, PartKind, SectionId, TagKind, ValueTree};
use hashbrown::{HashMap, HashSet};

use crate::RefactorError;
use crate::edit::error::EditErrorKind;
use crate::edit::nodes::{NodeId, Nodes};
use crate::edit::stored::UNIQUE;
use crate::edit::transform::Transform;
use crate::ids::FreshNodeIds;
use crate::resources::text_file;

/// A scene or resource that changes.
#[derive(Debug)]
pub(super) struct SceneEdit {
    /// `res://…`
    pub(super) path: String,
    /// The file's contents; none for a new one.
    original: Option<Arc<[u8]>>,
    pub(super) document: DocumentMut,
    pub(super) nodes: Nodes,
    /// The `sub_resource`s, by id.
    pub(super) subs: HashMap<String, SectionId>,
    /// The `ext_resource`s, by id.
    pub(super) exts: HashMap<String, SectionId>,
    /// How often values name each resource.
    pub(super) uses: HashMap<ResourceRef, usize>,
    /// The `connection` tags, in the order of the text.
    pub(super) connections: Vec<SectionId>,
    /// Resources that operations have added, with temporary ids.
    pub(super) added: Vec<ResourceRef>,
    /// Resources that lost a use.
    pub(super) left: Vec<ResourceRef>,
    /// The paths of the nodes with instanced scenes that may be changed here.
    pub(super) editables: HashSet<String>,
    /// Whether the header had to say format 4 when the text was read.
    pub(super) needed_format_4: bool,
    /// How many resources there were when the text was read.
    pub(super) resource_count: usize,
    /// Whether some value may hold the path of a node.
    pub(super) holds_node_paths: bool,
    /// The ids of the `ext_resource`s, by the paths of the files that they lead to, once it was asked for.
    pub(super) ids_by_path: Option<HashMap<String, String>>,
    /// The `unique_id`s of nodes.
    pub(super) node_ids: FreshNodeIds,
    /// The transforms of nodes that were given a rotation or scale, and their texts.
    pub(super) transforms: HashMap<String, (String, Transform)>,
    /// Whether the sub-resources stand in the order in which Godot saves them.
    pub(super) has_godots_order: bool,
    /// Whether a value with bytes was set.
    pub(super) has_new_bytes: bool,
    /// The shaders of materials, by the path of the file or the text of the code.
    pub(super) shaders: RefCell<HashMap<String, Option<Rc<Shader>>>>,
}

/// A resource by its id.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum ResourceRef {
    External(String),
    Sub(String),
}

impl SceneEdit {
    /// The resources of a text.
    ///
    /// # Errors
    /// When it is broken.
    pub(super) fn new(
        path: &str,
        text: Arc<[u8]>,
        original: Option<Arc<[u8]>>,
    ) -> Result<Self, EditErrorKind> {
        if text.trim_ascii().is_empty() {
            return Err(EditErrorKind::Empty);
        }
        if std::str::from_utf8(&text).is_err() {
            return Err(EditErrorKind::Refused(
                "it is not valid UTF-8; save it as UTF-8".to_owned(),
            ));
        }
        let holds_node_paths = memchr::memmem::find(&text, b"NodePath").is_some();
        let document = DocumentMut::new(text)?;
        let mut scene = Self {
            path: path.to_owned(),
            original,
            nodes: Nodes::new(&document),
            subs: HashMap::new(),
            exts: HashMap::new(),
            uses: HashMap::new(),
            connections: Vec::new(),
            added: Vec::new(),
            left: Vec::new(),
            editables: HashSet::new(),
            holds_node_paths,
            needed_format_4: false,
            resource_count: 0,
            ids_by_path: None,
            node_ids: FreshNodeIds::new(path, node_ids(&document)),
            transforms: HashMap::new(),
            has_godots_order: false,
            has_new_bytes: false,
            shaders: RefCell::default(),
            document,
        };
        scene.index()?;
        scene.has_godots_order = scene.is_in_godots_order();
        scene.resource_count = scene.exts.len() + scene.subs.len();
        scene.needed_format_4 =
            scene.document.field(scene.header(), "format") == Some(b"4") && scene.needs_format_4();
        Ok(scene)
    }

    fn index(&mut self) -> Result<(), EditErrorKind> {
        for section in self.document.sections() {
            let list = match self.document.kind(section) {
                TagKind::SubResource => &mut self.subs,
                TagKind::ExtResource => &mut self.exts,
                TagKind::Connection => {
                    self.connections.push(section);
                    continue;
                }
                TagKind::Editable => {
                    self.editables.extend(self.text(section, "path"));
                    continue;
                }
                _ => continue,
            };
            let id = self.document.field_text(section, "id").map(|id| lossy(&id));
            let id = id.unwrap_or_default();
            if list.contains_key(&id) {
                let reason =
                    format!("two resources have the id `{id}`; `gdscene fix` repairs that");
                return Err(EditErrorKind::Refused(reason));
            }
            list.insert(id, section);
        }
        for section in self.document.sections() {
            for value in self.document.values(section) {
                for resource in references(value) {
                    *self.uses.entry(resource).or_default() += 1;
                }
            }
        }
        Ok(())
    }

    /// The header.
    pub(super) fn header(&self) -> SectionId {
        self.document.sections().next().expect("a document has a header")
    }

    /// Whether it is a scene.
    pub(super) fn is_scene(&self) -> bool {
        self.document.kind(self.header()) == TagKind::GdScene
    }

    /// Which version's form the text has.
    pub(super) fn version(&self, project: &Project) -> GodotVersion {
        if self.document.is_godot_3() {
            return GodotVersion::LAST_3;
        }
        let version = project.settings().version.filter(|version| version.major == 4);
        version.unwrap_or(GodotVersion::NEWEST)
    }

    /// The text of a field.
    pub(super) fn text(&self, section: SectionId, field: &str) -> Option<String> {
        self.document.field_text(section, field).map(|text| lossy(&text))
    }

    /// A property's source text.
    pub(super) fn value(&self, section: SectionId, key: &str) -> Option<String> {
        self.document.property(section, key).map(lossy)
    }

    /// The `resource` section of a `.tres` file.
    pub(super) fn main_resource(&self) -> Option<SectionId> {
        let mut sections = self.document.sections();
        sections.find(|section| self.document.kind(*section) == TagKind::Resource)
    }

    /// The file that an `ext_resource` leads to, if it is one of the project.
    pub(super) fn file_of(&self, project: &Project, id: &str) -> Option<FileId> {
        let section = *self.exts.get(id)?;
        let resource = ExtResource {
            section: 0,
            id: id.to_owned(),
            resource_type: String::new(),
            path: self.text(section, "path"),
            uid: self.text(section, "uid").and_then(|uid| Uid::parse(uid.as_bytes())),
        };
        match project.resolve_external(&self.path, &resource) {
            ResolvedPath::File(file) => Some(file),
            _ => None,
        }
    }

    /// The node at a path from the root, `%Name` too. The node here may be of an instanced scene.
    ///
    /// # Errors
    /// When the path cannot lead anywhere.
    pub(super) fn plain_path(&self, path: &str) -> Result<String, EditErrorKind> {
        if !self.is_scene() {
            let reason =
                "the file is a resource and has no nodes; write `:property` for its own properties"
                    .to_owned();
            return Err(EditErrorKind::Refused(reason));
        }
        let path = node_path(path)?;
        let Some(rest) = path.strip_prefix('%') else { return Ok(path) };
        let (name, rest) =
            rest.split_once('/').map_or((rest, None), |(name, rest)| (name, Some(rest)));
        let unique = self.unique_node(name).ok_or_else(|| {
            EditErrorKind::not_found(format!("a node with the unique name `%{name}`"), None)
        })?;
        let start = self.nodes.path(unique);
        Ok(match rest {
            Some(rest) => format!("{start}/{rest}"),
            None => start,
        })
    }

    /// The node that the text makes unique under a name.
    pub(super) fn unique_node(&self, name: &str) -> Option<NodeId> {
        let is_it = |section: &SectionId| {
            self.document.kind(*section) == TagKind::Node
                && self.document.property(*section, UNIQUE) == Some(b"true")
                && self.text(*section, "name").as_deref() == Some(name)
        };
        let section = self.document.sections().find(is_it)?;
        let parent = self.text(section, "parent").unwrap_or_default();
        self.nodes.find(&format!("{parent}/{name}"))
    }

    /// The file's content before.
    pub(super) fn original(&self) -> Option<&Arc<[u8]>> {
        self.original.as_ref()
    }
}

/// The text scene or resource at a path.
///
/// # Errors
/// When the file is not a scene, with the command for a file of its kind.
pub(super) fn scene_file(project: &Project, path: &str) -> Result<FileId, EditErrorKind> {
    const WANTED: &str = "a text scene or resource (.tscn, .tres)";
    let what = match &*extension_of(path) {
        "godot" => "change project settings with `configure`",
        "gd" | "cs" => "attach a script with `attach`, and change it in a text editor",
        "gdshader" | "gdshaderinc" | "md" | "txt" | "json" | "csv" | "po" | "cfg" => {
            "change it in a text editor"
        }
        "import" => "change it in the Import dock of Godot's editor",
        "scn" | "res" => "save it as text in Godot's editor",
        _ => return Ok(text_file(project, path, WANTED)?),
    };
    match text_file(project, path, WANTED) {
        Err(error @ RefactorError::WrongKind { .. }) => {
            Err(EditErrorKind::Refused(format!("{error}; {what}")))
        }
        other => Ok(other?),
    }
}

fn node_ids(document: &DocumentMut) -> impl Iterator<Item = i32> {
    let id = |section| document.field_text(section, "unique_id").map(|id| lossy(&id));
    document.sections().filter_map(move |section| id(section)?.parse().ok())
}

/// The resources that a value names, in the order of its text.
pub(super) fn references(value: &[u8]) -> Vec<ResourceRef> {
    // Most values name none.
    if memchr::memmem::find(value, b"Resource").is_none() {
        return Vec::new();
    }
    let tree = ValueTree::new(value);
    let reference = |part: godot_tscn::PartRef<'_>| {
        if !matches!(part.kind(), PartKind::Construct | PartKind::Numbers) {
            return None;
        }
        let external = part.inner_text("ExtResource").map(|id| ResourceRef::External(lossy(&id)));
        external.or_else(|| part.inner_text("SubResource").map(|id| ResourceRef::Sub(lossy(&id))))
    };
    tree.parts().filter_map(reference).collect()
}
