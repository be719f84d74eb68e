//! Each tool, asked as an agent asks.

use serde_json::json;

use crate::common::{SCENE, TestProject};

#[tokio::test]
async fn tools_are_listed_with_words_and_hints() {
    let project = TestProject::new();
    let mut client = project.client().await;
    let tools = client.tools().await;
    let mut size = 0;
    for tool in &tools {
        let name = tool["name"].as_str().unwrap();
        assert!(tool["description"].as_str().unwrap().len() > 60, "{name}");
        assert_eq!(tool["inputSchema"]["type"], "object", "{name}");
        assert_eq!(tool["outputSchema"]["type"], "object", "{name}");
        assert_eq!(tool["annotations"]["openWorldHint"], false, "{name}");
        let reads = tool["annotations"]["readOnlyHint"] == true;
        let writes = tool["inputSchema"]["properties"].get("dry_run").is_some();
        assert_eq!(reads, !writes, "{name}");
        for (argument, schema) in tool["inputSchema"]["properties"].as_object().unwrap() {
            assert!(schema["description"].is_string(), "{name}.{argument}");
        }
        size += tool["description"].to_string().len() + tool["inputSchema"].to_string().len();
    }
    let edit = tools.iter().find(|tool| tool["name"] == "edit").unwrap();
    let operations = edit["inputSchema"]["properties"]["operations"]["description"].as_str();
    assert!(operations.unwrap().contains("\nunset {at}: "), "{operations:?}");
    // A model reads all of them in each of its sessions.
    assert!(size < 20_000, "{size}");
    client.end().await.unwrap();
}

#[tokio::test]
async fn project_facts() {
    let project = TestProject::new();
    let mut client = project.client().await;
    let text = client.text("project", json!({})).await;
    for line in ["Small (Godot 4.6)", "main scene: res://level.tscn", "Player: res://player.gd"] {
        assert!(text.contains(line), "{text}");
    }
}

#[tokio::test]
async fn the_tree_of_a_scene_and_of_what_it_instances() {
    let project = TestProject::new();
    project.write(
        "world.tscn",
        "[gd_scene format=3]\n\n[ext_resource type=\"PackedScene\" path=\"res://level.tscn\" id=\"1_w\"]\n\n\
         [node name=\"World\" type=\"Node\"]\n\n[node name=\"One\" parent=\".\" instance=ExtResource(\"1_w\")]\n",
    );
    let mut client = project.client().await;
    let text = client.text("tree", json!({"file": "level.tscn"})).await;
    assert!(text.contains("\n  Player: Node2D (res://player.gd) {health}"), "{text}");
    let answer = client.call("tree", json!({"file": "world.tscn", "resolve": true})).await;
    assert_eq!(answer.data["nodes"]["items"][2]["path"], "One/Player", "{}", answer.text);
    assert!(answer.text.contains("made by res://level.tscn"), "{}", answer.text);
    let arguments = json!({"file": "world.tscn", "resolve": true, "depth": 1});
    assert!(!client.text("tree", arguments).await.contains("Player"));
    let refusal = client.refusal("tree", json!({"file": "world.tscn", "node": "Onee"})).await;
    assert_eq!(refusal, "no node `Onee` in `res://world.tscn`; did you mean `One`?");
    let refusal = client.refusal("tree", json!({"file": "player.gd"})).await;
    assert!(refusal.contains("is not a text scene or resource"), "{refusal}");
}

#[tokio::test]
async fn values_and_where_they_come_from() {
    let project = TestProject::new();
    let mut client = project.client().await;
    let get = |at: &str| json!({"file": "level.tscn", "at": at});
    let text = client.text("get", get("Player")).await;
    assert!(text.contains("\nhealth: int = 5") && !text.contains("rotation"), "{text}");
    let all = json!({"file": "level.tscn", "at": "Player", "defaults": true});
    let text = client.text("get", all).await;
    assert!(text.contains("\nvisible: bool = true [class]"), "{text}");
    let text = client.text("get", get(".:scale")).await;
    assert!(text.ends_with("scale: Vector2 = Vector2(1, 1) [class]"), "{text}");
    let refusal = client.refusal("get", get("Player:helth")).await;
    assert!(refusal.contains("did you mean `health`?"), "{refusal}");
    project.write(
        "speed.tres",
        "[gd_resource type=\"Gradient\" format=3]\n\n[resource]\ninterpolation_mode = 1\n",
    );
    let text = client.text("get", json!({"file": "speed.tres", "at": ":"})).await;
    assert!(text.contains("interpolation_mode: Gradient.InterpolationMode = 1"), "{text}");
}

