//! Tests of the layouts as their users see them.

mod random;
mod specification;

use fastrand::Rng;
use godot_variant::{Dictionary, NodePath, Object, RefusalKind, Value, VariantType};
use o3de_json::{Json, Registry, Schema};
use variant_schema::Layout;

fn registry() -> Registry {
    let mut registry = Registry::default();
    let item = r#"{"fields": [
        {"name": "id", "type": "u16"},
        {"name": "count", "type": {"kind": "int", "min": 1, "max": 99}, "default": 1},
        {"name": "inside", "type": {"kind": "array", "item": {"kind": "class", "class": "Item"}}},
        {"name": "next", "type": {"kind": "smart_ptr", "item": {"kind": "class", "class": "Item"}}}
    ]}"#;
    registry.register_json("Item", &Json::parse(item).unwrap()).unwrap();
    registry
}

fn layout(descriptor: &str) -> Layout {
    let registry = registry();
    let schema = Schema::from_json(&Json::parse(descriptor).unwrap(), &registry).unwrap();
    Layout::new(&schema, &registry).unwrap()
}

fn decoded(layout: &Layout, bytes: &[u8]) -> Result<Value, godot_variant::Refusal> {
    let mut value = Value::Nil;
    layout.decode(bytes, &mut value).map(|()| value)
}

fn dictionary<const N: usize>(entries: [(&str, Value); N]) -> Value {
    let entries = entries.into_iter().map(|(name, value)| (Value::from(name), value));
    entries.collect::<Dictionary>().into()
}

/// What `encode` refuses, as `path: reason`.
#[track_caller]
fn refused(descriptor: &str, value: &Value) -> String {
    let refusal = layout(descriptor).encode(value).expect_err("the value fits");
    let (kind, path) = refusal.into_parts();
    assert!(matches!(kind, RefusalKind::DoesNotFit { .. } | RefusalKind::TooDeep { .. }));
    format!("{path}: {kind}")
}

#[test]
fn values_come_back() {
    let registry = registry();
    let mut random = Rng::with_seed(7);
    let mut bytes_by_us = 0;
    for round in 0..3_000 {
        let schema = random::schema(&mut random, 3);
        let text = schema.to_json().to_text();
        let again = Schema::from_json(&Json::parse(&text).unwrap(), &registry).unwrap();
        assert_eq!(schema, again, "the descriptor {text}");
        let layout = Layout::new(&schema, &registry).unwrap();
        assert_eq!(layout.fingerprint(), Layout::new(&again, &registry).unwrap().fingerprint());
        for _ in 0..3 {
            let value = random::value(&schema, &mut random);
            let bytes = layout.encode(&value).unwrap_or_else(|e| panic!("{text}\n{value:?}\n{e}"));
            let back =
                decoded(&layout, &bytes).unwrap_or_else(|e| panic!("{text}\n{value:?}\n{e}"));
            assert_eq!(back, value, "round {round}: {text}");
            bytes_by_us += bytes.len();
        }
    }
    assert!(bytes_by_us > 100_000, "{bytes_by_us}");
}

#[test]
fn rows_come_back() {
    let registry = registry();
    let mut random = Rng::with_seed(9);
    for _ in 0..1_000 {
        let schema = random::schema(&mut random, 3);
        if random::is_constant(&schema) {
            continue;
        }
        let layout = Layout::new(&schema, &registry).unwrap();
        let count = [0, 1, 2, 30][random.usize(..4)];
        let rows: godot_variant::Array =
            (0..count).map(|_| random::value(&schema, &mut random)).collect();
        let rows = Value::from(rows);
        let bytes = layout.encode_rows(&rows).unwrap();
        let mut back = Value::Nil;
        let text = || schema.to_json().to_text();
        layout.decode_rows(&bytes, 10_000, &mut back).unwrap_or_else(|e| panic!("{}\n{e}", text()));
        assert_eq!(back, rows, "{}", text());
        for _ in 0..20 {
            let mut changed = bytes.clone();
            let bit = random.usize(..changed.len() * 8);
            changed[bit / 8] ^= 1 << (bit % 8);
            let mut other = Value::Nil;
            if let Err(refusal) = layout.decode_rows(&changed, 100, &mut other) {
                assert!(matches!(refusal.kind(), RefusalKind::InvalidBytes { .. }), "{refusal}");
            }
            let mut part = Value::Nil;
            let end = random.usize(..bytes.len());
            let _ = layout.decode_rows(&bytes[..end], count, &mut part);
        }
        if count > 0 {
            assert!(
                layout.decode_rows(&bytes, count - 1, &mut Value::Nil).is_err(),
                "too many rows"
            );
        }
    }
}

