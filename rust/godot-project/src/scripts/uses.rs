//! Where scripts in GDScript use a member of a script: a variable, a function, a signal.
//!
//! ```text
//! let uses = MemberUses::new(project, file, "health", MemberKind::Variable);
//! // For each script in which the name stands, on any thread:
//! let found = uses.in_script(script);
//! found.certain   // (span of nothing but the name, what it is): replace each by the new name
//! found.doubts    // (span, why it cannot be told)
//! // Before that, for each script that has the member (`uses.owners()`):
//! uses.clash_in(script, "max_health")   // where the new name would come to mean something else, or the old one
//! ```
//!
//! These uses are certain: declarations, names alone in the class and its heirs, attributes of expressions with a
//! certain type ([`crate::scripts::types`]), and texts in calls that take the name of a member of an object with a
//! certain type.

mod calls;
mod texts;

use std::borrow::Cow;

use godot_tscn::{LineIndex, Span};

use crate::project::{FileId, Project};
use crate::script::source::{Declared, Name, Role};
use crate::scripts::types::{ClassRef, Lineage, Loaded, Type, Types};

/// The member, and the data to recognize it.
#[derive(Debug)]
pub struct MemberUses<'p> {
    /// The types of the project.
    pub types: Types<'p>,
    owner: ClassRef,
    /// The class that declares it and all that this extends.
    bases: Lineage,
    name: String,
    kind: MemberKind,
}

/// The kind of a member.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MemberKind {
    /// A variable.
    Variable,
    /// A function.
    Function,
    /// A signal.
    Signal,
}

/// Where a script uses a member.
#[derive(Debug, Default)]
pub struct FoundUses {
    /// The name itself each time, and its role.
    pub certain: Vec<(Span, Cow<'static, str>)>,
    /// Possible uses, and why they are uncertain.
    pub doubts: Vec<(Span, Cow<'static, str>)>,
}

/// Whether something means the member.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Meaning {
    Certain,
    No,
    /// It is unknown, for this reason.
    Unknown(&'static str),
}

const UNTYPED: &str = "the type of the object is unknown";
const BASE_TYPED: &str = "the object is of a class that this script may extend";
const UNREAD: &str = "the syntax around it cannot be parsed";
const UNKNOWN_BASE: &str = "cannot determine what this script extends";

impl MemberKind {
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Variable => "variable",
            Self::Function => "function",
            Self::Signal => "signal",
        }
    }

    /// Whether a declaration is one of such a member.
    pub fn is_declared_as(self, declared: Declared) -> bool {
        match self {
            Self::Variable => declared == Declared::Variable,
            Self::Function => declared == Declared::Function,
            Self::Signal => declared == Declared::Signal,
        }
    }
}

impl<'p> MemberUses<'p> {
    /// The member `name` of the class that a file is.
    pub fn new(project: &'p Project, file: FileId, name: &str, kind: MemberKind) -> Self {
        let types = Types::new(project);
        let owner = ClassRef::of(file);
        let bases = types.lineage(owner);
        Self { types, owner, bases, name: name.to_owned(), kind }
    }

    /// The class that declares the member.
    pub fn owner(&self) -> ClassRef {
        self.owner
    }

    /// The script that declares the member and derived ones.
    pub fn owners(&self) -> impl Iterator<Item = FileId> {
        self.types.with_heirs(self.owner.file)
    }

    /// The uses of the member in a script; nothing is found in a text that is not GDScript.
    pub fn in_script(&self, file: FileId) -> FoundUses {
        let mut found = FoundUses::default();
        let Some(loaded) = self.types.loaded(file) else { return found };
        for name in loaded.source.names() {
            if loaded.source.text_of(name.span) != self.name {
                continue;
            }
            let what = match name.role {
                Role::Declares(_) => "declaration",
                _ => "use in the script",
            };
            match self.meaning(loaded, file, name) {
                Meaning::Certain => found.certain.push((name.span, what.into())),
                Meaning::Unknown(why) => {
                    let why = format!("`{}` may be this {}: {why}", self.name, self.kind.word());
                    found.doubts.push((name.span, why.into()));
                }
                Meaning::No => {}
            }
        }
        self.texts(loaded, file, &mut found);
        self.comments(loaded, file, &mut found);
        found
    }

