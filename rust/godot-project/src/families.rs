//! Properties of elements that their object does not have: an item behind the last one, a surface that the mesh lacks.

mod counts;
mod meshes;
mod trees;

use std::cell::OnceCell;
use std::rc::Rc;

use godot_tscn::{Property, Section};

use crate::SceneContext;
use crate::class_db::Class;
use crate::keys::{AllKeys, Keys, is_short};
use crate::object_type::ObjectType;

use self::meshes::Meshes;

/// A property of a missing element: Godot drops it.
#[derive(Debug)]
pub struct AbsentElement<'c> {
    /// The property.
    pub property: Property<'c>,
    /// The existing elements.
    pub problem: String,
}

/// The properties of missing elements. Where a script could take them, nothing is reported.
pub fn absent_elements<'c>(context: &SceneContext<'c>) -> Vec<AbsentElement<'c>> {
    let mut found = Vec::new();
    let mut last = None;
    let (all, mut meshes) = (AllKeys::default(), Meshes::default());
    for assignment in context.assignments() {
        let section = assignment.section;
        if last.replace(section.index()) == Some(section.index()) {
            continue;
        }
        let object = &assignment.object;
        let decides_itself = object.scripts().any(|script| script.has_dynamic_properties);
        let Some(native) = object.native().filter(|_| !decides_itself) else { continue };
        if !object.has_known_scripts() {
            continue;
        }
        let lineage = context.project.classes().lineage(native).map(Class::name).collect();
        let keys = OnceCell::new();
        let place = Place { context, all: &all, keys, section, object, native, lineage };
        counts::find(&place, &mut found);
        meshes.find(&place, &mut found);
        trees::find(&place, &mut found);
    }
    found
}

/// An object, for the search in its elements.
struct Place<'a, 'c> {
    context: &'a SceneContext<'c>,
    all: &'a AllKeys<'c>,
    keys: OnceCell<Rc<Keys<'c>>>,
    section: Section<'c>,
    object: &'a ObjectType<'c>,
    native: &'a str,
    /// The class and its bases.
    lineage: Vec<&'a str>,
}

impl<'c> Place<'_, 'c> {
    fn is(&self, class: &str) -> bool {
        self.lineage.contains(&class)
    }

    /// Whether the section makes the object, so that other values are as in a new one.
    fn is_new(&self) -> bool {
        self.section.kind() != godot_tscn::TagKind::Node || self.section.field("type").is_some()
    }

    /// The properties of the section by key.
    fn keys(&self) -> &Keys<'c> {
        self.keys.get_or_init(|| self.all.of(self.section))
    }

    /// The `sub_resource` that a property names, with its class.
    fn sub_resource(&self, property: Property<'_>) -> Option<(Section<'c>, String)> {
        let tree = is_short(&property).then(|| property.value_tree())?;
        let section = self.context.sub_resource(&tree.root().inner_text("SubResource")?)?;
        let object = self.context.attached(section);
        Some((section, object.native().filter(|_| object.is_plain())?.to_owned()))
    }
}
