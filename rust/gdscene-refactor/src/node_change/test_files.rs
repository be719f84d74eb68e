//! Small projects for tests.

use std::collections::BTreeMap;

use godot_project::{Plan, Project};

/// The files of a project, by path without `res://`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Files(pub(crate) BTreeMap<String, String>);

const SETTINGS: &str =
    "config_version=5\n\n[application]\n\nconfig/features=PackedStringArray(\"4.6\")\n";

impl Files {
    pub(crate) fn new(files: &[(&str, &str)]) -> Self {
        let all = [("project.godot", SETTINGS)].iter().chain(files).copied();
        Self(all.map(|(path, text)| (path.to_owned(), text.to_owned())).collect())
    }

    pub(crate) fn with<T>(&self, work: impl FnOnce(&Project) -> T) -> T {
        let folder = tempfile::tempdir().unwrap();
        for (path, text) in &self.0 {
            std::fs::write(folder.path().join(path), text).unwrap();
        }
        work(&Project::open(folder.path()).unwrap())
    }

    /// The files as they are when the plan is carried out.
    pub(crate) fn after(&self, plan: &Plan) -> Self {
        let mut files = self.0.clone();
        for file in &plan.files {
            let text = String::from_utf8(file.new_text()).unwrap();
            files.insert(file.path.trim_start_matches("res://").to_owned(), text);
        }
        Self(files)
    }

    /// The lines that are not those of `before`, each with its file.
    pub(crate) fn changed_lines(&self, before: &Self) -> Vec<String> {
        let mut lines = Vec::new();
        for (path, text) in &self.0 {
            let old: Vec<&str> = before.0[path].lines().collect();
            let new = text.lines().enumerate().filter(|(at, line)| old.get(*at) != Some(line));
            lines.extend(new.map(|(_, line)| format!("{path}: {line}")));
        }
        lines
    }
}

/// The doubts of a plan.
pub(crate) fn doubts(plan: &Plan) -> Vec<String> {
    let doubts = plan.doubts.iter();
    doubts
        .map(|doubt| {
            format!("{}:{}: {}", doubt.path.trim_start_matches("res://"), doubt.line, doubt.what)
        })
        .collect()
}
