//! The answers, each request on one scene.

use serde_json::{Value as Json, json};

use crate::common::{Client, LEVEL, TestProject, edited, place, place_at};

fn opened() -> (TestProject, Client, String) {
    let project = TestProject::new();
    let client = project.client();
    let uri = project.uri("level.tscn");
    client.open(&uri, LEVEL);
    (project, client, uri)
}

fn at(uri: &str, needle: &str, by: usize) -> Json {
    json!({"textDocument": {"uri": uri}, "position": place(LEVEL, needle, by)})
}

#[test]
fn the_tree_of_nodes() {
    let (_project, mut client, uri) = opened();
    let symbols =
        client.request("textDocument/documentSymbol", json!({"textDocument": {"uri": uri}}));
    let names = |symbols: &Json| -> Vec<String> {
        symbols
            .as_array()
            .unwrap()
            .iter()
            .map(|symbol| symbol["name"].as_str().unwrap().to_owned())
            .collect()
    };
    assert_eq!(
        names(&symbols),
        ["res://player.gd", "res://enemy.tscn", "Circle_c", "Level", "Player.area_entered"]
    );
    let level = &symbols[3];
    assert_eq!(names(&level["children"]), ["Player", "Enemy"]);
    assert_eq!(names(&level["children"][0]["children"]), ["Shape"]);
    assert_eq!(level["children"][0]["detail"], "Area2D");
    client.end();
}

#[test]
fn folding_selection_and_links() {
    let (project, mut client, uri) = opened();
    let text = json!({"textDocument": {"uri": uri}});
    let folded = client.request("textDocument/foldingRange", text.clone());
    assert!(folded.as_array().unwrap().iter().any(|range| range["startLine"] == 10), "{folded}");
    let links = client.request("textDocument/documentLink", text.clone());
    let targets: Vec<&Json> =
        links.as_array().unwrap().iter().map(|link| &link["target"]).collect();
    assert_eq!(targets, [&json!(project.uri("player.gd")), &json!(project.uri("enemy.tscn"))]);
    let positions = json!({"textDocument": {"uri": uri}, "positions": [place(LEVEL, "4.0", 1)]});
    let ranges = client.request("textDocument/selectionRange", positions);
    let mut depth = 0;
    let mut range = &ranges[0];
    while !range.is_null() {
        depth += 1;
        range = &range["parent"];
    }
    assert!(depth >= 4, "{ranges}");
    client.end();
}

