//! The findings that the rules report only with the changes of a plan.

use std::collections::{BTreeMap, BTreeSet};
use std::io;

use godot_project::{Dependencies, Plan, Project};
use godot_tscn::{LocatedDiagnostic, RuleGroup, Severity};
use rayon::prelude::*;

use crate::workspace::Workspace;

/// The findings in a project that the rules report only with the changes of a plan.
#[derive(Clone, Debug, Default)]
pub struct NewFindings {
    /// Each with its file (`res://…`), by file and place: in the files that change, and in files that depend on them.
    pub findings: Vec<(String, LocatedDiagnostic)>,
}

impl NewFindings {
    /// The errors among them: Godot would refuse or lose something.
    pub fn errors(&self) -> impl Iterator<Item = &(String, LocatedDiagnostic)> {
        self.findings.iter().filter(|(_, found)| {
            let found = &found.diagnostic;
            found.severity == Severity::Error && found.group != RuleGroup::Own
        })
    }
}

impl Workspace {
    /// Finds the diagnostics that the rules report with a plan's changed contents, and not without them. Moves and removals do not
    /// count. Nothing is written, and the project is as before afterwards.
    ///
    /// # Errors
    /// When the project's files cannot be listed.
    pub fn new_findings(&mut self, plan: &Plan) -> io::Result<NewFindings> {
        let Some(project) = self.project() else { return Ok(NewFindings::default()) };
        let texts: Vec<(String, Vec<u8>)> =
            plan.files.iter().map(|file| (file.path.clone(), file.new_text())).collect();
        if texts.is_empty() {
            return Ok(NewFindings::default());
        }
        let affected = affected(project, texts.iter().map(|(path, _)| path.as_str()));
        let old = self.findings(&affected);
        let kept = |(path, _): &(String, Vec<u8>)| {
            (path.clone(), project.overlay(path).map(<[u8]>::to_vec))
        };
        let before: Vec<(String, Option<Vec<u8>>)> = texts.iter().map(kept).collect();
        let after: Vec<(String, Option<Vec<u8>>)> =
            texts.into_iter().map(|(path, text)| (path, Some(text))).collect();
        let set = self.set_texts(&after);
        let new = self.findings(&affected);
        // It has to be as before, whatever went wrong.
        self.set_texts(&before)?;
        set?;
        Ok(NewFindings { findings: only_in_new(&old, new) })
    }

    fn set_texts(&mut self, texts: &[(String, Option<Vec<u8>>)]) -> io::Result<()> {
        let Some(project) = self.project_mut() else { return Ok(()) };
        let texts = texts.iter().map(|(path, text)| (path.as_str(), text.as_deref()));
        let set = project.set_overlays(texts);
        project.prepare();
        set
    }

    fn findings(&self, paths: &BTreeSet<String>) -> Vec<(String, LocatedDiagnostic)> {
        let Some(project) = self.project() else { return Vec::new() };
        let of_file = |path: &String| -> Vec<(String, LocatedDiagnostic)> {
            let text = project.file(path).and_then(|file| project.read(file).ok());
            let found = text.map(|text| self.check(path, &text)).unwrap_or_default();
            found.into_iter().map(|found| (path.clone(), found)).collect()
        };
        paths.par_iter().flat_map_iter(of_file).collect()
    }
}

/// The files, and all scenes and resources that depend on one of them.
fn affected<'p>(project: &Project, paths: impl Iterator<Item = &'p str>) -> BTreeSet<String> {
    let mut all: BTreeSet<String> = paths.map(str::to_owned).collect();
    let files = all.iter().filter_map(|path| project.file(path));
    let dependents = Dependencies::new(project).all_dependents(files);
    let dependents = dependents.into_iter().filter(|file| !project.is_unchecked(*file));
    all.extend(dependents.map(|file| project.path(file).to_owned()));
    all
}

/// The diagnostics that are new, wherever they were: lines move.
fn only_in_new(
    old: &[(String, LocatedDiagnostic)],
    new: Vec<(String, LocatedDiagnostic)>,
) -> Vec<(String, LocatedDiagnostic)> {
    let key = |path: &str, found: &LocatedDiagnostic| {
        (path.to_owned(), found.diagnostic.code, found.diagnostic.message.clone())
    };
    let mut known: BTreeMap<_, usize> = BTreeMap::new();
    for (path, found) in old {
        *known.entry(key(path, found)).or_default() += 1;
    }
    let mut is_new = |path: &str, found: &LocatedDiagnostic| {
        let count = known.get_mut(&key(path, found)).filter(|count| **count > 0);
        count.map(|count| *count -= 1).is_none()
    };
    new.into_iter().filter(|(path, found)| is_new(path, found)).collect()
}
