//! The examples to copy in `docs/agents.md` work: its hooks are run, and its tools are those of the
//! server.
#![cfg(unix)]

use std::collections::BTreeSet;
use std::fs;
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value as Json;

use crate::common::{caches, gdscene, scratch};

const SCENE: &str = "[gd_scene format=3]\n\n[ext_resource type=\"Script\" path=\"res://a.gd\" id=\"1\"]\n\n\
     [node name=\"A\" type=\"Node\"]\nscript = ExtResource(\"1\")\n";

fn page() -> String {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/agents.md");
    fs::read_to_string(page).unwrap().replace("\r\n", "\n")
}

/// The blocks of a language.
fn blocks(language: &str) -> Vec<String> {
    let page = page();
    let fence = format!("\n```{language}\n");
    let ends = |rest: &str| rest.split("\n```").next().unwrap().to_owned() + "\n";
    page.split(&fence).skip(1).map(ends).collect()
}

/// The script that says in its second line that it is this file.
fn script(name: &str) -> String {
    let head = format!("# {name}\n");
    let found = blocks("sh").into_iter().find(|block| block.contains(&head));
    found.unwrap_or_else(|| panic!("no script {name}"))
}

fn json_with(key: &str) -> Json {
    let parsed = blocks("json").into_iter().map(|block| serde_json::from_str(&block).unwrap());
    parsed.into_iter().find(|json: &Json| json.to_string().contains(key)).unwrap()
}

/// A project in a git repository, all of it committed.
fn repository(name: &str) -> PathBuf {
    let folder = scratch(name);
    fs::write(folder.join("project.godot"), "config_version=5\n").unwrap();
    fs::write(folder.join("a.gd"), "extends Node\n").unwrap();
    fs::write(folder.join("a.tscn"), SCENE).unwrap();
    for command in ["git init -q", "git add -A", "git commit -q -m first"] {
        assert!(sh(&folder, command, "").status.success(), "{command}");
    }
    folder
}

fn break_scene(folder: &Path) {
    fs::write(folder.join("a.tscn"), SCENE.replace("a.gd", "gone.gd")).unwrap();
}

/// Runs a command as a shell does where `gdscene` is on the path.
fn sh(folder: &Path, command: &str, stdin: &str) -> Output {
    let program = Path::new(env!("CARGO_BIN_EXE_gdscene")).parent().unwrap().to_owned();
    let path = std::env::var_os("PATH").unwrap_or_default();
    let paths = std::iter::once(program).chain(std::env::split_paths(&path));
    let mut child = Command::new("sh")
        .args(["-c", command])
        .current_dir(folder)
        .env("PATH", std::env::join_paths(paths).unwrap())
        .env("CLAUDE_PROJECT_DIR", folder)
        .env("XDG_CACHE_HOME", caches())
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .envs([("GIT_AUTHOR_NAME", "a"), ("GIT_AUTHOR_EMAIL", "a@localhost")])
        .envs([("GIT_COMMITTER_NAME", "a"), ("GIT_COMMITTER_EMAIL", "a@localhost")])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A command that does not read it may have ended.
    let _ = child.stdin.take().unwrap().write_all(stdin.as_bytes());
    child.wait_with_output().unwrap()
}

fn install(folder: &Path, name: &str) -> PathBuf {
    let place = folder.join(name);
    fs::create_dir_all(place.parent().unwrap()).unwrap();
    fs::write(&place, script(name)).unwrap();
    fs::set_permissions(&place, fs::Permissions::from_mode(0o755)).unwrap();
    place
}

fn has_jq() -> bool {
    let found = Command::new("jq").arg("--version").output().is_ok_and(|out| out.status.success());
    if !found {
        println!("SKIPPED: hooks that read their input with jq, which is not there");
    }
    found
}

/// The status, and the text on standard error.
fn outcome(output: &Output) -> (Option<i32>, String) {
    (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
}

#[test]
fn the_command_and_its_status() {
    let folder = repository("agents_command");
    let command = blocks("sh").remove(0);
    assert_eq!(sh(&folder, &command, "").status.code(), Some(0));
    break_scene(&folder);
    let output = sh(&folder, &command, "");
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stdout).contains("RES001"));
    let file = "gdscene check --severity error a.tscn";
    assert_eq!(sh(&folder, file, "").status.code(), Some(1));
    assert_eq!(sh(&folder, "gdscene check --severity error b.tscn", "").status.code(), Some(2));
}

