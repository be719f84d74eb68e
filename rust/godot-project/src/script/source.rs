//! The whole text of a script in GDScript, with the exact place of each thing that a refactoring may change: text
//! literals, paths of nodes, names.
//!
//! The tree comes from `tree-sitter-gdscript`. Parts that the grammar does not understand are uncertain. A member of a
//! class with an error is read again, word by word, and everything found there is marked ([`Name::is_certain`] and its
//! like). Offsets are those of the file, with a byte order mark if there is one.
//!
//! ```text
//! let source = ScriptSource::parse(text)?;      // nothing for what is not UTF-8, or huge
//! for literal in source.strings() {             // "res://a.png", &"name", ^"A/B"
//!     literal.text                              // as Godot reads it
//!     literal.content                           // the span between the quotes
//!     literal.place                             // StringPlace::Argument { function, receiver, index }, Operand, …
//!     literal.content_for("res://b.png")        // what to write there instead
//! }
//! for path in source.node_paths() {             // $A/B, $"A/B", %Name, $%Name/B
//!     path.text                                 // "A/B", "%Name/B"
//!     path.replacement("A/C")                   // what to write in the place of `path.span`
//! }
//! for name in source.names() {                  // every identifier
//!     name.role                                 // Declares(Variable), Bare, Attribute { receiver }, Type, Local, …
//!     name.is_called
//!     source.text_of(name.span)
//! }
//! ```

mod literal;
mod needs;
mod places;
mod possible_paths;
mod prepare;
mod roles;
mod unread;
mod walk;

use std::borrow::Cow;

use godot_tscn::Span;
use hashbrown::HashMap;
use tree_sitter::{Parser, Tree};

use crate::script::MAX_SIZE;
pub use crate::script::source::needs::{Need, NeedReason};
pub use crate::script::source::possible_paths::possible_node_paths;
use crate::script::source::roles::Local;
pub(crate) use crate::script::source::walk::{first_part, is_operator};

/// A script in GDScript.
#[derive(Debug)]
pub struct ScriptSource<'t> {
    text: Cow<'t, str>,
    tree: Tree,
    strings: Vec<StringLiteral>,
    node_paths: Vec<NodePathUse>,
    names: Vec<Name>,
    classes: Vec<ClassSource>,
    comments: Vec<Span>,
    unread: Vec<Span>,
    /// Where locals are known, by name, in the order of the text.
    locals: HashMap<String, Vec<Local>>,
    /// How deep the tree is.
    depth: usize,
}

/// A text between quotes that is not the path behind `$` or `%`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StringLiteral {
    /// All of it: `&"name"`.
    pub span: Span,
    /// The text between the quotes.
    pub content: Span,
    /// Godot's reading of it; nothing if it has escapes that are not understood.
    pub text: Option<String>,
    /// How it is written.
    pub kind: LiteralKind,
    pub(crate) is_raw: bool,
    /// Its use.
    pub place: StringPlace,
    /// Its class: an index into [`ScriptSource::classes`].
    pub(crate) class: u32,
    /// Whether the grammar understood its surroundings. `place` means nothing otherwise.
    pub is_certain: bool,
}

/// The kinds of text literals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LiteralKind {
    /// `"…"`
    String,
    /// `&"…"`
    StringName,
    /// `^"…"`
    NodePath,
}

/// The place of a text literal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StringPlace {
    /// It is a whole argument of a call.
    Argument {
        /// The name of the function: `load`.
        function: Span,
        /// The text before the `.`: `ResourceLoader`; nothing for `load(…)`.
        receiver: Option<Span>,
        /// Which argument, from 0.
        index: usize,
    },
    /// It is a whole argument of an annotation: `@icon("…")`, `@export_enum("…")`.
    Annotation {
        /// The name behind the `@`.
        name: Span,
    },
    /// `extends "…"`, and `extends "…".Inner`.
    Extends,
    /// The icon in Godot 3's `class_name A, "…"`.
    Icon,
    /// A part of a larger expression: `"a" + b`, `"…" % x`, `"…".format(x)`.
    Operand,
    /// It is compared: `a == "…"`, `"…" in a`, a pattern of `match`.
    Compared,
    /// The key in `object["…"]`.
    Subscript {
        /// The text before the `[`.
        receiver: Span,
    },
    /// The key of an entry in a dictionary.
    Key,
    /// A value: of a variable, of an entry in an array or dictionary, of `return`.
    Value,
    /// A statement of its own, which does nothing: a comment.
    Statement,
}

/// A path of a node in the source: `$A/B`, `$"A/B"`, `%Name`, `$%Name/B`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NodePathUse {
    /// All of it.
    pub span: Span,
    /// The path as Godot reads it: `%Name/B`. Nothing if it has escapes that are not understood.
    pub text: Option<String>,
    pub(crate) is_quoted: bool,
    /// Whether it begins with `$`.
    pub(crate) has_dollar: bool,
    /// Whether the grammar understood its surroundings.
    pub is_certain: bool,
}

/// An identifier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Name {
    /// Where it is.
    pub span: Span,
    /// Its role.
    pub role: Role,
    /// Whether it is called: `name(…)`.
    pub is_called: bool,
    /// Its class: an index into [`ScriptSource::classes`].
    pub class: u32,
    /// Whether the grammar understood its surroundings.
    pub is_certain: bool,
}

