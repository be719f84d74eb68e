//! Random schemas, and values that fit them.

use fastrand::Rng;
use godot_variant::{Array, Dictionary, Value, VariantType};
use o3de_json::{
    EnumSchema, Field, FloatRepr, IntRepr, Kind, MapKind, Packing, Schema, SequenceKind,
};

pub(crate) fn schema(random: &mut Rng, depth: usize) -> Schema {
    let kinds = if depth == 0 { 14 } else { 22 };
    let item = |random: &mut Rng| loop {
        // Elements need more than one possible value.
        let item = schema(random, depth - 1);
        if !matches!(item.packing, Some(Packing::OneOf(ref texts)) if texts.len() == 1)
            && !is_constant(&item)
        {
            return item;
        }
    };
    let plain = |kind: Kind| Schema::from(kind);
    match random.u8(..kinds) {
        0 => plain(Kind::Bool),
        1..=3 => integer(random),
        4 => float(random),
        5 => {
            let values =
                (0..random.i64(1..6)).map(|n| (format!("C{n}").into(), n * n - 3)).collect();
            plain(Kind::Enum(EnumSchema { underlying: IntRepr::I16, values }))
        }
        6 => text(random),
        7 => plain(Kind::Bytes),
        8 => packed(plain(Kind::Vector(random.usize(2..=4))), random),
        9 => packed(plain(Kind::VectorI(random.usize(2..=4))), random),
        10 => packed(plain(Kind::Color), random),
        11 => {
            let kinds = [
                Kind::Quaternion,
                Kind::Matrix3x3,
                Kind::Matrix3x4,
                Kind::Matrix4x4,
                Kind::Plane,
                Kind::Aabb,
            ];
            plain(kinds[random.usize(..6)].clone())
        }
        12 => {
            use VariantType::*;
            let types = [
                Rect2,
                Rect2i,
                Transform2D,
                PackedInt32Array,
                PackedInt64Array,
                PackedFloat32Array,
            ];
            Schema { default: None, ..Schema::of_type(types[random.usize(..6)]) }
        }
        13 => {
            use VariantType::*;
            let types = [
                PackedFloat64Array,
                PackedVector2Array,
                PackedVector3Array,
                PackedVector4Array,
                PackedStringArray,
            ];
            Schema { default: None, ..Schema::of_type(types[random.usize(..5)]) }
        }
        14 => plain(Kind::Sequence(SequenceKind::Array, Box::new(item(random)))),
        15 => plain(Kind::Sequence(
            SequenceKind::FixedVector(random.usize(1..9)),
            Box::new(item(random)),
        )),
        16 => plain(Kind::FixedArray(random.usize(..5), Box::new(item(random)))),
        17 => {
            plain(Kind::Tuple((0..random.usize(1..4)).map(|_| schema(random, depth - 1)).collect()))
        }
        18 => {
            let key = integer(random);
            let key = if is_constant(&key) { Kind::String.into() } else { key };
            let types = (key, schema(random, depth - 1));
            plain(Kind::Map(MapKind::Map, Box::new(types)))
        }
        19 => plain(Kind::Pointer(Box::new(schema(random, depth - 1)))),
        _ => {
            let field = |index: usize, random: &mut Rng| Field {
                name: ["hp", "at", "größe", "name", "x y"][index].into(),
                schema: schema(random, depth - 1),
            };
            plain(Kind::Record(
                (0..random.usize(1..=5)).map(|index| field(index, random)).collect(),
            ))
        }
    }
}

/// Whether the values may take no bits.
pub(crate) fn is_constant(schema: &Schema) -> bool {
    match &schema.kind {
        Kind::Int(_) | Kind::VectorI(_) => {
            matches!(schema.packing, Some(Packing::Range { min, max }) if min == max)
        }
        Kind::String => matches!(&schema.packing, Some(Packing::OneOf(texts)) if texts.len() == 1),
        Kind::FixedArray(size, item) => *size == 0 || is_constant(item),
        Kind::Tuple(items) => items.iter().all(is_constant),
        Kind::Record(fields) => fields.iter().all(|field| is_constant(&field.schema)),
        _ => false,
    }
}

fn integer(random: &mut Rng) -> Schema {
    use IntRepr::*;
    let repr = [I8, I16, I32, I64, U8, U16, U32, U64][random.usize(..8)];
    packed(Kind::Int(repr).into(), random)
}

