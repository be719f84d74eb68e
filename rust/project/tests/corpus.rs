//! The rules over real projects, of which the corpus holds the scenes, and a list of all files.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use project::{ListedFiles, PROJECT_RULES, Project, lint_all};
use tscn::{LineIndex, LintOptions};

/// Folders of `corpus` that hold no projects but pieces.
const PIECES: &[&str] = &["BROKEN", "RARE"];

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
    let (mut table, mut project_count, mut file_count) = (String::new(), 0, 0);
    for repository in repositories.iter().filter(|path| path.join("FILES.txt").is_file()) {
        let name = repository.file_name().unwrap().to_str().unwrap();
        if PIECES.contains(&name) {
            continue;
        }
        let mut folders = Vec::new();
        projects_in(repository, &mut folders);
        folders.sort();
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        for folder in &folders {
            let project = open(repository, folder);
            let report = lint_all(&project, &options(), &|_, _| {}, &AtomicBool::new(false));
            project_count += 1;
            file_count += report.checked_count;
            for file in &report.files {
                let index = LineIndex::new(&file.text);
                for found in &file.diagnostics {
                    if !PROJECT_RULES.iter().any(|rule| rule.code == found.code) {
                        continue;
                    }
                    *counts.entry(found.code).or_default() += 1;
                    let place =
                        folder.strip_prefix(repository.parent().unwrap()).unwrap().display();
                    let line = index.position(found.span.start).line;
                    println!(
                        "{} {} {place}/{}:{line} {}",
                        found.code,
                        found.severity.as_str(),
                        file.path.strip_prefix("res://").unwrap(),
                        found.message
                    );
                }
            }
        }
        writeln!(table, "{name}: {counts:?}").unwrap();
    }
    println!("{project_count} projects, {file_count} files\n{table}");
}

fn options() -> LintOptions<'static> {
    let mut options = LintOptions::default();
    options.all_rules = std::env::var_os("ALL_RULES").is_some();
    options
}
