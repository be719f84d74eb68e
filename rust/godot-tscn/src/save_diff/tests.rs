use super::{Edited, EditedKind, Loss, LossKind, edits, lost, property_at};
use crate::{LineIndex, parse};

/// A loss in a line: place, kind, cause.
fn describe(loss: &Loss, lines: &LineIndex<'_>) -> String {
    let line = lines.position(loss.span.start).line;
    let what = match &loss.kind {
        LossKind::Comment(text) => text.clone(),
        LossKind::Property { name, resource_class, sub_resource, files, .. } => {
            let owner = [resource_class, sub_resource].into_iter().flatten();
            let owner: String = owner.map(|part| format!("{part} ")).collect();
            format!("{owner}{name} {}", files.join(","))
        }
        LossKind::Connection { signal, target, method, changes_arguments } => {
            format!("{signal} -> {target} {method} {changes_arguments}")
        }
        LossKind::SubResource { id, class } => format!("{class} {id}"),
        LossKind::Node(path) => path.clone(),
        LossKind::Editable => String::new(),
        LossKind::Field(name) => name.clone(),
    };
    let (kind, cause) = (loss.kind.as_str(), loss.cause.as_str());
    let node = loss.node_path.as_deref().unwrap_or("-");
    format!("{line} {node} {kind} {cause}: {}", what.trim()).trim_end().to_owned()
}

#[track_caller]
fn check(before: &str, after: &str, expected: &[&str]) {
    let (before, after) = (before.as_bytes(), after.as_bytes());
    let lines = LineIndex::new(before);
    let losses: Vec<_> =
        lost(&parse(before), &parse(after)).iter().map(|loss| describe(loss, &lines)).collect();
    assert_eq!(losses, expected);
}

const SCENE: &str = "[gd_scene format=3]\n\n\
    [ext_resource type=\"Texture2D\" path=\"res://a.png\" id=\"1\"]\n\n\
    [sub_resource type=\"Gradient\" id=\"g\"]\ncolour = 1\n\n\
    [node name=\"Root\" type=\"Node2D\" unique_id=1]\nmaterial = SubResource(\"g\")\n\n\
    [node name=\"A\" type=\"Sprite2D\" parent=\".\" unique_id=2]\ntexture = ExtResource(\"1\")\n\n\
    [node name=\"B\" parent=\"A\" instance=ExtResource(\"2\")]\nspeed = 2\n\n\
    [node name=\"Kid\" parent=\"A/B\"]\nvisible = false\n\n\
    [connection signal=\"ready\" from=\"A\" to=\".\" method=\"go\"]\n\
    [connection signal=\"hit\" from=\"A/B/Kid\" to=\"A\" method=\"go\" binds= [1]]\n\n\
    [editable path=\"A/B\"]\n";

#[test]
fn nothing() {
    check(SCENE, SCENE, &[]);
    check("", "", &[]);
    check("", SCENE, &[]);
    check("\0[[[", SCENE, &[]);
}

#[test]
fn comments_are_counted() {
    check(
        "; a\n[gd_scene] ; b\n; a\n",
        "; a\n[gd_scene]\n",
        &["2 - comment not-kept: ; b", "3 - comment not-kept: ; a"],
    );
}

#[test]
fn properties() {
    let after = SCENE.replace("texture = ExtResource(\"1\")\n", "").replace("speed = 2\n", "");
    check(
        SCENE,
        &after,
        &["12 A property unclear: texture res://a.png", "15 A/B property unclear: speed"],
    );
    check(SCENE, &SCENE.replace("colour = 1\n", ""), &["6 - property unclear: Gradient g colour"]);
    let resource = "[gd_resource type=\"Curve\"]\n[resource]\nx = 1\n";
    check(resource, &resource.replace("x = 1\n", ""), &["3 - property unclear: Curve x"]);
}

