//! An object in a scene or resource: a class of Godot's with a script, and its members.

use std::rc::Rc;

use godot_tscn::{Section, TagKind, ValueTree, quote};

use crate::SceneContext;
use crate::class_db::{ClassDb, MethodInfo, PropertyInfo, SignalInfo};
use crate::facts::ScriptUse;
use crate::project::{FileId, Project, ResolvedPath};
use crate::res_path::extension_of;
use crate::script::{Function, Script, Signal, Variable};
use crate::scripts::Chain;
use crate::settings::lossy;
use crate::tree::{Node, NodeInTree};
use crate::value_type::ValueType;

/// The class and script of an object.
#[derive(Debug)]
pub struct ObjectType<'p> {
    project: &'p Project,
    /// The class that makes the object, if it is known to be one of Godot's.
    native: Option<String>,
    scripts: Option<Rc<Chain<'p>>>,
    /// Whether nothing about the object is unknown.
    is_complete: bool,
}

/// The declaration of a property in an object.
#[derive(Debug)]
pub enum Member<'a, N, S> {
    /// The property of Godot's class.
    Native(N),
    /// The declaration of a script.
    Script(&'a S),
    /// Nothing that is known, but a function of the class or script may know it.
    Unknown,
    /// Nothing.
    Nothing,
}

impl<'p> ObjectType<'p> {
    fn new(project: &'p Project, class: Option<&str>, scripts: Option<Rc<Chain<'p>>>) -> Self {
        let classes = project.classes();
        let native = class.and_then(|name| known_class(classes, name));
        let has_known_script = scripts.as_ref().is_none_or(|chain| chain.is_complete);
        let is_complete = native.is_some() && has_known_script;
        Self { project, native, scripts, is_complete }
    }

    fn unknown(project: &'p Project) -> Self {
        Self { project, native: None, scripts: None, is_complete: false }
    }

    /// An object with the script in a file.
    pub fn of_script(context: &SceneContext<'p>, file: FileId) -> Self {
        let chain = context.chain(file);
        let native = chain.native.clone();
        Self::new(context.project, native.as_deref(), Some(chain))
    }

    /// The file of its script.
    pub fn script_file(&self) -> Option<FileId> {
        self.scripts.as_ref()?.file
    }

