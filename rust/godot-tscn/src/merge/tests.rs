//! The requirements of merges.

use super::{MergeSide, Merged, Resolved, merge, resolve, resolve_by, unresolved};

const HEAD: &str = "[gd_scene format=3]\n\n";

fn merged(base: &str, ours: &str, theirs: &str) -> Merged {
    merge(base.as_bytes(), ours.as_bytes(), theirs.as_bytes()).unwrap()
}

/// Checks a merge without conflicts.
#[track_caller]
fn check(base: &str, ours: &str, theirs: &str, expected: &str) {
    let merged = merged(base, ours, theirs);
    assert_eq!(String::from_utf8(merged.text).unwrap(), expected);
    assert_eq!(merged.conflicts, []);
}

/// Checks a merge with conflicts, as `place: what` of each.
#[track_caller]
fn check_conflicts(base: &str, ours: &str, theirs: &str, expected: &str, conflicts: &[&str]) {
    let merged = merged(base, ours, theirs);
    assert_eq!(String::from_utf8(merged.text).unwrap(), expected);
    let found: Vec<String> =
        merged.conflicts.iter().map(|each| format!("{}: {}", each.place, each.what)).collect();
    assert_eq!(found, conflicts);
}

/// A scene of nodes, each on one line: name, parent, and properties behind a `|`.
fn scene(nodes: &[&str]) -> String {
    let mut text = HEAD.to_owned();
    for (index, node) in nodes.iter().enumerate() {
        let mut parts = node.split('|');
        let path = parts.next().unwrap();
        let (parent, name) = path.rsplit_once('/').unwrap_or((".", path));
        let parent = if index == 0 { String::new() } else { format!(" parent=\"{parent}\"") };
        text += &format!("[node name=\"{name}\" type=\"Node2D\"{parent}]\n");
        for property in parts {
            text += &format!("{property}\n");
        }
        if index + 1 < nodes.len() {
            text += "\n";
        }
    }
    text
}

#[test]
fn properties() {
    let base = scene(&["A|a = 1|b = 2|c = 3", "B"]);
    let ours = scene(&["A|a = 10|c = 3|d = 4", "B"]);
    let theirs = scene(&["A|a = 1|b = 2|x = 5|c = 30", "B|y = 6"]);
    check(&base, &ours, &theirs, &scene(&["A|a = 10|x = 5|c = 30|d = 4", "B|y = 6"]));
    check(&base, &theirs, &ours, &scene(&["A|a = 10|x = 5|c = 30|d = 4", "B|y = 6"]));
}

#[test]
fn a_property_that_both_changed() {
    let base = scene(&["A|a = Vector2(1, 2)"]);
    let ours = scene(&["A|a = Vector2(1, 3)"]);
    let theirs = scene(&["A|a = Vector2(1, 4)"]);
    let mark = "metadata/_gdscene_conflicts = [{\n\"base\": Vector2(1, 2),\n\
                \"property\": \"a\",\n\"theirs\": Vector2(1, 4)\n}]";
    let expected = scene(&[&format!("A|a = Vector2(1, 3)|{mark}")]);
    check_conflicts(&base, &ours, &theirs, &expected, &["node \".\": property a"]);
    // The same value with other spaces is not a conflict.
    check(&base, &ours, &scene(&["A|a = Vector2( 1,3 )"]), &ours);
}

#[test]
fn nodes_come_and_go() {
    let base = scene(&["A", "B", "B/C", "D"]);
    let ours = scene(&["A", "B", "B/C", "B/E", "D"]);
    let theirs = scene(&["A", "N", "B", "B/C", "B/F", "B/F/G", "M"]);
    check(&base, &ours, &theirs, &scene(&["A", "N", "B", "B/C", "B/E", "B/F", "B/F/G", "M"]));
    check(&base, &theirs, &ours, &scene(&["A", "N", "B", "B/C", "B/F", "B/F/G", "B/E", "M"]));
}

#[test]
fn children_in_another_order() {
    let base = scene(&["A", "B", "B/X", "C", "D"]);
    let ours = scene(&["A", "B", "B/X", "C", "D", "E"]);
    let theirs = scene(&["A", "D", "C", "B", "B/X"]);
    check(&base, &ours, &theirs, &scene(&["A", "D", "E", "C", "B", "B/X"]));
}

#[test]
fn removed_here_and_changed_there() {
    let base = scene(&["A", "B", "B/C|a = 1"]);
    let ours = scene(&["A", "B", "B/C|a = 2"]);
    let theirs = scene(&["A"]);
    let mark = "metadata/_gdscene_conflicts = [{\n\"removed_by\": \"theirs\"\n}]";
    let expected = scene(&["A", &format!("B|{mark}"), "B/C|a = 2"]);
    let what = ["node \"B\": theirs removed it, ours changed node \"B/C\""];
    check_conflicts(&base, &ours, &theirs, &expected, &what);
    // A property that only the editor shows is not a change.
    let ours = scene(&["A", "B", "B/C|a = 1|metadata/_edit_lock_ = true"]);
    check(&base, &ours, &theirs, &theirs);
    // A child that was added is one.
    let ours = scene(&["A", "B", "B/C|a = 1", "B/D"]);
    let merged = merged(&base, &ours, &theirs);
    assert_eq!(merged.conflicts.len(), 1);
}

