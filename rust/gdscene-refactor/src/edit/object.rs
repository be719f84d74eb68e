//! A node or resource: its class, its script, and its data outside properties.

use std::rc::Rc;

use godot_project::scripts::Chain;
use godot_project::settings::lossy;
use godot_project::{ClassDb, FileId, NodeInTree, Project, Shader, Uniform, ValueType, Variable};
use godot_tscn::{SectionId, TagKind, ValueTree};
use godot_variant::VariantType;

use crate::edit::error::EditErrorKind;
use crate::edit::nodes::{NodeId, Nodes, names};
use crate::edit::scene::{SceneEdit, references};
use crate::edit::value::saved_type;

/// A node or resource.
#[derive(Clone, Debug)]
pub(super) struct Object<'p> {
    project: &'p Project,
    /// The class of Godot's.
    pub(super) class: Option<String>,
    /// Its script and the base scripts.
    pub(super) script: Option<Rc<Chain<'p>>>,
    /// Whether its script is unknown, and therefore its data.
    pub(super) has_unknown_script: bool,
    /// The values of a node in other scenes.
    pub(super) base: Option<NodeInTree>,
    /// The shader of a material, if it can be read.
    pub(super) shader: Option<Rc<Shader>>,
    /// The types of `custom_data_0` and so on of its tiles, if it is a source of tiles.
    pub(super) tile_data: Vec<ValueType>,
}

/// A property of an object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct PropertyType {
    pub(super) holds: ValueType,
    /// The text of its default, if it is known.
    pub(super) default: Option<String>,
}

impl<'p> Object<'p> {
    /// The object of a class.
    pub(super) fn of_class(project: &'p Project, class: &str) -> Self {
        let name = project.classes().class_for_older_name(class).unwrap_or(class);
        let class = Some(name.to_owned());
        Self {
            project,
            class,
            script: None,
            has_unknown_script: false,
            base: None,
            shader: None,
            tile_data: Vec::new(),
        }
    }

    /// The same with a script.
    pub(super) fn with_script(mut self, file: FileId) -> Self {
        let chain = self.project.scripts().chain(self.project, file);
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

    /// The type of a property; nothing if it certainly does not exist.
    pub(super) fn property(&self, name: &str) -> Option<PropertyType> {
        if let Some(variable) = self.variable(name) {
            return Some(self.of_variable(variable));
        }
        let classes = self.classes();
        let native = |type_name: &str, default: Option<&str>| PropertyType {
            holds: ValueType::of_native(classes, type_name),
            default: default.map(str::to_owned),
        };
        match name {
            "script" => return Some(native("Script", None)),
            _ if self.has_points(name) => return Some(PropertyType::of(ValueType::Any)),
            _ if name.starts_with("metadata/") => return Some(PropertyType::of(ValueType::Any)),
            _ => {}
        }
        if let Some(uniform) = self.uniform(name) {
            return Some(PropertyType::of(uniform.holds.clone()));
        }
        let Some(class) = &self.class else { return Some(PropertyType::of(ValueType::Unknown)) };
        if let Some(holds) = ValueType::of_native_property(classes, class, name) {
            let of_tile = (holds == ValueType::Unknown).then(|| self.of_tile(name)).flatten();
            let default = classes.default(class, name).map(str::to_owned);
            return Some(PropertyType { holds: of_tile.unwrap_or(holds), default });
        }
        let may_be = classes.takes(class, name)
            || self.has_unknown_script
            || self.scripts().any(|script| script.has_dynamic_properties)
            || classes.class(class).is_none();
        may_be.then(|| PropertyType::of(ValueType::Unknown))
    }

    /// The type of a value of a tile's own data.
    fn of_tile(&self, name: &str) -> Option<ValueType> {
        let (_, layer) = name.rsplit_once("/custom_data_")?;
        self.tile_data.get(layer.parse::<usize>().ok()?).cloned()
    }

    /// The first property that a path names, and the rest of the path. Some names contain a `:`, such as `0:1/0/custom_data_0`
    /// of a source of tiles; `is_set` says whether the file gives one a value.
    pub(super) fn first_key<'k>(
        &self,
        keys: &'k [String],
        is_set: impl Fn(&str) -> bool,
    ) -> (String, &'k [String]) {
        let lens = (1..=keys.len()).map(|len| (keys[..len].join(":"), &keys[len..]));
        let is_known = |key: &str| is_set(key) || self.property(key).is_some();
        let known = lens.clone().find(|(key, _)| is_known(key));
        known.unwrap_or_else(|| {
            // No property is a number alone.
            let is_number = keys[0].bytes().all(|byte| byte.is_ascii_digit());
            let len = if is_number { keys.len() } else { 1 };
            (keys[..len].join(":"), &keys[len..])
        })
    }

