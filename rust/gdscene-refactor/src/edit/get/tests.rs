use godot_project::Project;

use crate::edit::{EditErrorKind, ObjectValues, PropertyValue, ValueSource, get};

const FILES: [(&str, &str); 5] = [
    (
        "project.godot",
        "config_version=5\n\n[application]\n\nconfig/features=PackedStringArray(\"4.6\")\n",
    ),
    ("hero.gd", "extends Node2D\n\n@export var health := 100\n@export var stats: Resource\n"),
    (
        "hero.tscn",
        r#"[gd_scene format=3]

[ext_resource type="Script" path="res://hero.gd" id="1"]
[ext_resource type="Resource" path="res://stats.tres" id="2"]

[sub_resource type="CircleShape2D" id="Circle"]
radius = 7.0

[node name="Hero" type="Node2D"]
rotation = 1.0
script = ExtResource("1")
stats = ExtResource("2")

[node name="Shape" type="CollisionShape2D" parent="."]
shape = SubResource("Circle")
"#,
    ),
    (
        "level.tscn",
        r#"[gd_scene format=3]

[ext_resource type="PackedScene" path="res://hero.tscn" id="1"]

[node name="Level" type="Node3D"]

[node name="Hero" parent="." instance=ExtResource("1")]
position = Vector2(1, 2)
"#,
    ),
    ("stats.tres", "[gd_resource type=\"Curve\" format=3]\n\n[resource]\nmax_value = 2.0\n"),
];

fn read(file: &str, at: &str) -> Result<ObjectValues, EditErrorKind> {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in FILES {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    let project = Project::open(folder.path()).unwrap();
    get(&project, file, &at.parse()?)
}

#[track_caller]
fn check(at: &str, value: Option<&str>, from: ValueSource) -> PropertyValue {
    let mut values = read("res://level.tscn", at).unwrap();
    let property = values.properties.remove(0);
    assert_eq!((property.value.as_deref(), property.from), (value, from), "{at}");
    property
}

#[test]
fn where_values_come_from() {
    check("Hero:position", Some("Vector2(1, 2)"), ValueSource::File);
    let rotation = check("Hero:rotation", Some("1.0"), ValueSource::Scene);
    assert_eq!(rotation.file.as_deref(), Some("res://hero.tscn"));
    let health = check("Hero:health", Some("100"), ValueSource::Script);
    assert_eq!((health.file.as_deref(), health.type_name.as_str()), (Some("res://hero.gd"), "int"));
    check("Hero:scale", Some("Vector2(1, 1)"), ValueSource::Class);
    check(".:rotation_degrees", None, ValueSource::Computed);
}

#[test]
fn paths_lead_through_resources() {
    let shape = check("Hero/Shape:shape", Some("SubResource(\"Circle\")"), ValueSource::Scene);
    assert_eq!(shape.resource.as_deref(), Some("::Circle"));
    let radius = read("res://level.tscn", "Hero/Shape:shape:radius").unwrap();
    assert_eq!(
        (radius.file.as_str(), radius.class.as_deref()),
        ("res://hero.tscn", Some("CircleShape2D"))
    );
    assert_eq!(radius.properties[0].value.as_deref(), Some("7.0"));
    let stats = read("res://level.tscn", "Hero:stats:max_value").unwrap();
    assert_eq!(stats.properties[0].value.as_deref(), Some("2.0"));
    assert_eq!(stats.file, "res://stats.tres");
}

#[test]
fn all_of_a_node() {
    let values = read("res://level.tscn", "Hero").unwrap();
    assert_eq!(
        (values.class.as_deref(), values.script.as_deref()),
        (Some("Node2D"), Some("res://hero.gd"))
    );
    let names: Vec<&str> = values.properties.iter().map(|found| found.name.as_str()).collect();
    let place = |name: &str| names.iter().position(|found| *found == name).unwrap();
    assert!(place("visible") < place("position") && place("position") < place("script"));
    assert!(place("script") < place("health") && place("health") < place("stats"));
}

#[test]
fn what_is_not_there() {
    let why = |at: &str| read("res://level.tscn", at).unwrap_err().to_string();
    assert_eq!(
        why("Hero:positoin"),
        "the property `positoin` of Node2D does not exist; did you mean `position`?"
    );
    assert_eq!(why("Hro:x"), "the node `Hro` does not exist; did you mean `Hero`?");
    assert_eq!(
        why("Hero:position:x"),
        "`position` does not contain a resource, but `Vector2(1, 2)`"
    );
    assert_eq!(why("::Gone:x"), "the sub_resource `Gone` does not exist");
}
