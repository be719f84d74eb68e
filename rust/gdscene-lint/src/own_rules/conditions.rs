//! What a rule of a project asks of nodes, resources and files.

use std::ops::Range;

use godot_tscn::NamePattern;

use super::raw::Literal;
use crate::globs::Glob;

/// Whether something holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Truth {
    Yes,
    No,
    /// It cannot be determined, or the question does not fit.
    Unknown,
}

/// What is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Subject {
    Node,
    Resource,
    File,
}

/// Something that can hold of a [`Subject`].
#[derive(Debug)]
pub(super) enum Condition {
    /// It is of one of these classes: indexes into the list of all that rules name.
    Class(Vec<usize>),
    Root(bool),
    Depth {
        min: u32,
        max: Option<u32>,
    },
    Kind(Vec<ResourceKind>),
    Name(NamePattern),
    UniqueName(bool),
    Script(Wanted),
    InstanceOf(Wanted),
    SameNameAs(Named),
    Group(Vec<String>),
    Path(Vec<Glob>),
    Property(Property),
    Connection(Connection),
    Near(Relation, Counted),
    /// Nodes of the file, the root too.
    NodeOfFile(Counted),
    ResourceOfFile(Counted),
}

/// How a resource is part of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ResourceKind {
    /// The file is named: an `ext_resource`.
    External,
    /// It is inside the file: a `sub_resource`.
    BuiltIn,
    /// It is what the file contains: `[resource]`.
    Main,
}

/// A file that something has.
#[derive(Debug)]
pub(super) enum Wanted {
    /// Any, or none.
    Is(bool),
    Matching(Vec<Glob>),
}

/// What names are compared with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Named {
    Class,
    File,
    Instance,
    Parent,
    Script,
}

/// The value of a property.
#[derive(Debug)]
pub(super) struct Property {
    /// The index in the list of all that rules name.
    pub(super) key: usize,
    pub(super) tests: Vec<ValueTest>,
}

#[derive(Debug)]
pub(super) enum ValueTest {
    OneOf(Vec<Literal>),
    Set(bool),
    Range { min: f64, max: f64 },
    Matches(NamePattern),
    Path(Vec<Glob>),
    Class(Vec<usize>),
}

/// Connections that begin at a node.
#[derive(Debug)]
pub(super) struct Connection {
    pub(super) signals: Vec<String>,
    pub(super) methods: Vec<String>,
    pub(super) count: Count,
}

/// Where other nodes are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Relation {
    Child,
    Descendant,
    Parent,
    Ancestor,
    Sibling,
}

/// A number of things for which conditions hold.
#[derive(Debug)]
pub(super) struct Counted {
    pub(super) conditions: Vec<Condition>,
    pub(super) count: Count,
}

/// How many things there must be.
#[derive(Clone, Copy, Debug)]
pub(super) struct Count {
    pub(super) min: u32,
    pub(super) max: Option<u32>,
}

/// A class or property that a rule names, and where.
#[derive(Clone, Debug)]
pub(super) struct Mention {
    pub(super) name: String,
    pub(super) span: Range<usize>,
    /// Of a property, the classes of the object, if the rule names them.
    pub(super) classes: Vec<usize>,
}

impl Truth {
    pub(super) fn of(is: bool) -> Self {
        if is { Self::Yes } else { Self::No }
    }

    /// Whether all hold. `truths` is asked no further than needed.
    pub(super) fn all(truths: impl IntoIterator<Item = Self>) -> Self {
        let mut all = Self::Yes;
        for truth in truths {
            match truth {
                Self::No => return Self::No,
                Self::Unknown => all = Self::Unknown,
                Self::Yes => {}
            }
        }
        all
    }

    /// Whether any holds. `truths` is asked no further than needed.
    pub(super) fn any(truths: impl IntoIterator<Item = Self>) -> Self {
        let mut any = Self::No;
        for truth in truths {
            match truth {
                Self::Yes => return Self::Yes,
                Self::Unknown => any = Self::Unknown,
                Self::No => {}
            }
        }
        any
    }
}

impl Count {
    /// Whether the number of things is right, for which `truths` says yes. If there may be more things, `are_all` is false after the
    /// last one.
    pub(super) fn of(
        self,
        truths: impl IntoIterator<Item = Truth>,
        are_all: impl FnOnce() -> bool,
    ) -> Truth {
        let (mut certain, mut possible) = (0, 0);
        for truth in truths {
            certain += u32::from(truth == Truth::Yes);
            possible += u32::from(truth != Truth::No);
            if self.max.is_some_and(|max| certain > max) {
                return Truth::No;
            }
            if self.max.is_none() && certain >= self.min {
                return Truth::Yes;
            }
        }
        if !are_all() {
            return Truth::Unknown;
        }
        if possible < self.min {
            Truth::No
        } else if certain >= self.min && self.max.is_none_or(|max| possible <= max) {
            Truth::Yes
        } else {
            Truth::Unknown
        }
    }
}

impl Wanted {
    /// Whether a file at this path (`res://…`) is wanted.
    pub(super) fn has(&self, path: &str) -> bool {
        match self {
            Self::Is(is) => *is,
            Self::Matching(globs) => is_match(globs, path),
        }
    }

    /// Whether it is right that there is no file.
    pub(super) fn has_none(&self) -> bool {
        matches!(self, Self::Is(false))
    }
}

/// Whether one of the patterns is that of the path (`res://…`).
pub(super) fn is_match(globs: &[Glob], path: &str) -> bool {
    let path = path.strip_prefix("res://").unwrap_or(path);
    globs.iter().any(|glob| glob.is_match(path))
}
