//! `add`, `instance`

use godot_project::property_path::node_path;
use godot_project::{FileId, NodeInTree, Project};
use godot_tscn::{SectionId, quoted_name, quoted_raw};

use crate::edit::Outcome;
use crate::edit::error::EditErrorKind;
use crate::edit::nodes::{NodeId, Nodes};
use crate::edit::operation::{NewNode, Siblings};
use crate::edit::properties::Holder;
use crate::edit::resources::found_file;
use crate::edit::scene::SceneEdit;
use crate::edit::stored::UNIQUE;
use crate::names::check_node_name;

/// The classes that Godot's editor does not offer, though it could make objects of them: they need a script
/// (`GDREGISTER_VIRTUAL_CLASS` in the sources of 4.6.3).
const VIRTUAL: &[&str] = &[
    "AnimationNodeExtension",
    "AudioEffect",
    "BaseButton",
    "BoneConstraint3D",
    "CameraAttributes",
    "CompositorEffect",
    "GeometryInstance3D",
    "JointLimitation3D",
    "Material",
    "Mesh",
    "PrimitiveMesh",
    "Range",
    "SkeletonModifier3D",
    "SpringBoneCollision3D",
    "StyleBox",
    "Texture",
    "Texture2D",
    "Texture3D",
    "TextureLayered",
    "VideoStream",
    "VisualInstance3D",
];

/// Checks that a scene can be instanced or inherited: Godot does not load one that contains itself.
///
/// # Errors
/// With the scene that does.
pub(super) fn check_no_circle(project: &Project, file: FileId) -> Result<(), EditErrorKind> {
    let Some(circle) = godot_project::instances::circle_below(project, file) else { return Ok(()) };
    let (inner, circle) = (project.path(file), project.path(circle));
    let through = match inner == circle {
        true => String::new(),
        false => format!(" contains `{circle}`, which"),
    };
    let reason = format!("`{inner}`{through} contains itself; repair that scene first");
    Err(EditErrorKind::Refused(reason))
}

impl SceneEdit {
    /// `add`
    pub(super) fn add_node(
        &mut self,
        project: &Project,
        path: &str,
        class: &str,
        with: &NewNode,
    ) -> Result<Outcome, EditErrorKind> {
        let (native, script) = Self::known_class_of(project, class, "Node")?;
        let (node, section) = self.new_node(project, path, &with.place, None)?;
        self.document.set_field(section, "type", quoted_raw(&native));
        let mut with = with.clone();
        with.script = with.script.or(script);
        self.equip(project, node, &with)?;
        let path = self.nodes.path(node);
        let what = format!("added `{path}` ({class})");
        Ok(Outcome { what, node: Some(path), ..Outcome::default() })
    }

    /// `instance`
    pub(super) fn add_instance(
        &mut self,
        project: &Project,
        path: &str,
        inner: &str,
        with: &NewNode,
    ) -> Result<Outcome, EditErrorKind> {
        let file = found_file(project, &self.path, inner)?;
        let inner = project.path(file).to_owned();
        let is_scene = project.resource_type(file).is_none_or(|class| class == "PackedScene");
        if !is_scene || project.facts(file).scene.is_none() && project.import(file).is_none() {
            return Err(EditErrorKind::Refused(format!("`{inner}` is not a scene")));
        }
        if godot_project::instances::leads_to(project, file, &self.path) {
            let reason =
                format!("`{inner}` contains `{}`, which would then contain itself", self.path);
            return Err(EditErrorKind::Refused(reason));
        }
        check_no_circle(project, file)?;
        // Its root brings its id along, as long as no other node has it.
        let root =
            project.tree(file).and_then(|tree| NodeInTree::root(project, tree).node().unique_id());
        let (node, section) = self.new_node(project, path, &with.place, root)?;
        let id = self.load(project, &inner)?;
        let text = format!("ExtResource(\"{id}\")");
        self.document.set_field(section, "instance", text.as_str());
        self.count(None, Some(&text));
        self.equip(project, node, with)?;
        let path = self.nodes.path(node);
        let what = format!("added `{path}`, an instance of `{inner}`");
        Ok(Outcome { what, node: Some(path), ..Outcome::default() })
    }

