//! The rules over real projects: the corpus contains their scenes, and a list of all files.
//!
//! `corpus_findings.txt` contains the findings. Each line of it was looked at and is true: a file that the repository
//! does not have, a node that is gone. `BLESS=1` writes it again; then look at the new findings.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use gdscene_lint::{Config, Overrides, Scope, Workspace};
use godot_project::{ListedFiles, Project};
use godot_tscn::LocatedDiagnostic;

/// Folders of `corpus` that hold no projects but pieces.
const PIECES: &[&str] = &["BROKEN", "RARE"];

/// The rules on files, trees and connections across files.
const OWN_CODES: &[&str] = &[
    "RES001", "RES002", "RES003", "RES005", "RES006", "RES007", "RES008", "RES010", "RES011",
    "RES012", "RES014", "TREE001", "TREE002", "TREE003", "TREE005", "TREE007", "TREE008",
    "TREE009", "TREE017", "TREE021", "SIG001", "FMT006",
];

/// The folders with a `project.godot` below `folder`.
fn projects_in(folder: &Path, found: &mut Vec<PathBuf>) {
    if folder.join("project.godot").is_file() {
        found.push(folder.to_owned());
    }
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            projects_in(&path, found);
        }
    }
}

/// The project at `folder` in the repository at `repository`, with all files that it really has.
fn open(repository: &Path, folder: &Path) -> Project {
    let list = fs::read_to_string(repository.join("FILES.txt")).unwrap();
    let below = folder.strip_prefix(repository).unwrap().to_str().unwrap();
    let start = if below.is_empty() { String::new() } else { format!("{below}/") };
    let paths =
        list.lines().filter_map(|line| Some(format!("res://{}", line.strip_prefix(&start)?)));
    Project::from_source(Arc::new(ListedFiles::new(folder, paths))).unwrap()
}

#[test]
fn findings_in_the_corpus() {
    let Some(corpus) = testkit::shared::require_shared("corpus") else { return };
    let mut repositories: Vec<PathBuf> =
        fs::read_dir(corpus).unwrap().map(|entry| entry.unwrap().path()).collect();
    repositories.sort();
    let overrides = Overrides { no_third_party: true, ..Overrides::default() };
    let config = Arc::new(Config::without_file(&overrides).unwrap());
    let (mut listing, mut project_count, mut file_count) = (String::new(), 0, 0);
    for repository in repositories.iter().filter(|path| path.join("FILES.txt").is_file()) {
        let name = repository.file_name().unwrap().to_str().unwrap();
        if PIECES.contains(&name) {
            continue;
        }
        let mut folders = Vec::new();
        projects_in(repository, &mut folders);
        folders.sort();
        let (mut counts, mut lines) = (BTreeMap::<&str, usize>::new(), String::new());
        for folder in &folders {
            let project = open(repository, folder);
            let report = Workspace::of_project(project, Arc::clone(&config)).report(Scope::Scenes);
            project_count += 1;
            file_count += report.checked_count;
            let place = folder.strip_prefix(repository).unwrap();
            for (path, located) in &report.files {
                list(place, path, located, &mut counts, &mut lines);
            }
        }
        if !counts.is_empty() {
            writeln!(listing, "# {name}: {counts:?}\n{lines}").unwrap();
        }
    }
    println!("{project_count} projects, {file_count} files");
    assert!(project_count > 400 && file_count > 3000, "the corpus is not whole");
    let expected = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus_findings.txt");
    if std::env::var_os("BLESS").is_some() {
        fs::write(&expected, &listing).unwrap();
    }
    let expected = fs::read_to_string(expected).unwrap();
    assert!(listing == expected, "other diagnostics than in corpus_findings.txt; see `BLESS=1`");
}

/// Lists the findings of the project's rules in a file.
fn list(
    place: &Path,
    path: &str,
    located: &[LocatedDiagnostic],
    counts: &mut BTreeMap<&str, usize>,
    lines: &mut String,
) {
    let path = place.join(path.strip_prefix("res://").unwrap());
    for LocatedDiagnostic { diagnostic: found, position, .. } in located {
        if !OWN_CODES.contains(&found.code) {
            continue;
        }
        *counts.entry(found.code).or_default() += 1;
        let (severity, message) = (found.severity.as_str(), &found.message);
        let (path, line) = (path.display(), position.line);
        writeln!(lines, "{} {severity} {path}:{line} {message}", found.code).unwrap();
    }
}
