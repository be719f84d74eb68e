//! The roles of identifiers.

use godot_tscn::Span;

use crate::script::source::walk::{Frame, Walk};
use crate::script::source::{Declared, Name, Role, ScriptSource, span_of};

impl ScriptSource<'_> {
    pub(super) fn add_name(&mut self, walk: &Walk<'_>, frame: &Frame<'_>) {
        let span = span_of(frame.node);
        if matches!(self.text_of(span), "self" | "super") {
            return;
        }
        let Some(parent) = walk.up(0).copied() else { return };
        let is_callee = matches!(parent.kind, "call" | "attribute_call" | "base_call");
        let is_called =
            (is_callee && frame.index == 0) || matches!(frame.kind, "setter" | "getter");
        let role = match frame.kind {
            "name" => declared(&parent).map_or(Role::Unread, Role::Declares),
            "setter" | "getter" => Role::Bare,
            _ => role(walk, frame, &parent),
        };
        if let Role::Declares(Declared::Local | Declared::Parameter) = role {
            self.note_local(walk, &parent, span);
        }
        let class = match role {
            // The name of a class inside another is known where that one is.
            Role::Declares(Declared::Class) => {
                self.classes[frame.class as usize].parent.unwrap_or_default()
            }
            _ => frame.class,
        };
        self.names.push(Name { span, role, is_called, class, is_certain: role != Role::Unread });
    }

    /// A local is known from behind its declaration on (`GDScriptParser::parse_identifier`,
    /// modules/gdscript/gdscript_parser.cpp, Godot 4.6.3).
    fn note_local(&mut self, walk: &Walk<'_>, parent: &Frame<'_>, name: Span) {
        let end_of = |field: &str| {
            parent
                .node
                .child_by_field_name(field)
                .map(|found| Span::new(found.start_byte() as u32, found.end_byte() as u32))
        };
        let known = match parent.kind {
            "for_statement" => end_of("body"),
            "pattern_binding" => {
                let section = (0..)
                    .map_while(|steps| walk.up(steps))
                    .find(|frame| frame.kind == "pattern_section");
                section.map(|section| Span::new(name.end, section.node.end_byte() as u32))
            }
            "variable_statement" | "const_statement" => {
                parent.block_end.map(|end| Span::new(parent.node.end_byte() as u32, end))
            }
            _ => Some(Span::new(name.end, parent.function_end.max(name.end))),
        };
        let Some(known) = known.filter(|known| known.start <= known.end) else { return };
        let local = Local { known, declaration: name.start };
        let text = &self.text[name.range()];
        self.locals.entry_ref(text).or_default().push(local);
    }

    /// Separates names of locals from those of members, when all are known.
    pub(super) fn resolve_locals(&mut self) {
        let mut names = std::mem::take(&mut self.names);
        for name in &mut names {
            // A call never means a local.
            if name.role != Role::Bare || name.is_called {
                continue;
            }
            match self.local_at(name.span, self.text_of(name.span)) {
                Some(Ok(declaration)) => name.role = Role::Local { declaration },
                Some(Err(TooMany)) => name.is_certain = false,
                None => {}
            }
        }
        self.names = names;
    }

    /// Where the local `name` is declared that is known at a place.
    pub fn local_at(&self, place: Span, name: &str) -> Option<Result<u32, TooMany>> {
        let locals = self.locals.get(name)?;
        let before = locals.partition_point(|local| local.declaration < place.start);
        let mut around = locals[..before].iter().rev().take(MOST_LOCALS);
        if let Some(local) = around.find(|local| local.known.contains(place)) {
            return Some(Ok(local.declaration));
        }
        (before > MOST_LOCALS).then_some(Err(TooMany))
    }
}

/// Where a local is known, and where it is declared.
#[derive(Debug)]
pub(super) struct Local {
    known: Span,
    declaration: u32,
}

/// There are more locals of one name than are gone through.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooMany;

/// At most this number of locals with one name is checked, from the nearest on: a file may consist
/// of them.
const MOST_LOCALS: usize = 4096;

fn declared(parent: &Frame<'_>) -> Option<Declared> {
    let is_local = parent.block_end.is_some();
    Some(match parent.kind {
        "class_name_statement" => Declared::ClassName,
        "variable_statement" | "const_statement" if is_local => Declared::Local,
        "variable_statement" | "export_variable_statement" | "onready_variable_statement" => {
            Declared::Variable
        }
        "const_statement" => Declared::Constant,
        "signal_statement" => Declared::Signal,
        "function_definition" => Declared::Function,
        "lambda" => Declared::Lambda,
        "class_definition" => Declared::Class,
        "enum_definition" => Declared::Enum,
        _ => return None,
    })
}

fn role(walk: &Walk<'_>, frame: &Frame<'_>, parent: &Frame<'_>) -> Role {
    let is_first = frame.index == 0;
    match parent.kind {
        "parameters" | "variadic_parameter" => return Role::Declares(Declared::Parameter),
        "typed_parameter" | "default_parameter" | "typed_default_parameter" if is_first => {
            return Role::Declares(Declared::Parameter);
        }
        "for_statement" if frame.field == Some("left") => return Role::Declares(Declared::Local),
        "pattern_binding" => return Role::Declares(Declared::Local),
        "enumerator" if is_first => {
            let is_named =
                walk.up(2).is_some_and(|found| found.node.child_by_field_name("name").is_some());
            let declared = if is_named { Declared::ValueOfEnum } else { Declared::EnumValue };
            return Role::Declares(declared);
        }
        "annotation" if is_first => return Role::Annotation,
        "pair" if is_first && parent.node.child(1).is_some_and(|sign| sign.kind() == "=") => {
            return Role::Key;
        }
        "base_call" if is_first => return Role::OfBase,
        _ => {}
    }
    let receiver = match parent.kind {
        "attribute" if !is_first => walk.receivers.get(&frame.node.start_byte()),
        "attribute_call" | "attribute_subscript" if is_first => {
            walk.receivers.get(&parent.node.start_byte())
        }
        _ => None,
    };
    match (receiver, frame.is_in_type) {
        (Some(found), is_in_type) if found.is_type || is_in_type => {
            Role::TypeAttribute { receiver: found.span }
        }
        (Some(found), _) => Role::Attribute { receiver: found.span },
        (None, true) => Role::Type,
        (None, false) => Role::Bare,
    }
}