#[test]
fn removed_here_and_used_there() {
    let base = scene(&["A", "B", "C"]);
    let ours = scene(&["A", "B"]);
    let theirs = scene(&["A", "B|p = NodePath(\"../C:position\")", "C"]);
    for (ours, theirs) in [(&ours, &theirs), (&theirs, &ours)] {
        let merged = merged(&base, ours, theirs);
        assert_eq!(merged.conflicts.len(), 1);
        assert_eq!(merged.conflicts[0].place, "node \"C\"");
    }
    let connected =
        format!("{base}\n[connection signal=\"ready\" from=\"C\" to=\".\" method=\"go\"]\n");
    assert_eq!(merged(&base, &ours, &connected).conflicts.len(), 1);
    // Paths that were there before go the way of the node that has them.
    let base = scene(&["A", "B|p = NodePath(\"../C\")", "C"]);
    let ours = scene(&["A", "B"]);
    check(
        &base,
        &ours,
        &scene(&["A", "B|p = NodePath(\"../C\")|q = 1", "C"]),
        &scene(&["A", "B|q = 1"]),
    );
}

#[test]
fn paths_follow_renamed_nodes() {
    let base = scene(&["A|p = NodePath(\"B/C\")", "B|x = 1", "B/C|q = NodePath(\"../../D\")", "D"]);
    let ours = scene(&["A|p = NodePath(\"R/C\")", "R|x = 1", "R/C|q = NodePath(\"../../D\")", "D"]);
    let theirs = scene(&[
        "A|p = NodePath(\"B/C\")",
        "B|x = 1",
        "B/C|q = NodePath(\"../../D\")",
        "B/N|r = NodePath(\"../C:position\")",
        "D|s = NodePath(\"../B/C\")",
    ]);
    let expected = scene(&[
        "A|p = NodePath(\"R/C\")",
        "R|x = 1",
        "R/C|q = NodePath(\"../../D\")",
        "R/N|r = NodePath(\"../C:position\")",
        "D|s = NodePath(\"../R/C\")",
    ]);
    check(&base, &ours, &theirs, &expected);
    check(&base, &theirs, &ours, &expected);
}

#[test]
fn a_node_and_its_child_both_renamed() {
    let base = scene(&["A", "B|x = 1", "B/C|y = 2", "D"]);
    let ours = scene(&["A", "R|x = 1", "R/S|y = 2", "D"]);
    let theirs = scene(&["A", "B|x = 1", "B/C|y = 3", "D|p = NodePath(\"../B/C\")"]);
    let expected = scene(&["A", "R|x = 1", "R/S|y = 3", "D|p = NodePath(\"../R/S\")"]);
    check(&base, &ours, &theirs, &expected);
    check(&base, &theirs, &ours, &expected);
}

#[test]
fn connections_and_groups() {
    let node = "[node name=\"A\" type=\"Button\"";
    let connection = |method: &str| {
        format!("[connection signal=\"pressed\" from=\".\" to=\".\" method=\"{method}\"]\n")
    };
    let base = format!("{HEAD}{node} groups=[\"a\", \"b\"]]\n\n{}", connection("one"));
    let ours = format!(
        "{HEAD}{node} groups=[\"a\", \"b\", \"c\"]]\n\n{}{}",
        connection("one"),
        connection("two")
    );
    let theirs = format!("{HEAD}{node} groups=[\"b\", \"d\"]]\n\n{}", connection("three"));
    let expected = format!(
        "{HEAD}{node} groups=[\"b\", \"c\", \"d\"]]\n\n{}{}",
        connection("two"),
        connection("three")
    );
    check(&base, &ours, &theirs, &expected);
}

#[test]
fn conflicts_in_metadata_that_theirs_changed() {
    let text = |value: u32, meta: &str| {
        let meta = if meta.is_empty() { String::new() } else { format!("__meta__ = {meta}\n") };
        format!("[gd_scene format=2]\n\n[node name=\"A\" type=\"Node\"]\na = {value}\n{meta}")
    };
    let record =
        "\"_gdscene_conflicts\": [{\n\"base\": 1,\n\"property\": \"a\",\n\"theirs\": 3\n}]";
    let dictionary = "{\n\"x\": 1\n}";
    for (before, after, expected) in [
        (dictionary, "{\n\"x\": 2\n}", format!("{{\n{record},\n\"x\": 2\n}}")),
        (dictionary, "", format!("{{\n{record}\n}}")),
        ("", dictionary, format!("{{\n{record},\n\"x\": 1\n}}")),
        ("", "{}", format!("{{\n{record}}}")),
    ] {
        let [base, ours] = [1, 2].map(|value| text(value, before));
        let theirs = text(3, after);
        let what = ["node \".\": property a"];
        check_conflicts(&base, &ours, &theirs, &text(2, &expected), &what);
    }
    // Text that Godot does not load in any case.
    let merged = merged(&text(1, dictionary), &text(2, dictionary), &text(3, "\"x\""));
    assert_eq!(crate::unresolved(&merged.text).len(), 1);
}

#[test]
fn resources_that_one_side_left_unused() {
    let circle = |radius: u32| format!("radius = {radius}.0\n");
    let text = |radius: u32, shape: &str| shapes(&[("C_1", &circle(radius))], [shape, ""]);
    let used = "shape = SubResource(\"C_1\")\n";
    let found = merged(&text(1, used), &text(1, ""), &text(2, used)).conflicts;
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].what, "property shape");
}

