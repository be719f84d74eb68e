//! `undo`

use std::fmt;

use gdscene_journal::Done;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::changes::ChangeReport;
use crate::tool::{Call, Effect, Tool, ToolError};

pub(crate) struct Undo;

/// How the last change is taken back.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    /// Write nothing; report what would change.
    #[serde(default)]
    dry_run: bool,
}

/// What was taken back.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Report {
    /// The changes.
    #[serde(flatten)]
    changes: ChangeReport,
}

impl Tool for Undo {
    type Arguments = Arguments;
    type Report = Report;

    const NAME: &'static str = "undo";
    const TITLE: &'static str = "Undo the last change";
    const DESCRIPTION: &'static str = "Undoes the last change of a tool of this server, or of a gdscene refactoring: in all its files or in none. Later \
         changes in other lines of these files are kept. A second `undo` repeats the change; older changes cannot be undone.";
    const EFFECT: Effect = Effect::Changes;

    fn call(call: &mut Call<'_>, arguments: Arguments) -> Result<Report, ToolError> {
        let root = call.workspace.root().map(std::path::Path::to_owned);
        let root = root.ok_or_else(|| ToolError("the project has no folder".to_owned()))?;
        if !arguments.dry_run
            && let Some(Done { title, notes }) = gdscene_journal::take_back(&root)?
        {
            call.notes.extend(notes);
            let title = format!("take back what an interrupted run had done of: {title}");
            let changes = ChangeReport { title, is_done: true, ..ChangeReport::default() };
            return Ok(Report { changes });
        }
        let undo = gdscene_journal::plan_undo(&root)?;
        let mut changes = ChangeReport::planned(&undo.changes);
        call.notes.extend(undo.restored.iter().map(|kept| format!("{} comes back", kept.path)));
        call.notes.extend(undo.merged.iter().map(|path| {
            format!("{path} has changed since, so only the changed lines get their old content")
        }));
        if !arguments.dry_run {
            call.notes.extend(gdscene_journal::undo(&root, &undo)?.notes);
            changes.is_done = true;
        }
        Ok(Report { changes })
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.changes.fmt(f)
    }
}