#[tokio::test]
async fn check_counts_what_it_does_not_list() {
    let project = TestProject::new();
    for name in ["a", "b", "c"] {
        project.write(
            &format!("{name}.tscn"),
            &SCENE.replace("player.gd", "gone.gd").replace("0level", name),
        );
    }
    let mut client = project.client().await;
    let answer = client.call("check", json!({"severity": "error", "limit": 2})).await;
    assert_eq!(answer.data["findings"]["items"].as_array().unwrap().len(), 2, "{}", answer.text);
    assert_eq!(answer.data["findings"]["more"], 1);
    assert_eq!(answer.data["errors"], 3);
    assert!(answer.text.contains("1 more; narrow by"), "{}", answer.text);
    let only = client.text("check", json!({"paths": ["b.tscn"], "rules": ["missing-file"]})).await;
    assert!(only.contains("res://b.tscn:3:34: error RES001"), "{only}");
    assert!(!only.contains("res://a.tscn"), "{only}");
    let refusal = client.refusal("check", json!({"rules": ["RES01"]})).await;
    assert!(refusal.contains("did you mean `RES0"), "{refusal}");
    let refusal = client.refusal("check", json!({"paths": ["levl.tscn"]})).await;
    assert!(refusal.contains("did you mean `res://level.tscn`?"), "{refusal}");
}

#[tokio::test]
async fn explain() {
    let project = TestProject::new();
    let mut client = project.client().await;
    let text = client.text("explain", json!({"rule": "res001"})).await;
    assert!(text.starts_with("RES001 missing-file (error)\n\n## What it does\n"), "{text}");
    let all = client.text("explain", json!({})).await;
    assert_eq!(all.lines().count(), gdscene_lint::all_rules().count());
}

#[tokio::test]
async fn rules_of_the_project() {
    let project = TestProject::new();
    let rule = "[[rule]]\ncode = \"GAME001\"\nname = \"root-name\"\nmessage = \"the root is called `{name}`\"\n\
                nodes = { root = true }\nmust = { name = \"Stage\" }\n";
    project.write("gdscene.toml", rule);
    let mut client = project.client().await;
    let text = client.text("explain", json!({"rule": "root-name"})).await;
    assert!(text.starts_with("GAME001 root-name (warning)\n\n## What it does\n"), "{text}");
    let all = client.text("explain", json!({})).await;
    assert_eq!(all.lines().count(), gdscene_lint::all_rules().count() + 1);
    let found = client.text("check", json!({"rules": ["GAME001"]})).await;
    assert!(found.contains("the root is called `Level`"), "{found}");
    let refusal = client.refusal("check", json!({"rules": ["GAME002"]})).await;
    assert!(refusal.contains("did you mean `GAME001`?"), "{refusal}");
}

#[tokio::test]
async fn classes_of_godot_and_of_scripts() {
    let project = TestProject::new();
    let mut client = project.client().await;
    let text = client.text("class", json!({"name": "Timer", "filter": "wait"})).await;
    assert!(text.contains("wait_time: float = 1.0"), "{text}");
    let text = client.text("class", json!({"name": "Area2D"})).await;
    assert!(text.contains("body_entered(Node2D)"), "{text}");
    for name in ["Player", "res://player.gd", "player.gd"] {
        let text = client.text("class", json!({"name": name})).await;
        assert!(text.contains("extends Node2D < CanvasItem"), "{text}");
        assert!(text.contains("@export health = 3") && text.contains("died"), "{text}");
        assert!(text.contains("hurt: 1 arguments"), "{text}");
    }
    let inherited = client.text("class", json!({"name": "Player", "filter": "rotation"})).await;
    assert!(inherited.contains("rotation_degrees: float"), "{inherited}");
    let refusal = client.refusal("class", json!({"name": "Sprte2D"})).await;
    assert!(refusal.contains("did you mean `Sprite2D`?"), "{refusal}");
}