#[test]
fn ids_that_clash() {
    let text = |resources: &[&str], properties: &[&str]| {
        let resources: String = resources.iter().map(|each| format!("{each}\n")).collect();
        let blank = if resources.is_empty() { "" } else { "\n" };
        format!(
            "{HEAD}{resources}{blank}{}",
            &scene(&[&format!("A|{}", properties.join("|"))])[HEAD.len()..]
        )
    };
    let ext = |path: &str, id: &str| {
        format!("[ext_resource type=\"Texture2D\" path=\"res://{path}\" id=\"{id}\"]")
    };
    let base = text(&[], &["x = 1"]);
    let ours = text(&[&ext("a.png", "1_a")], &["x = 1", "y = ExtResource(\"1_a\")"]);
    let theirs = text(&[&ext("b.png", "1_a")], &["x = 1", "z = ExtResource(\"1_a\")"]);
    let merged = merged(&base, &ours, &theirs);
    assert_eq!(merged.conflicts, []);
    let merged = String::from_utf8(merged.text).unwrap();
    let id = merged.split("res://b.png\" id=\"").nth(1).unwrap().split('"').next().unwrap();
    assert_ne!(id, "1_a");
    let expected = text(
        &[&ext("a.png", "1_a"), &ext("b.png", id)],
        &["x = 1", &format!("z = ExtResource(\"{id}\")"), "y = ExtResource(\"1_a\")"],
    );
    // Both properties stand behind `x`; the order between them is that of ours first.
    let swapped = text(
        &[&ext("a.png", "1_a"), &ext("b.png", id)],
        &["x = 1", "y = ExtResource(\"1_a\")", &format!("z = ExtResource(\"{id}\")")],
    );
    assert!(merged == expected || merged == swapped, "{merged}");
    // The same file under two ids is one resource.
    let theirs = text(&[&ext("a.png", "7_x")], &["x = 1", "z = ExtResource(\"7_x\")"]);
    let merged = String::from_utf8(self::merged(&base, &ours, &theirs).text).unwrap();
    assert!(merged.contains("z = ExtResource(\"1_a\")") && !merged.contains("7_x"), "{merged}");
}

#[test]
fn a_file_of_godot_3_that_one_side_moved() {
    let text = |folder: &str, uses: &str| {
        format!(
            "[gd_scene load_steps=2 format=2]\n\n[ext_resource path=\"res://{folder}/i.png\" type=\"Texture\" id=1]\n\n\
             [node name=\"A\" type=\"Sprite\"]\ntexture = ExtResource( 1 )\n{uses}"
        )
    };
    let new = "\n[node name=\"B\" type=\"Sprite\" parent=\".\"]\ntexture = ExtResource( 1 )\n";
    let (base, ours, theirs) = (text("a", ""), text("a", new), text("b", ""));
    check(&base, &ours, &theirs, &text("b", new));
    check(&base, &theirs, &ours, &text("b", new));
}

#[test]
fn unique_ids_that_both_added() {
    let text = |id: &str, more: &str| format!("{HEAD}[node name=\"A\" type=\"Node\"{id}]\n{more}");
    let base = text("", "");
    let theirs = text(" unique_id=2", "a = 1\n");
    check(&base, &text(" unique_id=1", ""), &theirs, &text(" unique_id=1", "a = 1\n"));
    check(&base, &text("", "b = 1\n"), &theirs, &text(" unique_id=2", "b = 1\na = 1\n"));
    // Two nodes never end with one.
    let base = "[gd_scene format=3]\n\n[node name=\"A\" type=\"Node\" unique_id=1]\n";
    let node = |name: &str| {
        format!(
            "{base}\n[node name=\"{name}\" type=\"Timer\" parent=\".\" unique_id=5]\nx = \"{name}\"\n"
        )
    };
    let merged = merged(base, &node("B"), &node("C"));
    let text = String::from_utf8(merged.text).unwrap();
    assert_eq!(text.matches("unique_id=5]").count(), 1, "{text}");
}

/// Two collision shapes, each with its lines, behind the resources.
fn shapes(resources: &[(&str, &str)], [a, b]: [&str; 2]) -> String {
    let resource = |(id, properties): &(&str, &str)| {
        format!("[sub_resource type=\"CircleShape2D\" id=\"{id}\"]\n{properties}\n")
    };
    let resources: String = resources.iter().map(resource).collect();
    format!(
        "{HEAD}{resources}[node name=\"R\" type=\"Node2D\"]\n\n\
         [node name=\"A\" type=\"CollisionShape2D\" parent=\".\"]\n{a}\n\
         [node name=\"B\" type=\"CollisionShape2D\" parent=\".\"]\n{b}"
    )
}

#[test]
fn equal_resources_that_both_added_are_two() {
    let circle = "radius = 5.0\n";
    check(
        &shapes(&[], ["", ""]),
        &shapes(&[("C_1", circle)], ["shape = SubResource(\"C_1\")\n", ""]),
        &shapes(&[("C_2", circle)], ["", "shape = SubResource(\"C_2\")\n"]),
        &shapes(
            &[("C_1", circle), ("C_2", circle)],
            ["shape = SubResource(\"C_1\")\n", "shape = SubResource(\"C_2\")\n"],
        ),
    );
    // At one place they are one, but a property that one side leaves at its default must not be changed
    // by the other side.
    let base = shapes(&[], ["", ""]);
    let ours = shapes(&[("C_1", "radius = 7.0\n")], ["shape = SubResource(\"C_1\")\n", ""]);
    let theirs =
        shapes(&[("C_2", "custom_solver_bias = 0.5\n")], ["shape = SubResource(\"C_2\")\n", ""]);
    let what = merged(&base, &ours, &theirs).conflicts;
    let what: Vec<&str> = what.iter().map(|each| each.what.as_str()).collect();
    assert_eq!(what, ["property radius", "property custom_solver_bias"]);
}

