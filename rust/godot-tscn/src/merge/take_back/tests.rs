//! Each test takes one change of two texts back.

use crate::diff::{Change, diff, take_back};
use crate::merge::TakeBackRefusal;

const OLD: &str = r#"[gd_scene format=3]

[ext_resource type="Texture2D" path="res://a.png" id="1_a"]

[sub_resource type="CircleShape2D" id="Circle_1"]
radius = 5.0

[node name="Root" type="Node2D"]

[node name="Lamp" type="Sprite2D" parent="."]
position = Vector2(1, 2)
texture = ExtResource("1_a")

[node name="Body" type="Area2D" parent="." groups=["a"]]
rotation = 1.0

[node name="Shape" type="CollisionShape2D" parent="Body"]
shape = SubResource("Circle_1")

[node name="Last" type="Node2D" parent="." unique_id=7]

[connection signal="draw" from="Lamp" to="." method="queue_redraw"]
[connection signal="body_entered" from="Body" to="Last" method="hide"]
"#;

fn changes(new: &str) -> Vec<Change> {
    diff(OLD.as_bytes(), new.as_bytes()).unwrap().changes
}

/// The text without the change of this name, or without this entry of it, or why not.
fn taken(new: &str, name: &str, entry: Option<&str>) -> Result<String, String> {
    let changes = changes(new);
    let names: Vec<_> = changes.iter().map(|change| &change.name).collect();
    let change = changes.iter().find(|change| change.name == name);
    let change = change.unwrap_or_else(|| panic!("{name} is not in {names:?}"));
    let entry = entry.map(|entry| {
        let found = change.entries.iter().find(|found| found.name == entry);
        found.unwrap_or_else(|| panic!("{entry} is not in {:?}", change.entries))
    });
    let text = take_back(OLD.as_bytes(), new.as_bytes(), change, entry);
    text.map(|text| String::from_utf8(text).unwrap()).map_err(|refusal| refusal.to_string())
}

#[track_caller]
fn check(new: &str, name: &str, entry: Option<&str>, expected: &str) {
    let found = taken(new, name, entry).unwrap();
    assert_eq!(found, expected, "\n{found}");
}

#[track_caller]
fn check_refused(new: &str, name: &str, entry: Option<&str>, expected: &str) {
    assert_eq!(taken(new, name, entry).unwrap_err(), expected);
}

fn with(changes: &[(&str, &str)]) -> String {
    changes.iter().fold(OLD.to_owned(), |text, (old, new)| {
        assert!(text.contains(old), "{old}");
        text.replace(old, new)
    })
}

const MOVED: (&str, &str) = ("Vector2(1, 2)", "Vector2(3, 4)");
const TURNED: (&str, &str) = ("rotation = 1.0", "rotation = 2.0");
const NODE: &str =
    "[node name=\"New\" type=\"Sprite2D\" parent=\"Lamp\"]\ntexture = ExtResource(\"2_b\")\n\n";

#[test]
fn values() {
    let new = with(&[MOVED, TURNED]);
    check(&new, "Lamp", Some("position"), &with(&[TURNED]));
    check(&new, "Body", None, &with(&[MOVED]));
    check(&with(&[("position = Vector2(1, 2)\n", ""), TURNED]), "Lamp", None, &with(&[TURNED]));
    let added = ("rotation = 1.0", "rotation = 1.0\nscale = Vector2(2, 2)");
    check(&with(&[added, MOVED]), "Body", Some("scale"), &with(&[MOVED]));
    check(
        &with(&[("groups=[\"a\"]", "groups=[\"b\"]"), TURNED]),
        "Body",
        Some("groups"),
        &with(&[TURNED]),
    );
    check(
        &with(&[("radius = 5.0", "radius = 6.0"), MOVED]),
        "CircleShape2D \"Body/Shape:shape\"",
        None,
        &with(&[MOVED]),
    );
}

#[test]
fn resources_come_and_go_with_values() {
    let new = with(&[
        ("[ext_resource type=\"Texture2D\" path=\"res://a.png\" id=\"1_a\"]\n\n", ""),
        ("texture = ExtResource(\"1_a\")\n", ""),
        MOVED,
    ]);
    check(&new, "Lamp", Some("texture"), &with(&[MOVED]));
    check_refused(
        &new,
        "res://a.png",
        None,
        "a resource comes and goes with the values that use it; take those back",
    );
    let other = with(&[("res://a.png", "res://b.png"), TURNED]);
    let found = taken(&other, "res://b.png", None).unwrap();
    assert!(found.contains("res://a.png") && found.contains("rotation = 2.0"), "{found}");
}

#[test]
fn nodes_that_came() {
    let resource = (
        "id=\"1_a\"]\n",
        "id=\"1_a\"]\n[ext_resource type=\"Texture2D\" path=\"res://b.png\" id=\"2_b\"]\n",
    );
    let new = with(&[
        resource,
        ("[node name=\"Body\"", &format!("{NODE}[node name=\"Body\"")),
        (
            "[connection signal=\"draw\"",
            "[connection signal=\"draw\" from=\"Lamp/New\" to=\".\" method=\"hide\"]\n[connection signal=\"draw\"",
        ),
        MOVED,
    ]);
    check(&new, "Lamp/New", None, &with(&[MOVED]));
    check(&new, "Lamp", None, &new.replace("Vector2(3, 4)", "Vector2(1, 2)"));
}

