//! All of Godot's types: each has a documented place in O3DE's JSON, and comes back from it.

use godot_variant::{Array, Dictionary, NodePath, Object, Signal, Value, VariantType};
use o3de_json::{Json, Kind, Outcome, Processing, Registry, Schema, Settings, load, store};

/// A value of each type, the kind that it is stored as, and the JSON.
fn table() -> Vec<(Value, &'static str, &'static str)> {
    let path =
        NodePath { absolute: true, names: vec!["a".into()], subnames: vec!["position".into()] };
    let dictionary: Dictionary =
        [(Value::from("b"), Value::Int(1)), (Value::from("a"), Value::Nil)].into_iter().collect();
    let by_number: Dictionary = [(Value::Int(2), Value::Bool(true))].into_iter().collect();
    vec![
        (Value::Nil, "any", "{}"),
        (Value::Bool(true), "bool", "true"),
        (Value::Int(i64::MIN), "int", "-9223372036854775808"),
        (Value::Float(0.1), "float", "0.1"),
        (Value::from("text\u{1F600}"), "string", "\"text\u{1F600}\""),
        (Value::Vector2([1.0, -2.5]), "vector2", "[1.0,-2.5]"),
        (Value::Vector2i([1, i32::MIN]), "vector2", "[1,-2147483648]"),
        (
            Value::Rect2([1.0, 2.0, 3.0, 4.0]),
            "record",
            r#"{"position":[1.0,2.0],"size":[3.0,4.0]}"#,
        ),
        (Value::Rect2i([1, 2, 3, 4]), "record", r#"{"position":[1,2],"size":[3,4]}"#),
        (Value::Vector3([1.0, 2.0, 3.0]), "vector3", "[1.0,2.0,3.0]"),
        (Value::Vector3i([1, 2, 3]), "vector3", "[1,2,3]"),
        (
            Value::Transform2D([1.0, 2.0, 3.0, 4.0, 5.0, 6.0]),
            "record",
            r#"{"x":[1.0,2.0],"y":[3.0,4.0],"origin":[5.0,6.0]}"#,
        ),
        (Value::Vector4([1.0, 2.0, 3.0, 4.0]), "vector4", "[1.0,2.0,3.0,4.0]"),
        (Value::Vector4i([1, 2, 3, 4]), "vector4", "[1,2,3,4]"),
        (Value::Plane([0.0, 1.0, 0.0, 5.0]), "plane", r#"{"plane":[0.0,1.0,0.0,-5.0]}"#),
        (Value::Quaternion([0.0, 0.0, 1.0, 0.0]), "quaternion", "[0.0,0.0,1.0,0.0]"),
        (
            Value::Aabb([1.0, 2.0, 3.0, 1.0, 1.0, 1.0]),
            "aabb",
            r#"{"min":[1.0,2.0,3.0],"max":[2.0,3.0,4.0]}"#,
        ),
        (
            Value::Basis(Box::new([1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0])),
            "matrix3x3",
            "[1.0,2.0,3.0,4.0,5.0,6.0,7.0,8.0,9.0]",
        ),
        // Row by row, the origin at the end of each.
        (
            Value::Transform3D(Box::new(std::array::from_fn(|index| index as f32))),
            "matrix3x4",
            "[0.0,1.0,2.0,9.0,3.0,4.0,5.0,10.0,6.0,7.0,8.0,11.0]",
        ),
        // Godot keeps columns, O3DE writes rows.
        (
            Value::Projection(Box::new(std::array::from_fn(|index| index as f32))),
            "matrix4x4",
            "[0.0,4.0,8.0,12.0,1.0,5.0,9.0,13.0,2.0,6.0,10.0,14.0,3.0,7.0,11.0,15.0]",
        ),
        (Value::Color([0.5, 0.25, 0.0, 1.0]), "color", "[0.5,0.25,0.0,1.0]"),
        (Value::StringName("name".into()), "string", "\"name\""),
        (Value::NodePath(Box::new(path)), "string", "\"/a:position\""),
        (Value::Rid(5), "rid", ""),
        (
            Value::Object(Box::new(Object::Full {
                class: "Hero".into(),
                properties: vec![("hp".into(), Value::Int(3))],
            })),
            "smart_ptr",
            r#"{"$type":"Hero","hp":3}"#,
        ),
        (Value::Callable, "callable", ""),
        (Value::Signal(Box::new(Signal { name: "s".into(), object_id: 1 })), "signal", ""),
        (dictionary.into(), "map", r#"{"b":{"$type":"int","Value":1},"a":{}}"#),
        (
            by_number.into(),
            "map",
            r#"[{"Key":{"$type":"int","Value":2},"Value":{"$type":"bool","Value":true}}]"#,
        ),
        (
            Array::from_iter([Value::Vector2i([1, 2]), Value::Nil]).into(),
            "array",
            r#"[{"$type":"Vector2i","Value":[1,2]},{}]"#,
        ),
        (Value::PackedByteArray(vec![0, 255]), "bytes", "\"AP8=\""),
        (Value::PackedInt32Array(vec![1, i32::MIN]), "array", "[1,-2147483648]"),
        (Value::PackedInt64Array(vec![i64::MAX]), "array", "[9223372036854775807]"),
        (Value::PackedFloat32Array(vec![0.5]), "array", "[0.5]"),
        (Value::PackedFloat64Array(vec![0.1]), "array", "[0.1]"),
        (Value::PackedStringArray(vec!["a".into(), "".into()]), "array", r#"["a",""]"#),
        (Value::PackedVector2Array(vec![[1.0, 2.0]]), "array", "[[1.0,2.0]]"),
        (Value::PackedVector3Array(vec![[1.0, 2.0, 3.0]]), "array", "[[1.0,2.0,3.0]]"),
        (Value::PackedColorArray(vec![[1.0, 0.0, 0.0, 0.5]]), "array", "[[1.0,0.0,0.0,0.5]]"),
        (Value::PackedVector4Array(vec![[1.0, 2.0, 3.0, 4.0]]), "array", "[[1.0,2.0,3.0,4.0]]"),
    ]
}

fn registry() -> Registry {
    let mut registry = Registry::default();
    let hero = r#"{"fields": [{"name": "hp", "type": "u16", "default": 10}]}"#;
    registry.register_json("Hero", &Json::parse(hero).unwrap()).unwrap();
    registry
}

fn keeping() -> Settings {
    Settings { keep_defaults: true, ..Settings::default() }
}

#[test]
fn each_type_has_its_place() {
    let (table, registry) = (table(), registry());
    for ty in VariantType::ALL {
        assert!(table.iter().any(|(value, ..)| value.variant_type() == ty), "{ty} is missing");
    }
    for (value, kind, text) in table {
        let ty = value.variant_type();
        let schema = Schema::of_type(ty);
        assert_eq!(schema.kind.word(), kind, "{ty}");
        let stored = store(&value, &schema, None, &registry, keeping(), None);
        if text.is_empty() {
            assert_eq!(stored.code.outcome(), Outcome::Unsupported, "{ty}");
            assert!(stored.issues[0].message.contains("running program"), "{ty}");
            let loaded = load(&Json::Int(1), &schema, None, &registry, keeping(), None);
            assert_eq!(loaded.code.outcome(), Outcome::Unsupported, "{ty}");
            continue;
        }
        assert_eq!(stored.json.to_text(), text, "{ty}: {:?}", stored.issues);
        assert_eq!(stored.code.processing(), Processing::Completed, "{ty}");
        let loaded = load(&stored.json, &schema, None, &registry, keeping(), None);
        assert_eq!(loaded.value, value, "{ty}: {:?}", loaded.issues);
    }
}

/// `any` names the type, so the same values come back where nothing says what they are.
#[test]
fn any_holds_each_type() {
    let registry = registry();
    let schema = Schema::from(Kind::Any);
    for (value, _, text) in table() {
        if text.is_empty() {
            continue;
        }
        let stored = store(&value, &schema, None, &registry, keeping(), None);
        let loaded = load(&stored.json, &schema, None, &registry, keeping(), None);
        assert_eq!(loaded.value, value, "{}", stored.json.to_text());
    }
}

#[test]
fn each_schema_can_be_written_and_read() {
    let registry = registry();
    for ty in VariantType::ALL {
        let schema = Schema::of_type(ty);
        assert_eq!(Schema::from_json(&schema.to_json(), &registry), Ok(schema.clone()), "{ty}");
        assert_eq!(Schema::from_value(&schema.to_value(), &registry), Ok(schema.clone()), "{ty}");
        let by_number = Schema::from_value(&Value::Int(ty.id().into()), &registry);
        assert_eq!(by_number, Ok(schema.clone()), "{ty}");
        assert_eq!(Schema::from_json(&Json::from(ty.name()), &registry), Ok(schema), "{ty}");
    }
}

#[test]
fn short_forms() {
    let registry = registry();
    let table = [
        (r#""u8""#, r#"{"kind":"int","repr":"u8"}"#),
        (r#""f32""#, r#"{"kind":"float","repr":"f32"}"#),
        (r#"["i32"]"#, r#"{"kind":"array","item":{"kind":"int","repr":"i32"}}"#),
        (r#"["bool", "uuid"]"#, r#"{"kind":"tuple","items":[{"kind":"bool"},{"kind":"uuid"}]}"#),
        (r#""Hero""#, r#"{"kind":"class","class":"Hero"}"#),
        (r#"{"A": 1, "B": 2}"#, r#"{"kind":"enum","underlying":"i64","values":{"A":1,"B":2}}"#),
        (
            r#"{"hp": 2, "at": "Vector2i"}"#,
            r#"{"kind":"record","fields":[{"name":"hp","type":{"kind":"int","repr":"i64"}},{"name":"at","type":{"kind":"vector2","component":"i32"}}]}"#,
        ),
        (
            r#"{"kind": "array", "item": "string", "as": "PackedStringArray"}"#,
            r#"{"kind":"array","item":{"kind":"string"},"as":"PackedStringArray"}"#,
        ),
        (
            r#"{"kind": "smart_ptr", "item": "Hero"}"#,
            r#"{"kind":"smart_ptr","item":{"kind":"class","class":"Hero"}}"#,
        ),
        (r#"{"kind": "Vector2", "default": [1, 2]}"#, r#"{"kind":"vector2","default":[1.0,2.0]}"#),
    ];
    for (short, long) in table {
        let schema = Schema::from_json(&Json::parse(short).unwrap(), &registry).expect(short);
        assert_eq!(schema.to_json().to_text(), long);
        assert_eq!(Schema::from_json(&Json::parse(long).unwrap(), &registry), Ok(schema));
    }
    let fails = [
        ("[]", "empty array"),
        ("39", "number 39"),
        ("-1", "number -1"),
        ("null", "is not a valid descriptor"),
        (r#""Villain""#, "or a registered class"),
        (r#"{"A": 1, "b": 2}"#, "an enum or a record"),
        (r#"{"kind": "int", "as": "Color"}"#, "cannot be a Color"),
        (r#"{"kind": "string", "as": "Sprite"}"#, "no type of Godot's"),
        (r#"{"kind": "vector2", "component": "f16"}"#, "`f16`"),
        (r#"{"kind": "record"}"#, "lacks `fields`"),
    ];
    for (text, message) in fails {
        let error = Schema::from_json(&Json::parse(text).unwrap(), &registry).expect_err(text);
        assert!(error.to_string().contains(message), "{error}");
    }
    let deep = format!("{}1{}", "[".repeat(70), "]".repeat(70));
    let error = Schema::from_json(&Json::parse(&deep).unwrap(), &registry).unwrap_err();
    assert!(error.to_string().contains("nested more than 64 levels deep"), "{error}");
}

/// O3DE's Transform has one scale: what it cannot say is refused and not bent.
#[test]
fn transforms_keep_what_they_can_say() {
    let registry = registry();
    let json = Json::parse(r#"{"kind": "transform", "as": "Transform3D"}"#).unwrap();
    let schema = Schema::from_json(&json, &registry).unwrap();
    let text =
        r#"{"Translation":[1.0,2.0,3.0],"Rotation":[0.0,0.0,0.70710677,0.70710677],"Scale":2.0}"#;
    let loaded = load(&Json::parse(text).unwrap(), &schema, None, &registry, keeping(), None);
    let Value::Transform3D(parts) = &loaded.value else { panic!("{:?}", loaded.value) };
    let expected = [0.0, -2.0, 0.0, 2.0, 0.0, 0.0, 0.0, 0.0, 2.0, 1.0, 2.0, 3.0];
    assert!(
        parts.iter().zip(expected).all(|(a, b): (&f32, f32)| (a - b).abs() < 1e-6),
        "{parts:?}"
    );
    let stored = store(&loaded.value, &schema, None, &registry, keeping(), None);
    let again = load(&stored.json, &schema, None, &registry, keeping(), None);
    let Value::Transform3D(again) = &again.value else { panic!("{:?}", again.value) };
    assert!(parts.iter().zip(again.iter()).all(|(a, b)| (a - b).abs() < 1e-6), "{again:?}");
    let refused = [
        [1.0, 0.0, 0.0, 0.0, 2.0, 0.0, 0.0, 0.0, 1.0],
        [1.0, 0.5, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0],
        [-1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0],
        [0.0; 9],
    ];
    for basis in refused {
        let mut parts = [0.0; 12];
        parts[..9].copy_from_slice(&basis);
        let value = Value::Transform3D(Box::new(parts));
        let stored = store(&value, &schema, None, &registry, keeping(), None);
        assert_eq!(stored.code.outcome(), Outcome::Unsupported, "{basis:?}");
    }
}

/// A Transform2D can be written as a matrix: its columns are the axes and the origin.
#[test]
fn transforms_of_two_dimensions_are_matrices_too() {
    let registry = registry();
    let json = Json::parse(r#"{"kind": "matrix3x3", "as": "Transform2D"}"#).unwrap();
    let schema = Schema::from_json(&json, &registry).unwrap();
    assert_eq!(Schema::from_json(&schema.to_json(), &registry), Ok(schema.clone()));
    let loaded =
        |text: &str| load(&Json::parse(text).unwrap(), &schema, None, &registry, keeping(), None);
    let value = Value::Transform2D([1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
    let text = "[1.0,3.0,5.0,2.0,4.0,6.0,0.0,0.0,1.0]";
    let stored = store(&value, &schema, None, &registry, keeping(), None);
    assert_eq!(stored.json.to_text(), text);
    assert_eq!(loaded(text).value, value);
    let identity = Value::Transform2D([1.0, 0.0, 0.0, 1.0, 0.0, 0.0]);
    let stripped = store(&identity, &schema, None, &registry, Settings::default(), None);
    assert_eq!((stripped.json.to_text(), loaded("{}").value), ("{}".into(), identity.clone()));
    // Half a turn about the axis that points out of the plane.
    let Value::Transform2D(parts) = loaded(r#"{"yaw": 180}"#).value else { panic!() };
    assert!(parts.iter().zip([-1.0, 0.0, 0.0, -1.0, 0.0, 0.0]).all(|(a, b)| (a - b).abs() < 1e-6));
    // A matrix of three dimensions is refused, and what was there stays.
    let turned = loaded("[1, 0, 0, 0, 0, -1, 0, 1, 0]");
    assert_eq!((turned.value, turned.code.outcome()), (identity, Outcome::Unsupported));
    let message = &turned.issues[0].message;
    assert!(message.contains("last row"), "{message}");
}

/// A key that is spelt as the name of the default key is no default.
#[test]
fn the_name_of_the_default_key_can_be_a_key() {
    let registry = registry();
    let schema = Schema::of_type(VariantType::Dictionary);
    let value: Dictionary = [(Value::from("{}"), Value::Int(1)), (Value::from(""), Value::Int(2))]
        .into_iter()
        .collect();
    let value = Value::from(value);
    for settings in [keeping(), Settings::default()] {
        let stored = store(&value, &schema, None, &registry, settings, None);
        let loaded = load(&stored.json, &schema, None, &registry, settings, None);
        assert_eq!(loaded.value, value, "{}", stored.json.to_text());
    }
}

/// A value that a schema does not fit is refused where it stands, and not written in another form.
#[test]
fn misfits_are_refused() {
    let registry = registry();
    let table = [
        ("\"vector2\"", Value::Vector3([1.0; 3])),
        ("\"Vector2i\"", Value::Vector3i([1; 3])),
        ("\"matrix3x3\"", Value::Projection(Box::new([1.0; 16]))),
        ("\"uuid\"", Value::from("no uuid")),
        ("\"bool\"", Value::Int(1)),
        ("\"u8\"", Value::Int(256)),
        (
            "{\"a\": \"u8\"}",
            Value::from(Dictionary::from_iter([(Value::from("b"), Value::Int(1))])),
        ),
        ("\"any\"", Value::Rid(1)),
        ("\"smart_ptr\"", Value::Nil),
    ];
    for (text, value) in table {
        let Ok(schema) = Schema::from_json(&Json::parse(text).unwrap(), &registry) else {
            assert_eq!(text, "\"smart_ptr\"");
            continue;
        };
        let stored = store(&value, &schema, None, &registry, keeping(), None);
        assert_eq!(stored.code.outcome(), Outcome::Unsupported, "{text} {value:?}");
        assert_eq!(stored.issues.len(), 1, "{text}");
    }
}

/// An `any` names what containers are declared to hold.
#[test]
fn any_keeps_declared_types() {
    use godot_variant::ContainerType::{Any, Builtin};
    let (registry, schema) = (registry(), Schema::from(Kind::Any));
    let floats = || Array {
        element_type: Builtin(VariantType::Float),
        elements: vec![Value::Float(1.0), Value::Float(0.5)],
    };
    let mut counts = Dictionary::typed(Builtin(VariantType::StringName), Builtin(VariantType::Int));
    counts.insert(Value::StringName("a".into()), Value::Int(1));
    let mut keyed = Dictionary::typed(Builtin(VariantType::Int), Any);
    keyed.insert(Value::Int(2), floats().into());
    let empty = Array { element_type: Builtin(VariantType::Vector3i), elements: Vec::new() };
    for (value, name) in [
        (Value::from(floats()), "Array[float]"),
        (empty.into(), "Array[Vector3i]"),
        (counts.into(), "Dictionary[StringName, int]"),
        (keyed.into(), "Dictionary[int, Variant]"),
    ] {
        let stored = store(&value, &schema, None, &registry, keeping(), None);
        assert_eq!(stored.json.member("$type"), Some(&Json::from(name)));
        let loaded = load(&stored.json, &schema, None, &registry, keeping(), None);
        // Declared types do not count where values are compared.
        assert_eq!(format!("{:?}", loaded.value), format!("{value:?}"), "{:?}", loaded.issues);
    }
    // Classes have no names there, so that a declared class is lost, and said to be.
    use godot_variant::ContainerType::{Class, Script};
    let node = || Class("Node".into());
    for value in [
        Value::from(Array { element_type: node(), elements: Vec::new() }),
        Array { element_type: Script("res://hero.gd".into()), elements: Vec::new() }.into(),
        Dictionary::typed(node(), Any).into(),
        Dictionary::typed(Builtin(VariantType::String), node()).into(),
    ] {
        for outer in [value.clone(), Array::from(vec![Value::Int(1), value]).into()] {
            let stored = store(&outer, &schema, None, &registry, keeping(), None);
            assert_eq!(stored.issues.len(), 1, "{outer:?}");
            assert_ne!(stored.code.processing(), o3de_json::Processing::Completed);
            let path = if stored.json.member("Value") == Some(&Json::Array(Vec::new())) {
                ""
            } else {
                "/Value/1"
            };
            assert_eq!(stored.issues[0].path, path);
            let loaded = load(&stored.json, &schema, None, &registry, keeping(), None);
            assert!(loaded.issues.is_empty(), "all else is kept: {:?}", loaded.issues);
        }
    }
    for wrong in ["Array[]", "Array[int", "Array[Array[int]]", "Dictionary[int]", "Set[int]"] {
        let json = Json::parse(&format!(r#"{{"$type": "{wrong}", "Value": []}}"#)).unwrap();
        let loaded = load(&json, &schema, None, &registry, keeping(), None);
        assert_eq!((loaded.value, loaded.issues.len()), (Value::Nil, 1), "{wrong}");
    }
}
