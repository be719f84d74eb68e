//! Projects that try to take all memory or time.

use crate::node_change::test_files::Files;
use crate::rename_node;

#[test]
fn scenes_that_instance_each_other_in_a_circle() {
    let scene = |inner: &str, name: &str| {
        format!(
            "[gd_scene format=3]\n\n[ext_resource type=\"PackedScene\" path=\"res://{inner}.tscn\" id=\"1\"]\n\n\
             [node name=\"{name}\" type=\"Node\"]\n\n[node name=\"{name}Inner\" parent=\".\" instance=ExtResource(\"1\")]\n\n\
             [node name=\"Kid\" type=\"Node\" parent=\".\"]\n"
        )
    };
    let (a, b, c) = (scene("b", "A"), scene("c", "B"), scene("a", "C"));
    let files = Files::new(&[("a.tscn", &a), ("b.tscn", &b), ("c.tscn", &c)]);
    let refusal =
        files.with(|project| rename_node(project, "res://a.tscn", "Kid", "Child")).unwrap_err();
    assert_eq!(
        refusal.to_string(),
        "`res://a.tscn` is instanced at more than 100000 places, or by scenes that instance each other in a cycle"
    );
}

#[test]
fn a_deep_tree_takes_no_more_time_than_its_text() {
    let depth = 1500;
    let mut scene = "[gd_scene format=3]\n\n[node name=\"Root\" type=\"Node\"]\n".to_owned();
    let mut parent = ".".to_owned();
    for _ in 0..depth {
        scene += &format!("\n[node name=\"D\" type=\"Node\" parent=\"{parent}\"]\n");
        parent = if parent == "." { "D".to_owned() } else { format!("{parent}/D") };
    }
    let files = Files::new(&[("deep.tscn", &scene)]);
    let plan = files.with(|project| rename_node(project, "res://deep.tscn", "D", "E")).unwrap();
    assert_eq!(plan.places.len(), depth);
}