/// Columns of what changes little take few bits.
#[test]
fn rows_are_small() {
    let layout = layout(
        r#"{"id": "u32", "at": {"kind": "vector2", "min": -512, "max": 512, "step": 0.01}, "hp": {"kind": "int", "min": 0, "max": 100},
            "team": "string", "tick": "i64"}"#,
    );
    let row = |n: i64| {
        dictionary([
            ("id", Value::Int(1000 + n)),
            ("at", Value::Vector2([n as f32 / 10.0 % 500.0, 3.0])),
            ("hp", Value::Int(100)),
            ("team", Value::from(if n % 3 == 0 { "red" } else { "blue" })),
            ("tick", Value::Int(7_000_000_000 + n * 16)),
        ])
    };
    let rows: godot_variant::Array = (0..1_000).map(row).collect();
    let alone: usize = rows.elements.iter().map(|row| layout.encode(row).unwrap().len()).sum();
    let rows = layout.encode_rows(&Value::from(rows)).unwrap().len();
    assert!(rows < 2_500 && rows * 5 < alone, "{rows} bytes for 1000 rows, {alone} one by one");
}

/// A long text that all rows share is there once.
#[test]
fn repeated_texts_are_limited() {
    let layout = layout("[\"string\"]");
    let text = Value::from("x".repeat(60_000).as_str());
    let row = Value::from(godot_variant::Array::from_iter([text]));
    let rows: godot_variant::Array = std::iter::repeat_n(row, 2_000).collect();
    let bytes = layout.encode_rows(&Value::from(rows)).unwrap();
    assert!(bytes.len() < 61_000, "{}", bytes.len());
    let refusal = layout.decode_rows(&bytes, 100_000, &mut Value::Nil).unwrap_err();
    assert!(matches!(refusal.kind(), RefusalKind::InvalidBytes { .. }), "{refusal}");
    assert!(layout.decode_rows(&bytes, 1_000_000, &mut Value::Nil).is_ok());
}

