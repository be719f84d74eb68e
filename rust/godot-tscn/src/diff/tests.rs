//! Each test compares the whole difference of two texts.

use std::fmt::Write as _;

use crate::diff::{Diff, State};
use crate::{diff, diff_file};

/// All of a difference, a line for each thing.
fn told(diff: &Diff) -> String {
    let mut text = String::new();
    for change in &diff.changes {
        let sign = match change.state {
            State::Added => '+',
            State::Removed => '-',
            State::Changed => '~',
        };
        let _ = write!(text, "{sign} {:?} {}", change.kind, change.name);
        if let Some(name) = &change.type_name {
            let _ = write!(text, " ({name})");
        }
        if let Some(name) = &change.old_name {
            let _ = write!(text, " was {name}");
        }
        text.push('\n');
        let value = |value: &Option<String>| value.clone().unwrap_or_else(|| "()".to_owned());
        for entry in &change.entries {
            let _ = match &entry.summary {
                Some(summary) => writeln!(text, "    {}: {summary}", entry.name),
                None if entry.parts.is_empty() => {
                    let (old, new) = (value(&entry.old), value(&entry.new));
                    writeln!(text, "    {}: {old} -> {new}", entry.name)
                }
                None => writeln!(text, "    {}:", entry.name),
            };
            for part in &entry.parts {
                let (old, new) = (value(&part.old), value(&part.new));
                let _ = writeln!(text, "        {}: {old:?} -> {new:?}", part.place);
            }
        }
    }
    for noise in &diff.noise {
        let _ = writeln!(text, "noise: {} {}", noise.count, noise.what);
    }
    text
}

#[track_caller]
fn check(old: &str, new: &str, expected: &str) {
    let found = told(&diff(old.as_bytes(), new.as_bytes()).unwrap());
    assert_eq!(found, expected, "\n{found}");
}

#[track_caller]
fn check_file(path: &str, old: &str, new: &str, expected: &str) {
    let found = told(&diff_file(path, old.as_bytes(), new.as_bytes()).unwrap());
    assert_eq!(found, expected, "\n{found}");
}

const SCENE: &str = r#"[gd_scene load_steps=4 format=3]

[ext_resource type="Texture2D" path="res://icon.svg" id="1_a"]
[ext_resource type="PackedScene" path="res://enemy.tscn" id="2_b"]

[sub_resource type="RectangleShape2D" id="RectangleShape2D_x"]
size = Vector2(10, 20)

[node name="Main" type="Node2D"]

[node name="Player" type="Sprite2D" parent="." groups=["a", "b"]]
texture = ExtResource("1_a")
position = Vector2(1, 2)

[node name="Shape" type="CollisionShape2D" parent="Player"]
shape = SubResource("RectangleShape2D_x")

[node name="Enemy" parent="." instance=ExtResource("2_b")]
target = NodePath("../Player/Shape")

[connection signal="hit" from="Player" to="." method="_on_hit"]
"#;

#[test]
fn nodes_and_properties() {
    check(SCENE, SCENE, "");
    let new = SCENE
        .replace("Vector2(1, 2)", "Vector2(1, 3)")
        .replace("\"a\", \"b\"", "\"b\", \"c\"")
        .replace("size = Vector2(10, 20)", "size = Vector2(10, 30)")
        .replace("method=\"_on_hit\"", "method=\"_on_hit\" flags=3")
        .replace("[node name=\"Enemy\"", "[node name=\"Light\" type=\"Light2D\" parent=\"Player\"]\nenergy = 2.0\n\n[node name=\"Enemy\"");
    check(
        SCENE,
        &new,
        r#"~ SubResource RectangleShape2D "Player/Shape:shape" (RectangleShape2D)
    size: Vector2(10, 20) -> Vector2(10, 30)
~ Node Player (Sprite2D)
    groups:
        "a": "\"a\"" -> "()"
        "c": "()" -> "\"c\""
    position: Vector2(1, 2) -> Vector2(1, 3)
+ Node Player/Light (Light2D)
    energy: () -> 2.0
~ Connection hit: Player -> . :: _on_hit
    flags: () -> 3
"#,
    );
}

/// A node that is renamed or moved makes no difference where paths lead to it.
#[test]
fn renamed_and_moved() {
    let renamed = SCENE.replace("Player", "Hero");
    check(SCENE, &renamed, "~ Node Hero (Sprite2D) was Player\n    name: \"Player\" -> \"Hero\"\n");
    let moved =
        SCENE.replace("parent=\"Player\"", "parent=\".\"").replace("../Player/Shape", "../Shape");
    check(
        SCENE,
        &moved,
        "~ Node Shape (CollisionShape2D) was Player/Shape\n    parent: \"Player\" -> \".\"\n",
    );
    let found = diff(SCENE.as_bytes(), moved.as_bytes()).unwrap();
    let tree: Vec<_> = found.tree.iter().map(|node| (&*node.name, node.depth)).collect();
    assert_eq!(tree, [("Main", 0), ("Player", 1), ("Shape", 1), ("Enemy", 1)]);
    let root = SCENE.replace("Main", "Level");
    check(SCENE, &root, "~ Node . (Node2D)\n    name: \"Main\" -> \"Level\"\n");
}