#[test]
fn nodes_that_both_added() {
    let base = scene(&["A"]);
    let [ours, theirs] = ["a = 1", "b = 2"].map(|line| scene(&["A", &format!("T|{line}")]));
    let what = merged(&base, &ours, &theirs).conflicts;
    let what: Vec<&str> = what.iter().map(|each| each.what.as_str()).collect();
    assert_eq!(what, ["property a", "property b"]);
    // One node that both took over, and one side changed.
    let id = |text: &str| text.replace("name=\"T\" type", "name=\"T\" unique_id=5 type");
    check(&base, &id(&ours), &id(&theirs), &id(&scene(&["A", "T|a = 1|b = 2"])));
    check(&base, &ours, &ours.replace("a = 1", "a =  1"), &ours);
}

#[test]
fn another_node_with_another_id_is_no_renamed_one() {
    let text =
        |node: &str| format!("{HEAD}[node name=\"R\" type=\"Node\" unique_id=1]\n\n[node {node}\n");
    let base = text("name=\"A\" type=\"Timer\" parent=\".\" unique_id=2]");
    let ours = text("name=\"B\" type=\"Timer\" parent=\".\" unique_id=3]");
    let theirs = format!("{base}wait_time = 3.0\n");
    let merged = merged(&base, &ours, &theirs);
    assert_eq!(merged.conflicts.len(), 1);
    assert_eq!(merged.conflicts[0].what, "ours removed it, theirs changed it");
}

#[test]
fn a_node_that_may_be_there_twice() {
    let base = scene(&["A", "B|x = 1|y = 1", "C"]);
    let ours = scene(&["A", "C", "C/B|x = 2|y = 1"]);
    let theirs = scene(&["A", "D|x = 1|y = 2", "C"]);
    for [ours, theirs] in [[&ours, &theirs], [&theirs, &ours]] {
        let merged = merged(&base, ours, theirs);
        assert_eq!((merged.conflicts.len(), merged.notes.len()), (0, 1));
        assert_eq!(merged.notes[0].place, "node \"B\"");
        for node in ["\"C/B\" of", "\"D\" of"] {
            assert!(merged.notes[0].text.contains(node), "{}", merged.notes[0].text);
        }
    }
}

#[test]
fn paths_that_pass_a_renamed_node_and_come_back() {
    let paths = |name: &str| format!("B/C|p = [NodePath(\"../../B\"), NodePath(\"../C\"), {name}]");
    let base = scene(&["A", "B|a = 1|b = 2", &paths("1")]);
    let ours =
        scene(&["A", "X|a = 1|b = 2", &paths("1").replace("B/C", "X/C").replace("/B", "/X")]);
    let theirs = scene(&["A", "B|a = 1|b = 2", &paths("2")]);
    let merged = paths("2").replace("B/C", "X/C").replace("../../B", "../../X");
    check(&base, &ours, &theirs, &scene(&["A", "X|a = 1|b = 2", &merged]));
}

#[test]
fn paths_by_unique_name() {
    let label = |name: &str| format!("{name}|unique_name_in_owner = true|text = \"x\"");
    let below = |name: &str| format!("{name}/C|text = \"y\"");
    let base = scene(&["R", &label("F"), &below("F")]);
    let ours = scene(&["R", &label("G"), &below("G")]);
    let paths = |name: &str| {
        format!("R|p = NodePath(\"%{name}:text\")|q = NodePath(\"%{name}/C\")|r = NodePath(\"%X\")")
    };
    let theirs = scene(&[&paths("F"), &label("F"), &below("F")]);
    let expected = scene(&[&paths("G"), &label("G"), &below("G")]);
    check(&base, &ours, &theirs, &expected);
    check(&base, &theirs, &ours, &expected);
    // Ours removed the node.
    let what = merged(&base, &scene(&["R"]), &theirs).conflicts;
    assert_eq!(what.len(), 1);
}

#[test]
fn removed_here_and_animated_or_made_editable_there() {
    let text = |track: &str, node: &str| {
        format!(
            "{HEAD}[sub_resource type=\"Animation\" id=\"A\"]\nlength = 1.0\n{track}\n\
             [node name=\"R\" type=\"Node\"]\n\n{node}\
             [node name=\"P\" type=\"AnimationPlayer\" parent=\".\"]\nanims/a = SubResource(\"A\")\n"
        )
    };
    let node = "[node name=\"X\" type=\"Node2D\" parent=\".\"]\n\n";
    let track = "tracks/0/type = \"value\"\ntracks/0/path = NodePath(\"X:position\")\n";
    let what = merged(&text("", node), &text("", ""), &text(track, node)).conflicts;
    assert_eq!(what.len(), 1);
    assert_eq!(what[0].what, "ours removed it, theirs changed sub_resource Animation \"A\"");
    let base = format!(
        "{HEAD}[ext_resource type=\"PackedScene\" path=\"res://i.tscn\" id=\"1\"]\n\n\
         [node name=\"R\" type=\"Node\"]\n"
    );
    let instance = format!("{base}\n[node name=\"I\" parent=\".\" instance=ExtResource(\"1\")]\n");
    let editable = format!("{instance}\n[editable path=\"I\"]\n");
    assert_eq!(merged(&instance, &base, &editable).conflicts.len(), 1);
}

#[test]
fn lists_of_numbers_are_not_put_together() {
    // As `Curve2D` has them, with the number of points next to them.
    let curve = |more: &str, count: u32| {
        scene(&[&format!(
            "R|d = {{\n\"points\": PackedVector2Array(0, 0{more})\n}}|count = {count}"
        )])
    };
    let what = merged(&curve("", 1), &curve(", 1, 1", 2), &curve(", 2, 2", 2)).conflicts;
    assert_eq!(what.len(), 1);
}

