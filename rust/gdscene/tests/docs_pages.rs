//! The output of the program equals the examples on the first pages of the site, `docs/site`.
//!
//! Each block `console` is a session of a shell in a fresh copy of the page's project.
//! `BLESS=1 cargo test -p gdscene --test tests docs_pages` writes the output of the commands into the pages.
#![cfg(unix)]

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use crate::common::page::{Part, files, parts, written};
use crate::common::{scratch, shell_in};

/// Other blocks are examples of Rust, which the crate `tcp-service` tests, and of GDScript, which Godot compiles
/// (`scripts/test/editor/plugin.sh`), or files of the project.
const LANGUAGES: &[&str] = &["console", "gdscript", "rust"];

fn pages() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/site");
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut pages: Vec<_> =
        entries.filter(|path| path.extension().is_some_and(|e| e == "md")).collect();
    pages.sort();
    pages
}

#[test]
fn sessions() {
    let mut count = 0;
    for path in pages() {
        let name = path.file_stem().unwrap().to_str().unwrap();
        let text = fs::read_to_string(&path).unwrap();
        let mut parts = parts(&text);
        let files = files(&parts);
        for part in &mut parts {
            let Part::Block(language, content) = part else { continue };
            if language == "console" {
                *content = session(name, &files, content);
                count += 1;
            }
        }
        let expected = written(&parts);
        if std::env::var_os("BLESS").is_some() {
            fs::write(&path, &expected).unwrap();
        } else {
            assert!(
                expected == text,
                "{name} is not what the program prints; BLESS=1 writes it:\n{expected}"
            );
        }
    }
    assert!(count > 0);
}

/// No example is left out.
#[test]
fn all_examples_are_tested() {
    for path in pages() {
        let text = fs::read_to_string(&path).unwrap();
        let parts = parts(&text);
        let files = files(&parts);
        for part in &parts {
            let Part::Block(language, content) = part else { continue };
            let is_file = files.iter().any(|(_, file)| file == content);
            assert!(
                is_file || LANGUAGES.contains(&language.as_str()),
                "{}: {content}",
                path.display()
            );
        }
    }
}

/// The terminal's text after these commands, which must all succeed.
fn session(page: &str, files: &[(String, String)], shown: &str) -> String {
    let folder = scratch(&format!("docs-page-{page}"));
    for (path, content) in files {
        fs::write(folder.join(path), content).unwrap();
    }
    let mut all = String::new();
    for command in shown.lines().filter_map(|line| line.strip_prefix("$ ")) {
        let output = shell_in(&folder, &format!("{command} 2>&1"));
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(matches!(output.status.code(), Some(0 | 1)), "{page}: {command}: {text}");
        let _ = write!(all, "$ {command}\n{text}");
    }
    all
}