#[tokio::test]
async fn references() {
    let project = TestProject::new();
    let mut client = project.client().await;
    let of_file = client.text("references", json!({"kind": "file", "file": "player.gd"})).await;
    assert!(of_file.starts_with("1 references"), "{of_file}");
    assert!(of_file.contains("\nres://level.tscn"), "{of_file}");
    let arguments = json!({"kind": "property", "file": "res://player.gd", "name": "health"});
    let of_property = client.text("references", arguments).await;
    for place in ["res://player.gd:6:13", "res://player.gd:10:2", "res://level.tscn:9:1"] {
        assert!(of_property.contains(place), "{of_property}");
    }
    let of_class = client.text("references", json!({"kind": "class", "name": "Node2D"})).await;
    assert!(of_class.contains("res://level.tscn: Player"), "{of_class}");
    assert_eq!(project.read("level.tscn"), SCENE);
}

#[tokio::test]
async fn edits_are_written_checked_and_taken_back() {
    let project = TestProject::new();
    let mut client = project.client().await;
    let operations = json!([
        {"op": "add", "node": "Hud", "type": "CanvasLayer"},
        {"op": "add", "node": "Hud/Score", "type": "Label", "properties": {"text": "0"}},
        {"op": "set", "at": "Player:health", "value": 9}
    ]);
    let arguments = json!({"file": "level.tscn", "operations": operations, "dry_run": true});
    let dry = client.text("edit", arguments).await;
    assert!(dry.contains("dry run") && dry.contains("+health = 9"), "{dry}");
    assert_eq!(project.read("level.tscn"), SCENE);
    let arguments = json!({"file": "level.tscn", "operations": operations});
    let answer = client.call("edit", arguments).await;
    assert_eq!(answer.data["is_done"], true, "{}", answer.text);
    assert_eq!(answer.data["outcomes"]["items"][1]["node"], "Hud/Score");
    let edited = project.read("level.tscn");
    assert!(edited.contains("[node name=\"Score\" type=\"Label\" parent=\"Hud\""), "{edited}");
    assert!(edited.contains("health = 9"), "{edited}");
    client.text("undo", json!({})).await;
    assert_eq!(project.read("level.tscn"), SCENE);
    client.text("undo", json!({})).await;
    assert_eq!(project.read("level.tscn"), edited);
}

#[tokio::test]
async fn edits_that_break_something_are_refused() {
    let project = TestProject::new();
    let mut client = project.client().await;
    let connect =
        json!({"op": "connect", "signal": "died", "from": "Player", "to": ".", "method": "gone"});
    let good = json!({"op": "set", "at": "Player:health", "value": 9});
    project.write("level.gd", "extends Node2D\n");
    let attach = json!({"op": "attach", "node": ".", "script": "level.gd"});
    let operations = json!([good, attach, connect]);
    let arguments = json!({"file": "level.tscn", "operations": operations});
    let refusal = client.refusal("edit", arguments.clone()).await;
    assert!(refusal.contains("nothing was changed") && refusal.contains("SIG003"), "{refusal}");
    assert_eq!(project.read("level.tscn"), SCENE);
    let mut dry = arguments.clone();
    dry["dry_run"] = true.into();
    assert_eq!(client.refusal("edit", dry).await, refusal);
    let mut allowed = arguments;
    allowed["allow_errors"] = true.into();
    let text = client.text("edit", allowed).await;
    assert!(text.contains("new findings (1)"), "{text}");
    assert!(project.read("level.tscn").contains("method=\"gone\""));
}

