//! `vector2` to `vector4` (MathVectorSerializer.cpp).

use variant::Value;

use super::{float, unsupported};
use crate::run::Run;
use crate::{Json, Outcome, ResultCode, Task};

const NAMES: [[&str; 2]; 4] = [["X", "x"], ["Y", "y"], ["Z", "z"], ["W", "w"]];

pub(crate) fn load(run: &mut Run<'_>, count: usize, target: &mut Value, json: &Json) -> ResultCode {
    let mut components = match components_of(target) {
        Some(components) if components.len() == count => components.to_vec(),
        _ => vec![0.0; count],
    };
    let code = match json {
        Json::Array(elements) if elements.len() < count && run.is_doc() => {
            components.fill(0.0);
            let code = load_elements(run, &mut components[..elements.len()], elements);
            code.combine(run.defaults_used(Task::ReadField))
        }
        Json::Array(elements) if elements.len() >= count => {
            load_elements(run, &mut components, elements)
        }
        Json::Object(_) => load_members(run, &mut components, json),
        _ => {
            let what =
                format!("vector: write an array of {count} numbers, or an object of X and Y …");
            return unsupported(run, json, &what);
        }
    };
    if !code.is_refused()
        && code.processing() != crate::Processing::PartialAlter
        && let Some(value) = from_components(&components)
    {
        *target = value;
    }
    code
}

/// Reads so many elements as there are components.
pub(crate) fn load_elements(
    run: &mut Run<'_>,
    components: &mut [f32],
    elements: &[Json],
) -> ResultCode {
    let mut code = ResultCode::started(Task::ReadField);
    for (index, (component, element)) in components.iter_mut().zip(elements).enumerate() {
        code.add(run.at(index, |run| load_component(run, component, element)));
    }
    code
}

pub(crate) fn load_component(run: &mut Run<'_>, component: &mut f32, json: &Json) -> ResultCode {
    match float::component(json) {
        Some(number) => {
            *component = number;
            run.success(Task::ReadField)
        }
        None => unsupported(run, json, "component: write a number in the range of a 32-bit float"),
    }
}

/// Reads members by name; a component that is missing keeps what it was.
fn load_members(run: &mut Run<'_>, components: &mut [f32], json: &Json) -> ResultCode {
    let mut code = ResultCode::started(Task::ReadField);
    for (component, [upper, lower]) in components.iter_mut().zip(NAMES) {
        let member = json.member(upper).or_else(|| json.member(lower));
        code.add(match member {
            Some(member) => run.at(upper, |run| load_component(run, component, member)),
            None => run.defaults_used(Task::ReadField),
        });
    }
    if code.outcome() == Outcome::DefaultsUsed && json.as_object().is_some_and(|m| !m.is_empty()) {
        return run.report(
            Task::ReadField,
            Outcome::DefaultsUsed,
            "no member is called X, Y, Z or W: name the components so",
        );
    }
    code
}

/// A vector of two, three or four components.
pub(crate) fn from_components(components: &[f32]) -> Option<Value> {
    Some(match *components {
        [x, y] => Value::Vector2([x, y]),
        [x, y, z] => Value::Vector3([x, y, z]),
        [x, y, z, w] => Value::Vector4([x, y, z, w]),
        _ => return None,
    })
}

fn components_of(value: &Value) -> Option<&[f32]> {
    match value {
        Value::Vector2(components) => Some(components),
        Value::Vector3(components) => Some(components),
        Value::Vector4(components) => Some(components),
        _ => None,
    }
}

pub(crate) fn store(value: &Value) -> Option<Json> {
    float::store_components(components_of(value)?)
}
