//! What is known of a conflict that a merge left in a text.

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
    /// What it is about.
    pub what: String,
    /// The same for programs.
    pub kind: UnresolvedKind,
    /// The path of the node that it is about, from the root, which is `.` itself; nothing if it is not about a node, or not
    /// about the one that holds the metadata.
    pub node_path: Option<String>,
    /// The id of the `sub_resource` that it is about.
    pub sub_resource: Option<String>,
    /// The sides that [`resolve_by`](crate::resolve_by) can take.
    pub sides: Vec<MergeSide>,
    /// What each side has, if it is a value; nothing where it has none.
    pub base: Option<String>,
    /// See [`Unresolved::base`].
    pub ours: Option<String>,
    /// See [`Unresolved::base`].
    pub theirs: Option<String>,
    /// Where these three stand in the text.
    pub spans: [Option<Span>; 3],
}

/// What a conflict is about.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum UnresolvedKind {
    /// A property of a node or resource.
    Property(String),
    /// A field of a tag: `name`, `parent`, `groups`.
    Field(String),
    /// A side removed what the other one changed.
    Removed(MergeSide),
    /// Another node has the name that this one had.
    Name(String),
    /// The order of a node's children.
    Order,
    /// A setting.
    Setting,
    /// What the metadata does not say: somebody changed it.
    Other,
}

/// How a conflict is settled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Settlement {
    /// By what a side has.
    Take(MergeSide),
    /// As it stands in the text: it was settled by hand.
    AsItStands,
}

pub(super) const SIDES: [MergeSide; 3] = [MergeSide::Base, MergeSide::Ours, MergeSide::Theirs];

#[cfg(test)]
mod tests;
