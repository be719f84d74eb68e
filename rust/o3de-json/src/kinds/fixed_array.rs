//! `fixed_array` (ArraySerializer.cpp). It is stored as a tuple of equal types is.

use godot_variant::Value;

use super::unsupported;
use crate::load::load_value;
use crate::run::Run;
use crate::{Json, Outcome, ResultCode, Schema, Task};

pub(crate) fn load(
    run: &mut Run<'_>,
    size: usize,
    item: &Schema,
    target: &mut Value,
    json: &Json,
) -> ResultCode {
    let (Json::Array(elements), Value::Array(array)) = (json, &mut *target) else {
        return unsupported(run, json, &format!("array: write an array of {size} elements"));
    };
    if elements.len() < size && !run.is_doc() {
        let message = format!("the array has {} elements: write {size}", elements.len());
        return run.report(Task::ReadField, Outcome::Unsupported, message);
    }
    let mut code = ResultCode::started(Task::ReadField);
    for (index, slot) in array.elements.iter_mut().enumerate() {
        let Some(element) = elements.get(index) else {
            *slot = item.default_value(run.registry);
            code.add(run.defaults_used(Task::ReadField));
            continue;
        };
        code.add(run.at(index, |run| load_value(run, item, slot, element)));
        if code.is_halted() {
            return code;
        }
    }
    if elements.len() > size {
        let message =
            format!("the array has {} elements, but only {size} are used", elements.len());
        code.add(run.report(Task::ReadField, Outcome::Skipped, message));
    }
    code
}
