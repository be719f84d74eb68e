//! The growing containers (BasicContainerSerializer.cpp, UnorderedSetSerializer.cpp).

use std::collections::HashSet;

use variant::{Array, Value};

use super::unsupported;
use crate::load::load_value;
use crate::run::Run;
use crate::schema::SequenceKind;
use crate::store::{Step, misfit, store_value};
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
        code.add(step);
        if step.is_halted() {
            break;
        }
        if step.is_refused() {
            continue;
        }
        if is_set && !known.insert(value.clone()) {
            let message = "the set has this element already: remove it";
            code.add(
                run.at(index, |run| run.report(Task::ReadField, Outcome::Unavailable, message)),
            );
            continue;
        }
        array.elements.push(value);
    }
    *target = array.into();
    if code.has_done_work() { never_all_default(code) } else { run.success(Task::ReadField) }
}

/// A new element. The default of a record is made by the record, of what its JSON leaves out.
pub(crate) fn fresh(run: &Run<'_>, schema: &Schema, json: &Json) -> Value {
    let is_lazy =
        matches!(schema, Schema { kind: Kind::Record(_), default: None, variant_type: None });
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
    (Json::Array(elements), never_all_default(code))
}

/// An empty container: `{}` if that is the default, otherwise `[]`, for maps too.
pub(crate) fn empty(run: &Run<'_>, is_default: bool) -> Step {
    if is_default {
        (Json::explicit_default(), run.defaults_used(Task::WriteValue))
    } else {
        (Json::Array(Vec::new()), run.success(Task::WriteValue))
    }
}

/// That there are elements is no default, even if each of them is.
pub(crate) fn never_all_default(code: ResultCode) -> ResultCode {
    match code.outcome() {
        Outcome::DefaultsUsed => ResultCode::new(code.task(), Outcome::PartialDefaults),
        _ => code,
    }
}
