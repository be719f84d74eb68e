//! The protocol's requirements of a server: texts that change, requests that are cancelled, clients that make
//! mistakes.

use serde_json::{Value as Json, json};

use crate::common::{Client, LEVEL, TestProject, address, place};

#[test]
fn findings_follow_what_is_typed() {
    let project = TestProject::new();
    let mut client = project.client();
    let uri = project.uri("level.tscn");
    client.open(&uri, LEVEL);
    assert_eq!(client.findings(&uri, Some(1)), Vec::<Json>::new());
    // An id that nothing has.
    let start = place(LEVEL, "ExtResource(\"1_a\")", 13);
    let end = place(LEVEL, "ExtResource(\"1_a\")", 16);
    client.change(&uri, 2, json!([{"range": {"start": start, "end": end}, "text": "9_x"}]));
    let found = client.findings(&uri, Some(2));
    assert!(found.iter().any(|found| found["code"] == "REF001"), "{found:?}");
    assert_eq!(found[0]["source"], "gdscene");
    client.change(&uri, 3, json!([{"text": LEVEL}]));
    assert_eq!(client.findings(&uri, Some(3)), Vec::<Json>::new());
    client.end();
}

#[test]
fn a_text_that_is_not_saved_counts_for_others() {
    let project = TestProject::new();
    let mut client = project.client();
    let (level, player) = (project.uri("level.tscn"), project.uri("player.gd"));
    client.open(&level, LEVEL);
    assert_eq!(client.findings(&level, Some(1)), Vec::<Json>::new());
    client.open(&player, "extends Area2D\n");
    let found = loop {
        let found = client.findings(&level, Some(1));
        if !found.is_empty() {
            break found;
        }
    };
    let codes: Vec<&str> = found.iter().filter_map(|found| found["code"].as_str()).collect();
    assert!(codes.contains(&"SIG003"), "{codes:?}");
    client.end();
}

#[test]
fn files_that_are_not_open_are_checked_too() {
    let project = TestProject::new();
    project.write("broken.tscn", "[gd_scene format=3]\n\n[node name=\"A\" type=\"Nod2D\"]\n");
    let mut client = project.client();
    let uri = project.uri("broken.tscn");
    assert!(!client.findings(&uri, None).is_empty());
    project.write("broken.tscn", "[gd_scene format=3]\n\n[node name=\"A\" type=\"Node2D\"]\n");
    let changes = json!({"changes": [{"uri": uri, "type": 2}]});
    client.notify("workspace/didChangeWatchedFiles", changes);
    let left = client.findings(&uri, None);
    assert!(left.iter().all(|found| found["code"] != "STR002"), "{left:?}");
    client.end();
}

#[test]
fn characters_are_counted_as_the_client_counts_them() {
    let text = "[gd_scene format=3]\n\n[node name=\"A😀é\" type=\"Nod2D\"]\n";
    let begins = ["utf-8", "utf-16", "utf-32"].map(|encoding| {
        let project = TestProject::new();
        let mut capabilities = crate::common::full_capabilities();
        capabilities["general"]["positionEncodings"] = json!([encoding]);
        let mut client = project.client_with(capabilities);
        assert_eq!(client.capabilities["positionEncoding"], encoding);
        let uri = project.uri("new.tscn");
        client.open(&uri, text);
        let found = client.findings(&uri, Some(1));
        client.end();
        let is_meant =
            |found: &&Json| found["message"].as_str().unwrap().contains("is not a Godot class");
        let found = found.iter().find(is_meant).unwrap_or_else(|| panic!("{found:?}"));
        assert_eq!(found["range"]["start"]["line"], 2);
        found["range"]["start"]["character"].as_u64().unwrap()
    });
    assert_eq!(begins[1], begins[2] + 1);
    assert_eq!(begins[0], begins[1] + 3);
}

