//! What holds for any schema, any document and any value.

use o3de_json::{
    DocumentLimits, EnumSchema, FloatRepr, IntRepr, Issue, Json, Kind, MapKind, Outcome,
    Processing, Profile, Registry, Schema, SequenceKind, Settings, apply_json_patch,
    apply_merge_patch, compare, create_json_patch, create_merge_patch, load, store,
};
use proptest::collection::vec;
use proptest::prelude::*;
use testkit::o3de_checks::has_no_json;

fn any_json() -> impl Strategy<Value = Json> {
    let names = "[a-z]{0,2}|\\$type|Value|Key|\\{\\}|RGB8?|HEXA?|[XYZWxyzw]|scale|/|~";
    let leaf = prop_oneof![
        Just(Json::Null),
        any::<bool>().prop_map(Json::Bool),
        any::<i64>().prop_map(Json::Int),
        (-300_i64..300).prop_map(Json::Int),
        (i64::MAX as u64 + 1..).prop_map(Json::Uint),
        (-1e300_f64..1e300).prop_map(Json::Double),
        (-300.0_f64..300.0).prop_map(Json::Double),
        "\\PC{0,12}|-?0?x?[0-9.e+-]{0,9}|true|One|Base|\\{[0-9a-f-]{36}\\}".prop_map(Json::String),
    ];
    leaf.prop_recursive(4, 40, 6, move |inner| {
        prop_oneof![
            vec(inner.clone(), 0..6).prop_map(Json::Array),
            vec((names, inner), 0..6).prop_map(Json::Object),
        ]
    })
}

fn any_schema() -> impl Strategy<Value = Schema> {
    let values =
        vec![("One".into(), 1), ("Two".into(), 2), ("Three".into(), 3), ("Four".into(), 4)];
    let leaf = prop_oneof![
        Just(Kind::Bool),
        prop::sample::select(vec![IntRepr::I8, IntRepr::U16, IntRepr::I64, IntRepr::U64])
            .prop_map(Kind::Int),
        prop::sample::select(vec![FloatRepr::F32, FloatRepr::F64]).prop_map(Kind::Float),
        Just(Kind::String),
        Just(Kind::Path),
        Just(Kind::Uuid),
        Just(Kind::Bytes),
        Just(Kind::Enum(EnumSchema { underlying: IntRepr::I32, values: values.into() })),
        (2..5_usize).prop_map(Kind::Vector),
        Just(Kind::Quaternion),
        Just(Kind::Matrix3x3),
        Just(Kind::Matrix3x4),
        Just(Kind::Matrix4x4),
        Just(Kind::Transform),
        Just(Kind::Color),
        Just(Kind::Class("Base".into())),
        Just(Kind::Pointer(Box::new(Kind::Class("Base".into()).into()))),
        Just(Kind::Any),
    ];
    let leaf = leaf.prop_map(Schema::from);
    leaf.prop_recursive(3, 12, 3, |inner| {
        let sequence = prop::sample::select(vec![
            SequenceKind::Array,
            SequenceKind::FixedVector(2),
            SequenceKind::Set,
            SequenceKind::UnorderedMultiset,
        ]);
        let map = prop::sample::select(vec![
            MapKind::Map,
            MapKind::UnorderedMap,
            MapKind::UnorderedMultimap,
        ]);
        prop_oneof![
            (sequence, inner.clone()).prop_map(|(kind, item)| Kind::Sequence(kind, Box::new(item))),
            (0..4_usize, inner.clone()).prop_map(|(n, item)| Kind::FixedArray(n, Box::new(item))),
            vec(inner.clone(), 0..4).prop_map(Kind::Tuple),
            (map, inner.clone(), inner).prop_map(|(kind, k, v)| Kind::Map(kind, Box::new((k, v)))),
        ]
        .prop_map(Schema::from)
    })
}