#[test]
fn what_has_another_name_now() {
    let before = "[gd_scene]\n[node name=\"A\" type=\"Node\"]\nnavmesh = SubResource(\"a\")\nlibraries = {}\nold = 1\n";
    let after = "[gd_scene]\n[node name=\"A\" type=\"Node\"]\nlibraries/ = SubResource(\"b\")\n\
        navigation_mesh = SubResource(\"a\")\n";
    check(before, after, &["5 . property unclear: old"]);
}

#[test]
fn what_godot_misread() {
    let before = "[gd_scene]\n[node name=\"A\" type=\"Node\"]\nlost\nvisible = false\n";
    let after = "[gd_scene]\n[node name=\"A\" type=\"Node\"]\n";
    check(before, after, &["3 . property misread: visible"]);
}

#[test]
fn connections() {
    let (signal, hit) = ("[connection signal=\"ready\"", "[connection signal=\"hit\"");
    let without = |start: &str| -> String {
        SCENE
            .lines()
            .filter(|line| !line.starts_with(start))
            .map(|line| format!("{line}\n"))
            .collect()
    };
    check(SCENE, &without(signal), &["20 A connection unclear: ready -> . go false"]);
    check(SCENE, &without(hit), &["21 A/B/Kid connection unclear: hit -> A go true"]);
    let dangling = "[connection signal=\"s\" from=\"Gone\" to=\".\" method=\"m\"]\n";
    check(
        &format!("{SCENE}{dangling}"),
        SCENE,
        &["24 Gone connection missing-node: s -> . m false"],
    );
}

#[test]
fn a_node_that_was_renamed_takes_its_parts_along() {
    let after = SCENE
        .replace("name=\"A\"", "name=\"Z\"")
        .replace("parent=\"A", "parent=\"Z")
        .replace("from=\"A", "from=\"Z")
        .replace("to=\"A", "to=\"Z")
        .replace("path=\"A", "path=\"Z");
    check(SCENE, &after, &[]);
    let after = after.replace("visible = false\n", "").replace("[editable path=\"Z/B\"]\n", "");
    check(SCENE, &after, &["18 Z/B/Kid property unclear: visible", "23 Z/B editable unclear:"]);
}

#[test]
fn what_hung_on_a_deleted_node_is_no_loss() {
    let from = SCENE.find("[node name=\"A\"").unwrap();
    check(SCENE, &SCENE[..from], &[]);
}

#[test]
fn overrides_of_an_instance() {
    let after = SCENE.replace("[node name=\"Kid\" parent=\"A/B\"]\nvisible = false\n\n", "");
    check(SCENE, &after, &["18 A/B/Kid property unclear: visible"]);
}

#[test]
fn nodes_without_parent_resources_without_user_and_unknown_fields() {
    let before = "[gd_scene]\n[sub_resource type=\"Curve\" id=\"c\"]\nx = 1\n\
        [node name=\"A\" type=\"Node\" grups=[]]\n[node name=\"B\" type=\"Node\" parent=\"Gone\"]\n";
    let after = "[gd_scene]\n[node name=\"A\" type=\"Node\"]\n\
        [node name=\"Gone#B\" type=\"Node\" parent=\".\"]\n";
    check(
        before,
        after,
        &[
            "2 - sub_resource unused: Curve c",
            "4 . field not-kept: grups",
            "5 - node missing-node: Gone/B",
        ],
    );
}

#[test]
fn values() {
    let value = |before: &str, after: &str| -> Vec<String> {
        let losses = lost(&parse(before.as_bytes()), &parse(after.as_bytes()));
        losses.iter().map(|loss| before[loss.value.range()].to_owned()).collect()
    };
    let connection = "[connection signal=\"ready\" from=\"A\" to=\".\" method=\"go\"]";
    let after = SCENE.replace("speed = 2\n", "").replace(&format!("{connection}\n"), "");
    assert_eq!(value(SCENE, &after), ["2", connection]);
    let curve = "[sub_resource type=\"Curve\" id=\"c\"]\nx = [1,\n2]";
    let before = format!("[gd_scene]\n{curve}\n\n; note\n[node name=\"A\" type=\"Node\"]\n");
    let after = "[gd_scene]\n[node name=\"A\" type=\"Node\"]\n";
    assert_eq!(value(&before, after), [curve, "; note"]);
}

