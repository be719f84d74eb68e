//! Where scripts in C# name a class, and how certain that is.

use godot_tscn::Span;
use tree_sitter::Node;

use super::model::{Local, Model, Place};
use super::syntax::{CsharpTree, span_of};
use super::types::{CsharpTypes, InScope, Scope, Typing};

/// A class in C# that gets another name.
#[derive(Debug)]
pub struct CsharpClass<'n> {
    /// The name that it has.
    pub name: &'n str,
    /// The name that it gets.
    pub new_name: &'n str,
    /// The namespaces around it, with `.` between; nothing if they are unknown.
    pub namespace: Option<String>,
    /// Whether GDScript and resources know it by this name.
    pub is_global: bool,
    /// Whether a class of Godot's has a member of the name.
    pub names_member: bool,
    /// The types of the project, if uses are judged by them.
    pub types: Option<CsharpTypes<'n>>,
}

/// The data in a script on a class.
#[derive(Debug, Default)]
pub struct CsharpClassUses {
    /// The certain places of its name, and their roles.
    pub certain: Vec<(Span, &'static str)>,
    /// Where it may stand, and why that is not certain.
    pub doubts: Vec<(Span, &'static str)>,
    /// Whether a type of the file has the new name already, or the class has a member of this name.
    pub is_taken: bool,
    /// Whether the file declares the class.
    pub is_declared: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Meaning {
    Certain(&'static str),
    Doubt(&'static str),
    Other,
}

const DECLARATION: &str = "declaration of the class";
const TYPE: &str = "name of the class as a type";
const NAME: &str = "name of the class";
const OTHER_TYPE: &str = "another type also has this name";
const OTHER_MEMBER: &str = "this name can also mean something else here";

impl CsharpClass<'_> {
    /// The namespace of the class in a file; nothing if there is no such class, or it is unknown.
    pub fn namespace_in(text: &[u8]) -> Option<String> {
        let tree = CsharpTree::parse(text)?;
        let model = Model::of(&tree, &[])?;
        match model.namespaces.as_slice() {
            [] => Some(String::new()),
            [namespace] => Some((*namespace).to_owned()),
            _ => None,
        }
    }

    /// Looks through the script in the file `stem` + `.cs`; nothing if it cannot be read.
    pub fn uses(&self, text: &[u8], stem: &str) -> Option<CsharpClassUses> {
        let tree = CsharpTree::parse(text)?;
        let names = [self.name];
        let model = Model::of(&tree, &names)?;
        let typing = Typing { model: &model, others: self.types.as_ref(), also: self.name };
        let is_ours = |index: usize| {
            let class = &model.classes[index];
            class.name == self.name
                && class.parent.is_none()
                && (class.is_partial || stem == self.name)
        };
        let is_other = |index: usize| model.classes[index].name == self.name && !is_ours(index);
        let has_other = (0..model.classes.len()).any(is_other);
        let finder = Finder { class: self, model: &model, typing, is_ours: &is_ours, has_other };
        let mut uses = CsharpClassUses::default();
        for place in &model.places {
            let node = place.step.node;
            let end = node.end_byte() as u32;
            // Before a name may stand an `@`.
            let span = match node.kind() {
                "identifier" => Span::new(end - self.name.len() as u32, end),
                "verbatim_string_literal" => Span::new(end - 1 - self.name.len() as u32, end - 1),
                _ => span_of(node),
            };
            match finder.meaning(place) {
                Meaning::Certain(_) if place.is_broken => {
                    uses.doubts.push((span, "the script cannot be parsed here"));
                }
                Meaning::Certain(what) => {
                    uses.is_declared |= what == DECLARATION;
                    uses.certain.push((span, what));
                }
                Meaning::Doubt(why) => uses.doubts.push((span, why)),
                Meaning::Other if tree.has_error() => {
                    uses.doubts.push((span, "the script cannot be parsed here"));
                }
                Meaning::Other => {}
            }
        }
        self.links(&model, &mut uses);
        uses.is_taken = model.by_name.contains_key(self.new_name)
            || (0..model.classes.len())
                .any(|index| is_ours(index) && model.classes[index].names.contains(self.new_name));
        Some(uses)
    }

    /// `<see cref="Enemy"/>` in the documentation.
    fn links(&self, model: &Model<'_>, uses: &mut CsharpClassUses) {
        for comment in &model.comments {
            let text = model.tree.text_of(*comment);
            if !text.starts_with("///") {
                continue;
            }
            for (at, start) in text.match_indices("cref=\"") {
                let rest = &text[at + start.len()..];
                let Some(after) = rest.strip_prefix(self.name) else { continue };
                if after.starts_with(['"', '.', '(']) {
                    let start = (comment.start_byte() + at + start.len()) as u32;
                    let span = Span::new(start, start + self.name.len() as u32);
                    uses.certain.push((span, "link in the documentation"));
                }
            }
        }
    }
}

struct Finder<'m, 'a> {
    class: &'m CsharpClass<'m>,
    model: &'m Model<'a>,
    typing: Typing<'m, 'a>,
    is_ours: &'m dyn Fn(usize) -> bool,
    /// Whether the file declares another type of the name.
    has_other: bool,
}

impl<'a> Finder<'_, 'a> {
    fn meaning(&self, place: &Place<'a>) -> Meaning {
        let node = place.step.node;
        if node.kind() != "identifier" {
            return self.text(place);
        }
        let Some(parent) = place.around.first().map(|step| step.node) else {
            return Meaning::Other;
        };
        match (parent.kind(), place.step.field) {
            ("class_declaration", Some("name")) => match place.class {
                Some(index) if (self.is_ours)(index) => Meaning::Certain(DECLARATION),
                _ => Meaning::Doubt(OTHER_TYPE),
            },
            (
                "struct_declaration"
                | "record_declaration"
                | "interface_declaration"
                | "enum_declaration"
                | "delegate_declaration",
                Some("name"),
            ) => Meaning::Doubt(OTHER_TYPE),
            ("constructor_declaration" | "destructor_declaration", Some("name")) => {
                match place.class {
                    Some(index) if (self.is_ours)(index) => Meaning::Certain(NAME),
                    _ => Meaning::Other,
                }
            }
            ("qualified_name", Some("name")) => {
                self.qualified(parent.child_by_field_name("qualifier"), true)
            }
            ("alias_qualified_name", Some("name")) => {
                self.qualified(parent.child_by_field_name("alias"), true)
            }
            ("member_access_expression", Some("name")) => {
                self.qualified(parent.child_by_field_name("expression"), false)
            }
            ("using_directive", Some("name")) => {
                Meaning::Doubt("an alias for a type, which has the same name")
            }
            ("as_expression" | "is_expression", Some("right"))
            | (_, Some("type" | "returns" | "qualifier"))
            | (
                "type_argument_list"
                | "base_list"
                | "generic_name"
                | "nullable_type"
                | "array_type"
                | "type_parameter_constraint"
                | "using_directive"
                | "explicit_interface_specifier"
                | "tuple_element"
                | "ref_type"
                | "pointer_type",
                _,
            ) => self.as_type(),
            (
                "type_parameter"
                | "goto_statement"
                | "labeled_statement"
                | "attribute"
                | "member_binding_expression"
                | "subpattern"
                | "namespace_declaration"
                | "file_scoped_namespace_declaration"
                | "type_parameter_constraints_clause",
                _,
            )
            | (_, Some("name"))
            | ("foreach_statement" | "assignment_expression", Some("left"))
            | ("invocation_expression", Some("function")) => Meaning::Other,
            _ => self.bare(place, parent),
        }
    }

    fn as_type(&self) -> Meaning {
        if self.has_other { Meaning::Doubt(OTHER_TYPE) } else { Meaning::Certain(TYPE) }
    }

    /// The name behind a `.`, or behind `::`.
    fn qualified(&self, qualifier: Option<Node<'a>>, is_type: bool) -> Meaning {
        let text = qualifier.map_or("", |qualifier| self.model.tree.text_of(qualifier));
        let text = text.strip_prefix("global::").unwrap_or(text);
        let Some(namespace) = &self.class.namespace else {
            return Meaning::Doubt("cannot determine the namespace of the class");
        };
        if text == "global" {
            return if namespace.is_empty() { Meaning::Certain(NAME) } else { Meaning::Other };
        }
        let is_end = namespace.strip_suffix(text);
        let is_namespace =
            !text.is_empty() && is_end.is_some_and(|rest| rest.is_empty() || rest.ends_with('.'));
        match is_namespace {
            true => Meaning::Certain(NAME),
            // A type inside another, or of another namespace; otherwise a member.
            false if is_type && !self.typing.knows(text) => Meaning::Doubt(OTHER_TYPE),
            false => Meaning::Other,
        }
    }

    /// The name by itself in an expression.
    fn bare(&self, place: &Place<'a>, parent: Node<'a>) -> Meaning {
        let is_pattern = parent.kind().ends_with("pattern");
        if self.has_other {
            return Meaning::Doubt(OTHER_TYPE);
        }
        let scope = Scope { class: place.class, member: place.member };
        let locals = place.member.map(|member| &self.model.members[member].locals);
        if let Some(local) = locals.and_then(|locals| locals.get(self.class.name)) {
            return match local {
                // `Enemy Enemy` may stand for both.
                Local::Type(found) if *found != self.class.name && !is_pattern => Meaning::Other,
                _ => Meaning::Doubt(OTHER_MEMBER),
            };
        }
        match self.typing.in_scope(self.class.name, scope) {
            InScope::Type(found) if found != self.class.name && !is_pattern => Meaning::Other,
            InScope::Type(_) | InScope::Untyped => Meaning::Doubt(OTHER_MEMBER),
            InScope::Nothing if self.class.names_member => Meaning::Doubt(OTHER_MEMBER),
            InScope::Nothing if self.is_new_taken(scope) => {
                Meaning::Doubt("the new name already means something else here")
            }
            InScope::Nothing => Meaning::Certain(NAME),
        }
    }

    /// Whether the new name means something else in an expression.
    fn is_new_taken(&self, scope: Scope) -> bool {
        let locals = scope.member.map(|member| &self.model.members[member].locals);
        locals.is_some_and(|locals| locals.contains_key(self.class.new_name))
            || self.typing.in_scope(self.class.new_name, scope) != InScope::Nothing
    }

    /// A text that is the name.
    fn text(&self, place: &Place<'a>) -> Meaning {
        let around = place.around.iter().map(|step| step.node);
        let mut around = around.skip_while(|node| node.kind() == "string_literal");
        let (Some(argument), Some(list), Some(call)) =
            (around.next(), around.next(), around.next())
        else {
            return Meaning::Other;
        };
        if call.kind() != "invocation_expression" || !self.class.is_global {
            return Meaning::Other;
        }
        let function = call.child_by_field_name("function");
        let function = function.map_or("", |function| self.model.type_at(function));
        // `Node::find_children` asks scripts for their names too (scene/main/node.cpp, Godot 4.6.3).
        if function == "FindChildren" && list.named_child(1) == Some(argument) {
            Meaning::Certain("name of the class in `FindChildren`")
        } else if function.contains("Class") || function.contains("CustomType") {
            Meaning::Doubt("a string that may name the class")
        } else {
            Meaning::Other
        }
    }
}

#[cfg(test)]
mod tests;
