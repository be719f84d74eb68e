//! The protocol's requirements of a server, and possible mistakes of a client.

use std::fs;

use serde_json::{Value as Json, json};

use crate::common::{Answer, Client, SCENE, TestProject};

#[tokio::test]
async fn a_client_that_closes_the_input_ends_the_server() {
    let project = TestProject::new();
    project.client().await.end().await.unwrap();
    Client::connect(&project.root(), false).end().await.unwrap();
    let mut client = project.client().await;
    client.begin("tools/call", json!({"name": "check", "arguments": {}})).await;
    client.end().await.unwrap();
}

#[tokio::test]
async fn unknown_tools_and_methods_are_errors_of_the_protocol() {
    let project = TestProject::new();
    let mut client = project.client().await;
    let answer = client.request("tools/call", json!({"name": "chek", "arguments": {}})).await;
    assert_eq!(answer["error"]["code"], -32602, "{answer}");
    let message = answer["error"]["message"].as_str().unwrap();
    assert_eq!(message, "unknown tool `chek`; did you mean `check`?");
    let answer = client.request("tools/burn", json!({})).await;
    assert_eq!(answer["error"]["code"], -32601, "{answer}");
    let answer = client.request("tools/call", json!({"name": "x".repeat(100_000)})).await;
    assert!(answer.to_string().len() < 1_000);
    client.text("project", json!({})).await;
}

#[tokio::test]
async fn lines_that_are_not_requests_do_not_end_the_server() {
    let project = TestProject::new();
    let mut client = project.client().await;
    for line in ["", "{", "\u{0}\u{1}", "nonsense", "[1, 2", "\u{feff}{\"jsonrpc\": "] {
        client.send_line(line).await;
    }
    client.text("project", json!({})).await;
    for line in ["7", "[]", "{\"jsonrpc\": \"2.0\", \"id\": 1}", "{\"id\": {}, \"method\": 3}"] {
        client.send_line(line).await;
        assert_eq!(client.receive().await["error"]["code"], -32600, "{line}");
    }
    // Longer than a message may be: it is left out.
    let long = format!("{{\"jsonrpc\": \"2.0\", \"x\": \"{}\"}}", "a".repeat(17 << 20));
    client.send_line(&long).await;
    client.text("project", json!({})).await;
    client.end().await.unwrap();
}

#[tokio::test]
async fn wrong_arguments_are_told_to_the_model() {
    let project = TestProject::new();
    let mut client = project.client().await;
    for (tool, arguments, told) in [
        ("check", json!({"path": "x"}), "expected one of `paths`"),
        ("check", json!({"paths": "level.tscn"}), "expected a sequence"),
        ("check", json!({"limit": -1}), "invalid value"),
        ("check", json!({"severity": "fatal"}), "expected one of `info`, `warning`, `error`"),
        ("explain", json!({"rule": 7}), "expected a string"),
        ("rename", json!({"kind": "nod", "name": "a", "new_name": "b"}), "`node`"),
        ("edit", json!({"file": "level.tscn"}), "missing field `operations`"),
        ("edit", json!({"operations": []}), "`operations` is empty"),
        ("edit", json!({"operations": [7]}), "an operation must be an object"),
        ("edit", json!({"operations": [{"op": "sett"}]}), "did you mean `set`?"),
        ("edit", json!({"operations": [{"op": "unset", "at": "Player:x"}]}), "`file` is missing"),
        ("move_node", json!({"scene": "level.tscn"}), "missing field `node`"),
    ] {
        let refusal = client.refusal(tool, arguments).await;
        assert!(refusal.contains(told), "{refusal}");
    }
    let answer = client.request("tools/call", json!({"name": "check", "arguments": [1]})).await;
    assert!(answer["error"].is_object(), "{answer}");
    assert_eq!(project.read("level.tscn"), SCENE);
}

#[tokio::test]
async fn nothing_outside_of_the_project_is_touched() {
    let project = TestProject::new();
    let outside = project.folder.path().join("secret.tscn");
    fs::write(&outside, SCENE).unwrap();
    let mut client = project.client().await;
    for path in [
        "../secret.tscn",
        "res://../secret.tscn",
        "res://a/../../secret.tscn",
        "..\\secret.tscn",
        outside.to_str().unwrap(),
        "/etc/passwd",
        "user://x.tscn",
        "file:///etc/passwd",
        ".godot/x.tscn",
        "res://.git/config",
        "a/.hidden/x.tscn",
        "a\u{0}b.tscn",
    ] {
        let new = json!({"operations": [{"op": "new", "file": path, "type": "Node"}]});
        client.refusal("edit", new).await;
        let set = json!({"op": "set", "at": "Player:health", "value": 1});
        client.refusal("edit", json!({"file": path, "operations": [set]})).await;
        client.refusal("check", json!({"paths": [path]})).await;
        client.refusal("format", json!({"paths": [path]})).await;
        client.refusal("fix", json!({"paths": [path]})).await;
        client.refusal("move_file", json!({"from": "level.tscn", "to": path})).await;
        client.refusal("move_file", json!({"from": path, "to": "x.tscn"})).await;
        client.refusal("class", json!({"name": path})).await;
    }
    assert_eq!(fs::read_to_string(outside).unwrap(), SCENE);
    assert_eq!(fs::read_dir(project.folder.path()).unwrap().count(), 2);
    assert_eq!(project.read("level.tscn"), SCENE);
    // A path from the root of the file system is good if it leads into the project.
    let inside = project.root().join("level.tscn");
    client.text("check", json!({"paths": [inside]})).await;
}