#[tokio::test]
async fn renames_and_moves_take_along_what_names_them() {
    let project = TestProject::new();
    let mut client = project.client().await;
    let rename = |kind: &str, file: &str, name: &str, new_name: &str| json!({"kind": kind, "file": file, "name": name, "new_name": new_name});
    client.text("rename", rename("property", "player.gd", "health", "lives")).await;
    assert!(project.read("player.gd").contains("lives -= amount"));
    assert!(project.read("level.tscn").contains("lives = 5"));
    client.text("rename", rename("node", "level.tscn", "Player", "Hero")).await;
    client.text("rename", rename("method", "player.gd", "hurt", "harm")).await;
    client.text("rename", rename("signal", "player.gd", "died", "fell")).await;
    client.text("rename", json!({"kind": "class", "name": "Player", "new_name": "Hero"})).await;
    let script = project.read("player.gd");
    for name in ["class_name Hero", "func harm(", "signal fell"] {
        assert!(script.contains(name), "{script}");
    }
    client.text("move_file", json!({"from": "player.gd", "to": "actors/"})).await;
    assert!(project.read("level.tscn").contains("res://actors/player.gd"));
    let operations = json!([{"op": "add", "node": "World", "type": "Node2D"}]);
    client.text("edit", json!({"file": "level.tscn", "operations": operations})).await;
    let arguments = json!({"scene": "level.tscn", "node": "Hero", "new_parent": "World"});
    client.text("move_node", arguments).await;
    let scene = project.read("level.tscn");
    assert!(scene.contains("[node name=\"Hero\" type=\"Node2D\" parent=\"World\""), "{scene}");
    let check = client.text("check", json!({})).await;
    assert!(check.contains("0 errors"), "{check}");
    let refusal = client.refusal("rename", rename("node", "level.tscn", "Wrld", "X")).await;
    assert!(refusal.contains("did you mean `World`?"), "{refusal}");
    project.write("foe.gd", "extends Node\nfunc _ready():\n\tadd_to_group(\"foes\")\n");
    client.text("rename", json!({"kind": "group", "name": "foes", "new_name": "enemies"})).await;
    assert!(project.read("foe.gd").contains("add_to_group(\"enemies\")"));
    let arguments = json!({"kind": "node", "name": "Hero", "new_name": "X"});
    let refusal = client.refusal("rename", arguments).await;
    assert!(refusal.contains("`file` is missing: the scene"), "{refusal}");
}

#[tokio::test]
async fn fix_and_format() {
    let project = TestProject::new();
    let unused = "[ext_resource type=\"Script\" path=\"res://player.gd\" id=\"2_b\"]\n\n[node name=\"Level\"";
    project.write("level.tscn", &SCENE.replace("[node name=\"Level\"", unused));
    project.write("other.tscn", "[gd_scene   format=3]\n[node   name=\"A\" type=\"Node\"]\n");
    let mut client = project.client().await;
    let dry = client.text("fix", json!({"paths": ["level.tscn"], "dry_run": true})).await;
    assert!(dry.starts_with("1 fixes would be applied"), "{dry}");
    client.text("fix", json!({"paths": ["level.tscn"]})).await;
    assert_eq!(project.read("level.tscn"), SCENE);
    client.text("format", json!({"paths": ["res://"]})).await;
    let formatted = project.read("other.tscn");
    assert_eq!(formatted, "[gd_scene format=3]\n\n[node name=\"A\" type=\"Node\"]\n");
    assert_eq!(project.read("level.tscn"), SCENE);
    let again = client.text("format", json!({"paths": ["res://"]})).await;
    assert!(again.contains("nothing to change"), "{again}");
    client.text("undo", json!({})).await;
    assert_ne!(project.read("other.tscn"), formatted);
}

#[tokio::test]
async fn files_that_change_between_calls_are_read_again() {
    let project = TestProject::new();
    let mut client = project.client().await;
    let before = client.text("check", json!({})).await;
    assert!(before.contains("0 errors"), "{before}");
    std::fs::remove_file(project.root().join("player.gd")).unwrap();
    let after = client.text("check", json!({})).await;
    assert!(after.contains("RES001"), "{after}");
    project.write("gdscene.toml", "[lint]\nignore = [\"NOT\n");
    let noted = client.text("check", json!({})).await;
    assert!(noted.contains("\nnote: "), "{noted}");
}