#[test]
fn what_makes_no_sense_does_not_end_the_server() {
    let project = TestProject::new();
    let mut client = project.client();
    let uri = project.uri("level.tscn");
    client.notify("textDocument/didOpen", json!({"nonsense": 1}));
    client.notify("textDocument/didChange", json!(null));
    client.notify("$/unknown", json!({}));
    client.change(&project.uri("never opened.tscn"), 7, json!([{"text": "x"}]));
    assert!(client.error("textDocument/hover", json!({})).contains("not valid"));
    assert!(client.error("textDocument/burn", json!({})).contains("is not a supported request"));
    let nowhere = json!({"textDocument": {"uri": project.uri("gone.tscn")}});
    assert!(client.error("textDocument/documentSymbol", nowhere).contains("cannot read"));
    client.open(&uri, LEVEL);
    let far =
        json!({"textDocument": {"uri": uri}, "position": {"line": 99_999, "character": 99_999}});
    assert_eq!(client.request("textDocument/hover", far), Json::Null);
    client.change(&uri, 2, json!([{
        "range": {"start": {"line": 50_000, "character": 3}, "end": {"line": 2, "character": 0}},
        "text": "\u{0}[[[",
    }]));
    client.findings(&uri, Some(2));
    client.end();
}

#[test]
fn a_cancelled_request_has_an_answer() {
    let project = TestProject::new();
    let mut client = project.client();
    client.open(&project.uri("level.tscn"), LEVEL);
    let params = json!({"textDocument": {"uri": project.uri("level.tscn")}});
    let ids: Vec<_> =
        (0..50).map(|_| client.begin("textDocument/documentSymbol", params.clone())).collect();
    for id in &ids {
        client.notify("$/cancelRequest", json!({"id": id}));
    }
    for id in &ids {
        let answer = client.answer(id);
        if let Err(error) = answer.response_result {
            assert_eq!(error.code, -32800, "{error:?}");
        }
    }
    client.end();
}

#[test]
fn a_client_without_folders_and_files_without_a_project() {
    let folder = tempfile::tempdir().unwrap();
    let mut client = Client::start(&json!({"capabilities": {}}));
    let uri = address(&folder.path().canonicalize().unwrap().join("alone.tscn"));
    client.open(
        &uri,
        "[gd_scene format=3]\n\n[node name=\"A\" type=\"Node\"]\nx = ExtResource(\"1\")\n",
    );
    let found = client.findings(&uri, Some(1));
    assert!(found.iter().any(|found| found["code"] == "REF001"), "{found:?}");
    client.open("untitled:Untitled-1", "[gd_scene format=3]\n");
    client.findings("untitled:Untitled-1", Some(1));
    client.end();
}

#[test]
fn a_client_that_goes_without_farewell_ends_the_server() {
    let project = TestProject::new();
    let client = project.client();
    client.open(&project.uri("level.tscn"), LEVEL);
    drop(client);
}

#[test]
fn fast_typing_ends_with_the_findings_of_the_last_text() {
    let project = TestProject::new();
    let mut client = project.client();
    let uri = project.uri("level.tscn");
    client.open(&uri, LEVEL);
    for version in 2..200 {
        let end = place(LEVEL, "[node name=\"Level\"", 0);
        let range = json!({"start": end, "end": end});
        client.change(&uri, version, json!([{"range": range, "text": "; typed\n"}]));
    }
    client.change(&uri, 200, json!([{"text": LEVEL.replace("Node2D", "Nod2D")}]));
    let found = client.findings(&uri, Some(200));
    assert!(found.iter().any(|found| found["code"] == "TREE013"), "{found:?}");
    client.end();
}