#[cfg(unix)]
#[tokio::test]
async fn links_out_of_the_project_are_not_written_through() {
    let project = TestProject::new();
    let outside = project.folder.path().join("outside");
    fs::create_dir(&outside).unwrap();
    fs::write(outside.join("level.tscn"), SCENE.replace("0level", "1level")).unwrap();
    std::os::unix::fs::symlink(&outside, project.root().join("linked")).unwrap();
    std::os::unix::fs::symlink(outside.join("level.tscn"), project.root().join("link.tscn"))
        .unwrap();
    let mut client = project.client().await;
    let before = fs::read_to_string(outside.join("level.tscn")).unwrap();
    let set = json!({"op": "set", "at": "Player:health", "value": 1});
    for file in ["linked/level.tscn", "link.tscn"] {
        let refusal = client.refusal("edit", json!({"file": file, "operations": [set]})).await;
        assert!(refusal.contains("a link leads out of the project"), "{refusal}");
    }
    let new = json!({"op": "new", "file": "linked/new.tscn", "type": "Node"});
    client.refusal("edit", json!({"operations": [new]})).await;
    client.refusal("move_file", json!({"from": "level.tscn", "to": "linked/x.tscn"})).await;
    let arguments = json!({"kind": "node", "file": "link.tscn", "name": "Player", "new_name": "X"});
    client.refusal("rename", arguments).await;
    assert_eq!(fs::read_to_string(outside.join("level.tscn")).unwrap(), before);
    assert_eq!(fs::read_dir(outside).unwrap().count(), 1);
}

