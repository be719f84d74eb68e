//! What a node or resource is: its class, its script, and what it has without a property of its own.

use std::rc::Rc;

use godot_project::scripts::Chain;
use godot_project::settings::lossy;
use godot_project::{ClassDb, FileId, NodeInTree, Project, Variable};
use godot_tscn::{SectionId, TagKind, ValueTree};

use crate::edit::error::EditErrorKind;
use crate::edit::nodes::{NodeId, Nodes, names};
use crate::edit::scene::{SceneEdit, references};

/// A node or resource.
#[derive(Clone, Debug)]
pub(super) struct Object<'p> {
    project: &'p Project,
    /// The class of Godot's.
    pub(super) class: Option<String>,
    /// Its script and what that extends.
    pub(super) script: Option<Rc<Chain<'p>>>,
    /// Whether its script is not known, and what it has neither.
    pub(super) has_unknown_script: bool,
    /// What other scenes say of a node.
    pub(super) base: Option<NodeInTree>,
}

/// A property of an object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct PropertyType {
    /// As Godot spells it; the class, or several with `,` between, for a resource. `Variant` where it is not known.
    pub(super) type_name: String,
    /// The text of its default, if it is known.
    pub(super) default: Option<String>,
    /// Whether a script declares it, with a node as its type: scenes hold the path.
    pub(super) is_node: bool,
}

impl<'p> Object<'p> {
    /// The object of a class.
    pub(super) fn of_class(project: &'p Project, class: &str) -> Self {
        let name = project.classes().class_for_older_name(class).unwrap_or(class);
        let class = Some(name.to_owned());
        Self { project, class, script: None, has_unknown_script: false, base: None }
    }

    /// The same with a script.
    pub(super) fn with_script(mut self, file: FileId) -> Self {
        let mut chain = self.project.scripts().chain(self.project, file);
        chain.file = Some(file);
        self.has_unknown_script |= !chain.is_complete;
        self.script = Some(Rc::new(chain));
        self
    }

    /// Its class, for messages.
    pub(super) fn called(&self) -> String {
        self.class.clone().unwrap_or_else(|| "Object".to_owned())
    }

