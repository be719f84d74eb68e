//! Conflicts about names, parents, orders, and of things that have no metadata.

use super::{Resolved, resolve, resolve_by, unresolved};
use crate::merge::{MergeSide, merge};

const HEAD: &str = "[gd_scene format=3]\n\n";

/// Merges, checks that there is one conflict with this description, and that ours is in place.
#[track_caller]
fn conflict(texts: [&str; 3], described: &str) -> Vec<u8> {
    let [base, ours, theirs] = texts.map(str::as_bytes);
    let merged = merge(base, ours, theirs).unwrap();
    let told: Vec<String> =
        unresolved(&merged.text).iter().map(|it| format!("{}: {}", it.place, it.what)).collect();
    assert_eq!(told, [described], "{}", String::from_utf8_lossy(&merged.text));
    assert_eq!(text_of(&resolve(&merged.text, MergeSide::Ours)), texts[1]);
    merged.text
}

#[track_caller]
fn text_of(resolved: &Resolved) -> String {
    assert_eq!(resolved.left, []);
    String::from_utf8(resolved.text.clone()).unwrap()
}

fn scene(nodes: &str) -> String {
    let mut text = HEAD.to_owned();
    for (index, line) in nodes.split(' ').enumerate() {
        let (path, id) = line.split_once('#').unwrap();
        let (parent, name) = path.rsplit_once('/').unwrap_or((".", path));
        let parent = if index == 0 { String::new() } else { format!(" parent=\"{parent}\"") };
        let blank = if index == 0 { "" } else { "\n" };
        text += &format!("{blank}[node name=\"{name}\" type=\"Node\"{parent} unique_id={id}]\n");
    }
    text
}

#[test]
fn names() {
    let with = |name: &str| {
        let scene = scene(&format!("A#1 {name}#2 {name}/C#3 D#4"));
        format!(
            "{scene}p = NodePath(\"../{name}/C\")\n\n[connection signal=\"ready\" from=\"{name}\" to=\".\" method=\"m\"]\n"
        )
    };
    let texts = ["B", "X", "Y"].map(with);
    let merged = conflict([&texts[0], &texts[1], &texts[2]], "node \"X\": field name");
    assert_eq!(text_of(&resolve(&merged, MergeSide::Theirs)), texts[2]);
    assert_eq!(text_of(&resolve(&merged, MergeSide::Base)), texts[0]);
    // The name is taken.
    let taken = String::from_utf8(merged).unwrap().replace("\"D\"", "\"Y\"");
    let resolved = resolve(taken.as_bytes(), MergeSide::Theirs);
    assert_eq!((resolved.settled, resolved.left.len()), (0, 1));
    assert_eq!(String::from_utf8(resolved.text).unwrap(), taken);
}

/// Each side gave another node the name.
#[test]
fn one_name_for_two_nodes() {
    for (ours, theirs) in [("A#1 N#2 C#3", "A#1 B#2 N#3"), ("A#1 B#2 N#3", "A#1 N#2 C#3")] {
        let texts = [scene("A#1 B#2 C#3"), scene(ours), scene(theirs)];
        let [base, ours, theirs] = texts.each_ref().map(String::as_bytes);
        let merged = merge(base, ours, theirs).unwrap().text;
        assert_eq!(unresolved(&merged).len(), 2, "{}", String::from_utf8_lossy(&merged));
        assert_eq!(text_of(&resolve(&merged, MergeSide::Ours)), texts[1]);
        assert_eq!(text_of(&resolve(&merged, MergeSide::Theirs)), texts[2]);
    }
    // A new node of ours has the name that theirs gives to an old one.
    let texts = [scene("A#1 B#2"), scene("A#1 B#2 N#3"), scene("A#1 N#2")];
    conflict(texts.each_ref().map(String::as_str), "node \"B\": field name");
}