#[test]
fn property_at_a_place() {
    let document = parse(SCENE.as_bytes());
    let at = |text: &str| {
        let loss = property_at(&document, SCENE.find(text).unwrap() as u32)?;
        Some(describe(&loss, &LineIndex::new(SCENE.as_bytes())))
    };
    assert_eq!(at("texture").as_deref(), Some("12 A property unclear: texture res://a.png"));
    assert_eq!(at("colour").as_deref(), Some("6 - property unclear: Gradient g colour"));
    assert_eq!(at("false").as_deref(), Some("18 A/B/Kid property unclear: visible"));
    assert_eq!(at("[node name=\"A\""), None);
    assert_eq!(at("path=\"res"), None);
}

#[track_caller]
fn check_edits(before: &str, after: &str, expected: &[&str]) {
    let (before, after) = (parse(before.as_bytes()), parse(after.as_bytes()));
    let describe = |edit: &Edited| {
        let node = edit.node_path.as_deref().unwrap_or("-");
        match &edit.kind {
            EditedKind::Property { name, sub_resource, value } => {
                let value = String::from_utf8_lossy(value.of(after.text()));
                format!("{node} {} {name} = {value}", sub_resource.as_deref().unwrap_or("-"))
            }
            EditedKind::NodeAdded => format!("{node} added"),
            EditedKind::NodeRemoved => format!("{node} removed"),
            EditedKind::Connection { signal } => format!("{node} connection {signal}"),
        }
    };
    assert_eq!(edits(&before, &after).iter().map(describe).collect::<Vec<_>>(), expected);
}

#[test]
fn edits_are_what_the_user_did() {
    check_edits(SCENE, SCENE, &[]);
    check_edits(SCENE, &SCENE.replace("speed = 2\n", ""), &[]);
    check_edits(SCENE, &SCENE.replace("speed = 2", "speed = 2.0"), &[]);
    let with_other_ids =
        SCENE.replace("id=\"1\"", "id=\"7\"").replace("ource(\"1\")", "ource( \"7\")");
    check_edits(SCENE, &with_other_ids, &[]);
    check_edits(
        SCENE,
        &SCENE.replace("speed = 2", "speed = 3\nnew = 1").replace("colour = 1", "colour = 2"),
        &["A/B - speed = 3", "A/B - new = 1", "- g colour = 2"],
    );
    check_edits(
        SCENE,
        &SCENE.replace("\"ready\"", "\"hit\"").replace("type=\"Node2D\"", "type=\"Node2D\"  "),
        &["A connection hit"],
    );
}

#[test]
fn edits_of_nodes() {
    let renamed = SCENE
        .replace("name=\"A\"", "name=\"Z\"")
        .replace("parent=\"A", "parent=\"Z")
        .replace("from=\"A", "from=\"Z")
        .replace("to=\"A", "to=\"Z")
        .replace("path=\"A", "path=\"Z");
    check_edits(SCENE, &renamed, &["Z added"]);
    let from = SCENE.find("[node name=\"A\"").unwrap();
    check_edits(SCENE, &SCENE[..from], &["A removed", "A/B removed"]);
    check_edits(
        &SCENE[..from],
        SCENE,
        &[
            "A added",
            "A/B added",
            "A/B/Kid - visible = false",
            "A connection ready",
            "A/B/Kid connection hit",
        ],
    );
    let orphan = "[gd_scene]\n[node name=\"A\" type=\"Node\"]\n[node name=\"B\" type=\"Node\" parent=\"Gone\"]\n";
    let after = "[gd_scene]\n[node name=\"A\" type=\"Node\"]\n[node name=\"Gone#B\" type=\"Node\" parent=\".\"]\n";
    check_edits(orphan, after, &[]);
}
