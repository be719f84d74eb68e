//! Names that scripts and scenes pass as text: input actions, groups, audio buses, animations and the like.
//!
//! [`KINDS`] is the table of these names. A kind is one file in `names/kinds`, with the calls that use such names, and an entry in
//! `defined_names.rs`, with the calls that define them. If the name in such a call is not a literal, any text of the project may
//! be the name. If a file that may define a name cannot be read, the kind is *open*: any name may exist, and rules are silent.
//!
//! ```text
//! let known = project.known_names(KindOfName::Action);    // the definitions of the whole project
//! known.may_have(project, "jump")                         // defined, or something may define it
//! known.nearest(project, "jmup")                          // for "did you mean"
//! for used in names_in_script(project, &source)           // each text of a script that is such a name
//! ```

mod index;
mod kinds;
mod used;
mod written;

pub use crate::defined_names::{DefinedNames, KindOfName};
pub use index::Known;
pub(crate) use index::Names;
pub use used::{RoleOfName, UsedName, is_certain, kinds_at, names_in_script, possible_names};

use crate::class_db::ClassDb;
use crate::project::Project;

/// A kind of names.
#[derive(Debug)]
pub struct NameKind {
    /// Which one.
    pub id: KindOfName,
    /// Its name in messages: `input action`.
    pub word: &'static str,
    /// The classes with the methods of [`NameKind::calls`] that have no receiver of their own.
    pub(crate) classes: &'static [&'static str],
    /// The calls in GDScript that take such a name.
    pub(crate) calls: &'static [Call],
    /// The properties in scenes and resources that hold such a name.
    pub(crate) properties: &'static [NameProperty],
    /// The names that exist without any file, and those of `project.godot`.
    pub(crate) built_in: fn(&Project, &mut Known),
}

/// A property in scenes and resources that holds a name.
#[derive(Debug)]
pub struct NameProperty {
    pub(crate) class: &'static str,
    /// `*` in it is a number: `bus/*/send`.
    pub(crate) key: &'static str,
    /// What Godot does if the name does not exist; nothing if the property defines the name, or does without it.
    pub when_missing: Option<&'static str>,
}

/// A call that takes a name.
#[derive(Debug)]
pub(crate) struct Call {
    /// The function.
    pub(crate) function: &'static str,
    /// What is before the `.`.
    pub(crate) receiver: Receiver,
    /// Which arguments are names.
    pub(crate) arguments: &'static [usize],
    /// What the call does with a name that does not exist.
    pub(crate) when_missing: WhenMissing,
}

/// What is before the `.` of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Receiver {
    /// Anything, unless a script of the project declares a function of this name.
    Any,
    /// This singleton.
    Singleton(&'static str),
    /// An object. A `Callable` has a function of this name, too, so its type must be known, except that of `self` and `$Door`.
    Node,
    /// Nothing, and the first argument is `self`.
    OfSelf,
}

/// What a call does with a name that does not exist.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WhenMissing {
    /// It fails, or does nothing.
    Fails,
    /// It fails if it has no further argument: `get_meta("x")`, but not `get_meta("x", 0)`.
    FailsWithoutDefault,
    /// Without a further argument, its result is null. A script may test that: `if get_setting("x"):`.
    NullWithoutDefault,
    /// It asks whether the name exists. The script is prepared for its absence.
    Asks,
}

/// All kinds, in the order of [`KindOfName`].
pub static KINDS: &[&NameKind] = &[
    &kinds::action::KIND,
    &kinds::group::KIND,
    &kinds::bus::KIND,
    &kinds::animation::KIND,
    &kinds::shader_parameter::KIND,
    &kinds::metadata::KIND,
    &kinds::signal::KIND,
    &kinds::method::KIND,
    &kinds::property::KIND,
    &kinds::setting::KIND,
];

impl NameKind {
    /// The kind with this identifier.
    pub fn of(id: KindOfName) -> &'static Self {
        KINDS[id as usize]
    }

    /// The kind of the names that the property of this class and key holds.
    pub fn of_property(
        classes: &ClassDb,
        class: &str,
        key: &str,
    ) -> Option<(&'static Self, &'static NameProperty)> {
        KINDS.iter().find_map(|kind| Some((*kind, kind.property(classes, class, key)?)))
    }

    /// The start of the settings in `project.godot` that define such names: `input/`.
    pub fn settings(&self) -> Option<&'static str> {
        match self.id {
            KindOfName::Action => Some("input/"),
            KindOfName::Group => Some("global_group/"),
            KindOfName::Setting => Some(""),
            _ => None,
        }
    }

    /// The property of this class and key, if it holds such a name.
    pub fn property(
        &self,
        classes: &ClassDb,
        class: &str,
        key: &str,
    ) -> Option<&'static NameProperty> {
        let is_it = |property: &&NameProperty| {
            is_like(key, property.key) && classes.inherits(class, property.class)
        };
        self.properties.iter().find(is_it)
    }
}

/// Whether a key is this pattern, in which `*` is a number.
fn is_like(key: &str, pattern: &str) -> bool {
    let Some((start, end)) = pattern.split_once('*') else { return key == pattern };
    let number = key.strip_prefix(start).and_then(|rest| rest.strip_suffix(end));
    number.is_some_and(|number| !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit()))
}

const fn holds(class: &'static str, key: &'static str) -> NameProperty {
    NameProperty { class, key, when_missing: None }
}

impl NameProperty {
    const fn or(self, consequence: &'static str) -> Self {
        Self { when_missing: Some(consequence), ..self }
    }
}

const fn fails(function: &'static str, arguments: &'static [usize]) -> Call {
    Call { function, receiver: Receiver::Any, arguments, when_missing: WhenMissing::Fails }
}

const fn asks(function: &'static str) -> Call {
    Call { function, receiver: Receiver::Any, arguments: &[0], when_missing: WhenMissing::Asks }
}

impl Call {
    const fn on(self, singleton: &'static str) -> Self {
        Self { receiver: Receiver::Singleton(singleton), ..self }
    }

    const fn of_self(self) -> Self {
        Self { receiver: Receiver::OfSelf, ..self }
    }

    const fn on_node(self) -> Self {
        Self { receiver: Receiver::Node, ..self }
    }
}
