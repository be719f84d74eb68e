//! Changes of several files of a project, all or none, and the rest of a killed run.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use gdscene_journal::{Done, JournalError, Trouble};

use crate::files::file_path;
use crate::inputs::{Input, Problem};
use crate::terminal::complain;

/// Finishes the changes of killed runs in the project in the folder `root`, and reports it.
///
/// # Errors
/// When it cannot be finished; nothing more may be changed then.
pub(crate) fn finish_interrupted(root: &Path) -> Result<(), JournalError> {
    if let Some(Done { title, notes }) = gdscene_journal::finish(root)? {
        complain(format_args!(
            "an earlier run was interrupted ({title}); gdscene has finished it now"
        ));
        notes.iter().for_each(complain);
    }
    Ok(())
}

/// [`finish_interrupted`] in the projects of all inputs.
pub(crate) fn finish_all_interrupted(inputs: &[Input]) -> Result<(), Problem> {
    for root in roots(inputs) {
        finish_interrupted(&root).map_err(|error| problem(&root, &error))?;
    }
    Ok(())
}

/// Reports the changes of killed runs in the project in the folder `root`, and leaves them.
pub(crate) fn tell_of_interrupted(root: &Path) {
    match gdscene_journal::unfinished(root) {
        Ok(None) => {}
        Ok(Some(unfinished)) => complain(format_args!(
            "an earlier run was interrupted ({}), so some files are old and some new; the next command that writes will finish it, and \
             `gdscene undo` will undo it",
            unfinished.changes.title
        )),
        Err(error) => complain(error),
    }
}

/// The problem with the changes of the project in the folder `root`, at its file.
pub(crate) fn problem(root: &Path, error: &JournalError) -> Problem {
    match error {
        JournalError::Refused(troubles) if troubles.len() == 1 => {
            let Trouble { path, reason } = &troubles[0];
            Problem {
                path: file_path(root, path),
                reason: format!("{reason}; nothing was changed"),
            }
        }
        error => Problem { path: root.to_owned(), reason: error.to_string() },
    }
}

fn roots(inputs: &[Input]) -> BTreeSet<PathBuf> {
    let folders: BTreeSet<PathBuf> = inputs.iter().filter_map(Input::absolute_folder).collect();
    folders.iter().filter_map(|folder| godot_project::find_root(folder)).collect()
}
