//! Schemas and JSON of a fuzzer's bytes.

use arbitrary::{Arbitrary, Result, Unstructured};
use godot_variant::VariantType;
use o3de_json::{
    EnumSchema, Field, FloatRepr, IntRepr, Json, Kind, MapKind, Profile, Registry, Schema,
    SequenceKind, Settings, UnsupportedKind,
};

pub(super) fn settings(bytes: &mut Unstructured<'_>) -> Result<Settings> {
    let bits = u8::arbitrary(bytes)?;
    Ok(Settings {
        profile: if bits & 1 == 0 { Profile::Doc } else { Profile::Engine },
        keep_defaults: bits & 2 != 0,
        clear_containers: bits & 4 != 0,
    })
}

/// A class that points to itself, one that derives from it, and one that cannot be made.
pub(super) fn registry() -> Registry {
    let mut registry = Registry::default();
    let classes = [
        (
            "Base",
            r#"{"fields": [{"name": "a", "type": "u8", "default": 7},
            {"name": "b", "type": {"kind": "ptr", "item": {"kind": "class", "class": "Base"}}}]}"#,
        ),
        ("Derived", r#"{"bases": ["Base"], "fields": [{"name": "c", "type": "any"}]}"#),
        ("Abstract", r#"{"abstract": true, "fields": []}"#),
    ];
    for (name, class) in classes {
        let class = Json::parse(class).expect("it is JSON");
        registry.register_json(name, &class).expect("it is a class");
    }
    registry
}

pub(super) fn schema(bytes: &mut Unstructured<'_>, depth: usize) -> Result<Schema> {
    let inner = |bytes: &mut Unstructured<'_>| schema(bytes, depth + 1).map(Box::new);
    let most = if depth < 4 { 20 } else { 11 };
    Ok(match bytes.int_in_range(0..=most)? {
        0 => Schema::of_type(*bytes.choose(&VariantType::ALL)?),
        1 => Kind::Int(*bytes.choose(&INTS)?).into(),
        2 => Kind::Float(*bytes.choose(&[FloatRepr::F32, FloatRepr::F64])?).into(),
        3 => Kind::Path.into(),
        4 => Kind::Uuid.into(),
        5 => Kind::Transform.into(),
        6 => Kind::Class(class(bytes)?).into(),
        7 => Kind::Unsupported(*bytes.choose(&[
            UnsupportedKind::Variant,
            UnsupportedKind::Optional,
            UnsupportedKind::Bitset,
        ])?)
        .into(),
        8 | 9 => {
            // No name that begins with a digit: by the engine's rules such a one reads as a number.
            let values = [("One", 1), ("Two", 2), ("Both", 3), ("Four", 4), ("Nine", 9)];
            let values = values.map(|(name, number)| (name.into(), number)).to_vec();
            Kind::Enum(EnumSchema { underlying: *bytes.choose(&INTS)?, values: values.into() })
                .into()
        }
        10 => Kind::Any.into(),
        11 => Kind::Color.into(),
        12 | 13 => {
            let kind = match bytes.int_in_range(0..=4)? {
                0 => SequenceKind::Array,
                1 => SequenceKind::FixedVector(bytes.int_in_range(0..=3)?),
                2 => SequenceKind::Set,
                3 => SequenceKind::UnorderedSet,
                _ => SequenceKind::UnorderedMultiset,
            };
            Kind::Sequence(kind, inner(bytes)?).into()
        }
        14 => Kind::FixedArray(bytes.int_in_range(0..=3)?, inner(bytes)?).into(),
        15 => {
            let count = bytes.int_in_range(0..=3)?;
            let items = (0..count).map(|_| schema(bytes, depth + 1));
            Kind::Tuple(items.collect::<Result<_>>()?).into()
        }
        16 | 17 => {
            let kinds = [MapKind::Map, MapKind::UnorderedMap, MapKind::UnorderedMultimap];
            let kind = *bytes.choose(&kinds)?;
            Kind::Map(kind, Box::new((*inner(bytes)?, *inner(bytes)?))).into()
        }
        18 => {
            let fields = ["x", "Y", "value"]
                .map(|name| Ok(Field { name: name.into(), schema: schema(bytes, depth + 1)? }));
            Kind::Record(fields.into_iter().collect::<Result<_>>()?).into()
        }
        _ => Kind::Pointer(Box::new(Kind::Class(class(bytes)?).into())).into(),
    })
}

const INTS: [IntRepr; 8] = [
    IntRepr::I8,
    IntRepr::I16,
    IntRepr::I32,
    IntRepr::I64,
    IntRepr::U8,
    IntRepr::U16,
    IntRepr::U32,
    IntRepr::U64,
];

fn class(bytes: &mut Unstructured<'_>) -> Result<Box<str>> {
    Ok((*bytes.choose(&["Base", "Derived", "Abstract"])?).into())
}

const WORDS: [&str; 22] = [
    "$type",
    "Value",
    "value",
    "Key",
    "{}",
    "Base",
    "Derived",
    "int",
    "Vector2",
    "RGB8",
    "HEX",
    "FF00FF",
    "X",
    "y",
    "One",
    "Two",
    "5",
    "0x1F",
    "-1.5e3",
    "True",
    "nan",
    "Translation",
];

pub(super) fn json(bytes: &mut Unstructured<'_>, depth: usize) -> Result<Json> {
    let most = if depth < 5 { 11 } else { 8 };
    Ok(match bytes.int_in_range(0..=most)? {
        0 => Json::Null,
        1 => Json::Bool(bytes.arbitrary()?),
        2 => Json::Int(i64::from(i8::arbitrary(bytes)?)),
        3 => Json::Int(bytes.arbitrary()?),
        4 => Json::Uint(u64::arbitrary(bytes)? | 1 << 63),
        5 => {
            let number = f64::arbitrary(bytes)?;
            Json::Double(if number.is_finite() { number } else { 0.5 })
        }
        6 | 7 => Json::from(*bytes.choose(&WORDS)?),
        8 => Json::String(bytes.arbitrary::<&str>()?.to_owned()),
        9 | 10 => {
            let count = bytes.int_in_range(0..=5)?;
            let elements = (0..count).map(|_| json(bytes, depth + 1));
            Json::Array(elements.collect::<Result<_>>()?)
        }
        _ => {
            let count = bytes.int_in_range(0..=5)?;
            let members = (0..count).map(|_| {
                let name = (*bytes.choose(&WORDS)?).to_owned();
                Ok((name, json(bytes, depth + 1)?))
            });
            Json::Object(members.collect::<Result<_>>()?)
        }
    })
}
