//! Diffs that `git apply` takes, from the current folder.

use std::io::Write;

use super::{PlanReport, ReportedFile, file_path};
use crate::output::diff::{hunks, quoted};
use crate::output::terminal::for_stdout;

/// git takes a file for a binary one if its first bytes hold a zero.
const LOOKED_AT: usize = 8000;

/// All that changes, by path, with moves as git shows renames.
pub(super) fn diff(report: &PlanReport<'_>) -> Vec<u8> {
    let mut out = Vec::new();
    for file in &report.files {
        changed(&mut out, report, file);
    }
    let is_changed = |path: &str| report.files.iter().any(|file| file.path == path);
    for moved in report.moves.iter().filter(|moved| !is_changed(&moved.from)) {
        let (old, new) = (report.name(&moved.from), report.name(&moved.to));
        renamed(&mut out, &old, &new, true);
    }
    for removed in report.removals {
        // What cannot be read now is told of when it is to be removed.
        let text = project::read_file(&file_path(report.root, removed)).unwrap_or_default();
        let name = report.name(removed);
        texts(&mut out, (&name, Some(&text)), (&name, None));
    }
    for_stdout(out)
}

fn changed(out: &mut Vec<u8>, report: &PlanReport<'_>, file: &ReportedFile<'_>) {
    let old = report.name(file.path);
    let moved = new_path(report, file.path).map(|path| report.name(&path));
    if let Some(new) = &moved {
        renamed(out, &old, new, false);
    }
    let new = moved.as_ref().unwrap_or(&old);
    texts(out, (&old, file.before), (new, file.after.as_deref()));
}

/// Where a file comes to lie that is moved, or in a folder that is.
fn new_path(report: &PlanReport<'_>, path: &str) -> Option<String> {
    report.moves.iter().find_map(|moved| {
        let rest = path.strip_prefix(&moved.from)?;
        (rest.is_empty() || rest.starts_with('/')).then(|| format!("{}{rest}", moved.to))
    })
}

fn head(out: &mut Vec<u8>, old: &str, new: &str) {
    let (old, new) = (format!("a/{old}"), format!("b/{new}"));
    // A `Vec` takes everything.
    let _ = writeln!(out, "diff --git {} {}", quoted(&old), quoted(&new));
}

fn renamed(out: &mut Vec<u8>, old: &str, new: &str, is_same: bool) {
    head(out, old, new);
    let similarity = if is_same { "similarity index 100%\n" } else { "" };
    let _ = writeln!(out, "{similarity}rename from {}\nrename to {}", quoted(old), quoted(new));
}

/// From one text to another, none for a file that is not there.
fn texts(
    out: &mut Vec<u8>,
    (old_name, old): (&str, Option<&[u8]>),
    (new_name, new): (&str, Option<&[u8]>),
) {
    if old_name == new_name {
        head(out, old_name, new_name);
    }
    match (old, new) {
        (None, _) => out.extend(b"new file mode 100644\n"),
        (_, None) => out.extend(b"deleted file mode 100644\n"),
        _ => {}
    }
    let side = |side: char, name: &str, text: Option<&[u8]>| match text {
        Some(_) => quoted(&format!("{side}/{name}")).into_owned(),
        None => "/dev/null".to_owned(),
    };
    let (a, b) = (side('a', old_name, old), side('b', new_name, new));
    let (old, new) = (old.unwrap_or_default(), new.unwrap_or_default());
    if [old, new].iter().any(|text| text[..text.len().min(LOOKED_AT)].contains(&0)) {
        let _ = writeln!(out, "Binary files {a} and {b} differ");
    } else if old != new {
        let _ = writeln!(out, "--- {a}\n+++ {b}");
        hunks(out, old, new);
    }
}
