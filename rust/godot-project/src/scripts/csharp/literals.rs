//! The texts in a script in C#, and where they stand.

use std::ops::Range;

use godot_tscn::Span;
use tree_sitter::Node;

use super::model::CLASSES;
use super::syntax::{CsharpTree, Step, Visitor, span_of};

/// The texts of a script in C#.
#[derive(Debug)]
pub struct CsharpLiterals {
    /// In the order of the text.
    pub literals: Vec<CsharpLiteral>,
}

/// A text literal, or a part of one between which something is put.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CsharpLiteral {
    /// The text between the quotes, as it is written.
    pub content: Span,
    /// Whether it has escapes.
    pub has_escapes: bool,
    /// Whether it is written as `"…"`, in which a backslash begins an escape.
    pub(crate) is_plain: bool,
    /// The use of the literal.
    pub place: CsharpPlace,
    /// Whether it is in the class of the script and not in one inside it, or next to it.
    pub is_own: bool,
    /// Whether the grammar understood its surroundings.
    pub is_certain: bool,
}

/// The place of a text literal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CsharpPlace {
    /// It is a whole argument of a call.
    Argument {
        /// The called function, without types: `GetNode`, `Load`.
        function: String,
        /// The text before the `.`, or nothing.
        receiver: Option<Receiver>,
        /// Which argument, from 0.
        index: u32,
    },
    /// It is a whole argument of a constructor: `new NodePath("…")`.
    Created {
        /// The class.
        class: String,
    },
    /// Something is put before it, behind it or into it.
    Part,
    /// It is compared.
    Compared,
    /// Anything else.
    Other,
}

/// The object of a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Receiver {
    /// The object itself: `this`.
    Itself,
    /// `GetParent()`
    Parent,
    /// `Owner`
    Owner,
    /// `GetNode("…")`: the place of the path.
    Node(Span),
    /// Anything else, as it is written.
    Other(Range<usize>),
}

/// At most this number of arguments of a call is counted.
const MOST_ARGUMENTS: u32 = 8;

impl CsharpLiterals {
    /// The texts of the script in the file `stem` + `.cs`; nothing if it cannot be read.
    pub fn of(text: &[u8], stem: &str) -> Option<Self> {
        let tree = CsharpTree::parse(text)?;
        let mut finder = Finder { tree: &tree, stem, literals: Vec::new() };
        tree.walk(&mut finder)?;
        Some(Self { literals: finder.literals })
    }
}

struct Finder<'a> {
    tree: &'a CsharpTree<'a>,
    stem: &'a str,
    literals: Vec<CsharpLiteral>,
}

impl<'a> Visitor<'a> for Finder<'a> {
    fn enter(&mut self, step: Step<'a>, around: &[Step<'a>]) {
        let node = step.node;
        let span = span_of(node);
        let (content, is_plain) = match node.kind() {
            "string_literal" => (Span::new(span.start + 1, span.end.max(span.start + 2) - 1), true),
            "verbatim_string_literal" => {
                (Span::new(span.start + 2, span.end.max(span.start + 3) - 1), false)
            }
            "raw_string_content" => (span, false),
            "string_content" => (span, true),
            _ => return,
        };
        let text = self.tree.text_at(content);
        let has_escapes = if is_plain { text.contains('\\') } else { text.contains('"') };
        let place = match node.kind() {
            "string_content" => CsharpPlace::Part,
            "raw_string_content" => match around.split_last() {
                Some((literal, around)) => self.place(literal.node, around),
                None => CsharpPlace::Other,
            },
            _ => self.place(node, around),
        };
        let is_broken = around.iter().any(|step| step.node.is_error())
            || self.member(around).is_some_and(|member| member.has_error());
        let is_own = self.is_own(around);
        let is_certain = !is_broken;
        let found = CsharpLiteral { content, has_escapes, is_plain, place, is_own, is_certain };
        self.literals.push(found);
    }

    fn leave(&mut self, _: Node<'a>) {}
}