#[test]
fn order_of_a_dictionary() {
    let text = |value: &str| scene(&[&format!("R|d = {{\n{}\n}}", value.replace(", ", ",\n"))]);
    let base = text("\"a\": 1, \"b\": 2, \"c\": 3");
    let ours = text("\"a\": 9, \"b\": 2, \"c\": 3");
    let theirs = text("\"b\": 2, \"a\": 1, \"c\": 3, \"d\": 4");
    let expected = text("\"b\": 2, \"a\": 9, \"c\": 3, \"d\": 4");
    check(&base, &ours, &theirs, &expected);
    check(&base, &theirs, &ours, &expected);
    let other = text("\"c\": 3, \"a\": 1, \"b\": 2");
    assert_eq!(merged(&base, &theirs, &other).conflicts.len(), 1);
}

#[test]
fn notes_of_what_ours_settled() {
    let text = |uid: &str, index: u32, comment: &str| {
        format!(
            "[gd_scene format=3 uid=\"uid://{uid}\"]\n\n\
             [ext_resource type=\"PackedScene\" path=\"res://i.tscn\" id=\"1\"]\n\n\
             [node name=\"R\" instance=ExtResource(\"1\")]\n\n{comment}\
             [node name=\"A\" type=\"Node\" parent=\".\" index=\"{index}\"]\nx = 1\n"
        )
    };
    let merged = merged(&text("a", 1, ""), &text("b", 2, ""), &text("c", 3, "; why\n"));
    assert_eq!(merged.conflicts, []);
    let notes: Vec<String> =
        merged.notes.iter().map(|note| format!("{}: {}", note.place, note.text)).collect();
    let expected = [
        "header: both changed `uid`; that of theirs was \"uid://c\"",
        "node \"A\": both changed `index`; that of theirs was \"3\"",
        "line 7 of theirs: the comment that theirs added is left out: ; why",
    ];
    assert_eq!(notes, expected);
}

/// Each side made a change that fits the earlier value of the other.
#[test]
fn notes_of_other_kinds() {
    let node = |kind: &str, property: &str| {
        format!("[gd_scene format=3]\n\n[node name=\"A\" type=\"{kind}\"]\n{property}")
    };
    let (base, ours) = (node("Sprite2D", "frame = 1\n"), node("Node2D", "frame = 1\n"));
    let notes = |base: &str, ours: &str, theirs: &str| -> Vec<String> {
        let merged = merged(base, ours, theirs);
        assert_eq!(merged.conflicts, []);
        merged.notes.iter().map(|note| format!("{}: {}", note.place, note.text)).collect()
    };
    let theirs = node("Sprite2D", "hframes = 4\nframe = 1\nmetadata/a = 1\n");
    let expected = "node \".\": ours changed the type from `Sprite2D` to `Node2D`, and theirs set `hframes` of the old type; \
                    Godot drops the properties that the new type does not have";
    assert_eq!(notes(&base, &ours, &theirs), [expected]);
    assert_eq!(notes(&base, &theirs, &ours).len(), 1);
    assert_eq!(notes(&base, &ours, &node("Sprite2D", "")), [""; 0]);

    let file = |uid: &str, path: &str, users: &[&str]| {
        let users: String = users
            .iter()
            .map(|name| {
                format!("\n[node name=\"{name}\" type=\"Sprite2D\" parent=\".\"]\nmaterial = ExtResource(\"1\")\n")
            })
            .collect();
        format!(
            "[gd_scene format=3]\n\n[ext_resource type=\"Material\" uid=\"uid://{uid}\" path=\"res://{path}.tres\" id=\"1\"]\n\n\
             [node name=\"R\" type=\"Node2D\"]\n{users}"
        )
    };
    let base = file("a", "glow", &["A"]);
    let (ours, theirs) = (file("a", "glow", &["A", "B"]), file("b", "dark", &["A"]));
    let expected = "ext_resource \"res://glow.tres\": theirs replaced `res://glow.tres` with `res://dark.tres`; \
                    the additions of ours also use the new file";
    assert_eq!(notes(&base, &ours, &theirs), [expected]);
    // It is the same file in another folder.
    assert_eq!(notes(&base, &ours, &file("a", "new", &["A"])), [""; 0]);
    assert_eq!(notes(&base, &file("a", "glow", &[]), &theirs), [""; 0]);
}

#[test]
fn values_part_by_part() {
    let property = |value: &str| scene(&[&format!("A|a = {value}")]);
    let check_value = |base: &str, ours: &str, theirs: &str, expected: &str| {
        check(&property(base), &property(ours), &property(theirs), &property(expected));
    };
    check_value(
        "{\n\"a\": 1,\n\"b\": 2\n}",
        "{\n\"a\": 1,\n\"b\": 3\n}",
        "{\n\"a\": 0,\n\"b\": 2,\n\"c\": 4\n}",
        "{\n\"a\": 0,\n\"b\": 3,\n\"c\": 4\n}",
    );
    check_value(
        "PackedStringArray(\"a\")",
        "PackedStringArray(\"a\", \"b\")",
        "PackedStringArray(\"a\", \"c\")",
        "PackedStringArray(\"a\", \"b\", \"c\")",
    );
    check_value("\"1\n2\n3\n4\"", "\"1\n2!\n3\n4\"", "\"1\n2\n3\n4!\"", "\"1\n2!\n3\n4!\"");
    let tiles = |value: &str| scene(&[&format!("A|layer_0/tile_data = PackedInt32Array({value})")]);
    check(
        &tiles("0, 1, 1, 65536, 2, 2"),
        &tiles("0, 9, 9, 65536, 2, 2, 7, 7, 7"),
        &tiles("0, 1, 1, 5, 5, 5"),
        &tiles("0, 9, 9, 7, 7, 7, 5, 5, 5"),
    );
}