    fn meaning(&self, loaded: &Loaded, file: FileId, name: &Name) -> Meaning {
        if !name.is_certain {
            return Meaning::Unknown(UNREAD);
        }
        let class = ClassRef { file, class: name.class };
        match name.role {
            Role::Declares(declared) if self.kind.is_declared_as(declared) => {
                self.declared_in(class)
            }
            Role::Bare if name.is_called && self.kind != MemberKind::Function => Meaning::No,
            Role::Bare => self.bare_in(loaded, class),
            Role::OfBase => self.of_type(&Type::Object(class)),
            Role::Attribute { .. } => {
                if name.is_called && self.kind == MemberKind::Signal {
                    return Meaning::No;
                }
                let before = self.types.type_before(loaded, class, name.span);
                self.of_type(&before)
            }
            _ => Meaning::No,
        }
    }

    /// The member itself, or a function that comes in its place in a class that extends the owner.
    fn declared_in(&self, class: ClassRef) -> Meaning {
        let lineage = self.types.lineage(class);
        if lineage.has(self.owner) {
            Meaning::Certain
        } else if lineage.native.is_none() {
            Meaning::Unknown(UNKNOWN_BASE)
        } else {
            Meaning::No
        }
    }

    /// The meaning of the name by itself in a class: its own, or that of a class around it.
    fn bare_in(&self, loaded: &Loaded, class: ClassRef) -> Meaning {
        let mut scope = Some(class);
        while let Some(class) = scope {
            let lineage = self.types.lineage(class);
            if lineage.has(self.owner) {
                return Meaning::Certain;
            }
            let declares = |base: &ClassRef| self.types.member(*base, &self.name).is_some();
            if lineage.classes.iter().any(declares) {
                return Meaning::No;
            }
            if lineage.native.is_none() {
                return Meaning::Unknown(UNKNOWN_BASE);
            }
            let found = loaded.source.classes().get(class.class as usize);
            scope = found
                .and_then(|found| found.parent)
                .map(|parent| ClassRef { class: parent, ..class });
        }
        Meaning::No
    }

    /// Whether an object of a type has the member under the name.
    pub(crate) fn of_type(&self, found: &Type) -> Meaning {
        match found {
            Type::Unknown => Meaning::Unknown(UNTYPED),
            Type::Object(class) | Type::Class(class) => {
                let lineage = self.types.lineage(*class);
                if lineage.has(self.owner) {
                    Meaning::Certain
                } else if lineage.native.is_none() {
                    Meaning::Unknown(UNTYPED)
                } else if self.bases.has(*class) {
                    Meaning::Unknown(BASE_TYPED)
                } else {
                    Meaning::No
                }
            }
            Type::Native(class) => {
                let classes = self.types.project.classes();
                let may_be = self.bases.native.as_ref().is_none_or(|native| {
                    classes.inherits(native, class) || classes.inherits(class, native)
                });
                if may_be { Meaning::Unknown(BASE_TYPED) } else { Meaning::No }
            }
            _ => Meaning::No,
        }
    }

    /// The place in a script with the member where the name `new` would get another meaning after the rename, or would
    /// hide the member: the line and the reason.
    pub fn clash_in(&self, file: FileId, new: &str) -> Option<(u32, &'static str)> {
        let loaded = self.types.loaded(file)?;
        let clash = |span: Span, why| {
            let lines = LineIndex::new(loaded.source.text().as_bytes());
            Some((lines.position(span.start).line, why))
        };
        for name in loaded.source.names() {
            let text = loaded.source.text_of(name.span);
            let class = ClassRef { file, class: name.class };
            let is_bare = name.role == Role::Bare;
            if text == self.name && is_bare && !name.is_called {
                let is_ours = self.bare_in(loaded, class) == Meaning::Certain;
                if is_ours && loaded.source.local_at(name.span, new).is_some() {
                    return clash(
                        name.span,
                        "a local variable or parameter has the new name here, and would be used instead",
                    );
                }
            }
            // A member hides the class or type of its name, too.
            let is_taken = match name.role {
                Role::Bare | Role::Type => true,
                Role::Declares(declared) => declared.is_member(),
                _ => false,
            };
            if text == new && is_taken && self.types.lineage(class).has(self.owner) {
                return clash(name.span, "the new name means something else here");
            }
        }
        None
    }
}

#[cfg(test)]
mod tests;
