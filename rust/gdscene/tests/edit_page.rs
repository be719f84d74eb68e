//! The output of the program equals the examples in `docs/edit.md` and in `README.md`.
//!
//! Each block `console` is a session in a fresh copy of the page's project. Each block `jsonl` is a list of operations, and the
//! block `diff` after it is the output of `gdscene edit --diff`. `BLESS=1 cargo test -p gdscene --test tests edit_page` writes the
//! output of the program into the page.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use crate::common::page::{Part, files, parts, written};
#[cfg(unix)]
use crate::common::shell_in;
use crate::common::{content, gdscene_in, scratch};

const OPERATIONS: usize = 19;

fn page() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/edit.md")
}

fn text() -> String {
    fs::read_to_string(page()).unwrap().replace("\r\n", "\n")
}

#[test]
fn examples() {
    let text = text();
    let mut parts = parts(&text);
    let files = files(&parts);
    let (mut operations, mut count) = (String::new(), 0);
    for part in &mut parts {
        let Part::Block(language, content) = part else { continue };
        match language.as_str() {
            "console" => *content = session(&files, content),
            "jsonl" => {
                operations.clone_from(content);
                count += 1;
            }
            "diff" => *content = diff(&files, &operations),
            _ => {}
        }
    }
    assert_eq!(count, OPERATIONS, "each operation has an example");
    let expected = written(&parts);
    if std::env::var_os("BLESS").is_some() {
        fs::write(page(), &expected).unwrap();
        return;
    }
    assert!(
        expected == text,
        "the page is not what the program prints; BLESS=1 writes it:\n{expected}"
    );
}

/// A fresh copy of the project.
fn project(files: &[(String, String)], name: &str) -> PathBuf {
    let folder = scratch(name);
    for (path, content) in files {
        fs::write(folder.join(path), content).unwrap();
    }
    folder
}

/// The terminal's text after these commands.
fn session(files: &[(String, String)], shown: &str) -> String {
    let folder = project(files, "edit-page");
    let mut all = String::new();
    for command in shown.lines().filter_map(|line| line.strip_prefix("$ ")) {
        let (_, stdout, stderr) = gdscene_in(&folder, &words(command), b"");
        let _ = write!(all, "$ {command}\n{stdout}{stderr}");
    }
    all
}

/// The output of `--diff` for operations. Done and taken back, they leave no trace.
fn diff(files: &[(String, String)], operations: &str) -> String {
    let folder = project(files, "edit-page");
    let before = content(&folder);
    let args = ["edit", "--file", "level.tscn"];
    let (status, diff, stderr) =
        gdscene_in(&folder, &[&args[..], &["--diff"]].concat(), operations.as_bytes());
    assert_eq!(status, 1, "{operations}{stderr}");
    let (_, dry, _) = gdscene_in(
        &folder,
        &[&args[..], &["--dry-run", "--output", "json"]].concat(),
        operations.as_bytes(),
    );
    let real = [&args[..], &["--output", "json"]].concat();
    let (status, real, stderr) = gdscene_in(&folder, &real, operations.as_bytes());
    assert_eq!((status, stderr.as_str()), (0, ""), "{operations}");
    // A dry run says the same, except that it is not done.
    let dry = dry.replace("\"is_done\": false", "\"is_done\": true");
    let dry = dry.replace(" would be changed\"", " changed\"");
    assert_eq!(dry, real, "{operations}");
    assert_ne!(content(&folder), before, "{operations}");
    let (status, _, stderr) = gdscene_in(&folder, &["undo"], b"");
    assert_eq!((status, stderr.as_str(), content(&folder)), (0, "", before), "{operations}");
    diff
}

/// The words of a command, some in single quotes.
fn words(command: &str) -> Vec<&str> {
    let mut words = Vec::new();
    for (index, part) in command.split('\'').enumerate() {
        if index % 2 == 1 {
            words.push(part);
        } else {
            words.extend(part.split(' ').filter(|word| !word.is_empty()));
        }
    }
    assert_eq!(words.remove(0), "gdscene");
    words
}

/// The page names the keys that the program takes.
#[test]
fn keys() {
    let text = text();
    let folder = project(&files(&parts(&text)), "edit-page-keys");
    let mut count = 0;
    for section in text.split("\n### ").skip(1) {
        let Some(line) = section.lines().find(|line| line.starts_with("Keys: ")) else { continue };
        let operation = section.lines().next().unwrap();
        let named: BTreeSet<&str> = line.split('`').skip(1).step_by(2).collect();
        let asked = format!("{{\"op\": \"{operation}\", \"xxxxxxxxxxxx\": 1}}");
        let (_, _, stderr) = gdscene_in(&folder, &["edit"], asked.as_bytes());
        let (_, known) = stderr.trim().split_once("it takes ").expect(&stderr);
        let mut known: BTreeSet<&str> = known.split(", ").collect();
        if operation != "new" {
            known.remove("file");
        }
        assert_eq!(named, known, "{operation}");
        count += 1;
    }
    assert_eq!(count, OPERATIONS);
}

/// The game of `first-game.md` has no findings.
#[cfg(unix)]
#[test]
fn the_first_game() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/first-game.md");
    let page = fs::read_to_string(page).unwrap();
    let (_, example) = page.split_once("<!-- worked example -->\n```sh\n").expect("it is marked");
    let (script, _) = example.split_once("```\n").unwrap();
    let folder = scratch("first-game");
    let output = shell_in(&folder, script);
    assert!(output.status.success(), "{output:?}");
    let (status, stdout, _) = gdscene_in(&folder, &["check", "--all", "."], b"");
    assert_eq!(status, 0, "{stdout}");
    let (_, tree, _) = gdscene_in(&folder, &["tree", "--resolve", "game.tscn"], b"");
    for line in ["Player (CharacterBody2D) res://player.gd", "Coin2 (Area2D)", "%Score (Label)"] {
        assert!(tree.contains(line), "{tree}");
    }
}