/// A bus layout: the volume of the master bus, and buses behind it with a name and a volume.
fn layout(master: f32, buses: &[(&str, f32)]) -> String {
    let mut text = "[gd_resource type=\"AudioBusLayout\" format=3]\n\n[resource]\n".to_owned();
    text += &format!("bus/0/volume_db = {master:?}\n");
    for (index, (name, volume)) in (1..).zip(buses) {
        text += &format!(
            "bus/{index}/name = &\"{name}\"\nbus/{index}/volume_db = {volume:?}\nbus/{index}/send = &\"Master\"\n"
        );
    }
    text
}

#[test]
fn buses_by_name() {
    let base = layout(0.0, &[("Music", 0.0), ("Voice", 0.0)]);
    for (ours, theirs, expected) in [
        // Each side has a new one, and theirs changed another.
        (
            layout(0.0, &[("Music", 0.0), ("Voice", 0.0), ("A", 1.0)]),
            layout(-1.0, &[("Music", -3.0), ("Voice", 0.0), ("B", 2.0)]),
            layout(-1.0, &[("Music", -3.0), ("Voice", 0.0), ("A", 1.0), ("B", 2.0)]),
        ),
        // One went, another changed.
        (
            layout(0.0, &[("Voice", 0.0)]),
            layout(0.0, &[("Music", 0.0), ("Voice", 5.0)]),
            layout(0.0, &[("Voice", 5.0)]),
        ),
        // One got another name, and the same one another volume.
        (
            layout(0.0, &[("Song", 0.0), ("Voice", 0.0)]),
            layout(0.0, &[("Music", 4.0), ("Voice", 0.0)]),
            layout(0.0, &[("Song", 4.0), ("Voice", 0.0)]),
        ),
    ] {
        check(&base, &ours, &theirs, &expected);
    }
    // One side removed a thing that the other changed.
    let [ours, theirs] =
        [layout(0.0, &[("Voice", 0.0)]), layout(0.0, &[("Music", 1.0), ("Voice", 0.0)])];
    assert!(!merged(&base, &ours, &theirs).conflicts.is_empty());
}

/// An animation with tracks, each with a path and a number.
fn animation(tracks: &[(&str, u32)]) -> String {
    let mut text = "[gd_resource type=\"Animation\" format=3]\n\n[resource]\n".to_owned();
    for (index, (path, step)) in tracks.iter().enumerate() {
        text += &format!(
            "tracks/{index}/type = \"value\"\ntracks/{index}/path = NodePath(\"{path}\")\ntracks/{index}/interp = {step}\n"
        );
    }
    text
}

#[test]
fn tracks_by_path() {
    let base = animation(&[("A", 1), ("B", 1), ("C", 1)]);
    for (ours, theirs, expected) in [
        // One went, another changed.
        (&[("B", 1), ("C", 1)][..], &[("A", 1), ("B", 1), ("C", 2)][..], &[("B", 1), ("C", 2)][..]),
        (
            &[("A", 1), ("C", 1)],
            &[("A", 1), ("B", 1), ("C", 1), ("D", 1)],
            &[("A", 1), ("C", 1), ("D", 1)],
        ),
        // One came between the others.
        (
            &[("A", 1), ("B", 2), ("C", 1)],
            &[("A", 1), ("X", 5), ("B", 1), ("C", 1)],
            &[("A", 1), ("X", 5), ("B", 2), ("C", 1)],
        ),
        // Each side removed one, changed one and has a new one.
        (
            &[("A", 2), ("C", 1), ("X", 1)],
            &[("Y", 1), ("A", 1), ("B", 1)],
            &[("Y", 1), ("A", 2), ("X", 1)],
        ),
    ] {
        check(&base, &animation(ours), &animation(theirs), &animation(expected));
        check(&base, &animation(theirs), &animation(ours), &animation(expected));
    }
    // Both have a new one of a path, each with other keys.
    let [ours, theirs] = [2, 3].map(|step| animation(&[("A", 1), ("B", 1), ("C", 1), ("D", step)]));
    let conflicts = merged(&base, &ours, &theirs).conflicts;
    let what: Vec<_> = conflicts.iter().map(|it| it.what.as_str()).collect();
    assert_eq!(what, ["property tracks/3/interp"]);
    // Theirs changed the track that ours moved; the other way round, the order of the text does not
    // allow it.
    let moved = animation(&[("C", 1), ("A", 1), ("B", 1)]);
    let changed = animation(&[("A", 3), ("B", 1), ("C", 1)]);
    check(&base, &moved, &changed, &animation(&[("C", 1), ("A", 3), ("B", 1)]));
    assert!(!merged(&base, &changed, &moved).conflicts.is_empty());
}

