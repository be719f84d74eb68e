//! The fixes that touch several files, which come before those of single files.

use std::collections::HashSet;
use std::io;
use std::path::{Path, PathBuf};

use gdscene_journal::Changes;
use gdscene_lint::{ChangedFile, FixChoice, FixGroup};
use thiserror::Error;

use super::FixArgs;
use crate::counted::Counted;
use crate::files::problem;
use crate::inputs::{Input, Problem};
use crate::linter::{Linter, LinterError, MultiFileFix};
use crate::output::diff;
use crate::output::place::relative;
use crate::terminal::printable;

/// The result of the fixes that touch several files.
#[derive(Default)]
pub(super) struct AcrossFixes {
    /// How many fixes were applied, or would be.
    pub(super) fix_count: usize,
    /// The files that changed, or would.
    pub(super) changed: HashSet<PathBuf>,
    /// The text to print.
    pub(super) output: Vec<u8>,
    /// The files that could not be written.
    pub(super) problems: Vec<Problem>,
}

/// Why the fixes that touch several files could not be worked out.
#[derive(Debug, Error)]
pub(super) enum AcrossError {
    #[error(transparent)]
    Linter(#[from] LinterError),
    /// The files that were written cannot be read again.
    #[error(transparent)]
    Unreadable(#[from] io::Error),
}

/// Applies the chosen fixes that touch several files to the findings in the inputs. With `--diff` and `--dry-run` nothing is
/// written, and the linter keeps the new texts.
pub(super) fn fix(
    args: &FixArgs,
    inputs: &[Input],
    choice: FixChoice,
    linter: &mut Linter,
) -> Result<AcrossFixes, AcrossError> {
    let is_dry = args.diff || args.dry_run;
    let made = linter.fix_across(inputs, choice)?;
    let mut done = AcrossFixes::default();
    for fix in &made {
        if !is_dry && let Err(error) = write(fix) {
            done.problems.push(error);
            continue;
        }
        done.fix_count += fix.group.fix_count;
        let files = fix.group.files.keys().map(|path| fix.file_path(path));
        done.changed.extend(files);
        if args.diff {
            diff_of_others(fix, inputs, &mut done.output);
        } else {
            done.output.extend(line_of(fix, is_dry).into_bytes());
        }
    }
    if !is_dry && !made.is_empty() {
        linter.forget(&made)?;
    }
    Ok(done)
}

/// Writes the files of fixes that hang together: all or none, whenever the run is killed.
fn write(fix: &MultiFileFix) -> Result<(), Problem> {
    let FixGroup { titles, files, .. } = &fix.group;
    let change = |(path, file): (&String, &ChangedFile)| gdscene_journal::Write {
        path: path.clone(),
        before: file.before.clone(),
        after: Some(file.after.as_slice().into()),
    };
    let changes = Changes {
        title: titles.iter().map(String::as_str).collect::<Vec<_>>().join(", "),
        writes: files.iter().map(change).collect(),
        ..Changes::default()
    };
    match gdscene_journal::carry_out(&fix.folder, &changes) {
        Ok(_) => Ok(()),
        Err(error) => Err(problem(&fix.folder, &error)),
    }
}

/// The diffs of the files that are not inputs. Those of the inputs come later, with all that changes in them.
fn diff_of_others(fix: &MultiFileFix, inputs: &[Input], out: &mut Vec<u8>) {
    for (path, file) in &fix.group.files {
        let path = fix.file_path(path);
        if !inputs.iter().any(|input| is_at(input, &path)) {
            let before = file.before.as_deref().unwrap_or_default();
            out.extend(diff::unified(&name(&path), before, &file.after));
        }
    }
}

fn is_at(input: &Input, path: &Path) -> bool {
    matches!(input, Input::File(file) if std::path::absolute(file).is_ok_and(|file| file == path))
}

/// `a.tscn, b.tscn: 1 fix`
fn line_of(fix: &MultiFileFix, is_dry: bool) -> String {
    let FixGroup { fix_count, files, .. } = &fix.group;
    let names: Vec<String> = files.keys().map(|path| name(&fix.file_path(path))).collect();
    let would = if is_dry { " would be applied" } else { "" };
    format!("{}: {}{would}\n", printable(&names.join(", ")), Counted(*fix_count, "fix"))
}

fn name(path: &Path) -> String {
    relative(&path.to_string_lossy())
}
