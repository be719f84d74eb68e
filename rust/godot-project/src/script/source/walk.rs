//! From the syntax tree to literals, paths and names.

use godot_tscn::Span;
use hashbrown::HashMap;
use tree_sitter::Node;

use crate::script::source::{ClassSource, ScriptSource, span_of};

/// A node on the way from the root to where the walk is.
#[derive(Clone, Copy)]
pub(super) struct Frame<'n> {
    pub(super) node: Node<'n>,
    pub(super) kind: &'n str,
    pub(super) field: Option<&'n str>,
    /// The how-manieth of its parent's named children it is.
    pub(super) index: usize,
    /// How many of its own named children were visited.
    visited: usize,
    depth: usize,
    /// Its class.
    pub(super) class: u32,
    pub(super) is_in_type: bool,
    /// Where the block ends that a local declared here is known in; nothing in a class.
    pub(super) block_end: Option<u32>,
    /// Where the function ends that a parameter declared here is known in.
    pub(super) function_end: u32,
}

#[derive(Default)]
pub(super) struct Walk<'n> {
    frames: Vec<Frame<'n>>,
    /// The text before a part of an `attribute`, by the start of the part.
    pub(super) receivers: HashMap<usize, Receiver>,
}

impl ScriptSource<'_> {
    pub(super) fn walk(&mut self) {
        let tree = self.tree.clone();
        let root = tree.root_node();
        let whole = Span::new(0, self.text.len() as u32);
        self.classes.push(ClassSource { name: None, parent: None, span: whole, extends: None });
        if root.kind() != "source" {
            self.read_words(whole, 0);
            return;
        }
        let mut walk = Walk::default();
        let mut cursor = root.walk();
        let mut depth = 0;
        loop {
            let frame = walk.frame(cursor.node(), cursor.field_name(), depth);
            if self.enter(&mut walk, frame) && cursor.goto_first_child() {
                depth += 1;
                self.depth = self.depth.max(depth);
                continue;
            }
            while !cursor.goto_next_sibling() {
                if !cursor.goto_parent() {
                    self.resolve_locals();
                    return;
                }
                depth -= 1;
            }
        }
    }

    /// Enters a node; returns whether the nodes in it must be visited.
    fn enter<'n>(&mut self, walk: &mut Walk<'n>, mut frame: Frame<'n>) -> bool {
        let node = frame.node;
        if let Some(parent) = walk.up(0)
            && matches!(parent.kind, "source" | "class_body")
            && node.is_named()
            && !self.is_understood(node, parent.kind)
        {
            self.read_words(span_of(node), frame.class);
            return false;
        }
        match frame.kind {
            "class_definition" => frame.class = self.add_class(node, frame.class),
            "extends_statement" => self.add_extends(node, frame.class),
            "body" | "match_body" => frame.block_end = Some(node.end_byte() as u32),
            "function_definition" | "constructor_definition" | "lambda" | "set_body" => {
                frame.function_end = node.end_byte() as u32;
            }
            "type" => frame.is_in_type = true,
            "attribute_call" | "call" | "parenthesized_expression" => frame.is_in_type = false,
            "attribute" => walk.note_receivers(node),
            "string" | "string_name" | "node_path" => {
                self.add_literal(walk, &frame);
                return false;
            }
            "get_node" => {
                let path = self.node_path(span_of(node));
                self.node_paths.push(path);
                return false;
            }
            "identifier" | "name" | "setter" | "getter" => {
                self.add_name(walk, &frame);
                return false;
            }
            _ => {}
        }
        walk.frames.push(frame);
        true
    }

    /// Whether a member of a class is one, and all in it was understood. Where the grammar has lost its way, it takes members
    /// of one class for those of another, which the indentation shows.
    fn is_understood(&self, member: Node<'_>, parent: &str) -> bool {
        let start = member.start_byte();
        let line = self.text[..start].rfind('\n').map_or(0, |at| at + 1);
        let line = self.text[line..].trim_start_matches('\u{feff}');
        let is_indented = line.starts_with([' ', '\t']);
        let is_in_place = match parent {
            "source" => !is_indented,
            _ => is_indented || line.starts_with("class") || line.starts_with('@'),
        };
        let is_known = match member.kind() {
            "class_definition" => {
                let mut cursor = member.walk();
                let mut parts = member.children(&mut cursor);
                // Each member inside is looked at by itself.
                return is_in_place
                    && parts.all(|part| part.kind() == "class_body" || !part.has_error());
            }
            // Godot 3: `tool` in a line of its own. Texts between `"""` are comments.
            "expression_statement" => {
                let text = self.text_of(span_of(member));
                text == "tool" || text.starts_with(['"', '\''])
            }
            "annotation"
            | "annotations"
            | "class_name_statement"
            | "extends_statement"
            | "variable_statement"
            | "export_variable_statement"
            | "onready_variable_statement"
            | "const_statement"
            | "signal_statement"
            | "function_definition"
            | "constructor_definition"
            | "enum_definition"
            | "pass_statement" => true,
            _ => false,
        };
        is_known && is_in_place && !member.has_error()
    }

    fn add_class(&mut self, node: Node<'_>, parent: u32) -> u32 {
        let name = node.child_by_field_name("name").map(span_of);
        let span = span_of(node);
        self.classes.push(ClassSource { name, parent: Some(parent), span, extends: None });
        (self.classes.len() - 1) as u32
    }

    fn add_extends(&mut self, node: Node<'_>, class: u32) {
        self.classes[class as usize].extends = node.named_child(0).map(span_of);
    }
}

