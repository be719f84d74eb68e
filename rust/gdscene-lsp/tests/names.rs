//! Names in texts: input actions, groups, audio buses, signals and the like.

use serde_json::{Value as Json, json};

use crate::common::{Client, PROJECT, TestProject, place_at};

const SETTINGS: &str =
    "\n[global_group]\n\nheroes=\"\"\n\n[input]\n\nleap={\n\"deadzone\": 0.5,\n\"events\": []\n}\n";

const BUSES: &str =
    "[gd_resource type=\"AudioBusLayout\" format=3]\n\n[resource]\nbus/1/name = &\"Music\"\n";

const DOOR: &str = "extends Node\n\nsignal opened\n\nfunc _ready():\n\tadd_to_group(\"doors\")\n\n\
    func open():\n\tif Input.is_action_pressed(\"leap\"):\n\t\temit_signal(\"opened\")\n\t\t$A.call_deferred(\"open\")\n\
    \tget_tree().call_group(\"foes\", \"open\")\n\tprint(\"leap\")\n";

const FOES: &str = "[gd_scene format=3]\n\n[node name=\"A\" type=\"Node\" groups=[\"foes\"]]\n\n\
    [node name=\"B\" type=\"AudioStreamPlayer\" parent=\".\" groups=[\"foes\", \"doors\"]]\nbus = &\"Music\"\n";

struct Session {
    project: TestProject,
    client: Client,
    version: i32,
}

impl Session {
    fn new() -> Self {
        let project = TestProject::new();
        project.write("project.godot", format!("{PROJECT}{SETTINGS}"));
        project.write("default_bus_layout.tres", BUSES);
        project.write("door.gd", DOOR);
        project.write("foes.tscn", FOES);
        project.write("other.tscn", FOES);
        let client = project.client();
        client.open(&project.uri("door.gd"), DOOR);
        client.open(&project.uri("foes.tscn"), FOES);
        Self { project, client, version: 1 }
    }

    /// What is offered at the end of `typed`, which is appended to a file.
    fn offered(&mut self, file: &str, typed: &str, behind: &str) -> Vec<String> {
        let text = if file == "door.gd" { DOOR } else { FOES };
        let text = format!("{text}\n{typed}{behind}");
        self.version += 1;
        let uri = self.project.uri(file);
        self.client.change(&uri, self.version, json!([{"text": text}]));
        let position = place_at(&text, text.len() - behind.len());
        let params = json!({"textDocument": {"uri": uri}, "position": position});
        let items = self.client.request("textDocument/completion", params);
        let items = items.as_array().unwrap_or_else(|| panic!("{typed}: {items}"));
        items.iter().map(|item| item["label"].as_str().unwrap().to_owned()).collect()
    }

    /// A request about the middle of a text.
    fn ask(&mut self, method: &str, file: &str, needle: &str) -> Json {
        let text = if file == "door.gd" { DOOR } else { FOES };
        let position = place_at(text, text.find(needle).unwrap() + needle.len() / 2);
        let uri = self.project.uri(file);
        let params = json!({"textDocument": {"uri": uri}, "position": position});
        self.client.request(method, params)
    }

    /// The files and lines that define the name in a text.
    fn defined(&mut self, file: &str, needle: &str) -> Vec<(String, u64)> {
        let found = self.ask("textDocument/definition", file, needle);
        let found = found.as_array().cloned().unwrap_or_else(|| vec![found]);
        let place = |found: &Json| {
            let name = found["uri"].as_str().unwrap().rsplit('/').next().unwrap().to_owned();
            (name, found["range"]["start"]["line"].as_u64().unwrap())
        };
        found.iter().map(place).collect()
    }
}

