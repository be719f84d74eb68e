//! Nodes of instanced and inherited scenes.

use super::{Fixture, anonymous, check};

#[test]
fn an_instance_is_added_and_changed() {
    check(
        r#"{"op": "instance", "node": "Enemy", "scene": "enemy.tscn", "properties": {"monitoring": true}}"#,
        &[(
            "\n[connection",
            "\n[node name=\"Enemy2\" parent=\".\" unique_id=21 instance=ExtResource(\"1_enemy\")]\nmonitoring = true\n\n[connection",
        )],
    );
    // The value of the instanced scene is the default.
    check(r#"{"op": "set", "at": "Enemy:monitoring", "value": false}"#, &[]);
    check(
        r#"{"op": "group", "node": "Enemy", "add": ["enemies", "a"]}"#,
        &[("unique_id=14 inst", "unique_id=14 groups=[\"a\"] inst")],
    );
}

#[test]
fn inner_nodes_can_be_changed_when_the_instance_is_editable() {
    let lines = r#"{"op": "editable", "node": "Enemy"}
        {"op": "set", "at": "Enemy/Sprite:rotation", "value": 1}
        {"op": "add", "node": "Enemy/Sprite/Light", "type": "PointLight2D"}
        {"op": "connect", "signal": "visibility_changed", "from": "Enemy/Sprite", "to": ".", "method": "_on_pressed"}"#;
    check(
        lines,
        &[
            (
                "\n[node name=\"Button\"",
                "\n[node name=\"Sprite\" parent=\"Enemy\" index=\"0\" unique_id=22]\nrotation = 1.0\n\n\
                 [node name=\"Light\" type=\"PointLight2D\" parent=\"Enemy/Sprite\" index=\"0\" unique_id=9999]\n\n[node name=\"Button\"",
            ),
            (
                "\n[connection signal=\"pressed\" from=\"Button\" to=\".\" method=\"_on_pressed\"]\n",
                "\n[connection signal=\"visibility_changed\" from=\"Enemy/Sprite\" to=\".\" method=\"_on_pressed\"]\n\
                 [connection signal=\"pressed\" from=\"Button\" to=\".\" method=\"_on_pressed\"]\n\n[editable path=\"Enemy\"]\n",
            ),
        ],
    );
}

#[test]
fn what_is_changed_inside_keeps_an_instance_editable() {
    let refused = Fixture::new().refused(
        r#"{"op": "editable", "node": "Enemy"}
           {"op": "set", "at": "Enemy/Sprite:rotation", "value": 1}
           {"op": "editable", "node": "Enemy", "on": false}"#,
    );
    assert!(refused.contains("`Enemy/Sprite` has changes here"), "{refused}");
    check(
        r#"{"op": "editable", "node": "Enemy"}
           {"op": "set", "at": "Enemy/Sprite:rotation", "value": 1}
           {"op": "unset", "at": "Enemy/Sprite:rotation"}
           {"op": "editable", "node": "Enemy", "on": false}"#,
        &[],
    );
}

#[test]
fn inherited_scenes_count_their_nodes() {
    let fixture = Fixture::new();
    let text = "[gd_scene format=3]\n\n[ext_resource type=\"PackedScene\" path=\"res://enemy.tscn\" id=\"1\"]\n\n\
                [node name=\"Boss\" unique_id=21 instance=ExtResource(\"1\")]\n";
    fixture.write("boss.tscn", text);
    let text_of = |lines: &str| anonymous(&fixture.text(lines, "res://boss.tscn"));
    assert_eq!(
        text_of(r#"{"op": "add", "file": "res://boss.tscn", "node": "Hat", "type": "Node2D"}"#),
        format!(
            "{text}\n[node name=\"Hat\" type=\"Node2D\" parent=\".\" index=\"1\" unique_id=9999]\n"
        )
    );
    assert_eq!(
        text_of(
            r#"{"op": "set", "file": "res://boss.tscn", "at": "Sprite:position", "value": [2, 2]}"#
        ),
        format!(
            "{text}\n[node name=\"Sprite\" parent=\".\" index=\"0\" unique_id=22]\nposition = Vector2(2, 2)\n"
        )
    );
}

#[test]
fn a_scene_between_puts_nodes_in_the_middle() {
    let fixture = Fixture::new();
    let heir = |of: &str, name: &str| {
        format!(
            "[gd_scene format=3]\n\n[ext_resource type=\"PackedScene\" path=\"res://{of}.tscn\" id=\"1\"]\n\n\
             [node name=\"{name}\" unique_id=1 instance=ExtResource(\"1\")]\n"
        )
    };
    fixture.write("item.tscn", "[gd_scene format=3]\n\n[node name=\"Item\" type=\"Node\" unique_id=1]\n\n[node name=\"L\" type=\"Node\" parent=\".\" unique_id=2]\n\n[node name=\"Btn\" type=\"Node\" parent=\".\" unique_id=3]\n");
    let middle = "\n[node name=\"Mid\" type=\"Node\" parent=\".\" index=\"1\" unique_id=4]\n";
    fixture.write("sp.tscn", &(heir("item", "Sp") + middle));
    let heir = heir("sp", "Heir");
    fixture.write("heir.tscn", &heir);
    for (name, index) in [("L", 0), ("Mid", 1), ("Btn", 2)] {
        let set = format!(
            r#"{{"op": "set", "file": "res://heir.tscn", "at": "{name}:process_mode", "value": 1}}"#
        );
        let text = fixture.text(&set, "res://heir.tscn");
        let wanted = format!("\n[node name=\"{name}\" parent=\".\" index=\"{index}\" unique_id=");
        assert!(text.contains(&wanted), "{text}");
    }
    let add =
        r#"{"op": "add", "file": "res://heir.tscn", "node": "X", "type": "Node", "after": "Mid"}"#;
    assert!(
        fixture
            .text(add, "res://heir.tscn")
            .contains("name=\"X\" type=\"Node\" parent=\".\" index=\"2\"")
    );
}