    pub(super) fn classes(&self) -> &'p ClassDb {
        self.project.classes()
    }

    /// What is known of a property; nothing if it is certain that there is no such.
    pub(super) fn property(&self, name: &str) -> Option<PropertyType> {
        if let Some(variable) = self.variable(name) {
            return Some(self.of_variable(variable));
        }
        let any = |type_name: &str| PropertyType {
            type_name: type_name.to_owned(),
            default: None,
            is_node: false,
        };
        match name {
            "script" => return Some(any("Script")),
            "resource_name" | "editor_description" => {
                return Some(PropertyType { default: Some("\"\"".to_owned()), ..any("String") });
            }
            _ if name.starts_with("metadata/") => return Some(any("Variant")),
            _ => {}
        }
        let Some(class) = &self.class else { return Some(any("Variant")) };
        let classes = self.classes();
        if let Some(found) = classes.property(class, name) {
            let default = classes.default(class, name).map(str::to_owned);
            return Some(PropertyType { default, ..any(found.type_name()) });
        }
        let may_be = classes.takes(class, name)
            || self.has_unknown_script
            || self.scripts().any(|script| script.has_dynamic_properties)
            || classes.class(class).is_none();
        may_be.then(|| any("Variant"))
    }

    /// What is known of a property.
    ///
    /// # Errors
    /// When it is certain that there is no such, with the name that may be meant.
    pub(super) fn known_property(&self, name: &str) -> Result<PropertyType, EditErrorKind> {
        self.property(name).ok_or_else(|| {
            let near = self.nearest_property(name);
            let what = format!("the property `{name}` of {}", self.called());
            EditErrorKind::not_found(what, near.as_deref())
        })
    }

    /// The property whose name may be meant.
    pub(super) fn nearest_property(&self, name: &str) -> Option<String> {
        let classes = self.classes();
        let native = self.class.iter().flat_map(|class| classes.lineage(class));
        let native = native.flat_map(godot_project::Class::property_names);
        let own = self.scripts().flat_map(|script| &script.variables);
        let own = own.filter(|variable| variable.is_exported).map(|found| found.name.as_str());
        let all: Vec<&str> = own.chain(native).collect();
        let near = godot_tscn::nearest(name.as_bytes(), all.iter().map(|name| name.as_bytes()));
        near.map(lossy)
    }

    /// The exported variable of its script with this name.
    pub(super) fn variable(&self, name: &str) -> Option<&Variable> {
        let chain = self.script.as_ref()?;
        chain.variable(name).filter(|variable| variable.is_exported)
    }

    pub(super) fn scripts(&self) -> impl Iterator<Item = &godot_project::Script> {
        self.script.iter().flat_map(|chain| chain.scripts.iter().map(AsRef::as_ref))
    }

    /// Whether a class, of Godot's or of a script, is or inherits one of Godot's.
    pub(super) fn inherits(project: &Project, class: &str, base: &str) -> bool {
        if project.classes().class(class).is_some() {
            return project.classes().inherits(class, base);
        }
        let Some(file) = project.scripts().class(class) else { return false };
        let chain = project.scripts().chain(project, file);
        chain.native.is_some_and(|native| project.classes().inherits(&native, base))
    }

    fn of_variable(&self, variable: &Variable) -> PropertyType {
        let literal = variable.value.as_deref().filter(|value| is_literal(value));
        let written = variable.type_name.as_deref();
        let type_name = match (written, literal) {
            (Some(name), _) => name.to_owned(),
            (None, Some(value)) => type_of_literal(value).to_owned(),
            (None, None) => "Variant".to_owned(),
        };
        let is_node = Self::inherits(self.project, &type_name, "Node");
        let is_enum = written.is_some()
            && !is_variant_type(&type_name)
            && !is_node
            && !Self::inherits(self.project, &type_name, "Object");
        let type_name = if is_enum { "Variant".to_owned() } else { type_name };
        let default = match (literal, variable.value.as_deref()) {
            (Some(value), _) => Some(value.to_owned()),
            (None, None) => zero(&type_name).map(str::to_owned),
            (None, Some(_)) => None,
        };
        PropertyType { type_name, default, is_node }
    }
}

impl SceneEdit {
    /// What other scenes say of a node.
    pub(super) fn base(&self, project: &Project, path: &str) -> Option<NodeInTree> {
        let mut node = Some(Nodes::ROOT);
        let mut base = self.instanced(project, Nodes::ROOT);
        for name in names(path) {
            node = node.and_then(|node| self.nodes.child(node, name));
            let own = node.and_then(|node| self.instanced(project, node));
            let is_own = own.is_some() || node.is_some_and(|node| self.makes(node));
            base =
                if is_own { own } else { base.and_then(|base| base.find(project, name).place()) };
        }
        base
    }

    /// The root of the scene that a node is an instance of by its own tag.
    fn instanced(&self, project: &Project, node: NodeId) -> Option<NodeInTree> {
        let section = self.nodes.section(node)?;
        let instance = self.document.field(section, "instance")?;
        let id = ValueTree::new(instance).root().inner_text("ExtResource").map(|id| lossy(&id))?;
        let file = self.file_of(project, &id)?;
        Some(NodeInTree::root(project, project.tree(file)?))
    }

    /// Whether the text makes the node, and does not only change it.
    pub(super) fn makes(&self, node: NodeId) -> bool {
        let Some(section) = self.nodes.section(node) else { return false };
        let has = |field: &str| self.document.field(section, field).is_some();
        node == Nodes::ROOT || has("type") || has("instance") || has("instance_placeholder")
    }

