//! What each of Godot's types is to O3DE.

use godot_variant::{ContainerType, Object, Value, VariantType};

use super::{FloatRepr, IntRepr, Kind, MapKind, Schema, SequenceKind, UnsupportedKind};
use crate::Field;

impl Schema {
    /// The schema of a type about which nothing else is known.
    ///
    /// | type | kind |
    /// |---|---|
    /// | Nil | `any`: so Godot marks what may be of every type |
    /// | bool, int, float, String | `bool`, `int` (i64), `float` (f64), `string` |
    /// | StringName, NodePath | `string` |
    /// | Vector2, Vector3, Vector4, Quaternion, Color | of the same name; a Color is opaque by default |
    /// | Vector2i, Vector3i, Vector4i | `vector2` to `vector4` with the component `i32` |
    /// | Rect2, Rect2i | `record` of `position` and `size` |
    /// | Transform2D | `record` of `x`, `y` and `origin` |
    /// | Plane, AABB | `plane`, `aabb` |
    /// | Basis, Transform3D, Projection | `matrix3x3`, `matrix3x4`, `matrix4x4` |
    /// | Object | `smart_ptr` to any registered class |
    /// | Dictionary | `map` of `any` to `any` |
    /// | Array | `array` of `any` |
    /// | PackedByteArray | `bytes` |
    /// | the other packed arrays | `array` of their elements |
    /// | RID, Callable, Signal | none: they mean nothing outside of the running program |
    ///
    /// ```
    /// use o3de_json::{Kind, Schema};
    /// use godot_variant::VariantType;
    /// assert_eq!(Schema::of_type(VariantType::Basis).kind, Kind::Matrix3x3);
    /// ```
    pub fn of_type(ty: VariantType) -> Schema {
        use VariantType::*;
        let plain = match ty {
            Nil => Kind::Any,
            Bool => Kind::Bool,
            Int => Kind::Int(IntRepr::I64),
            Float => Kind::Float(FloatRepr::F64),
            String => Kind::String,
            Vector2 => Kind::Vector(2),
            Vector3 => Kind::Vector(3),
            Vector4 => Kind::Vector(4),
            Vector2i => Kind::VectorI(2),
            Vector3i => Kind::VectorI(3),
            Vector4i => Kind::VectorI(4),
            Plane => Kind::Plane,
            Quaternion => Kind::Quaternion,
            Aabb => Kind::Aabb,
            Basis => Kind::Matrix3x3,
            Transform3D => Kind::Matrix3x4,
            Projection => Kind::Matrix4x4,
            // O3DE's own color has no alpha until it is set; Godot's is opaque.
            Color => {
                let default = Some(Value::Color([0.0, 0.0, 0.0, 1.0]));
                return Schema { default, ..Kind::Color.into() };
            }
            Object => Kind::Pointer(Box::new(Kind::Class(OBJECT.into()).into())),
            Rid => Kind::Unsupported(UnsupportedKind::Rid),
            Callable => Kind::Unsupported(UnsupportedKind::Callable),
            Signal => Kind::Unsupported(UnsupportedKind::Signal),
            Dictionary => Kind::Map(MapKind::Map, Box::new((Kind::Any.into(), Kind::Any.into()))),
            Array => array_of(Kind::Any.into()),
            PackedByteArray => Kind::Bytes,
            Rect2 => record(&[("position", Vector2), ("size", Vector2)]),
            Rect2i => record(&[("position", Vector2i), ("size", Vector2i)]),
            Transform2D => {
                let axes = [("x", Value::Vector2([1.0, 0.0])), ("y", Value::Vector2([0.0, 1.0]))];
                let origin = [("origin", Value::Vector2([0.0; 2]))];
                let field = |(name, default): (&str, Value)| Field {
                    name: name.into(),
                    schema: Schema { default: Some(default), ..Kind::Vector(2).into() },
                };
                Kind::Record(axes.into_iter().chain(origin).map(field).collect())
            }
            StringName | NodePath => Kind::String,
            PackedInt32Array => array_of(Kind::Int(IntRepr::I32).into()),
            PackedInt64Array => array_of(Kind::Int(IntRepr::I64).into()),
            PackedFloat32Array => array_of(Kind::Float(FloatRepr::F32).into()),
            PackedFloat64Array => array_of(Kind::Float(FloatRepr::F64).into()),
            PackedStringArray => array_of(Kind::String.into()),
            PackedVector2Array => array_of(Kind::Vector(2).into()),
            PackedVector3Array => array_of(Kind::Vector(3).into()),
            PackedVector4Array => array_of(Kind::Vector(4).into()),
            PackedColorArray => array_of(Schema::of_type(Color)),
        };
        let is_other_type = matches!(
            ty,
            Rect2
                | Rect2i
                | Transform2D
                | StringName
                | NodePath
                | PackedInt32Array
                | PackedInt64Array
                | PackedFloat32Array
                | PackedFloat64Array
                | PackedStringArray
                | PackedVector2Array
                | PackedVector3Array
                | PackedVector4Array
                | PackedColorArray
        );
        Schema { variant_type: is_other_type.then_some(ty), ..plain.into() }
    }
}

impl Schema {
    /// The schema of a value about which nothing else is known: that of its type, and of what its
    /// container is declared to hold.
    pub fn of_value(value: &Value) -> Schema {
        let declared = |ty: &ContainerType| match ty {
            ContainerType::Builtin(ty) => Schema::of_type(*ty),
            ContainerType::Class(_) | ContainerType::Script(_) => {
                Schema::of_type(VariantType::Object)
            }
            ContainerType::Any => Kind::Any.into(),
        };
        match value {
            Value::Object(object) => match &**object {
                Object::Full { class, .. } => Kind::Class(class.clone()).into(),
                _ => Schema::of_type(VariantType::Object),
            },
            Value::Array(array) => array_of(declared(&array.element_type)).into(),
            Value::Dictionary(entries) => {
                let types = (declared(&entries.key_type), declared(&entries.value_type));
                Kind::Map(MapKind::Map, Box::new(types)).into()
            }
            value => Schema::of_type(value.variant_type()),
        }
    }
}

/// The base of all of Godot's classes. In a schema it means any registered class.
pub(crate) const OBJECT: &str = "Object";

fn array_of(item: Schema) -> Kind {
    Kind::Sequence(SequenceKind::Array, Box::new(item))
}

fn record(fields: &[(&str, VariantType)]) -> Kind {
    let field = |(name, ty): &(&str, VariantType)| Field {
        name: (*name).into(),
        schema: Schema::of_type(*ty),
    };
    Kind::Record(fields.iter().map(field).collect())
}
