//! Values of a type that is not the one of their kind: a Rect2 that is a `record`, a packed array
//! that is an `array`, a NodePath that is a `string`.

use godot_variant::{Array, Dictionary, NodePath, Object, Value, VariantType};

use super::quaternion;
use crate::{Kind, Schema};

/// Whether [`to_kind`] has something to do: seldom, so that no value is copied in vain.
pub(crate) fn is_foreign(kind: &Kind, value: &Value) -> bool {
    match value {
        Value::Array(_) | Value::String(_) | Value::Int(_) | Value::Float(_) => false,
        Value::NodePath(_) => matches!(kind, Kind::String),
        Value::Object(object) => **object == Object::Null,
        Value::Transform3D(_) => matches!(kind, Kind::Transform),
        Value::Transform2D(_) => matches!(kind, Kind::Record(_) | Kind::Matrix3x3),
        Value::Rect2(_) | Value::Rect2i(_) => matches!(kind, Kind::Record(_)),
        _ => {
            value.variant_type() >= VariantType::PackedByteArray
                && matches!(kind, Kind::Sequence(..) | Kind::FixedArray(..) | Kind::Tuple(_))
        }
    }
}

/// The last row of a matrix of two dimensions, as columns with their origin.
const FLAT_ROW: [f32; 3] = [0.0, 0.0, 1.0];

/// Whether what the kind holds may be more than the type can say.
pub(crate) fn is_narrower(schema: &Schema) -> bool {
    schema.kind == Kind::Matrix3x3 && schema.variant_type == Some(VariantType::Transform2D)
}

/// The value as its kind has it; none if it has no such form.
pub(crate) fn to_kind(kind: &Kind, value: &Value) -> Option<Value> {
    macro_rules! elements {
        ($array:expr, $one:expr) => {
            $array.iter().map($one).collect::<Array>().into()
        };
    }
    let pair = |a: Value, b: Value| dictionary([("position", a), ("size", b)]);
    Some(match value {
        Value::Object(object) if **object == Object::Null => Value::Nil,
        Value::NodePath(path) => Value::from(path.to_string().as_str()),
        &Value::Rect2([x, y, w, h]) => pair(Value::Vector2([x, y]), Value::Vector2([w, h])),
        &Value::Rect2i([x, y, w, h]) => pair(Value::Vector2i([x, y]), Value::Vector2i([w, h])),
        &Value::Transform2D([a, b, c, d, x, y]) if *kind == Kind::Matrix3x3 => {
            let [rest_a, rest_b, rest_c] = FLAT_ROW;
            Value::Basis(Box::new([a, c, x, b, d, y, rest_a, rest_b, rest_c]))
        }
        &Value::Transform2D([a, b, c, d, x, y]) => dictionary([
            ("x", Value::Vector2([a, b])),
            ("y", Value::Vector2([c, d])),
            ("origin", Value::Vector2([x, y])),
        ]),
        Value::Transform3D(parts) if *kind == Kind::Transform => transform_parts(parts)?,
        Value::PackedByteArray(data) => elements!(data, |&x| Value::Int(x.into())),
        Value::PackedInt32Array(data) => elements!(data, |&x| Value::Int(x.into())),
        Value::PackedInt64Array(data) => elements!(data, |&x| Value::Int(x)),
        Value::PackedFloat32Array(data) => elements!(data, |&x| Value::Float(x.into())),
        Value::PackedFloat64Array(data) => elements!(data, |&x| Value::Float(x)),
        Value::PackedStringArray(data) => elements!(data, |x| Value::String(x.clone())),
        Value::PackedVector2Array(data) => elements!(data, |&x| Value::Vector2(x)),
        Value::PackedVector3Array(data) => elements!(data, |&x| Value::Vector3(x)),
        Value::PackedVector4Array(data) => elements!(data, |&x| Value::Vector4(x)),
        Value::PackedColorArray(data) => elements!(data, |&x| Value::Color(x)),
        other => other.clone(),
    })
}

/// What the kind made, as the type that the schema asks for. What does not fit stays what it is.
pub(crate) fn from_kind(schema: &Schema, value: Value) -> Value {
    let Some(ty) = schema.variant_type else { return value };
    match (ty, value) {
        (VariantType::StringName, Value::String(text)) => Value::StringName(text),
        (VariantType::Transform2D, Value::Basis(rows)) if rows[6..] == FLAT_ROW => {
            let [a, c, x, b, d, y, ..] = *rows;
            Value::Transform2D([a, b, c, d, x, y])
        }
        (VariantType::NodePath, Value::String(text)) => {
            Value::NodePath(Box::new(NodePath::from_text(&text)))
        }
        (_, Value::Array(array)) => packed(ty, &array).unwrap_or(Value::Array(array)),
        (_, Value::Dictionary(dictionary)) => {
            composed(ty, &dictionary).unwrap_or(Value::Dictionary(dictionary))
        }
        (_, value) => value,
    }
}

