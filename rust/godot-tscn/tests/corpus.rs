//! Real files: every scene and resource of 38 snapshots of 30 open projects, Godot 2.1 to 4.7.

use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

use godot_tscn::{Diagnostic, LintOptions, Severity};
use testkit::shared::require_shared;

/// Files whose errors are in the file, and why. What ends in `/` is a folder.
const BROKEN: &[(&str, &str)] = &[
    // Test data of an IDE's parser: fragments without header, and `<error>` marks among the tags.
    (
        "JetBrains__godot-support/gdscript/src/test/testData/",
        "fragments and marks of a parser's tests",
    ),
    // Test data of a highlighter.
    (
        "PrestonKnopp__tree-sitter-godot-resource/examples/resource.tres",
        "a fragment without header",
    ),
    // Made to deceive a loader which looks at the first `path` only.
    ("derkork__godot-safe-resource-loader/tests/data/", "`path` twice in a tag"),
    (
        "derkork__godot-safe-resource-loader/safe_resource_loader_example/test_resources/\
         yet_another_unsafe_resource.tres",
        "`path` twice in a tag",
    ),
    // The nodes `Wall1` and `Wall2` were renamed, their children's `parent` was not.
    (
        "godotengine__godot-demo-projects__4.2/2d/physics_tests/tests/functional/\
         test_character_pixels.tscn",
        "two nodes whose parent is gone",
    ),
];

/// Folders whose files are broken on purpose, or odd.
const ODD_FOLDERS: &[&str] = &["BROKEN", "RARE"];

/// Files that any tokenizer of the format has to read back, whatever it makes of them.
const TEXT_EXTENSIONS: &[&str] =
    &["tscn", "tres", "escn", "godot", "import", "cfg", "gdextension", "uid", "txt", "md"];

fn files(folder: &Path, extensions: &[&str]) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let extension = path.extension().and_then(|extension| extension.to_str());
            if path.is_dir() {
                folders.push(path);
            } else if extension.is_some_and(|extension| extensions.contains(&extension)) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

fn lint(path: &Path) -> Vec<Diagnostic> {
    let text = fs::read(path).unwrap();
    godot_tscn::lint(&text, &LintOptions::for_path(path.to_str().unwrap())).diagnostics
}

#[test]
fn every_file_is_read_without_loss() {
    let Some(corpus) = require_shared("corpus") else { return };
    let malformed = require_shared("malformed");
    let folders = [Some(corpus), malformed];
    let mut count = 0;
    for path in folders.iter().flatten().flat_map(|folder| files(folder, TEXT_EXTENSIONS)) {
        let text = fs::read(&path).unwrap();
        let mut end = 0;
        for token in godot_tscn::tokens(&text) {
            assert_eq!(token.span.start, end, "{}", path.display());
            end = token.span.end;
        }
        assert_eq!(end as usize, text.len(), "{}", path.display());
        count += 1;
    }
    println!("{count} files read without loss");
    assert!(count > 3000);
}

#[test]
fn no_errors_in_files_that_godot_loads() {
    let Some(corpus) = require_shared("corpus") else { return };
    let (mut counts, mut wrong) = (Table::default(), Vec::new());
    let mut used = vec![false; BROKEN.len()];
    let paths = files(&corpus, &["tscn", "tres", "escn"]);
    for path in &paths {
        let name = path.strip_prefix(&corpus).unwrap();
        if ODD_FOLDERS.iter().any(|folder| name.starts_with(folder)) {
            continue;
        }
        let broken =
            BROKEN.iter().position(|(broken, _)| name.to_str().unwrap().starts_with(broken));
        for diagnostic in lint(path) {
            if let (Some(broken), Severity::Error) = (broken, diagnostic.severity) {
                used[broken] = true;
                continue;
            }
            counts.add(diagnostic.code, name);
            if diagnostic.severity == Severity::Error {
                wrong.push(format!(
                    "{}: {} {}",
                    name.display(),
                    diagnostic.code,
                    diagnostic.message
                ));
            }
        }
    }
    println!("{} files; diagnostics outside the known broken ones:\n{counts}", paths.len());
    assert!(wrong.is_empty(), "{wrong:#?}");
    for ((name, why), used) in BROKEN.iter().zip(used) {
        assert!(used, "{name} ({why}) has no error any more");
    }
}

/// How many diagnostics of each rule the projects have.
#[derive(Debug, Default)]
struct Table {
    counts: BTreeMap<&'static str, BTreeMap<String, usize>>,
}

impl Table {
    fn add(&mut self, code: &'static str, name: &Path) {
        let project = name.components().next().unwrap().as_os_str().to_string_lossy().into_owned();
        *self.counts.entry(code).or_default().entry(project).or_default() += 1;
    }
}

/// One rule on each line: the sum, and the projects with the most.
impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (code, projects) in &self.counts {
            let mut projects: Vec<_> = projects.iter().collect();
            projects.sort_by_key(|(name, count)| (std::cmp::Reverse(**count), *name));
            write!(f, "{code} {}:", projects.iter().map(|(_, count)| **count).sum::<usize>())?;
            for (name, count) in projects {
                write!(f, " {name} {count}")?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}

/// What each folder of broken files is about, as the codes of which every file has at least one.
const BROKEN_FOLDERS: &[(&str, &[&str])] = &[
    ("CONFLICT", &["SYN006"]),
    ("CONFLICT8", &["SYN006"]),
    ("DUP_EXT", &["REF004"]),
    ("DUP_FIELD", &["STR007"]),
    ("DUP_NODE", &["TREE003"]),
    ("DUP_PROP", &["STR008"]),
    ("DUP_SUB", &["REF005"]),
    ("HEADER", &["STR001", "STR003", "STR017"]),
    ("NUL", &["SYN018"]),
    ("ORDER", &["STR004"]),
    ("PARENT", &["TREE001", "TREE002"]),
    ("ROOTS", &["STR009", "STR010", "STR011"]),
    ("SYNTAX", &["SYN001", "SYN002", "SYN003", "SYN004", "SYN005", "SYN007", "SYN014", "STR017"]),
    ("UNDEF_EXT", &["REF001", "SYN006"]),
    ("UNDEF_SUB", &["REF002", "SYN006"]),
];

/// Files in folders of broken ones in which nothing is broken. That of the goblin is as Godot 3 writes it.
const NOT_BROKEN: &[&str] = &[
    "Arnklit__Waterways__c72b7e0076__river_controls.tscn",
    "godotengine__godot-demo-projects__6df9aefd46__goblin.tscn",
];

#[test]
fn broken_files_are_reported() {
    let Some(broken) = require_shared("corpus/BROKEN") else { return };
    let mut silent = Vec::new();
    for (folder, codes) in BROKEN_FOLDERS {
        let paths = files(&broken.join(folder), &["tscn", "tres", "escn"]);
        assert!(!paths.is_empty(), "{folder}");
        for path in paths {
            let found = lint(&path);
            if NOT_BROKEN.iter().any(|name| path.ends_with(name)) {
                assert!(found.is_empty(), "{}: {found:?}", path.display());
            } else if !found.iter().any(|diagnostic| codes.contains(&diagnostic.code)) {
                let found: Vec<_> = found.iter().map(|diagnostic| diagnostic.code).collect();
                silent.push(format!("{}: {found:?}, not {codes:?}", path.display()));
            }
        }
    }
    assert!(silent.is_empty(), "{silent:#?}");
}