impl<'n> Walk<'n> {
    /// The node around the one that is looked at, or one further out.
    pub(super) fn up(&self, steps: usize) -> Option<&Frame<'n>> {
        self.frames.iter().nth_back(steps)
    }

    fn frame(&mut self, node: Node<'n>, field: Option<&'n str>, depth: usize) -> Frame<'n> {
        while self.frames.last().is_some_and(|last| last.depth >= depth) {
            self.frames.pop();
        }
        let (kind, is_named) = (node.kind(), node.is_named());
        let Some(parent) = self.frames.last_mut() else {
            return Frame {
                node,
                kind,
                field,
                index: 0,
                visited: 0,
                depth,
                class: 0,
                is_in_type: false,
                block_end: None,
                function_end: 0,
            };
        };
        let index = parent.visited;
        parent.visited += usize::from(is_named);
        let is_type = field == Some("right") && is_type_test(parent.node);
        let is_in_type = parent.is_in_type || is_type;
        Frame { node, kind, field, index, visited: 0, depth, is_in_type, ..*parent }
    }

    /// The text before each part of `a.b.c`.
    fn note_receivers(&mut self, attribute: Node<'_>) {
        let mut cursor = attribute.walk();
        let Some((first, is_type)) = first_part(attribute) else { return };
        let start = first.start_byte() as u32;
        let mut end = None;
        for part in attribute.named_children(&mut cursor) {
            if let Some(end) = end {
                self.receivers
                    .insert(part.start_byte(), Receiver { span: Span::new(start, end), is_type });
            }
            end = Some(part.end_byte() as u32);
        }
    }
}

/// The text before a part of an `attribute`.
#[derive(Clone, Copy)]
pub(super) struct Receiver {
    pub(super) span: Span,
    /// Whether it is a part of a type.
    pub(super) is_type: bool,
}

/// So deep, operators are looked into for their last operand.
const MOST_OPERATORS: usize = 64;

/// The first part of an `attribute`, and whether that is a type behind `as` or `is`. The grammar takes `a + b.c.d` for
/// `(a + b.c).d`.
pub(crate) fn first_part(attribute: Node<'_>) -> Option<(Node<'_>, bool)> {
    let mut first = attribute.named_child(0)?;
    let mut is_type = false;
    for _ in 0..MOST_OPERATORS {
        match first.kind() {
            "binary_operator" => {
                is_type = is_type_test(first);
                first = first.child_by_field_name("right")?;
            }
            "unary_operator" => first = first.named_child(0)?,
            "attribute" if first.named_child(0).is_some_and(is_operator) => {
                first = first.named_child(0)?;
            }
            _ => return Some((first, is_type)),
        }
    }
    None
}

/// Whether a node is an operator with its operands.
pub(crate) fn is_operator(node: Node<'_>) -> bool {
    matches!(node.kind(), "binary_operator" | "unary_operator")
}

/// `x is Type`, `x is not Type`, `x as Type`.
fn is_type_test(node: Node<'_>) -> bool {
    node.kind() == "binary_operator"
        && node.child_by_field_name("op").is_some_and(|op| matches!(op.kind(), "is" | "as"))
}
