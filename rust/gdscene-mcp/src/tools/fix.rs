//! `fix`

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use gdscene_journal::{Changes, Write};
use gdscene_lint::{FixChoice, FixGroup};
use godot_tscn::{Applicability, Severity};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::changes::ChangeReport;
use crate::findings::Level;
use crate::paths;
use crate::tool::{Call, Effect, Tool, ToolError};

pub(crate) struct Fix;

/// What is repaired, and how far that may go.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    /// Files and folders, such as `res://levels`; `res://` is the whole project.
    #[schemars(length(min = 1))]
    paths: Vec<String>,
    /// The lowest severity to repair.
    #[serde(default)]
    severity: Level,
    /// Also apply fixes that may change the data that Godot loads. Try a dry run first.
    #[serde(default, rename = "unsafe")]
    with_unsafe: bool,
    /// Write nothing; report what would change.
    #[serde(default)]
    dry_run: bool,
}

/// What was repaired.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Report {
    /// The changes.
    #[serde(flatten)]
    changes: ChangeReport,
    /// The number of fixes that were applied, or would be.
    fixes: usize,
    /// The number of errors and warnings left in these files.
    left: usize,
}

/// What a file holds, and what it is to hold.
struct Fixed {
    before: Option<Arc<[u8]>>,
    after: Vec<u8>,
}

impl Tool for Fix {
    type Arguments = Arguments;
    type Report = Report;

    const NAME: &'static str = "fix";
    const TITLE: &'static str = "Repair findings";
    const DESCRIPTION: &'static str = "Repairs findings of `check`. By default, applies only safe fixes, after which Godot loads the same data; `unsafe` \
         allows others. Some fixes also change other files.";
    const EFFECT: Effect = Effect::Changes;

    fn call(call: &mut Call<'_>, arguments: Arguments) -> Result<Report, ToolError> {
        let limit = if arguments.with_unsafe { Applicability::Unsafe } else { Applicability::Safe };
        let files = files(call, &arguments.paths)?;
        let choice = FixChoice { limit, least: arguments.severity.into() };
        let groups = call.workspace.fix_across(&files, choice).map_err(ToolError::new)?;
        let touched: Vec<String> =
            groups.iter().flat_map(|group| group.files.keys().cloned()).collect();
        let worked_out = work_out(call, &files, groups, choice);
        // The texts of fixes that touch several files count until then.
        call.workspace.forget(touched.iter().map(String::as_str)).map_err(ToolError::new)?;
        let (fixed, fixes, left) = worked_out?;
        let write = |(path, fixed): (String, Fixed)| Write {
            path,
            before: fixed.before,
            after: Some(fixed.after.into()),
        };
        let changes = Changes {
            title: "fix".to_owned(),
            writes: fixed.into_iter().map(write).collect(),
            is_undoable: true,
            ..Changes::default()
        };
        let changes = ChangeReport::of_changes(call, &changes, arguments.dry_run)?;
        Ok(Report { changes, fixes, left })
    }
}

/// The paths of the files to repair.
fn files(call: &Call<'_>, given: &[String]) -> Result<Vec<String>, ToolError> {
    let project = call.project()?;
    let files = paths::checkable(call.workspace, project, given)?;
    let paths = files.into_iter().map(|file| project.path(file).to_owned());
    // An exporter writes it again.
    Ok(paths.filter(|path| !path.to_ascii_lowercase().ends_with(".escn")).collect())
}

/// The new texts, how many fixes made them, and how many errors and warnings are left.
fn work_out(
    call: &Call<'_>,
    files: &[String],
    groups: Vec<FixGroup>,
    choice: FixChoice,
) -> Result<(BTreeMap<String, Fixed>, usize, usize), ToolError> {
    let project = call.project()?;
    let (mut all, mut fixes, mut left) = (BTreeMap::new(), 0, 0);
    for group in groups {
        fixes += group.fix_count;
        let of_file = |(path, file): (String, gdscene_lint::ChangedFile)| {
            (path, Fixed { before: file.before, after: file.after })
        };
        all.extend(group.files.into_iter().map(of_file));
    }
    for path in files {
        if call.is_cancelled() {
            return Err(ToolError("cancelled; nothing was changed".to_owned()));
        }
        let Some(file) = project.file(path) else { continue };
        let text = project.read(file).map_err(|error| ToolError(format!("{path}: {error}")))?;
        let fixed = call.workspace.fix(path, &text, choice);
        fixes += fixed.applied_count;
        let diagnostics = call.workspace.diagnostics(path, &fixed.text);
        left += diagnostics.iter().filter(|found| found.severity > Severity::Info).count();
        if fixed.text != *text {
            let entry = all.entry(path.clone());
            let entry = entry
                .or_insert_with(|| Fixed { before: Some(text.as_ref().into()), after: Vec::new() });
            entry.after = fixed.text;
        }
    }
    Ok((all, fixes, left))
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { changes, fixes, left } = self;
        let would = if changes.is_done || *fixes == 0 { "" } else { "would be " };
        write!(f, "{fixes} fixes {would}applied; {left} errors and warnings left\n{changes}")
    }
}