#[test]
fn a_client_that_asks_for_all_files_is_told_nothing_besides() {
    let project = TestProject::new();
    let broken = "[gd_scene format=3]\n\n[node name=\"A\" type=\"Nod2D\"]\n";
    project.write("broken.tscn", broken);
    project.write("other.tscn", broken);
    let mut capabilities = crate::common::full_capabilities();
    capabilities["textDocument"]["diagnostic"] = json!({});
    let mut client = project.client_with(capabilities);
    let uri = project.uri("broken.tscn");
    let pull = |client: &mut Client, ids: Json| {
        let found = client.request("workspace/diagnostic", json!({"previousResultIds": ids}));
        let items = found["items"].as_array().unwrap().clone();
        items.into_iter().find(|item| item["uri"] == uri)
    };
    let first = pull(&mut client, json!([])).unwrap();
    assert_eq!(first["kind"], "full");
    assert_ne!(first["items"], json!([]));
    // The earlier findings are withdrawn.
    assert!(!client.findings(&uri, None).is_empty());
    assert!(client.findings(&uri, None).is_empty());
    let known = json!([{"uri": uri, "value": first["resultId"]}]);
    let second = pull(&mut client, known.clone()).unwrap();
    assert_eq!((&second["kind"], &second["resultId"]), (&json!("unchanged"), &first["resultId"]));
    project.write("broken.tscn", "[gd_scene format=3]\n\n[node name=\"A\" type=\"Node2D\"]\n");
    let changes = json!({"changes": [{"uri": uri, "type": 2}]});
    client.notify("workspace/didChangeWatchedFiles", changes);
    let last = loop {
        let found = pull(&mut client, known.clone()).unwrap();
        if found["kind"] == "full" {
            break found;
        }
        std::thread::sleep(std::time::Duration::from_millis(10));
    };
    let is_about_the_class = |found: &Json| found["code"] == "STR002";
    assert!(!last["items"].as_array().unwrap().iter().any(is_about_the_class), "{last}");
    client.end();
}

#[test]
fn what_was_not_saved_counts_no_longer_when_it_is_closed() {
    let project = TestProject::new();
    let mut client = project.client();
    let (level, enemy) = (project.uri("level.tscn"), project.uri("enemy.tscn"));
    let text = std::fs::read_to_string(project.root().join("enemy.tscn")).unwrap();
    let user = LEVEL.replace(
        "[connection",
        "[node name=\"Below\" type=\"Node2D\" parent=\"Enemy/Sprite\"]\n\n[connection",
    );
    client.open(&level, &user);
    let codes = |client: &mut Client| -> Vec<String> {
        let found = client.findings(&level, Some(1));
        found.iter().map(|found| found["code"].as_str().unwrap().to_owned()).collect()
    };
    assert!(!codes(&mut client).contains(&"TREE001".to_owned()));
    client.open(&enemy, &text.replace("Sprite\"", "Limb\""));
    while !codes(&mut client).contains(&"TREE001".to_owned()) {}
    let closed = json!({"textDocument": {"uri": enemy}});
    client.notify("textDocument/didClose", closed);
    while codes(&mut client).contains(&"TREE001".to_owned()) {}
    client.end();
}

#[test]
fn the_configuration_is_no_file_of_godots() {
    let project = TestProject::new();
    let text = "# ours\nselect = [\"DEFAULT\"] # these\n\n[severity]\nSTY = \"warning\"\n";
    project.write("gdscene.toml", text);
    let mut client = project.client();
    let uri = project.uri("gdscene.toml");
    client.open(&uri, text);
    assert!(client.findings(&uri, Some(1)).is_empty());
    let range = json!({"start": {"line": 0, "character": 0}, "end": {"line": 9, "character": 0}});
    let document = json!({"uri": uri});
    for (method, params) in [
        ("textDocument/codeAction", json!({"range": range, "context": {"diagnostics": []}})),
        ("textDocument/formatting", json!({"options": {"tabSize": 4, "insertSpaces": true}})),
        ("textDocument/hover", json!({"position": {"line": 0, "character": 2}})),
        ("textDocument/foldingRange", json!({})),
        ("textDocument/documentSymbol", json!({})),
    ] {
        let mut params = params;
        params["textDocument"] = document.clone();
        assert_eq!(client.request(method, params), Json::Null, "{method}");
    }
    // An unsaved text of it counts for the others, and a mistake in it is reported.
    let level = project.uri("level.tscn");
    client.open(&level, &LEVEL.replace("ExtResource(\"1_a\")", "ExtResource(\"9_x\")"));
    let has = |found: &[Json]| found.iter().any(|found| found["code"] == "REF001");
    assert!(has(&client.findings(&level, Some(1))));
    client.change(&uri, 2, json!([{"text": "ignore = [\"REF001\"]\n"}]));
    while has(&client.findings(&level, Some(1))) {}
    client.end();
}

