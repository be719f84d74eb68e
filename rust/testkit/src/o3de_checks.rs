//! What must hold for all text, and for loading any JSON by any schema: the bodies of the fuzz targets `o3de_text` and
//! `o3de_load`, which the tests of `o3de-json` run, too, from made-up bytes and from what fuzzing once found.

mod made;

use arbitrary::Unstructured;
use godot_variant::{Object, Value, VariantType};
use o3de_json::{
    DocumentLimits, Field, Json, Kind, Loaded, MapKind, Outcome, Processing, ReadLimits, Registry,
    Schema, SequenceKind, Settings, ValueBuilder, apply_json_patch, apply_merge_patch, compare,
    create_json_patch, create_merge_patch, load, load_streaming, store, store_streaming,
};

use crate::fuzz_bodies::Check;
use made::{json, registry, schema, settings};

/// Every check, by the name of its fuzz target.
pub const ALL: [Check; 2] = [("o3de_text", o3de_text), ("o3de_load", o3de_load)];

/// Text is read, or it is said where it is wrong; what was read is the same when it is written and read again.
pub fn o3de_text(bytes: &[u8]) {
    streamed_texts(bytes);
    let json = match Json::parse_bytes(bytes, ReadLimits::default()) {
        Ok(json) => json,
        Err(error) => {
            let lines = bytes.iter().filter(|&&byte| byte == b'\n').count() + 1;
            assert!((1..=lines).contains(&error.line), "{error}");
            assert!((1..=bytes.len() + 1).contains(&error.column), "{error}");
            assert!(!error.message.is_empty() && !error.to_string().contains('\n'), "{error}");
            return;
        }
    };
    for text in [json.to_text(), json.to_text_pretty()] {
        assert_eq!(Json::parse(&text).as_ref(), Ok(&json), "{text}");
    }
    assert!(compare(&json, &json).is_eq());
    // RFC 6902 speaks of documents whose names are unique.
    if !has_twin_names(&json) {
        let patch = create_json_patch(&json, &json, DocumentLimits::default());
        assert_eq!(patch, Ok(Json::Array(Vec::new())));
    }
    if let Json::Array(elements) = &json
        && let [source, target, ..] = &elements[..]
    {
        patches(source, target);
        // What is not a patch is refused.
        let _ = apply_json_patch(&mut source.clone(), target, DocumentLimits::default());
        assert_eq!(compare(source, target), compare(target, source).reverse());
    }
}

/// The streaming path loads a text as the tree path does, and refuses a text that is not JSON.
fn streamed_texts(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let json = Json::parse(text);
    let (registry, settings) = (Registry::default(), Settings::default());
    let item = || Schema::from(Kind::Map(MapKind::Map, Box::new((Kind::Any.into(), text_item()))));
    let record = ["a", "B"].map(|name| Field { name: name.into(), schema: item() });
    for schema in [
        Kind::Sequence(SequenceKind::Array, Box::new(item())).into(),
        Kind::Record(record.to_vec()).into(),
        Schema::of_type(VariantType::PackedFloat64Array),
        Schema::of_type(VariantType::PackedStringArray),
        Schema::of_type(VariantType::Vector3),
    ] {
        match &json {
            Ok(json) => {
                let tree = load(json, &schema, None, &registry, settings, None);
                streamed(text, &schema, &registry, settings, &tree);
            }
            Err(_) => {
                let limits = ReadLimits::default();
                let builder = ValueBuilder;
                let loaded = load_streaming(text, limits, &schema, &registry, settings, &builder);
                assert!(loaded.is_none(), "{text}");
            }
        }
    }
}

fn text_item() -> Schema {
    Kind::Sequence(SequenceKind::Array, Box::new(Kind::String.into())).into()
}

/// Patches lead from one document to the other.
fn patches(source: &Json, target: &Json) {
    if has_twin_names(source) || has_twin_names(target) {
        return;
    }
    let mut document = source.clone();
    let limits = DocumentLimits::default();
    let patch = create_json_patch(source, target, limits).expect("within limits");
    apply_json_patch(&mut document, &patch, limits).expect("we made it");
    assert!(compare(&document, target).is_eq(), "{}", patch.to_text());
    if let Ok(patch) = create_merge_patch(source, target) {
        let mut document = source.clone();
        apply_merge_patch(&mut document, &patch);
        assert!(compare(&document, target).is_eq(), "{}", patch.to_text());
    }
}

fn has_twin_names(json: &Json) -> bool {
    match json {
        Json::Array(elements) => elements.iter().any(has_twin_names),
        Json::Object(members) => members.iter().enumerate().any(|(index, (name, value))| {
            members[..index].iter().any(|(known, _)| known == name) || has_twin_names(value)
        }),
        _ => false,
    }
}

