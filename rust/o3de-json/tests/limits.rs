//! What strangers send to take memory or time: each is refused, or done in time that grows with its
//! size. A test that hangs has failed.

use std::fmt::Write;

use godot_variant::Value;
use o3de_json::{
    DocumentLimits, EnumSchema, FloatRepr, IntRepr, Issue, Json, Kind, Outcome, Registry, Schema,
    SequenceKind, Settings, apply_json_patch, apply_merge_patch, create_json_patch,
    create_merge_patch, load, load_text, resolve_imports, resolve_imports_in_order,
    restore_imports, store,
};

const LIMITS: DocumentLimits =
    DocumentLimits { max_depth: 256, max_values: 1_000_000, max_imports: 10_000 };

fn json(text: &str) -> Json {
    Json::parse(text).unwrap()
}

#[track_caller]
fn is_refused<T: std::fmt::Debug>(result: Result<T, Issue>, words: &str) {
    let issue = result.expect_err("a limit is passed");
    assert_eq!(issue.code.outcome(), Outcome::Catastrophic, "{}", issue.message);
    assert!(issue.message.contains(words), "{}", issue.message);
}

fn patch(operations: impl Iterator<Item = String>) -> Json {
    json(&format!("[{}]", operations.collect::<Vec<_>>().join(",")))
}

