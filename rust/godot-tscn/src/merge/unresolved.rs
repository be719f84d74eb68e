//! The facts about a conflict that a merge left in a text.

use crate::merge::refusal::MergeSide;
use crate::span::Span;

/// A conflict that a merge left in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Unresolved {
    /// Its number in the text, from 1.
    pub number: usize,
    /// Where it is.
    pub place: String,
    /// Its subject.
    pub what: String,
    /// The same for programs.
    pub kind: UnresolvedKind,
    /// The path of the node that it is about, from the root, which is `.` itself. Nothing if it is not about a node, or not
    /// about the one with the metadata.
    pub node_path: Option<String>,
    /// The id of the `sub_resource` that it is about.
    pub sub_resource: Option<String>,
    /// The sides that [`resolve_by`](crate::resolve_by) can take.
    pub sides: Vec<MergeSide>,
    /// The value of each side, if it is a value; nothing where it is missing.
    pub base: Option<String>,
    /// See [`Unresolved::base`].
    pub ours: Option<String>,
    /// See [`Unresolved::base`].
    pub theirs: Option<String>,
    /// Where these three stand in the text.
    pub spans: [Option<Span>; 3],
}

/// The subject of a conflict.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum UnresolvedKind {
    /// A property of a node or resource.
    Property(String),
    /// A field of a tag: `name`, `parent`, `groups`.
    Field(String),
    /// A side removed a thing that the other one changed.
    Removed(MergeSide),
    /// Another node has the name that this one had.
    Name(String),
    /// The order of a node's children.
    Order,
    /// A setting.
    Setting,
    /// The metadata does not contain it, because it was changed.
    Other,
}

/// How a conflict is settled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Settlement {
    /// By the value of a side.
    Take(MergeSide),
    /// As it is in the text: it was settled by hand.
    AsItStands,
}

pub(super) const SIDES: [MergeSide; 3] = [MergeSide::Base, MergeSide::Ours, MergeSide::Theirs];

#[cfg(test)]
mod tests;