fn registry() -> Registry {
    let mut registry = Registry::default();
    let base = r#"{"fields": [{"name": "a", "type": {"kind": "int"}, "default": 7},
        {"name": "b", "type": {"kind": "ptr", "item": {"kind": "class", "class": "Base"}}}]}"#;
    registry.register_json("Base", &Json::parse(base).unwrap()).unwrap();
    registry
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(2000) })]

    /// Whatever is loaded can be stored, in full, and comes back as it was.
    #[test]
    fn what_is_loaded_survives(json in any_json(), schema in any_schema(), is_doc: bool) {
        let profile = if is_doc { Profile::Doc } else { Profile::Engine };
        let settings = Settings { profile, keep_defaults: true, ..Settings::default() };
        let registry = registry();
        let first = load(&json, &schema, None, &registry, settings, None);
        let stored = store(&first.value, &schema, None, &registry, settings, None);
        if stored.code.processing() != Processing::Completed {
            // Only what JSON has no form for may be refused, each at its place.
            let refused = stored.issues.iter().map(|issue| issue.code.outcome());
            prop_assert!(refused.clone().all(|outcome| outcome == Outcome::Unsupported));
            prop_assert!(refused.count() > 0);
            prop_assert!(has_no_json(&first.value), "{:?}: {:?}", first.value, stored.issues);
            return Ok(());
        }
        let text = stored.json.to_text_pretty();
        let read = Json::parse(&text).unwrap();
        prop_assert_eq!(&read, &stored.json);
        let again = load(&read, &schema, None, &registry, settings, None);
        let second = store(&again.value, &schema, None, &registry, settings, None);
        prop_assert_eq!(second.json.to_text_pretty(), text);
    }

    #[test]
    fn patches_lead_from_any_document_to_any_other(source in any_json(), target in any_json()) {
        // RFC 6902 speaks of documents whose names are unique.
        let (source, target) = (unique_names(source), unique_names(target));
        let mut document = source.clone();
        let limits = DocumentLimits::default();
        let patch = create_json_patch(&source, &target, limits).unwrap();
        apply_json_patch(&mut document, &patch, limits).unwrap();
        prop_assert!(compare(&document, &target).is_eq());
        if let Ok(patch) = create_merge_patch(&source, &target) {
            let mut document = source;
            apply_merge_patch(&mut document, &patch);
            prop_assert!(compare(&document, &target).is_eq());
        }
    }

    /// Names and texts of a document reach the issues, which are printed.
    #[test]
    fn issues_hold_no_control_characters(
        json in any_json(),
        schema in any_schema(),
        operations in any_json(),
        control in "[\\x00-\\x1f\\x7f\u{80}-\u{9f}\u{2028}\u{202e}\u{2066}]{1,3}",
    ) {
        let (json, operations) = (with_texts_before(json, &control), with_texts_before(operations, &control));
        let registry = registry();
        let loaded = load(&json, &schema, None, &registry, Settings::default(), None);
        let mut reported = Vec::new();
        let mut reporter = |issue: &Issue| {
            reported.push(issue.clone());
            issue.code
        };
        load(&json, &schema, None, &registry, Settings::default(), Some(&mut reporter));
        let stored = store(&loaded.value, &Kind::Bool.into(), None, &registry, Settings::default(), None);
        let patch = Json::Array(vec![Json::Object(
            [("op", "move"), ("from", "/\u{1b}"), ("path", "/\u{1b}/\u{7}")]
                .map(|(name, value)| (name.to_owned(), Json::String(format!("{value}{control}"))))
                .into(),
        )]);
        let mut documents = [json.clone(), json];
        let limits = DocumentLimits::default();
        let refused = [
            apply_json_patch(&mut documents[0], &operations, limits).err(),
            apply_json_patch(&mut documents[1], &patch, limits).err(),
        ];
        let issues = loaded.issues.into_iter().chain(reported).chain(stored.issues);
        for issue in issues.chain(refused.into_iter().flatten()) {
            let shown = format!("{}{}", issue.path, issue.message);
            let is_shown = |c: char| !c.is_control() && !control.contains(c);
            prop_assert!(shown.chars().all(is_shown), "{issue:?}");
        }
    }

    #[test]
    fn any_text_is_read_or_refused(text in "[\\[\\]{}\",:0-9eE.+\\-/* \\n\\\\utrlfasn]{0,60}") {
        if let Ok(json) = Json::parse(&text) {
            prop_assert_eq!(Json::parse(&json.to_text()).unwrap(), json);
        }
    }
}

/// The document with a text before each name and each text in it.
fn with_texts_before(json: Json, text: &str) -> Json {
    let with = |json| with_texts_before(json, text);
    match json {
        Json::Array(elements) => Json::Array(elements.into_iter().map(with).collect()),
        Json::Object(members) => Json::Object(
            members
                .into_iter()
                .map(|(name, value)| (format!("{text}{name}"), with(value)))
                .collect(),
        ),
        Json::String(string) => Json::String(format!("{text}{string}")),
        json => json,
    }
}

fn unique_names(json: Json) -> Json {
    match json {
        Json::Array(elements) => Json::Array(elements.into_iter().map(unique_names).collect()),
        Json::Object(members) => {
            let mut unique: Vec<(String, Json)> = Vec::new();
            for (name, value) in members {
                if unique.iter().all(|(known, _)| *known != name) {
                    unique.push((name, unique_names(value)));
                }
            }
            Json::Object(unique)
        }
        json => json,
    }
}
