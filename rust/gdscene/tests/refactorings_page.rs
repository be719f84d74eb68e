//! The output of the program equals the examples in `docs/refactorings.md`.
//!
//! The page contains a project: `` `name`: `` and a block with its content. Each block `console` runs in a fresh copy of it. A
//! block `diff` after it is the output of its first command with `--diff`. `BLESS=1 cargo test -p gdscene --test tests
//! refactorings_page` writes the output of the program into the page.

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::common::page::{Part, files, parts, written};
use crate::common::{caches, scratch};

const COMMANDS: usize = 15;

#[test]
fn examples() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/refactorings.md");
    let text = fs::read_to_string(&page).unwrap().replace("\r\n", "\n");
    let mut parts = parts(&text);
    let files = files(&parts);
    let mut first = String::new();
    let mut count = 0;
    for part in &mut parts {
        let Part::Block(language, content) = part else { continue };
        match language.as_str() {
            "console" => {
                let commands: Vec<String> = content
                    .lines()
                    .filter_map(|line| line.strip_prefix("$ "))
                    .map(str::to_owned)
                    .collect();
                first.clone_from(&commands[0]);
                *content = session(&files, &commands);
                count += 1;
            }
            "diff" => {
                let folder = project(&files);
                *content = text_of(run(&folder, &format!("{first} --diff")).stdout);
                assert!(content.starts_with("diff --git"), "{first} changes nothing: {content}");
            }
            _ => {}
        }
    }
    assert_eq!(count, COMMANDS, "each command has an example");
    let expected = written(&parts);
    if std::env::var_os("BLESS").is_some() {
        fs::write(&page, &expected).unwrap();
        return;
    }
    assert!(
        expected == text,
        "the page is not what the program prints; BLESS=1 writes it:\n{expected}"
    );
}

/// A fresh copy of the project.
fn project(files: &[(String, String)]) -> PathBuf {
    let folder = scratch("refactorings-page");
    for (path, content) in files {
        let place = folder.join(path);
        fs::create_dir_all(place.parent().unwrap()).unwrap();
        fs::write(place, content).unwrap();
    }
    folder
}

/// The terminal's text after these commands.
fn session(files: &[(String, String)], commands: &[String]) -> String {
    let folder = project(files);
    let mut shown = String::new();
    for command in commands {
        let output = run(&folder, command);
        assert_ne!(output.status.code(), Some(2), "{command}: {}", text_of(output.stderr));
        let _ = write!(shown, "$ {command}\n{}", text_of(output.stdout));
    }
    shown
}

fn run(folder: &Path, command: &str) -> Output {
    let mut words = command.split(' ');
    assert_eq!(words.next(), Some("gdscene"));
    let mut program = Command::new(env!("CARGO_BIN_EXE_gdscene"));
    // The folder may lie in a repository of git's.
    let is_plain =
        ["unused", "undo"].iter().any(|name| command.starts_with(&format!("gdscene {name}")));
    program.args(words).args((!is_plain).then_some("--allow-dirty"));
    program.current_dir(folder).env("XDG_CACHE_HOME", caches()).output().unwrap()
}

fn text_of(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap().replace('\\', "/")
}
