//! The contents of conflicts, and ways to settle them.

use crate::{MergeSide, Settlement, Unresolved, UnresolvedKind, merge, merge_config};

const ALL: [MergeSide; 3] = [MergeSide::Base, MergeSide::Ours, MergeSide::Theirs];

fn merged(texts: [&str; 3]) -> String {
    let [base, ours, theirs] = texts.map(str::as_bytes);
    String::from_utf8(merge(base, ours, theirs).unwrap().text).unwrap()
}

/// The one conflict of a text.
fn conflict(text: &str) -> Unresolved {
    let mut found = crate::unresolved(text.as_bytes());
    assert_eq!(found.len(), 1, "{text}");
    found.remove(0)
}

/// The texts at the places of a conflict's values.
fn at_spans(conflict: &Unresolved, text: &str) -> [Option<String>; 3] {
    let at = |span: crate::Span| String::from_utf8_lossy(span.of(text.as_bytes())).into_owned();
    conflict.spans.map(|span| span.map(at))
}

fn scene(body: &str) -> String {
    format!("[gd_scene format=3]\n\n[node name=\"Main\" type=\"Node2D\"]\n\n{body}")
}

#[test]
fn property_of_a_node() {
    let text = |x: u32| {
        scene(&format!(
            "[node name=\"Arm\" type=\"Node2D\" parent=\".\"]\n\n\
             [node name=\"Hand\" type=\"Node2D\" parent=\"Arm\"]\nposition = Vector2({x}, 0)\n"
        ))
    };
    let [base, ours, theirs] = [1, 2, 3].map(text);
    let text = merged([&base, &ours, &theirs]);
    let found = conflict(&text);
    assert_eq!(found.kind, UnresolvedKind::Property("position".to_owned()));
    assert_eq!(found.node_path.as_deref(), Some("Arm/Hand"));
    assert_eq!(found.sub_resource, None);
    assert_eq!(found.sides, ALL);
    let values = [found.base.clone(), found.ours.clone(), found.theirs.clone()];
    assert_eq!(values, [1, 2, 3].map(|x| Some(format!("Vector2({x}, 0)"))));
    assert_eq!(at_spans(&found, &text), values);
}

#[test]
fn property_of_a_sub_resource() {
    let text = |radius: u32| {
        format!(
            "[gd_scene format=3]\n\n[sub_resource type=\"CircleShape2D\" id=\"Circle\"]\nradius = {radius}.0\n\n\
             [node name=\"Main\" type=\"CollisionShape2D\"]\nshape = SubResource(\"Circle\")\n"
        )
    };
    let [base, ours, theirs] = [1, 2, 3].map(text);
    let found = conflict(&merged([&base, &ours, &theirs]));
    assert_eq!((found.node_path, found.sub_resource.as_deref()), (None, Some("Circle")));
}

#[test]
fn parent_of_a_node() {
    let text = |parent: &str| {
        scene(&format!(
            "[node name=\"A\" type=\"Node2D\" parent=\".\"]\n\n[node name=\"B\" type=\"Node2D\" parent=\".\"]\n\n\
             [node name=\"C\" type=\"Node2D\" parent=\"{parent}\" unique_id=7]\n"
        ))
    };
    let [base, ours, theirs] = [".", "A", "B"].map(text);
    let text = merged([&base, &ours, &theirs]);
    let found = conflict(&text);
    assert_eq!(found.kind, UnresolvedKind::Field("parent".to_owned()));
    assert_eq!(found.sides, ALL);
    assert_eq!(
        [found.base, found.ours, found.theirs],
        [".", "A", "B"].map(|path| Some(format!("\"{path}\"")))
    );
    let taken = Settlement::Take(MergeSide::Theirs);
    let settled = crate::settle(text.as_bytes(), |_| Some(taken));
    assert_eq!((settled.settled, settled.left.len()), (1, 0));
    assert_eq!(String::from_utf8(settled.text).unwrap(), theirs);
    // As the user made it.
    let moved = text.replace("parent=\"A\"", "parent=\"B\"");
    let settled = crate::settle(moved.as_bytes(), |_| Some(Settlement::AsItStands));
    assert_eq!((settled.settled, settled.left.len()), (1, 0));
    assert_eq!(
        String::from_utf8(settled.text).unwrap(),
        ours.replace("parent=\"A\"", "parent=\"B\"")
    );
}

#[test]
fn settings() {
    let text = |name: &str| {
        format!(
            "config_version=5\n\n[application]\n\nconfig/name=\"{name}\"\nconfig/tags=PackedStringArray()\n"
        )
    };
    let [base, ours, theirs] = ["a", "b", "c"].map(text);
    let [one, two, three] = [&base, &ours, &theirs].map(String::as_bytes);
    let text =
        String::from_utf8(merge_config("project.godot", one, two, three).unwrap().text).unwrap();
    let found = conflict(&text);
    assert_eq!(found.kind, UnresolvedKind::Setting);
    assert_eq!(found.sides, ALL);
    assert_eq!(
        at_spans(&found, &text),
        ["\"a\"", "\"b\"", "\"c\""].map(|value| Some(value.to_owned()))
    );
    let settled = crate::settle(text.as_bytes(), |_| Some(Settlement::AsItStands));
    assert_eq!(String::from_utf8(settled.text).unwrap(), ours);
}
