//! `quaternion` (QuaternionSerializer.cpp).

use godot_variant::Value;

use super::{float, unsupported, vector};
use crate::run::Run;
use crate::{Json, Processing, ResultCode};

pub(crate) fn load(run: &mut Run<'_>, target: &mut Value, json: &Json) -> ResultCode {
    let mut components = [0.0; 4];
    let code = match json {
        Json::Array(elements) if elements.len() >= 4 => {
            vector::load_elements(run, &mut components, elements)
        }
        // The engine takes the members in order, whatever they are called. With more than three it
        // reads beyond its own array, which is not a rule to follow.
        Json::Object(members) if members.len() == 3 => {
            let mut degrees = [0.0; 3];
            let elements: Vec<Json> = members.iter().map(|(_, value)| value.clone()).collect();
            let code = vector::load_elements(run, &mut degrees, &elements);
            components = from_degrees(degrees);
            code
        }
        _ => {
            let what = "quaternion: write [x, y, z, w], or an object of three angles in degrees";
            return unsupported(run, json, what);
        }
    };
    if code.processing() == Processing::Completed {
        *target = Value::Quaternion(components);
    }
    code
}

/// The rotation about Z, then Y, then X by so many degrees.
pub(crate) fn from_degrees(degrees: [f32; 3]) -> [f32; 4] {
    let half = degrees.map(|angle| (f64::from(angle) / 2.0).to_radians().sin_cos());
    let [(sx, cx), (sy, cy), (sz, cz)] = half;
    [
        cx * sy * sz + sx * cy * cz,
        cx * sy * cz - sx * cy * sz,
        cx * cy * sz + sx * sy * cz,
        cx * cy * cz - sx * sy * sz,
    ]
    .map(|component| component as f32)
}

/// The matrix of a unit quaternion.
pub(crate) fn rotation([x, y, z, w]: [f32; 4]) -> [[f32; 3]; 3] {
    [
        [1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - z * w), 2.0 * (x * z + y * w)],
        [2.0 * (x * y + z * w), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - x * w)],
        [2.0 * (x * z - y * w), 2.0 * (y * z + x * w), 1.0 - 2.0 * (x * x + y * y)],
    ]
}

/// The unit quaternion of a rotation's rows: the greatest component is computed first, which keeps
/// the digits of the others.
pub(crate) fn from_rotation([[a, b, c], [d, e, f], [g, h, i]]: [[f64; 3]; 3]) -> [f32; 4] {
    let squares = [1.0 + a - e - i, 1.0 - a + e - i, 1.0 - a - e + i, 1.0 + a + e + i];
    let greatest = (0..4).max_by(|&m, &n| squares[m].total_cmp(&squares[n])).unwrap_or(3);
    let sums = match greatest {
        0 => [squares[0], b + d, c + g, h - f],
        1 => [b + d, squares[1], f + h, c - g],
        2 => [c + g, f + h, squares[2], d - b],
        _ => [h - f, c - g, d - b, squares[3]],
    };
    let divisor = 2.0 * squares[greatest].max(0.0).sqrt();
    sums.map(|sum| (sum / divisor) as f32)
}

/// A quaternion of four components.
pub(crate) fn from_components(components: &[f32]) -> Option<Value> {
    Some(Value::Quaternion(components.try_into().ok()?))
}

pub(crate) fn store(value: &Value) -> Option<Json> {
    match value {
        Value::Quaternion(components) => float::store_components(components),
        _ => None,
    }
}