    /// Whether its scripts are known, with all that they extend. The base of a class in C# is known even if some
    /// additions of generators are not.
    pub fn has_known_scripts(&self) -> bool {
        let in_csharp = |chain: &Rc<Chain<'_>>| {
            let file = chain.file.filter(|_| chain.native.is_some());
            file.is_some_and(|file| extension_of(self.project.path(file)) == "cs")
        };
        self.is_complete || self.native.is_some() && self.scripts.as_ref().is_some_and(in_csharp)
    }

    /// Whether it is an object of a class of Godot's, without a script.
    pub fn is_plain(&self) -> bool {
        self.is_complete && !self.has_script()
    }

    /// The class of Godot's.
    pub fn native(&self) -> Option<&str> {
        self.native.as_deref()
    }

    /// The class of Godot's that the script extends, if all of the script could be read.
    pub fn script_base(&self) -> Option<&str> {
        self.scripts.as_ref().filter(|chain| chain.is_complete)?.native.as_deref()
    }

    /// Its name in messages: its class and its script, as the user knows them.
    pub fn called(&self) -> String {
        let native = quote(self.native().unwrap_or_default().as_bytes());
        let Some(script) = self.scripts().next() else { return native };
        let class = script.class_name.as_ref().map_or(native, |name| quote(name.as_bytes()));
        match self.scripts.as_ref().and_then(|chain| chain.file) {
            Some(file) => {
                let path = self.project.path(file);
                let name = path.rsplit('/').next().unwrap_or(path);
                format!("{class} ({})", quote(name.as_bytes()))
            }
            None => format!("{class} (with the script in this file)"),
        }
    }

    /// Whether a script is attached.
    pub(crate) fn has_script(&self) -> bool {
        self.scripts().next().is_some()
    }

    /// The scripts, the most derived one first.
    pub fn scripts(&self) -> impl Iterator<Item = &Script> {
        self.scripts.iter().flat_map(|chain| chain.scripts.iter().map(AsRef::as_ref))
    }

    /// Its property with this name. Also of later versions: a project may be ahead of its settings.
    pub fn property(&self, name: &str) -> Member<'_, PropertyInfo<'p>, Variable> {
        if let Some(variable) = self.scripts.as_ref().and_then(|chain| chain.variable(name)) {
            return Member::Script(variable);
        }
        if self.scripts().any(|script| script.has_dynamic_properties) || is_of_every_object(name) {
            return Member::Unknown;
        }
        if let Some(class) = self.native() {
            let mut tables = self.tables();
            if let Some(found) = tables.find_map(|classes| classes.property(class, name)) {
                return Member::Native(found);
            }
            if self.project.classes().takes(class, name) {
                return Member::Unknown;
            }
        }
        if self.is_complete { Member::Nothing } else { Member::Unknown }
    }

    /// The type of a variable of its script. The types in C# scripts are unknown.
    pub fn variable_type(&self, name: &str) -> Option<ValueType> {
        let chain = self.scripts.as_ref()?;
        let is_csharp =
            chain.file.is_some_and(|file| extension_of(self.project.path(file)) == "cs");
        let variable = chain.variable(name).filter(|_| !is_csharp)?;
        Some(ValueType::of_variable(self.project, chain, variable))
    }

    /// Its signal with this name.
    pub fn signal(&self, name: &str) -> Member<'_, SignalInfo<'_>, Signal> {
        if let Some(signal) = self.scripts.as_ref().and_then(|chain| chain.signal(name)) {
            return Member::Script(signal);
        }
        if self.scripts().any(|script| script.has_dynamic_signals) {
            return Member::Unknown;
        }
        let native = self
            .native()
            .and_then(|class| self.tables().find_map(|classes| classes.signal(class, name)));
        match native {
            Some(signal) => Member::Native(signal),
            None if self.is_complete => Member::Nothing,
            None => Member::Unknown,
        }
    }

    /// Its method with this name.
    pub fn method(&self, name: &str) -> Member<'_, MethodInfo<'_>, Function> {
        if let Some(function) = self.scripts.as_ref().and_then(|chain| chain.function(name)) {
            return Member::Script(function);
        }
        let native = self
            .native()
            .and_then(|class| self.tables().find_map(|classes| classes.method(class, name)));
        match native {
            Some(method) => Member::Native(method),
            None if self.is_complete => Member::Nothing,
            None => Member::Unknown,
        }
    }

    /// Whether a method is one that only scripts implement, such as `_ready`, and its script does not.
    pub fn lacks_virtual(&self, name: &str) -> bool {
        let is_virtual = matches!(self.method(name), Member::Native(method) if method.is_virtual);
        // In C#, `_ready` is called `_Ready`.
        let is_csharp =
            self.script_file().is_some_and(|file| extension_of(self.project.path(file)) == "cs");
        is_virtual && self.is_complete && !is_csharp
    }

    /// The classes of the project's version, then those of the newest.
    pub fn tables(&self) -> impl Iterator<Item = &'p ClassDb> + use<'p> {
        let classes = self.project.classes();
        let newest = classes.version().filter(|version| version.major == 4);
        [Some(classes), newest.map(|_| ClassDb::for_version(godot_tscn::GodotVersion::NEWEST))]
            .into_iter()
            .flatten()
    }
}

/// The class itself, or the one that Godot takes it for.
fn known_class(classes: &ClassDb, name: &str) -> Option<String> {
    let name = classes.class_for_older_name(name).unwrap_or(name);
    classes.class(name).map(|class| class.name().to_owned())
}