#[test]
fn hover_tells_what_is_there() {
    let (project, mut client, uri) = opened();
    let mut hover = |needle, by| {
        let hover = client.request("textDocument/hover", at(&uri, needle, by));
        hover["contents"]["value"].as_str().unwrap_or_default().to_owned()
    };
    assert!(hover("ExtResource(\"1_a\")", 14).contains("res://player.gd"));
    assert!(hover("\"Area2D\"", 3).contains("`Area2D` < `CollisionObject2D`"));
    assert!(hover("SubResource(\"Circle_c\")", 15).contains("radius = 4.0"));
    assert!(hover("radius", 2).contains("default `10.0`"));
    assert!(hover("speed = 3", 2).contains("res://player.gd"));
    assert!(hover("to=\"Player\"", 6).contains("node `Player`: `Area2D`"));
    assert!(hover("res://enemy.tscn", 6).contains("uid://c1a2c3d4e5f6g"));
    // The texts of Godot's class reference, and of scripts.
    assert!(hover("\"Area2D\"", 3).contains("A region of 2D space"));
    assert!(hover("radius", 2).contains("The circle's radius"));
    assert!(hover("area_entered", 3).contains("declared by `Area2D`\n\nEmitted when"));
    project.write(
        "player.gd",
        "class_name Player\nextends Area2D\n## The hero.\n\n## How fast.\n@export var speed := 2.0\n\n\
         ## Hurts.\nfunc _on_hit(_area: Area2D) -> void:\n\tspeed = 1.0\n",
    );
    let header = [&b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"[..], &[0, 0, 0, 7, 0, 0, 0, 9]].concat();
    project.write("icon.png", [&header[..], &[8, 6, 0, 0, 0]].concat());
    let changes = json!({"changes": [{"uri": project.uri("player.gd"), "type": 2}]});
    client.notify("workspace/didChangeWatchedFiles", changes);
    let text = LEVEL.replace("res://enemy.tscn", "res://icon.png");
    client.change(&uri, 2, json!([{"text": text}]));
    let mut hover = |needle, by| {
        let params = json!({"textDocument": {"uri": uri}, "position": place(&text, needle, by)});
        let hover = client.request("textDocument/hover", params);
        hover["contents"]["value"].as_str().unwrap_or_default().to_owned()
    };
    assert!(hover("speed = 3", 2).contains("How fast."));
    assert!(hover("_on_hit", 2).contains("Hurts."));
    assert!(hover("ExtResource(\"1_a\")", 14).contains("The hero."));
    assert!(hover("res://icon.png", 6).contains("7 × 9 pixels"));
    client.end();
}

#[test]
fn definitions() {
    let (project, mut client, uri) = opened();
    let mut definition =
        |needle, by| client.request("textDocument/definition", at(&uri, needle, by));
    let declared = definition("ExtResource(\"1_a\")", 14);
    assert_eq!((&declared["uri"], &declared["range"]["start"]["line"]), (&json!(uri), &json!(2)));
    assert_eq!(definition("id=\"1_a\"", 5)["uri"], project.uri("player.gd"));
    assert_eq!(definition("SubResource(\"Circle_c\")", 15)["range"]["start"]["line"], 5);
    let method = definition("_on_hit", 3);
    assert_eq!(
        (&method["uri"], &method["range"]["start"]["line"]),
        (&json!(project.uri("player.gd")), &json!(5))
    );
    let variable = definition("speed = 3", 2);
    assert_eq!(variable["range"]["start"], json!({"line": 3, "character": 12}));
    assert_eq!(definition("parent=\"Player\"", 10)["range"]["start"]["line"], 10);
    assert_eq!(definition("name=\"Enemy\"", 8)["uri"], project.uri("enemy.tscn"));
    client.end();
}

#[test]
fn references() {
    let (project, mut client, uri) = opened();
    let mut references = |needle, by| {
        let mut params = at(&uri, needle, by);
        params["context"] = json!({"includeDeclaration": true});
        client.request("textDocument/references", params).as_array().unwrap().clone()
    };
    assert_eq!(references("ExtResource(\"2_b\")", 14).len(), 2);
    assert_eq!(references("Circle_c", 3).len(), 2);
    // Its own tag, the parent of another, and both ends of the connection.
    assert_eq!(references("name=\"Player\"", 8).len(), 4);
    let method = references("_on_hit", 3);
    let uris: Vec<&str> = method.iter().filter_map(|found| found["uri"].as_str()).collect();
    assert!(uris.contains(&&*project.uri("player.gd")) && uris.contains(&&*uri), "{uris:?}");
    assert_eq!(references("res://enemy.tscn", 6).len(), 1);
    client.end();
}

/// The result of an edit for each text, by the end of its address.
pub(crate) fn changed(edit: &Json, read: impl Fn(&str) -> String) -> Vec<(String, String)> {
    let edits = edit["documentChanges"].as_array().unwrap_or_else(|| panic!("{edit}")).iter();
    let change = |change: &Json| {
        let name =
            change["textDocument"]["uri"].as_str().unwrap().rsplit('/').next().unwrap().to_owned();
        let text = edited(&read(&name), &change["edits"]);
        (name, text)
    };
    edits.map(change).collect()
}

#[test]
fn new_names() {
    let (project, mut client, uri) = opened();
    let read = |name: &str| std::fs::read_to_string(project.root().join(name)).unwrap();
    let mut rename = |needle, by, new: &str| {
        let mut params = at(&uri, needle, by);
        params["newName"] = json!(new);
        changed(&client.request("textDocument/rename", params), read)
    };
    let [(name, text)] = &rename("Circle_c", 3, "Round")[..] else { panic!("one text") };
    assert_eq!((&**name, &**text), ("level.tscn", &*LEVEL.replace("Circle_c", "Round")));
    let [(_, text)] = &rename("name=\"Player\"", 8, "Hero")[..] else { panic!("one text") };
    assert_eq!(*text, LEVEL.replace("\"Player\"", "\"Hero\""));
    let texts = rename("speed = 3", 2, "pace");
    assert_eq!(texts.len(), 2);
    assert!(
        texts.iter().all(|(_, text)| text.contains("pace") && !text.contains("speed")),
        "{texts:?}"
    );
    let placeholder = client.request("textDocument/prepareRename", at(&uri, "name=\"Player\"", 8));
    assert_eq!(placeholder["placeholder"], "Player");
    let mut params = at(&uri, "Circle_c", 3);
    params["newName"] = json!("a\"b");
    assert!(client.error("textDocument/rename", params).contains("is not a valid id"));
    client.end();
}

/// An editor would follow the link and write its target.
#[cfg(unix)]
#[test]
fn new_names_do_not_reach_files_outside_of_the_project() {
    let project = TestProject::new();
    let outside = tempfile::tempdir().unwrap();
    let script = project.root().join("player.gd");
    std::fs::rename(&script, outside.path().join("player.gd")).unwrap();
    std::os::unix::fs::symlink(outside.path().join("player.gd"), &script).unwrap();
    let mut client = project.client();
    let uri = project.uri("level.tscn");
    client.open(&uri, LEVEL);
    let mut params = at(&uri, "speed = 3", 2);
    params["newName"] = json!("pace");
    let error = client.error("textDocument/rename", params);
    assert!(error.contains("a link leads out of the project's folder"), "{error}");
    client.end();
}

#[test]
fn files_that_move() {
    let (project, mut client, _) = opened();
    let mut will_rename = |old: &str, new: &str| {
        let moved = json!({"oldUri": project.uri(old), "newUri": project.uri(new)});
        client.request("workspace/willRenameFiles", json!({"files": [moved]}))
    };
    let edit = will_rename("enemy.tscn", "foes/goblin.tscn");
    let texts = changed(&edit, |_| LEVEL.to_owned());
    let expected = LEVEL.replace("res://enemy.tscn", "res://foes/goblin.tscn");
    assert_eq!(texts, [("level.tscn".to_owned(), expected)]);
    assert_eq!(will_rename("gone.tscn", "here.tscn"), Json::Null);
    client.end();

    // Godot's files next to a file move with it: the script would lose its uid.
    project.write("player.gd.uid", "uid://d1a2c3d4e5f6g\n");
    let mut client = project.client();
    let moved = json!({"oldUri": project.uri("player.gd"), "newUri": project.uri("hero.gd")});
    let edit = client.request("workspace/willRenameFiles", json!({"files": [moved]}));
    let operations = edit["documentChanges"].as_array().unwrap();
    let renames: Vec<&Json> =
        operations.iter().filter(|operation| operation["kind"] == "rename").collect();
    assert_eq!(renames.len(), 1, "{edit}");
    assert_eq!(renames[0]["newUri"], project.uri("hero.gd.uid"));
    client.end();
}

#[test]
fn formatting() {
    let (_project, mut client, uri) = opened();
    let loose = LEVEL.replace("radius = 4.0", "radius=4.0").replace("speed = 3.0", "speed =   3.0");
    client.change(&uri, 2, json!([{"text": loose}]));
    let options = json!({"tabSize": 4, "insertSpaces": false});
    let params = json!({"textDocument": {"uri": uri}, "options": options});
    let edits = client.request("textDocument/formatting", params.clone());
    assert_eq!(edited(&loose, &edits), LEVEL);
    let mut part = params;
    part["range"] =
        json!({"start": {"line": 0, "character": 0}, "end": {"line": 8, "character": 0}});
    let edits = client.request("textDocument/rangeFormatting", part);
    assert_eq!(edited(&loose, &edits), LEVEL.replace("speed = 3.0", "speed =   3.0"));
    client.end();
}

#[test]
fn fixes() {
    let (_project, mut client, uri) = opened();
    let text = LEVEL.replace(
        "[sub_resource type=\"CircleShape2D\"",
        "[ext_resource type=\"Script\" path=\"res://player.gd\" id=\"3_u\"]\n\n[sub_resource type=\"CircleShape2D\"",
    );
    client.change(&uri, 2, json!([{"text": text}]));
    let start = place(&text, "3_u", 0);
    let range = json!({"start": start, "end": start});
    let mut actions = |only: Json| {
        let params = json!({"textDocument": {"uri": uri}, "range": range, "context": {"diagnostics": [], "only": only}});
        client.request("textDocument/codeAction", params).as_array().unwrap().clone()
    };
    let quick = actions(json!(["quickfix"]));
    let preferred = quick.iter().find(|action| action["isPreferred"] == true);
    let edit = &preferred.unwrap_or_else(|| panic!("{quick:?}"))["edit"];
    let [(_, fixed)] = &changed(edit, |_| text.clone())[..] else { panic!("one text") };
    assert!(!fixed.contains("3_u"), "{fixed}");
    assert!(quick.iter().any(|action| action["title"].as_str().unwrap().starts_with("Ignore ")));
    let ignored =
        quick.iter().find(|action| action["title"].as_str().unwrap().ends_with("in the project"));
    let operations = &ignored.unwrap_or_else(|| panic!("{quick:?}"))["edit"]["documentChanges"];
    assert_eq!(
        (&operations[0]["kind"], operations[1]["edits"].as_array().unwrap().len()),
        (&json!("create"), 1)
    );
    let all = actions(json!(["source.fixAll"]));
    assert_eq!(all.len(), 1, "{all:?}");
    client.end();
}

#[test]
fn findings_that_the_client_asks_for() {
    let project = TestProject::new();
    let mut capabilities = crate::common::full_capabilities();
    capabilities["textDocument"]["diagnostic"] = json!({});
    let mut client = project.client_with(capabilities);
    let uri = project.uri("level.tscn");
    let broken = LEVEL.replace("ExtResource(\"1_a\")", "ExtResource(\"7\")");
    project.write("level.tscn", &broken);
    client.notify("workspace/didChangeWatchedFiles", json!({"changes": []}));
    assert!(!client.findings(&uri, None).is_empty());
    client.open(&uri, &broken);
    // Findings of the closed file would appear twice.
    assert_eq!(client.findings(&uri, None), Vec::<Json>::new());
    let report = client.request("textDocument/diagnostic", json!({"textDocument": {"uri": uri}}));
    assert_eq!(report["kind"], "full");
    assert!(report["items"].as_array().unwrap().iter().any(|found| found["code"] == "REF001"));
    client.end();
}

#[test]
fn completions() {
    let (_project, mut client, uri) = opened();
    // The typed text, and the expected choices.
    let cases = [
        ("[node name=\"N\" type=\"", "Sprite2D"),
        ("[node name=\"N\" type=\"Node\" parent=\"", "Player/Shape"),
        ("[node name=\"N\" type=\"Node\" parent=\"", "Enemy/Sprite"),
        ("[node name=\"N\" type=\"Sprite2D\" parent=\".\"]\ntextu", "texture"),
        ("[node name=\"N\" type=\"Sprite2D\" parent=\".\"]\ntexture_filter = ", "1"),
        ("[node name=\"N\" type=\"Sprite2D\" parent=\".\"]\nvisible = ", "false"),
        ("[node name=\"N\" type=\"Sprite2D\" parent=\".\"]\nscript = ExtResource(\"", "1_a"),
        (
            "[node name=\"N\" type=\"RemoteTransform2D\" parent=\"Player\"]\nremote_path = NodePath(\"",
            "../../Enemy",
        ),
        ("[ext_resource type=\"Script\" path=\"res://", "res://player.gd"),
        ("[connection signal=\"\" from=\"Player\" to=\".\" method=\"x\"]", "area_entered"),
        ("[connection signal=\"a\" from=\"Player\" to=\"Player\" method=\"", "_on_hit"),
        ("[sub_resource type=\"", "CircleShape2D"),
        ("[node name=\"N\" ", "groups"),
    ];
    for (version, (typed, wanted)) in (2..).zip(cases) {
        let text = format!("{LEVEL}\n{typed}");
        client.change(&uri, version, json!([{"text": text}]));
        let by = if typed.starts_with("[connection signal=\"\"") { 20 } else { typed.len() };
        let position = place_at(&text, text.len() - typed.len() + by);
        let params = json!({"textDocument": {"uri": uri}, "position": position});
        let items = client.request("textDocument/completion", params);
        let items = items.as_array().unwrap_or_else(|| panic!("{typed}: {items}"));
        let item = items.iter().find(|item| item["label"] == wanted);
        let item = item.unwrap_or_else(|| panic!("{typed}: no {wanted} in {} items", items.len()));
        let edit = json!([item["textEdit"]]);
        let start = text.len() - typed.len() + typed[..by].rfind(['"', '\n', ' ']).unwrap_or(0) + 1;
        let expected =
            format!("{}{wanted}{}", &text[..start], &text[text.len() - typed.len() + by..]);
        assert_eq!(edited(&text, &edit), expected, "{typed}");
    }
    client.end();
}

#[test]
fn hints_lenses_and_colours() {
    let (project, mut client, uri) = opened();
    let text = json!({"textDocument": {"uri": uri}});
    let mut params = text.clone();
    params["range"] =
        json!({"start": {"line": 0, "character": 0}, "end": {"line": 99, "character": 0}});
    let hints = client.request("textDocument/inlayHint", params);
    let labels: Vec<&str> =
        hints.as_array().unwrap().iter().filter_map(|hint| hint["label"].as_str()).collect();
    assert_eq!(labels, ["player.gd", "CircleShape2D", "enemy.tscn"]);
    let enemy = json!({"textDocument": {"uri": project.uri("enemy.tscn")}});
    let lenses = client.request("textDocument/codeLens", enemy);
    let command = json!({"title": "used by 1 file", "command": ""});
    assert_eq!(lenses[0]["command"], command, "the client has no command to show them");
    let colored = LEVEL.replace("speed = 3.0", "modulate = Color(1, 0.5, 0, 1)");
    client.change(&uri, 2, json!([{"text": colored}]));
    let colors = client.request("textDocument/documentColor", text);
    assert_eq!(colors[0]["color"], json!({"red": 1.0, "green": 0.5, "blue": 0.0, "alpha": 1.0}));
    let params = json!({"textDocument": {"uri": uri}, "range": colors[0]["range"], "color": colors[0]["color"]});
    let shown = client.request("textDocument/colorPresentation", params);
    assert_eq!(shown[0]["label"], "Color(1, 0.5, 0, 1)");
    client.end();
}

#[test]
fn a_node_of_another_scene_is_refused_before_a_name_is_typed() {
    let (_project, mut client, uri) = opened();
    let text = LEVEL.replace("parent=\"Player\"]", "parent=\"Enemy/Sprite\"]");
    client.change(&uri, 2, json!([{"text": text}]));
    let position = place(&text, "Enemy/Sprite", 8);
    let params = json!({"textDocument": {"uri": uri}, "position": position});
    let message = client.error("textDocument/prepareRename", params);
    assert!(message.contains("res://enemy.tscn"), "{message}");
    client.end();
}

#[test]
fn a_lens_shows_who_uses_a_scene() {
    let project = TestProject::new();
    let mut capabilities = crate::common::full_capabilities();
    capabilities["experimental"] = json!({"commands": {"commands": ["gdscene.showReferences"]}});
    let mut client = project.client_with(capabilities);
    let enemy = json!({"textDocument": {"uri": project.uri("enemy.tscn")}});
    let lenses = client.request("textDocument/codeLens", enemy);
    let command = &lenses[0]["command"];
    assert_eq!(command["command"], "gdscene.showReferences");
    let users = command["arguments"][2].as_array().unwrap();
    assert_eq!(users.len(), 1, "{users:?}");
    assert_eq!(users[0]["uri"], project.uri("level.tscn"));
    assert_eq!(users[0]["range"]["start"]["line"], 3);
    client.end();
}

#[test]
fn tokens_cover_what_they_mean() {
    let (_project, mut client, uri) = opened();
    let text = LEVEL.replace("speed = 3.0", "; a comment\nname = \"two\nlines\"");
    client.change(&uri, 2, json!([{"text": text}]));
    let legend = client.capabilities["semanticTokensProvider"]["legend"]["tokenTypes"].clone();
    let params = json!({"textDocument": {"uri": uri}});
    let tokens = client.request("textDocument/semanticTokens/full", params);
    let data: Vec<usize> = tokens["data"]
        .as_array()
        .unwrap()
        .iter()
        .map(|number| number.as_u64().unwrap() as usize)
        .collect();
    let lines: Vec<&str> = text.lines().collect();
    let (mut line, mut start) = (0, 0);
    let mut found = Vec::new();
    for token in data.chunks(5) {
        start = if token[0] == 0 { start + token[1] } else { token[1] };
        line += token[0];
        found.push((&lines[line][start..start + token[2]], legend[token[3]].as_str().unwrap()));
    }
    for wanted in [
        ("node", "keyword"),
        ("parent", "parameter"),
        ("\"Player\"", "variable"),
        ("\"Area2D\"", "type"),
        ("\"2_b\"", "string"),
        ("radius", "property"),
        ("4.0", "number"),
        ("ExtResource", "type"),
        ("; a comment", "comment"),
        ("\"two", "string"),
        ("lines\"", "string"),
    ] {
        assert!(found.contains(&wanted), "{wanted:?} in {found:?}");
    }
    client.end();
}

#[test]
fn resources_come_and_go() {
    let (_project, mut client, uri) = opened();
    let mut actions = |needle: &str| {
        let start = place(LEVEL, needle, 2);
        let range = json!({"start": start, "end": start});
        let context = json!({"diagnostics": [], "only": ["refactor"]});
        let params = json!({"textDocument": {"uri": uri}, "range": range, "context": context});
        client.request("textDocument/codeAction", params).as_array().unwrap().clone()
    };
    let extract = actions("[sub_resource");
    assert_eq!(extract[0]["title"], "Extract into res://circle_c.tres");
    let operations = extract[0]["edit"]["documentChanges"].as_array().unwrap();
    let created = operations.iter().find(|operation| operation["kind"] == "create").unwrap();
    assert!(created["uri"].as_str().unwrap().ends_with("/circle_c.tres"), "{created}");
    assert_eq!(actions("[node"), Vec::<Json>::new());
    client.end();
}
