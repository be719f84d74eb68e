//! An agent builds a small game from nothing. It has a menu, a player with two animations, a tile map, an inherited scene, a
//! level with overrides, a theme, a translation, and the settings. `scripts/test/project/edits.sh` lets Godot run the same.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value as Json, json};

use crate::common::{Client, TestProject};

/// An agent should not need more.
const MAX_CALLS: usize = 8;

fn game() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/game")
}

fn sorted(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut paths: Vec<PathBuf> = entries.filter(|path| path.is_file()).collect();
    paths.sort();
    paths
}

/// A project with the scripts, which an agent writes by itself.
fn project() -> TestProject {
    let project = TestProject::new();
    for name in ["level.tscn", "player.gd"] {
        fs::remove_file(project.root().join(name)).unwrap();
    }
    for path in sorted(&game()) {
        let name = path.file_name().unwrap().to_str().unwrap();
        project.write(name, &fs::read_to_string(&path).unwrap());
    }
    project
}

#[tokio::test]
async fn a_game_is_built_in_a_few_calls() {
    let project = project();
    let mut client = project.client().await;
    let calls = sorted(&game().join("calls"));
    for call in &calls {
        let operations: Json = serde_json::from_str(&fs::read_to_string(call).unwrap()).unwrap();
        let dry = client.call("edit", json!({"operations": operations, "dry_run": true})).await;
        let real = client.call("edit", json!({"operations": operations})).await;
        assert!(!real.is_error, "{call:?}: {}", real.text);
        assert_eq!(real.data["new_findings"]["items"], json!([]), "{call:?}: {}", real.text);
        let notes = real.data["outcomes"]["items"].as_array().unwrap().iter();
        assert!(notes.clone().all(|outcome| outcome["notes"] == json!([])), "{}", real.text);
        // A dry run reports its changes without making them.
        let state = " (dry run, nothing is written)\n";
        assert_eq!(dry.text.replacen(state, " (done)\n", 1), real.text);
        let mut data = dry.data;
        data["is_done"] = true.into();
        assert_eq!(data, real.data);
    }
    let check = client.text("check", json!({})).await;
    assert!(check.contains("0 errors, 0 warnings"), "{check}");
    assert!(calls.len() < MAX_CALLS);
    looks(&mut client).await;
}

/// The tools see the built game.
async fn looks(client: &mut Client) {
    let facts = client.text("project", json!({})).await;
    for line in ["main scene: res://menu.tscn", "Score: res://score.gd", "jump"] {
        assert!(facts.contains(line), "{facts}");
    }
    let get = json!({"file": "tiles.tres", "at": ":sources/0:1:0/0/custom_data_0"});
    assert!(client.text("get", get).await.contains("\"grass\""));
    let shape = json!({"file": "level.tscn", "at": "Boss/Shape:position"});
    assert!(client.text("get", shape).await.contains("Vector2(0, -2)"));
}
