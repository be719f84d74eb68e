//! Names in settings, scenes and scripts.

use godot_project::names::KindOfName;
use godot_project::{CachePlace, Plan, Project};

use crate::{RefactorError, rename_name};

const SETTINGS: &str = "config_version=5\n\n[application]\n\nconfig/features=PackedStringArray(\"4.6\")\n\n[global_group]\n\n\
    enemies=\"all of them\"\n\n[input]\n\njump={\n\"deadzone\": 0.5,\n\"events\": []\n}\n";

/// The plan, and the texts of the changed files after it.
fn plan(
    files: &[(&str, &str)],
    kind: KindOfName,
    old: &str,
    new: &str,
) -> Result<(Plan, String), RefactorError> {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in [("project.godot", SETTINGS)].iter().chain(files) {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    let project = Project::open_with_cache(folder.path(), &CachePlace::None).unwrap();
    let plan = rename_name(&project, kind, old, new)?;
    let texts = plan.files.iter().map(|file| String::from_utf8(file.new_text().to_vec()).unwrap());
    let texts = texts.collect::<Vec<String>>().concat();
    Ok((plan, texts))
}

#[test]
fn actions() {
    let script = "extends Node\nfunc f(event):\n\tif Input.get_axis(\"jump\", \"ui_left\") and event.is_action(&\"jump\"):\n\
                  \t\tplay(\"jump\")\n\tProjectSettings.get_setting(\"input/jump\")\n";
    let scene = "[gd_scene format=3]\n\n[node name=\"A\" type=\"TouchScreenButton\"]\naction = \"jump\"\n\n\
                 [node name=\"B\" type=\"Label\" parent=\".\"]\ntext = \"jump\"\n";
    let (plan, texts) =
        plan(&[("a.gd", script), ("a.tscn", scene)], KindOfName::Action, "jump", "leap up")
            .unwrap();
    assert!(texts.contains("\n\"leap up\"={\n\"deadzone\""), "{texts}");
    assert!(
        texts.contains("get_axis(\"leap up\", \"ui_left\") and event.is_action(&\"leap up\")"),
        "{texts}"
    );
    assert!(texts.contains("action = \"leap up\"\n"), "{texts}");
    assert!(texts.contains("play(\"jump\")") && texts.contains("text = \"jump\""), "{texts}");
    let doubts: Vec<u32> = plan.doubts.iter().map(|place| place.line).collect();
    assert_eq!(doubts, [4, 5, 7], "{:?}", plan.doubts);
}

#[test]
fn groups() {
    let script = "extends Node\nconst FOES = \"enemies\"\nfunc f():\n\tadd_to_group(\"enemies\")\n\
                  \tget_tree().call_group(\"enemies\", \"stop\")\n";
    let scene =
        "[gd_scene format=3]\n\n[node name=\"A\" type=\"Node\" groups=[\"walls\", \"enemies\"]]\n";
    let (plan, texts) =
        plan(&[("a.gd", script), ("a.tscn", scene)], KindOfName::Group, "enemies", "foes").unwrap();
    assert!(texts.contains("\nfoes=\"all of them\""), "{texts}");
    assert!(
        texts.contains("add_to_group(\"foes\")") && texts.contains("call_group(\"foes\""),
        "{texts}"
    );
    assert!(texts.contains("groups=[\"walls\", \"foes\"]"), "{texts}");
    assert_eq!(plan.doubts.len(), 1, "{:?}", plan.doubts);
}

#[test]
fn buses() {
    let layout = "[gd_resource type=\"AudioBusLayout\" format=3]\n\n[resource]\nbus/1/name = &\"Music\"\n\
                  bus/1/send = &\"Master\"\nbus/2/name = &\"Quiet\"\nbus/2/send = &\"Music\"\n";
    let scene =
        "[gd_scene format=3]\n\n[node name=\"A\" type=\"AudioStreamPlayer\"]\nbus = &\"Music\"\n";
    let script = "extends Node\nfunc f():\n\tAudioServer.get_bus_index(\"Music\")\n";
    let files = [("default_bus_layout.tres", layout), ("a.tscn", scene), ("a.gd", script)];
    let (plan, texts) = plan(&files, KindOfName::Bus, "Music", "Songs").unwrap();
    assert_eq!(texts.matches("Songs").count(), 4, "{texts}");
    assert_eq!(texts.matches("Music").count() + plan.doubts.len(), 0, "{texts}");
}

#[test]
fn refusals() {
    let refusal = |kind, old: &str, new: &str| plan(&[], kind, old, new).unwrap_err().to_string();
    let missing = refusal(KindOfName::Action, "jmup", "leap");
    assert_eq!(missing, "`res://project.godot` has no input action `jmup`; did you mean `jump`?");
    assert!(refusal(KindOfName::Action, "ui_left", "left").starts_with("Godot itself defines"));
    assert!(refusal(KindOfName::Action, "jump", "ui_left").ends_with("already"));
    assert!(refusal(KindOfName::Action, "jump", "a/b").contains("it contains '/'"));
    assert!(refusal(KindOfName::Action, "jump", " a").contains("begins or ends with a space"));
    assert!(refusal(KindOfName::Animation, "a", "b").contains("belongs to one object"));
}
