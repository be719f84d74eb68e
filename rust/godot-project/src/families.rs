//! Properties of elements that their object does not have: an item behind the last one, a surface that the mesh lacks.

mod counts;
mod meshes;
mod trees;

use godot_tscn::{Property, Section};

use crate::SceneContext;
use crate::object_type::ObjectType;

/// A property of an element that is not there: Godot drops it.
#[derive(Debug)]
pub struct AbsentElement<'c> {
    /// The property.
    pub property: Property<'c>,
    /// What there is instead.
    pub problem: String,
}

/// The properties of elements that are not there. Where a script could take them, nothing is reported.
pub fn absent_elements<'c>(context: &SceneContext<'c>) -> Vec<AbsentElement<'c>> {
    let mut found = Vec::new();
    let mut last = None;
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
        let place = Place { context, section, object, native };
        counts::find(&place, &mut found);
        meshes::find(&place, &mut found);
        trees::find(&place, &mut found);
    }
    found
}

/// An object, for the search in its elements.
struct Place<'a, 'c> {
    context: &'a SceneContext<'c>,
    section: Section<'c>,
    object: &'a ObjectType<'c>,
    native: &'a str,
}

impl<'c> Place<'_, 'c> {
    fn is(&self, class: &str) -> bool {
        self.context.project.classes().inherits(self.native, class)
    }

    /// Whether the section makes the object, so that what it does not say is as in a new one.
    fn is_new(&self) -> bool {
        self.section.kind() != godot_tscn::TagKind::Node || self.section.field("type").is_some()
    }

    /// What an earlier property of the section says, or all of them.
    fn earlier(&self, property: Property<'_>, name: &str) -> Option<Property<'c>> {
        let before = property.key_span().start;
        let mut given = self.section.properties().filter(|found| found.key_span().start < before);
        given.rfind(|found| *found.engine_key() == *name.as_bytes())
    }

    /// The `sub_resource` that a property names, with its class.
    fn sub_resource(&self, property: Property<'_>) -> Option<(Section<'c>, String)> {
        let tree = property.value_tree();
        let section = self.context.sub_resource(&tree.root().inner_text("SubResource")?)?;
        let object = self.context.attached(section);
        Some((section, object.native().filter(|_| object.is_plain())?.to_owned()))
    }
}
