//! Why two texts are not compared by their contents.

use std::fmt;

use crate::merge::{MergeRefusal, MergeSide, what_of_tag};

/// One of two texts that are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DiffSide {
    /// The old text.
    Old,
    /// The new text.
    New,
}

/// Why two texts are not compared by their contents. A difference of lines can still be shown.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DiffRefusal {
    /// The text is not UTF-8.
    NotUtf8(DiffSide),
    /// Godot would refuse or misread the text.
    Broken {
        /// Which text.
        side: DiffSide,
        /// The line of the first error.
        line: u32,
        /// The problem there.
        reason: String,
    },
    /// It is neither a scene nor a resource.
    NotScene(DiffSide),
    /// It has a tag that cannot be compared, because its meaning is unknown, or because it is a part of a scene inside a
    /// resource.
    Tag {
        /// Which text.
        side: DiffSide,
        /// The line of the first such tag.
        line: u32,
        /// The tag's name.
        tag: String,
        /// Whether it is a part of a scene inside a resource.
        is_nested: bool,
    },
    /// One is a scene, and the other a resource.
    Different,
}

impl DiffSide {
    /// `old` or `new`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Old => "old",
            Self::New => "new",
        }
    }
}

impl From<MergeSide> for DiffSide {
    fn from(side: MergeSide) -> Self {
        if side == MergeSide::Theirs { Self::New } else { Self::Old }
    }
}

impl From<MergeRefusal> for DiffRefusal {
    fn from(refusal: MergeRefusal) -> Self {
        match refusal {
            MergeRefusal::NotUtf8(side) => Self::NotUtf8(side.into()),
            MergeRefusal::Broken { side, line, reason } => {
                Self::Broken { side: side.into(), line, reason }
            }
            MergeRefusal::NotScene(side) => Self::NotScene(side.into()),
            MergeRefusal::Tag { side, line, tag, is_nested } => {
                Self::Tag { side: side.into(), line, tag, is_nested }
            }
            _ => Self::Different,
        }
    }
}

impl fmt::Display for DiffRefusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotUtf8(side) => write!(f, "the {} text is not UTF-8", side.as_str()),
            Self::Broken { side, line, reason } => {
                write!(f, "Godot cannot read the {} text: line {line}: {reason}", side.as_str())
            }
            Self::NotScene(side) => {
                write!(f, "the {} text is neither a scene nor a resource", side.as_str())
            }
            Self::Tag { side, line, tag, is_nested } => {
                let what = what_of_tag(tag, *is_nested);
                write!(f, "line {line} in the {} text: {what}", side.as_str())
            }
            Self::Different => write!(f, "one text is a scene, and the other a resource"),
        }
    }
}

impl std::error::Error for DiffRefusal {}
