//! Edits, with what the rules say of their result.

use std::collections::{BTreeMap, BTreeSet};
use std::io;

use rayon::prelude::*;
use tscn::{LocatedDiagnostic, Severity};

use crate::dependencies::Dependencies;
use crate::edit::error::{EditError, EditErrorKind};
use crate::edit::operation::Operation;
use crate::edit::{Edited, edit};
use crate::project::Project;
use crate::refactor::Plan;
use crate::workspace::Workspace;

/// What operations make of the files of a project, and what is reported then that was not before.
#[derive(Clone, Debug, Default)]
pub struct CheckedEdit {
    /// What changes.
    pub edited: Edited,
    /// What the rules report of the files that change, and of those that depend on them, and did not before: each with its
    /// file (`res://…`), by file and place.
    pub new_findings: Vec<(String, LocatedDiagnostic)>,
}

impl CheckedEdit {
    /// The new findings that are errors: Godot would refuse or lose something.
    pub fn new_errors(&self) -> impl Iterator<Item = &(String, LocatedDiagnostic)> {
        self.new_findings.iter().filter(|(_, found)| found.diagnostic.severity == Severity::Error)
    }
}

impl Workspace {
    /// [`edit`], and what the rules report of the result. Nothing is written, and the project is as before afterwards.
    ///
    /// # Errors
    /// As [`edit`], and outside of a project.
    pub fn edit(
        &mut self,
        file: Option<&str>,
        operations: &[Operation],
    ) -> Result<CheckedEdit, EditError> {
        let Some(project) = self.project_mut() else {
            let reason = "there is no project.godot above it; scenes are edited in a project";
            return Err(refused(reason.to_owned()));
        };
        let edited = edit(project, file, operations)?;
        let new_findings = self.new_findings(&edited.plan);
        let new_findings = new_findings
            .map_err(|error| refused(format!("cannot list the project's files: {error}")))?;
        Ok(CheckedEdit { edited, new_findings })
    }

    /// What is reported of the files that change, and of those that depend on them, only with what a plan makes of them.
    fn new_findings(&mut self, plan: &Plan) -> io::Result<Vec<(String, LocatedDiagnostic)>> {
        let Some(project) = self.project() else { return Ok(Vec::new()) };
        let texts: Vec<(String, Vec<u8>)> =
            plan.files.iter().map(|file| (file.path.clone(), file.new_text())).collect();
        if texts.is_empty() {
            return Ok(Vec::new());
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
        Ok(only_in_new(&old, new))
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

/// What was not there before, wherever it stood: lines move.
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

fn refused(reason: String) -> EditError {
    EditError { operation: None, file: None, kind: Box::new(EditErrorKind::Refused(reason)) }
}