/// The role of an identifier, according to the text of its script alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// It is declared here.
    Declares(Declared),
    /// It names the local variable, constant or parameter that is declared at this offset.
    Local {
        /// The offset of its declaration.
        declaration: u32,
    },
    /// It is alone and does not belong to the function: a member, a class, a global.
    Bare,
    /// It is after a `.`: `self.x`, `a.b.x`. The text before the last `.` is the receiver.
    Attribute {
        /// The receiver.
        receiver: Span,
    },
    /// A method of the base, called the old way: `.x()`.
    OfBase,
    /// It names a type, or the first part of one: `: Type`, `Array[Type]`, `is Type`, `as Type`, `extends Type`.
    Type,
    /// A further part of a type: `B` in `A.B`.
    TypeAttribute {
        /// The parts before it.
        receiver: Span,
    },
    /// The name of an annotation.
    Annotation,
    /// The key in `{key = value}`, which is a text.
    Key,
    /// In a part that the grammar does not understand.
    Unread,
}

/// The declared thing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Declared {
    /// The global name of the script.
    ClassName,
    /// An inner class.
    Class,
    /// A member variable.
    Variable,
    /// A constant of a class.
    Constant,
    /// A signal.
    Signal,
    /// A function of a class.
    Function,
    /// An enum.
    Enum,
    /// A value of an enum without a name, which is a constant of the class.
    EnumValue,
    /// A value of an enum with a name.
    ValueOfEnum,
    /// A parameter of a function.
    Parameter,
    /// A variable or constant of a function, of a `for` or of a pattern.
    Local,
    /// The name of a lambda, which only messages show.
    Lambda,
}

impl Declared {
    /// Whether it is a member of its class.
    pub(crate) fn is_member(self) -> bool {
        use Declared as D;
        matches!(
            self,
            D::Class | D::Variable | D::Constant | D::Signal | D::Function | D::Enum | D::EnumValue
        )
    }
}

/// The class that a file is, which comes first, or one inside it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClassSource {
    /// Its name; nothing for the file.
    pub(crate) name: Option<Span>,
    /// The class around it.
    pub(crate) parent: Option<u32>,
    /// Its whole content.
    pub span: Span,
    /// The text after its `extends`.
    pub extends: Option<Span>,
}

impl<'t> ScriptSource<'t> {
    /// Reads a script of Godot 3 or 4. Nothing for a text that is not UTF-8, or is huge.
    pub fn parse(text: &'t [u8]) -> Option<Self> {
        Self::of_text(Cow::Borrowed(std::str::from_utf8(text).ok()?))
    }

    /// [`ScriptSource::parse`] of a text that it keeps.
    pub(crate) fn of_text(text: Cow<'t, str>) -> Option<Self> {
        if text.len() > MAX_SIZE {
            return None;
        }
        let prepared = prepare::prepare(&text);
        let mut parser = Parser::new();
        parser.set_language(&tree_sitter_gdscript::LANGUAGE.into()).ok()?;
        let tree = parser.parse(&prepared.code, None)?;
        let mut source = Self {
            text,
            tree,
            strings: Vec::new(),
            node_paths: Vec::new(),
            names: Vec::new(),
            classes: Vec::new(),
            comments: prepared.comments,
            unread: Vec::new(),
            locals: HashMap::new(),
            depth: 0,
        };
        source.walk();
        Some(source)
    }

    /// All of the text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The text at a span.
    pub fn text_of(&self, span: Span) -> &str {
        self.text.get(span.start as usize..span.end as usize).unwrap_or_default()
    }

    /// The syntax tree of the text, or of one as long that the grammar understands better.
    pub(crate) fn tree(&self) -> &Tree {
        &self.tree
    }

    /// The depth of the tree: a search for nodes goes down this deep each time.
    pub(crate) fn depth(&self) -> usize {
        self.depth
    }

    /// The text literals, in the order of the text.
    pub fn strings(&self) -> &[StringLiteral] {
        &self.strings
    }

    /// The paths behind `$` and `%`, in the order of the text.
    pub fn node_paths(&self) -> &[NodePathUse] {
        &self.node_paths
    }

    /// The identifiers, in the order of the text. `self`, `super` and `true` are words of GDScript's, and not here.
    pub fn names(&self) -> &[Name] {
        &self.names
    }

    /// The identifier that starts at an offset.
    pub(crate) fn name_at(&self, offset: u32) -> Option<&Name> {
        let index = self.names.partition_point(|name| name.span.start < offset);
        self.names.get(index).filter(|name| name.span.start == offset)
    }

    /// The class that the file is, and then those inside it.
    pub fn classes(&self) -> &[ClassSource] {
        &self.classes
    }

    /// The comments, in the order of the text.
    pub fn comments(&self) -> &[Span] {
        &self.comments
    }

    /// The parts that the grammar does not understand.
    pub(crate) fn unread(&self) -> &[Span] {
        &self.unread
    }
}

fn span_of(node: tree_sitter::Node<'_>) -> Span {
    Span::new(node.start_byte() as u32, node.end_byte() as u32)
}

#[cfg(test)]
mod tests;
