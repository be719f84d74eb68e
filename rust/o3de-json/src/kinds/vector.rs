//! `vector2` to `vector4` (MathVectorSerializer.cpp).

use godot_variant::{Refusal, Sink, Value, VariantType};

use super::{float, integer, unsupported};
use crate::json::{Reader, TextWriter};
use crate::run::Run;
use crate::schema::{FloatRepr, IntRepr};
use crate::streaming::{Builder, Fallback, Streamed, not_plain};
use crate::{Json, Outcome, Processing, ResultCode, Schema, Task};

const NAMES: [[&str; 2]; 4] = [["X", "x"], ["Y", "y"], ["Z", "z"], ["W", "w"]];

pub(crate) fn load(run: &mut Run<'_>, count: usize, target: &mut Value, json: &Json) -> ResultCode {
    let mut components = match components_of(target) {
        Some(components) if components.len() == count => components.to_vec(),
        _ => vec![0.0; count],
    };
    let code = match json {
        Json::Array(elements) if elements.len() < count && run.is_doc() => {
            components.fill(0.0);
            match load_elements(run, &mut components[..elements.len()], elements) {
                code if code.processing() == Processing::Completed => {
                    code.combine(run.defaults_used(Task::ReadField))
                }
                code => code,
            }
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
    if code.processing() == Processing::Completed
        && let Some(value) = from_components(&components)
    {
        *target = value;
    }
    code
}

/// Reads so many elements as there are components. The code of the first one that cannot be read is that of the whole:
/// a vector without one of its components is no vector, and a container leaves it out.
pub(crate) fn load_elements(
    run: &mut Run<'_>,
    components: &mut [f32],
    elements: &[Json],
) -> ResultCode {
    let mut code = ResultCode::started(Task::ReadField);
    for (index, (component, element)) in components.iter_mut().zip(elements).enumerate() {
        let step = run.at(index, |run| load_component(run, component, element));
        if step.processing() != Processing::Completed {
            return step;
        }
        code.add(step);
    }
    code
}

/// Reads a number; `{}` is zero and a success, whatever the component was.
pub(crate) fn load_component(run: &mut Run<'_>, component: &mut f32, json: &Json) -> ResultCode {
    let number = if json.is_explicit_default() { Some(0.0) } else { float::component(json) };
    match number {
        Some(number) => {
            *component = number;
            match json.is_explicit_default() {
                true => run.success(Task::ReadField),
                false => float::read_as(run, json, number.into()),
            }
        }
        None => unsupported(run, json, "component: write a number in the range of a 32-bit float"),
    }
}

/// Reads members by name; a component that is missing keeps what it was.
fn load_members(run: &mut Run<'_>, components: &mut [f32], json: &Json) -> ResultCode {
    let mut code = ResultCode::started(Task::ReadField);
    for (component, names) in components.iter_mut().zip(NAMES) {
        let found = names.into_iter().find_map(|name| Some((name, json.member(name)?)));
        let step = match found {
            Some((name, member)) => run.at(name, |run| load_component(run, component, member)),
            None => run.defaults_used(Task::ReadField),
        };
        if step.processing() != Processing::Completed {
            return step;
        }
        code.add(step);
    }
    if code.outcome() == Outcome::DefaultsUsed && json.as_object().is_some_and(|m| !m.is_empty()) {
        return run.report(
            Task::ReadField,
            Outcome::DefaultsUsed,
            "the vector has no member X, Y, Z or W: use these names for the components",
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

pub(crate) fn store(count: usize, value: &Value) -> Option<Json> {
    let components = components_of(value).filter(|components| components.len() == count)?;
    float::store_components(components)
}

/// Vector2i to Vector4i: the shapes of the vectors, the numbers of `i32`.
pub(crate) fn load_integers(
    run: &mut Run<'_>,
    count: usize,
    target: &mut Value,
    json: &Json,
) -> ResultCode {
    let mut components = match integers_of(target) {
        Some(components) if components.len() == count => components.to_vec(),
        _ => vec![0; count],
    };
    let code = match json {
        Json::Array(elements) if elements.len() >= count || run.is_doc() => {
            components.iter_mut().skip(elements.len()).for_each(|component| *component = 0);
            let parts = elements.iter().enumerate().map(|(index, json)| (index, Some(json)));
            let missing = (elements.len()..count).map(|index| (index, None));
            load_each(run, &mut components, parts.take(count).chain(missing))
        }
        Json::Object(_) => {
            let parts = NAMES.iter().take(count).enumerate().map(|(index, [upper, lower])| {
                (index, json.member(upper).or_else(|| json.member(lower)))
            });
            load_each(run, &mut components, parts)
        }
        _ => {
            let what =
                format!("vector: write an array of {count} integers, or an object of X and Y …");
            return unsupported(run, json, &what);
        }
    };
    if code.processing() == Processing::Completed
        && let Some(value) = from_integers(&components)
    {
        *target = value;
    }
    code
}

fn load_each<'j>(
    run: &mut Run<'_>,
    components: &mut [i32],
    parts: impl Iterator<Item = (usize, Option<&'j Json>)>,
) -> ResultCode {
    let mut code = ResultCode::started(Task::ReadField);
    for (index, json) in parts {
        let Some(json) = json else {
            code.add(run.defaults_used(Task::ReadField));
            continue;
        };
        let number = if json.is_explicit_default() {
            Some(0)
        } else {
            integer::from_json(IntRepr::I32, json)
        };
        let Some(number) = number else {
            return run
                .at(index, |run| unsupported(run, json, "component: write an integer of 32 bits"));
        };
        components[index] = number as i32;
        code.add(run.success(Task::ReadField));
    }
    code
}

/// A vector of two, three or four integers.
pub(crate) fn from_integers(components: &[i32]) -> Option<Value> {
    Some(match *components {
        [x, y] => Value::Vector2i([x, y]),
        [x, y, z] => Value::Vector3i([x, y, z]),
        [x, y, z, w] => Value::Vector4i([x, y, z, w]),
        _ => return None,
    })
}

fn integers_of(value: &Value) -> Option<&[i32]> {
    match value {
        Value::Vector2i(components) => Some(components),
        Value::Vector3i(components) => Some(components),
        Value::Vector4i(components) => Some(components),
        _ => None,
    }
}

pub(crate) fn store_integers(count: usize, value: &Value) -> Option<Json> {
    let components = integers_of(value).filter(|components| components.len() == count)?;
    Some(Json::Array(components.iter().map(|&c| Json::Int(c.into())).collect()))
}

/// The vectors of a schema that can be streamed: how many components they have.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StreamedVector(usize);

impl StreamedVector {
    pub(crate) fn new(schema: &Schema, count: usize) -> Option<Self> {
        let own_type = match count {
            2 => VariantType::Vector2,
            3 => VariantType::Vector3,
            4 => VariantType::Vector4,
            _ => return None,
        };
        schema.has_own_type(own_type).then_some(Self(count))
    }

    pub(crate) fn read<B: Builder>(
        self,
        reader: &mut Reader<'_>,
        builder: &B,
        place: &mut B::Value,
    ) -> Streamed<()> {
        let place = builder.place(place);
        match self.0 {
            2 => place.reals(VariantType::Vector2, &read_components::<2>(reader)?)?,
            3 => place.reals(VariantType::Vector3, &read_components::<3>(reader)?)?,
            _ => place.reals(VariantType::Vector4, &read_components::<4>(reader)?)?,
        }
        Ok(())
    }

    /// Writes the components of a value of the type `ty`.
    pub(crate) fn write(
        self,
        ty: VariantType,
        components: &[f32],
        text: &mut TextWriter,
    ) -> Result<(), Refusal> {
        let is_vector =
            matches!(ty, VariantType::Vector2 | VariantType::Vector3 | VariantType::Vector4);
        if !is_vector || self.0 != components.len() {
            return not_plain();
        }
        float::write_all(components.iter().map(|&component| component.into()), text)
    }
}

/// The components of a vector that has all of them and no more.
#[inline]
pub(crate) fn read_components<const N: usize>(reader: &mut Reader<'_>) -> Streamed<[f32; N]> {
    if reader.peek() != Some(b'[') {
        return Err(Fallback::Value);
    }
    let mut components = [0.0; N];
    let mut has_more = reader.begin_array()?;
    for component in &mut components {
        if !has_more {
            return Err(Fallback::Value);
        }
        *component = float::read(reader, FloatRepr::F32)? as f32;
        has_more = reader.next_element()?;
    }
    if has_more { Err(Fallback::Value) } else { Ok(components) }
}
