//! The syntax tree of a script in C#, and one walk through it.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use godot_tscn::Span;
use tree_sitter::{Node, ParseOptions, ParseState, Parser, Point, Tree};

use crate::script::MAX_SIZE;

/// Trees that are deeper are not walked through.
const MAX_DEPTH: usize = 500;

/// Texts that take longer were made to.
const MAX_TIME: Duration = Duration::from_secs(5);

/// The syntax tree of a script in C#.
#[derive(Debug)]
pub(super) struct CsharpTree<'t> {
    text: &'t str,
    tree: Tree,
}

/// A node of the tree, and its role in the one around it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step<'a> {
    pub(super) node: Node<'a>,
    pub(super) field: Option<&'a str>,
}

/// Receives each node from [`CsharpTree::walk`].
pub(super) trait Visitor<'a> {
    /// Comes to a node. `around` are those around it, the nearest last.
    fn enter(&mut self, step: Step<'a>, around: &[Step<'a>]);

    /// Leaves a node with all that is in it.
    fn leave(&mut self, node: Node<'a>);
}

impl<'t> CsharpTree<'t> {
    /// Nothing for a text that is not UTF-8, is huge or takes too long.
    pub(super) fn parse(text: &'t [u8]) -> Option<Self> {
        let text = std::str::from_utf8(text).ok().filter(|text| text.len() <= MAX_SIZE)?;
        let mut parser = Parser::new();
        parser.set_language(&tree_sitter_c_sharp::LANGUAGE.into()).ok()?;
        let start = Instant::now();
        let mut progress = |_: &ParseState| match start.elapsed() > MAX_TIME {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        };
        let options = ParseOptions::new().progress_callback(&mut progress);
        let mut rest = |offset: usize, _: Point| text.as_bytes().get(offset..).unwrap_or_default();
        let tree = parser.parse_with_options(&mut rest, None, Some(options))?;
        Some(Self { text, tree })
    }

    /// The text of a node.
    pub(super) fn text_of(&self, node: Node<'_>) -> &'t str {
        self.text.get(node.byte_range()).unwrap_or_default()
    }

    /// The text at a span.
    pub(super) fn text_at(&self, span: Span) -> &'t str {
        self.text.get(span.start as usize..span.end as usize).unwrap_or_default()
    }

    /// Whether something in the script was not understood.
    pub(super) fn has_error(&self) -> bool {
        self.tree.root_node().has_error()
    }

    /// Goes through all nodes, in the order of the text. Nothing if they lie too deep.
    pub(super) fn walk<'a>(&'a self, visitor: &mut impl Visitor<'a>) -> Option<()> {
        let mut cursor = self.tree.walk();
        let mut around: Vec<Step<'a>> = Vec::new();
        loop {
            let step = Step { node: cursor.node(), field: cursor.field_name() };
            visitor.enter(step, &around);
            if cursor.goto_first_child() {
                around.push(step);
                if around.len() > MAX_DEPTH {
                    return None;
                }
                continue;
            }
            visitor.leave(step.node);
            while !cursor.goto_next_sibling() {
                let Some(parent) = around.pop() else { return Some(()) };
                cursor.goto_parent();
                visitor.leave(parent.node);
            }
        }
    }
}

pub(super) fn span_of(node: Node<'_>) -> Span {
    Span::new(node.start_byte() as u32, node.end_byte() as u32)
}
