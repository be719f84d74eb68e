//! The changes of a tool in the project's files, through the journal: all of it or nothing.

use std::fmt;

use gdscene_journal::{Changes, Write};
use godot_project::{Place, Plan};
use schemars::JsonSchema;
use serde::Serialize;

use crate::diff;
use crate::limits::Shown;
use crate::tool::{Call, ToolError};

/// What has changed, or would.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub(crate) struct ChangeReport {
    /// What it does.
    pub(crate) title: String,
    /// Whether the files have been written. Otherwise it was a dry run, or nothing is to change.
    pub(crate) is_done: bool,
    /// The files whose content changes, and new ones.
    pub(crate) changed: Shown<String>,
    /// The files and folders that move: `old -> new`.
    pub(crate) moved: Shown<String>,
    /// The files that go.
    pub(crate) removed: Shown<String>,
    /// Places that may have to change too, which only you can tell: look at each.
    pub(crate) to_look_at: Shown<String>,
    /// The changes of the content, as a unified diff. It is cut if it is long.
    pub(crate) diff: String,
}

/// A model reads no more of a list of files.
const MAX_FILES: usize = 30;
const MAX_PLACES: usize = 40;

impl ChangeReport {
    /// What a plan changes, and carries it out unless told otherwise.
    pub(crate) fn of_plan(
        call: &mut Call<'_>,
        plan: &Plan,
        is_dry: bool,
    ) -> Result<Self, ToolError> {
        let mut report = Self::of_changes(call, &Changes::from(plan), is_dry)?;
        let doubts = plan.doubts.iter().map(place_text).collect();
        report.to_look_at = Shown::of_texts(doubts, MAX_PLACES);
        Ok(report)
    }

    pub(crate) fn of_changes(
        call: &mut Call<'_>,
        changes: &Changes,
        is_dry: bool,
    ) -> Result<Self, ToolError> {
        let mut report = Self::planned(changes);
        let is_empty =
            changes.writes.is_empty() && changes.moves.is_empty() && changes.removals.is_empty();
        if is_dry || is_empty {
            return Ok(report);
        }
        if call.is_cancelled() {
            return Err(ToolError("cancelled; nothing was changed".to_owned()));
        }
        let root = call.workspace.root().map(std::path::Path::to_owned);
        let root = root.ok_or_else(|| ToolError("the project has no folder".to_owned()))?;
        call.notes.extend(gdscene_journal::carry_out(&root, changes)?.notes);
        report.is_done = true;
        Ok(report)
    }

    /// What changes do, not done yet.
    pub(crate) fn planned(changes: &Changes) -> Self {
        let changed = changes.writes.iter().map(|write| write.path.clone()).collect();
        let moved = changes.moves.iter().map(|moved| format!("{} -> {}", moved.from, moved.to));
        Self {
            title: changes.title.clone(),
            is_done: false,
            changed: Shown::of_texts(changed, MAX_FILES),
            moved: Shown::of_texts(moved.collect(), MAX_FILES),
            removed: Shown::of_texts(changes.removals.clone(), MAX_FILES),
            to_look_at: Shown::default(),
            diff: diff::unified(changes.writes.iter().map(texts)),
        }
    }

    fn is_empty(&self) -> bool {
        self.changed.is_empty() && self.moved.is_empty() && self.removed.is_empty()
    }
}

fn texts(write: &Write) -> (&str, &[u8], &[u8]) {
    let before = write.before.as_deref().unwrap_or_default();
    (&write.path, before, write.after.as_deref().unwrap_or_default())
}

/// `res://a.gd:7:3: what is there`
pub(crate) fn place_text(place: &Place) -> String {
    format!("{}:{}:{}: {}", place.path, place.line, place.column, place.what)
}

impl fmt::Display for ChangeReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_empty() {
            write!(f, "{}: nothing to change", self.title)?;
        } else {
            let state = if self.is_done { "done" } else { "dry run, nothing is written" };
            write!(f, "{} ({state})", self.title)?;
        }
        let lists = [
            (&self.moved, "moved"),
            (&self.removed, "removed"),
            (&self.changed, "changed"),
            (&self.to_look_at, "check these places manually: they may need a change too"),
        ];
        for (list, what) in lists {
            if !list.is_empty() {
                write!(f, "\n{what} ({}):", list.count())?;
                for item in &list.items {
                    write!(f, "\n  {item}")?;
                }
                if list.more > 0 {
                    write!(f, "\n  … {} more", list.more)?;
                }
            }
        }
        if !self.diff.is_empty() {
            write!(f, "\n{}", self.diff.trim_end())?;
        }
        Ok(())
    }
}
