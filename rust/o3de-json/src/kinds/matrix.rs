//! `matrix3x3`, `matrix3x4`, `matrix4x4` (MathMatrixSerializer.cpp), row by row.

use variant::Value;

use super::{float, quaternion, unsupported, vector};
use crate::run::Run;
use crate::{Json, Kind, Outcome, Processing, ResultCode, Task};

pub(crate) fn load(run: &mut Run<'_>, kind: &Kind, target: &mut Value, json: &Json) -> ResultCode {
    let (count, columns) = match kind {
        Kind::Matrix3x3 => (9, 3),
        Kind::Matrix3x4 => (12, 4),
        _ => (16, 4),
    };
    let mut rows = vec![0.0; count];
    let code = match json {
        Json::Array(elements) if elements.len() >= count => {
            vector::load_elements(run, &mut rows, elements)
        }
        Json::Object(_) => load_members(run, &mut rows, columns, json),
        _ => {
            let what =
                format!("matrix: write an array of {count} numbers, or scale, roll, pitch, yaw");
            return unsupported(run, json, &what);
        }
    };
    if code.processing() == Processing::Completed
        && let Some(value) = from_rows(&rows)
    {
        *target = value;
    }
    code
}

/// Scale, rotation in degrees and translation; what is missing is that of the identity.
fn load_members(run: &mut Run<'_>, rows: &mut [f32], columns: usize, json: &Json) -> ResultCode {
    let mut code = ResultCode::started(Task::ReadField);
    let mut number = |run: &mut Run<'_>, names: [&str; 2], identity: f32| {
        let mut number = identity;
        let member = json.member(names[0]).or_else(|| json.member(names[1]));
        let step = match member {
            Some(member) => {
                run.at(names[0], |run| vector::load_component(run, &mut number, member))
            }
            None => run.defaults_used(Task::ReadField),
        };
        let is_default = step.processing() == Processing::Completed && number == identity;
        code.add(if is_default { run.defaults_used(Task::ReadField) } else { step });
        number
    };
    let scale = number(run, ["scale", "Scale"], 1.0);
    let degrees =
        [["roll", "Roll"], ["pitch", "Pitch"], ["yaw", "Yaw"]].map(|names| number(run, names, 0.0));
    let mut origin = [0.0; 3];
    if columns == 4 {
        origin = [["x", "X"], ["y", "Y"], ["z", "Z"]].map(|names| number(run, names, 0.0));
    }
    if scale.abs() <= 0.001 {
        let message = format!("a scale of {scale} leaves nothing: write more than 0.001");
        return run.report(Task::ReadField, Outcome::Unsupported, message);
    }
    let rotation = quaternion::rotation(quaternion::from_degrees(degrees));
    for row in 0..3 {
        for column in 0..3 {
            rows[row * columns + column] = rotation[row][column] * scale;
        }
        if columns == 4 {
            rows[row * columns + 3] = origin[row];
        }
    }
    if rows.len() == 16 {
        rows[15] = 1.0;
    }
    code
}

/// The Basis, Transform3D or Projection of 9, 12 or 16 numbers.
pub(crate) fn from_rows(rows: &[f32]) -> Option<Value> {
    Some(match rows.len() {
        9 => Value::Basis(Box::new(rows.try_into().ok()?)),
        12 => {
            // The engine keeps the basis first and then the origin.
            let [a, b, c, x, d, e, f, y, g, h, i, z] = *rows.first_chunk::<12>()?;
            Value::Transform3D(Box::new([a, b, c, d, e, f, g, h, i, x, y, z]))
        }
        16 => Value::Projection(Box::new(transposed(rows.try_into().ok()?))),
        _ => return None,
    })
}

/// The engine keeps a Projection by columns.
fn transposed(parts: [f32; 16]) -> [f32; 16] {
    std::array::from_fn(|index| parts[index % 4 * 4 + index / 4])
}

pub(crate) fn store(kind: &Kind, value: &Value) -> Option<Json> {
    match (kind, value) {
        (Kind::Matrix3x3, Value::Basis(rows)) => float::store_components(&**rows),
        (Kind::Matrix3x4, Value::Transform3D(parts)) => {
            let [a, b, c, d, e, f, g, h, i, x, y, z] = **parts;
            float::store_components(&[a, b, c, x, d, e, f, y, g, h, i, z])
        }
        (Kind::Matrix4x4, Value::Projection(columns)) => {
            float::store_components(&transposed(**columns))
        }
        _ => None,
    }
}
