//! Why a value could not be passed on.

use std::fmt;

use crate::value::brief_text;
use crate::{Path, Segment, VariantType, printable};

/// A source could not emit, or a sink would not take, one of the values of a tree.
///
/// One word wide, so that results stay in registers on the hot path.
#[derive(Debug)]
pub struct Refusal(Box<Inner>);

#[derive(Debug)]
struct Inner {
    kind: RefusalKind,
    path: Path,
}

/// What was refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RefusalKind {
    /// Deeper than the engine's limit, or a container that holds itself.
    #[error("the value is nested more than {limit} levels deep, or contains itself")]
    TooDeep {
        /// The limit that was passed.
        limit: usize,
    },
    /// More elements or bytes than the format's count can say.
    #[error("the {what} has {len} elements or bytes; the limit of the format is {max}")]
    TooLarge {
        /// What is too large.
        what: VariantType,
        /// Its size.
        len: usize,
        /// The largest size that the format holds.
        max: usize,
    },
    /// A value of more bytes than the engine can have in a row.
    #[error("the value needs more than the {max} bytes that the engine can count")]
    ValueTooLarge {
        /// The largest size that a value can have.
        max: usize,
    },
    /// A value that the dialect of the format has no form for.
    #[error("{dialect} cannot store this {what}: {reason}")]
    NotInDialect {
        /// The value's type.
        what: VariantType,
        /// The dialect's name.
        dialect: &'static str,
        /// What the dialect lacks.
        reason: &'static str,
    },
    /// Double precision, which the dialect of the format does not have.
    #[error("{dialect} does not support double precision")]
    NoDoublePrecision {
        /// The dialect's name.
        dialect: &'static str,
    },
    /// An object with properties whose class has no name: the format would read it as null.
    #[error("an object with properties needs the name of its class")]
    ObjectWithoutClass,
    /// An object of a class that the caller has not allowed.
    #[error("objects of class {} are not allowed here, because the class is not on the allow list", shown(.class))]
    ClassNotAllowed {
        /// The class.
        class: String,
    },
    /// A script that the caller has not allowed.
    #[error("the script {} is not allowed here, because it is not on the allow list", shown(.path))]
    ScriptNotAllowed {
        /// The script's path.
        path: String,
    },
    /// A property with an effect outside of its object.
    #[error("the property `{name}` is not allowed here, because the object would replace a file")]
    PropertyNotAllowed {
        /// The property.
        name: &'static str,
    },
    /// Keys or names that were made to collide.
    #[error(
        "{} of this {what} collide: the engine's hash table needs more than {max} steps for each",
        if *what == VariantType::Dictionary { "the keys" } else { "the names up to that" }
    )]
    TooManyCollisions {
        /// Whose keys, or in what the name stands.
        what: VariantType,
        /// The limit that was passed.
        max: usize,
    },
    /// An object's class cannot be made from its name.
    #[error("objects of class {} cannot be instantiated by name", shown(.class))]
    ClassNotInstantiable {
        /// The class.
        class: String,
    },
    /// A script that is no file of the project, where only a path can stand for it.
    #[error(
        "{} not a file under `res://`: inner classes and built-in scripts cannot be named",
        if path.is_empty() { "an object's script is".to_owned() } else { format!("the script {} is", shown(.path)) }
    )]
    ScriptWithoutPath {
        /// The path that the script has, often empty.
        path: String,
    },
    /// A path that names no loadable script.
    #[error("no script at {} can be loaded", shown(.path))]
    ScriptNotFound {
        /// The path.
        path: String,
    },
    /// The property `script` of an object holds something other than a path.
    #[error("an object's `script` is a `{found}`; expected the script's path as a String")]
    ScriptNotAPath {
        /// The type that was found.
        found: VariantType,
    },
    /// A value that its typed container does not take.
    #[error("{} is not a valid {part} of this typed container; expected {}", shown(.found), shown(.declared))]
    WrongElementType {
        /// `element`, `key` or `value`.
        part: &'static str,
        /// The declared type, or the name of the declared class or script.
        declared: String,
        /// The type or class of the value.
        found: String,
    },
    /// A value that the schema does not allow.
    #[error("{}", printable(reason))]
    DoesNotFit {
        /// What is wrong, and what is expected.
        reason: String,
    },
    /// Bytes that are not those of a value.
    #[error("the bytes are not valid at offset {offset}: {reason}")]
    InvalidBytes {
        /// The place in the bytes.
        offset: usize,
        /// What is wrong.
        reason: &'static str,
    },
    /// The engine refused without saying why.
    #[error("the engine could not {what}")]
    Engine {
        /// What was asked of it.
        what: &'static str,
    },
}

/// A name that anyone may have made up, on one line.
fn shown(name: &str) -> String {
    brief_text(name, 200)
}

impl RefusalKind {
    /// A stable word for the kind, for programs to match.
    pub fn code(&self) -> &'static str {
        match self {
            RefusalKind::TooDeep { .. } => "too_deep",
            RefusalKind::TooLarge { .. } | RefusalKind::ValueTooLarge { .. } => "too_large",
            RefusalKind::NotInDialect { .. } => "not_in_dialect",
            RefusalKind::NoDoublePrecision { .. } => "no_double_precision",
            RefusalKind::ObjectWithoutClass => "object_without_class",
            RefusalKind::ClassNotAllowed { .. } => "class_not_allowed",
            RefusalKind::ScriptNotAllowed { .. } => "script_not_allowed",
            RefusalKind::PropertyNotAllowed { .. } => "property_not_allowed",
            RefusalKind::TooManyCollisions { .. } => "too_many_collisions",
            RefusalKind::ClassNotInstantiable { .. } => "class_not_instantiable",
            RefusalKind::ScriptWithoutPath { .. } => "script_without_path",
            RefusalKind::ScriptNotFound { .. } => "script_not_found",
            RefusalKind::ScriptNotAPath { .. } => "script_not_a_path",
            RefusalKind::WrongElementType { .. } => "wrong_element_type",
            RefusalKind::DoesNotFit { .. } => "does_not_fit",
            RefusalKind::InvalidBytes { .. } => "invalid_bytes",
            RefusalKind::Engine { .. } => "engine_refused",
        }
    }
}

impl Refusal {
    /// A refusal of the value at hand; the containers around it add their steps with [`Self::at`].
    #[cold]
    pub fn new(kind: RefusalKind) -> Refusal {
        Refusal(Box::new(Inner { kind, path: Path::default() }))
    }

    /// The same refusal, seen from the container around the value.
    #[cold]
    #[must_use]
    pub fn at(mut self, segment: Segment) -> Refusal {
        self.0.path.push_outer(segment);
        self
    }

    /// What was refused.
    pub fn kind(&self) -> &RefusalKind {
        &self.0.kind
    }

    /// Where in the outermost value.
    pub fn path(&self) -> &Path {
        &self.0.path
    }

    /// The kind, and the path inside of the value that was refused.
    pub fn into_parts(self) -> (RefusalKind, Path) {
        (self.0.kind, self.0.path)
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.kind.fmt(f)?;
        if !self.0.path.is_empty() {
            write!(f, " (at {})", self.0.path)?;
        }
        Ok(())
    }
}

impl std::error::Error for Refusal {}
