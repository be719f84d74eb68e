use godot_variant::{Array, ContainerType, Dictionary, Object, Value, VariantType};

use super::{Draft, Expression, WriteError, write, write_value};
use crate::godot_version::GodotVersion;

fn text(draft: &Draft, version: GodotVersion) -> String {
    String::from_utf8(write(draft, version).unwrap()).unwrap()
}

/// A tree with everything in the wrong order, where there is a right one.
fn scene() -> Draft {
    let mut scene = Draft::scene();
    scene.header_mut().field("uid", "uid://abc");
    scene.node("Root \"1\"").field("type", "Node2D").property("metadata/a b", true);
    scene
        .node("Child")
        .field("instance", Expression::ExtResource("2_b".into()))
        .field("groups", Value::PackedStringArray(vec!["z".into(), "a'b".into()]))
        .field("index", 0)
        .field("unique_id", 7)
        .field("parent", ".")
        .property(
            "table",
            Expression::Dictionary(vec![
                ("b".into(), Expression::SubResource("Curve_a".into())),
                (
                    "a".into(),
                    Expression::Array(vec![1.into(), Expression::ExtResource("10_a".into())]),
                ),
            ]),
        );
    scene.editable("Child");
    scene
        .connection("s", "Child", ".", "_m")
        .field("binds", Value::from(Array::from_iter([Value::Int(1)])));
    scene.sub_resource("Curve", "Curve_a").property("min_value", -1.0);
    scene.ext_resource("Script", "res://a.gd", "10_a");
    scene.ext_resource("PackedScene", "res://b.tscn", "2_b");
    scene
}

#[test]
fn scenes() {
    let expected = "\
[gd_scene format=3 uid=\"uid://abc\"]

[ext_resource type=\"PackedScene\" path=\"res://b.tscn\" id=\"2_b\"]
[ext_resource type=\"Script\" path=\"res://a.gd\" id=\"10_a\"]

[sub_resource type=\"Curve\" id=\"Curve_a\"]
min_value = -1.0

[node name=\"Root \\\"1\\\"\" type=\"Node2D\"]
\"metadata/a b\" = true

[node name=\"Child\" parent=\".\" index=\"0\" unique_id=7 groups=[\"a\\'b\", \"z\"] instance=ExtResource(\"2_b\")]
table = {
\"a\": [1, ExtResource(\"10_a\")],
\"b\": SubResource(\"Curve_a\")
}

[connection signal=\"s\" from=\"Child\" to=\".\" method=\"_m\" binds= [1]]

[editable path=\"Child\"]
";
    assert_eq!(text(&scene(), GodotVersion::NEWEST), expected);
    let older = expected.replacen("format", "load_steps=4 format", 1);
    assert_eq!(text(&scene(), GodotVersion::godot4(2)), older);
}

#[test]
fn resources() {
    let mut resource = Draft::resource("Resource");
    resource.header_mut().field("script_class", "Table");
    resource.add("resource").property("bytes", Value::PackedByteArray(vec![1, 2, 3]));
    let expected = "[gd_resource type=\"Resource\" script_class=\"Table\" format=3]\n\n[resource]\n\
                    bytes = PackedByteArray(1, 2, 3)\n";
    assert_eq!(text(&resource, GodotVersion::NEWEST), expected);
    // More than 64 bytes, or a `PackedVector4Array`, need `format=4`, and then all bytes are base64.
    resource.section(0).property("v", Value::PackedVector4Array(Vec::new()));
    resource.section(0).property("low", f64::NEG_INFINITY);
    let expected = expected.replace("format=3", "format=4").replace("1, 2, 3", "\"AQID\"")
        + "v = PackedVector4Array()\nlow = -inf\n";
    assert_eq!(text(&resource, GodotVersion::NEWEST), expected);
    let old = GodotVersion::godot4(2);
    assert_eq!(write(&resource, old), Err(WriteError::Version(old)));
}

#[test]
fn values() {
    let dictionary = Dictionary::from_iter([
        (Value::Float(1.5), Value::Nil),
        (Value::Int(3), Value::Nil),
        (Value::StringName("a".into()), Value::from("\n\"")),
    ]);
    let typed = Array {
        element_type: ContainerType::Builtin(VariantType::Int),
        elements: vec![Value::Int(1)],
    };
    let object = Object::Full {
        class: "RefCounted".into(),
        properties: vec![("script".into(), Value::Nil)],
    };
    for (value, expected) in [
        (Value::from(dictionary), "{\n3: null,\n1.5: null,\n&\"a\": \"\n\\\"\"\n}"),
        (Value::from(typed), "Array[int]([1])"),
        (Value::Float(f64::NEG_INFINITY), "inf_neg"),
        (Value::Object(Box::new(object)), "Object(RefCounted,\"script\":null)\n"),
        (Value::Object(Box::new(Object::Null)), "null"),
        (Value::StringName("a'\t".into()), "&\"a\\'\\t\""),
    ] {
        assert_eq!(String::from_utf8(write_value(&value).unwrap()).unwrap(), expected);
    }
}

#[test]
fn what_is_not_written() {
    let mut deep = Value::Nil;
    for _ in 0..200 {
        deep = Value::from(Array::from_iter([deep]));
    }
    assert_eq!(write_value(&deep), Err(WriteError::TooDeep));
    assert_eq!(write_value(&Value::from("a\0b")), Err(WriteError::Nul));
    let godot3 = GodotVersion::LAST_3;
    assert_eq!(write(&Draft::scene(), godot3), Err(WriteError::Version(godot3)));
    let mut scene = Draft::scene();
    scene.node("A");
    scene.add("no tag");
    assert!(matches!(write(&scene, GodotVersion::NEWEST), Err(WriteError::Refused(_))));
    let mut scene = Draft::scene();
    scene.node("A").property("a", Expression::SubResource("a\"b".into()));
    assert!(write(&scene, GodotVersion::NEWEST).is_err());
}
