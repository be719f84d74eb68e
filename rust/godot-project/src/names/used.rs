//! The texts of scripts that are names.

use std::sync::LazyLock;

use godot_tscn::Span;
use hashbrown::{HashMap, HashSet};

use crate::defined_names::{DEFINERS, Definer};
use crate::names::written::{CallBefore, call_before};
use crate::names::{Call, KINDS, KindOfName, NameKind, Receiver, WhenMissing};
use crate::project::{FileId, Project};
use crate::script::source::{ScriptSource, StringLiteral, StringPlace};
use crate::scripts::made_nodes::{Around, texts};
use crate::scripts::types::{ClassRef, Type, Types};

/// A text of a script that is a name.
#[derive(Clone, Copy, Debug)]
pub struct UsedName<'s> {
    /// What kind of name it is.
    pub kind: &'static NameKind,
    /// The name.
    pub name: &'s str,
    /// The text between the quotes.
    pub span: Span,
    /// What the script does with it.
    pub role: RoleOfName,
    /// The object with the method, where the function may be another one of the same name.
    object: Option<Object>,
}

/// What a script does with a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RoleOfName {
    /// It needs the name.
    Uses,
    /// It only asks whether the name exists.
    Asks,
    /// It defines the name.
    Defines,
}

/// What is before the `.` of a call, in a class of the script; without a receiver, the script's own object.
#[derive(Clone, Copy, Debug)]
struct Object {
    receiver: Option<Span>,
    class: u32,
    /// Whether a script of the project declares a function of the same name.
    is_declared: bool,
}

/// Whether a text is certainly a name: the method belongs to Godot's class and not to a script of the project.
pub fn is_certain(
    project: &Project,
    file: FileId,
    source: &ScriptSource<'_>,
    used: &UsedName<'_>,
) -> bool {
    let Some(object) = used.object else { return true };
    let types = Types::new(project);
    // Types are known of the saved text only.
    let loaded = types.loaded(file).filter(|loaded| loaded.source.text() == source.text());
    let (Some(loaded), Some(receiver)) = (loaded, object.receiver) else { return false };
    let class = ClassRef { file, class: object.class };
    let classes = project.classes();
    // The editor has classes of its own, which the tables lack.
    let is_tool = || project.scripts().script(file).is_none_or(|script| script.is_tool);
    match types.type_at(loaded, class, receiver) {
        Type::Native(native) if object.is_declared || !is_tool() => {
            used.kind.classes.iter().any(|class| classes.inherits(&native, class))
        }
        Type::Object(_) => !object.is_declared,
        _ => false,
    }
}

/// The texts of a script in GDScript that are names, in the order of the text. [`is_certain`] judges those whose function a
/// script of the project declares, too.
pub fn names_in_script<'s>(
    project: &'s Project,
    source: &'s ScriptSource<'_>,
) -> impl Iterator<Item = UsedName<'s>> {
    source.strings().iter().filter_map(move |literal| {
        let name = literal.text.as_deref().filter(|name| literal.is_certain && !name.is_empty())?;
        let StringPlace::Argument { function, receiver, .. } = literal.place else { return None };
        let (kind, role, of) = match call_of(source, literal) {
            Some((kind, call)) => {
                let role = match call.when_missing {
                    WhenMissing::Fails => RoleOfName::Uses,
                    WhenMissing::FailsWithoutDefault => match after_call(source, literal) {
                        Some(_) => RoleOfName::Uses,
                        None => RoleOfName::Asks,
                    },
                    WhenMissing::NullWithoutDefault => match after_call(source, literal) {
                        Some(after) if !is_test(after) => RoleOfName::Uses,
                        _ => RoleOfName::Asks,
                    },
                    WhenMissing::Asks => RoleOfName::Asks,
                };
                (kind, role, call.receiver)
            }
            None => (definition_of(source, literal)?, RoleOfName::Defines, Receiver::Any),
        };
        let is_declared = !is_of_godot(project, kind, source.text_of(function));
        let is_certain = match of {
            Receiver::Singleton(_) | Receiver::OfSelf => true,
            Receiver::Any => !is_declared,
            Receiver::Node => {
                !is_declared && receiver.is_none_or(|receiver| is_node(source.text_of(receiver)))
            }
        };
        let object =
            (!is_certain).then_some(Object { receiver, class: literal.class, is_declared });
        let (name, span) = match kind.id {
            // A path of properties: `position:x`.
            KindOfName::Property => first_of_path(name, literal.content)?,
            _ => (name, literal.content),
        };
        Some(UsedName { kind, name, span, role, object })
    })
}

/// The first property of a path. Classes make those with a `/` while the game runs: `shader_parameter/x`.
fn first_of_path(path: &str, span: Span) -> Option<(&str, Span)> {
    let first = path.split(':').next().filter(|first| !first.is_empty() && !first.contains('/'))?;
    let is_plain = path.len() == span.len() as usize;
    let end = if is_plain { span.start + first.len() as u32 } else { span.end };
    Some((first, Span::new(span.start, end)))
}

/// The calls of the table that take a name as the argument that a text is.
pub(super) fn calls_of(
    before: CallBefore<'_>,
) -> impl Iterator<Item = (&'static NameKind, &'static Call)> {
    let calls = CALLS.get(before.function).into_iter().flatten().copied();
    calls.filter(move |(_, call)| {
        let is_of_it = match call.receiver {
            Receiver::Singleton(singleton) => before.receiver == singleton,
            Receiver::Any | Receiver::Node | Receiver::OfSelf => true,
        };
        is_of_it && call.arguments.contains(&before.index)
    })
}

