//! The exported variables that a script certainly uses as soon as its node runs, without a look at whether they are set.

use godot_tscn::Span;
use tree_sitter::Node;

use super::{Declared, Role, ScriptSource, span_of};

/// An exported variable that a script needs, or says something about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Need {
    /// The variable.
    pub name: String,
    /// Why it is needed.
    pub reason: NeedReason,
}

/// Why an exported variable is needed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NeedReason {
    /// The comment above the variable contains `@required`.
    Required,
    /// The function uses a member of the variable's object, at a line that counts from 1.
    UsedIn {
        /// `_ready`
        function: String,
        /// Where it is used.
        at: Span,
    },
}

/// The functions that Godot calls without anything that could set a variable before, in the order of the calls.
const CALLED_FIRST: &[&str] = &["_enter_tree", "_ready"];
/// And those that it calls in each frame, unless a script switches them off.
const CALLED_IN_FRAMES: &[(&str, &str)] =
    &[("_process", "set_process"), ("_physics_process", "set_physics_process")];

impl ScriptSource<'_> {
    /// Which of some exported variables of the script itself it needs. One with `@optional` in the comment above it is never
    /// needed.
    pub fn needs<'n>(&self, names: impl Iterator<Item = &'n str>) -> Vec<Need> {
        let mut needs = Vec::new();
        for name in names {
            let marks = self.comment_above(name);
            let has = |mark: &str| {
                marks.split(|c: char| c != '@' && !c.is_alphanumeric()).any(|word| word == mark)
            };
            let reason = if has("@optional") {
                None
            } else if has("@required") {
                Some(NeedReason::Required)
            } else if self.may_be_set(name) {
                None
            } else {
                self.first_use(name)
            };
            needs.extend(reason.map(|reason| Need { name: name.to_owned(), reason }));
        }
        needs
    }

    /// The comment lines right above the declaration of a variable, and behind it.
    fn comment_above(&self, name: &str) -> String {
        let declared = self.names().iter().find(|found| {
            found.role == Role::Declares(Declared::Variable)
                && found.class == 0
                && self.text_of(found.span) == name
        });
        let Some(declared) = declared else { return String::new() };
        let at = declared.span.start as usize;
        let start = self.text()[..at].rfind('\n').map_or(0, |end| end + 1);
        let mut lines: Vec<&str> = Vec::new();
        for line in self.text()[..start].lines().rev().map(str::trim) {
            // Annotations may have lines of their own.
            match line.starts_with('#') {
                true => lines.push(line),
                false if line.starts_with('@') && !line.contains(" var ") => {}
                false => break,
            }
        }
        let own = self.text()[at..].lines().next().unwrap_or_default();
        lines.extend(own.split_once('#').map(|(_, comment)| comment));
        lines.join("\n")
    }

    /// Whether the script has an accessor for a variable, or sets it somewhere.
    fn may_be_set(&self, name: &str) -> bool {
        self.names().iter().filter(|found| self.text_of(found.span) == name).any(|found| {
            let after = self.text().get(found.span.end as usize..).unwrap_or_default().trim_start();
            match found.role {
                Role::Declares(Declared::Variable) if found.class == 0 => {
                    self.has_accessor(found.span)
                }
                Role::Declares(_) | Role::Local { .. } => true,
                _ => !found.is_certain || is_assignment(after),
            }
        })
    }

    fn has_accessor(&self, name: Span) -> bool {
        let mut node = self
            .tree()
            .root_node()
            .descendant_for_byte_range(name.start as usize, name.end as usize);
        while let Some(found) = node {
            if found.kind().ends_with("variable_statement") {
                return found.child_by_field_name("setget").is_some()
                    || found.child_by_field_name("value").is_some();
            }
            node = found.parent();
        }
        true
    }

    fn first_use(&self, name: &str) -> Option<NeedReason> {
        let in_frames = CALLED_IN_FRAMES
            .iter()
            .filter(|(_, switch)| {
                !self.text().contains(switch) && !self.text().contains("process_mode")
            })
            .map(|(function, _)| *function);
        let mut functions = CALLED_FIRST.iter().copied().chain(in_frames);
        functions.find_map(|function| {
            let at = self.use_in(self.function(function)?, name)?;
            Some(NeedReason::UsedIn { function: function.to_owned(), at })
        })
    }

    /// The body of a function of the script itself.
    fn function(&self, name: &str) -> Option<Node<'_>> {
        let root = self.tree().root_node();
        let mut cursor = root.walk();
        let functions =
            root.named_children(&mut cursor).filter(|node| node.kind() == "function_definition");
        let mut named = functions.filter(|node| {
            node.child_by_field_name("name")
                .is_some_and(|found| self.text_of(span_of(found)) == name)
        });
        named.next()?.child_by_field_name("body").filter(|body| !body.has_error())
    }

    /// Where a body certainly uses a member of the object in a variable: in a statement that runs whenever the function does.
    fn use_in(&self, body: Node<'_>, name: &str) -> Option<Span> {
        let mut cursor = body.walk();
        for statement in body.named_children(&mut cursor) {
            let span = span_of(statement);
            let mut mentions = self.names().iter().filter(|found| {
                span.contains(found.span)
                    && self.text_of(found.span) == name
                    && found.role == Role::Bare
            });
            let is_plain =
                matches!(statement.kind(), "expression_statement" | "variable_statement");
            if let Some(first) = mentions.next() {
                return Some(first.span).filter(|at| is_plain && is_member_used(statement, *at));
            }
            // What comes then may not run, or run later.
            if contains(statement, &["return_statement", "await_expression"]) {
                return None;
            }
        }
        None
    }
}

/// Whether `name` at a span of a statement is `name.member`, and nothing around it decides whether it runs.
fn is_member_used(statement: Node<'_>, name: Span) -> bool {
    let found = statement.descendant_for_byte_range(name.start as usize, name.end as usize);
    let Some(mut node) = found else { return false };
    let is_receiver = node.parent().is_some_and(|parent| {
        parent.kind() == "attribute"
            && parent.named_child(0) == Some(node)
            && parent.named_child_count() > 1
    });
    while node != statement {
        let Some(parent) = node.parent() else { return false };
        if matches!(parent.kind(), "lambda" | "conditional_expression" | "await_expression")
            || parent.kind() == "binary_operator" && is_lazy(parent)
        {
            return false;
        }
        node = parent;
    }
    is_receiver
}

/// Whether an operator may leave out its right side, or asks about its left one.
fn is_lazy(operator: Node<'_>) -> bool {
    let op = operator.child_by_field_name("op");
    op.is_none_or(|op| {
        matches!(op.kind(), "and" | "or" | "&&" | "||" | "==" | "!=" | "is" | "as" | "in")
    })
}

fn contains(node: Node<'_>, kinds: &[&str]) -> bool {
    let mut cursor = node.walk();
    loop {
        if kinds.contains(&cursor.node().kind()) {
            return true;
        }
        if cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return false;
            }
        }
    }
}

/// Whether a text begins with `=` or an operator that assigns.
pub(crate) fn is_assignment(after: &str) -> bool {
    let rest = after.trim_start_matches(|c| "+-*/%&|^<>".contains(c));
    rest.starts_with('=') && !(rest.len() == after.len() && rest.starts_with("=="))
}