#[test]
fn nodes_that_went() {
    let body =
        &OLD[OLD.find("[node name=\"Body\"").unwrap()..OLD.find("[node name=\"Last\"").unwrap()];
    let resource = "[sub_resource type=\"CircleShape2D\" id=\"Circle_1\"]\nradius = 5.0\n\n";
    let connection =
        "[connection signal=\"body_entered\" from=\"Body\" to=\"Last\" method=\"hide\"]\n";
    let new = with(&[(body, ""), (resource, ""), (connection, ""), MOVED]);
    check(&new, "Body", None, &with(&[(connection, ""), MOVED]));
    check_refused(
        &new,
        "Body/Shape",
        None,
        "the node `Body` is not in the scene; take that back first",
    );
    check_refused(
        &new,
        "body_entered: Body -> Last :: hide",
        None,
        "the node `Body` is not in the scene; take that back first",
    );
    let twin =
        with(&[(body, ""), (resource, ""), (connection, ""), ("name=\"Last\"", "name=\"Body\"")]);
    let changes = changes(&twin);
    let gone = changes.iter().find(|change| change.new_line.is_none() && change.name == "Body");
    let refusal = take_back(OLD.as_bytes(), twin.as_bytes(), gone.unwrap(), None).unwrap_err();
    assert_eq!(refusal, TakeBackRefusal::NameTaken("Body".to_owned()));
}

#[test]
fn nodes_that_moved() {
    let new = with(&[
        (
            "name=\"Last\" type=\"Node2D\" parent=\".\"",
            "name=\"Final\" type=\"Node2D\" parent=\"Lamp\"",
        ),
        ("to=\"Last\"", "to=\"Lamp/Final\""),
        MOVED,
    ]);
    let found = taken(&new, "Lamp/Final", Some("name")).unwrap();
    assert!(found.contains("name=\"Last\" type=\"Node2D\" parent=\"Lamp\""), "{found}");
    assert!(found.contains("to=\"Lamp/Last\""), "{found}");
    check(&new, "Lamp/Final", None, &with(&[MOVED]));
}

#[test]
fn connections() {
    let connection =
        "[connection signal=\"body_entered\" from=\"Body\" to=\"Last\" method=\"hide\"]\n";
    check(
        &with(&[(connection, ""), MOVED]),
        "body_entered: Body -> Last :: hide",
        None,
        &with(&[MOVED]),
    );
    let more = format!(
        "{connection}[connection signal=\"hidden\" from=\"Lamp\" to=\".\" method=\"show\"]\n"
    );
    check(&with(&[(connection, &more), MOVED]), "hidden: Lamp -> . :: show", None, &with(&[MOVED]));
    let flags = connection.replace("method=\"hide\"", "method=\"hide\" flags=3");
    check(
        &with(&[(connection, &flags), MOVED]),
        "body_entered: Body -> Last :: hide",
        Some("flags"),
        &with(&[MOVED]),
    );
}

#[test]
fn the_order_of_children() {
    let last = "[node name=\"Last\" type=\"Node2D\" parent=\".\" unique_id=7]\n\n";
    let new =
        with(&[(last, ""), ("[node name=\"Lamp\"", &format!("{last}[node name=\"Lamp\"")), MOVED]);
    let order = changes(&new)
        .iter()
        .flat_map(|change| &change.entries)
        .any(|entry| entry.name == "order of children");
    assert!(order);
    check(&new, ".", Some("order of children"), &with(&[MOVED]));
    check(&new, "Lamp", None, &new.replace("Vector2(3, 4)", "Vector2(1, 2)"));
}

#[test]
fn line_ends_stay() {
    let new = with(&[MOVED, TURNED]).replace('\n', "\r\n");
    check(&new, "Lamp", None, &with(&[TURNED]).replace('\n', "\r\n"));
}

/// A change that is undone and made again gives the same text, for each of the changes.
#[test]
fn one_after_another() {
    let mut text = with(&[
        MOVED,
        TURNED,
        ("radius = 5.0", "radius = 6.0"),
        ("groups=[\"a\"]", "groups=[\"b\"]"),
        (
            "[node name=\"Last\"",
            "[node name=\"More\" type=\"Node2D\" parent=\"Body\"]\n\n[node name=\"Last\"",
        ),
        ("[connection signal=\"draw\" from=\"Lamp\" to=\".\" method=\"queue_redraw\"]\n", ""),
    ]);
    let mut steps = 0;
    while let Some(change) = changes(&text).first() {
        text = String::from_utf8(take_back(OLD.as_bytes(), text.as_bytes(), change, None).unwrap())
            .unwrap();
        steps += 1;
        assert!(steps < 10, "{text}");
    }
    assert_eq!((text.as_str(), steps), (OLD, 5));
}
