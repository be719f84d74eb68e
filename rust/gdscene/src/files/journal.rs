//! Changes of several files of a project: all or none, and what a killed run has left of them.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use gdscene_journal::{Done, JournalError, Trouble};

use crate::files::file_path;
use crate::inputs::{Input, Problem};
use crate::terminal::complain;

/// Finishes what killed runs have begun in the project in the folder `root`, and says so.
///
/// # Errors
/// When it cannot be finished; nothing more may be changed then.
pub(crate) fn finish_interrupted(root: &Path) -> Result<(), JournalError> {
    if let Some(Done { title, notes }) = gdscene_journal::finish(root)? {
        complain(format_args!(
            "an earlier run was interrupted ({title}); the rest of it has been done now"
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

/// Says what killed runs have begun in the project in the folder `root`, and leaves it.
pub(crate) fn tell_of_interrupted(root: &Path) {
    match gdscene_journal::unfinished(root) {
        Ok(None) => {}
        Ok(Some(unfinished)) => complain(format_args!(
            "an earlier run was interrupted ({}), so some files are old and some new; the next command that writes finishes it, and \
             `gdscene undo` takes it back",
            unfinished.changes.title
        )),
        Err(error) => complain(error),
    }
}

/// What is wrong with the changes of the project in the folder `root`, at the file that it is about.
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
