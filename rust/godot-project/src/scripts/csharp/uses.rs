//! Where scripts in C# name a member of a class, and how certain that is.
//!
//! C# has types everywhere: the name after a `.` is the member only if the type before it is the class or a derived one. Types are
//! known if the texts contain them.

mod declarations;
mod owners;
mod texts;

use std::borrow::Cow;

use godot_tscn::Span;
use hashbrown::HashSet;
use tree_sitter::Node;

use self::owners::Owners;
use super::model::{Model, Place};
use super::syntax::{CsharpTree, span_of};
use super::types::{CsharpTypes, Scope, Typing};
use crate::scripts::uses::MemberKind;

/// A member of a class in C#.
#[derive(Debug)]
pub struct CsharpMember<'n> {
    /// The class, which is called as its file.
    pub class: &'n str,
    /// The classes that extend it, each called as its file.
    pub heirs: HashSet<&'n str>,
    /// The classes that it extends, each called as its file.
    pub bases: HashSet<&'n str>,
    /// The kind of the member.
    pub kind: MemberKind,
    /// The name that it has.
    pub name: &'n str,
    /// The name that it gets.
    pub new_name: &'n str,
    /// Whether a type has the name too.
    pub names_type: bool,
    /// The contents of the other classes of the project.
    pub types: Option<CsharpTypes<'n>>,
}

/// The data in a script on a member.
#[derive(Debug, Default)]
pub struct CsharpUses {
    /// The certain places of its name, and their roles. The new name comes in its place.
    pub certain: Vec<(Span, &'static str)>,
    /// Where it may stand, and why that is not certain.
    pub doubts: Vec<(Span, &'static str)>,
    /// Whether a class that has the member has the new name already.
    pub is_taken: bool,
    /// Whether the class has the member from its base.
    pub is_override: bool,
    /// The interfaces that have a member of this name.
    pub interfaces: Vec<String>,
}

/// The text at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Meaning {
    Certain(&'static str),
    Doubt(&'static str),
    Other,
}

/// The relation of a name in a script to the member.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    /// Its own.
    Itself,
    /// The name of the delegate which declares a signal: `HitEventHandler`.
    Delegate,
    /// The name of the method that Godot's generator makes for a signal: `EmitSignalHit` (`ScriptSignalsGenerator.cs`,
    /// 4.6.3).
    Emitter,
}

const DELEGATE: &str = "EventHandler";
const EMITTER: &str = "EmitSignal";

/// Classes inside each script, which Godot's generator makes, with the names of its members (`ScriptMethodsGenerator.cs`,
/// `ScriptPropertiesGenerator.cs` and `ScriptSignalsGenerator.cs`, 4.6.3).
const NAME_CLASSES: &[(&str, MemberKind)] = &[
    ("PropertyName", MemberKind::Variable),
    ("MethodName", MemberKind::Function),
    ("SignalName", MemberKind::Signal),
];

/// A declaration has at most this number of modifiers and attributes.
const MOST_PARTS: usize = 64;

const DECLARATION: &str = "declaration";
const USE: &str = "use in a script";
const NOT_UNDERSTOOD: &str = "the script cannot be parsed here";
const UNTYPED: &str = "the type of the object is unknown";

impl CsharpMember<'_> {
    /// Looks through the script in the file `stem` + `.cs`; nothing if it cannot be read.
    pub fn uses(&self, text: &[u8], stem: &str) -> Option<CsharpUses> {
        let tree = CsharpTree::parse(text)?;
        let forms = self.forms();
        let names: Vec<&str> = forms.iter().map(|(name, _)| name.as_str()).collect();
        let model = Model::of(&tree, &names)?;
        let finder = Finder::new(self, &model, stem);
        let mut uses = CsharpUses::default();
        for place in &model.places {
            let form = forms.iter().find(|(name, _)| name == place.name).map(|(_, form)| *form);
            let Some(form) = form else { continue };
            let span = self.span(form, place);
            let meaning = match form {
                Form::Delegate => finder.delegate(place),
                Form::Itself | Form::Emitter => finder.meaning(place, form),
            };
            match meaning {
                Meaning::Certain(_) if place.is_broken => {
                    uses.doubts.push((span, NOT_UNDERSTOOD));
                }
                Meaning::Certain(_) if form == Form::Itself && finder.would_be_local(place) => {
                    uses.doubts.push((
                        span,
                        "a local variable or parameter already has the new name here",
                    ));
                }
                Meaning::Certain(what) => {
                    uses.is_override |= what == DECLARATION && finder.is_own_override(place);
                    uses.certain.push((span, what));
                }
                Meaning::Doubt(why) => uses.doubts.push((span, why)),
                // The surroundings of the place may be the part that was not understood.
                Meaning::Other if tree.has_error() => uses.doubts.push((span, NOT_UNDERSTOOD)),
                Meaning::Other => {}
            }
        }
        uses.is_taken = finder.owners.classes().any(|class| self.is_taken_in(&model, class));
        let interfaces = model.classes.iter().filter(|class| class.is_interface);
        let interfaces = interfaces.filter(|class| class.names.contains(self.name));
        uses.interfaces = interfaces.map(|class| class.name.to_owned()).collect();
        Some(uses)
    }

    /// The name that declares it.
    fn declared_name(&self) -> Cow<'_, str> {
        match self.kind {
            MemberKind::Signal => format!("{}{DELEGATE}", self.name).into(),
            _ => self.name.into(),
        }
    }