    /// A class of the engine, and the path of the script if a script declares the class.
    pub(super) fn known_class_of(
        project: &Project,
        class: &str,
        base: &str,
    ) -> Result<(String, Option<String>), EditErrorKind> {
        let classes = project.classes();
        let refuse = |reason: String| Err(EditErrorKind::Refused(reason));
        let (native, script) = match classes.class(class) {
            Some(_) => (class.to_owned(), None),
            None => {
                let Some(file) = project.scripts().class(class) else {
                    let near = project.nearest_class(class);
                    return Err(EditErrorKind::not_in(
                        project,
                        format!("the class `{class}`"),
                        near,
                    ));
                };
                let chain = project.scripts().chain(project, file);
                let Some(native) = chain.native else {
                    return refuse(format!("cannot determine which Godot class `{class}` extends"));
                };
                (native, Some(project.path(file).to_owned()))
            }
        };
        if !classes.inherits(&native, base) {
            return refuse(format!("`{class}` is not a {base}"));
        }
        if !classes.class(&native).is_some_and(godot_project::Class::is_instantiable) {
            return refuse(format!(
                "`{class}` is abstract, so Godot cannot create an object of it"
            ));
        }
        if script.is_none() && VIRTUAL.contains(&class) {
            return refuse(format!(
                "`{class}` is only for scripts that extend it; choose a class that inherits it"
            ));
        }
        Ok((native, script))
    }

    /// A node with its name and place, and nothing else yet.
    fn new_node(
        &mut self,
        project: &Project,
        path: &str,
        place: &Siblings,
        wanted_id: Option<i32>,
    ) -> Result<(NodeId, SectionId), EditErrorKind> {
        if self.nodes.is_empty() {
            return Err(EditErrorKind::Refused("the scene has no root node".to_owned()));
        }
        let (parent, name) = match path.rsplit_once('/') {
            Some((parent, name)) => (self.plain_path(parent)?, name.to_owned()),
            None => (".".to_owned(), node_path(path)?),
        };
        check_node_name(&name)?;
        let base = self.base(project, &parent);
        if self.nodes.find(&parent).is_none_or(|node| self.nodes.section(node).is_none())
            && base.is_none()
        {
            return Err(self.no_node(project, &parent));
        }
        self.check_editable(project, &parent)?;
        let parent_node = self.node_in_order(project, &parent);
        let inner: Vec<String> =
            base.iter().flat_map(NodeInTree::children).map(str::to_owned).collect();
        let name = self.free_name(parent_node, &inner, &name);
        let at = self.place_among(parent_node, &inner, place)?;
        let node = self.nodes.insert(parent_node, at.own, &name);
        let section = self.section_of_new(project, node, &parent, &name, wanted_id);
        if self.keeps_index(project, &parent) {
            self.document.set_field(section, "index", format!("\"{}\"", at.index));
            self.shift_indices(parent_node, at.own + 1);
        }
        Ok((node, section))
    }

    fn section_of_new(
        &mut self,
        project: &Project,
        node: NodeId,
        parent: &str,
        name: &str,
        wanted_id: Option<i32>,
    ) -> SectionId {
        let behind = self.nodes.section_before(node);
        let section = self.document.insert("node", behind);
        self.nodes.set_section(node, section);
        self.document.set_field(section, "name", quoted_name(name));
        self.document.set_field(section, "parent", quoted_name(parent));
        if let Some(id) = self.parent_ids(project, parent) {
            self.document.set_field(section, "parent_id_path", id);
        }
        if self.has_node_ids(project) {
            let kept = wanted_id.and_then(|id| self.node_ids.keep(id));
            let id = kept.unwrap_or_else(|| {
                self.node_ids.id_for(&format!("{}::{parent}/{name}", self.path))
            });
            self.document.set_field(section, "unique_id", id.to_string());
        }
        section
    }

    /// Whether nodes have ids: since Godot 4.6, which may have saved the file before the project's settings.
    pub(super) fn has_node_ids(&self, project: &Project) -> bool {
        let has_id = |section: SectionId| self.document.field(section, "unique_id").is_some();
        self.version(project) >= godot_tscn::GodotVersion::godot4(6)
            || self.nodes.section(Nodes::ROOT).is_some_and(has_id)
    }

    /// Groups, properties and the script of a new node.
    fn equip(
        &mut self,
        project: &Project,
        node: NodeId,
        with: &NewNode,
    ) -> Result<(), EditErrorKind> {
        let path = self.nodes.path(node);
        if let Some(script) = &with.script {
            self.attach(project, &path, script)?;
        }
        if with.unique_name {
            self.put_unique(project, &path)?;
        }
        self.sync_layout(project, &path, None)?;
        self.set_all(project, &Holder::Node(path.clone()), &with.properties)?;
        if !with.groups.is_empty() {
            self.group(project, &path, &with.groups, &[])?;
        }
        Ok(())
    }

    fn put_unique(&mut self, project: &Project, path: &str) -> Result<(), EditErrorKind> {
        self.check_unique(path)?;
        let place = self.place(project, &format!("{path}:{UNIQUE}"))?;
        self.put(project, &place, "true")
    }
}
