//! What O3DE's code does where a part of a value cannot be read, is there already, or is left out: the value that is there
//! afterwards, and the code. Both profiles do the same, and the streaming path does where it takes the text.

use o3de_json::{Json, Outcome, Processing, Profile, Registry, Schema, Settings, load};
use testkit::o3de_checks::streamed;

use Outcome::{DefaultsUsed, PartialDefaults, Success, Unavailable, Unsupported};
use Processing::{Altered, Completed, PartialAlter};

/// A load: the schema, the target or none for the schema's default, the JSON; the value that is there afterwards, in the
/// form of `classes.json` and the vectors.
type Load = (&'static str, Option<&'static str>, &'static str, &'static str, Outcome, Processing);

#[track_caller]
fn check(table: &[Load]) {
    let registry = Registry::default();
    for &(schema, target, json, expected, outcome, processing) in table {
        let schema = Schema::from_json(&Json::parse(schema).unwrap(), &registry).unwrap();
        let native =
            |text| schema.value_from_native(&Json::parse(text).unwrap(), &registry).unwrap();
        for profile in [Profile::Doc, Profile::Engine] {
            let settings = Settings { profile, ..Settings::default() };
            let parsed = Json::parse(json).unwrap();
            let loaded = load(&parsed, &schema, target.map(native), &registry, settings, None);
            if target.is_none() {
                streamed(json, &schema, &registry, settings, &loaded);
            }
            let found = (loaded.value, loaded.code.outcome(), loaded.code.processing());
            assert_eq!(found, (native(expected), outcome, processing), "{json} {profile:?}");
        }
    }
}

const BASIS: &str = "\"matrix3x3\"";
const TRANSFORM: &str = "\"matrix3x4\"";
const PROJECTION: &str = "\"matrix4x4\"";
const ZERO_3X3: Option<&str> = Some("[0,0,0, 0,0,0, 0,0,0]");
const ONE_3X3: &str = "[1,0,0, 0,1,0, 0,0,1]";
const ZERO_3X4: Option<&str> = Some("[0,0,0,0, 0,0,0,0, 0,0,0,0]");
const ONE_3X4: &str = "[1,0,0,0, 0,1,0,0, 0,0,1,0]";
const ZERO_4X4: Option<&str> = Some("[0,0,0,0, 0,0,0,0, 0,0,0,0, 0,0,0,0]");
const ONE_4X4: &str = "[1,0,0,0, 0,1,0,0, 0,0,1,0, 0,0,0,1]";