    /// The names that have to do with the member.
    fn forms(&self) -> Vec<(String, Form)> {
        let mut forms = vec![(self.name.to_owned(), Form::Itself)];
        if self.kind == MemberKind::Signal {
            forms.push((format!("{}{DELEGATE}", self.name), Form::Delegate));
            forms.push((format!("{EMITTER}{}", self.name), Form::Emitter));
        }
        forms
    }

    /// The place of the member's name in a name or text.
    fn span(&self, form: Form, place: &Place<'_>) -> Span {
        let mut span = span_of(place.step.node);
        let length = self.name.len() as u32;
        match (place.step.node.kind(), form) {
            // `@"…"`
            ("verbatim_string_literal", _) => Span::new(span.start + 2, span.end - 1),
            (_, Form::Delegate) => {
                span.end -= DELEGATE.len() as u32;
                Span::new(span.end - length, span.end)
            }
            // Before it may stand an `@`.
            _ => Span::new(span.end - length, span.end),
        }
    }

    fn is_taken_in(&self, model: &Model<'_>, class: usize) -> bool {
        let class = &model.classes[class];
        let has = |name: &str| class.names.contains(name);
        // A member cannot be called as its class.
        class.name == self.new_name
            || has(self.new_name)
            || self.kind == MemberKind::Signal
                && (has(&format!("{}{DELEGATE}", self.new_name))
                    || has(&format!("{EMITTER}{}", self.new_name)))
    }
}

struct Finder<'m, 'a> {
    member: &'m CsharpMember<'m>,
    model: &'m Model<'a>,
    owners: Owners,
    typing: Typing<'m, 'a>,
}

impl<'m, 'a> Finder<'m, 'a> {
    fn new(member: &'m CsharpMember<'m>, model: &'m Model<'a>, stem: &str) -> Self {
        let typing = Typing { model, others: member.types.as_ref(), also: member.class };
        Self { member, model, owners: Owners::new(member, model, stem), typing }
    }

    /// Whether a type is a class with the member.
    fn names(&self, type_name: &str) -> bool {
        self.owners.has_name(self.member, type_name)
    }

    fn has(&self, class: Option<usize>) -> bool {
        class.is_some_and(|class| self.owners.has(class))
    }

