//! `edit`

mod schema;

use std::fmt;

use gdscene_lint::NewFindings;
use gdscene_refactor::{Edited, Operation, Outcome};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use crate::changes::ChangeReport;
use crate::findings::Finding;
use crate::limits::Shown;
use crate::paths;
use crate::tool::{Call, Effect, Tool, ToolError};

pub(crate) struct Edit;

/// What is changed.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    /// The scene or resource for operations that do not name a `file`: `res://level.tscn`.
    file: Option<String>,
    // A doc comment would take the place of the schema's description.
    #[schemars(schema_with = "schema::operations")]
    operations: Vec<Json>,
    /// Write nothing, but return the same answer.
    #[serde(default)]
    dry_run: bool,
    /// Write the files even if the rules would report new errors.
    #[serde(default)]
    allow_errors: bool,
}

/// What was changed.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Report {
    /// The outcome of each operation.
    outcomes: Shown<OutcomeReport>,
    /// New findings of the rules.
    new_findings: Shown<Finding>,
    /// The changes in the files.
    #[serde(flatten)]
    changes: ChangeReport,
}

/// What one operation did.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct OutcomeReport {
    /// The file: `res://…`.
    file: String,
    /// The outcome in words.
    what: String,
    /// The path of the added node, whose name may differ from the requested name.
    #[serde(skip_serializing_if = "Option::is_none")]
    node: Option<String>,
    /// The id of the resource that was added to the file or used again.
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<String>,
    /// Notes: other changes, and places that may mean something else.
    notes: Vec<String>,
}

const MAX_OUTCOMES: usize = 100;
const MAX_FINDINGS: usize = 20;

impl Tool for Edit {
    type Arguments = Arguments;
    type Report = Report;

    const NAME: &'static str = "edit";
    const TITLE: &'static str = "Edit scenes and resources";
    const DESCRIPTION: &'static str = "Changes scenes and resources (.tscn, .tres) and project settings by operations, in the form of Godot's editor; \
         everything else stays byte for byte. All operations succeed, over all files, or none is applied. Ids, uids and \
         positions are handled. The result is checked: new errors refuse the whole edit, unless `allow_errors` is set. The \
         report contains the outcome of each operation, new findings and a diff. Use `rename` for members and classes of \
         scripts, and `move_file` for files.";
    const EFFECT: Effect = Effect::Changes;

    fn call(call: &mut Call<'_>, arguments: Arguments) -> Result<Report, ToolError> {
        let project = call.project()?;
        let file = arguments.file.as_deref().map(|file| paths::res_path(project, file));
        let operations = operations(call, arguments.operations)?;
        let (file, missing) =
            (file.transpose()?, || ToolError("the project is not open".to_owned()));
        let project = call.workspace.project_mut().ok_or_else(missing)?;
        let edited = gdscene_refactor::edit(project, file.as_deref(), &operations)?;
        let new_findings = call.workspace.new_findings(&edited.plan);
        let new_findings = new_findings
            .map_err(|error| ToolError(format!("cannot list the project's files: {error}")))?;
        let errors: Vec<Finding> =
            new_findings.errors().map(|(file, found)| Finding::new(file, found)).collect();
        if !errors.is_empty() && !arguments.allow_errors {
            return Err(refused(errors));
        }
        report(call, &edited, &new_findings, arguments.dry_run)
    }
}

/// The operations, with paths of files as the project has them.
fn operations(call: &Call<'_>, mut given: Vec<Json>) -> Result<Vec<Operation>, ToolError> {
    if given.is_empty() {
        return Err(ToolError("`operations` is empty; give at least one".to_owned()));
    }
    let project = call.project()?;
    for operation in &mut given {
        if let Some(Json::String(file)) = operation.get_mut("file") {
            *file = paths::res_path(project, file)?;
        }
    }
    Ok(gdscene_refactor::operations(Json::Array(given).to_string().as_bytes())?)
}

fn refused(errors: Vec<Finding>) -> ToolError {
    let errors = Shown::new(errors, MAX_FINDINGS, Finding::len);
    let lines: Vec<String> = errors.items.iter().map(ToString::to_string).collect();
    let more = match errors.more {
        0 => String::new(),
        more => format!("\n… {more} more"),
    };
    ToolError(format!(
        "refused, nothing was changed, because of these new errors:\n{}{more}\nCorrect the operations, or set `allow_errors` to apply them anyway.",
        lines.join("\n")
    ))
}

fn report(
    call: &mut Call<'_>,
    edited: &Edited,
    new_findings: &NewFindings,
    is_dry: bool,
) -> Result<Report, ToolError> {
    let outcomes: Vec<OutcomeReport> = edited.outcomes.iter().map(OutcomeReport::new).collect();
    let new_findings =
        new_findings.findings.iter().map(|(file, found)| Finding::new(file, found)).collect();
    Ok(Report {
        outcomes: Shown::new(outcomes, MAX_OUTCOMES, OutcomeReport::len),
        new_findings: Shown::new(new_findings, MAX_FINDINGS, Finding::len),
        changes: ChangeReport::of_plan(call, &edited.plan, is_dry)?,
    })
}

impl OutcomeReport {
    fn new(outcome: &Outcome) -> Self {
        let Outcome { file, what, node, id, notes } = outcome.clone();
        Self { file, what, node, id, notes }
    }

    fn len(&self) -> usize {
        let notes: usize = self.notes.iter().map(String::len).sum();
        self.file.len() + self.what.len() + notes + 20
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for OutcomeReport { file, what, id, notes, .. } in &self.outcomes.items {
            write!(f, "{file}: {what}")?;
            if let Some(id) = id {
                write!(f, " [id {id}]")?;
            }
            writeln!(f)?;
            for note in notes {
                writeln!(f, "  note: {note}")?;
            }
        }
        if self.outcomes.more > 0 {
            writeln!(f, "… {} more operations", self.outcomes.more)?;
        }
        if !self.new_findings.is_empty() {
            writeln!(f, "new findings ({}):", self.new_findings.count())?;
            for finding in &self.new_findings.items {
                writeln!(f, "  {finding}")?;
            }
        }
        write!(f, "{}", self.changes)
    }
}