#[test]
fn claude_code() {
    let folder = repository("agents_claude");
    let settings = json_with("PostToolUse");
    let hook = &settings["hooks"]["PostToolUse"][0]["hooks"][0];
    let command = hook["command"].as_str().unwrap();
    assert_eq!(outcome(&sh(&folder, command, "{}")).0, Some(0));
    break_scene(&folder);
    let (status, told) = outcome(&sh(&folder, command, "{}"));
    assert_eq!(status, Some(2));
    assert!(told.contains("RES001"), "{told}");
    if !has_jq() {
        return;
    }
    let hook = install(&folder, ".claude/hooks/check_scene.sh");
    let input = |file: &str| format!("{{\"tool_input\": {{\"file_path\": \"{file}\"}}}}");
    let scene = input(folder.join("a.tscn").to_str().unwrap());
    let (status, told) = outcome(&sh(&folder, hook.to_str().unwrap(), &scene));
    assert_eq!(status, Some(2));
    assert!(told.contains("RES001"), "{told}");
    assert_eq!(sh(&folder, hook.to_str().unwrap(), &input("notes.md")).status.code(), Some(0));
    fs::write(folder.join("a.tscn"), SCENE).unwrap();
    assert_eq!(sh(&folder, hook.to_str().unwrap(), &scene).status.code(), Some(0));
}

#[test]
fn cursor() {
    let folder = repository("agents_cursor");
    let settings = json_with("\"stop\"");
    assert_eq!(settings["hooks"]["stop"][0]["command"], ".cursor/hooks/check_scenes.sh");
    if !has_jq() {
        return;
    }
    install(&folder, ".cursor/hooks/check_scenes.sh");
    let quiet = sh(&folder, ".cursor/hooks/check_scenes.sh", "{}");
    assert!(quiet.status.success() && quiet.stdout.is_empty());
    break_scene(&folder);
    let output = sh(&folder, ".cursor/hooks/check_scenes.sh", "{}");
    let answer: Json = serde_json::from_slice(&output.stdout).unwrap();
    let message = answer["followup_message"].as_str().unwrap();
    assert!(message.starts_with("Repair these errors:\n") && message.contains("RES001"));
}

#[test]
fn pre_commit() {
    let folder = repository("agents_commit");
    install(&folder, ".git/hooks/pre-commit");
    break_scene(&folder);
    let commit = "git add -A && git commit -q -m second";
    let (status, _) = outcome(&sh(&folder, commit, ""));
    assert_eq!(status, Some(1), "a broken scene is committed");
    fs::write(folder.join("a.tscn"), SCENE.replace("name=\"A\"", "name=\"B\"")).unwrap();
    let (status, told) = outcome(&sh(&folder, commit, ""));
    assert_eq!(status, Some(0), "{told}");
}

#[test]
fn the_tools_are_those_of_the_server() {
    let folder = repository("agents_tools");
    let hello = r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}"#;
    let list = r#"{"jsonrpc":"2.0","id":2,"method":"tools/list","params":{}}"#;
    let begun = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;
    let input = format!("{hello}\n{begun}\n{list}\n");
    let output = gdscene(&["mcp", "--root", folder.to_str().unwrap()], input.as_bytes());
    assert_eq!(output.status.code(), Some(0));
    let last = String::from_utf8(output.stdout).unwrap().lines().last().unwrap().to_owned();
    let answer: Json = serde_json::from_str(&last).unwrap();
    let tools = answer["result"]["tools"].as_array().unwrap();
    let served: BTreeSet<(String, bool)> = tools
        .iter()
        .map(|tool| {
            let writes = tool["annotations"]["readOnlyHint"] == false;
            (tool["name"].as_str().unwrap().to_owned(), writes)
        })
        .collect();
    let page = page();
    let rows = page.lines().filter_map(|line| line.strip_prefix("| `")?.split_once("` | "));
    let listed: BTreeSet<(String, bool)> =
        rows.map(|(name, rest)| (name.to_owned(), rest.starts_with("yes |"))).collect();
    assert_eq!(listed, served);
}

#[test]
fn without_one_project_nothing_is_served() {
    let folder = scratch("agents_none");
    let root = folder.to_str().unwrap();
    // Above the folders of tests there may be a project, but not above this one.
    let none = gdscene(&["mcp", "--root", "/proc/self/fd"], b"");
    assert_eq!(none.status.code(), Some(2));
    let told = String::from_utf8_lossy(&none.stderr).into_owned();
    assert!(told.contains("no `project.godot` found in"), "{told}");
    for name in ["one", "two"] {
        fs::create_dir(folder.join(name)).unwrap();
        fs::write(folder.join(name).join("project.godot"), "config_version=5\n").unwrap();
    }
    let several = gdscene(&["mcp", "--root", root], b"");
    assert_eq!(several.status.code(), Some(2));
    let told = String::from_utf8_lossy(&several.stderr).into_owned();
    assert!(told.contains("several projects below"), "{told}");
    assert!(several.stdout.is_empty());
}