/// The text between quotes at a place of a script, and the kinds of names that it may be, by a light look.
pub fn kinds_at(script: &[u8], offset: u32) -> Option<(Span, Vec<&'static NameKind>)> {
    let is_before = |around: &Around<'_>| around.start <= offset as usize;
    let (text, around) = texts(script).take_while(|(_, around)| is_before(around)).last()?;
    let span = Span::new(around.start as u32, (around.start + text.len()) as u32);
    let call = call_before(around.before).filter(|_| offset <= span.end)?;
    let takes = |kind: KindOfName| {
        let mut definers = DEFINERS[kind as usize].1.iter();
        calls_of(call).any(|(found, _)| found.id == kind)
            || definers.any(|definer| definer.takes(call.receiver, call.function, call.index))
    };
    Some((span, KINDS.iter().copied().filter(|kind| takes(kind.id)).collect()))
}

/// The texts of a script in GDScript that may be names, by a light look: too many rather than too few, except names that the script
/// asks for. A text with escapes is not the name itself.
pub fn possible_names(script: &[u8]) -> Vec<(KindOfName, &str)> {
    let (mut used, mut asked) = (Vec::new(), HashSet::new());
    for (text, around) in texts(script) {
        let name = std::str::from_utf8(text).unwrap_or_default();
        let Some(before) = call_before(around.before) else { continue };
        for (kind, call) in calls_of(before) {
            let name = match kind.id {
                KindOfName::Property => name.split(':').next().unwrap_or_default(),
                _ => name,
            };
            match call.when_missing {
                WhenMissing::Asks => drop(asked.insert((kind.id, name))),
                _ => used.push((kind.id, name)),
            }
        }
    }
    used.retain(|name| !asked.contains(name));
    used
}

/// The functions of all calls that take names, without those that define them.
pub(crate) fn functions() -> impl Iterator<Item = &'static str> {
    CALLS.keys().copied()
}

/// The functions of all calls that define names.
pub(crate) fn defining_functions() -> impl Iterator<Item = &'static str> {
    DEFINERS.iter().flat_map(|(_, definers)| *definers).map(|definer| definer.function)
}

impl UsedName<'_> {
    /// Whether the function is certainly Godot's.
    pub fn is_of_godot(&self) -> bool {
        self.object.is_none()
    }
}

type Calls = HashMap<&'static str, Vec<(&'static NameKind, &'static Call)>>;

static CALLS: LazyLock<Calls> = LazyLock::new(|| {
    let mut calls = Calls::new();
    for kind in KINDS {
        for call in kind.calls {
            calls.entry(call.function).or_default().push((*kind, call));
        }
    }
    calls
});

fn call_of(
    source: &ScriptSource<'_>,
    literal: &StringLiteral,
) -> Option<(&'static NameKind, &'static Call)> {
    let StringPlace::Argument { function, receiver, index } = &literal.place else { return None };
    let receiver = receiver.map(|receiver| source.text_of(receiver));
    let before = || source.text().get(function.end as usize..literal.span.start as usize);
    let is_of_self = || {
        before().is_some_and(|text| {
            text.split_whitespace().collect::<String>().trim_end_matches(['&', '^']) == "(self,"
        })
    };
    let is_it = |call: &Call| {
        call.arguments.contains(index)
            && match call.receiver {
                Receiver::Any | Receiver::Node => true,
                Receiver::Singleton(singleton) => receiver == Some(singleton),
                Receiver::OfSelf => receiver.is_none() && is_of_self(),
            }
    };
    CALLS.get(source.text_of(*function))?.iter().find(|(_, call)| is_it(call)).copied()
}

fn is_node(receiver: &str) -> bool {
    receiver == "self" || receiver.starts_with(['$', '%'])
}

/// The kind of the name that a call with this text defines.
fn definition_of(source: &ScriptSource<'_>, literal: &StringLiteral) -> Option<&'static NameKind> {
    let StringPlace::Argument { function, receiver, index } = &literal.place else { return None };
    let receiver = receiver.map_or("", |receiver| source.text_of(receiver));
    let function = source.text_of(*function);
    let takes = |definer: &Definer| definer.takes(receiver, function, *index);
    let (kind, _) = DEFINERS.iter().find(|(_, definers)| definers.iter().any(takes))?;
    Some(NameKind::of(*kind))
}

/// Whether a function of this name is certainly Godot's.
fn is_of_godot(project: &Project, kind: &NameKind, function: &str) -> bool {
    // Classes of extensions may play something else.
    let may_be_foreign = kind.id == KindOfName::Animation && project.has_unknown_classes();
    !project.declares_function(function) && !may_be_foreign
}

/// What follows a call, if a text is its last argument.
fn after_call<'s>(source: &'s ScriptSource<'_>, literal: &StringLiteral) -> Option<&'s str> {
    let rest = source.text().get(literal.span.end as usize..).unwrap_or_default();
    Some(rest.trim_start().strip_prefix(')')?.trim_start())
}

/// Whether a value is only tested, by the text after it.
fn is_test(after: &str) -> bool {
    let tests = ["==", "!=", "&&", "||", ":", "is ", "and ", "or ", "else "];
    tests.iter().any(|test| after.starts_with(test))
}
