//! Which conditions hold of nodes and resources.

use std::cell::{OnceCell, RefCell};
use std::rc::Rc;
use std::sync::Arc;

use godot_project::object_type::ObjectType;
use godot_project::res_path::name_of;
use godot_project::{FileId, ResolvedPath, SceneContext, ScriptUse};
use hashbrown::HashMap;

use super::OwnRules;
use super::conditions::{Condition, Named, Truth, Wanted};
use super::nodes::{Above, Nodes, Place};
use super::scene_text::{Connections, SceneText, groups};

/// The nodes and resources of one file.
pub(super) struct Objects<'o, 'c> {
    pub(super) own: &'o OwnRules,
    pub(super) context: &'o SceneContext<'c>,
    nodes: OnceCell<Nodes<'o, 'c>>,
    /// By address: objects without scripts are shared by many nodes.
    classes: RefCell<HashMap<usize, Classes<'c>>>,
    pub(super) connections: OnceCell<Connections>,
    texts: RefCell<HashMap<FileId, Option<Arc<SceneText>>>>,
}

/// Whether an object is of each class that rules name. The object is kept, so no other one gets its address.
type Classes<'c> = (Rc<ObjectType<'c>>, Rc<[Truth]>);

impl<'o, 'c> Objects<'o, 'c> {
    pub(super) fn new(own: &'o OwnRules, context: &'o SceneContext<'c>) -> Self {
        Self {
            own,
            context,
            nodes: OnceCell::new(),
            classes: RefCell::default(),
            connections: OnceCell::new(),
            texts: RefCell::default(),
        }
    }

    pub(super) fn nodes(&self) -> &Nodes<'o, 'c> {
        self.nodes.get_or_init(|| Nodes::new(self.context))
    }