#[test]
fn rules_of_the_project_are_like_others() {
    let rule = "[[rule]]\ncode = \"GAME001\"\nmessage = \"the root `{name}` is no Level\"\nhelp = \"inherit it\"\n\
                nodes = { root = true }\nmust = { name = \"Stage\" }\n";
    let project = TestProject::new();
    project.write("gdscene.toml", rule);
    let mut client = project.client();
    let level = project.uri("level.tscn");
    client.open(&level, LEVEL);
    let own = |found: &[Json]| found.iter().find(|found| found["code"] == "GAME001").cloned();
    let found = own(&client.findings(&level, Some(1))).unwrap();
    assert_eq!(found["message"], "the root `Level` is no Level\nhelp: inherit it");
    assert_eq!(found.get("codeDescription"), None);
    let position = found["range"]["start"].clone();
    let at = json!({"textDocument": {"uri": level}, "position": position});
    let hover = client.request("textDocument/hover", at);
    let text = hover["contents"]["value"].as_str().unwrap();
    assert!(text.contains("**GAME001 game001**") && text.contains("[[rule]]"), "{text}");
    let context = json!({"diagnostics": [found]});
    let params =
        json!({"textDocument": {"uri": level}, "range": found["range"], "context": context});
    let actions = client.request("textDocument/codeAction", params).to_string();
    assert!(actions.contains("GAME001"), "{actions}");
    // A mistake in a rule has its place in the file, and a class that is not there is one.
    let uri = project.uri("gdscene.toml");
    client.open(&uri, rule);
    assert!(client.findings(&uri, Some(1)).is_empty());
    let broken = rule.replace("root = true", "class = \"Nod2D\"");
    client.change(&uri, 2, json!([{"text": broken}]));
    let found = client.findings(&uri, Some(2));
    assert_eq!(found[0]["message"], "unknown class `Nod2D`; did you mean `Node2D`?");
    assert_eq!(found[0]["range"]["start"]["line"], 4);
    while own(&client.findings(&level, Some(1))).is_some() {}
    client.end();
}

#[test]
fn a_broken_configuration_is_told_although_it_is_not_open() {
    let project = TestProject::new();
    project.write("gdscene.toml", "ignore = [\"REF001\"\n");
    let mut client = project.client();
    let found = client.findings(&project.uri("gdscene.toml"), None);
    assert_eq!(found.len(), 1, "{found:?}");
    client.end();
}

#[test]
fn a_project_that_goes_takes_its_findings_along() {
    let project = TestProject::new();
    project.write("broken.tscn", "[gd_scene format=3]\n\n[node name=\"A\" type=\"Nod2D\"]\n");
    let mut client = project.client();
    let uri = project.uri("broken.tscn");
    assert!(!client.findings(&uri, None).is_empty());
    // Only in a project it is known that the file is missing.
    let level = project.uri("level.tscn");
    client.open(&level, &LEVEL.replace("res://player.gd", "res://gone.gd"));
    let has = |found: &[Json]| found.iter().any(|found| found["code"] == "RES001");
    assert!(has(&client.findings(&level, Some(1))));
    std::fs::remove_file(project.root().join("project.godot")).unwrap();
    let changes = json!({"changes": [{"uri": project.uri("project.godot"), "type": 3}]});
    client.notify("workspace/didChangeWatchedFiles", changes);
    assert!(client.findings(&uri, None).is_empty());
    while has(&client.findings(&level, Some(1))) {}
    client.end();
}

#[test]
fn what_comes_after_shutdown_is_no_error() {
    let project = TestProject::new();
    let mut client = project.client();
    client.request("shutdown", Json::Null);
    client.notify("$/cancelRequest", json!({"id": 1}));
    let message = client.error("textDocument/hover", json!({}));
    assert!(message.contains("shut down"), "{message}");
    client.exit();
}