fn dictionary<const N: usize>(entries: [(&str, Value); N]) -> Value {
    entries
        .map(|(name, value)| (Value::from(name), value))
        .into_iter()
        .collect::<Dictionary>()
        .into()
}

fn packed(ty: VariantType, array: &Array) -> Option<Value> {
    macro_rules! all {
        ($pattern:pat => $element:expr) => {
            array
                .elements
                .iter()
                .map(|element| match element {
                    $pattern => Some($element),
                    _ => None,
                })
                .collect::<Option<Vec<_>>>()?
        };
    }
    Some(match ty {
        VariantType::PackedByteArray => {
            Value::PackedByteArray(all!(Value::Int(x) => u8::try_from(*x).ok()?))
        }
        VariantType::PackedInt32Array => {
            Value::PackedInt32Array(all!(Value::Int(x) => i32::try_from(*x).ok()?))
        }
        VariantType::PackedInt64Array => Value::PackedInt64Array(all!(Value::Int(x) => *x)),
        VariantType::PackedFloat32Array => {
            Value::PackedFloat32Array(all!(Value::Float(x) => *x as f32))
        }
        VariantType::PackedFloat64Array => Value::PackedFloat64Array(all!(Value::Float(x) => *x)),
        VariantType::PackedStringArray => {
            Value::PackedStringArray(all!(Value::String(x) => x.clone()))
        }
        VariantType::PackedVector2Array => Value::PackedVector2Array(all!(Value::Vector2(x) => *x)),
        VariantType::PackedVector3Array => Value::PackedVector3Array(all!(Value::Vector3(x) => *x)),
        VariantType::PackedVector4Array => Value::PackedVector4Array(all!(Value::Vector4(x) => *x)),
        VariantType::PackedColorArray => Value::PackedColorArray(all!(Value::Color(x) => *x)),
        _ => return None,
    })
}

fn composed(ty: VariantType, parts: &Dictionary) -> Option<Value> {
    let part = |name: &str| parts.get(&Value::from(name));
    let real = |name: &str| match part(name) {
        Some(Value::Vector2(parts)) => Some(*parts),
        _ => None,
    };
    let int = |name: &str| match part(name) {
        Some(Value::Vector2i(parts)) => Some(*parts),
        _ => None,
    };
    Some(match ty {
        VariantType::Rect2 => {
            let ([x, y], [w, h]) = (real("position")?, real("size")?);
            Value::Rect2([x, y, w, h])
        }
        VariantType::Rect2i => {
            let ([x, y], [w, h]) = (int("position")?, int("size")?);
            Value::Rect2i([x, y, w, h])
        }
        VariantType::Transform2D => {
            let ([a, b], [c, d], [x, y]) = (real("x")?, real("y")?, real("origin")?);
            Value::Transform2D([a, b, c, d, x, y])
        }
        VariantType::Transform3D => {
            match (part("Translation")?, part("Rotation")?, part("Scale")?) {
                (Value::Vector3(t), Value::Quaternion(q), Value::Float(s)) => {
                    let scale = *s as f32;
                    let [[a, b, c], [d, e, f], [g, h, i]] =
                        quaternion::rotation(*q).map(|row| row.map(|x| x * scale));
                    Value::Transform3D(Box::new([a, b, c, d, e, f, g, h, i, t[0], t[1], t[2]]))
                }
                _ => return None,
            }
        }
        _ => return None,
    })
}

/// Translation, rotation and the one scale of a transform; none if it shears, mirrors, or scales
/// its axes differently, which O3DE's Transform cannot say.
fn transform_parts(parts: &[f32; 12]) -> Option<Value> {
    let column = |c: usize| [parts[c], parts[3 + c], parts[6 + c]].map(f64::from);
    let dot = |a: [f64; 3], b: [f64; 3]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let [x, y, z] = [column(0), column(1), column(2)];
    let scale = dot(x, x).sqrt();
    let tolerance = 1e-5 * scale * scale;
    let is_even = [dot(y, y), dot(z, z)].iter().all(|s| (s - scale * scale).abs() <= tolerance);
    let is_square = [dot(x, y), dot(y, z), dot(z, x)].iter().all(|s| s.abs() <= tolerance);
    let cross = [x[1] * y[2] - x[2] * y[1], x[2] * y[0] - x[0] * y[2], x[0] * y[1] - x[1] * y[0]];
    if !(scale > 0.0 && scale.is_finite() && is_even && is_square && dot(cross, z) > 0.0) {
        return None;
    }
    let rows = [0, 1, 2].map(|row| [x[row], y[row], z[row]].map(|part| part / scale));
    let rotation = quaternion::from_rotation(rows);
    let translation = [parts[9], parts[10], parts[11]];
    Some(crate::schema::transform(translation, rotation, scale as f32))
}
