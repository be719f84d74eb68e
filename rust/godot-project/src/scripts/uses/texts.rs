//! Texts and comments that name a member.

use godot_tscn::Span;

use crate::project::FileId;
use crate::script::source::{LiteralKind, StringLiteral, StringPlace};
use crate::scripts::types::{ClassRef, Loaded, Type};
use crate::scripts::uses::calls::naming_call;
use crate::scripts::uses::{FoundUses, Meaning, MemberKind, MemberUses, UNREAD, UNTYPED};

impl MemberUses<'_> {
    /// The text literals that name the member, or may.
    pub(super) fn texts(&self, loaded: &Loaded, file: FileId, found: &mut FoundUses) {
        for literal in loaded.source.strings() {
            let Some(span) = self.name_in(loaded, literal) else { continue };
            match self.meaning_of_text(loaded, file, literal) {
                Meaning::Certain => found.certain.push((span, "name in a text".into())),
                Meaning::Unknown(why) => {
                    let why = format!("a string that may name this {}: {why}", self.kind.word());
                    found.doubts.push((span, why.into()));
                }
                Meaning::No => {}
            }
        }
    }

    /// The place of the name in a literal that is only it, or a path with it: `health:x`, `Enemy:health`.
    fn name_in(&self, loaded: &Loaded, literal: &StringLiteral) -> Option<Span> {
        let source = loaded.source.text_of(literal.content);
        if source == self.name {
            return Some(literal.content);
        }
        let mut start = literal.content.start;
        for part in source.split(':') {
            if part == self.name {
                return Some(Span::new(start, start + part.len() as u32));
            }
            start += part.len() as u32 + 1;
        }
        None
    }

    fn meaning_of_text(&self, loaded: &Loaded, file: FileId, literal: &StringLiteral) -> Meaning {
        if !literal.is_certain {
            return Meaning::Unknown(UNREAD);
        }
        let source = loaded.source.text_of(literal.content);
        let is_all = source == self.name;
        let class = ClassRef { file, class: literal.class };
        match &literal.place {
            StringPlace::Argument { function, receiver, index } => {
                let name = loaded.source.text_of(*function);
                let Some(call) = naming_call(name, *index, self.kind) else {
                    return self.elsewhere(literal, class, is_all);
                };
                // In `health:x`, the name comes first; in other paths it is a part of another object.
                if !is_all && !call.is_path {
                    return Meaning::No;
                }
                if !is_all && !source.starts_with(&format!("{}:", self.name)) {
                    return Meaning::Unknown(UNTYPED);
                }
                let object = match (call.object, receiver) {
                    (None, None) => Type::Object(class),
                    (None, Some(receiver)) => self.types.type_at(loaded, class, *receiver),
                    (Some(object), _) => self.argument(loaded, class, *function, object),
                };
                self.of_type(&object)
            }
            StringPlace::Subscript { receiver } if is_all => {
                match self.types.type_at(loaded, class, *receiver) {
                    // Mostly a dictionary.
                    Type::Unknown if literal.kind == LiteralKind::String => {
                        Meaning::Unknown("it may be the key of a dictionary")
                    }
                    found => self.of_type(&found),
                }
            }
            _ => self.elsewhere(literal, class, is_all),
        }
    }

    /// A text that no known call takes.
    fn elsewhere(&self, literal: &StringLiteral, class: ClassRef, is_all: bool) -> Meaning {
        let is_argument = matches!(literal.place, StringPlace::Argument { .. });
        match (literal.kind, is_all) {
            (LiteralKind::StringName, true) => Meaning::Unknown("cannot determine what it names"),
            (LiteralKind::NodePath, _) => Meaning::Unknown("cannot determine where the path leads"),
            // `"Enemy:health"`, for a path.
            (_, false) => Meaning::Unknown("it may be a path"),
            (_, true) if literal.place == StringPlace::Compared => {
                Meaning::Unknown("cannot determine what it is compared with")
            }
            // As in a list for `_validate_property`.
            (_, true) if !is_argument && self.types.lineage(class).has(self.owner) => {
                Meaning::Unknown("it is in a script that has this member")
            }
            _ => Meaning::No,
        }
    }

    /// The type of an argument of a call.
    fn argument(&self, loaded: &Loaded, class: ClassRef, function: Span, index: usize) -> Type {
        let arguments = loaded
            .node(function)
            .and_then(|name| name.parent())
            .and_then(|call| call.child_by_field_name("arguments"));
        let index = u32::try_from(index).unwrap_or(u32::MAX);
        let argument = arguments.and_then(|arguments| arguments.named_child(index));
        argument.map_or(Type::Unknown, |argument| {
            let span = Span::new(argument.start_byte() as u32, argument.end_byte() as u32);
            self.types.type_at(loaded, class, span)
        })
    }

    /// Links in the documentation: `[method jump]`, `[member Enemy.health]`.
    pub(super) fn comments(&self, loaded: &Loaded, file: FileId, found: &mut FoundUses) {
        let tag = match self.kind {
            MemberKind::Variable => "member ",
            MemberKind::Function => "method ",
            MemberKind::Signal => "signal ",
        };
        for comment in loaded.source.comments() {
            let text = loaded.source.text_of(*comment);
            if !text.starts_with("##") {
                continue;
            }
            for (at, open) in text.match_indices('[') {
                let rest = &text[at + open.len()..];
                let Some(end) = rest.find(['[', ']']).filter(|end| rest[*end..].starts_with(']'))
                else {
                    continue;
                };
                let Some(target) = rest[..end].strip_prefix(tag) else { continue };
                let (class, name) = target.rsplit_once('.').unwrap_or(("", target));
                if name != self.name {
                    continue;
                }
                let scope = ClassRef::of(file);
                let object = match class {
                    "" => Type::Object(scope),
                    class => self.types.type_named(class, scope),
                };
                let end = comment.start + (at + open.len() + end) as u32;
                let span = Span::new(end - name.len() as u32, end);
                match self.of_type(&object) {
                    Meaning::Certain => {
                        found.certain.push((span, "link in the documentation".into()));
                    }
                    Meaning::Unknown(_) => {
                        found
                            .doubts
                            .push((span, "a link in the documentation that may lead to it".into()));
                    }
                    Meaning::No => {}
                }
            }
        }
    }
}
