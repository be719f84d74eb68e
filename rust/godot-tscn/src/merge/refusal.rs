//! Why texts are not merged.

use std::fmt;

/// One of the three texts of a merge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MergeSide {
    /// The common origin of both sides.
    Base,
    /// The text that the result is made from.
    Ours,
    /// The other one.
    Theirs,
}

/// Why three texts are not merged.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum MergeRefusal {
    /// The text is not UTF-8.
    NotUtf8(MergeSide),
    /// The text is a pointer of Git LFS: git returns the text in the repository, and the content is elsewhere.
    LfsPointer(MergeSide),
    /// Godot would refuse or misread the text.
    Broken {
        /// Which text.
        side: MergeSide,
        /// The line of the first error.
        line: u32,
        /// The problem there.
        reason: String,
    },
    /// Two resources have one id. Godot takes the last for both (`ResourceLoaderText::load`), so that a reference to the id has
    /// another meaning on another side.
    DoubleId {
        /// Which text.
        side: MergeSide,
        /// The line of the second.
        line: u32,
        /// The common id.
        id: String,
    },
    /// It is neither a scene nor a resource.
    NotScene(MergeSide),
    /// It has a tag that cannot be merged, because its meaning is unknown, or because it is a part of a scene inside a
    /// resource.
    Tag {
        /// Which text.
        side: MergeSide,
        /// The line of the first such tag.
        line: u32,
        /// The tag's name.
        tag: String,
        /// Whether it is a part of a scene inside a resource.
        is_nested: bool,
    },
    /// It is not a uid.
    NotUid(MergeSide),
    /// One is a scene, and the other a resource, or they are of Godot 3 and 4.
    Different,
    /// The text has conflicts of an earlier merge, which [`resolve`](crate::resolve) settles.
    Unresolved(MergeSide),
    /// Resources of the result would use each other in a circle.
    Circle,
}

impl MergeSide {
    /// `base`, `ours` or `theirs`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Base => "base",
            Self::Ours => "ours",
            Self::Theirs => "theirs",
        }
    }

    pub(super) const ALL: [Self; 3] = [Self::Base, Self::Ours, Self::Theirs];
}

impl fmt::Display for MergeRefusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotUtf8(side) => write!(f, "the text of {} is not UTF-8", side.as_str()),
            Self::LfsPointer(side) => write!(
                f,
                "the text of {} is a Git LFS pointer, not the content; merge the contents with `git mergetool --tool gdscene`",
                side.as_str()
            ),
            Self::Broken { side, line, reason } => {
                write!(f, "Godot cannot read the text of {}: line {line}: {reason}", side.as_str())
            }
            Self::DoubleId { side, line, id } => {
                write!(
                    f,
                    "line {line} in the text of {}: another resource has the id `{id}`",
                    side.as_str()
                )
            }
            Self::NotScene(side) => {
                write!(f, "the text of {} is neither a scene nor a resource", side.as_str())
            }
            Self::Tag { side, line, tag, is_nested } => {
                let what = what_of_tag(tag, *is_nested);
                write!(f, "line {line} in the text of {}: {what}", side.as_str())
            }
            Self::NotUid(side) => {
                write!(f, "the text of {} is not a uid, in one line", side.as_str())
            }
            Self::Different => {
                write!(f, "the texts are of different kinds, or of Godot 3 and of Godot 4")
            }
            Self::Unresolved(side) => write!(
                f,
                "the text of {} has conflicts of an earlier merge; settle them with `gdscene resolve`",
                side.as_str()
            ),
            Self::Circle => write!(f, "the merged resources would use each other in a cycle"),
        }
    }
}

/// Why texts with such a tag are refused.
pub(crate) fn what_of_tag(tag: &str, is_nested: bool) -> String {
    match is_nested {
        true => "gdscene cannot compare scenes inside of resources".to_owned(),
        false => format!("the tag `{tag}` is unknown to this version of gdscene"),
    }
}

impl std::error::Error for MergeRefusal {}
