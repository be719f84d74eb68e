//! Why bytes are not a value.

use std::fmt;

use godot_variant::{Path, Refusal, RefusalKind, Segment, VariantType};

/// The first thing that is wrong with encoded bytes.
///
/// One word wide, so that results stay in registers while nothing is wrong.
#[derive(Debug)]
pub struct DecodeError(Box<Inner>);

#[derive(Debug)]
struct Inner {
    kind: DecodeErrorKind,
    offset: usize,
    path: Path,
}

/// What is wrong.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DecodeErrorKind {
    /// The bytes end inside a value.
    #[error("unexpected end: {needed} bytes needed, {available} left")]
    UnexpectedEnd {
        /// The bytes that the next part takes.
        needed: usize,
        /// The bytes that are left.
        available: usize,
    },
    /// The header names no type that Godot 4.6 has.
    #[error("unknown type {id}: the types are 0 to {}", VariantType::ALL.len() - 1)]
    UnknownType {
        /// The number found.
        id: u8,
    },
    /// The header names no type that the dialect has.
    #[error("unknown type {id}: the types of {dialect} are 0 to {}", count - 1)]
    UnknownDialectType {
        /// The number found.
        id: u32,
        /// The dialect's name.
        dialect: &'static str,
        /// How many types it has.
        count: usize,
    },
    /// A type that the dialect numbers and has no content for.
    #[error("{dialect} has a type number for {what}, but no format")]
    NotInDialect {
        /// The type.
        what: VariantType,
        /// The dialect's name.
        dialect: &'static str,
    },
    /// A value that an older engine had and Godot 4 has not.
    #[error("a value of type {name}, which Godot 4 does not support")]
    NoSuchValue {
        /// What the older engine called it.
        name: &'static str,
    },
    /// Keys of a dictionary that differed in an older engine and are the same in Godot 4.
    #[error(
        "only {kept} of the {count} keys of a Dictionary differ, because Godot 3 compares dictionaries in keys by identity, and Godot 4 by \
         content; the option `lossy` keeps the last value of equal keys"
    )]
    EqualKeys {
        /// The number of keys.
        count: usize,
        /// How many of them differ.
        kept: usize,
    },
    /// A length that is negative where only sizes make sense.
    #[error("negative length {len} of {} {what}", article(*what))]
    NegativeLength {
        /// What it would be the length of.
        what: VariantType,
        /// The number found.
        len: i32,
    },
    /// More elements are declared than the bytes that are left could hold.
    #[error("{} {what} of {count} elements does not fit in the {available} bytes left", article(*what))]
    CountTooLarge {
        /// The container.
        what: VariantType,
        /// The number of elements declared.
        count: usize,
        /// The bytes that are left.
        available: usize,
    },
    /// Values are nested too deeply.
    #[error("nested deeper than {limit} levels")]
    TooDeep {
        /// The limit.
        limit: usize,
    },
    /// The value takes more bytes than the caller allows.
    #[error("the value needs more than the {max} bytes that are allowed")]
    TooManyBytes {
        /// The limit.
        max: usize,
    },
    /// The value holds more elements than the caller allows, all containers together.
    #[error("the value contains more than the {max} elements that are allowed")]
    TooManyElements {
        /// The limit.
        max: usize,
    },
    /// A text is longer than the caller allows.
    #[error("the text of a {what} has {len} bytes; the limit is {max}")]
    TextTooLong {
        /// What the text belongs to.
        what: VariantType,
        /// Its length in bytes of UTF-8.
        len: usize,
        /// The limit.
        max: usize,
    },
    /// Elements behind a broken one. Only its damaged lengths say where they begin.
    #[error("{count} more {} cannot be found after the broken part", if *count == 1 { "element" } else { "elements" })]
    LostElements {
        /// How many.
        count: usize,
    },
    /// Text that is not UTF-8.
    #[error("text that is not valid UTF-8")]
    InvalidUtf8,
    /// The element type of a typed container is no type that Godot 4.6 has.
    #[error("unknown element type {id} of a typed {what}")]
    UnknownElementType {
        /// The container.
        what: VariantType,
        /// The number found.
        id: i32,
    },
    /// A node path in the one format that Godot has given up reading.
    #[error("a NodePath in the obsolete plain text format")]
    ObsoleteNodePath,
    /// An object with properties, where objects were not allowed.
    #[error("an object with properties; decoding of objects is not allowed")]
    ObjectsNotAllowed,
    /// The bytes are right, but what they describe could not be made.
    #[error("{0}")]
    Refused(RefusalKind),
}