#[test]
fn removed() {
    let (start, end) =
        (SCENE.find("[node name=\"Player\"").unwrap(), SCENE.find("[node name=\"Enemy\"").unwrap());
    let new = format!("{}{}", &SCENE[..start], &SCENE[end..SCENE.find("[connection").unwrap()]);
    let found = diff(SCENE.as_bytes(), new.as_bytes()).unwrap();
    let expected = r#"- Node Player (Sprite2D)
    groups: ["a", "b"] -> ()
    texture: ExtResource("res://icon.svg") -> ()
    position: Vector2(1, 2) -> ()
- Node Player/Shape (CollisionShape2D)
    shape: SubResource(RectangleShape2D "Player/Shape:shape") -> ()
- Connection hit: Player -> . :: _on_hit
"#;
    assert_eq!(told(&found), expected);
    let tree: Vec<_> =
        found.tree.iter().map(|node| (&*node.name, node.depth, node.change)).collect();
    let expected =
        [("Main", 0, None), ("Player", 1, Some(0)), ("Shape", 2, Some(1)), ("Enemy", 1, None)];
    assert_eq!(tree, expected);
    // A file that was added, and one that was removed.
    for (old, new) in [("", SCENE), (SCENE, "")] {
        let found = diff(old.as_bytes(), new.as_bytes()).unwrap();
        let state = if old.is_empty() { State::Added } else { State::Removed };
        assert_eq!((found.changes.len(), found.tree.len()), (9, 4));
        assert!(found.changes.iter().all(|change| change.state == state));
    }
}

#[test]
fn noise() {
    let new = SCENE
        .replace("load_steps=4 ", "")
        .replace("1_a", "7_z")
        .replace("RectangleShape2D_x", "RectangleShape2D_y")
        .replace("Vector2(1, 2)", "Vector2( 1.0, 2 )\nmetadata/_edit_lock_ = true")
        .replace("type=\"Node2D\"]", "type=\"Node2D\" unique_id=123]")
        .replace("path=\"res://icon.svg\"", "uid=\"uid://abc\" path=\"res://icon.svg\"");
    check(
        SCENE,
        &new,
        "noise: 2 ids of resources\nnoise: 1 load_steps\nnoise: 1 uids\nnoise: 1 unique ids\n\
         noise: 1 how values are written\nnoise: 1 state of the editor\n",
    );
    let lines: Vec<&str> = SCENE.lines().collect();
    let mut swapped = lines.clone();
    swapped.swap(2, 3);
    check(SCENE, &(swapped.join("\n") + "\n"), "noise: 1 order of resources\n");
    check(SCENE, &SCENE.replace("\n\n", "\n\n\n"), "noise: 1 how the text is written\n");
    check(SCENE, &SCENE.replace('\n', "\r\n"), "noise: 1 line ends\n");
    check(SCENE, &format!("\u{feff}{SCENE}"), "noise: 1 byte order mark\n");
    check(
        &format!("\u{feff}{SCENE}"),
        &SCENE.replace('\n', "\r\n"),
        "noise: 1 byte order mark\nnoise: 1 line ends\n",
    );
    check(SCENE, &format!("{SCENE}; a comment\n"), "noise: 1 comments\n");
}

/// The same id means something else.
#[test]
fn swapped_ids() {
    let new = SCENE.replace("1_a", "X").replace("2_b", "1_a").replace('X', "2_b");
    check(SCENE, &new, "noise: 2 ids of resources\n");
    let other = new.replace("texture = ExtResource(\"2_b\")", "texture = ExtResource(\"1_a\")");
    check(
        SCENE,
        &other,
        "~ Node Player (Sprite2D)\n    texture: ExtResource(\"res://icon.svg\") -> ExtResource(\"res://enemy.tscn\")\nnoise: 2 ids of resources\n",
    );
}