fn float(random: &mut Rng) -> Schema {
    let repr = if random.bool() { FloatRepr::F32 } else { FloatRepr::F64 };
    packed(Kind::Float(repr).into(), random)
}

fn text(random: &mut Rng) -> Schema {
    let texts = ["fire", "water", "ʘ", "a, b", ""];
    let packing = match random.u8(..4) {
        0 => Some(Packing::MaxLength(random.usize(..20))),
        1 => {
            Some(Packing::OneOf(texts[..random.usize(1..=5)].iter().map(|t| (*t).into()).collect()))
        }
        _ => None,
    };
    let types = [None, None, Some(VariantType::StringName), Some(VariantType::NodePath)];
    let variant_type =
        types[random.usize(..4)].filter(|_| !matches!(packing, Some(Packing::OneOf(_))));
    Schema { packing, variant_type, ..Kind::String.into() }
}

/// The same schema, often with a range.
fn packed(schema: Schema, random: &mut Rng) -> Schema {
    if random.bool() {
        return schema;
    }
    let packing = match &schema.kind {
        Kind::Int(_) | Kind::VectorI(_) => {
            let (least, most) = match &schema.kind {
                Kind::Int(repr) => repr.range(),
                _ => IntRepr::I32.range(),
            };
            let (least, most) = (least as i64, most.min(i64::MAX.into()) as i64);
            let (a, b) = (random.i64(least..=most), random.i64(least..=most));
            Packing::Range { min: a.min(b), max: a.max(b) }
        }
        // Sums of powers of two are exact.
        _ => Packing::Steps { min: -16.0, max: f64::from(random.u8(1..)), step: 0.125 },
    };
    Schema { packing: Some(packing), ..schema }
}

pub(crate) fn value(schema: &Schema, random: &mut Rng) -> Value {
    if let Some(ty) = schema.variant_type {
        return of_type(ty, schema, random);
    }
    let many = |most: usize, random: &mut Rng| random.usize(..=most.min(6));
    match &schema.kind {
        Kind::Bool => Value::Bool(random.bool()),
        Kind::Int(repr) => Value::Int(number(*repr, schema.packing.as_ref(), random)),
        Kind::Float(FloatRepr::F64) if schema.packing.is_none() => Value::Float(random.f64() * 1e9),
        Kind::Float(_) => Value::Float(real(schema, random).into()),
        Kind::Enum(values) => match random.u8(..8) {
            0 => Value::Int(random.i16(..).into()),
            _ => Value::Int(values.values[random.usize(..values.values.len())].1),
        },
        Kind::String => Value::from(&*words(schema, random)),
        Kind::Bytes => {
            Value::PackedByteArray((0..random.usize(..20)).map(|_| random.u8(..)).collect())
        }
        Kind::Vector(2) => Value::Vector2(reals(schema, random)),
        Kind::Vector(3) => Value::Vector3(reals(schema, random)),
        Kind::Vector(_) => Value::Vector4(reals(schema, random)),
        Kind::VectorI(2) => Value::Vector2i(ints(schema, random)),
        Kind::VectorI(3) => Value::Vector3i(ints(schema, random)),
        Kind::VectorI(_) => Value::Vector4i(ints(schema, random)),
        Kind::Color => Value::Color(reals(schema, random)),
        Kind::Quaternion => Value::Quaternion(reals(schema, random)),
        Kind::Plane => Value::Plane(reals(schema, random)),
        Kind::Aabb => Value::Aabb(reals(schema, random)),
        Kind::Matrix3x3 => Value::Basis(Box::new(reals(schema, random))),
        Kind::Matrix3x4 => Value::Transform3D(Box::new(reals(schema, random))),
        Kind::Matrix4x4 => Value::Projection(Box::new(reals(schema, random))),
        Kind::Sequence(kind, item) => {
            let most = if let SequenceKind::FixedVector(most) = kind { *most } else { 6 };
            (0..many(most, random)).map(|_| value(item, random)).collect::<Array>().into()
        }
        Kind::FixedArray(size, item) => {
            (0..*size).map(|_| value(item, random)).collect::<Array>().into()
        }
        Kind::Tuple(items) => {
            items.iter().map(|item| value(item, random)).collect::<Array>().into()
        }
        Kind::Map(_, types) => {
            let entry = |random: &mut Rng| (value(&types.0, random), value(&types.1, random));
            (0..many(6, random)).map(|_| entry(random)).collect::<Dictionary>().into()
        }
        Kind::Pointer(item) => match random.bool() && !is_optional(item) {
            true => Value::Nil,
            false => value(item, random),
        },
        Kind::Record(fields) => {
            let mut fields: Vec<&Field> = fields.iter().collect();
            random.shuffle(&mut fields);
            let entry = |field: &Field, random: &mut Rng| {
                (Value::from(&*field.name), value(&field.schema, random))
            };
            fields.into_iter().map(|field| entry(field, random)).collect::<Dictionary>().into()
        }
        kind => panic!("no values of {kind:?}"),
    }
}

