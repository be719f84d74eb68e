//! The project, kept open between calls.

use std::panic::{self, AssertUnwindSafe};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use gdscene_journal::Done;
use gdscene_lint::{Workspace, WorkspaceOptions};
use godot_project::CachePlace;
use rmcp::model::JsonObject;
use serde_json::Value as Json;

use crate::tool::{Answer, Call, ToolEntry, ToolError};
use crate::{ServeOptions, limits};

/// A project, and the permissions for it.
pub(crate) struct Session {
    root: PathBuf,
    is_read_only: bool,
    options: WorkspaceOptions,
    /// Nothing before the first call, and after one that panicked. Calls come one after the other: each that checks many
    /// files uses all cores.
    workspace: Mutex<Option<Workspace>>,
}

impl Session {
    pub(crate) fn new(options: ServeOptions) -> Self {
        let ServeOptions { root, is_read_only, cache } = options;
        // The cache is in the folder of the user, or in the project, where nothing is written then.
        let cache = if is_read_only { CachePlace::None } else { cache };
        let options = WorkspaceOptions { cache, ..WorkspaceOptions::default() };
        Self { root, is_read_only, options, workspace: Mutex::new(None) }
    }

    pub(crate) fn is_read_only(&self) -> bool {
        self.is_read_only
    }

    /// Runs a tool on the files as they are now. One that panics costs this call only.
    pub(crate) fn call(
        &self,
        tool: &ToolEntry,
        arguments: JsonObject,
        cancelled: &AtomicBool,
    ) -> Result<Answer, ToolError> {
        let mut workspace = self.workspace.lock().unwrap_or_else(PoisonError::into_inner);
        if cancelled.load(Ordering::Relaxed) {
            return Err(ToolError("cancelled before it started; nothing was changed".to_owned()));
        }
        // It comes back only from a call that ended well: a panic may have left texts in it that are not on the disk.
        let mut open = workspace.take();
        let run = || {
            let mut notes = self.interrupted(tool)?;
            let workspace = self.refreshed(&mut open)?;
            notes.extend(
                workspace
                    .config_error()
                    .map(|error| format!("{error}; until this is fixed, the default rules apply")),
            );
            let mut call = Call { workspace, cancelled, notes };
            let answer = (tool.run)(&mut call, arguments)?;
            Ok(with_notes(answer, &call.notes))
        };
        let done = panic::catch_unwind(AssertUnwindSafe(run));
        match done {
            Ok(done) => {
                *workspace = open;
                done
            }
            Err(_) => Err(ToolError(format!(
                "`{}` failed with an internal error of gdscene. Either nothing or everything was changed: see `git diff`. Report it with the arguments",
                tool.name
            ))),
        }
    }

    /// Finishes the change of a killed run, before anything else is written; otherwise reports it.
    fn interrupted(&self, tool: &ToolEntry) -> Result<Vec<String>, ToolError> {
        if !tool.effect.writes() {
            return Ok(unfinished_note(&self.root).into_iter().collect());
        }
        // `undo` takes it back instead.
        if tool.name == crate::tools::UNDO {
            return Ok(Vec::new());
        }
        let Some(Done { title, notes }) = gdscene_journal::finish(&self.root)? else {
            return Ok(Vec::new());
        };
        let finished =
            format!("an earlier run was interrupted ({title}); gdscene has finished it now");
        Ok([finished].into_iter().chain(notes).collect())
    }

    /// The project as it is on the disk.
    fn refreshed<'w>(
        &self,
        open: &'w mut Option<Workspace>,
    ) -> Result<&'w mut Workspace, ToolError> {
        match open {
            Some(workspace) => {
                workspace.refresh().map_err(|error| unreadable(&self.root, &error))?;
                Ok(workspace)
            }
            None => {
                let workspace = Workspace::open(&self.root, &self.options);
                Ok(open.insert(workspace.map_err(ToolError::new)?))
            }
        }
    }
}

/// A note on the rest of a killed run, or on a journal that cannot be read. Tools that read the project go on.
fn unfinished_note(root: &Path) -> Option<String> {
    match gdscene_journal::unfinished(root) {
        Ok(None) => None,
        Ok(Some(left)) => Some(format!(
            "an earlier run was interrupted ({}), so some files are old and some new; the next tool that writes will finish it",
            left.changes.title
        )),
        Err(error) => Some(error.to_string()),
    }
}

fn unreadable(root: &Path, error: &std::io::Error) -> ToolError {
    ToolError(format!("cannot read the project in `{}`: {error}", root.display()))
}

fn with_notes(answer: Answer, notes: &[String]) -> Answer {
    let Answer { mut text, mut data } = answer;
    limits::shorten(&mut text);
    limits::shorten_data(&mut data);
    for note in notes {
        text.push_str("\nnote: ");
        text.push_str(note);
    }
    if let (Json::Object(data), false) = (&mut data, notes.is_empty()) {
        data.insert("notes".to_owned(), notes.into());
    }
    Answer { text, data }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::tool::Effect;

    #[test]
    fn a_panic_costs_one_call() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("project.godot"), "config_version=5\n").unwrap();
        let root = folder.path().to_owned();
        let session =
            Session::new(ServeOptions { root, is_read_only: false, cache: CachePlace::None });
        let entry = |run| ToolEntry {
            name: "test",
            effect: Effect::Reads,
            declaration: rmcp::model::Tool::default,
            run,
        };
        let failing = entry(|call, _| {
            let overlay = b"[gd_scene format=3]\n".as_slice();
            let overlays = [("res://a.tscn", Some(overlay))];
            call.workspace.project_mut().unwrap().set_overlays(overlays).unwrap();
            panic!("on purpose");
        });
        let counting = entry(|call, _| {
            let count = call.project()?.files().len();
            Ok(Answer { text: count.to_string(), data: Json::Null })
        });
        let call = |tool| session.call(tool, JsonObject::new(), &AtomicBool::new(false));
        let error = call(&failing).unwrap_err();
        assert!(error.0.contains("an internal error of gdscene"), "{error:?}");
        // The text that only the failed call knew is gone.
        assert_eq!(call(&counting).unwrap().text, "1");
    }

    #[test]
    fn what_is_cancelled_before_it_begins_is_not_done() {
        let session = Session::new(ServeOptions {
            root: PathBuf::from("/nowhere"),
            is_read_only: false,
            cache: CachePlace::None,
        });
        let tool = &crate::tools::TOOLS[0];
        let error = session.call(tool, JsonObject::new(), &AtomicBool::new(true)).unwrap_err();
        assert!(error.0.starts_with("cancelled"), "{error:?}");
    }
}
