//! Points of curves and gradients, messages of translations, and bones.

use super::Fixture;

#[track_caller]
fn check(class: &str, properties: &str, expected: &str) {
    let line = format!(
        r#"{{"op": "new", "file": "new.tres", "type": "{class}", "properties": {properties}}}"#
    );
    let text = Fixture::new().text(&line, "res://new.tres");
    let (_, resource) = text.split_once("[resource]\n").unwrap();
    assert_eq!(resource, expected);
}

#[test]
fn points() {
    check(
        "Curve",
        r#"{"points": [{"at": [1, 0.5], "left": 2}, [0, 0]]}"#,
        "_data = [Vector2(0, 0), 0.0, 0.0, 0, 0, Vector2(1, 0.5), 2.0, 0.0, 0, 0]\npoint_count = 2\n",
    );
    check(
        "Curve2D",
        r#"{"points": [[1, 2], {"at": [3, 4], "out": [5, 6]}]}"#,
        "_data = {\n\"points\": PackedVector2Array(0, 0, 0, 0, 1, 2, 0, 0, 5, 6, 3, 4)\n}\npoint_count = 2\n",
    );
    check(
        "Curve3D",
        r#"{"points": [{"at": [1, 2, 3], "tilt": 0.5}]}"#,
        "_data = {\n\"points\": PackedVector3Array(0, 0, 0, 0, 0, 0, 1, 2, 3),\n\"tilts\": PackedFloat32Array(0.5)\n}\npoint_count = 1\n",
    );
    check(
        "Gradient",
        r##"{"points": [[0, "#f00"], [0.5, [0, 1, 0]]]}"##,
        "offsets = PackedFloat32Array(0, 0.5)\ncolors = PackedColorArray(1, 0, 0, 1, 0, 1, 0, 1)\n",
    );
    let wrong = r#"{"op": "new", "file": "new.tres", "type": "Curve", "properties": {"points": [[0, 0, 0]]}}"#;
    let refused = Fixture::new().refused(wrong);
    assert!(
        refused.contains("`[0,0,0]` is not a valid point of a Curve; expected [x, y]"),
        "{refused}"
    );
}

#[test]
fn messages() {
    check(
        "Translation",
        r#"{"messages": {"START": "Los", "%d coin": ["%d Münze", "%d Münzen"]}, "locale": "de"}"#,
        "messages = {\n[&\"\", &\"START\"]: [&\"Los\"],\n[&\"\", &\"%d coin\"]: [&\"%d Münze\", &\"%d Münzen\"]\n}\nlocale = \"de\"\n",
    );
}

#[test]
fn bones_are_saved_as_a_whole() {
    let line = r#"{"op": "new", "file": "new.tscn", "type": "Skeleton3D", "properties": {"bones/0/name": "hip", "bones/0/position": [0, 1, 0]}}"#;
    let text = Fixture::new().text(line, "res://new.tscn");
    let (_, bone) = text.split_once("]\nbones/").unwrap();
    assert_eq!(
        format!("bones/{bone}"),
        "bones/0/name = \"hip\"\nbones/0/parent = -1\nbones/0/rest = Transform3D(1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0)\n\
         bones/0/enabled = true\nbones/0/position = Vector3(0, 1, 0)\nbones/0/rotation = Quaternion(0, 0, 0, 1)\n\
         bones/0/scale = Vector3(1, 1, 1)\n"
    );
}
