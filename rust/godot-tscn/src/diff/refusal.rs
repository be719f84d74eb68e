//! Why two texts are not compared by what they say.

use std::fmt;

use crate::merge::{MergeRefusal, MergeSide};

/// One of two texts that are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DiffSide {
    /// What was there before.
    Old,
    /// What is there now.
    New,
}

/// Why two texts are not compared by what they say. A difference of lines can still be shown.
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
        /// What is wrong there.
        reason: String,
    },
    /// It is neither a scene nor a resource.
    NotScene(DiffSide),
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
            Self::Different => write!(f, "one text is a scene, and the other a resource"),
        }
    }
}

impl std::error::Error for DiffRefusal {}