/// MathMatrixSerializer.cpp, `LoadObject`: the target is the identity before a member is read.
#[test]
fn matrix_objects_begin_with_the_identity() {
    let bad_yaw = r#"{"scale": 1.0, "yaw": "Invalid", "pitch": 0.0, "roll": 0.0}"#;
    let bad_x = r#"{"scale": 2.0, "x": [], "y": 1.0}"#;
    check(&[
        (BASIS, ZERO_3X3, bad_yaw, ONE_3X3, Unsupported, Altered),
        (TRANSFORM, ZERO_3X4, bad_yaw, ONE_3X4, Unsupported, Altered),
        (PROJECTION, ZERO_4X4, bad_yaw, ONE_4X4, Unsupported, Altered),
        (BASIS, ZERO_3X3, r#"{"scale": null}"#, ONE_3X3, Unsupported, Altered),
        (TRANSFORM, ZERO_3X4, bad_x, ONE_3X4, Unsupported, Altered),
        // What is not an object leaves the target as it was.
        (BASIS, ZERO_3X3, "[1]", "[0,0,0, 0,0,0, 0,0,0]", Unsupported, Altered),
        (BASIS, ZERO_3X3, r#"[1,2,3, 4,"a",6, 7,8,9]"#, ZERO_3X3.unwrap(), Unsupported, Altered),
    ]);
}

/// `LoadQuaternionAndScale` has read a scale before it refuses it; `LoadVector3FromObject` counts angles and positions as
/// read, even those that are missing.
#[test]
fn codes_of_matrix_objects() {
    let scaled = "[2,0,0, 0,2,0, 0,0,2]";
    let moved = "[1,0,0,5, 0,1,0,0, 0,0,1,0]";
    check(&[
        (BASIS, ZERO_3X3, r#"{"scale": 0.0}"#, ONE_3X3, Unsupported, PartialAlter),
        (BASIS, ZERO_3X3, r#"{"scale": {}}"#, ONE_3X3, Unsupported, PartialAlter),
        (BASIS, ZERO_3X3, r#"{"Scale": 2.0}"#, scaled, Success, Completed),
        (BASIS, ZERO_3X3, r#"{"scale": "2", "yaw": 0.0}"#, scaled, Success, Completed),
        (BASIS, ZERO_3X3, r#"{"scale": 1.0, "extra": 5}"#, ONE_3X3, DefaultsUsed, Completed),
        (TRANSFORM, ZERO_3X4, r#"{"x": 5}"#, moved, PartialDefaults, Completed),
        (TRANSFORM, ZERO_3X4, r#"{"x": 5, "scale": 1}"#, moved, Success, Completed),
    ]);
}

/// MathVectorSerializer.cpp: the first component that cannot be read is the end of it, with its code.
#[test]
fn vectors_with_a_bad_component_are_refused() {
    let old = Some("[7, 8]");
    check(&[
        ("\"vector2\"", old, r#"[1, "a"]"#, "[7, 8]", Unsupported, Altered),
        ("\"vector2\"", old, r#"{"x": 1, "y": "a"}"#, "[7, 8]", Unsupported, Altered),
        ("\"vector2\"", old, r#"{"X": {}, "y": 3}"#, "[0, 3]", Success, Completed),
        ("\"vector2\"", old, r#"{"y": 3}"#, "[7, 3]", PartialDefaults, Completed),
        ("\"vector2\"", old, "[{}, 3]", "[0, 3]", Success, Completed),
        (
            r#"{"kind": "vector2", "component": "i32"}"#,
            old,
            "[1, null]",
            "[7, 8]",
            Unsupported,
            Altered,
        ),
        ("\"quaternion\"", None, r#"[0, 0, "a", 1]"#, "[0, 0, 0, 1]", Unsupported, Altered),
        // So a container leaves it out.
        (r#"["vector2"]"#, None, r#"[[1, "a"], [1, 2]]"#, "[[1, 2]]", Unsupported, PartialAlter),
        (r#"["matrix3x3"]"#, None, r#"[{"yaw": "a"}]"#, "[]", Unsupported, Altered),
    ]);
}

/// BasicContainerSerializer.cpp: an element that is there already is `Unavailable`, and nothing else.
#[test]
fn elements_that_are_there_already() {
    let set = r#"{"kind": "set", "item": "i32"}"#;
    let unordered = r#"{"kind": "unordered_set", "item": "i32"}"#;
    let multiset = r#"{"kind": "unordered_multiset", "item": "i32"}"#;
    let full = r#"{"kind": "fixed_vector", "item": "i32", "capacity": 1}"#;
    let old = Some("[188]");
    check(&[
        (set, old, "[188]", "[188]", Unavailable, Altered),
        (unordered, old, "[188, 188]", "[188]", Unavailable, Altered),
        (set, old, "[188, 288]", "[188, 288]", Unavailable, PartialAlter),
        (set, None, "[188, 288, 288]", "[188, 288]", Unavailable, PartialAlter),
        (set, Some("[0]"), "[{}]", "[0]", Unavailable, Altered),
        (set, None, "[0, \"a\", 0]", "[0]", Unsupported, PartialAlter),
        (multiset, old, "[188]", "[188, 188]", Success, Completed),
        (set, old, "[]", "[188]", Success, Completed),
        (full, old, "[5]", "[188]", Outcome::Skipped, Completed),
        (full, None, "[5, 6]", "[5]", Outcome::PartialSkip, Completed),
    ]);
}

/// MapSerializer.cpp, `LoadElement`: an entry of which a part is refused is `Unavailable`.
#[test]
fn entries_of_maps() {
    let map = r#"{"kind": "map", "key": "u8", "value": "i32"}"#;
    let rotations = r#"{"kind": "map", "key": "string", "value": "matrix3x3"}"#;
    let lists = r#"{"kind": "map", "key": "string", "value": ["i32"]}"#;
    let multimap = r#"{"kind": "unordered_multimap", "key": "u8", "value": "i32"}"#;
    let old = Some("[[1, 5]]");
    let same = "[[1, 5]]";
    let zero = r#"[["a", [0,0,0, 0,0,0, 0,0,0]]]"#;
    let one = r#"[["a", [1,0,0, 0,1,0, 0,0,1]]]"#;
    check(&[
        (map, old, r#"{"1": null}"#, same, Unavailable, Altered),
        (map, old, r#"{"2": null}"#, same, Unavailable, Altered),
        (map, old, r#"{"a": 6}"#, same, Unavailable, Altered),
        (map, old, r#"{"a": null}"#, same, Unavailable, Altered),
        (map, old, r#"{"1": 6, "300": 7}"#, "[[1, 6]]", Unavailable, PartialAlter),
        (map, old, r#"{"1": 6}"#, "[[1, 6]]", Success, Completed),
        // O3DE takes the value that is there for a new one.
        (map, old, r#"{"1": {}}"#, "[[1, 0]]", PartialDefaults, Completed),
        (map, old, r#"{"{}": {}}"#, "[[1, 5], [0, 0]]", PartialDefaults, Completed),
        (
            lists,
            Some(r#"[["a", [1]]]"#),
            r#"{"a": {}}"#,
            r#"[["a", [1]]]"#,
            PartialDefaults,
            Completed,
        ),
        (rotations, Some(zero), r#"{"a": {"yaw": "a"}}"#, one, Unavailable, Altered),
        (multimap, old, r#"{"1": [6, null]}"#, "[[1, 5], [1, 6]]", Unavailable, PartialAlter),
        (multimap, old, r#"{"1": 6}"#, same, Unsupported, Altered),
        (multimap, old, r#"{"1": []}"#, same, DefaultsUsed, Completed),
        (multimap, old, r#"{"a": []}"#, same, DefaultsUsed, Completed),
        (multimap, old, r#"{"a": [6]}"#, same, Unavailable, Altered),
        (multimap, old, "[]", same, Success, Completed),
    ]);
}

/// TupleSerializer.cpp: an element that cannot be read is stepped over, and a slot that gets none keeps its value.
#[test]
fn slots_of_tuples() {
    let pair = r#"["i32", "i32"]"#;
    let old = Some("[7, 8]");
    check(&[
        (pair, old, r#"["a", 1]"#, "[1, 8]", Unsupported, PartialAlter),
        (pair, old, r#"["a", "b"]"#, "[7, 8]", Unsupported, Altered),
        (pair, old, r#"["a", 1, 2]"#, "[1, 2]", Unsupported, PartialAlter),
        (
            r#"{"kind": "fixed_array", "item": "i32", "size": 2}"#,
            old,
            r#"["a", 1]"#,
            "[7, 1]",
            Unsupported,
            PartialAlter,
        ),
    ]);
}

/// AnySerializer.cpp: the type was read, so that its default is there if the value cannot be read.
#[test]
fn values_of_any() {
    let zero = r#"{"type": "Vector2", "value": [0, 0]}"#;
    check(&[
        ("\"any\"", None, r#"{"$type": "Vector2", "Value": "a"}"#, zero, Unsupported, PartialAlter),
        ("\"any\"", None, r#"{"$type": "Vector2", "Value": {}}"#, zero, PartialDefaults, Completed),
        ("\"any\"", None, r#"{"$type": "Vector2"}"#, zero, PartialDefaults, Completed),
    ]);
}

/// Plane and Aabb are reflected classes of O3DE: JsonDeserializer.cpp, `LoadClass`.
#[test]
fn planes_and_boxes_are_classes() {
    let plane = Some("[0, 1, 0, 5]");
    let same = "[0, 1, 0, 5]";
    check(&[
        ("\"plane\"", plane, r#"{"plane": "a"}"#, same, Unsupported, PartialAlter),
        ("\"plane\"", plane, r#"{"other": 1}"#, same, DefaultsUsed, Completed),
        (
            "\"plane\"",
            plane,
            r#"{"Plane": [1, 0, 0, -2], "other": 1}"#,
            "[1, 0, 0, 2]",
            Outcome::PartialSkip,
            Completed,
        ),
    ]);
}

/// UuidSerializer.cpp finds a UUID in other text, but the null UUID only by itself.
#[test]
fn null_uuids_stand_alone() {
    let old = "\"{8651B6DA-9792-407C-A46D-A6E2E39CA900}\"";
    let null = "\"{00000000-0000-0000-0000-000000000000}\"";
    let noisy = r#""of Hero: {00000000-0000-0000-0000-000000000000}""#;
    let short = r#""{00000000000000000000000000000000}""#;
    check(&[
        ("\"uuid\"", Some(old), null, null, DefaultsUsed, Completed),
        ("\"uuid\"", Some(old), short, null, DefaultsUsed, Completed),
        ("\"uuid\"", Some(old), noisy, old, Unsupported, Altered),
        (
            "\"uuid\"",
            None,
            r#""{ä{8651b6da9792407ca46da6e2e39ca900} Hero""#,
            old,
            Success,
            Completed,
        ),
    ]);
}

/// StringFunc.cpp, `Base64::Decode`, does not look at the bits behind the last byte.
#[test]
fn bytes_with_bits_behind_them() {
    check(&[
        ("\"bytes\"", None, "\"AQ==\"", "[1]", Success, Completed),
        ("\"bytes\"", None, "\"AR==\"", "[1]", Success, Completed),
        ("\"bytes\"", None, "\"AR=\"", "[]", Outcome::Invalid, Processing::Halted),
    ]);
}
