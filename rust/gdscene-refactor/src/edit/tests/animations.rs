//! `add-animation`

use super::{Fixture, anonymous};

fn with(tracks: &str) -> String {
    format!(
        r#"{{"op": "add", "node": "Player/Animations", "type": "AnimationPlayer"}}
        {{"op": "add-animation", "node": "Player/Animations", "name": "run", "tracks": [{tracks}]}}"#
    )
}

#[track_caller]
fn keys(tracks: &str) -> String {
    let text = Fixture::new().text(&with(tracks), "res://level.tscn");
    let (_, keys) = text.split_once("/keys = ").unwrap();
    keys.split("\n\n").next().unwrap().replace('\n', "")
}

#[test]
fn animations_are_put_into_libraries_by_their_names() {
    let fixture = Fixture::new();
    let track = r#"{"path": "Shape:disabled", "keys": [[0.5, true], [0, false]]}"#;
    let other = r#"{"op": "add-animation", "node": "Player/Animations", "name": "idle", "length": 2, "loop": "pingpong", "tracks": []}
        {"op": "add-animation", "node": "Player/Animations", "name": "idle", "length": 3, "tracks": []}
        {"op": "add-animation", "node": "Player/Animations", "name": "a", "library": "more", "tracks": []}"#;
    let text = fixture.text(&format!("{}\n{other}", with(track)), "res://level.tscn");
    let text = anonymous(&text);
    let expected = r#"[sub_resource type="Animation" id="Animation_abcde"]
length = 3.0

[sub_resource type="Animation" id="Animation_abcde"]
length = 0.5
tracks/0/type = "value"
tracks/0/imported = false
tracks/0/enabled = true
tracks/0/path = NodePath("Shape:disabled")
tracks/0/interp = 1
tracks/0/loop_wrap = true
tracks/0/keys = {
"times": PackedFloat32Array(0, 0.5),
"transitions": PackedFloat32Array(1, 1),
"update": 1,
"values": [false, true]
}

[sub_resource type="AnimationLibrary" id="AnimationLibrary_abcde"]
_data = {
&"idle": SubResource("Animation_abcde"),
&"run": SubResource("Animation_abcde")
}
"#;
    assert!(text.contains(expected), "{text}");
    let libraries = "libraries/ = SubResource(\"AnimationLibrary_abcde\")\nlibraries/more = ";
    assert!(text.contains(libraries) && !text.contains("loop_mode"), "{text}");
}

#[test]
fn a_replaced_animation_is_reported() {
    let fixture = Fixture::new();
    let again =
        r#"{"op": "add-animation", "node": "Player/Animations", "name": "run", "tracks": []}"#;
    let edited = fixture.edit(&format!("{}\n{again}", with(""))).unwrap();
    let notes: Vec<&[String]> = edited.outcomes.iter().map(|outcome| &*outcome.notes).collect();
    let replaced = ["replaces the animation `run` of the library".to_owned()];
    assert_eq!(notes, [&[][..], &[], &replaced]);
}

#[test]
fn values_have_the_type_of_what_the_track_changes() {
    for (path, value, written) in [
        (".:position", "[1, 2]", "Vector2(1, 2)"),
        (".:position:x", "3", "3.0"),
        ("Shape:shape:size", "[4, 5]", "Vector2(4, 5)"),
        ("../Enemy/Sprite:modulate", "\"#f00\"", "Color(1, 0, 0, 1)"),
        ("../Button:text", "\"Go\"", "\"Go\""),
    ] {
        let keys = keys(&format!(r#"{{"path": "{path}", "keys": [[0, {value}]]}}"#));
        assert!(keys.ends_with(&format!("\"values\": [{written}]}}")), "{path}: {keys}");
    }
}

#[test]
fn kinds_of_tracks() {
    let method = r#"{"path": ".", "type": "method", "keys": [{"time": 1, "method": "hit", "args": [1, "a"]}]}"#;
    assert!(keys(method).ends_with(r#""values": [{"args": [1, "a"],"method": &"hit"}]}"#));
    let place = r#"{"path": "Shape", "type": "position_3d", "keys": [[0, [1, 2, 3]]]}"#;
    assert_eq!(keys(place), "PackedFloat32Array(0, 1, 1, 2, 3)");
    let bezier = r#"{"path": ".:rotation", "type": "bezier", "keys": [{"time": 0, "value": 1, "out": [0.2, 0.5]}]}"#;
    assert!(keys(bezier).contains("\"points\": PackedFloat32Array(1, 0, 0, 0.2, 0.5)"));
}

#[test]
fn what_is_refused() {
    let fixture = Fixture::new();
    for (tracks, reason) in [
        (r#"{"path": ".:positon", "keys": []}"#, "did you mean `position`?"),
        (r#"{"path": ".:position", "keys": [[0, 1]]}"#, "it is int; write it like Vector2(1, 2)"),
        (r#"{"path": ".", "keys": []}"#, "does not name a property"),
        (
            r#"{"path": ".:visible", "type": "boolean", "keys": []}"#,
            "expected one of value, method",
        ),
        (r#"{"path": ".:visible", "keys": [[0, true], [0, false]]}"#, "has two keys at 0"),
        (r#"{"path": ".:visible", "update": "now", "keys": []}"#, "`UPDATE_DISCRETE` (1)"),
    ] {
        let refused = fixture.refused(&with(tracks));
        assert!(refused.contains(reason), "{tracks}: {refused}");
    }
    let refused =
        fixture.refused(r#"{"op": "add-animation", "node": "Player", "name": "a", "tracks": []}"#);
    assert!(refused.contains("`Player` is a CharacterBody2D"), "{refused}");
}