    /// The type of a property.
    ///
    /// # Errors
    /// When it is certain that there is no such, with the name that may be meant.
    pub(super) fn known_property(&self, name: &str) -> Result<PropertyType, EditErrorKind> {
        self.property(name).ok_or_else(|| {
            let near = self.nearest_property(name);
            let what = format!("the property `{name}` of {}", self.called());
            EditErrorKind::not_in(self.project, what, near.as_deref())
        })
    }

    /// The probable intended property.
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

    fn uniform(&self, name: &str) -> Option<&Uniform> {
        let name = name.strip_prefix("shader_parameter/")?;
        self.shader.as_ref()?.uniform(name).filter(|uniform| uniform.is_of_material)
    }

    /// The exported variable of its script with this name.
    pub(super) fn variable(&self, name: &str) -> Option<&Variable> {
        let chain = self.script.as_ref()?;
        chain.variable(name).filter(|variable| variable.is_exported)
    }

    /// The type of a variable of its script, exported or not.
    pub(super) fn script_variable(&self, name: &str) -> Option<PropertyType> {
        self.script.as_ref()?.variable(name).map(|variable| self.of_variable(variable))
    }

    pub(super) fn scripts(&self) -> impl Iterator<Item = &godot_project::Script> {
        self.script.iter().flat_map(|chain| chain.scripts.iter().map(AsRef::as_ref))
    }

    fn of_variable(&self, variable: &Variable) -> PropertyType {
        let Some(chain) = &self.script else { return PropertyType::of(ValueType::Unknown) };
        let holds = ValueType::of_variable(self.project, chain, variable);
        let default = match variable.value.as_deref() {
            Some(value) => default_of(value, &holds),
            None => zero(&holds),
        };
        PropertyType { holds, default }
    }
}

impl SceneEdit {
    /// The values of a node in other scenes.
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

    /// The object of the node at a path; nothing if the node is missing.
    pub(super) fn node_object<'p>(&self, project: &'p Project, path: &str) -> Option<Object<'p>> {
        let base = self.base(project, path);
        let node = self.nodes.find(path);
        let section = node.and_then(|node| self.nodes.section(node));
        if base.is_none() && section.is_none() {
            return None;
        }
        let own = section.and_then(|section| self.text(section, "type"));
        let class = own.or_else(|| Some(base.as_ref()?.node().class()?.to_owned()));
        let mut object = Object {
            project,
            class,
            script: None,
            has_unknown_script: false,
            base,
            shader: None,
            tile_data: Vec::new(),
        };
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

    /// The object of a resource.
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
        if object.is("ShaderMaterial") {
            object.shader = self.shader_of(project, section);
        }
        if object.is("TileSetAtlasSource") {
            object.tile_data = self.tile_data(section);
        }
        object
    }

    /// The shader of a material: in a file, or in this one. Each is read once.
    fn shader_of(&self, project: &Project, material: SectionId) -> Option<Rc<Shader>> {
        let value = self.value(material, "shader")?;
        let tree = ValueTree::new(value.as_bytes());
        let mut known = self.shaders.borrow_mut();
        if let Some(id) = tree.root().inner_text("ExtResource") {
            let file = self.file_of(project, &lossy(&id))?;
            let read = || Shader::in_file(project, file).map(Rc::new);
            return known.entry(project.path(file).to_owned()).or_insert_with(read).clone();
        }
        let id = tree.root().inner_text("SubResource").map(|id| lossy(&id))?;
        let code = self.value(*self.subs.get(&id)?, "code")?;
        if let Some(found) = known.get(&code) {
            return found.clone();
        }
        let text = ValueTree::new(code.as_bytes()).root().text().map(|text| lossy(&text));
        let shader = text.map(|text| Rc::new(Shader::read(&text)));
        known.insert(code, shader.clone());
        shader
    }

    fn give_script<'p>(&self, project: &'p Project, object: &mut Object<'p>, script: &str) {
        let tree = ValueTree::new(script.as_bytes());
        let id = tree.root().inner_text("ExtResource").map(|id| lossy(&id));
        match id.and_then(|id| self.file_of(project, &id)) {
            Some(file) => {
                let chain = project.scripts().chain(project, file);
                object.has_unknown_script = !chain.is_complete;
                object.script = Some(Rc::new(chain));
            }
            None => object.has_unknown_script = script != "null",
        }
    }
}

