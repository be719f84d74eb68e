//! Where scripts in C# name a field or property of a class, and how certain that is.
//!
//! C# has types everywhere: what stands behind a `.` is the member only if the type before it is the class or one that extends it.
//! Types are known as far as the text writes them out.

use hashbrown::HashSet;
use tree_sitter::Node;
use tscn::Span;

use super::model::{Model, Place};
use super::syntax::{CsharpTree, span_of};

/// A field or property of a class in C#.
#[derive(Debug)]
pub(crate) struct CsharpMember<'n> {
    /// The class, which is called as its file.
    pub(crate) class: &'n str,
    /// The classes that extend it, each called as its file.
    pub(crate) heirs: HashSet<&'n str>,
    pub(crate) name: &'n str,
    pub(crate) new_name: &'n str,
    /// Whether a type has the name too.
    pub(crate) names_type: bool,
}

/// What a script says of a member.
#[derive(Debug, Default)]
pub(crate) struct CsharpUses {
    /// Where its name certainly stands, and as what.
    pub(crate) certain: Vec<(Span, &'static str)>,
    /// Where it may stand, and why that is not certain.
    pub(crate) doubts: Vec<(Span, &'static str)>,
    /// Whether a class that has the member has the new name already.
    pub(crate) is_taken: bool,
}

/// What stands at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Meaning {
    Certain(&'static str),
    Doubt(&'static str),
    Other,
}

/// Functions of Godot objects that take the name of a property.
const TAKE_NAMES: &[&str] = &["Set", "Get", "SetDeferred", "SetIndexed", "GetIndexed"];

const USE: &str = "use in a script";
const NOT_UNDERSTOOD: &str = "the script is not understood here";
const UNTYPED: &str = "the type of what has it is not known";

impl CsharpMember<'_> {
    /// Looks through a script; nothing if it cannot be read.
    pub(crate) fn uses(&self, text: &[u8]) -> Option<CsharpUses> {
        let tree = CsharpTree::parse(text)?;
        let model = Model::of(&tree, self.name)?;
        let finder = Finder::new(self, &model);
        let mut uses = CsharpUses::default();
        for place in &model.places {
            let span = span_of(place.step.node);
            match finder.meaning(place) {
                Meaning::Certain(_) if place.is_broken => {
                    uses.doubts.push((span, NOT_UNDERSTOOD));
                }
                Meaning::Certain(_) if finder.would_be_local(place) => {
                    uses.doubts.push((span, "something local has the new name here"));
                }
                Meaning::Certain(what) => uses.certain.push((span, what)),
                Meaning::Doubt(why) => uses.doubts.push((span, why)),
                // What is around the place may be what was not understood.
                Meaning::Other if tree.has_error() => uses.doubts.push((span, NOT_UNDERSTOOD)),
                Meaning::Other => {}
            }
        }
        let has_new =
            |(index, _): (usize, &bool)| model.classes[index].names.contains(self.new_name);
        uses.is_taken = finder.has.iter().enumerate().filter(|(_, has)| **has).any(has_new);
        Some(uses)
    }
}

struct Finder<'m, 'a> {
    member: &'m CsharpMember<'m>,
    model: &'m Model<'a>,
    /// Of each class, whether it has the member: the class itself, and those that extend it.
    has: Vec<bool>,
}

impl<'m, 'a> Finder<'m, 'a> {
    fn new(member: &'m CsharpMember<'m>, model: &'m Model<'a>) -> Self {
        let mut finder = Self { member, model, has: vec![false; model.classes.len()] };
        // A class may come before the one that it extends, inside the file.
        for _ in 0..model.classes.len().min(16) {
            for index in 0..model.classes.len() {
                let class = &model.classes[index];
                let is_named = class.parent.is_none()
                    && (class.name == member.class || member.heirs.contains(class.name));
                let has = is_named || class.bases.iter().any(|base| finder.names(base));
                // One that has a member of the name itself hides the other.
                let hides = class.name != member.class && class.names.contains(member.name);
                finder.has[index] = has && !hides;
            }
        }
        finder
    }

    /// Whether a type is a class with the member.
    fn names(&self, type_name: &str) -> bool {
        let classes = self.model.classes.iter().zip(&self.has);
        type_name == self.member.class
            || self.member.heirs.contains(type_name)
            || classes.into_iter().any(|(class, has)| *has && class.name == type_name)
    }

    fn has(&self, class: Option<usize>) -> bool {
        class.is_some_and(|class| self.has[class])
    }

    fn meaning(&self, place: &Place<'a>) -> Meaning {
        let Some(parent) = place.around.first() else { return Meaning::Other };
        let node = place.step.node;
        if node.kind() != "identifier" {
            return self.text(place);
        }
        let above = |index: usize| place.around.get(index).map_or("", |step| step.node.kind());
        match (parent.node.kind(), place.step.field) {
            ("variable_declarator", Some("name")) => match above(2) {
                "field_declaration" => self.declaration(place),
                _ => Meaning::Other,
            },
            ("property_declaration", Some("name")) => self.declaration(place),
            ("member_access_expression", Some("name")) => {
                let receiver = parent.node.child_by_field_name("expression");
                receiver.map_or(Meaning::Doubt(UNTYPED), |found| self.of_receiver(found, place))
            }
            ("member_binding_expression", Some("name")) => {
                let around = place.around.iter().map(|step| step.node);
                let access =
                    around.skip(1).find(|node| node.kind() == "conditional_access_expression");
                let receiver = access.and_then(|node| node.child_by_field_name("condition"));
                receiver.map_or(Meaning::Doubt(UNTYPED), |found| self.of_receiver(found, place))
            }
            ("assignment_expression", Some("left")) if above(1) == "initializer_expression" => {
                let created = place.around.get(2).map(|step| step.node);
                let created = created.and_then(|created| self.model.plain_type(created));
                created.map_or(Meaning::Doubt(UNTYPED), |created| self.of_type(created))
            }
            ("subpattern" | "anonymous_object_creation_expression" | "with_initializer", _)
            | ("qualified_name", Some("name")) => Meaning::Doubt(UNTYPED),
            (_, Some("type" | "returns" | "qualifier"))
            | (
                "type_argument_list" | "base_list" | "generic_name" | "nullable_type"
                | "array_type" | "type_parameter" | "goto_statement" | "labeled_statement"
                | "using_directive",
                _,
            ) => Meaning::Other,
            (_, Some("name")) | ("as_expression" | "is_expression", Some("right")) => {
                Meaning::Other
            }
            _ => self.bare(place),
        }
    }

    fn declaration(&self, place: &Place<'a>) -> Meaning {
        let class = place.class.map(|class| &self.model.classes[class]);
        let Some(class) = class.filter(|class| class.parent.is_none()) else {
            return Meaning::Other;
        };
        if class.name == self.member.class {
            Meaning::Certain("declaration")
        } else if self.member.heirs.contains(class.name) {
            Meaning::Doubt("a class that extends the other one declares the name again")
        } else {
            Meaning::Other
        }
    }

    /// The name by itself.
    fn bare(&self, place: &Place<'a>) -> Meaning {
        let locals = place.member.map(|member| &self.model.members[member].locals);
        if locals.is_some_and(|locals| locals.contains_key(self.member.name)) {
            return match self.is_inside(place) {
                true => Meaning::Doubt("something local has the name too"),
                false => Meaning::Other,
            };
        }
        let is_type = || self.model.classes.iter().any(|class| class.name == self.member.name);
        let parent = place.around.first().map(|step| step.node.kind()).unwrap_or_default();
        // Elsewhere a type has a field of the node around it.
        let may_be_type = place.step.field == Some("expression") || parent.ends_with("pattern");
        if self.is_inside(place) && may_be_type && (self.member.names_type || is_type()) {
            Meaning::Doubt("a type has the name too")
        } else if self.has(place.class) {
            Meaning::Certain(USE)
        } else if self.is_inside(place) {
            Meaning::Doubt("it is not known whose name this is in an inner class")
        } else {
            Meaning::Other
        }
    }

    /// Whether a class around the place has the member.
    fn is_inside(&self, place: &Place<'a>) -> bool {
        let mut class = place.class;
        while let Some(index) = class {
            if self.has[index] {
                return true;
            }
            class = self.model.classes[index].parent;
        }
        false
    }

    /// The name behind a `.`.
    fn of_receiver(&self, receiver: Node<'a>, place: &Place<'a>) -> Meaning {
        let is = |is_ours: bool| if is_ours { Meaning::Certain(USE) } else { Meaning::Other };
        let text = self.model.tree.text_of(receiver);
        match text {
            // A property of C#'s with all names of properties.
            "this" | "base" | "PropertyName" => return is(self.has(place.class)),
            _ => {}
        }
        if let Some(class) = text.strip_suffix(".PropertyName") {
            let class = class.rsplit('.').next().unwrap_or(class).trim();
            return is(
                self.names(class) || matches!(class, "this" | "base") && self.has(place.class)
            );
        }
        if receiver.kind() != "identifier" {
            let type_name = self.model.plain_type(receiver);
            return type_name.map_or(Meaning::Doubt(UNTYPED), |found| self.of_type(found));
        }
        let locals = place.member.map(|member| &self.model.members[member].locals);
        if let Some(local) = locals.and_then(|locals| locals.get(text)) {
            return local.map_or(Meaning::Doubt(UNTYPED), |found| self.of_type(found));
        }
        let field = place.class.and_then(|class| self.model.classes[class].fields.get(text));
        match field {
            Some(field) => self.of_type(field),
            None if self.names(text) => Meaning::Certain(USE),
            None => Meaning::Doubt(UNTYPED),
        }
    }

    fn of_type(&self, type_name: &str) -> Meaning {
        // A parameter of a generic class may be anything.
        let is_parameter = type_name.strip_prefix('T').is_some_and(|rest| {
            rest.is_empty() || rest.starts_with(|letter: char| letter.is_ascii_uppercase())
        });
        if self.names(type_name) {
            Meaning::Certain(USE)
        } else if is_parameter || matches!(type_name, "dynamic" | "var") {
            Meaning::Doubt(UNTYPED)
        } else {
            Meaning::Other
        }
    }

    /// A text that is the name.
    fn text(&self, place: &Place<'a>) -> Meaning {
        let mut around = place.around.iter().map(|step| step.node);
        let kinds = ["string_literal", "argument", "argument_list", "invocation_expression"];
        let call = kinds.iter().map(|kind| around.next().filter(|node| node.kind() == *kind));
        let nodes: Option<Vec<Node<'a>>> = call.collect();
        let is_certain = nodes.is_some_and(|nodes| {
            let is_first = nodes[2].named_child(0) == Some(nodes[1]);
            let function = nodes[3].child_by_field_name("function");
            let function = function.map_or("", |node| self.model.tree.text_of(node));
            let function = function.strip_prefix("this.").unwrap_or(function);
            is_first && TAKE_NAMES.contains(&function) && self.has(place.class)
        });
        match is_certain {
            true => Meaning::Certain("name in a text"),
            false => {
                Meaning::Doubt("a text of this name in C#, which may be meant for something else")
            }
        }
    }

    /// Whether the new name by itself would mean something local.
    fn would_be_local(&self, place: &Place<'a>) -> bool {
        let is_behind = place.around.first().is_some_and(|parent| {
            matches!(parent.node.kind(), "member_access_expression" | "member_binding_expression")
                && place.step.field == Some("name")
        });
        let locals = place.member.map(|member| &self.model.members[member].locals);
        !is_behind && locals.is_some_and(|locals| locals.contains_key(self.member.new_name))
    }
}

#[cfg(test)]
mod tests;
