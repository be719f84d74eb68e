//! The losses of a save: the difference between a file before and after it that the user did not
//! make.

mod comparison;
mod edits;
mod node_matches;
mod property;
mod value_resource;

pub use edits::{Edited, EditedKind, edits};
pub use property::property_at;
pub use value_resource::value_resource;

use crate::document::Document;
use crate::span::Span;

/// Something that was in a file before Godot saved it, and is not any more.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Loss {
    /// Its kind.
    pub kind: LossKind,
    /// Why it is gone, according to the two texts.
    pub cause: LossCause,
    /// The node that it belonged to, where that node is now, relative to the root; the root is `.`.
    pub node_path: Option<String>,
    /// Where it was in the text before.
    pub span: Span,
    /// The place of its value: for a property the text after the `=`, for a section all of it.
    pub value: Span,
}

/// The kind of a [`Loss`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LossKind {
    /// A comment, with its `;`.
    Comment(String),
    /// A property of a node, of a `sub_resource` or of the main resource.
    Property {
        /// Its name.
        name: String,
        /// The class of the resource; none for nodes.
        resource_class: Option<String>,
        /// The id of the `sub_resource`.
        sub_resource: Option<String>,
        /// Whether the resource has a script, which may have properties of its own.
        has_script: bool,
        /// The files that its value refers to.
        files: Vec<String>,
    },
    /// A connection; [`Loss::node_path`] is its source.
    Connection {
        /// The signal.
        signal: String,
        /// The node that is called.
        target: String,
        /// The method that is called.
        method: String,
        /// Whether arguments are added or left out (`binds`, `unbinds`): then Godot keeps it only if
        /// there is such a method.
        changes_arguments: bool,
    },
    /// A `sub_resource`.
    SubResource {
        /// Its id.
        id: String,
        /// Its class.
        class: String,
    },
    /// A node under its own parent.
    Node(String),
    /// The editable children of an instance.
    Editable,
    /// A field of a tag.
    Field(String),
}

/// Why a [`Loss`] is gone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LossCause {
    /// Godot does not keep such a thing.
    NotKept,
    /// Nothing refers to it.
    Unused,
    /// Godot reads it as a part of something else.
    Misread,
    /// A node that it needs was not in the file.
    MissingNode,
    /// The texts do not show it. Either the user removed it, or Godot could not keep it: it depends
    /// on whether the needed class, script or file exists.
    Unclear,
}

impl LossCause {
    /// `not-kept`, `unused`, `misread`, `missing-node` or `unclear`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::NotKept => "not-kept",
            Self::Unused => "unused",
            Self::Misread => "misread",
            Self::MissingNode => "missing-node",
            Self::Unclear => "unclear",
        }
    }
}

impl LossKind {
    /// `comment`, `property`, `connection`, `sub_resource`, `node`, `editable` or `field`.
    pub const fn as_str(&self) -> &'static str {
        match self {
            Self::Comment(_) => "comment",
            Self::Property { .. } => "property",
            Self::Connection { .. } => "connection",
            Self::SubResource { .. } => "sub_resource",
            Self::Node(_) => "node",
            Self::Editable => "editable",
            Self::Field(_) => "field",
        }
    }
}

/// Compares a file with Godot's text after a save, in the order of the text before.
///
/// The consequences of a user's edit are left out, if the texts show them: the nodes below a
/// deleted node, and everything that moved along with a renamed or moved node. A loss that may be
/// either is [`LossCause::Unclear`].
///
/// ```
/// use godot_tscn::{LossCause, lost, parse};
///
/// let before = parse(b"[gd_scene format=3]\n\n; by hand\n[node name=\"A\" type=\"Node\"]\n");
/// let after = parse(b"[gd_scene format=3]\n\n[node name=\"A\" type=\"Node\"]\n");
/// let losses = lost(&before, &after);
/// assert_eq!(losses[0].cause, LossCause::NotKept);
/// assert_eq!(losses[0].kind.as_str(), "comment");
/// ```
pub fn lost(before: &Document<'_>, after: &Document<'_>) -> Vec<Loss> {
    let mut losses = comparison::Comparison::new(before, after).losses();
    losses.sort_by_key(|loss| loss.span);
    losses
}

#[cfg(test)]
mod tests;