#[test]
fn rows_of_a_class_that_contains_itself() {
    let layout = layout(r#"{"kind": "class", "class": "Item"}"#);
    let rows = Value::from(godot_variant::Array::default());
    assert!(layout.encode_rows(&rows).unwrap_err().to_string().contains("contains itself"));
}

/// Each truncation and each changed bit is an error or a valid value.
#[test]
fn hostile_bytes() {
    let registry = registry();
    let mut random = Rng::with_seed(8);
    let (mut refused, mut accepted) = (0, 0);
    for _ in 0..300 {
        let schema = random::schema(&mut random, 3);
        let layout = Layout::new(&schema, &registry).unwrap();
        let bytes = layout.encode(&random::value(&schema, &mut random)).unwrap();
        let mut check = |bytes: &[u8]| match decoded(&layout, bytes) {
            Ok(value) => {
                accepted += 1;
                let again = layout.encode(&value).unwrap_or_else(|e| panic!("{value:?}: {e}"));
                assert_eq!(decoded(&layout, &again).unwrap(), value);
            }
            Err(refusal) => {
                refused += 1;
                assert!(matches!(refusal.kind(), RefusalKind::InvalidBytes { .. }), "{refusal}");
            }
        };
        (0..bytes.len()).for_each(|length| check(&bytes[..length]));
        for _ in 0..100.min(bytes.len() * 8) {
            let mut changed = bytes.clone();
            let bit = random.usize(..changed.len() * 8);
            changed[bit / 8] ^= 1 << (bit % 8);
            check(&changed);
        }
        let noise: Vec<u8> = (0..random.usize(..60)).map(|_| random.u8(..)).collect();
        check(&noise);
        let longer = [&bytes[..], &[0]].concat();
        assert!(decoded(&layout, &longer).is_err(), "a byte behind the value");
    }
    assert!(refused > 1_000 && accepted > 1_000, "{refused} refused, {accepted} accepted");
}

#[test]
fn a_few_bytes_are_not_billions_of_elements() {
    for descriptor in [
        r#"["bool"]"#,
        r#"["u8"]"#,
        r#""PackedInt64Array""#,
        r#"{"kind": "map", "key": "bool", "value": "bool"}"#,
    ] {
        let huge = [0xFF, 0xFF, 0xFF, 0xFF, 0x0F, 1];
        let refusal = decoded(&layout(descriptor), &huge).unwrap_err();
        assert!(refusal.to_string().contains("than there are bytes"), "{descriptor}: {refusal}");
    }
    let registry = registry();
    for descriptor in [
        r#"[{"kind": "int", "min": 3, "max": 3}]"#,
        r#"[{"kind": "string", "one_of": ["a"]}]"#,
        r#"[{"kind": "record", "fields": []}]"#,
        r#"{"kind": "array", "as": "PackedInt32Array", "item": {"kind": "int", "repr": "i32", "min": 3, "max": 3}}"#,
    ] {
        let schema = Schema::from_json(&Json::parse(descriptor).unwrap(), &registry).unwrap();
        let error = Layout::new(&schema, &registry).unwrap_err();
        assert!(error.reason.starts_with("elements must have more than one"), "{error}");
    }
}

#[test]
fn sizes() {
    let size = |descriptor: &str, value: Value| layout(descriptor).encode(&value).unwrap().len();
    assert_eq!(size("\"bool\"", Value::Bool(true)), 1);
    assert_eq!(size(r#"{"kind": "int", "bits": 4}"#, Value::Int(-8)), 1);
    assert_eq!(size("\"i64\"", Value::Int(-64)), 1);
    assert_eq!(size("\"u64\"", Value::Int(-1)), 10);
    let position = r#"{"kind": "vector2", "min": -512, "max": 512, "step": 0.01}"#;
    assert_eq!(size(position, Value::Vector2([-511.99, 3.5])), 5);
    let rotation = Value::Quaternion([0.0, 0.0, 0.0, 1.0]);
    assert_eq!(size(r#"{"kind": "quaternion", "bits": 10}"#, rotation), 4);
    assert_eq!(size(r#"{"kind": "float", "angle_bits": 8}"#, Value::Float(-100.0)), 1);
    assert_eq!(size(r#"{"IDLE": 0, "RUN": 1, "DEAD": 7}"#, Value::Int(7)), 1);
    let list = r#"{"kind": "string", "one_of": ["fire", "water", "earth", "air"]}"#;
    assert_eq!(size(list, Value::from("earth")), 1);
}

#[test]
fn fields_in_any_order_and_defaults() {
    let layout = layout(
        r#"{"kind": "record", "fields": [
            {"name": "hp", "type": {"kind": "int", "min": 0, "max": 100}},
            {"name": "name", "type": "string"},
            {"name": "at", "type": "vector2", "default": [1, 2]},
            {"name": "alive", "type": "bool"}]}"#,
    );
    let at = ("at", Value::Vector2([1.0, 2.0]));
    let parts =
        [("hp", Value::Int(9)), ("name", Value::from("Ada")), at, ("alive", Value::Bool(true))];
    let expected = layout.encode(&dictionary(parts.clone())).unwrap();
    let mut random = Rng::with_seed(3);
    for _ in 0..50 {
        let mut mixed = parts.clone();
        random.shuffle(&mut mixed);
        assert_eq!(layout.encode(&dictionary(mixed)).unwrap(), expected);
    }
    let [hp, name, _, alive] = parts;
    assert_eq!(layout.encode(&dictionary([alive, name, hp])).unwrap(), expected);
}

#[test]
fn objects() {
    let layout = layout(r#"{"kind": "class", "class": "Item"}"#);
    let item = |count: i64, inside: Vec<Value>, next: Value| {
        let inside = godot_variant::Array::from(inside).into();
        let properties = [
            ("id", Value::Int(3)),
            ("count", Value::Int(count)),
            ("inside", inside),
            ("next", next),
        ];
        let properties = properties.map(|(name, value)| (name.into(), value)).into();
        Value::Object(Box::new(Object::Full { class: "Item".into(), properties }))
    };
    let leaf = || item(2, Vec::new(), Value::Nil);
    let value = item(1, vec![leaf(), leaf()], item(99, vec![leaf()], Value::Nil));
    let bytes = layout.encode(&value).unwrap();
    assert_eq!(decoded(&layout, &bytes).unwrap(), value);
    let mut deep = leaf();
    for _ in 0..200 {
        deep = item(1, Vec::new(), deep);
    }
    assert!(layout.encode(&deep).unwrap_err().to_string().contains("more than 100 levels"));
    let refusal =
        layout.encode(&item(1, Vec::new(), item(100, Vec::new(), Value::Nil))).unwrap_err();
    assert_eq!(
        refusal.to_string(),
        "100 is not a valid value here; expected an int from 1 to 99 (at .next.count)"
    );
}

#[test]
fn what_does_not_fit_is_refused_with_its_place() {
    let record = r#"{"hp": {"kind": "int", "min": 0, "max": 100}, "at": {"kind": "vector2", "min": 0, "max": 1, "step": 0.5}}"#;
    let of = |hp, at| dictionary([("hp", hp), ("at", at)]);
    let good = || Value::Vector2([0.0, 1.0]);
    for (value, expected) in [
        (
            of(Value::Int(101), good()),
            r#"["hp"]: 101 is not a valid value here; expected an int from 0 to 100"#,
        ),
        (
            of(Value::from("9"), good()),
            r#"["hp"]: a text is not a valid value here; expected an int from 0 to 100"#,
        ),
        (
            of(Value::Nil, good()),
            r#"["hp"]: null is not a valid value here; expected an int from 0 to 100"#,
        ),
        (
            of(Value::Int(1), Value::Vector2([0.0, 2.0])),
            r#"["at"]: 2 is not a valid value here; expected a number from 0 to 1"#,
        ),
        (
            of(Value::Int(1), Value::Vector3([0.0; 3])),
            r#"["at"]: a Vector3 is not a valid value here; expected a Vector2"#,
        ),
        (
            dictionary([("hp", Value::Int(1))]),
            ": this Dictionary lacks the field `at`, and the schema has no default for it",
        ),
        (
            dictionary([("hp", Value::Int(1)), ("pos", Value::Nil)]),
            "[key 1]: `pos` is not a field; expected one of hp, at",
        ),
        (Value::Int(1), ": an int is not a valid value here; expected a Dictionary"),
    ] {
        assert_eq!(refused(record, &value), expected);
    }
    let list = r#"{"kind": "string", "one_of": ["a", "b"]}"#;
    assert_eq!(
        refused(list, &Value::from("c")),
        ": `c` is not a valid value here; expected one of a, b"
    );
    let short = r#"{"kind": "string", "max_length": 2}"#;
    assert!(layout(short).encode(&Value::from("éé")).is_ok());
    assert_eq!(
        refused(short, &Value::from("abc")),
        ": a text of 3 characters is not a valid value here; expected at most 2 characters"
    );
    assert!(refused("\"f32\"", &Value::Bool(true)).contains("expected a float"));
    assert!(
        refused(r#"{"kind": "quaternion", "bits": 9}"#, &Value::Quaternion([0.0; 4]))
            .contains("a normalized one")
    );
}

/// Nothing becomes another value, except by the steps and the 32 bits that a schema asks for.
#[test]
fn what_would_change_is_refused() {
    assert!(refused("\"f32\"", &Value::Float(1e300)).contains("32 bits can hold"));
    assert!(layout("\"f32\"").encode(&Value::Float(f64::INFINITY)).is_ok());
    assert!(refused("\"f64\"", &Value::Int((1 << 53) + 1)).contains("holds exactly"));
    assert!(layout("\"f64\"").encode(&Value::Int(1 << 53)).is_ok());
    let names = vec!["a/b".into()];
    let path = NodePath { absolute: false, names, subnames: Vec::new() };
    assert!(
        refused("\"NodePath\"", &Value::NodePath(Box::new(path))).contains("text does not give")
    );
}

#[test]
fn what_has_no_compact_form() {
    let registry = registry();
    for (descriptor, expected) in [
        ("\"any\"", "a value of any type has no compact form; expected a type"),
        (
            r#"{"a": {"b": ["Array"]}}"#,
            "a.b[][]: a value of any type has no compact form; expected a type",
        ),
        (r#"{"o": "Object"}"#, "o: the class `Object` is not registered, or can be any class"),
        ("\"transform\"", "`transform` has no compact form"),
        ("\"Callable\"", "`callable` has no compact form"),
    ] {
        let schema = Schema::from_json(&Json::parse(descriptor).unwrap(), &registry).unwrap();
        assert_eq!(Layout::new(&schema, &registry).unwrap_err().to_string(), expected);
    }
    for (descriptor, expected) in [
        (r#"{"kind": "int", "min": 5, "max": 4}"#, "5 to 4 is not a valid range"),
        (r#"{"kind": "int", "repr": "u8", "max": 256}"#, "expected one from 0 to 255"),
        (r#"{"kind": "int", "bits": 0}"#, "`bits` must be an integer from 1 to 64"),
        (r#"{"kind": "float", "min": 0}"#, "belong together"),
        (r#"{"kind": "float", "min": 0, "max": 1, "step": 0}"#, "`step` positive"),
        (r#"{"kind": "string", "one_of": ["a", "a"]}"#, "different texts"),
        (r#"{"kind": "string", "one_of": ["a"], "max_length": 3}"#, "excludes `max_length`"),
        (r#"{"kind": "bool", "min": 0}"#, "`min` is not a member of `bool`"),
        (r#"{"kind": "vector3", "bits": 9}"#, "`bits` is not a member of `vector3`"),
        (r#"{"kind": "float", "angle_bits": 9, "min": 0}"#, "excludes `min`"),
    ] {
        let error = Schema::from_json(&Json::parse(descriptor).unwrap(), &registry).unwrap_err();
        assert!(error.to_string().contains(expected), "{descriptor}: {error}");
    }
}

/// Whatever changes the bytes changes the fingerprint.
#[test]
fn fingerprints() {
    let mut seen = std::collections::BTreeMap::new();
    for descriptor in [
        "\"bool\"",
        "\"i8\"",
        "\"u8\"",
        "\"i16\"",
        "\"i32\"",
        "\"u32\"",
        "\"i64\"",
        "\"u64\"",
        "\"f32\"",
        "\"f64\"",
        r#"{"kind": "int", "min": 0, "max": 100}"#,
        r#"{"kind": "int", "min": 0, "max": 101}"#,
        "\"string\"",
        "\"StringName\"",
        r#"{"kind": "string", "max_length": 9}"#,
        r#"{"kind": "string", "one_of": ["a", "bc"]}"#,
        r#"{"kind": "string", "one_of": ["ab", "c"]}"#,
        "\"vector2\"",
        "\"vector3\"",
        "\"quaternion\"",
        r#"{"kind": "quaternion", "bits": 9}"#,
        r#"{"a": "u8", "b": "bool"}"#,
        r#"{"b": "bool", "a": "u8"}"#,
        r#"{"ab": "u8"}"#,
        "[\"u8\"]",
        r#"["u8", "u8"]"#,
        r#"{"kind": "fixed_array", "size": 2, "item": "u8"}"#,
        r#"{"kind": "fixed_vector", "capacity": 2, "item": "u8"}"#,
        "\"PackedByteArray\"",
        "\"PackedInt32Array\"",
        r#"{"kind": "smart_ptr", "item": "u8"}"#,
        r#"{"kind": "map", "key": "u8", "value": "u8"}"#,
        r#"{"A": 1, "B": 2}"#,
        r#"{"A": 1, "B": 3}"#,
        r#"{"kind": "class", "class": "Item"}"#,
        r#"{"kind": "float", "angle_bits": 8}"#,
        r#"{"kind": "float", "min": 0, "max": 1, "step": 0.5}"#,
        r#"{"kind": "float", "min": 0, "max": 1, "step": 0.25}"#,
    ] {
        if let Some(other) = seen.insert(layout(descriptor).fingerprint(), descriptor) {
            panic!("{other} and {descriptor}");
        }
    }
    // Later versions must read what this one wrote.
    assert_eq!(
        layout(r#"{"hp": "u8", "at": "vector2"}"#).fingerprint(),
        11_878_061_804_271_429_103
    );
}

#[test]
fn packed_arrays() {
    let bytes = |descriptor: &str, value: &Value| layout(descriptor).encode(value).unwrap();
    let numbers = Value::PackedInt32Array(vec![1, 2, 3]);
    assert_eq!(bytes("\"PackedInt32Array\"", &numbers).len(), 13);
    let ranged = r#"{"kind": "array", "as": "PackedInt32Array", "item": {"kind": "int", "repr": "i32", "bits": 3}}"#;
    assert_eq!(bytes(ranged, &numbers), [3, 0b1111_0101, 0b1]);
    assert_eq!(decoded(&layout(ranged), &bytes(ranged, &numbers)).unwrap(), numbers);
    let points = Value::PackedVector2Array(vec![[0.5, 1.0], [0.0, 0.25]]);
    let steps = r#"{"kind": "array", "as": "PackedVector2Array", "item": {"kind": "vector2", "min": 0, "max": 1, "step": 0.25}}"#;
    assert_eq!(bytes(steps, &points).len(), 3);
    assert_eq!(decoded(&layout(steps), &bytes(steps, &points)).unwrap(), points);
    assert_eq!(
        decoded(&layout("\"bytes\""), &[2, 7, 8]).unwrap().variant_type(),
        VariantType::PackedByteArray
    );
}