    fn meaning(&self, place: &Place<'a>, form: Form) -> Meaning {
        let node = place.step.node;
        if node.kind() != "identifier" {
            return if form == Form::Itself { self.text(place) } else { Meaning::Other };
        }
        let mut step = place.step;
        let mut around = place.around.as_slice();
        // `Jump<int>()`
        if around.first().is_some_and(|parent| parent.node.kind() == "generic_name")
            && node.next_named_sibling().is_some()
        {
            step = around[0];
            around = &around[1..];
        }
        let Some(parent) = around.first() else { return Meaning::Other };
        let above = |index: usize| around.get(index).map_or("", |step| step.node.kind());
        match (parent.node.kind(), step.field) {
            ("variable_declarator", Some("name")) => match above(2) {
                "field_declaration" => self.declaration(place, MemberKind::Variable),
                _ => Meaning::Other,
            },
            ("property_declaration", Some("name")) => self.declaration(place, MemberKind::Variable),
            ("method_declaration", Some("name")) => self.declaration(place, MemberKind::Function),
            ("member_access_expression", Some("name")) => {
                let receiver = parent.node.child_by_field_name("expression");
                receiver.map_or(Meaning::Doubt(UNTYPED), |found| self.of_receiver(found, place))
            }
            ("member_binding_expression", Some("name")) => {
                let access = around.iter().skip(1).map(|step| step.node);
                let access =
                    access.into_iter().find(|node| node.kind() == "conditional_access_expression");
                let receiver = access.and_then(|node| node.child_by_field_name("condition"));
                receiver.map_or(Meaning::Doubt(UNTYPED), |found| self.of_receiver(found, place))
            }
            ("assignment_expression", Some("left")) if above(1) == "initializer_expression" => {
                let created = around.get(2).map(|step| step.node);
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

    /// The name by itself.
    fn bare(&self, place: &Place<'a>) -> Meaning {
        let locals = place.member.map(|member| &self.model.members[member].locals);
        if locals.is_some_and(|locals| locals.contains_key(place.name)) {
            return match self.is_inside(place) {
                true => Meaning::Doubt("a local variable or parameter also has the name"),
                false => Meaning::Other,
            };
        }
        let is_type = || self.model.by_name.contains_key(place.name);
        let parent = place.around.first().map(|step| step.node.kind()).unwrap_or_default();
        // Elsewhere a type has a field of the node around it.
        let may_be_type = place.step.field == Some("expression") || parent.ends_with("pattern");
        if self.is_inside(place) && may_be_type && (self.member.names_type || is_type()) {
            Meaning::Doubt("a type also has the name")
        } else if self.has(place.class) {
            Meaning::Certain(USE)
        } else if self.is_inside(place) {
            Meaning::Doubt("cannot determine which class this name belongs to in an inner class")
        } else {
            Meaning::Other
        }
    }

    /// Whether a class around the place has the member.
    fn is_inside(&self, place: &Place<'a>) -> bool {
        let mut class = place.class;
        while let Some(index) = class {
            if self.owners.has(index) {
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
        if matches!(text, "this" | "base") {
            return is(self.has(place.class));
        }
        let (class, last) = text.rsplit_once('.').unwrap_or(("", text));
        if let Some((_, kind)) = NAME_CLASSES.iter().find(|(name, _)| *name == last) {
            let class = class.rsplit('.').next().unwrap_or(class).trim();
            let is_own = matches!(class, "" | "this" | "base");
            let is_ours = if is_own { self.is_inside(place) } else { self.names(class) };
            return is(*kind == self.member.kind && is_ours);
        }
        let scope = Scope { class: place.class, member: place.member };
        match self.typing.of(receiver, scope) {
            Some(found) => self.of_type(&found),
            None => Meaning::Doubt(UNTYPED),
        }
    }

    fn of_type(&self, type_name: &str) -> Meaning {
        // A parameter of a generic class may be anything.
        let is_parameter = type_name.strip_prefix('T').is_some_and(|rest| {
            rest.is_empty() || rest.starts_with(|letter: char| letter.is_ascii_uppercase())
        });
        if type_name == self.member.class && self.owners.is_ambiguous() {
            Meaning::Doubt("another class has the same name here")
        } else if self.names(type_name) {
            Meaning::Certain(USE)
        } else if is_parameter || matches!(type_name, "dynamic" | "var") {
            Meaning::Doubt(UNTYPED)
        } else {
            Meaning::Other
        }
    }

    /// Whether the new name by itself would mean something local.
    fn would_be_local(&self, place: &Place<'a>) -> bool {
        let is_behind = place.around.first().is_some_and(|parent| {
            matches!(parent.node.kind(), "member_access_expression" | "member_binding_expression")
                && place.step.field == Some("name")
        });
        let is_text = place.step.node.kind() != "identifier";
        let locals = place.member.map(|member| &self.model.members[member].locals);
        !is_behind
            && !is_text
            && locals.is_some_and(|locals| locals.contains_key(self.member.new_name))
    }
}

#[cfg(test)]
mod tests;
