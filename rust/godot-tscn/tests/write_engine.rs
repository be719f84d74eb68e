//! Values and a whole scene as the engine writes them.
//!
//! `FV_VALUES` and `FV_SCENE` name the files that godot_project/tools/write_values.gd and write_scene.gd have
//! written; scripts/test/scenes/formatter.sh sets them.

use std::{env, fs};

use godot_tscn::{Document, Draft, Expression, GodotVersion, TagKind};
use godot_variant::{Array, Value};
use testkit::hex::unhex;

#[test]
fn what_godot_4_writes_for_values() {
    let Some(path) = env::var_os("FV_VALUES") else {
        println!("SKIPPED: no FV_VALUES: scripts/test/scenes/formatter.sh sets it");
        return;
    };
    let (mut count, mut undecoded, mut wrong) = (0, 0, Vec::new());
    for line in fs::read_to_string(path).unwrap().lines() {
        let (bytes, text) = line.split_once('\t').unwrap();
        let Ok(value) = godot_variant_codec::decode(&unhex(bytes)) else {
            undecoded += 1;
            continue;
        };
        count += 1;
        let expected = String::from_utf8_lossy(&unhex(text)).into_owned();
        let ours = match godot_tscn::write_value(&value) {
            Ok(text) => String::from_utf8_lossy(&text).into_owned(),
            Err(error) => error.to_string(),
        };
        if ours != expected {
            wrong.push(format!("{expected}\n  ours: {ours}"));
        }
    }
    println!("{count} values of the engine compared");
    assert!(count >= 3000 && undecoded == 0, "{count} compared, {undecoded} not decoded");
    assert!(
        wrong.is_empty(),
        "{} of {count} wrong: {}",
        wrong.len(),
        wrong[..wrong.len().min(10)].join("\n")
    );
}

/// The ids that the engine drew for a scene.
struct Drawn<'d>(&'d Document<'d>);

impl Drawn<'_> {
    fn ext_resource(&self, path: &str) -> String {
        let sections = self.0.sections().filter(|section| section.kind() == TagKind::ExtResource);
        let found = sections
            .filter(|section| section.field_text("path").as_deref() == Some(path.as_bytes()))
            .find_map(|section| section.field_text("id"));
        String::from_utf8(found.expect("an id").into_owned()).unwrap()
    }

    fn node(&self, name: &str) -> i64 {
        let mut sections = self.0.sections().filter(|section| section.kind() == TagKind::Node);
        let found =
            sections.find(|section| section.field_text("name").as_deref() == Some(name.as_bytes()));
        found.and_then(|node| node.field("unique_id")?.int()).expect("a unique id")
    }
}

/// What godot_project/tools/write_scene.gd builds.
fn scene(drawn: &Drawn<'_>) -> Draft {
    let mut scene = Draft::scene();
    let (theme, inner) =
        (drawn.ext_resource("res://theme.tres"), drawn.ext_resource("res://inner.tscn"));
    scene.ext_resource("PackedScene", "res://inner.tscn", &inner);
    scene.ext_resource("Theme", "res://theme.tres", &theme);
    scene
        .sub_resource("Gradient", "Gradient_aaaaa")
        .property("offsets", Value::PackedFloat32Array(vec![0.0, 0.3, 1.0]))
        .property(
            "colors",
            Value::PackedColorArray(vec![
                [0.0, 0.0, 0.0, 1.0],
                [0.5, 0.25, 1e-5, 1.0],
                [1.0, 1.0, 1.0, 1.0],
            ]),
        );
    scene
        .sub_resource("GradientTexture1D", "GradientTexture1D_bbbbb")
        .property("gradient", Expression::SubResource("Gradient_aaaaa".into()))
        .property("width", 64);
    nodes(&mut scene, drawn, (theme, inner));
    scene.connection("resized", "Panel _1_", ".", "queue_redraw").field("flags", 3);
    scene
        .connection("pressed", "Panel _1_/Button", ".", "set_rotation")
        .field("binds", Value::from(Array::from_iter([Value::Float(0.5)])));
    scene.editable("Instance");
    scene
}

fn nodes(scene: &mut Draft, drawn: &Drawn<'_>, (theme, inner): (String, String)) {
    let mut node = |name: &str, fields: &[(&str, &str)], properties: Vec<(&str, Expression)>| {
        let section = scene.node(name).field("unique_id", drawn.node(name));
        for (field, value) in fields {
            match *field {
                "instance" => section.field(field, Expression::ExtResource((*value).into())),
                "groups" => section.field(
                    field,
                    Value::PackedStringArray(value.split(' ').map(Into::into).collect()),
                ),
                _ => section.field(field, *value),
            };
        }
        for (key, value) in properties {
            section.property(key, value);
        }
    };
    let list = [
        Value::Int(1),
        Value::Float(2.0),
        "a\nb".into(),
        Value::StringName("c".into()),
        godot_tscn::parse_value(b"NodePath(\"d/e:f\")").unwrap(),
        Value::Nil,
        Value::Bool(true),
    ];
    let inner_table = vec![(2.into(), Value::PackedInt32Array(vec![1, 2]).into())];
    let table = vec![
        ("z".into(), Value::Color([0.1, 0.2, 0.3, 1.0]).into()),
        ("a".into(), Expression::Dictionary(inner_table)),
    ];
    node(
        "Root",
        &[("type", "Node2D")],
        vec![
            ("position", Value::Vector2([-1.5, 0.1]).into()),
            ("metadata/list", Value::from(Array::from_iter(list)).into()),
            ("metadata/table", Expression::Dictionary(table)),
        ],
    );
    node(
        "Sprite",
        &[("type", "Sprite2D"), ("parent", ".")],
        vec![
            ("texture", Expression::SubResource("GradientTexture1D_bbbbb".into())),
            ("region_rect", Value::Rect2([0.0, 1.0, 2.5, 1e20]).into()),
        ],
    );
    node(
        "Panel _1_",
        &[("type", "Panel"), ("parent", "."), ("groups", "b a")],
        vec![("theme", Expression::ExtResource(theme.into()))],
    );
    node(
        "Button",
        &[("type", "Button"), ("parent", "Panel _1_")],
        vec![("layout_mode", 0.into()), ("text", "Say \"hi\" \\ bye".into())],
    );
    node("Instance", &[("parent", "."), ("instance", &inner)], Vec::new());
    node("Child", &[("parent", "Instance"), ("index", "0")], vec![("visible", false.into())]);
}

#[test]
fn what_godot_4_saves_for_a_scene() {
    let (Some(path), Some(version)) = (env::var_os("FV_SCENE"), env::var_os("FV_VERSION_4")) else {
        println!("SKIPPED: no FV_SCENE: scripts/test/scenes/formatter.sh sets it");
        return;
    };
    let version: GodotVersion = version.to_str().unwrap().parse().unwrap();
    let saved = fs::read(path).unwrap();
    let document = godot_tscn::parse(&saved);
    let ours = godot_tscn::write(&scene(&Drawn(&document)), version).unwrap();
    assert_eq!(String::from_utf8_lossy(&ours), String::from_utf8_lossy(&saved));
    println!("{} bytes of a scene of the engine compared", saved.len());
}
