//! Text scenes.

use std::fmt::Write;
use std::hint::black_box;

use godot_tscn::{FixOptions, FormatOptions, LintOptions, SafetyOptions};

use super::{Path, measured};

const NAME: &str = "res://level.tscn";
/// As most scenes are.
const TYPICAL: usize = 60;
const BIG: usize = 3000;

pub(super) fn paths() -> Vec<Path> {
    vec![
        Path::new("tscn: parse a typical scene", || {
            let text = scene(TYPICAL);
            let document = measured(|| godot_tscn::parse(black_box(&text)));
            assert!(document.sections().count() > TYPICAL);
            text.len()
        }),
        Path::new("tscn: lint a typical scene", || lint(&scene(TYPICAL))),
        Path::new("tscn: lint a big scene", || lint(&scene(BIG))),
        Path::new("tscn: format a scene that is formatted", || format(&scene(TYPICAL))),
        Path::new("tscn: format an edited scene", || format(&edited(&scene(TYPICAL)))),
        Path::new("tscn: fix a typical scene", fix),
        Path::new("tscn: judge whether a scene is harmless", judge),
        Path::new("tscn: merge a typical scene", merge),
        Path::new("tscn: compare two typical scenes", compare),
    ]
}

fn lint(text: &[u8]) -> usize {
    let report = measured(|| godot_tscn::lint(black_box(text), &LintOptions::for_path(NAME)));
    assert!(
        report.diagnostics.iter().any(|found| found.code == "REF007"),
        "{:?}",
        report.diagnostics
    );
    text.len()
}

fn format(text: &[u8]) -> usize {
    let formatted =
        measured(|| godot_tscn::format(black_box(text), &FormatOptions::for_path(NAME)));
    assert!(formatted.is_ok());
    text.len()
}

fn fix() -> usize {
    let text = scene(TYPICAL);
    let fixed = measured(|| godot_tscn::fix(black_box(&text), &FixOptions::for_path(NAME)));
    assert!(fixed.is_some_and(|fixed| fixed.text != text));
    text.len()
}

fn judge() -> usize {
    // Scripts are what no untrusted file may bring.
    let text = String::from_utf8(scene(TYPICAL)).expect("it is UTF-8");
    let text = text.replace("script = ExtResource(\"1_script\")\n", "");
    let safety =
        measured(|| godot_tscn::safety(black_box(text.as_bytes()), &SafetyOptions::for_path(NAME)));
    black_box(safety);
    text.len()
}

fn merge() -> usize {
    let base = scene(TYPICAL);
    let [ours, theirs] = sides(&base);
    let merged =
        measured(|| godot_tscn::merge(black_box(&base), &ours, &theirs)).expect("all can be read");
    assert!(merged.conflicts.is_empty() && merged.text != ours && merged.text != theirs);
    base.len()
}

fn compare() -> usize {
    let [ours, theirs] = sides(&scene(TYPICAL));
    let diff = measured(|| godot_tscn::diff(black_box(&ours), &theirs));
    assert!(diff.is_ok());
    ours.len()
}

/// What two people made of the scene: one moved nodes, the other one changed what they hold.
fn sides(base: &[u8]) -> [Vec<u8>; 2] {
    let base = String::from_utf8(base.to_vec()).expect("it is UTF-8");
    let ours = base.replace("position = Vector2(4, ", "position = Vector2(5, ");
    [ours, base.replace("metadata/tags = [\"a\"]", "metadata/tags = [\"a\", \"b\"]")]
        .map(String::into_bytes)
}

/// The text with more spaces in some lines than Godot writes.
fn edited(text: &[u8]) -> Vec<u8> {
    let text = String::from_utf8(text.to_vec()).expect("it is UTF-8");
    text.replace("position = Vector2(4, ", "position   =   Vector2( 4,").into_bytes()
}

/// A scene as Godot saves it, of so many nodes: sprites with textures of an atlas, bodies with shapes, labels and timers; a
/// script, connections, an animation, and a resource that nothing uses.
fn scene(nodes: usize) -> Vec<u8> {
    let mut text = "[gd_scene format=3 uid=\"uid://c4cp0al3ljsjv\"]\n\n\
        [ext_resource type=\"Script\" path=\"res://level.gd\" id=\"1_script\"]\n\
        [ext_resource type=\"Texture2D\" uid=\"uid://dwmg5j3kuimd3\" path=\"res://atlas.png\" id=\"2_atlas\"]\n\
        [ext_resource type=\"Texture2D\" uid=\"uid://bp3y8wlmlh2a0\" path=\"res://unused.png\" id=\"3_old\"]\n\n"
        .to_owned();
    for shape in 0..nodes.div_ceil(10) {
        let _ = write!(
            text,
            "[sub_resource type=\"RectangleShape2D\" id=\"RectangleShape2D_{shape}\"]\nsize = Vector2({shape}, 16)\n\n"
        );
    }
    text += "[sub_resource type=\"Animation\" id=\"Animation_run\"]\nlength = 0.5\ntracks/0/type = \"value\"\n\
        tracks/0/imported = false\ntracks/0/enabled = true\ntracks/0/path = NodePath(\"Sprite0:frame\")\n\
        tracks/0/interp = 1\ntracks/0/loop_wrap = true\ntracks/0/keys = {\n\"times\": PackedFloat32Array(0, 0.25),\n\
        \"transitions\": PackedFloat32Array(1, 1),\n\"update\": 1,\n\"values\": [0, 1]\n}\n\n\
        [sub_resource type=\"AnimationLibrary\" id=\"AnimationLibrary_all\"]\n_data = {\n\
        &\"run\": SubResource(\"Animation_run\")\n}\n\n\
        [node name=\"Level\" type=\"Node2D\"]\nscript = ExtResource(\"1_script\")\n\n\
        [node name=\"Player\" type=\"AnimationPlayer\" parent=\".\"]\nlibraries = {\n\
        &\"\": SubResource(\"AnimationLibrary_all\")\n}\n\n";
    for number in 0..nodes {
        node(&mut text, number);
    }
    for number in (0..nodes).filter(|number| number % 4 == 3) {
        let _ = writeln!(
            text,
            "[connection signal=\"timeout\" from=\"Timer{number}\" to=\".\" method=\"_on_timer_timeout\"]"
        );
    }
    text.into_bytes()
}

fn node(text: &mut String, number: usize) {
    let (column, row) = (number % 16, number / 16);
    let _ = match number % 4 {
        0 => write!(
            text,
            "[node name=\"Sprite{number}\" type=\"Sprite2D\" parent=\".\"]\nposition = Vector2({column}, {row}.5)\n\
             texture = ExtResource(\"2_atlas\")\nhframes = 4\nvframes = 4\nframe = {column}\n\n"
        ),
        1 => write!(
            text,
            "[node name=\"Body{number}\" type=\"StaticBody2D\" parent=\".\"]\nposition = Vector2({column}, {row})\n\
             metadata/tags = [\"a\"]\n\n[node name=\"Shape\" type=\"CollisionShape2D\" parent=\"Body{number}\"]\n\
             shape = SubResource(\"RectangleShape2D_{}\")\n\n",
            number / 10
        ),
        2 => write!(
            text,
            "[node name=\"Label{number}\" type=\"Label\" parent=\".\"]\noffset_right = 40.0\noffset_bottom = 23.0\n\
             text = \"Line {number}, with a \\\"quote\\\"\"\n\n"
        ),
        _ => write!(
            text,
            "[node name=\"Timer{number}\" type=\"Timer\" parent=\".\"]\nwait_time = 0.{column}1\nautostart = true\n\n"
        ),
    };
}
