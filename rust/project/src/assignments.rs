//! The properties that a text gives its objects, with what they are there: what many rules look at.

use std::borrow::Cow;
use std::rc::Rc;

use tscn::{Property, Section, TagKind};

use crate::class_db::PropertyInfo;
use crate::lint::SceneContext;
use crate::object_type::{Member, ObjectType};

/// A property of a node or resource.
#[derive(Debug)]
pub(crate) struct Assignment<'c> {
    pub(crate) section: Section<'c>,
    pub(crate) property: Property<'c>,
    /// The key as Godot reads it.
    pub(crate) key: Cow<'c, str>,
    pub(crate) object: Rc<ObjectType<'c>>,
    pub(crate) target: Target<'c>,
}

/// What the object has under the key: [`Member`], for as long as the text is looked at.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Target<'c> {
    /// What Godot's class has.
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
    pub(crate) fn is_lost(&self) -> bool {
        matches!(self.target, Target::Nothing)
    }
}

pub(crate) fn of<'c>(context: &SceneContext<'c>) -> Vec<Assignment<'c>> {
    let mut all = Vec::new();
    for section in context.document.sections() {
        if !matches!(section.kind(), TagKind::Node | TagKind::SubResource | TagKind::Resource) {
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
