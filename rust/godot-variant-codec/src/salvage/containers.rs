//! Containers that keep what is whole in them.

use godot_variant::{
    Array, ContainerType, Dictionary, Object, RefusalKind, Segment, Shape, Value, VariantType,
};

use super::Salvager;
use crate::decode::ObjectHead;
use crate::error::{DecodeError, DecodeErrorKind};
use crate::header;

/// How long a name may be that is repeated in the path of each issue.
const SHORT_LEN: usize = 256;

/// Whether a key may be repeated in the path of each issue.
fn is_short(key: &Value) -> bool {
    match key {
        Value::String(text) | Value::StringName(text) => text.len() <= SHORT_LEN,
        key => !matches!(
            key.variant_type().shape(),
            Shape::Compound | Shape::Container | Shape::Packed
        ),
    }
}

impl Salvager<'_> {
    pub(super) fn array(&mut self, header: u32, depth: usize, start: usize) -> Option<Value> {
        let what = VariantType::Array;
        let element_type = self.declared(what, header, header::ARRAY_ELEMENT_SHIFT)?;
        let (declared, count) = self.counts(what, 4)?;
        if let Err(error) = self.decoder.open(depth, count, start) {
            return self.step_over(error, depth, start);
        }
        let mut elements = Vec::new();
        for index in 0..count {
            let at = self.decoder.offset();
            let element = self.inside(depth, || Segment::Index(index));
            elements.extend(element.filter(|element| {
                let step = Segment::Index(index);
                self.is_declared("element", &element_type, element, at, step)
            }));
            if self.is_lost {
                self.end_early(if count < declared { 0 } else { count - index - 1 });
                break;
            }
        }
        self.is_lost |= count < declared;
        Some(Array { element_type, elements }.into())
    }

    pub(super) fn dictionary(&mut self, header: u32, depth: usize, start: usize) -> Option<Value> {
        let what = VariantType::Dictionary;
        let key_type = self.declared(what, header, header::DICTIONARY_KEY_SHIFT)?;
        let value_type = self.declared(what, header, header::DICTIONARY_VALUE_SHIFT)?;
        let (declared, count) = self.counts(what, 8)?;
        if let Err(error) = self.decoder.open(depth, count, start) {
            return self.step_over(error, depth, start);
        }
        let mut dictionary = Dictionary::typed(key_type, value_type);
        for index in 0..count {
            let at = self.decoder.offset();
            if let Some((key, value)) = self.entry(depth, index)
                && self.is_declared("key", &dictionary.key_type, &key, at, Segment::EntryKey(index))
                && self.is_declared(
                    "value",
                    &dictionary.value_type,
                    &value,
                    at,
                    Segment::EntryKey(index),
                )
            {
                dictionary.insert(key, value);
            }
            if self.is_lost {
                self.end_early(if count < declared { 0 } else { count - index - 1 });
                break;
            }
        }
        self.is_lost |= count < declared;
        Some(dictionary.into())
    }

    /// The entry number `index`. A key counts only if all of it is whole: a part of it is another key.
    fn entry(&mut self, depth: usize, index: usize) -> Option<(Value, Value)> {
        let found = self.found();
        let key = self.inside(depth, || Segment::EntryKey(index));
        if self.is_lost {
            return None;
        }
        let key = key.filter(|_| self.found() == found);
        let value = self.inside(depth, || match &key {
            Some(key) if is_short(key) => Segment::Key(key.clone()),
            _ => Segment::EntryKey(index),
        });
        Some((key?, value?))
    }

    pub(super) fn object(&mut self, header: u32, depth: usize, start: usize) -> Option<Value> {
        let (class, count) = match self.decoder.object_head(header, start) {
            Ok(ObjectHead::Null) => return Some(Value::Object(Object::Null.into())),
            Ok(ObjectHead::Id(id)) => return Some(Value::Object(Object::Id(id).into())),
            Ok(ObjectHead::Full { class, property_count }) => (class.into(), property_count),
            Err(error) => return self.step_over(error, depth, start),
        };
        if let Err(error) = self.decoder.open(depth, count, start) {
            return self.step_over(error, depth, start);
        }
        let mut properties = Vec::new();
        for index in 0..count {
            let name: Box<str> = match self.decoder.str(VariantType::Object) {
                Ok(name) => name.into(),
                Err(error) => {
                    self.lose::<()>(error.at(Segment::EntryKey(index)));
                    break;
                }
            };
            let value = self.inside(depth, || match name.len() {
                ..=SHORT_LEN => Segment::Property(name.clone()),
                _ => Segment::EntryKey(index),
            });
            properties.extend(value.map(|value| (name, value)));
            if self.is_lost {
                self.end_early(count - index - 1);
                break;
            }
        }
        Some(Value::Object(Object::Full { class, properties }.into()))
    }

    /// A value inside of a container at `depth`; its issues get the step to it.
    fn inside(&mut self, depth: usize, step: impl FnOnce() -> Segment) -> Option<Value> {
        let known = self.issues.len();
        self.depth = depth + 1;
        let value = self.value(depth + 1);
        self.depth = depth;
        if self.issues.len() > known {
            let step = step();
            let inner: Vec<DecodeError> = self.issues.drain(known..).collect();
            self.issues.extend(inner.into_iter().map(|issue| issue.at(step.clone())));
        }
        value
    }

    /// Whether a typed container may hold `value`, by its type; reports it if not. The engine compares classes and scripts.
    fn is_declared(
        &mut self,
        part: &'static str,
        declared: &ContainerType,
        value: &Value,
        at: usize,
        step: Segment,
    ) -> bool {
        let expected = match declared {
            ContainerType::Any => return true,
            ContainerType::Builtin(ty) => *ty,
            ContainerType::Class(_) | ContainerType::Script(_) => VariantType::Object,
        };
        let found = value.variant_type();
        let is_null = found == VariantType::Nil && expected == VariantType::Object;
        let is_taken = found == expected || is_null;
        if !is_taken {
            let (declared, found) = (expected.to_string(), found.to_string());
            let kind = RefusalKind::WrongElementType { part, declared, found };
            self.report(DecodeError::new(DecodeErrorKind::Refused(kind), at).at(step));
        }
        is_taken
    }

    /// What a container's elements are declared to be; anything, where that cannot be read and the elements can.
    fn declared(&mut self, what: VariantType, header: u32, shift: u32) -> Option<ContainerType> {
        match self.decoder.container_type(what, header, shift) {
            Ok(declared) => Some(declared.to_owned()),
            Err(error) => match error.kind() {
                DecodeErrorKind::UnknownElementType { .. }
                | DecodeErrorKind::InvalidUtf8
                | DecodeErrorKind::TextTooLong { .. } => {
                    self.report(error);
                    Some(ContainerType::Any)
                }
                _ => self.lose(error),
            },
        }
    }

    /// How many elements a container declares, and how many of them may be there.
    fn counts(&mut self, what: VariantType, element_len: usize) -> Option<(usize, usize)> {
        let count_at = self.at();
        let declared = match self.decoder.cursor().take_u32() {
            Ok(count) => (count & !header::COUNT_SHARED) as usize,
            Err(error) => return self.lose(error),
        };
        Some((declared, self.count_there(what, declared, element_len, count_at)))
    }

    /// How many issues there were so far.
    fn found(&self) -> usize {
        self.issues.len() + self.more_issues
    }
}