#[test]
fn order_of_children() {
    let node = |name: &str| format!("\n[node name=\"{name}\" type=\"Node\" parent=\".\"]\n");
    let scene = |names: &[&str]| {
        let nodes: String = names.iter().map(|name| node(name)).collect();
        format!("[gd_scene format=3]\n\n[node name=\"R\" type=\"Node\"]\n{nodes}")
    };
    check(
        &scene(&["A", "B", "C"]),
        &scene(&["C", "A", "B"]),
        "~ Node . (Node)\n    order of children:\n        \"C\": \"child 3\" -> \"child 1\"\n",
    );
    check(&scene(&["A", "B"]), &scene(&["X", "A", "B"]), "+ Node X (Node)\n");
}

#[test]
fn inside_of_values() {
    let resource =
        |value: &str| format!("[gd_resource type=\"Res\" format=3]\n\n[resource]\nx = {value}\n");
    let inside = |old: &str, new: &str, expected: &str| {
        let expected = format!("~ Resource resource (Res)\n    x:{expected}");
        check(&resource(old), &resource(new), &expected);
    };
    inside("1", "1.0", " 1 -> 1.0\n");
    inside(
        "{\"a\": 1, \"b\": {\"c\": [1, 2]}}",
        "{\"a\": 1, \"b\": {\"c\": [1, 3]}, \"d\": 4}",
        "\n        [\"b\"][\"c\"][1]: \"2\" -> \"3\"\n        [\"d\"]: \"()\" -> \"4\"\n",
    );
    inside(
        "{\"a\": 1, \"b\": 2}",
        "{\"b\": 2, \"a\": 1}",
        "\n        order of keys: \"[\\\"a\\\", \\\"b\\\"]\" -> \"[\\\"b\\\", \\\"a\\\"]\"\n",
    );
    inside("Array[int]([1, 2])", "Array[int]([2])", "\n        [0]: \"1\" -> \"()\"\n");
    inside("PackedInt32Array(1, 2)", "PackedInt32Array(1, 2, 3)", " 1 element appended to 2\n");
    inside(
        "\"one\ntwo\nthree\n\"",
        "\"one\n2\nthree\nfour\n\"",
        "\n        line 2: \"two\\n\" -> \"2\\n\"\n        line 4: \"()\" -> \"four\\n\"\n",
    );
}

#[test]
fn cells() {
    let scene = |cells: &str| {
        format!(
            "[gd_scene format=3]\n\n[node name=\"Map\" type=\"TileMap\"]\nlayer_0/tile_data = PackedInt32Array({cells})\n"
        )
    };
    check(
        &scene("0, 1, 0, 1, 1, 0, 2, 1, 0"),
        &scene("0, 1, 0, 1, 9, 0, 3, 1, 0, 4, 1, 0"),
        "~ Node . (TileMap)\n    layer_0/tile_data: 2 cells set, 1 erased, 1 changed\n",
    );
}

#[test]
fn animations() {
    let track = |number: u32, path: &str, value: u32| {
        format!(
            "tracks/{number}/type = \"value\"\ntracks/{number}/path = NodePath(\"{path}\")\n\
             tracks/{number}/keys = {{\n\"times\": PackedFloat32Array(0),\n\"values\": [{value}]\n}}\n"
        )
    };
    let animation = |tracks: &[(&str, u32)]| {
        let tracks: String =
            (0..).zip(tracks).map(|(number, (path, value))| track(number, path, *value)).collect();
        format!(
            "[gd_scene format=3]\n\n[sub_resource type=\"Animation\" id=\"A_1\"]\n{tracks}\n\
             [sub_resource type=\"AnimationLibrary\" id=\"L_1\"]\n_data = {{\n&\"walk\": SubResource(\"A_1\")\n}}\n\n\
             [node name=\"R\" type=\"Node\"]\n\n[node name=\"Player\" type=\"AnimationPlayer\" parent=\".\"]\n\
             libraries = {{\n&\"\": SubResource(\"L_1\")\n}}\n"
        )
    };
    check(
        &animation(&[("A:x", 1), ("B:y", 2), ("C:z", 3)]),
        &animation(&[("B:y", 4), ("C:z", 3)]),
        r#"~ SubResource Animation "walk" (Animation)
    tracks["A:x"]: value, 1 key
    tracks["B:y"]/keys:
        ["values"][0]: "2" -> "4"
"#,
    );
    check(
        &animation(&[("A:x", 1), ("B:y", 2)]),
        &animation(&[("B:y", 2), ("A:x", 1)]),
        "~ SubResource Animation \"walk\" (Animation)\n    order of tracks: [tracks[\"A:x\"], tracks[\"B:y\"]] -> [tracks[\"B:y\"], tracks[\"A:x\"]]\nnoise: 3 order of properties\n",
    );
}