#[tokio::test]
async fn a_read_only_server_has_no_tools_that_write() {
    let project = TestProject::new();
    let mut client = Client::start(&project.root(), true).await;
    let tools = client.tools().await;
    assert!(tools.iter().all(|tool| tool["annotations"]["readOnlyHint"] == true));
    let names: Vec<&str> = tools.iter().map(|tool| tool["name"].as_str().unwrap()).collect();
    for writing in ["edit", "rename", "move_file", "move_node", "fix", "format", "undo"] {
        assert!(!names.contains(&writing));
        for dry_run in [false, true] {
            let refusal = client.refusal(writing, json!({"dry_run": dry_run})).await;
            assert!(refusal.contains("--read-only"), "{refusal}");
        }
    }
    for name in names {
        // Some want arguments; none may write.
        let parameters = json!({"name": name, "arguments": {}});
        client.request("tools/call", parameters).await;
    }
    client.end().await.unwrap();
    let mut entries: Vec<_> =
        fs::read_dir(project.root()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    entries.sort();
    assert_eq!(entries, ["level.tscn", "player.gd", "project.godot"]);
}

#[tokio::test]
async fn broken_files_are_refused_and_left_alone() {
    let project = TestProject::new();
    let broken = "[gd_scene format=3]\n\n[node name=\"A\" type=\"Node\"\nx = Vector2(1,\n";
    project.write("broken.tscn", broken);
    project.write("binary.tscn", "RSRC\u{1}\u{2}");
    let mut client = project.client().await;
    for file in ["broken.tscn", "binary.tscn"] {
        let set = json!({"op": "set", "at": ".:process_mode", "value": 1});
        let refusal = client.refusal("edit", json!({"file": file, "operations": [set]})).await;
        assert!(refusal.contains(file), "{refusal}");
        client.text("check", json!({"paths": [file]})).await;
    }
    assert_eq!(project.read("broken.tscn"), broken);
}

#[tokio::test]
async fn files_of_other_kinds_are_not_taken_for_scenes() {
    let project = TestProject::new();
    let image = "[node name=\"A\"]\n\u{1}";
    project.write("art/icon.png", image);
    let mut client = project.client().await;
    for tool in ["check", "fix", "format"] {
        let refusal = client.refusal(tool, json!({"paths": ["art/icon.png"]})).await;
        assert!(refusal.contains("`res://art/icon.png` is not a scene"), "{refusal}");
        // In a folder, they are left out.
        client.text(tool, json!({"paths": ["art"]})).await;
    }
    assert_eq!(project.read("art/icon.png"), image);
}

#[tokio::test]
async fn answers_are_cut() {
    let project = TestProject::new();
    let nodes: String =
        (0..3_000).map(|i| format!("\n[node name=\"N{i}\" type=\"Nod\" parent=\".\"]\n")).collect();
    let text = format!("[gd_scene format=3]\n\n[node name=\"A\" type=\"Node\"]\n{nodes}");
    project.write("large.tscn", &text);
    let mut client = project.client().await;
    let arguments = json!({"paths": ["large.tscn"], "limit": 200});
    let answer = client.call("check", arguments).await;
    assert!(answer.text.chars().count() < 21_000, "{}", answer.text.len());
    assert!(answer.data.to_string().len() < 60_000, "{}", answer.data.to_string().len());
    assert!(answer.data["findings"]["more"].as_u64().unwrap() > 2_000, "{}", answer.text);
    // Names of a megabyte, and a node with very many properties.
    let name = "N".repeat(1 << 20);
    let properties: String = (0..20_000).map(|i| format!("metadata/m{i} = 1\n")).collect();
    let text =
        format!("[gd_scene format=3]\n\n[node name=\"{name}\" type=\"{name}\"]\n{properties}");
    project.write("names.tscn", &text);
    for (tool, arguments) in [
        ("tree", json!({"file": "names.tscn"})),
        ("get", json!({"file": "names.tscn", "at": "."})),
        ("check", json!({"paths": ["names.tscn"]})),
        ("references", json!({"kind": "node", "file": "names.tscn", "name": "."})),
        ("rename", json!({"kind": "node", "file": "names.tscn", "name": ".", "new_name": "A"})),
    ] {
        let answer = client.call(tool, arguments).await;
        assert!(answer.text.chars().count() < 21_000, "{tool}: {}", answer.text.len());
        assert!(
            answer.data.to_string().len() < 60_000,
            "{tool}: {}",
            answer.data.to_string().len()
        );
    }
    // A value that is longer than any answer.
    let set = json!({"op": "set", "at": "A:editor_description", "value": "x".repeat(1 << 20)});
    let add = json!({"op": "add", "node": "A", "type": "Node"});
    let arguments = json!({"file": "level.tscn", "operations": [add, set]});
    let answer = client.call("edit", arguments).await;
    assert!(!answer.is_error && answer.text.len() < 20_000, "{}", answer.text);
}

#[tokio::test]
async fn calls_at_the_same_time() {
    let project = TestProject::new();
    let mut client = project.client().await;
    let mut expected = Vec::new();
    for number in 0..20 {
        let add = json!({"op": "add", "node": format!("N{number}"), "type": "Node"});
        let arguments = json!({"file": "level.tscn", "operations": [add]});
        let edit = json!({"name": "edit", "arguments": arguments});
        expected.push(client.begin("tools/call", edit).await);
        let check = json!({"name": "check", "arguments": {}});
        expected.push(client.begin("tools/call", check).await);
    }
    let mut answered = Vec::new();
    for _ in 0..expected.len() {
        let answer = client.receive().await;
        assert!(!Answer::of(&answer).is_error, "{answer}");
        answered.push(answer["id"].as_i64().unwrap());
    }
    answered.sort_unstable();
    assert_eq!(answered, expected);
    let scene = project.read("level.tscn");
    assert!((0..20).all(|number| scene.contains(&format!("name=\"N{number}\""))), "{scene}");
    let check = client.text("check", json!({})).await;
    assert!(check.contains("0 errors"), "{check}");
}

#[tokio::test]
async fn a_cancelled_call_does_not_end_the_server() {
    let project = TestProject::new();
    let mut client = project.client().await;
    for _ in 0..10 {
        let add = json!({"op": "add", "node": "Late", "type": "Node"});
        let arguments = json!({"file": "level.tscn", "operations": [add]});
        let id = client.begin("tools/call", json!({"name": "edit", "arguments": arguments})).await;
        let cancel: Json = json!({
            "jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": id}
        });
        client.send(&cancel).await;
    }
    let check = client.text("check", json!({})).await;
    assert!(check.contains("0 errors"), "{check}");
}

#[tokio::test]
async fn a_project_that_is_gone_is_told() {
    let project = TestProject::new();
    let mut client = project.client().await;
    client.text("project", json!({})).await;
    fs::rename(project.root(), project.folder.path().join("elsewhere")).unwrap();
    client.refusal("project", json!({})).await;
    fs::rename(project.folder.path().join("elsewhere"), project.root()).unwrap();
    client.text("project", json!({})).await;
}
