//! A script with a table of its members.

use std::borrow::Cow;

use godot_tscn::Span;
use hashbrown::HashMap;
use tree_sitter::Node;

use crate::script::source::{Declared, Role, ScriptSource};

/// A script with a table of its members.
#[derive(Debug)]
pub struct Loaded {
    /// The script as it was parsed.
    pub source: ScriptSource<'static>,
    /// For each class, by name.
    members: Vec<HashMap<String, Member>>,
    /// The classes by where their name is declared.
    by_name: HashMap<u32, u32>,
}

/// The declarations of a class.
#[derive(Clone, Debug)]
pub struct Member {
    pub kind: Declared,
    /// Where its name is.
    pub(crate) name: Span,
    /// The type as written; for a function, its result type.
    pub(crate) type_name: Option<String>,
    /// The first value.
    pub(crate) value: Option<Span>,
    /// Whether it has the type of its value: `:=`, a constant.
    pub(crate) is_inferred: bool,
}

impl Loaded {
    pub(super) fn new(text: String) -> Option<Self> {
        let source = ScriptSource::of_text(Cow::Owned(text))?;
        let count = source.classes().len();
        let by_name = source.classes().iter().enumerate();
        let by_name =
            by_name.filter_map(|(index, class)| Some((class.name?.start, index as u32))).collect();
        let mut loaded = Self { source, members: vec![HashMap::new(); count], by_name };
        for name in loaded.source.names() {
            let Role::Declares(kind) = name.role else { continue };
            if !kind.is_member() {
                continue;
            }
            let text = loaded.source.text_of(name.span).to_owned();
            let member = member(&loaded.source, kind, name.span);
            loaded.members[name.class as usize].entry(text).or_insert(member);
        }
        Some(loaded)
    }

    /// The declaration of a name in a class, without its bases.
    pub(crate) fn member(&self, class: u32, name: &str) -> Option<&Member> {
        self.members.get(class as usize)?.get(name)
    }

    /// The class with its name declared here.
    pub(crate) fn class_declared_at(&self, offset: u32) -> Option<u32> {
        self.by_name.get(&offset).copied()
    }

    /// The node of the syntax tree at a span.
    pub(crate) fn node(&self, span: Span) -> Option<Node<'_>> {
        if self.source.depth() > MAX_DEPTH {
            return None;
        }
        let root = self.source.tree().root_node();
        root.descendant_for_byte_range(span.start as usize, span.end as usize)
    }
}

/// In a deeper tree, nothing is searched.
const MAX_DEPTH: usize = 500;

fn member(source: &ScriptSource<'_>, kind: Declared, name: Span) -> Member {
    let root = source.tree().root_node();
    let is_shallow = source.depth() <= MAX_DEPTH;
    let find = || root.descendant_for_byte_range(name.start as usize, name.end as usize);
    let node = is_shallow.then(find).flatten();
    let statement = node.and_then(|node| node.parent());
    let part = |field: &str| statement.and_then(|found| found.child_by_field_name(field));
    let span = |node: Node<'_>| Span::new(node.start_byte() as u32, node.end_byte() as u32);
    let type_name = part("type").or_else(|| part("return_type"));
    let type_name = type_name.filter(|found| found.kind() == "type");
    let has_inferred_type = part("type").is_some_and(|found| found.kind() == "inferred_type");
    let is_constant = kind == Declared::Constant;
    let is_variable = matches!(kind, Declared::Variable | Declared::Constant);
    Member {
        kind,
        name,
        is_inferred: type_name.is_none() && (has_inferred_type || is_constant),
        type_name: type_name.map(|found| source.text_of(span(found)).to_owned()),
        value: part("value").filter(|_| is_variable).map(span),
    }
}