impl PropertyType {
    pub(super) fn of(holds: ValueType) -> Self {
        Self { holds, default: None }
    }

    /// Whether it holds a value without a resource, such as a vector. If any would do, `value` decides.
    pub(super) fn is_plain(&self, value: Option<&str>) -> bool {
        if value.is_some_and(|value| !references(value.as_bytes()).is_empty()) {
            return false;
        }
        match &self.holds {
            ValueType::Unknown | ValueType::Any => value.is_some_and(|value| value != "null"),
            ValueType::Object(class) if class.name == "Object" => {
                value.is_some_and(|value| value != "null")
            }
            ValueType::Object(class) => class.is_node,
            _ => true,
        }
    }

    /// Whether it may hold a resource of this class, which may be an heir of the class that a file names.
    pub(super) fn takes_resource(&self, project: &Project, class: &str) -> bool {
        let wanted = match &self.holds {
            ValueType::Unknown | ValueType::Any => return true,
            ValueType::Object(wanted) => wanted,
            _ => return false,
        };
        let classes = project.classes();
        // In a file, a value of a script class has the native base class as its type.
        let names = wanted.native.as_deref().unwrap_or(&wanted.name);
        let names = names.split(',').map(str::trim).filter(|name| !name.starts_with('-'));
        names.into_iter().any(|wanted| {
            let is_known = classes.class(wanted).is_some() && classes.class(class).is_some();
            !is_known || classes.inherits(class, wanted) || classes.inherits(wanted, class)
        })
    }
}

/// The text that a scene has of a variable's first value, if that is a constant.
fn default_of(value: &str, holds: &ValueType) -> Option<String> {
    // A constructor means the same in GDScript and in a scene.
    let is_constant = godot_tscn::parse_value(value.as_bytes()).is_ok();
    match holds {
        ValueType::Enum { values, .. } => {
            let name = value.rsplit('.').next().unwrap_or(value).trim();
            let named = values.iter().find(|(constant, _)| constant == name);
            named
                .map(|(_, number)| number.to_string())
                .or_else(|| is_constant.then(|| value.to_owned()))
        }
        ValueType::Array(_) | ValueType::Dictionary(..) => {
            matches!(value, "[]" | "{}").then(|| zero(holds)).flatten()
        }
        _ => is_constant.then(|| value.to_owned()),
    }
}

/// The value of a variable of a type that is declared without a value.
fn zero(holds: &ValueType) -> Option<String> {
    let text = match holds {
        ValueType::Unknown | ValueType::Any => return None,
        ValueType::Enum { .. } => "0",
        ValueType::Object(_) => "null",
        ValueType::Array(_) | ValueType::Dictionary(..) => {
            let empty = if matches!(holds, ValueType::Array(_)) { "[]" } else { "{}" };
            let in_front = saved_type(holds, |_| None);
            return Some(in_front.map_or(empty.to_owned(), |of| format!("{of}({empty})")));
        }
        ValueType::Of(of) => match of {
            VariantType::Bool => "false",
            VariantType::Int => "0",
            VariantType::Float => "0.0",
            VariantType::String => "\"\"",
            VariantType::StringName => "&\"\"",
            VariantType::NodePath => "NodePath(\"\")",
            VariantType::Vector2 => "Vector2(0, 0)",
            VariantType::Vector2i => "Vector2i(0, 0)",
            VariantType::Vector3 => "Vector3(0, 0, 0)",
            VariantType::Vector3i => "Vector3i(0, 0, 0)",
            VariantType::Color => "Color(0, 0, 0, 1)",
            VariantType::Array => "[]",
            VariantType::Dictionary => "{}",
            _ => return None,
        },
    };
    Some(text.to_owned())
}