    /// What the node at a path is; nothing if there is none.
    pub(super) fn node_object<'p>(&self, project: &'p Project, path: &str) -> Option<Object<'p>> {
        let base = self.base(project, path);
        let node = self.nodes.find(path);
        let section = node.and_then(|node| self.nodes.section(node));
        if base.is_none() && section.is_none() {
            return None;
        }
        let own = section.and_then(|section| self.text(section, "type"));
        let class = own.or_else(|| Some(base.as_ref()?.node().class()?.to_owned()));
        let mut object = Object { project, class, script: None, has_unknown_script: false, base };
        match section.and_then(|section| self.value(section, "script")) {
            Some(script) => self.give_script(project, &mut object, &script),
            None => {
                let base = object.base.as_ref().map(|base| base.node().script(project));
                match base {
                    Some(Ok(Some(file))) => object = object.with_script(file),
                    Some(Err(_)) => object.has_unknown_script = true,
                    Some(Ok(None)) | None => {}
                }
            }
        }
        object.has_unknown_script |= object.class.is_none();
        Some(object)
    }

    /// What a resource is.
    pub(super) fn resource_object<'p>(
        &self,
        project: &'p Project,
        section: SectionId,
    ) -> Object<'p> {
        let tag = match self.document.kind(section) {
            TagKind::Resource => self.header(),
            _ => section,
        };
        let class = self.text(tag, "type").unwrap_or_default();
        let mut object = Object::of_class(project, &class);
        if let Some(script) = self.value(section, "script") {
            self.give_script(project, &mut object, &script);
        }
        object
    }

    fn give_script<'p>(&self, project: &'p Project, object: &mut Object<'p>, script: &str) {
        let tree = ValueTree::new(script.as_bytes());
        let id = tree.root().inner_text("ExtResource").map(|id| lossy(&id));
        match id.and_then(|id| self.file_of(project, &id)) {
            Some(file) => {
                let mut chain = project.scripts().chain(project, file);
                chain.file = Some(file);
                object.has_unknown_script = !chain.is_complete;
                object.script = Some(Rc::new(chain));
            }
            None => object.has_unknown_script = script != "null",
        }
    }
}

impl PropertyType {
    /// Whether it holds a value without a resource, such as a vector. If any would do, `value` tells.
    pub(super) fn is_plain(&self, value: Option<&str>) -> bool {
        if value.is_some_and(|value| !references(value.as_bytes()).is_empty()) {
            return false;
        }
        match self.type_name.as_str() {
            "Variant" | "Object" => value.is_some_and(|value| value != "null"),
            name => is_variant_type(name),
        }
    }

    /// Whether it may hold a resource of this class, of which a file says no more than a base.
    pub(super) fn takes_resource(&self, project: &Project, class: &str) -> bool {
        if self.type_name == "Variant" || self.type_name == "Object" {
            return true;
        }
        if is_variant_type(&self.type_name) {
            return false;
        }
        let classes = project.classes();
        let wanted = self.type_name.split(',').map(str::trim).filter(|name| !name.starts_with('-'));
        wanted.into_iter().any(|wanted| {
            // What a script declares stands in a file under the class that it extends.
            let is_known = classes.class(wanted).is_some() && classes.class(class).is_some();
            !is_known || classes.inherits(class, wanted) || classes.inherits(wanted, class)
        })
    }
}

fn is_literal(value: &str) -> bool {
    // A constructor means the same in GDScript and in a scene.
    godot_tscn::parse_value(value.as_bytes()).is_ok()
}

/// The type of a variable that is declared without one: `var x := 1.5`.
fn type_of_literal(value: &str) -> &'static str {
    match godot_tscn::parse_value(value.as_bytes()) {
        Ok(value) => value.variant_type().name(),
        Err(_) => "Variant",
    }
}

fn is_variant_type(name: &str) -> bool {
    let name = name.split('[').next().unwrap_or(name);
    name == "Variant" || godot_variant::VariantType::ALL.iter().any(|known| known.name() == name)
}

/// What a variable of a type holds that is declared without a value.
fn zero(type_name: &str) -> Option<&'static str> {
    Some(match type_name {
        "bool" => "false",
        "int" => "0",
        "float" => "0.0",
        "String" => "\"\"",
        "StringName" => "&\"\"",
        "NodePath" => "NodePath(\"\")",
        "Vector2" => "Vector2(0, 0)",
        "Vector2i" => "Vector2i(0, 0)",
        "Vector3" => "Vector3(0, 0, 0)",
        "Vector3i" => "Vector3i(0, 0, 0)",
        "Color" => "Color(0, 0, 0, 1)",
        "Array" => "[]",
        "Dictionary" => "{}",
        _ => return None,
    })
}
