//! Why a Rust value cannot be encoded, or encoded bytes are no such value.

use std::fmt;

use ::serde::{de, ser};
use godot_variant::{Path, Refusal, RefusalKind, Segment};

use crate::error::{DecodeError, DecodeErrorKind};

/// Why a Rust value cannot be encoded, or encoded bytes are no such value.
#[derive(Debug)]
pub struct Error(Box<Inner>);

#[derive(Debug)]
struct Inner {
    kind: Kind,
    offset: Option<usize>,
    path: Path,
}

#[derive(Debug)]
enum Kind {
    Broken(DecodeErrorKind),
    Refused(RefusalKind),
    /// What serde, or a type's own implementation, has to say.
    Message(String),
}

impl Error {
    fn new(kind: Kind) -> Error {
        Error(Box::new(Inner { kind, offset: None, path: Path::default() }))
    }

    /// The same error, seen from the container around the value.
    #[cold]
    pub(super) fn at(mut self, segment: Segment) -> Error {
        self.0.path.push_outer(segment);
        self
    }

    /// The same error, which happened at `offset` unless it is known better.
    #[cold]
    pub(crate) fn or_offset(mut self, offset: usize) -> Error {
        self.0.offset.get_or_insert(offset);
        self
    }

    /// A stable word for the kind, for programs to match: that of a [`DecodeErrorKind`] or of a
    /// [`RefusalKind`], or `wrong_content` for bytes that are a value, but none of the wanted type.
    pub fn code(&self) -> &'static str {
        match &self.0.kind {
            Kind::Broken(kind) => kind.code(),
            Kind::Refused(kind) => kind.code(),
            Kind::Message(_) => "wrong_content",
        }
    }

    /// Where in the bytes: the first byte of what is wrong. `None` when encoding.
    pub fn offset(&self) -> Option<usize> {
        self.0.offset
    }

    /// In which inner value.
    pub fn path(&self) -> &Path {
        &self.0.path
    }
}

impl From<DecodeError> for Error {
    fn from(error: DecodeError) -> Error {
        let (kind, path) = (Kind::Broken(error.kind().clone()), error.path().clone());
        Error(Box::new(Inner { kind, offset: Some(error.offset()), path }))
    }
}

impl From<Refusal> for Error {
    fn from(refusal: Refusal) -> Error {
        let (kind, path) = refusal.into_parts();
        Error(Box::new(Inner { kind: Kind::Refused(kind), offset: None, path }))
    }
}

impl ser::Error for Error {
    fn custom<T: fmt::Display>(message: T) -> Error {
        Error::new(Kind::Message(message.to_string()))
    }
}

impl de::Error for Error {
    fn custom<T: fmt::Display>(message: T) -> Error {
        Error::new(Kind::Message(message.to_string()))
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Inner { kind, offset, path } = &*self.0;
        match kind {
            Kind::Broken(kind) => kind.fmt(f)?,
            Kind::Refused(kind) => kind.fmt(f)?,
            Kind::Message(message) => f.write_str(message)?,
        }
        match (offset, path.is_empty()) {
            (Some(offset), true) => write!(f, " (at byte {offset})"),
            (Some(offset), false) => write!(f, " (at byte {offset}, in {path})"),
            (None, false) => write!(f, " (in {path})"),
            (None, true) => Ok(()),
        }
    }
}

impl std::error::Error for Error {}