/// Any JSON can be loaded by any schema. The loaded value can be stored, and loads as the same value again.
pub fn o3de_load(bytes: &[u8]) {
    let bytes = &mut Unstructured::new(bytes);
    let registry = registry();
    let (Ok(schema), Ok(settings)) = (schema(bytes, 0), settings(bytes)) else { return };
    let schema_again = Schema::from_json(&schema.to_json(), &registry);
    if schema.default.is_none() {
        assert_eq!(schema_again.as_ref(), Ok(&schema));
    }
    let json = json(bytes, 0).unwrap_or_default();
    let first = load(&json, &schema, None, &registry, settings, None);
    streamed(&json.to_text_pretty(), &schema, &registry, settings, &first);
    let keeping = Settings { keep_defaults: true, ..settings };
    let stored = store(&first.value, &schema, None, &registry, keeping, None);
    if let Some((text, code)) = store_streaming(&first.value, &schema, &registry, keeping, true) {
        assert_eq!((code, stored.issues.len()), (stored.code, 0), "{:?}", stored.issues);
        assert_eq!(text, stored.json.to_text_pretty(), "{:?} {schema:?}", first.value);
    }
    if stored.code.processing() != Processing::Completed {
        let refused = |outcome| matches!(outcome, Outcome::Unsupported | Outcome::Invalid);
        assert!(stored.issues.iter().any(|issue| refused(issue.code.outcome())));
        let is_foreign = schema_holds_unsupported(&schema);
        assert!(is_foreign || has_no_json(&first.value), "{:?} {:?}", first.value, stored.issues);
        return;
    }
    let text = stored.json.to_text();
    let read = Json::parse(&text).expect("we wrote it");
    assert_eq!(read, stored.json);
    let again = load(&read, &schema, None, &registry, settings, None);
    let second = store(&again.value, &schema, None, &registry, keeping, None);
    assert_eq!(second.json.to_text(), text, "{:?}", again.issues);
    // A value that leaves its defaults out is the same again, too.
    let stripping = Settings { keep_defaults: false, ..settings };
    let stripped = store(&first.value, &schema, None, &registry, stripping, None);
    let _ = load(&stripped.json, &schema, Some(again.value), &registry, settings, None);
}

/// If the streaming path loads a text, the tree path loads the same value without issues.
pub fn streamed(
    text: &str,
    schema: &Schema,
    registry: &Registry,
    settings: Settings,
    tree: &Loaded,
) {
    let limits = ReadLimits::default();
    let loaded = load_streaming(text, limits, schema, registry, settings, &ValueBuilder);
    if let Some((value, code)) = loaded {
        assert!(tree.issues.is_empty(), "{text} {:?}", tree.issues);
        assert_eq!(code, tree.code, "{text} {schema:?}");
        assert_eq!(format!("{value:?}"), format!("{:?}", tree.value), "{text} {schema:?}");
    }
}

fn schema_holds_unsupported(schema: &Schema) -> bool {
    match &schema.kind {
        Kind::Unsupported(_) => true,
        Kind::Sequence(_, item) | Kind::FixedArray(_, item) | Kind::Pointer(item) => {
            schema_holds_unsupported(item)
        }
        Kind::Tuple(items) => items.iter().any(schema_holds_unsupported),
        Kind::Map(_, types) => {
            schema_holds_unsupported(&types.0) || schema_holds_unsupported(&types.1)
        }
        Kind::Record(fields) => fields.iter().any(|field| schema_holds_unsupported(&field.schema)),
        _ => false,
    }
}

/// Whether a number in the value is NaN or infinite, for which JSON has no form.
pub fn has_no_json(value: &Value) -> bool {
    let any = |floats: &[f32]| floats.iter().any(|float| !float.is_finite());
    match value {
        Value::Float(float) => !float.is_finite(),
        Value::Vector2(parts) => any(parts),
        Value::Vector3(parts) => any(parts),
        Value::Vector4(parts)
        | Value::Quaternion(parts)
        | Value::Color(parts)
        | Value::Rect2(parts)
        | Value::Plane(parts) => any(parts),
        // The far corner of a box is a sum.
        &Value::Aabb([x, y, z, sx, sy, sz]) => any(&[x + sx, y + sy, z + sz]) || any(&[x, y, z]),
        Value::Transform2D(parts) => any(parts),
        Value::Basis(parts) => any(&**parts),
        Value::Transform3D(parts) => any(&**parts),
        Value::Projection(parts) => any(&**parts),
        Value::PackedFloat32Array(data) => any(data),
        Value::PackedFloat64Array(data) => data.iter().any(|float| !float.is_finite()),
        Value::PackedVector2Array(data) => any(data.as_flattened()),
        Value::PackedVector3Array(data) => any(data.as_flattened()),
        Value::PackedColorArray(data) | Value::PackedVector4Array(data) => any(data.as_flattened()),
        Value::Array(array) => array.elements.iter().any(has_no_json),
        Value::Dictionary(entries) => {
            entries.iter().any(|(key, value)| has_no_json(key) || has_no_json(value))
        }
        Value::Object(object) => match &**object {
            Object::Full { properties, .. } => {
                properties.iter().any(|(_, value)| has_no_json(value))
            }
            _ => false,
        },
        _ => false,
    }
}
