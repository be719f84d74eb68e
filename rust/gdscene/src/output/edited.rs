//! The outcomes of operations on scenes and resources, for people and for programs.

use std::fmt::Write;
use std::path::Path;

use clap::ValueEnum;
use gdscene_lint::NewFindings;
use gdscene_refactor::Outcome;
use gdscene_render::JsonDiagnostic;
use godot_project::{Plan, Project};
use godot_tscn::Diagnostic;
use serde::Serialize;

use crate::files::file_path;
use crate::output::human::Human;
use crate::output::place::relative;
use crate::output::plan::{JsonFile, JsonPlace, PlanReport};
use crate::output::{FileDiagnostics, Renderer, to_json_pretty};
use crate::terminal::printable;

/// How scenes, and what is done to them, are printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum EditFormat {
    /// For people
    #[default]
    Text,
    /// One object
    Json,
}

/// What operations did, or would do.
pub(crate) struct EditReport<'r> {
    pub(crate) plan: PlanReport<'r>,
    pub(crate) outcomes: &'r [Outcome],
    /// What the rules report now and did not before.
    pub(crate) findings: Vec<Findings>,
}

/// What the rules report of a file.
#[derive(Debug)]
pub(crate) struct Findings {
    /// `res://…`
    path: String,
    text: Vec<u8>,
    diagnostics: Vec<Diagnostic>,
}

/// Why nothing was done.
#[derive(Debug, Serialize)]
pub(crate) struct JsonError {
    /// The file that it is about, if it is about one: `res://…`.
    pub(crate) file: Option<String>,
    /// What kind of reason it is, for programs: `not-found`, `wrong-value`, `new-errors`.
    pub(crate) kind: &'static str,
    /// The number of the operation, counted from 1, if there are several and it is about one.
    pub(crate) operation: Option<usize>,
    /// For people.
    pub(crate) reason: String,
}

/// What is printed if nothing was done. The keys of all objects are in alphabetical order.
#[derive(Debug, Serialize)]
struct JsonFailure<'r> {
    error: JsonError,
    /// If the new errors are the reason: what the rules report.
    findings: Vec<JsonDiagnostic<'r>>,
    is_done: bool,
}

/// What is printed otherwise. All paths but that of the project are `res://…`; offsets, lines and columns are as in the plans
/// of refactorings.
#[derive(Debug, Serialize)]
struct JsonReport<'r> {
    /// What may have to change too. Somebody has to look at these places.
    doubts: Vec<JsonPlace<'r>>,
    /// The files whose content changes, by path.
    files: Vec<JsonFile<'r>>,
    /// What the rules report now and did not before, of these files and those that depend on them. Offsets are those of the
    /// new texts.
    findings: Vec<JsonDiagnostic<'r>>,
    /// Whether it has been done: false with `--dry-run`.
    is_done: bool,
    notes: &'r [String],
    /// One for each operation, in their order.
    outcomes: Vec<JsonOutcome<'r>>,
    /// The folder with `project.godot`.
    project: String,
    /// The last line for people.
    summary: String,
}

#[derive(Debug, Serialize)]
struct JsonOutcome<'r> {
    file: &'r str,
    /// The id of the resource that was added, or was there and is used.
    id: Option<&'r str>,
    /// The path of the node that was added.
    node: Option<&'r str>,
    notes: &'r [String],
    /// What was done, for people.
    what: &'r str,
}

impl Findings {
    /// The new findings, file by file, with the texts that they are about.
    pub(crate) fn of(project: &Project, plan: &Plan, new_findings: &NewFindings) -> Vec<Self> {
        let mut all: Vec<Self> = Vec::new();
        for (path, found) in &new_findings.findings {
            if all.last().is_none_or(|last| last.path != *path) {
                let mut changed = plan.files.iter();
                let new =
                    changed.find(|file| file.path == *path).map(godot_tscn::FileEdits::new_text);
                let on_disk = || Some(project.read(project.file(path)?).ok()?.into_owned());
                let text = new.or_else(on_disk).unwrap_or_default();
                all.push(Self { path: path.clone(), text, diagnostics: Vec::new() });
            }
            if let Some(last) = all.last_mut() {
                last.diagnostics.push(found.diagnostic.clone());
            }
        }
        all
    }

    /// As the linter prints them.
    pub(crate) fn text(all: &[Self], root: &Path) -> String {
        let (human, mut out) = (Human::new(false), String::new());
        for Self { path, text, diagnostics } in all {
            let name = relative(&file_path(root, path).to_string_lossy());
            human.file(&mut out, &FileDiagnostics::new(&name, text, diagnostics));
        }
        out
    }

    fn diagnosed(&self) -> FileDiagnostics<'_> {
        FileDiagnostics::new(&self.path, &self.text, &self.diagnostics)
    }
}

impl EditReport<'_> {
    /// A line for each operation, with what is to be known.
    pub(crate) fn text(&self) -> String {
        let mut out = String::new();
        for outcome in self.outcomes {
            let name = self.plan.name(&outcome.file);
            let _ = writeln!(out, "{}: {}", printable(&name), printable(&outcome.what));
            for note in &outcome.notes {
                let _ = writeln!(out, "  note: {}", printable(note));
            }
        }
        out += &self.plan.doubts();
        for note in &self.plan.notes {
            let _ = writeln!(out, "note: {}", printable(note));
        }
        out += &Findings::text(&self.findings, self.plan.root);
        let _ = writeln!(out, "{}", self.plan.summary());
        out
    }

    /// One object.
    pub(crate) fn json(&self) -> String {
        let files = self.findings.iter().map(Findings::diagnosed).collect::<Vec<_>>();
        to_json_pretty(&JsonReport {
            doubts: self.plan.json_doubts(),
            files: self.plan.json_files(),
            findings: diagnostics(&files),
            is_done: self.plan.is_done,
            notes: &self.plan.notes,
            outcomes: self.outcomes.iter().map(JsonOutcome::new).collect(),
            project: dunce::simplified(self.plan.root).to_string_lossy().into_owned(),
            summary: self.plan.summary().to_string(),
        }) + "\n"
    }
}

impl<'r> JsonOutcome<'r> {
    fn new(outcome: &'r Outcome) -> Self {
        Self {
            file: &outcome.file,
            id: outcome.id.as_deref(),
            node: outcome.node.as_deref(),
            notes: &outcome.notes,
            what: &outcome.what,
        }
    }
}

/// The object that says why nothing was done.
pub(crate) fn json_failure(error: JsonError, findings: &[Findings]) -> String {
    let files = findings.iter().map(Findings::diagnosed).collect::<Vec<_>>();
    to_json_pretty(&JsonFailure { error, findings: diagnostics(&files), is_done: false }) + "\n"
}

fn diagnostics<'f>(files: &'f [FileDiagnostics<'f>]) -> Vec<JsonDiagnostic<'f>> {
    let of_file =
        |file: &'f FileDiagnostics<'f>| file.diagnostics.iter().map(move |found| file.json(found));
    files.iter().flat_map(of_file).collect()
}