    /// The properties that rules name.
    pub(super) fn keys(&self) -> &'o [String] {
        &self.own.keys
    }

    pub(super) fn are_all(&self, node: usize, conditions: &[Condition]) -> Truth {
        Truth::all(conditions.iter().map(|condition| self.of_node(node, condition)))
    }

    /// Whether a condition holds of a node.
    pub(super) fn of_node(&self, node: usize, condition: &Condition) -> Truth {
        let place = self.nodes().place(node);
        match condition {
            Condition::Class(classes) => {
                let known = self.classes_of_node(&place);
                Truth::any(classes.iter().map(|class| known[*class]))
            }
            Condition::Root(is) => Truth::of((place.above == Above::Nothing) == *is),
            Condition::Depth { min, max } => {
                Truth::of(place.depth >= *min && max.is_none_or(|max| place.depth <= max))
            }
            Condition::Name(pattern) => Truth::of(pattern.is_match(&place.name)),
            Condition::UniqueName(is) => Truth::of(place.node.is_unique() == *is),
            Condition::Script(wanted) => self.has_script(&place, wanted),
            Condition::InstanceOf(wanted) => self.is_instance(&place, wanted),
            Condition::SameNameAs(named) => self.has_name_of(&place, *named),
            Condition::Group(names) => self.is_in_group(&place, names),
            Condition::Property(property) => self.property_of_node(&place, property),
            Condition::Connection(connection) => self.is_connected(node, connection),
            Condition::Near(relation, counted) => self.count(node, &place, *relation, counted),
            Condition::Kind(_)
            | Condition::Path(_)
            | Condition::NodeOfFile(_)
            | Condition::ResourceOfFile(_) => Truth::Unknown,
        }
    }

    fn classes_of_node(&self, place: &Place<'c>) -> Rc<[Truth]> {
        Rc::clone(place.classes.get_or_init(|| self.classes_of(&self.nodes().object(place))))
    }

    fn classes_of(&self, object: &Rc<ObjectType<'c>>) -> Rc<[Truth]> {
        let address = Rc::as_ptr(object).addr();
        if let Some((_, known)) = self.classes.borrow().get(&address) {
            return Rc::clone(known);
        }
        let classes = self.own.classes.iter();
        let made: Rc<[Truth]> = classes.map(|class| self.is_of(object, class)).collect();
        self.classes.borrow_mut().insert(address, (Rc::clone(object), Rc::clone(&made)));
        made
    }

    /// Whether an object is of one of the classes with these indexes.
    pub(super) fn is_of_class(&self, object: &Rc<ObjectType<'c>>, classes: &[usize]) -> Truth {
        let known = self.classes_of(object);
        Truth::any(classes.iter().map(|class| known[*class]))
    }

    fn is_of(&self, object: &ObjectType<'_>, wanted: &str) -> Truth {
        let project = self.context.project;
        let classes = project.classes();
        if object.native().is_some_and(|native| classes.inherits(native, wanted)) {
            return Truth::Yes;
        }
        let is_of_script =
            object.scripts().any(|script| script.class_name.as_deref() == Some(wanted))
                || object.script_file().is_some()
                    && object.script_file() == project.scripts().csharp_class(wanted);
        if is_of_script {
            return Truth::Yes;
        }
        let is_known = match classes.class(wanted) {
            Some(_) => object.native().is_some(),
            None => object.has_known_scripts(),
        };
        if is_known { Truth::No } else { Truth::Unknown }
    }

    /// Whether the resource in a file is of the class with this index. `class` is what the tag says.
    pub(super) fn is_external_of(&self, class: &str, file: Option<FileId>, wanted: usize) -> Truth {
        let (project, wanted) = (self.context.project, self.own.classes[wanted].as_str());
        let classes = project.classes();
        let real = file.and_then(|file| project.resource_type(file));
        if [Some(class), real].into_iter().flatten().any(|class| classes.inherits(class, wanted)) {
            return Truth::Yes;
        }
        let Some(file) = file else {
            // The tag may name a base of the class.
            let may_be = classes.class(wanted).is_none()
                || class.is_empty()
                || classes.inherits(wanted, class)
                || classes.class(class).is_none();
            return if may_be { Truth::Unknown } else { Truth::No };
        };
        if classes.class(wanted).is_some() {
            let is_known = real.is_some_and(|real| classes.class(real).is_some());
            return if is_known || !classes.inherits(wanted, class) {
                Truth::No
            } else {
                Truth::Unknown
            };
        }
        let facts = project.facts(file);
        match facts.resource_script {
            ScriptUse::Unset | ScriptUse::Removed if facts.is_incomplete => Truth::Unknown,
            ScriptUse::Unset | ScriptUse::Removed => Truth::No,
            ScriptUse::Inline => Truth::Unknown,
            ScriptUse::External(index) => {
                let script = &facts.ext_resources[index as usize];
                match project.resolve_external(project.path(file), script) {
                    ResolvedPath::File(script) => {
                        self.is_of(&ObjectType::of_script(self.context, script), wanted)
                    }
                    _ => Truth::Unknown,
                }
            }
        }
    }

    /// What a node's class is called.
    pub(super) fn class_of_node(&self, place: &Place<'c>) -> String {
        let object = self.nodes().object(place);
        let name = self.class_of(&object);
        if name.is_empty() { place.node.class().unwrap_or_default().to_owned() } else { name }
    }

    /// What the class of an object is called: that of its script, or Godot's.
    pub(super) fn class_of(&self, object: &ObjectType<'_>) -> String {
        let of_script = object.scripts().find_map(|script| script.class_name.as_deref());
        of_script.or_else(|| object.native()).unwrap_or_default().to_owned()
    }

    fn has_script(&self, place: &Place<'_>, wanted: &Wanted) -> Truth {
        let project = self.context.project;
        match place.node.script(project) {
            Ok(Some(file)) => Truth::of(wanted.has(project.path(file))),
            Ok(None) => Truth::of(wanted.has_none()),
            Err(_) => match self.own_script(place) {
                ScriptUse::Inline => Truth::of(matches!(wanted, Wanted::Is(true))),
                _ => Truth::Unknown,
            },
        }
    }

    /// What the scene's own text says of the script.
    fn own_script(&self, place: &Place<'_>) -> ScriptUse {
        let tag = place.own_tag.and_then(|tag| self.context.tree().tags().get(tag as usize));
        tag.map_or(ScriptUse::Unset, |tag| tag.script)
    }

    fn is_instance(&self, place: &Place<'_>, wanted: &Wanted) -> Truth {
        let paths = self.instanced(place);
        match paths.as_deref() {
            None => Truth::Unknown,
            Some([]) if place.node.is_opaque() && place.node.made_by().is_none() => Truth::Unknown,
            Some([]) => Truth::of(wanted.has_none()),
            Some(paths) => Truth::of(paths.iter().any(|path| wanted.has(path))),
        }
    }

    /// The scenes that a node is an instance of, or inherits, the nearest first. Nothing if one of them is not known.
    fn instanced(&self, place: &Place<'_>) -> Option<Vec<String>> {
        let mut paths = Vec::new();
        if let Some((path, _)) = place.node.instance(self.context.project) {
            paths.push(path?);
        }
        for said in place.node.said().filter(|said| said.is_root && !said.is_own) {
            if !paths.iter().any(|path| path == said.path) {
                paths.push(said.path.to_owned());
            }
        }
        Some(paths)
    }

    fn has_name_of(&self, place: &Place<'c>, named: Named) -> Truth {
        let is_same = |other: &str| Truth::of(letters(&place.name).eq(letters(other)));
        let file = |path: &str| is_same(stem(path));
        let project = self.context.project;
        match named {
            Named::File => file(self.context.path),
            Named::Class => {
                let object = self.nodes().object(place);
                let scripts = object.scripts().filter_map(|script| script.class_name.as_deref());
                let names = scripts.chain(object.native()).map(is_same);
                match Truth::any(names) {
                    Truth::No if !object.has_known_scripts() => Truth::Unknown,
                    truth => truth,
                }
            }
            Named::Script => match place.node.script(project) {
                Ok(Some(script)) => file(project.path(script)),
                _ => Truth::Unknown,
            },
            Named::Instance => match self.instanced(place).as_deref() {
                Some([nearest, ..]) => file(nearest),
                _ => Truth::Unknown,
            },
            Named::Parent => match place.above {
                Above::Node(parent) => is_same(&self.nodes().place(parent).name),
                Above::Nothing | Above::Unknown => Truth::Unknown,
            },
        }
    }

    fn is_in_group(&self, place: &Place<'_>, names: &[String]) -> Truth {
        let is_named = |groups: &[String]| groups.iter().any(|group| names.contains(group));
        let mut is_complete = !place.node.is_opaque();
        for said in place.node.said() {
            let Some(tag) = said.tag else { continue };
            if said.is_own {
                let section = self.context.tree().tags()[tag as usize].section;
                if is_named(&groups(self.context.section(section))) {
                    return Truth::Yes;
                }
                continue;
            }
            match self.tag_of(said.path, tag) {
                Some((_, text, section)) if is_named(text.groups(section)) => return Truth::Yes,
                Some(_) => {}
                None => is_complete = false,
            }
        }
        if is_complete { Truth::No } else { Truth::Unknown }
    }

    /// What the text of another scene says.
    pub(super) fn text_of(&self, path: &str) -> Option<(FileId, Arc<SceneText>)> {
        let file = self.context.project.file(path)?;
        let mut texts = self.texts.borrow_mut();
        let read = || self.own.texts.of(self.context.project, file, &self.own.keys);
        Some((file, texts.entry(file).or_insert_with(read).clone()?))
    }

    /// What the text of another scene says, and the section of a tag in it.
    pub(super) fn tag_of(&self, path: &str, tag: u32) -> Option<(FileId, Arc<SceneText>, u32)> {
        let (file, text) = self.text_of(path)?;
        let section = self.context.project.tree(file)?.tags().get(tag as usize)?.section;
        Some((file, text, section))
    }
}

/// The name of a file, without what follows its first dot.
pub(super) fn stem(path: &str) -> &str {
    let name = name_of(path);
    name.split('.').next().unwrap_or(name)
}

/// What counts when names are compared: letters and digits, whatever their case.
fn letters(name: &str) -> impl Iterator<Item = char> {
    name.chars().filter(|found| found.is_alphanumeric()).flat_map(char::to_lowercase)
}