/// What stands before the name of a type.
fn article(ty: VariantType) -> &'static str {
    if ty == VariantType::Array { "an" } else { "a" }
}

impl DecodeErrorKind {
    /// A stable word for the kind, for programs to match.
    pub fn code(&self) -> &'static str {
        match self {
            DecodeErrorKind::UnexpectedEnd { .. } => "unexpected_end",
            DecodeErrorKind::UnknownType { .. } => "unknown_type",
            DecodeErrorKind::UnknownDialectType { .. } => "unknown_type",
            DecodeErrorKind::NotInDialect { .. } => "not_in_dialect",
            DecodeErrorKind::NoSuchValue { .. } => "no_such_value",
            DecodeErrorKind::EqualKeys { .. } => "equal_keys",
            DecodeErrorKind::TooManyBytes { .. } => "too_many_bytes",
            DecodeErrorKind::TooManyElements { .. } => "too_many_elements",
            DecodeErrorKind::TextTooLong { .. } => "text_too_long",
            DecodeErrorKind::NegativeLength { .. } => "negative_length",
            DecodeErrorKind::CountTooLarge { .. } => "count_too_large",
            DecodeErrorKind::TooDeep { .. } => "too_deep",
            DecodeErrorKind::LostElements { .. } => "lost_elements",
            DecodeErrorKind::InvalidUtf8 => "invalid_utf8",
            DecodeErrorKind::UnknownElementType { .. } => "unknown_element_type",
            DecodeErrorKind::ObsoleteNodePath => "obsolete_node_path",
            DecodeErrorKind::ObjectsNotAllowed => "objects_not_allowed",
            DecodeErrorKind::Refused(kind) => kind.code(),
        }
    }
}

impl DecodeError {
    #[cold]
    pub(crate) fn new(kind: DecodeErrorKind, offset: usize) -> DecodeError {
        DecodeError(Box::new(Inner { kind, offset, path: Path::default() }))
    }

    /// The refusal of a value that starts at `offset`. Its path leads on from there.
    #[cold]
    pub(crate) fn refused(refusal: Refusal, offset: usize) -> DecodeError {
        let (kind, path) = refusal.into_parts();
        DecodeError(Box::new(Inner { kind: DecodeErrorKind::Refused(kind), offset, path }))
    }

    /// The same error, of a value that is found inside another one under `segment`.
    #[cold]
    pub fn at(mut self, segment: Segment) -> DecodeError {
        self.0.path.push_outer(segment);
        self
    }

    /// The same error, of bytes that begin at byte number `start` of others.
    #[cold]
    #[must_use]
    pub fn behind(mut self, start: usize) -> DecodeError {
        self.0.offset += start;
        self
    }

    /// The same failure, seen by someone who knows better what is wrong.
    #[cold]
    pub(crate) fn with_kind(mut self, kind: DecodeErrorKind) -> DecodeError {
        self.0.kind = kind;
        self
    }

    /// What is wrong.
    pub fn kind(&self) -> &DecodeErrorKind {
        &self.0.kind
    }

    /// Where: the number of the first byte of the part that is wrong.
    pub fn offset(&self) -> usize {
        self.0.offset
    }

    /// In which inner value.
    pub fn path(&self) -> &Path {
        &self.0.path
    }
}

impl fmt::Display for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} (at byte {}", self.0.kind, self.0.offset)?;
        if !self.0.path.is_empty() {
            write!(f, ", in {}", self.0.path)?;
        }
        f.write_str(")")
    }
}

impl std::error::Error for DecodeError {}