#[test]
fn tracks_that_one_side_removed_and_the_other_changed() {
    let base = animation(&[("A", 1), ("B", 1), ("C", 1), ("D", 1)]);
    let removed = animation(&[("A", 1), ("C", 2)]);
    let changed = animation(&[("A", 1), ("B", 7), ("C", 3), ("D", 1)]);
    let both = |step| animation(&[("A", 1), ("B", 7), ("C", step)]);
    let dropped = |step| animation(&[("A", 1), ("C", step)]);
    let [ours, theirs] = [MergeSide::Ours, MergeSide::Theirs];
    for (texts, by, [remover, changer], [step_of_ours, step_of_theirs]) in [
        ([&removed, &changed], "ours", [ours, theirs], [2, 3]),
        ([&changed, &removed], "theirs", [theirs, ours], [3, 2]),
    ] {
        let merged = merged(&base, texts[0], texts[1]);
        let what: Vec<_> = merged.conflicts.iter().map(|it| it.what.clone()).collect();
        let other = if by == "ours" { "theirs" } else { "ours" };
        let track = format!("track \"B\": {by} removed it, {other} changed it");
        assert_eq!(what, [track.as_str(), "property tracks/2/interp"]);
        let told: Vec<_> = unresolved(&merged.text).into_iter().map(|it| it.what).collect();
        let told_track = format!("track \"B\": {by} removed it");
        assert_eq!(told, [told_track.as_str(), "property tracks/2/interp"]);
        let text = |resolved: Resolved| String::from_utf8(resolved.text).unwrap();
        let step = |side| if side == ours { step_of_ours } else { step_of_theirs };
        assert_eq!(text(resolve(&merged.text, remover)), dropped(step(remover)));
        assert_eq!(text(resolve(&merged.text, changer)), both(step(changer)));
        // One by one: the other conflict is at another number by then.
        let one = resolve_by(&merged.text, |it| (it.number == 1).then_some(remover));
        assert_eq!(one.left[0].what, "property tracks/1/interp");
        assert_eq!(text(resolve(&one.text, theirs)), dropped(step_of_theirs));
    }
}

#[test]
fn tracks_of_renamed_nodes() {
    let scene = |name: &str, tracks: &[(&str, u32)]| {
        let animation = animation(tracks);
        let properties = animation.split_once("[resource]\n").unwrap().1;
        format!(
            "{HEAD}[sub_resource type=\"Animation\" id=\"1\"]\n{properties}\n\
             [sub_resource type=\"AnimationLibrary\" id=\"2\"]\n_data = {{\n&\"a\": SubResource(\"1\")\n}}\n\n\
             [node name=\"R\" type=\"Node2D\"]\n\n[node name=\"{name}\" type=\"Node2D\" parent=\".\" unique_id=7]\n\n\
             [node name=\"P\" type=\"AnimationPlayer\" parent=\".\"]\n\
             libraries = {{\n&\"\": SubResource(\"2\")\n}}\n"
        )
    };
    let base = scene("N", &[("A", 1), ("N:position", 1)]);
    let ours = scene("M", &[("M:position", 1)]);
    let theirs = scene("N", &[("A", 1), ("N:position", 2)]);
    let expected = scene("M", &[("M:position", 2)]);
    check(&base, &ours, &theirs, &expected);
    check(&base, &theirs, &ours, &expected);
}

#[test]
fn lists_whose_numbers_shift() {
    let text = animation;
    let base = text(&[("A", 1), ("B", 1)]);
    // Ours removed the first, theirs changed it: the second has its number now.
    let merged = merged(&base, &text(&[("B", 1)]), &text(&[("A", 2), ("B", 1)]));
    let what: Vec<&str> = merged.conflicts.iter().map(|each| each.what.as_str()).collect();
    assert_eq!(what, ["track \"A\": ours removed it, theirs changed it"]);
    // Where no number has another meaning, each property is on its own.
    let [ours, theirs] = [text(&[("A", 2), ("B", 1)]), text(&[("A", 1), ("B", 3)])];
    check(&base, &ours, &theirs, &text(&[("A", 2), ("B", 3)]));
    // The additions at the end of each side come at the end.
    let ours = text(&[("A", 2), ("B", 1), ("C", 1), ("D", 1)]);
    let theirs = text(&[("A", 1), ("B", 3), ("C", 1), ("E", 1), ("F", 1)]);
    let expected = text(&[("A", 2), ("B", 3), ("C", 1), ("D", 1), ("E", 1), ("F", 1)]);
    check(&base, &ours, &theirs, &expected);
    check(
        &base,
        &text(&[("A", 2), ("B", 1)]),
        &theirs,
        &text(&[("A", 2), ("B", 3), ("C", 1), ("E", 1), ("F", 1)]),
    );
    // A track of ours has another identity: it may or may not be the one that theirs changed.
    let merged =
        self::merged(&base, &text(&[("X", 1), ("B", 1)]), &text(&[("A", 2), ("B", 1), ("C", 1)]));
    assert!(!merged.conflicts.is_empty());
}

#[test]
fn nodes_below_a_change_of_an_instance_that_went() {
    let text = |nodes: &str| {
        format!(
            "[gd_scene format=2]\n\n[ext_resource path=\"res://a.tscn\" type=\"PackedScene\" id=1]\n\n\
             [node name=\"R\" type=\"Node\"]\n\n[node name=\"A\" parent=\".\" instance=ExtResource( 1 )]\n{nodes}"
        )
    };
    let change = "\n[node name=\"List\" parent=\"A/Box\" index=\"3\"]\n";
    let child = "\n[node name=\"New\" type=\"Node\" parent=\"A/Box/List\" index=\"0\"]\n";
    let [base, ours] =
        [text(change), text(&format!("{change}\n[node name=\"Z\" type=\"Node\" parent=\".\"]\n"))];
    // Godot 3 leaves out a change that says nothing, and theirs has a node below it.
    let theirs = text(child);
    for merged in [merged(&base, &ours, &theirs), merged(&base, &theirs, &ours)] {
        let text = String::from_utf8(merged.text).unwrap();
        assert_eq!(merged.conflicts, []);
        assert!(
            text.contains(child.trim_end()) && text.contains("\"Z\"") && !text.contains("\"List\""),
            "{text}"
        );
    }
}

