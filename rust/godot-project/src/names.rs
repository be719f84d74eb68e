//! Names that scripts and scenes pass as text: input actions, groups, audio buses, animations and the like.
//!
//! [`KINDS`] is the table of these names. A kind is one file in `names/kinds`, with the calls that use such names, and an entry in
//! `defined_names.rs`, with the calls that define them. If the name in such a call is not a literal, any text of the project may
//! be the name. If a file that may define a name cannot be read, the kind is *open*: any name may exist, and rules are silent.
//!
//! ```text
//! let known = project.known_names(KindOfName::Action);    // the definitions of the whole project
//! known.may_have(project, "jump")                         // defined, or something may define it
//! known.nearest("jmup")                                   // for "did you mean"
//! for used in names_in_script(project, &source)           // each text of a script that is such a name
//! ```

mod index;
mod kinds;
mod used;
mod written;

pub use crate::defined_names::{DefinedNames, KindOfName};
pub use index::Known;
pub(crate) use index::Names;
pub use used::{RoleOfName, UsedName, is_certain, names_in_script};

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
    /// The names that exist without any file, and those of `project.godot`.
    pub(crate) built_in: fn(&Project, &mut Known),
}

/// A call that takes a name.
#[derive(Debug)]
pub(crate) struct Call {
    /// The function.
    pub(crate) function: &'static str,
    /// The singleton before the `.`. Without one, any receiver counts, unless a script of the project declares a function of
    /// this name.
    pub(crate) receiver: Option<&'static str>,
    /// Which arguments are names.
    pub(crate) arguments: &'static [usize],
    /// What the call does with a name that does not exist.
    pub(crate) when_missing: WhenMissing,
}

/// What a call does with a name that does not exist.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WhenMissing {
    /// It fails, or does nothing.
    Fails,
    /// It fails if it has no further argument: `get_meta("x")`, but not `get_meta("x", 0)`.
    FailsWithoutDefault,
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
];

impl NameKind {
    /// The kind with this identifier.
    pub fn of(id: KindOfName) -> &'static Self {
        KINDS[id as usize]
    }
}

const fn fails(function: &'static str, arguments: &'static [usize]) -> Call {
    Call { function, receiver: None, arguments, when_missing: WhenMissing::Fails }
}

const fn asks(function: &'static str) -> Call {
    Call { function, receiver: None, arguments: &[0], when_missing: WhenMissing::Asks }
}

impl Call {
    const fn on(self, receiver: &'static str) -> Self {
        Self { receiver: Some(receiver), ..self }
    }
}
