//! The type of a local after a condition on it: `if body is Enemy: body.health -= 1`.

use godot_tscn::Span;
use tree_sitter::Node;

use crate::script::source::Role;
use crate::scripts::types::{ClassRef, Loaded, Type, Types};

/// At most this number of blocks around a name is checked.
const MOST_BLOCKS: usize = 24;

/// Longer blocks are not gone through for assignments.
const LONGEST_BLOCK: usize = 16 << 10;

impl Types<'_> {
    /// The type that a condition around a local has made sure of, if nothing in the block gives the local another value.
    pub(super) fn type_asked_for(
        &self,
        loaded: &Loaded,
        class: ClassRef,
        node: Node<'_>,
        declaration: u32,
    ) -> Option<Type> {
        let mut inner = node;
        for _ in 0..MOST_BLOCKS {
            let around = inner.parent()?;
            match around.kind() {
                "if_statement" | "elif_clause" => {
                    let is_body = around.child_by_field_name("body") == Some(inner);
                    let condition = around.child_by_field_name("condition").filter(|_| is_body);
                    let asked =
                        condition.and_then(|condition| asked(loaded, condition, declaration));
                    if let Some(asked) = asked.filter(|_| keeps(loaded, inner, declaration)) {
                        return Some(self.type_named(loaded.source.text_of(asked), class));
                    }
                }
                // `a is A and a.b`
                "binary_operator" if is_and(around) => {
                    let right = around.child_by_field_name("right") == Some(inner);
                    let left = around.child_by_field_name("left").filter(|_| right);
                    if let Some(asked) = left.and_then(|left| asked(loaded, left, declaration)) {
                        return Some(self.type_named(loaded.source.text_of(asked), class));
                    }
                }
                // A lambda has the value that a local had when the lambda was made.
                "function_definition" | "lambda" | "class_body" => return None,
                _ => {}
            }
            inner = around;
        }
        None
    }
}

/// The type that a condition asks a local for, in one of the parts between its `and`s.
fn asked(loaded: &Loaded, condition: Node<'_>, declaration: u32) -> Option<Span> {
    let mut rest = Some(condition);
    for _ in 0..MOST_BLOCKS {
        let part = rest?;
        let (test, next) = match part.kind() {
            "binary_operator" if is_and(part) => {
                (part.child_by_field_name("right")?, part.child_by_field_name("left"))
            }
            "parenthesized_expression" => {
                rest = part.named_child(0);
                continue;
            }
            _ => (part, None),
        };
        if let Some(found) = is_test(loaded, test, declaration) {
            return Some(found);
        }
        rest = next;
    }
    None
}

/// The type in `local is Type`.
fn is_test(loaded: &Loaded, test: Node<'_>, declaration: u32) -> Option<Span> {
    let test = match test.kind() {
        "parenthesized_expression" => test.named_child(0)?,
        _ => test,
    };
    let operator = test.child_by_field_name("op").filter(|op| op.kind() == "is")?;
    // `is not` is an operator of two words.
    let right = test.child_by_field_name("right")?;
    let between = Span::new(operator.end_byte() as u32, right.start_byte() as u32);
    let left = test.child_by_field_name("left")?;
    let name = loaded.source.name_at(left.start_byte() as u32)?;
    let is_local = name.role == (Role::Local { declaration })
        && name.span.end == left.end_byte() as u32
        && name.is_certain;
    let is_plain = loaded.source.text_of(between).trim().is_empty();
    (is_local && is_plain).then(|| Span::new(right.start_byte() as u32, right.end_byte() as u32))
}

/// Whether nothing in a block assigns to a local.
fn keeps(loaded: &Loaded, block: Node<'_>, declaration: u32) -> bool {
    let (start, end) = (block.start_byte(), block.end_byte());
    if end - start > LONGEST_BLOCK {
        return false;
    }
    let names = loaded.source.names();
    let first = names.partition_point(|name| (name.span.start as usize) < start);
    let inside = names[first..].iter().take_while(|name| (name.span.start as usize) < end);
    inside.filter(|name| name.role == Role::Local { declaration }).all(|name| {
        let rest = loaded.source.text_of(Span::new(name.span.end, end as u32)).trim_start();
        // `==` compares; `+=` and the like make no objects.
        !rest.starts_with('=') || rest.starts_with("==")
    })
}

fn is_and(node: Node<'_>) -> bool {
    node.child_by_field_name("op").is_some_and(|op| matches!(op.kind(), "and" | "&&"))
}
