//! The default of each type.

use godot_variant::{Array, Dictionary, Object, Value};

use super::{Kind, Schema};
use crate::kinds::variant_type;
use crate::{Field, Registry};

/// No rotation.
const IDENTITY_QUATERNION: [f32; 4] = [0.0, 0.0, 0.0, 1.0];

impl Schema {
    /// The value of a new instance of this type.
    ///
    /// A class that is not registered, or that contains itself without a pointer, is Nil.
    pub fn default_value(&self, registry: &Registry) -> Value {
        match &self.default {
            Some(value) => value.clone(),
            None => variant_type::from_kind(self, self.kind.default_value(registry)),
        }
    }
}

impl Kind {
    /// Whether O3DE's serializer of this kind has the flag `InitializeNewInstance`: it sets what is new to the default.
    pub(crate) fn is_initialized(&self) -> bool {
        let is_number = matches!(self, Kind::Bool | Kind::Int(_) | Kind::Float(_) | Kind::Uuid);
        let is_math = matches!(
            self,
            Kind::Vector(_)
                | Kind::VectorI(_)
                | Kind::Quaternion
                | Kind::Matrix3x3
                | Kind::Matrix3x4
                | Kind::Matrix4x4
                | Kind::Transform
                | Kind::Color
        );
        is_number || is_math || matches!(self, Kind::FixedArray(..) | Kind::Tuple(_))
    }

    pub(crate) fn default_value(&self, registry: &Registry) -> Value {
        match self {
            Kind::Bool => Value::Bool(false),
            Kind::Int(_) | Kind::Enum(_) => Value::Int(0),
            Kind::Float(_) => Value::Float(0.0),
            Kind::String | Kind::Path => Value::from(""),
            Kind::Uuid => Value::from("{00000000-0000-0000-0000-000000000000}"),
            Kind::Bytes => Value::PackedByteArray(Vec::new()),
            Kind::Vector(2) => Value::Vector2([0.0; 2]),
            Kind::Vector(3) => Value::Vector3([0.0; 3]),
            Kind::Vector(_) => Value::Vector4([0.0; 4]),
            Kind::VectorI(2) => Value::Vector2i([0; 2]),
            Kind::VectorI(3) => Value::Vector3i([0; 3]),
            Kind::VectorI(_) => Value::Vector4i([0; 4]),
            Kind::Quaternion => Value::Quaternion(IDENTITY_QUATERNION),
            Kind::Matrix3x3 => Value::Basis(identity(3)),
            Kind::Matrix3x4 => {
                let mut parts = [0.0; 12];
                parts[..9].copy_from_slice(&*identity::<9>(3));
                Value::Transform3D(Box::new(parts))
            }
            Kind::Matrix4x4 => Value::Projection(identity(4)),
            Kind::Transform => transform([0.0; 3], IDENTITY_QUATERNION, 1.0),
            Kind::Plane => Value::Plane([0.0; 4]),
            Kind::Aabb => Value::Aabb([0.0; 6]),
            Kind::Color => Value::Color([0.0; 4]),
            Kind::Sequence(..) => Value::from(Array::default()),
            Kind::FixedArray(size, item) => {
                Value::from(Array::from(vec![item.default_value(registry); *size]))
            }
            Kind::Tuple(items) => {
                items.iter().map(|item| item.default_value(registry)).collect::<Array>().into()
            }
            Kind::Map(..) => Value::from(Dictionary::default()),
            Kind::Class(class) => registry.new_instance(class).map_or(Value::Nil, |object| {
                let Object::Full { .. } = object else { return Value::Nil };
                Value::Object(Box::new(object))
            }),
            Kind::Record(fields) => {
                let entry = |field: &Field| {
                    (Value::String(field.name.clone()), field.schema.default_value(registry))
                };
                fields.iter().map(entry).collect::<Dictionary>().into()
            }
            Kind::Pointer(_) | Kind::Any | Kind::Unsupported(_) => Value::Nil,
        }
    }
}

/// A matrix of `size` rows and columns with ones on its diagonal.
fn identity<const COUNT: usize>(size: usize) -> Box<[f32; COUNT]> {
    Box::new(std::array::from_fn(|index| if index % (size + 1) == 0 { 1.0 } else { 0.0 }))
}

/// A `transform` of its parts.
pub(crate) fn transform(translation: [f32; 3], rotation: [f32; 4], scale: f32) -> Value {
    let parts = [
        ("Translation", Value::Vector3(translation)),
        ("Rotation", Value::Quaternion(rotation)),
        ("Scale", Value::Float(scale.into())),
    ];
    Value::from(
        parts.map(|(name, value)| (Value::from(name), value)).into_iter().collect::<Dictionary>(),
    )
}