/// Null in a pointer to a pointer is the outer one's.
fn is_optional(schema: &Schema) -> bool {
    matches!(schema.kind, Kind::Pointer(_))
}

fn of_type(ty: VariantType, schema: &Schema, random: &mut Rng) -> Value {
    let count = random.usize(..8);
    match ty {
        VariantType::StringName => Value::StringName(words(schema, random)),
        VariantType::NodePath => {
            Value::NodePath(Box::new(godot_variant::NodePath::from_text(&words(schema, random))))
        }
        VariantType::Rect2 => Value::Rect2(reals(schema, random)),
        VariantType::Rect2i => Value::Rect2i(ints(schema, random)),
        VariantType::Transform2D => Value::Transform2D(reals(schema, random)),
        VariantType::PackedInt32Array => {
            Value::PackedInt32Array((0..count).map(|_| random.i32(..)).collect())
        }
        VariantType::PackedInt64Array => {
            Value::PackedInt64Array((0..count).map(|_| random.i64(..)).collect())
        }
        VariantType::PackedFloat32Array => {
            Value::PackedFloat32Array((0..count).map(|_| random.f32()).collect())
        }
        VariantType::PackedFloat64Array => {
            Value::PackedFloat64Array((0..count).map(|_| random.f64()).collect())
        }
        VariantType::PackedVector2Array => {
            Value::PackedVector2Array((0..count).map(|_| reals(schema, random)).collect())
        }
        VariantType::PackedVector3Array => {
            Value::PackedVector3Array((0..count).map(|_| reals(schema, random)).collect())
        }
        VariantType::PackedVector4Array => {
            Value::PackedVector4Array((0..count).map(|_| reals(schema, random)).collect())
        }
        VariantType::PackedStringArray => {
            Value::PackedStringArray((0..count).map(|_| words(schema, random)).collect())
        }
        ty => panic!("no values of {ty}"),
    }
}

fn number(repr: IntRepr, packing: Option<&Packing>, random: &mut Rng) -> i64 {
    if let Some(Packing::Range { min, max }) = packing {
        return [*min, *max, random.i64(*min..=*max)][random.usize(..3)];
    }
    match repr {
        IntRepr::U64 => random.u64(..) as i64 >> random.u32(..64),
        repr => {
            let (min, max) = repr.range();
            random.i64(min as i64..=max as i64) / (1 << random.u32(..16))
        }
    }
}

fn real(schema: &Schema, random: &mut Rng) -> f32 {
    match schema.packing {
        Some(Packing::Steps { min, max, step }) => {
            (min + f64::from(random.u32(..=((max - min) / step) as u32)) * step) as f32
        }
        _ => random.f32() * 1000.0 - 500.0,
    }
}

fn reals<const N: usize>(schema: &Schema, random: &mut Rng) -> [f32; N] {
    [(); N].map(|()| real(schema, random))
}

fn ints<const N: usize>(schema: &Schema, random: &mut Rng) -> [i32; N] {
    [(); N].map(|()| number(IntRepr::I32, schema.packing.as_ref(), random) as i32)
}

fn words(schema: &Schema, random: &mut Rng) -> Box<str> {
    let length = match &schema.packing {
        Some(Packing::OneOf(texts)) => return texts[random.usize(..texts.len())].clone(),
        Some(Packing::MaxLength(most)) => random.usize(..=*most),
        _ => random.usize(..30),
    };
    (0..length)
        .map(|_| *random.choice(&['a', 'b', '/', ':', 'ü', 'ʘ', '😀', ' ']).unwrap())
        .collect::<String>()
        .into()
}
