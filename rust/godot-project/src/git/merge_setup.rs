//! Whether git merges scenes with `gdscene`, and setting that up.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::{Git, PATIENCE, answer, program_called};

/// How git merges the scenes of a project.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MergeSetup {
    /// Whether git has the merge driver `gdscene`.
    pub is_set_up: bool,
    /// The program `gdscene` on the PATH, which can set that up.
    pub program: Option<PathBuf>,
}

/// How git merges in the repository of `folder`, or nothing outside a repository. Takes at most the time limit of git.
///
/// # Errors
/// When git fails, or is not installed.
pub fn merge_setup(folder: &Path) -> Result<Option<MergeSetup>, String> {
    let Some(top) = Git::top_of(folder) else { return Ok(None) };
    let git = Git::open(top)?;
    let asked = ["config", "--get", "merge.gdscene.driver"];
    let is_set_up = match git.in_repository(asked) {
        Ok(driver) => !driver.trim_ascii().is_empty(),
        Err(reason) if reason.is_empty() => false,
        Err(reason) => return Err(reason),
    };
    Ok(Some(MergeSetup { is_set_up, program: program_called("gdscene", git.top()) }))
}

/// Runs `gdscene git install` in a folder. Returns its output.
///
/// # Errors
/// When it fails, or there is no such program.
pub fn set_up_merging(folder: &Path) -> Result<String, String> {
    let top = Git::top_of(folder).ok_or("this folder is not in a git repository")?;
    let program = program_called("gdscene", top);
    let program = program.ok_or("the program `gdscene` is not on the PATH")?;
    let mut command = Command::new(program);
    command.args(["git", "install"]).current_dir(folder).stdin(Stdio::null());
    let printed = answer(&mut command, PATIENCE)?;
    Ok(String::from_utf8_lossy(&printed).trim().to_owned())
}