/// A journal that came with the project says anything its author wants.
#[cfg(unix)]
#[tokio::test]
async fn the_journal_of_a_stranger() {
    let project = TestProject::new();
    let victim = project.folder.path().join("victim");
    std::fs::create_dir(&victim).unwrap();
    std::fs::write(victim.join("0"), "mine").unwrap();
    project.write(".godot/gdscene/pending/journal", &format!("gdsjrn02{}", "x".repeat(60)));
    std::fs::create_dir(project.root().join(".godot/gdscene/pending/kept")).unwrap();
    std::fs::create_dir(project.root().join(".godot/gdscene/last")).unwrap();
    let kept = project.root().join(".godot/gdscene/last/kept");
    std::os::unix::fs::symlink(&victim, &kept).unwrap();
    let mut client = project.client().await;
    let reason = "was not written by your gdscene";
    // Tools that only read continue to work.
    let read = client.text("check", json!({})).await;
    assert!(read.contains("0 errors") && read.contains(reason), "{read}");
    let scene = json!({"operations": [{"op": "set", "file": "level.tscn", "at": ".:visible", "value": "false"}]});
    for (tool, arguments) in [
        ("fix", json!({"paths": ["res://"]})),
        ("format", json!({"paths": ["res://"]})),
        ("edit", scene.clone()),
        ("undo", json!({})),
    ] {
        let refusal = client.refusal(tool, arguments).await;
        assert!(refusal.contains(reason), "{tool}: {refusal}");
    }
    assert_eq!(project.read("level.tscn"), SCENE);
    std::fs::remove_dir_all(project.root().join(".godot/gdscene/pending")).unwrap();
    client.text("edit", scene).await;
    assert_ne!(project.read("level.tscn"), SCENE);
    client.text("undo", json!({})).await;
    assert_eq!(project.read("level.tscn"), SCENE);
    assert_eq!(std::fs::read_dir(&victim).unwrap().count(), 1);
}

/// A folder under two paths: its files have one uid each, and a second run finds nothing to do.
#[cfg(unix)]
#[tokio::test]
async fn fixes_settle_with_links_to_folders() {
    let project = TestProject::new();
    project.write(
        "sub/a.tscn",
        "[gd_scene format=3 uid=\"uid://b1l5fq6ud5xyb\"]\n\n[node name=\"A\" type=\"Node\"]\n",
    );
    project.write("sub/s.gd", "extends Node\n");
    project.write("sub/s.gd.uid", "uid://c1l5fq6ud5xyb\n");
    let scene = "[gd_scene format=3 uid=\"uid://d1l5fq6ud5xyb\"]\n\n\
         [ext_resource type=\"Script\" uid=\"uid://c1l5fq6ud5xyb\" path=\"res://linked/s.gd\" id=\"1\"]\n\n\
         [node name=\"B\" type=\"Node\"]\nscript = ExtResource(\"1\")\n";
    project.write("b.tscn", scene);
    std::os::unix::fs::symlink("sub", project.root().join("linked")).unwrap();
    std::os::unix::fs::symlink("sub/a.tscn", project.root().join("first.tscn")).unwrap();
    let mut client = project.client().await;
    let arguments = json!({"paths": ["res://", "linked/a.tscn", "first.tscn"], "unsafe": true});
    for _ in 0..2 {
        let fixed = client.text("fix", arguments.clone()).await;
        assert!(fixed.starts_with("0 fixes applied; 0 errors and warnings left"), "{fixed}");
    }
    // Next to a real copy, it gets one new uid under all of its paths, once.
    let old = project.read("sub/a.tscn");
    project.write("copy.tscn", &old);
    client.text("fix", arguments.clone()).await;
    assert!(project.read("copy.tscn") == old && project.read("sub/a.tscn") != old);
    let again = client.text("fix", arguments).await;
    assert!(again.starts_with("0 fixes applied; 0 errors and warnings left"), "{again}");
}