#[test]
fn copies_of_copies_are_counted() {
    let copies = patch((0..27).map(|n| format!(r#"{{"op":"copy","from":"","path":"/k{n}"}}"#)));
    let mut document = json(r#"{"a": 1}"#);
    is_refused(apply_json_patch(&mut document, &copies, LIMITS), "`max_values`");
    let few = patch((0..10).map(|n| format!(r#"{{"op":"copy","from":"","path":"/k{n}"}}"#)));
    apply_json_patch(&mut json(r#"{"a": 1}"#), &few, LIMITS).unwrap();
    // A long text is more than one value.
    let mut document = json(&format!(r#"{{"a": "{}"}}"#, "x".repeat(1 << 20)));
    is_refused(apply_json_patch(&mut document, &copies, LIMITS), "`max_values`");
}

#[test]
fn a_patch_makes_nothing_deeper_than_may_be_read() {
    let copies = patch((0..20_000).map(|_| r#"{"op":"copy","from":"","path":"/k"}"#.to_owned()));
    is_refused(apply_json_patch(&mut json("{}"), &copies, LIMITS), "deeper than 256");
    let members: Vec<String> = (0..1000).map(|n| format!(r#""m{n}":{{}}"#)).collect();
    let moves = patch(
        (0..999).map(|n| format!(r#"{{"op":"move","from":"/m{n}","path":"/m{}/m"}}"#, n + 1)),
    );
    let mut document = json(&format!("{{{}}}", members.join(",")));
    is_refused(apply_json_patch(&mut document, &moves, LIMITS), "deeper than 256");
    let deep = format!("{}{}", "[".repeat(251), "]".repeat(251));
    let add = json(&format!(r#"[{{"op":"add","path":"/a/a/a/a/a/a/b","value":{deep}}}]"#));
    let mut document = json(r#"{"a":{"a":{"a":{"a":{"a":{"a":{}}}}}}}"#);
    is_refused(apply_json_patch(&mut document, &add, LIMITS), "deeper than 256");
}

#[test]
fn imports_are_counted() {
    // Ten imports each, none of which is open already.
    let mut count = 0;
    let mut resolver = |_: &str| {
        let names: Vec<String> =
            (0..10).map(|n| format!(r#"{{"$import":"{count}_{n}"}}"#)).collect();
        count += 1;
        Json::parse(&format!("[{}]", names.join(","))).map_err(|error| error.to_string())
    };
    let limits = DocumentLimits { max_imports: 100, ..LIMITS };
    // Some run into the limit of those in each other first.
    let _ = resolve_imports(&mut json(r#"{"$import":"start"}"#), &mut resolver, limits);
    assert!(count <= 100, "{count}");
    let wide = format!("[{}]", vec![r#"{"$import":"leaf"}"#; 101].join(","));
    let mut leaf = |_: &str| Ok(Json::Int(1));
    is_refused(resolve_imports(&mut json(&wide), &mut leaf, limits), "`max_imports`");
    is_refused(resolve_imports_in_order(&mut json(&wide), &mut leaf, limits), "`max_imports`");
    let mut large = |_: &str| Ok(Json::Array(vec![Json::Null; 100_000]));
    is_refused(resolve_imports(&mut json(&wide), &mut large, LIMITS), "`max_values`");
    is_refused(resolve_imports_in_order(&mut json(&wide), &mut large, LIMITS), "`max_values`");
}

#[test]
fn imports_in_each_other_are_not_too_deep() {
    let mut count = 0;
    let mut deep = |_: &str| {
        count += 1;
        let text = format!(r#"{}{{"$import":"{count}"}}{}"#, "[".repeat(100), "]".repeat(100));
        Json::parse(&text).map_err(|error| error.to_string())
    };
    let mut document = json(r#"{"$import":"start"}"#);
    is_refused(resolve_imports(&mut document, &mut deep, LIMITS), "deeper than 256");
    is_refused(
        resolve_imports_in_order(&mut json(r#"{"$import":"x"}"#), &mut deep, LIMITS),
        "deeper",
    );
    // The same place again and again: each time the patch holds what was there.
    let import = o3de_json::Import { path: String::new(), filename: "leaf".into() };
    let mut leaf = |_: &str| Ok(Json::Int(1));
    let imports = vec![import; 5000];
    is_refused(restore_imports(&mut json("[2]"), &imports, &mut leaf, LIMITS), "deeper than 256");
}

/// An object of so many members.
fn wide(count: usize, value: &str) -> Json {
    let mut text = String::from("{");
    for n in 0..count {
        let comma = if n == 0 { "" } else { "," };
        write!(text, "{comma}\"name{n}\":{value}").unwrap();
    }
    json(&(text + "}"))
}

/// Each of these looked through all members for each member.
#[test]
fn many_members_take_no_longer_than_few() {
    const MANY: usize = 200_000;
    let limits = DocumentLimits { max_values: usize::MAX, ..LIMITS };
    let (old, new) = (wide(MANY, "1"), wide(MANY, "2"));
    let mut document = old.clone();
    apply_merge_patch(&mut document, &new);
    assert_eq!(document, new);
    let made = create_json_patch(&old, &new, limits).unwrap();
    let mut document = old.clone();
    apply_json_patch(&mut document, &made, limits).unwrap();
    assert_eq!(document, new);
    assert_eq!(create_merge_patch(&old, &new).unwrap(), new);
    let gone = create_json_patch(&old, &json("{}"), limits).unwrap();
    let mut document = old.clone();
    apply_json_patch(&mut document, &gone, limits).unwrap();
    assert_eq!(document, json("{}"));
    let nothing = &mut |_: &str| Err(String::new());
    let mut document = new.clone();
    resolve_imports_in_order(&mut document, nothing, limits).unwrap();
    assert_eq!(document, new);
}

#[test]
fn long_names_are_not_repeated_in_paths() {
    let name = "n".repeat(1 << 20);
    let inner = |value: &str| {
        let members: Vec<String> = (0..5000).map(|n| format!("\"{n}\":{value}")).collect();
        json(&format!(r#"{{"{name}":{{{}}}}}"#, members.join(",")))
    };
    is_refused(create_json_patch(&inner("1"), &inner("2"), LIMITS), "`max_values`");
    let schema = Schema::from_json(
        &json(
            r#"{"kind":"map","key":"string","value":
        {"kind":"map","key":"string","value":"bool"}}"#,
        ),
        &Registry::default(),
    )
    .unwrap();
    let loaded =
        load(&inner("{\"a\":1}"), &schema, None, &Registry::default(), Settings::default(), None);
    assert!(!loaded.issues.is_empty());
    let longest = loaded.issues.iter().map(|issue| issue.path.len()).max().unwrap();
    assert!(longest < 1000, "{longest}");
}

#[test]
fn names_that_stand_again_and_again_are_counted() {
    let elements = vec!["1"; 100_000].join(",");
    let twins = vec![r#""a":0"#; 100_000].join(",");
    let document = json(&format!(r#"{{"a":[{elements}],{twins}}}"#));
    let schema = json(r#"{"kind":"map","key":"string","value":["i32"]}"#);
    let schema = Schema::from_json(&schema, &Registry::default()).unwrap();
    let loaded = load(&document, &schema, None, &Registry::default(), Settings::default(), None);
    let words = |issue: &Issue| issue.message.contains("duplicate names");
    assert!(loaded.issues.iter().any(words), "{:?}", loaded.code);
}

/// Names that occur once are no reason to refuse a map, however many there are.
#[test]
fn a_million_names_are_not_too_many() {
    let members = (0..1_000_100).map(|n| (n.to_string(), Json::Int(n))).collect();
    let schema = json(r#"{"kind":"map","key":"string","value":"i32"}"#);
    let schema = Schema::from_json(&schema, &Registry::default()).unwrap();
    let (registry, settings) = (Registry::default(), Settings::default());
    let loaded = load(&Json::Object(members), &schema, None, &registry, settings, None);
    assert_eq!(loaded.code.outcome(), Outcome::Success, "{:?}", loaded.issues);
}

/// A brace may begin a UUID at every byte.
#[test]
fn braces_are_looked_behind_once() {
    let (registry, settings) = (Registry::default(), Settings::default());
    let braces = Json::String("{".repeat(2_000_000) + "}");
    let loaded = load(&braces, &Kind::Uuid.into(), None, &registry, settings, None);
    assert_eq!(loaded.code.outcome(), Outcome::Unsupported);
}

#[test]
fn many_constants_take_no_longer_than_few() {
    let values = (0..50_000).map(|n| (format!("Name{n}").into(), n)).collect();
    let schema = Kind::Enum(EnumSchema { underlying: IntRepr::I64, values });
    let schema = Schema::from(Kind::Sequence(SequenceKind::Array, Box::new(schema.into())));
    let names: Vec<Json> = (0..50_000).map(|n| Json::String(format!("Name{n}"))).collect();
    let (registry, settings) = (Registry::default(), Settings::default());
    let settings = Settings { keep_defaults: true, ..settings };
    let names = Json::Array(names);
    let loaded = load(&names, &schema, None, &registry, settings, None);
    let stored = store(&loaded.value, &schema, None, &registry, settings, None);
    assert_eq!(stored.json, names);
    let streamed = load_text(&names.to_text(), Default::default(), &schema, &registry, settings);
    assert_eq!(streamed.unwrap().value, loaded.value);
    // A message does not list all of them.
    let wrong = load(&json("[\"x\"]"), &schema, None, &registry, settings, None);
    assert!(wrong.issues[0].message.len() < 2000, "{}", wrong.issues[0].message.len());
}

#[test]
fn integers_end_where_they_end() {
    use IntRepr::*;
    let table = [
        (I8, "-128", Some(-128)),
        (I8, "-129", None),
        (I8, "127", Some(127)),
        (I8, "128", None),
        (U8, "-1", None),
        (U8, "256", None),
        (I16, "-32769", None),
        (I16, "32768", None),
        (U16, "65536", None),
        (I32, "-2147483648", Some(-2_147_483_648)),
        (I32, "-2147483649", None),
        (I32, "2147483648", None),
        (I32, "-2147483648.5", None),
        (U32, "4294967296", None),
        (I64, "-9223372036854775808", Some(i64::MIN)),
        (I64, "-9223372036854775809", None),
        (I64, "-9223372036854776832", None),
        (I64, "-9.223372036854775809e18", None),
        (I64, "-9223372036854775809.0", None),
        (I64, "9223372036854775807", Some(i64::MAX)),
        (I64, "9223372036854775808", None),
        (I64, "9.223372036854775807e18", None),
        (I64, "1e19", None),
        (I64, "-1e19", None),
        (I64, "1e300", None),
        (I64, "1e3", Some(1000)),
        (I64, "\"-9223372036854775809\"", None),
        (I64, "\"9223372036854775808\"", None),
        (U64, "18446744073709551615", Some(-1)),
        (U64, "18446744073709551616", None),
        (U64, "1.8446744073709551615e19", None),
        (U64, "-1", None),
        (U64, "-0.5", None),
        (U64, "-0", Some(0)),
        (U64, "\"18446744073709551616\"", None),
        (U64, "\"-1\"", None),
    ];
    let (registry, settings) = (Registry::default(), Settings::default());
    for (repr, text, expected) in table {
        let schema = Kind::Int(repr).into();
        let streamed = load_text(text, Default::default(), &schema, &registry, settings).unwrap();
        let tree = load(&json(text), &schema, None, &registry, settings, None);
        let refused = Value::Int(0);
        let value = expected.map_or(refused, Value::Int);
        for loaded in [streamed, tree] {
            assert_eq!(loaded.value, value, "{text} as {repr:?}");
            assert_eq!(loaded.issues.is_empty(), expected.is_some(), "{text} as {repr:?}");
        }
    }
}

/// The worker threads of some systems have half a megabyte.
#[test]
fn the_deepest_documents_fit_a_small_stack() {
    let work = || {
        let deep = |core: &str| json(&format!("{}{core}{}", "[".repeat(255), "]".repeat(255)));
        let (mut document, other) = (deep("[1]"), deep("[2]"));
        let made = create_json_patch(&document, &other, LIMITS).unwrap();
        apply_json_patch(&mut document, &made, LIMITS).unwrap();
        assert_eq!(document, other);
        assert!(create_merge_patch(&document, &other).is_ok());
        resolve_imports(&mut document, &mut |_| Ok(Json::Null), LIMITS).unwrap();
        resolve_imports_in_order(&mut document, &mut |_| Ok(Json::Null), LIMITS).unwrap();
        assert_eq!(Json::parse(&document.to_text_pretty()).unwrap(), other);
        let schema = (0..60).fold(Schema::from(Kind::Float(FloatRepr::F64)), |item, _| {
            Kind::Sequence(SequenceKind::Array, Box::new(item)).into()
        });
        let registry = Registry::default();
        let loaded = load(&document, &schema, None, &registry, Settings::default(), None);
        assert!(!loaded.issues.is_empty());
    };
    let thread = std::thread::Builder::new().stack_size(STACK).spawn(work).unwrap();
    thread.join().unwrap();
}

/// Without optimisations a call takes several times as much.
const STACK: usize = if cfg!(debug_assertions) { 2 << 20 } else { 512 << 10 };
