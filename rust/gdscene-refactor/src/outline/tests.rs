use godot_project::Project;

use crate::outline::{Outline, outline};

fn read(files: &[(&str, &str)], is_resolved: bool) -> Outline {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("project.godot"), "config_version=5\n").unwrap();
    for (name, text) in files {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    let project = Project::open(folder.path()).unwrap();
    outline(&project, &format!("res://{}", files[0].0), is_resolved).unwrap()
}

fn paths(outline: &Outline) -> Vec<&str> {
    outline.nodes.iter().map(|node| node.path.as_str()).collect()
}

const HERO: &str = r#"[gd_scene format=3 uid="uid://cqq2j4h8p6vy1"]

[node name="Hero" type="Node2D" groups=["heroes"]]

[node name="Arm" type="Sprite2D" parent="."]
unique_name_in_owner = true

[node name="Leg" type="Sprite2D" parent="."]

[connection signal="ready" from="Arm" to="." method="go"]
"#;

const LEVEL: &str = r#"[gd_scene format=3]

[ext_resource type="PackedScene" path="res://hero.tscn" id="1"]
[ext_resource type="PackedScene" path="res://gone.tscn" id="2"]

[node name="Level" type="Node"]

[node name="Hero" parent="." groups=["own"] instance=ExtResource("1")]
position = Vector2(1, 2)

[node name="Leg" parent="Hero" index="1"]
visible = false

[node name="Hat" type="Node2D" parent="Hero" index="0"]

[node name="Gone" parent="." instance=ExtResource("2")]

[editable path="Hero"]
"#;

#[test]
fn a_text_lists_what_stands_in_it() {
    let outline = read(&[("level.tscn", LEVEL), ("hero.tscn", HERO)], false);
    assert_eq!(paths(&outline), [".", "Hero", "Hero/Leg", "Hero/Hat", "Gone"]);
    let [_, hero, leg, ..] = outline.nodes.as_slice() else { panic!() };
    assert_eq!(hero.instance.as_deref(), Some("res://hero.tscn"));
    assert_eq!((hero.class.as_deref(), hero.is_editable), (None, true));
    assert_eq!(
        (hero.groups.as_slice(), hero.properties.as_slice()),
        (&["own".to_owned()][..], &["position".to_owned()][..])
    );
    assert!(leg.is_override);
    assert!(outline.ext_resources[1].is_missing);
    assert!(outline.connections.is_empty());
}

#[test]
fn through_instances_it_is_what_godot_makes() {
    let outline = read(&[("level.tscn", LEVEL), ("hero.tscn", HERO)], true);
    // The node with `index` 0 comes before those of the instanced scene.
    assert_eq!(paths(&outline), [".", "Hero", "Hero/Hat", "Hero/Arm", "Hero/Leg", "Gone"]);
    let [_, hero, hat, arm, leg, gone] = outline.nodes.as_slice() else { panic!() };
    assert_eq!(hero.class.as_deref(), Some("Node2D"));
    assert_eq!(hero.groups, ["own", "heroes"]);
    assert_eq!((hat.made_by.as_deref(), arm.made_by.as_deref()), (None, Some("res://hero.tscn")));
    assert!(arm.unique_name);
    assert_eq!(leg.properties, ["visible"]);
    assert_eq!(gone.opaque.as_deref(), Some("missing"));
    let [connection] = outline.connections.as_slice() else { panic!() };
    assert_eq!((connection.from.as_str(), connection.to.as_str()), ("Hero/Arm", "Hero"));
}

#[test]
fn circles_have_an_end() {
    let scene = |other: &str| {
        format!(
            "[gd_scene format=3]\n\n[ext_resource type=\"PackedScene\" path=\"res://{other}\" id=\"1\"]\n\n\
             [node name=\"A\" type=\"Node\"]\n\n[node name=\"B\" parent=\".\" instance=ExtResource(\"1\")]\n"
        )
    };
    let outline = read(&[("a.tscn", &scene("b.tscn")), ("b.tscn", &scene("a.tscn"))], true);
    assert_eq!(paths(&outline), [".", "B", "B/B"]);
    assert_eq!(outline.nodes[2].opaque.as_deref(), Some("`res://a.tscn` contains itself"));
    let heir = "[gd_scene format=3]\n\n[ext_resource type=\"PackedScene\" path=\"res://a.tscn\" id=\"1\"]\n\n\
                [node name=\"A\" instance=ExtResource(\"1\")]\n";
    let outline = read(&[("a.tscn", heir)], true);
    assert!(outline.nodes[0].opaque.is_some());
}

#[test]
fn a_resource() {
    let text = "[gd_resource type=\"Curve\" format=3]\n\n[sub_resource type=\"Gradient\" id=\"G\"]\noffsets = null\n\n\
                [resource]\nmax_value = 2.0\n";
    let outline = read(&[("a.tres", text)], true);
    assert_eq!(
        (outline.class.as_deref(), outline.properties.as_slice()),
        (Some("Curve"), &["max_value".to_owned()][..])
    );
    assert_eq!(outline.sub_resources[0].properties, ["offsets"]);
}

/// A scene that is instanced twice by one that is instanced twice, and so on.
#[test]
fn what_grows_without_end_is_left_out() {
    let mut files = vec![(
        "s0.tscn".to_owned(),
        "[gd_scene format=3]\n\n[node name=\"A\" type=\"Node\"]\n".to_owned(),
    )];
    for level in 1..40 {
        let text = format!(
            "[gd_scene format=3]\n\n[ext_resource type=\"PackedScene\" path=\"res://s{}.tscn\" id=\"1\"]\n\n\
             [node name=\"A\" type=\"Node\"]\n\n[node name=\"B\" parent=\".\" instance=ExtResource(\"1\")]\n\n\
             [node name=\"C\" parent=\".\" instance=ExtResource(\"1\")]\n",
            level - 1
        );
        files.insert(0, (format!("s{level}.tscn"), text));
    }
    let files: Vec<(&str, &str)> =
        files.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    let outline = read(&files, true);
    assert!(
        outline.notes[0].contains("too many or too deeply nested nodes"),
        "{:?}",
        outline.notes
    );
}

#[test]
fn a_deep_and_a_wide_scene() {
    let deep = format!(
        "[gd_scene format=3]\n\n[node name=\"A\" type=\"Node\"]\n\n[node name=\"B\" type=\"Node\" parent=\"{}\"]\n",
        ["A"; 100_000].join("/")
    );
    let outline = read(&[("deep.tscn", &deep)], false);
    assert!(outline.nodes.len() > 5_000 && !outline.notes.is_empty());
    let outline = read(&[("deep.tscn", &deep)], true);
    assert_eq!(outline.nodes.len(), 1);
    let mut wide = "[gd_scene format=3]\n\n[node name=\"A\" type=\"Node\"]\n".to_owned();
    for index in 0..50_000 {
        use std::fmt::Write;
        let _ = write!(wide, "\n[node name=\"N{index}\" type=\"Node\" parent=\".\" index=\"0\"]\n");
    }
    let outline = read(&[("wide.tscn", &wide)], true);
    assert_eq!(outline.nodes.len(), 50_001);
    assert_eq!(outline.nodes[1].name, "N49999");
}
