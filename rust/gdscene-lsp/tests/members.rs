//! Variables, methods and signals of scripts: from scenes, resources and the scripts themselves.

use serde_json::{Value as Json, json};

use crate::common::{Client, TestProject, place_at};
use crate::features::changed;

const STATS: &str = "class_name Stats\nextends Resource\n\nenum Kind { SMALL, LARGE }\n\n@export var power := 1\n\
    @export var kind: Kind\n@export var list: Array[Stats] = []\n@export var icon: Texture2D\n\n\
    func doubled(power: int) -> int:\n\treturn power * 2\n\nfunc sum() -> int:\n\treturn power + 1\n";

const STORED: &str = "[gd_resource type=\"Resource\" script_class=\"Stats\" format=3]\n\n\
    [ext_resource type=\"Script\" path=\"res://stats.gd\" id=\"1\"]\n\n\
    [sub_resource type=\"GradientTexture2D\" id=\"Icon_i\"]\n\n\
    [sub_resource type=\"Resource\" id=\"Stats_s\"]\nscript = ExtResource(\"1\")\npower = 9\n\n\
    [resource]\nscript = ExtResource(\"1\")\npower = 4\nkind = 1\nicon = SubResource(\"Icon_i\")\n";

struct Session {
    project: TestProject,
    client: Client,
}

impl Session {
    fn new() -> Self {
        let project = TestProject::new();
        project.write("stats.gd", STATS);
        project.write("stored.tres", STORED);
        let client = project.client();
        client.open(&project.uri("stats.gd"), STATS);
        client.open(&project.uri("stored.tres"), STORED);
        Self { project, client }
    }

    /// A request about the place `by` bytes behind the `nth` occurrence of a text.
    fn ask(
        &mut self,
        method: &str,
        file: &str,
        (needle, nth, by): (&str, usize, usize),
        more: &Json,
    ) -> Json {
        let text = self.text(file);
        let (offset, _) = text.match_indices(needle).nth(nth).unwrap();
        let mut params = json!({"textDocument": {"uri": self.project.uri(file)}, "position": place_at(&text, offset + by)});
        params.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        self.client.request(method, params)
    }

    fn text(&self, file: &str) -> String {
        std::fs::read_to_string(self.project.root().join(file)).unwrap()
    }

    fn renamed(
        &mut self,
        file: &str,
        at: (&str, usize, usize),
        new: &str,
    ) -> Vec<(String, String)> {
        let edit = self.ask("textDocument/rename", file, at, &json!({"newName": new}));
        let mut texts = changed(&edit, |name| self.text(name));
        texts.sort();
        texts
    }
}

#[test]
fn a_variable_is_renamed_from_everywhere_alike() {
    let mut session = Session::new();
    let script = STATS
        .replace("var power", "var strength")
        .replace("return power + 1", "return strength + 1");
    let expected = [
        ("stats.gd".to_owned(), script),
        ("stored.tres".to_owned(), STORED.replace("power", "strength")),
    ];
    for (file, at) in [
        ("stored.tres", ("power = 9", 0, 2)),
        ("stored.tres", ("power = 4", 0, 0)),
        ("stats.gd", ("var power", 0, 6)),
        ("stats.gd", ("power + 1", 0, 5)),
    ] {
        assert_eq!(session.renamed(file, at, "strength"), expected, "{file} {at:?}");
        let found = session.ask("textDocument/definition", file, at, &json!({}));
        assert_eq!(found["uri"], session.project.uri("stats.gd"), "{file} {at:?}");
        assert_eq!(found["range"]["start"], json!({"line": 5, "character": 12}));
        let context = json!({"context": {"includeDeclaration": true}});
        let found = session.ask("textDocument/references", file, at, &context);
        assert_eq!(found.as_array().unwrap().len(), 4, "{file} {at:?} {found}");
    }
    session.client.end();
}

#[test]
fn a_parameter_with_the_name_of_a_variable_is_not_the_variable() {
    let mut session = Session::new();
    for at in [("power: int", 0, 2), ("power * 2", 0, 2), ("class_name", 0, 2), ("\n\n", 0, 1)] {
        for method in ["textDocument/prepareRename", "textDocument/definition"] {
            assert_eq!(session.ask(method, "stats.gd", at, &json!({})), Json::Null, "{at:?}");
        }
    }
    session.client.end();
}

#[test]
fn a_method_is_renamed_with_its_connections_from_its_script() {
    let mut session = Session::new();
    let text = session.text("player.gd");
    session.client.open(&session.project.uri("player.gd"), &text);
    let texts = session.renamed("player.gd", ("_on_hit", 0, 3), "_on_hurt");
    let files: Vec<&str> = texts.iter().map(|(file, _)| &**file).collect();
    assert_eq!(files, ["level.tscn", "player.gd"]);
    for (file, new) in texts {
        assert_eq!(new, session.text(&file).replace("_on_hit", "_on_hurt"));
    }
    let hover = session.ask("textDocument/hover", "stored.tres", ("power = 4", 0, 2), &json!({}));
    assert!(hover["contents"]["value"].as_str().unwrap().contains("res://stats.gd"), "{hover}");
    session.client.end();
}

#[test]
fn a_group_is_renamed_from_a_string_in_a_script() {
    let mut session = Session::new();
    let script =
        "extends Node\nfunc _ready() -> void:\n\tadd_to_group(\"foes\")\n\tprint(\"foes\")\n";
    let scene = "[gd_scene format=3]\n\n[node name=\"A\" type=\"Node\" groups=[\"foes\"]]\n";
    session.project.write("foe.gd", script);
    session.project.write("foe.tscn", scene);
    session.client.open(&session.project.uri("foe.gd"), script);
    session.client.open(&session.project.uri("foe.tscn"), scene);
    let at = ("add_to_group(\"foes", 0, 15);
    let texts = session.renamed("foe.gd", at, "enemies");
    let expected = [
        ("foe.gd".to_owned(), script.replacen("foes", "enemies", 1)),
        ("foe.tscn".to_owned(), scene.replace("foes", "enemies")),
    ];
    assert_eq!(texts, expected);
    let context = json!({"context": {"includeDeclaration": true}});
    let found = session.ask("textDocument/references", "foe.gd", at, &context);
    assert_eq!(found.as_array().unwrap().len(), 3, "{found}");
    session.client.end();
}

#[test]
fn values_are_offered_by_type() {
    let mut session = Session::new();
    let mut offered = |needle: &str, by| -> Vec<String> {
        let items =
            session.ask("textDocument/completion", "stored.tres", (needle, 0, by), &json!({}));
        items
            .as_array()
            .unwrap()
            .iter()
            .map(|item| item["label"].as_str().unwrap().to_owned())
            .collect()
    };
    assert_eq!(offered("kind = 1", 7), ["0", "1"]);
    assert_eq!(offered("icon = ", 7), ["SubResource(\"Icon_i\")"]);
    assert_eq!(offered("power = 4", 8), ["1"]);
    session.client.end();
}