impl<'a> Finder<'a> {
    /// The member of a class around something.
    fn member(&self, around: &[Step<'a>]) -> Option<Node<'a>> {
        let list = around.iter().rposition(|step| step.node.kind() == "declaration_list")?;
        Some(around.get(list + 1)?.node)
    }

    fn is_own(&self, around: &[Step<'a>]) -> bool {
        let mut classes = around.iter().filter(|step| CLASSES.contains(&step.node.kind()));
        let (Some(class), None) = (classes.next(), classes.next()) else { return false };
        let name = class.node.child_by_field_name("name");
        name.is_some_and(|name| self.tree.text_of(name) == self.stem)
    }

    fn place(&self, literal: Node<'a>, around: &[Step<'a>]) -> CsharpPlace {
        let mut above = around.iter().rev().map(|step| step.node);
        let mut below = literal;
        let mut parent = above.next();
        while let Some(found) = parent.filter(|node| node.kind() == "parenthesized_expression") {
            below = found;
            parent = above.next();
        }
        let Some(parent) = parent else { return CsharpPlace::Other };
        match parent.kind() {
            "argument" => {
                let (Some(list), Some(call)) = (above.next(), above.next()) else {
                    return CsharpPlace::Other;
                };
                self.argument(parent, list, call)
            }
            "binary_expression" => {
                let operator = parent.child_by_field_name("operator");
                match operator.map_or("", |operator| operator.kind()) {
                    "==" | "!=" => CsharpPlace::Compared,
                    "??" => CsharpPlace::Other,
                    _ => CsharpPlace::Part,
                }
            }
            "constant_pattern" | "case_switch_label" => CsharpPlace::Compared,
            "interpolation" | "interpolated_string_expression" => CsharpPlace::Part,
            // `"…".Format(x)`
            "member_access_expression" | "element_access_expression" => CsharpPlace::Part,
            "assignment_expression" if parent.child_by_field_name("left") != Some(below) => {
                let operator = parent.child_by_field_name("operator");
                match operator.is_some_and(|operator| operator.kind() == "+=") {
                    true => CsharpPlace::Part,
                    false => CsharpPlace::Other,
                }
            }
            _ => CsharpPlace::Other,
        }
    }

    fn argument(&self, argument: Node<'a>, list: Node<'a>, call: Node<'a>) -> CsharpPlace {
        let index = (0..MOST_ARGUMENTS).find(|index| list.named_child(*index) == Some(argument));
        let Some(index) = index else { return CsharpPlace::Other };
        match call.kind() {
            "object_creation_expression" => {
                let class = call.child_by_field_name("type");
                let class = class.map_or("", |class| last_name(self.tree.text_of(class)));
                CsharpPlace::Created { class: class.to_owned() }
            }
            "invocation_expression" => {
                let Some(function) = call.child_by_field_name("function") else {
                    return CsharpPlace::Other;
                };
                let (receiver, name) = match function.kind() {
                    "member_access_expression" => {
                        let receiver = function.child_by_field_name("expression");
                        let receiver = receiver.map(|receiver| self.receiver(receiver));
                        (receiver, function.child_by_field_name("name"))
                    }
                    // `x?.GetNode("…")`
                    "conditional_access_expression" => {
                        let last = function.named_child_count().saturating_sub(1);
                        let binding = function.named_child(last as u32);
                        let condition = function.child_by_field_name("condition");
                        let receiver = condition.unwrap_or(function).byte_range();
                        let name = binding.and_then(|found| found.child_by_field_name("name"));
                        (Some(Receiver::Other(receiver)), name)
                    }
                    _ => (None, Some(function)),
                };
                let Some(name) = name else { return CsharpPlace::Other };
                let name = without_types(self.tree.text_of(name));
                CsharpPlace::Argument { function: name.to_owned(), receiver, index }
            }
            _ => CsharpPlace::Other,
        }
    }

    fn receiver(&self, receiver: Node<'a>) -> Receiver {
        let text = self.tree.text_of(receiver);
        let own = text.strip_prefix("this.").unwrap_or(text);
        match own {
            "this" | "base" => return Receiver::Itself,
            "Owner" => return Receiver::Owner,
            _ => {}
        }
        let call = || {
            let function = receiver.child_by_field_name("function")?;
            let function = self.tree.text_of(function);
            let function = without_types(function.strip_prefix("this.").unwrap_or(function));
            let arguments = receiver.child_by_field_name("arguments")?;
            match (function, arguments.named_child_count()) {
                ("GetParent", 0) => Some(Receiver::Parent),
                ("GetOwner", 0) => Some(Receiver::Owner),
                ("GetNode" | "GetNodeOrNull", 1) => {
                    let literal = arguments.named_child(0)?.named_child(0)?;
                    let span = span_of(literal);
                    let is_plain = literal.kind() == "string_literal";
                    is_plain.then(|| Receiver::Node(Span::new(span.start + 1, span.end - 1)))
                }
                _ => None,
            }
        };
        let call = if receiver.kind() == "invocation_expression" { call() } else { None };
        call.unwrap_or_else(|| Receiver::Other(receiver.byte_range()))
    }
}

/// `GetNode` of `GetNode<Type>`.
fn without_types(name: &str) -> &str {
    name.split('<').next().unwrap_or(name).trim_end()
}

fn last_name(name: &str) -> &str {
    name.rsplit('.').next().unwrap_or(name)
}

#[cfg(test)]
mod tests;
