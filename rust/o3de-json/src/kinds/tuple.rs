//! `tuple` and `pair` (TupleSerializer.cpp).

use godot_variant::{Array, Value};

use super::unsupported;
use crate::load::load_value;
use crate::run::Run;
use crate::store::{Step, misfit, store_value};
use crate::{Json, Kind, Outcome, ResultCode, Schema, Task};

pub(crate) fn load(
    run: &mut Run<'_>,
    items: &[Schema],
    target: &mut Value,
    json: &Json,
) -> ResultCode {
    let (Json::Array(elements), Value::Array(array)) = (json, &mut *target) else {
        return unsupported(
            run,
            json,
            &format!("tuple: write an array of {} elements", items.len()),
        );
    };
    if elements.len() < items.len() && !run.is_doc() {
        let message = format!("the tuple has {} elements: write {}", elements.len(), items.len());
        return run.report(Task::ReadField, Outcome::Unsupported, message);
    }
    let mut code = ResultCode::started(Task::ReadField);
    let mut rest = elements.iter().enumerate();
    for (item, slot) in items.iter().zip(&mut array.elements) {
        // An element that cannot be read is stepped over, the next one may be meant.
        let is_found = rest.by_ref().any(|(index, element)| {
            let step = run.at(index, |run| load_value(run, item, slot, element));
            code.add(step);
            step.is_halted() || !step.is_refused()
        });
        if code.is_halted() {
            return code;
        }
        // The page fills what the array is too short for. Where an element was stepped over the slot keeps its value.
        if !is_found && elements.len() < items.len() {
            *slot = item.default_value(run.registry);
            code.add(run.defaults_used(Task::ReadField));
        }
    }
    code
}

/// Stores a tuple, or a fixed array. All at their defaults, they are `{}`.
pub(crate) fn store(
    run: &mut Run<'_>,
    items: &[&Schema],
    value: &Value,
    default: Option<&Value>,
) -> Step {
    let array = match value {
        Value::Array(array) if array.elements.len() == items.len() => array,
        _ => return misfit(run, value, &Kind::Tuple(items.iter().copied().cloned().collect())),
    };
    let default: Option<&Array> = match default {
        Some(Value::Array(default)) => Some(default),
        _ => None,
    };
    let mut code = ResultCode::started(Task::WriteValue);
    let mut elements = Vec::with_capacity(items.len());
    for (index, (item, element)) in items.iter().zip(&array.elements).enumerate() {
        let default = default.and_then(|default| default.elements.get(index));
        let (json, step) = run.at(index, |run| store_value(run, item, element, default));
        code.add(step);
        if step.is_halted() {
            break;
        }
        elements.push(json);
    }
    if default.is_some() && code.outcome() == Outcome::DefaultsUsed {
        return (Json::explicit_default(), code);
    }
    (Json::Array(elements), code)
}
