//! The examples in `docs/refactorings.md` are what the program does.
//!
//! The page holds a project: `` `name`: `` and a block with its content. Each block `console` is run in a fresh copy of it, and
//! a block `diff` behind it is what the first of its commands prints with `--diff`. `BLESS=1 cargo test -p cli --test
//! refactorings_page` writes what the program prints into the page.

mod common;

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use common::{caches, scratch};

const COMMANDS: usize = 14;

/// A part of the page.
#[derive(Debug, PartialEq, Eq)]
enum Part {
    /// Text, with line ends.
    Text(String),
    /// The language of a block, and its content.
    Block(String, String),
}

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

fn parts(text: &str) -> Vec<Part> {
    let mut parts = vec![Part::Text(String::new())];
    let mut language = None;
    for line in text.split_inclusive('\n') {
        match (line.strip_prefix("```"), language.is_some(), parts.last_mut()) {
            (Some(name), false, _) => {
                language = Some(());
                parts.push(Part::Block(name.trim_end().to_owned(), String::new()));
            }
            (Some(_), true, _) => {
                language = None;
                parts.push(Part::Text(String::new()));
            }
            (None, _, Some(Part::Text(text) | Part::Block(_, text))) => text.push_str(line),
            (None, _, None) => unreachable!("there is a first part"),
        }
    }
    parts
}

fn written(parts: &[Part]) -> String {
    let mut text = String::new();
    for part in parts {
        match part {
            Part::Text(part) => text.push_str(part),
            Part::Block(language, content) => _ = write!(text, "```{language}\n{content}```\n"),
        }
    }
    text
}

/// The files of the project, each with its content.
fn files(parts: &[Part]) -> Vec<(String, String)> {
    let pairs = parts.iter().zip(&parts[1..]);
    let files = pairs.filter_map(|pair| match pair {
        (Part::Text(text), Part::Block(_, content)) => {
            let name = text.trim_end().lines().last()?.strip_prefix('`')?.strip_suffix("`:")?;
            Some((name.to_owned(), content.clone()))
        }
        _ => None,
    });
    files.collect()
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

/// What a terminal shows of these commands.
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