/// One entry shows a track that only one text has.
#[test]
fn whole_tracks() {
    let start = "[gd_resource type=\"Animation\" format=3]\n\n[resource]\nlength = 1.0\n";
    let tracks = "tracks/0/type = \"position_3d\"\ntracks/0/path = NodePath(\"A/B\")\ntracks/0/keys = PackedFloat32Array(0, 1, 0, 0, 0, 1, 1, 2, 2, 2)\n\
                  tracks/1/type = \"value\"\ntracks/1/enabled = false\ntracks/1/path = NodePath(\"A/B\")\n";
    let changed = "~ Resource resource (Animation)\n    tracks[\"A/B\"]: position_3d, 2 keys\n    tracks[\"A/B\" (2)]: value, disabled\n";
    check(start, &format!("{start}{tracks}"), changed);
    check(&format!("{start}{tracks}"), start, changed);
    let found = diff(b"", format!("{start}{tracks}").as_bytes()).unwrap();
    let entries = &found.changes[1].entries;
    let names: Vec<&str> = entries.iter().map(|entry| &*entry.name).collect();
    assert_eq!(names, ["length", "tracks[\"A/B\"]", "tracks[\"A/B\" (2)]"]);
    let whole = "{\n\"type\": \"value\",\n\"enabled\": false,\n\"path\": NodePath(\"A/B\")\n}";
    assert_eq!((entries[2].old.as_deref(), entries[2].new.as_deref()), (None, Some(whole)));
}

#[test]
fn settings() {
    check_file(
        "project.godot",
        "config_version=5\n\n[application]\n\nconfig/name=\"A\"\nconfig/features=PackedStringArray(\"4.2\", \"Mobile\")\n\n[autoload]\n\nA=\"*res://a.gd\"\nB=\"*res://b.gd\"\n",
        "config_version=5\n\n[application]\n\nconfig/name=\"B\"\nconfig/features=PackedStringArray(\"4.3\", \"Mobile\")\n\n[autoload]\n\nB=\"*res://b.gd\"\nA=\"*res://a.gd\"\n\n[display]\n\nwindow/size/mode=3\n",
        r#"~ Section application
    config/name: "A" -> "B"
    config/features:
        [0]: "\"4.2\"" -> "\"4.3\""
~ Section autoload
    order: [A, B] -> [B, A]
+ Section display
    window/size/mode: () -> 3
"#,
    );
    check_file(
        "a.png.import",
        "[remap]\n\nimporter=\"texture\"\npath=\"res://.godot/a\"\n\n[params]\n\ncompress/mode=0\n",
        "[remap]\n\nimporter=\"texture\"\npath=\"res://.godot/b\"\n\n[params]\n\ncompress/mode=2\n",
        "~ Section params\n    compress/mode: 0 -> 2\nnoise: 1 what the import makes\n",
    );
    check_file("a.gd.uid", "uid://a\n", "uid://b\n", "~ Header uid\n    uid: uid://a -> uid://b\n");
}

#[test]
fn refused() {
    let refused =
        |old: &str, new: &str| diff(old.as_bytes(), new.as_bytes()).unwrap_err().to_string();
    assert_eq!(refused(SCENE, "[a]\n"), "the new text is neither a scene nor a resource");
    let broken = SCENE.replace("Vector2(1, 2)", "Vector2(1, 2");
    assert!(refused(&broken, SCENE).starts_with("Godot cannot read the old text: line "));
    let resource = "[gd_resource type=\"Curve\" format=3]\n\n[resource]\n";
    assert_eq!(refused(SCENE, resource), "one text is a scene, and the other a resource");
    assert!(diff(b"\xff", b"").is_err());
}

/// The records that a merge leaves in a file with conflicts.
#[test]
fn conflicts() {
    let base = SCENE;
    let (ours, theirs) = (
        base.replace("Vector2(1, 2)", "Vector2(3, 2)"),
        base.replace("Vector2(1, 2)", "Vector2(4, 2)"),
    );
    let merged = crate::merge(base.as_bytes(), ours.as_bytes(), theirs.as_bytes()).unwrap();
    assert_eq!(merged.conflicts.len(), 1);
    let found = diff(ours.as_bytes(), &merged.text).unwrap();
    assert_eq!(found.changes.len(), 1);
    assert_eq!(found.changes[0].entries[0].name, "metadata/_gdscene_conflicts");
}

/// Only the sort of the key differs, so both are shown as they are written.
#[test]
fn keys_that_became_names() {
    let text = |key: &str| {
        format!("[gd_resource type=\"Resource\" format=3]\n\n[resource]\nd = {{\n{key}: 1\n}}\n")
    };
    check(
        &text("\"RESET\""),
        &text("&\"RESET\""),
        "~ Resource resource (Resource)\n    d:\n        [\"RESET\"]: \"1\" -> \"()\"\n        [&\"RESET\"]: \"()\" -> \"1\"\n",
    );
}
