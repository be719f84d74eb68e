//! `matrix3x3`, `matrix3x4`, `matrix4x4` (MathMatrixSerializer.cpp), row by row.

use godot_variant::Value;

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
        Json::Object(_) => {
            // O3DE begins anew before it reads a member, so that a bad one leaves the identity.
            *target = kind.default_value(run.registry);
            load_members(run, &mut rows, columns, json)
        }
        _ => {
            let what =
                format!("matrix: write an array of {count} numbers, or scale, roll, pitch, yaw");
            return unsupported(run, json, &what);
        }
    };
    if code.processing() != Processing::Completed {
        return code;
    }
    let Some(matrix) = from_rows(&rows) else { return code };
    let is_default = json.as_object().is_some() && matrix == kind.default_value(run.registry);
    *target = matrix;
    if is_default { run.defaults_used(Task::ReadField) } else { code }
}

/// Scale, rotation in degrees and translation; what is missing is that of the identity. The first one that cannot be read
/// is the last one that is looked at.
fn load_members(run: &mut Run<'_>, rows: &mut [f32], columns: usize, json: &Json) -> ResultCode {
    let number = |run: &mut Run<'_>, names: [&str; 2], number: &mut f32| {
        let found = names.into_iter().find_map(|name| Some((name, json.member(name)?)));
        match found {
            Some((name, member)) => run.at(name, |run| vector::load_component(run, number, member)),
            None => run.defaults_used(Task::ReadField),
        }
    };
    let mut scale = 1.0;
    let mut code = number(run, ["scale", "Scale"], &mut scale);
    if code.processing() != Processing::Completed {
        return code;
    }
    if scale.abs() <= 0.001 {
        let message = format!("a scale of {scale} is too small: write more than 0.001");
        return code.combine(run.report(Task::ReadField, Outcome::Unsupported, message));
    }
    let (mut degrees, mut origin) = ([0.0; 3], [0.0; 3]);
    let angles = [["roll", "Roll"], ["pitch", "Pitch"], ["yaw", "Yaw"]];
    let axes = [["x", "X"], ["y", "Y"], ["z", "Z"]];
    let mut parts: Vec<_> = angles.into_iter().zip(&mut degrees).collect();
    if columns == 4 {
        parts.extend(axes.into_iter().zip(&mut origin));
    }
    for (names, part) in parts {
        let step = number(run, names, part);
        if step.processing() != Processing::Completed {
            return step;
        }
        // Only a missing scale counts as a default.
        code.add(run.success(Task::ReadField));
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
