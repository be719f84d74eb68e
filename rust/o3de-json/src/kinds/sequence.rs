//! The growing containers (BasicContainerSerializer.cpp, UnorderedSetSerializer.cpp).

use std::collections::HashSet;

use godot_variant::{Array, ContainerType, Value, VariantType};

use super::packed::StreamedPacked;
use super::unsupported;
use crate::load::load_value;
use crate::run::Run;
use crate::schema::SequenceKind;
use crate::store::{Step, misfit, store_value};
use crate::streaming::{Builder, Child, StreamReader, Streamed};
use crate::{Json, Kind, Outcome, ResultCode, Schema, Task, compare};

pub(crate) fn load(
    run: &mut Run<'_>,
    kind: SequenceKind,
    item: &Schema,
    target: &mut Value,
    json: &Json,
) -> ResultCode {
    let Json::Array(elements) = json else {
        return unsupported(run, json, "container: write an array");
    };
    let mut array = match std::mem::take(target) {
        Value::Array(array) => *array,
        _ => Array::default(),
    };
    let mut code = ResultCode::started(Task::ReadField);
    if run.settings.clear_containers && !array.elements.is_empty() {
        array.elements.clear();
        code.add(run.success(Task::Clear));
    }
    let known_count = array.elements.len();
    let is_set = matches!(kind, SequenceKind::Set | SequenceKind::UnorderedSet);
    let mut known: HashSet<Value> =
        if is_set { array.elements.iter().cloned().collect() } else { HashSet::new() };
    for (index, element) in elements.iter().enumerate() {
        if matches!(kind, SequenceKind::FixedVector(capacity) if array.elements.len() >= capacity) {
            let message = "the container is full: the elements from here on are left out";
            code.add(run.at(index, |run| run.report(Task::ReadField, Outcome::Skipped, message)));
            break;
        }
        let mut value = fresh(run, item, element);
        let step = run.at(index, |run| load_value(run, item, &mut value, element));
        if step.is_halted() {
            code.add(step);
            break;
        }
        if !step.is_refused() && is_set && !known.insert(value.clone()) {
            // That the element was read does not count: there is nothing of it.
            let message = "the set has this element already: remove it";
            code.add(
                run.at(index, |run| run.report(Task::ReadField, Outcome::Unavailable, message)),
            );
            continue;
        }
        code.add(step);
        if !step.is_refused() {
            array.elements.push(value);
        }
    }
    let has_more = array.elements.len() > known_count;
    *target = array.into();
    of_container(run, code, has_more)
}

/// The code of a container of which the parts gave `code`. With more elements than before it is not its default, even if
/// each element is one.
pub(crate) fn of_container(run: &Run<'_>, code: ResultCode, has_more: bool) -> ResultCode {
    let success = run.success(Task::ReadField);
    if has_more {
        code.combine(success)
    } else if code.has_done_work() {
        code
    } else {
        success
    }
}

/// A new element. The default of a record is made by the record, of what its JSON leaves out.
pub(crate) fn fresh(run: &Run<'_>, schema: &Schema, json: &Json) -> Value {
    let is_lazy =
        matches!(schema, Schema { kind: Kind::Record(_), default: None, variant_type: None, .. });
    match json {
        Json::Object(members) if is_lazy && !members.is_empty() => Value::Nil,
        _ => schema.default_value(run.registry),
    }
}

pub(crate) fn store(
    run: &mut Run<'_>,
    kind: SequenceKind,
    item: &Schema,
    value: &Value,
    default: Option<&Value>,
) -> Step {
    let Value::Array(array) = value else {
        return misfit(run, value, &Kind::Sequence(kind, Box::new(item.clone())));
    };
    if array.elements.is_empty() {
        return empty(run, default.is_some_and(|default| default == value));
    }
    let item_default = default.map(|_| item.default_value(run.registry));
    let mut code = ResultCode::started(Task::WriteValue);
    let mut elements = Vec::with_capacity(array.elements.len());
    for (index, element) in array.elements.iter().enumerate() {
        let (json, step) =
            run.at(index, |run| store_value(run, item, element, item_default.as_ref()));
        code.add(step);
        if step.is_halted() {
            break;
        }
        elements.push(json);
    }
    if !matches!(kind, SequenceKind::Array | SequenceKind::FixedVector(_)) {
        elements.sort_by(compare);
    }
    (Json::Array(elements), of_stored_container(run, code, default))
}

/// An empty container: `{}` if that is the default, otherwise `[]`, for maps too.
pub(crate) fn empty(run: &Run<'_>, is_default: bool) -> Step {
    if is_default {
        (Json::explicit_default(), run.defaults_used(Task::WriteValue))
    } else {
        (Json::Array(Vec::new()), run.success(Task::WriteValue))
    }
}

/// The code of a stored container with elements, of which the parts gave `code`: it is not its default.
pub(crate) fn of_stored_container(
    run: &Run<'_>,
    code: ResultCode,
    default: Option<&Value>,
) -> ResultCode {
    if default.is_some() { code.combine(run.success(Task::WriteValue)) } else { code }
}

/// The containers of a schema that can be streamed.
pub(crate) enum StreamedSequence {
    Array,
    PackedStrings,
    Packed(StreamedPacked),
}

impl StreamedSequence {
    pub(crate) fn new(schema: &Schema, kind: SequenceKind, item: &Schema) -> Option<Self> {
        if kind != SequenceKind::Array || !begins_empty(schema) {
            return None;
        }
        match schema.variant_type {
            None | Some(VariantType::Array) => Some(Self::Array),
            Some(VariantType::PackedStringArray) if *item == Kind::String.into() => {
                Some(Self::PackedStrings)
            }
            Some(ty) => StreamedPacked::new(ty, item).map(Self::Packed),
        }
    }
}

/// Whether the default of a container has no elements to which others would be added, and no type.
pub(crate) fn begins_empty(schema: &Schema) -> bool {
    match &schema.default {
        None => true,
        Some(Value::Array(array)) => {
            array.elements.is_empty() && array.element_type == ContainerType::Any
        }
        Some(Value::Dictionary(dictionary)) => {
            let types = [&dictionary.key_type, &dictionary.value_type];
            dictionary.is_empty() && types.iter().all(|ty| **ty == ContainerType::Any)
        }
        Some(_) => false,
    }
}

impl<B: Builder> StreamReader<'_, '_, B> {
    pub(crate) fn array(
        &mut self,
        item: &Child<'_, B>,
        place: &mut B::Value,
    ) -> Streamed<ResultCode> {
        self.deeper(|stream, first| {
            let code = stream.elements(item, first)?;
            *place = stream.builder.array(stream.values.drain(first..));
            Ok(code)
        })
    }

    pub(crate) fn packed_strings(
        &mut self,
        item: &Child<'_, B>,
        place: &mut B::Value,
    ) -> Streamed<ResultCode> {
        self.deeper(|stream, first| {
            let code = stream.elements(item, first)?;
            *place = stream.builder.strings(stream.values.drain(first..));
            Ok(code)
        })
    }

    /// Puts the elements of an array behind the other values.
    fn elements(&mut self, item: &Child<'_, B>, first: usize) -> Streamed<ResultCode> {
        let mut code = ResultCode::started(Task::ReadField);
        let mut has_more = self.reader.begin_array()?;
        while has_more {
            let mut element = self.builder.nil();
            code.add(self.value(&item.schema, &item.node, &mut element)?);
            self.values.push(element);
            has_more = self.reader.next_element()?;
        }
        Ok(of_container(&self.run, code, self.values.len() > first))
    }
}