/// Whether any object takes a property of this name (`Object::set`, core/object/object.cpp, Godot 4.6.3).
fn is_of_every_object(name: &str) -> bool {
    matches!(name, "script" | "__meta__")
        || name.strip_prefix(METADATA).is_some_and(is_metadata_name)
}

/// The prefix of properties for metadata.
pub const METADATA: &str = "metadata/";

/// How to name metadata, for messages.
pub const METADATA_NAMES: &str =
    "use ASCII letters, digits and `_` behind `metadata/`, and begin with a letter or `_`";

/// Whether Godot takes metadata of this name: `Object::set_meta` (core/object/object.cpp, Godot 4.6.3) refuses any other.
pub fn is_metadata_name(name: &str) -> bool {
    let is_plain = |byte: u8| byte == b'_' || byte.is_ascii_alphanumeric();
    !name.is_empty() && name.bytes().all(is_plain) && !name.as_bytes()[0].is_ascii_digit()
}

impl<'c> SceneContext<'c> {
    /// The object of a `node`, `sub_resource` or `resource` section.
    pub fn attached(&self, section: Section<'_>) -> Rc<ObjectType<'c>> {
        let index = section.index() as usize;
        if let Some(Some(found)) = self.attached_cache().borrow().get(index) {
            return Rc::clone(found);
        }
        let made = match section.kind() {
            _ if !self.knows_classes() => Rc::new(ObjectType::unknown(self.project)),
            TagKind::Node => self.attached_to_node(section),
            TagKind::SubResource | TagKind::Resource | TagKind::Nested => {
                self.attached_to_resource(section)
            }
            _ => Rc::new(ObjectType::unknown(self.project)),
        };
        let mut known = self.attached_cache().borrow_mut();
        if known.len() <= index {
            known.resize(self.document.sections().len().max(index + 1), None);
        }
        known[index] = Some(Rc::clone(&made));
        made
    }

    /// The object of the node at a path from the root.
    pub fn attached_at(&self, path: &str) -> Rc<ObjectType<'c>> {
        match self.root().find(self.project, path).place() {
            Some(place) => self.attached_to_place(&place),
            None => Rc::new(ObjectType::unknown(self.project)),
        }
    }