#[test]
fn connections_stay_with_a_node_that_stays() {
    let text = |nodes: &str, connections: &str| {
        format!("[gd_scene format=3]\n\n[node name=\"R\" type=\"Node\"]\n\n{nodes}{connections}")
    };
    let node = "[node name=\"A\" type=\"Timer\" parent=\".\"]\n\n";
    let changed = "[node name=\"A\" type=\"Timer\" parent=\".\"]\nwait_time = 2.0\n\n";
    let connection = "[connection signal=\"timeout\" from=\"A\" to=\".\" method=\"queue_free\"]\n";
    let (base, ours, theirs) = (text(node, connection), text("", ""), text(changed, connection));
    for (ours, theirs, [of_ours, of_theirs]) in [
        (&ours, &theirs, [MergeSide::Ours, MergeSide::Theirs]),
        (&theirs, &ours, [MergeSide::Theirs, MergeSide::Ours]),
    ] {
        let merged = merged(&base, ours, theirs);
        assert_eq!(merged.conflicts.len(), 1);
        let settled = |side| String::from_utf8(resolve(&merged.text, side).text).unwrap();
        assert_eq!(settled(of_theirs).trim_end(), text(changed, connection).trim_end());
        assert_eq!(settled(of_ours).trim_end(), text("", "").trim_end());
    }
}

#[test]
fn resources_go_with_their_last_use() {
    let sub = |id: &str, value: u32| {
        format!("[sub_resource type=\"Curve\" id=\"{id}\"]\nx = {value}\n\n")
    };
    let node = |property: &str| format!("[node name=\"A\" type=\"Node\"]\n{property}");
    let base = format!("{HEAD}{}{}", sub("C_1", 1), node("c = SubResource(\"C_1\")\n"));
    let ours = format!("{base}d = 1\n");
    let theirs = format!("{HEAD}{}", node(""));
    check(&base, &ours, &theirs, &format!("{HEAD}{}", node("d = 1\n")));
    // Theirs uses another curve, ours changed the one that is gone: they cannot both be had.
    let ours = format!("{HEAD}{}{}", sub("C_1", 5), node("c = SubResource(\"C_1\")\n"));
    let theirs = format!(
        "{HEAD}{}{}",
        sub("C_2", 7).replace("x = ", "y = "),
        node("c = SubResource(\"C_2\")\n")
    );
    let merged = merged(&base, &ours, &theirs);
    assert!(!merged.conflicts.is_empty());
}

#[test]
fn line_ends_and_byte_order_mark() {
    let base = scene(&["A|a = 1", "B"]);
    let ours = format!("\u{feff}{}", scene(&["A|a = 2", "B"]).replace('\n', "\r\n"));
    let theirs = scene(&["A|a = 1", "B|b = 1"]);
    let expected = format!("\u{feff}{}", scene(&["A|a = 2", "B|b = 1"]).replace('\n', "\r\n"));
    check(&base, &ours, &theirs, &expected);
}

#[test]
fn files_that_both_added() {
    let ours = scene(&["A|a = 1", "B"]);
    let theirs = scene(&["A|a = 1", "C|x = 2"]);
    check("", &ours, &theirs, &scene(&["A|a = 1", "B", "C|x = 2"]));
}

#[test]
fn twins() {
    let base = scene(&["A"]);
    let ours = scene(&["A", "B|a = 1"]);
    let theirs =
        scene(&["A", "B|b = 2"]).replace("name=\"B\" type=\"Node2D\"", "name=\"B\" type=\"Timer\"");
    let merged = merged(&base, &ours, &theirs);
    let text = String::from_utf8(merged.text).unwrap();
    assert!(text.contains("name=\"B2\" type=\"Timer\""), "{text}");
    assert_eq!(merged.conflicts.len(), 1);
}

#[test]
fn broken_texts_are_refused() {
    let sound = scene(&["A"]);
    for broken in ["", "text", "[gd_scene format=3]\n<<<<<<< ours\n", "\u{fffd}"] {
        let changed = scene(&["A|a = 1"]);
        assert!(
            merge(sound.as_bytes(), changed.as_bytes(), broken.as_bytes()).is_err(),
            "{broken}"
        );
        assert!(
            merge(sound.as_bytes(), broken.as_bytes(), changed.as_bytes()).is_err(),
            "{broken}"
        );
    }
}

/// Which of two resources an id names would be another thing on each side.
#[test]
fn doubled_ids_are_refused() {
    let resource = |value: u8| format!("[sub_resource type=\"Curve\" id=\"A\"]\nx = {value}\n\n");
    let text = |resources: &str, ids: [&str; 2]| {
        let [one, other] = ids;
        format!(
            "[gd_resource type=\"Theme\" format=3]\n\n{resources}[resource]\na = SubResource(\"{one}\")\n\
             b = SubResource(\"{other}\")\n"
        )
    };
    let base = text(&(resource(1) + &resource(2)), ["A", "A"]);
    let ours = base.replace("[resource]\n", "[resource]\nc = 1\n");
    // As Godot saves it: `a` is another resource now.
    let renamed = resource(2).replace("\"A\"", "\"B\"");
    let theirs = text(&(resource(1) + &renamed), ["A", "B"]);
    let refusal = merge(base.as_bytes(), ours.as_bytes(), theirs.as_bytes()).unwrap_err();
    assert_eq!(refusal.to_string(), "line 6 in the text of base: another resource has the id `A`");
}