#[test]
fn parents() {
    let base = scene("A#1 B#2 C#3 D#4 D/E#5");
    let ours = scene("A#1 C#3 C/B#2 D#4 D/E#5");
    let theirs = scene("A#1 C#3 D#4 D/E#5 D/E/B#2");
    let merged = conflict([&base, &ours, &theirs], "node \"C/B\": field parent");
    assert_eq!(text_of(&resolve(&merged, MergeSide::Theirs)), theirs);
    let base = text_of(&resolve(&merged, MergeSide::Base));
    assert!(base.contains("name=\"B\" type=\"Node\" parent=\".\""), "{base}");
    // It cannot be put below itself.
    let inside = String::from_utf8(merged).unwrap().replace("\"D/E\"", "\"C/B\"");
    let resolved = resolve(inside.as_bytes(), MergeSide::Theirs);
    assert_eq!((resolved.settled, resolved.left.len()), (0, 1));
}

#[test]
fn orders() {
    let base = scene("A#1 B#2 C#3 D#4 D/E#5");
    let ours = scene("A#1 D#4 D/E#5 B#2 C#3");
    let theirs = scene("A#1 C#3 B#2 D#4 D/E#5");
    let merged = conflict([&base, &ours, &theirs], "node \".\": the order of its children");
    assert_eq!(text_of(&resolve(&merged, MergeSide::Theirs)), theirs);
    assert_eq!(text_of(&resolve(&merged, MergeSide::Base)), base);
}

#[test]
fn connections() {
    let scene = scene("A#1 B#2");
    let with = |flags: &str| {
        format!("{scene}\n[connection signal=\"ready\" from=\"B\" to=\".\" method=\"m\"{flags}]\n")
    };
    let texts = ["", " flags=3", " flags=7"].map(with);
    let merged = conflict(
        [&texts[0], &texts[1], &texts[2]],
        "connection ready of \"B\" to m of \".\": field flags",
    );
    assert_eq!(text_of(&resolve(&merged, MergeSide::Theirs)), texts[2]);
    assert_eq!(text_of(&resolve(&merged, MergeSide::Base)), texts[0]);
    assert_eq!(unresolved(&merged)[0].ours.as_deref(), Some("3"));
}

#[test]
fn connections_of_a_node_with_another_name() {
    let with = |name: &str, flags: &str| {
        let scene = scene(&format!("A#1 {name}#2"));
        format!(
            "{scene}\n[connection signal=\"ready\" from=\"{name}\" to=\".\" method=\"m\"{flags}]\n"
        )
    };
    let texts = [with("B", ""), with("X", " flags=3"), with("Y", " flags=7")];
    let [base, ours, theirs] = texts.each_ref().map(String::as_bytes);
    let merged = merge(base, ours, theirs).unwrap();
    for (side, text) in [(MergeSide::Theirs, &texts[2]), (MergeSide::Base, &texts[0])] {
        assert_eq!(&text_of(&resolve(&merged.text, side)), text);
    }
    // One after the other, in both orders.
    for first in [1, 2] {
        let settled = resolve_by(&merged.text, |conflict| {
            (conflict.number == first).then_some(MergeSide::Theirs)
        });
        assert_eq!((settled.settled, settled.left.len(), settled.left[0].number), (1, 1, 1));
        assert_eq!(settled.left, unresolved(&settled.text));
        assert_eq!(text_of(&resolve(&settled.text, MergeSide::Theirs)), texts[2]);
    }
}

#[test]
fn records_that_do_not_say_what_they_are_about() {
    let text = scene("A#1");
    let text =
        format!("{text}metadata/_gdscene_conflicts = [{{\n\"base\": 1,\n\"theirs\": 2\n}}]\n");
    assert_eq!(unresolved(text.as_bytes())[0].sides, [MergeSide::Ours]);
    let resolved = resolve(text.as_bytes(), MergeSide::Theirs);
    assert_eq!((resolved.settled, resolved.text.as_slice()), (0, text.as_bytes()));
}
