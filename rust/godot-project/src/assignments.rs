//! The properties that a text gives its objects, with their declarations there, for many rules.

use std::borrow::Cow;
use std::rc::Rc;

use godot_tscn::{Property, Section};

use crate::SceneContext;
use crate::class_db::PropertyInfo;
use crate::object_type::{Member, ObjectType};

/// A property of a node or resource.
#[derive(Debug)]
pub struct Assignment<'c> {
    /// The section of the node or resource.
    pub section: Section<'c>,
    /// The property in the text.
    pub property: Property<'c>,
    /// The key as Godot reads it.
    pub key: Cow<'c, str>,
    /// The node or resource.
    pub object: Rc<ObjectType<'c>>,
    /// The declaration of the key in the object.
    pub target: Target<'c>,
}

/// The declaration of the key in the object: [`Member`], for the lifetime of the text.
#[derive(Clone, Copy, Debug)]
pub enum Target<'c> {
    /// The property of Godot's class.
    Native(PropertyInfo<'c>),
    /// A variable of a script.
    Script,
    /// Nothing that is known, but a function of the class or script may know it.
    Unknown,
    /// Nothing.
    Nothing,
}

impl Assignment<'_> {
    /// Whether the object has nothing under the key.
    pub fn is_lost(&self) -> bool {
        matches!(self.target, Target::Nothing)
    }
}

pub(crate) fn of<'c>(context: &SceneContext<'c>) -> Vec<Assignment<'c>> {
    let mut all = Vec::new();
    for section in context.document.sections() {
        if !section.kind_of_name().holds_object() {
            continue;
        }
        let mut properties = section.properties().peekable();
        if properties.peek().is_none() {
            continue;
        }
        let object = context.attached(section);
        all.extend(properties.map(|property| {
            let key = match property.engine_key() {
                Cow::Borrowed(key) => String::from_utf8_lossy(key),
                Cow::Owned(key) => Cow::Owned(String::from_utf8_lossy(&key).into_owned()),
            };
            let target = match object.property(&key) {
                Member::Native(found) => Target::Native(found),
                Member::Script(_) => Target::Script,
                Member::Unknown => Target::Unknown,
                Member::Nothing => Target::Nothing,
            };
            Assignment { section, property, key, object: Rc::clone(&object), target }
        }));
    }
    all
}
