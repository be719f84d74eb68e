use super::*;
use crate::GodotVersion;

const SCENE: &str = "; top\n[gd_scene format=3]\n\n[ext_resource type=\"A\" path=\"res://a\" id=\"1\"]\n\
    [ext_resource type=\"B\" path=\"res://b\" id=\"2\"]\n\n; root\n[node name=\"A\" type=\"Node\"] ; tag\n\
    ; about x\nx = 1 ; one\ny = {\n\"a\": 1\n}\n\n[node name=\"B\" parent=\".\" instance=ExtResource(\"1\")]\n\n\
    [connection signal=\"s\" from=\".\" to=\"B\" method=\"m\"]\n[connection signal=\"t\" from=\".\" to=\"B\" method=\"m\"]\n; end\n";

fn scene() -> (DocumentMut, Vec<SectionId>) {
    let document = DocumentMut::new(SCENE.as_bytes()).unwrap();
    let sections = document.sections().collect();
    (document, sections)
}

#[track_caller]
fn check(document: &DocumentMut, old: &str, new: &str) {
    assert!(old.is_empty() || SCENE.matches(old).count() == 1, "{old}");
    let text = String::from_utf8(document.to_bytes()).unwrap();
    assert_eq!(text, SCENE.replace(old, new));
}

#[test]
fn nothing_changes_by_itself() {
    let (document, _) = scene();
    assert_eq!(document.to_bytes(), SCENE.as_bytes());
    for text in ["[gd_scene]", "[gd_scene format=3]\r\n\r\n[node name=\"A\"]\r\nx=1 y=2"] {
        let document = DocumentMut::new(text.as_bytes()).unwrap();
        assert_eq!(document.to_bytes(), text.as_bytes());
    }
}

#[test]
fn properties() {
    let (mut document, sections) = scene();
    let root = sections[3];
    assert_eq!(document.property(root, "x"), Some(&b"1"[..]));
    document.set_property(root, "x", "2", 0);
    check(&document, "x = 1", "x = 2");
    document.set_property(root, "x", "1", 0);
    document.set_property(root, "a b", "3", 1);
    check(&document, "y = ", "\"a b\" = 3\ny = ");
    assert!(document.remove_property(root, "a b"));
    assert!(!document.remove_property(root, "a b"));
    check(&document, "", "");
    document.remove_property(root, "x");
    check(&document, "; about x\nx = 1 ; one\n", "");
    document.set_property(sections[4], "z", "1", 0);
    assert!(
        document.to_bytes().windows(30).any(|text| text == b"ExtResource(\"1\")]\nz = 1\n\n[conn")
    );
}

#[test]
fn fields_come_in_godots_order() {
    let (mut document, sections) = scene();
    document.set_field(sections[4], "unique_id", "5");
    document.set_field(sections[4], "index", "\"0\"");
    check(&document, "parent=\".\" inst", "parent=\".\" index=\"0\" unique_id=5 inst");
    document.remove_field(sections[4], "index");
    document.remove_field(sections[4], "unique_id");
    document.set_field(sections[4], "name", "\"C\"");
    check(&document, "name=\"B\"", "name=\"C\"");
    assert_eq!(document.field_text(sections[4], "name").unwrap().as_ref(), b"C");
}

#[test]
fn sections_come_and_go() {
    let (mut document, sections) = scene();
    let insert = |document: &mut DocumentMut, tag, behind: usize| {
        document.insert(tag, Some(sections[behind]))
    };
    let ext = insert(&mut document, "ext_resource", 0);
    check(&document, "[ext_resource type=\"A\"", "[ext_resource]\n[ext_resource type=\"A\"");
    document.remove(ext);
    let ext = insert(&mut document, "ext_resource", 1);
    let connection = insert(&mut document, "connection", 4);
    let text = String::from_utf8(document.to_bytes()).unwrap();
    assert!(text.contains("id=\"1\"]\n[ext_resource]\n[ext_resource type=\"B\""), "{text}");
    assert!(text.contains("(\"1\")]\n\n[connection]\n[connection signal=\"s\""), "{text}");
    document.remove(ext);
    document.remove(connection);
    check(&document, "", "");

    document.remove(sections[5]);
    check(&document, "[connection signal=\"s\" from=\".\" to=\"B\" method=\"m\"]\n", "");
    document.place(sections[3], Some(sections[4]));
    let text = String::from_utf8(document.to_bytes()).unwrap();
    assert!(text.contains("id=\"2\"]\n\n[node name=\"B\""), "{text}");
    assert!(text.contains("(\"1\")]\n\n; root\n[node name=\"A\""), "{text}");
    assert!(text.contains("1\n}\n\n[connection signal=\"t\""), "{text}");
}

#[test]
fn a_text_without_an_end_of_its_last_line() {
    let text = "[gd_scene format=3]\n\n[node name=\"A\"]\nx = 1";
    let mut document = DocumentMut::new(text.as_bytes()).unwrap();
    let root = document.sections().nth(1).unwrap();
    document.set_property(root, "y", "2", 9);
    assert_eq!(document.to_bytes(), format!("{text}\ny = 2\n").as_bytes());
    document.remove_property(root, "y");
    document.insert("node", Some(root));
    assert_eq!(document.to_bytes(), format!("{text}\n\n[node]\n").as_bytes());
}

#[test]
fn what_godot_refuses_is_not_editable() {
    for text in ["", "x", "[gd_scene format=3]\n[node name=\"A\"]\nx = Vector2(\n", "[node"] {
        DocumentMut::new(text.as_bytes()).unwrap_err();
    }
    let text = "[gd_scene format=3]\n\n[node name=\"A\" type=\"Node\"]\nx = ExtResource(\"1\")\n";
    let error = DocumentMut::new(text.as_bytes()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "repair line 4 first: `ext_resource` with the id `1` not found; add it or correct the id (REF001)"
    );
}

#[test]
fn values() {
    let canonical = |text: &str| {
        canonical_value(text.as_bytes(), GodotVersion::NEWEST)
            .map(|value| String::from_utf8(value).unwrap())
            .map_err(|error| error.to_string())
    };
    assert_eq!(canonical("[ ExtResource(\"1_a\"),2 ]").unwrap(), "[ExtResource(\"1_a\"), 2]");
    assert_eq!(canonical("{\"b\":1,\"a\":[]}").unwrap(), "{\n\"a\": [],\n\"b\": 1\n}");
    assert_eq!(canonical("1 ; x").unwrap(), "1");
    assert_eq!(canonical("Array[int]([1,2])").unwrap(), "Array[int]([1, 2])");
    for text in ["", "1 2", "1\n[node]", "[", "Vector2(1)", "\"a"] {
        assert!(canonical(text).is_err(), "{text}");
    }
}