#[test]
fn names_are_offered_in_scripts() {
    let mut session = Session::new();
    let actions = session.offered("door.gd", "func a():\n\tInput.is_action_pressed(&\"le", "\")");
    assert!(actions.contains(&"leap".to_owned()) && actions.contains(&"ui_accept".to_owned()));
    assert!(actions.is_sorted());
    for (typed, expected) in [
        ("func a():\n\tInput.get_vector(\"\", '", vec!["leap", "ui_accept"]),
        ("func a():\n\tadd_to_group(\"", vec!["doors", "foes", "heroes"]),
        ("func a():\n\tget_tree().call_group(\"foes\", \"", vec!["_on_hit", "_ready", "open"]),
        ("func a():\n\tAudioServer.get_bus_index(\"", vec!["Master", "Music"]),
        ("func a():\n\temit_signal(\"", vec!["opened"]),
        (
            "func a():\n\tProjectSettings.get_setting(\"",
            vec![
                "application/config/name",
                "input/leap",
                "rendering/textures/lossless_compression/force_png",
            ],
        ),
        // Other objects have functions of these names, too.
        ("func a():\n\tOther.get_bus_index(\"", vec![]),
        ("func a():\n\tprint(\"", vec![]),
        ("func a(): # Input.is_action_pressed(\"", vec![]),
    ] {
        let offered = session.offered("door.gd", typed, "");
        let missing = expected.iter().any(|name| !offered.contains(&(*name).to_owned()));
        assert!(!missing && offered.is_empty() == expected.is_empty(), "{typed}: {offered:?}");
    }
    session.client.end();
}

#[test]
fn names_are_offered_in_scenes() {
    let mut session = Session::new();
    let player = "[node name=\"C\" type=\"AudioStreamPlayer\" parent=\".\"]\n";
    let bus = session.offered("foes.tscn", &format!("{player}bus = &\"M"), "\"\n");
    assert_eq!(bus, ["Master", "Music"]);
    let event = "[sub_resource type=\"InputEventAction\" id=\"1\"]\naction = &\"";
    assert!(session.offered("foes.tscn", event, "").contains(&"leap".to_owned()));
    let groups = "[node name=\"C\" type=\"Node\" parent=\".\" groups=[\"foes\", \"";
    assert_eq!(session.offered("foes.tscn", groups, ""), ["doors", "foes", "heroes"]);
    assert!(session.offered("foes.tscn", &format!("{player}stream = \""), "").is_empty());
    session.client.end();
}

#[test]
fn a_name_leads_to_its_definitions() {
    let mut session = Session::new();
    let place = |file: &str, line| (file.to_owned(), line);
    for (file, needle, expected) in [
        ("door.gd", "(\"leap\"", vec![place("project.godot", 13)]),
        ("door.gd", "\"foes\"", vec![place("foes.tscn", 2), place("other.tscn", 2)]),
        ("door.gd", "\"opened\"", vec![place("door.gd", 2)]),
        ("door.gd", "d(\"open\"", vec![place("door.gd", 7)]),
        ("foes.tscn", "&\"Music\"", vec![place("default_bus_layout.tres", 3)]),
        (
            "foes.tscn",
            "\"doors\"",
            vec![place("door.gd", 5), place("foes.tscn", 4), place("other.tscn", 4)],
        ),
    ] {
        assert_eq!(session.defined(file, needle), expected, "{file}: {needle}");
    }
    assert_eq!(session.ask("textDocument/definition", "door.gd", "t(\"leap\""), Json::Null);
    session.client.end();
}

#[test]
fn a_name_is_described() {
    let mut session = Session::new();
    for (file, needle, expected) in [
        ("door.gd", "(\"leap\"", "input action `leap`\n\ndefined in `res://project.godot`"),
        ("door.gd", "\"foes\"", "group `foes`\n\ndefined in `res://foes.tscn`, `res://other.tscn`"),
        ("foes.tscn", "&\"Music\"", "defined in `res://default_bus_layout.tres`"),
    ] {
        let hover = session.ask("textDocument/hover", file, needle);
        let text = hover["contents"]["value"].as_str().unwrap_or_default();
        assert!(text.contains(expected), "{needle}: {hover}");
    }
    session.client.end();
}

#[test]
fn a_group_of_a_scene_can_be_renamed() {
    let mut session = Session::new();
    let prepared = session.ask("textDocument/prepareRename", "foes.tscn", "\"doors\"");
    assert_eq!(prepared["placeholder"], "doors");
    session.client.end();
}