    /// The object of a node of the scene.
    pub fn attached_to_place(&self, place: &NodeInTree) -> Rc<ObjectType<'c>> {
        if !self.knows_classes() {
            return Rc::new(ObjectType::unknown(self.project));
        }
        // The script may be inside this text.
        match self.tree().tag_at(&place.path()) {
            Some(section) => self.attached(self.section(section)),
            None => self.of_node(place.node()),
        }
    }

    /// What a node of the scene or of an instance is, without a look at scripts inside scenes.
    pub fn attached_to_tree_node(&self, node: &Node) -> Rc<ObjectType<'c>> {
        match self.knows_classes() {
            true => self.of_node(node),
            false => Rc::new(ObjectType::unknown(self.project)),
        }
    }

    /// An object of a class, without a script: one for all of them, as large scenes have many.
    fn without_script(&self, class: Option<&str>) -> Rc<ObjectType<'c>> {
        let class = class.unwrap_or_default();
        if let Some(found) = self.plain_objects.borrow().get(class) {
            return Rc::clone(found);
        }
        let made = Rc::new(ObjectType::new(self.project, Some(class), None));
        self.plain_objects.borrow_mut().insert(class.to_owned(), Rc::clone(&made));
        made
    }

    /// An object of a class, with an unknown script.
    fn with_unknown_script(&self, class: Option<&str>) -> Rc<ObjectType<'c>> {
        let known = ObjectType::new(self.project, class, None);
        Rc::new(ObjectType { is_complete: false, ..known })
    }

    fn with_script(&self, class: Option<&str>, chain: Rc<Chain<'c>>) -> Rc<ObjectType<'c>> {
        Rc::new(ObjectType::new(self.project, class, Some(chain)))
    }

    fn attached_to_node(&self, section: Section<'_>) -> Rc<ObjectType<'c>> {
        let tags = self.facts.scene.as_ref().map_or(&[][..], |scene| &scene.nodes);
        let index = tags.binary_search_by_key(&section.index(), |tag| tag.section).ok();
        let Some((index, node)) =
            index.and_then(|index| Some((index, self.node_of(index as u32)?)))
        else {
            return Rc::new(ObjectType::unknown(self.project));
        };
        if tags[index].script != ScriptUse::Inline {
            return self.of_node(&node);
        }
        match self.built_in_script(section) {
            Some(chain) => self.with_script(node.class(), chain),
            None => self.with_unknown_script(node.class()),
        }
    }

    fn of_node(&self, node: &Node) -> Rc<ObjectType<'c>> {
        let class = node.class();
        match node.script(self.project) {
            Ok(None) => self.without_script(class),
            Ok(Some(file)) => self.with_script(class, self.chain(file)),
            Err(_) => self.with_unknown_script(class),
        }
    }

    fn attached_to_resource(&self, section: Section<'_>) -> Rc<ObjectType<'c>> {
        let header = self.document.sections().next();
        let tag = if section.kind() == TagKind::Resource { header } else { Some(section) };
        let class = tag.and_then(|tag| tag.field_text("type")).map(|class| lossy(&class));
        let class = class.as_deref();
        let Some(script) =
            section.properties().rfind(|property| property.engine_key().as_ref() == b"script")
        else {
            return self.without_script(class);
        };
        let tree = script.value_tree();
        let chain = match tree.root().inner_text("ExtResource") {
            Some(id) => self.chain_of_external(&id),
            None if script.source() == b"null" => return self.without_script(class),
            None => self.built_in_script(section),
        };
        match chain {
            Some(chain) => self.with_script(class, chain),
            None => self.with_unknown_script(class),
        }
    }

    fn chain_of_external(&self, id: &[u8]) -> Option<Rc<Chain<'c>>> {
        match self.target_of_id(id)? {
            ResolvedPath::File(file) => Some(self.chain(*file)),
            _ => None,
        }
    }

    /// The script in a file, and all that it extends.
    pub(crate) fn chain(&self, file: FileId) -> Rc<Chain<'c>> {
        let mut chains = self.chains.borrow_mut();
        let made = || Rc::new(self.project.scripts().chain(self.project, file));
        Rc::clone(chains.entry(file).or_insert_with(made))
    }

    /// The `sub_resource` with an id, the last of several.
    pub fn sub_resource(&self, id: &[u8]) -> Option<Section<'c>> {
        let by_id = self.sub_resources.get_or_init(|| {
            let sections =
                self.document.sections().filter(|section| section.kind() == TagKind::SubResource);
            sections
                .filter_map(|section| {
                    Some((section.field_text("id")?.into_owned(), section.index()))
                })
                .collect()
        });
        by_id.get(id).map(|index| self.document.section(*index))
    }

    /// The script in a `sub_resource` that the section's property `script` names.
    fn built_in_script(&self, section: Section<'_>) -> Option<Rc<Chain<'c>>> {
        let script =
            section.properties().rfind(|property| property.engine_key().as_ref() == b"script")?;
        let tree = script.value_tree();
        let id = tree.root().inner_text("SubResource")?;
        let sub_resource = self.sub_resource(&id)?;
        let mut chains = self.built_in_chains.borrow_mut();
        let made = || self.chain_of_built_in(sub_resource).map(Rc::new);
        chains.entry(sub_resource.index()).or_insert_with(made).clone()
    }

    fn chain_of_built_in(&self, sub_resource: Section<'_>) -> Option<Chain<'c>> {
        if sub_resource.field_text("type")?.as_ref() != b"GDScript" {
            return None;
        }
        let source = sub_resource
            .properties()
            .rfind(|property| property.engine_key().as_ref() == b"script/source")?;
        let text = ValueTree::new(source.source()).root().text()?.into_owned();
        let script = Script::gdscript(&text);
        Some(self.project.scripts().chain_of_built_in(self.project, self.path, script))
    }
}
