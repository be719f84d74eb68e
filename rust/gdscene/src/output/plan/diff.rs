//! Diffs that `git apply` takes in the project's folder.

use std::collections::HashSet;
use std::fs;
use std::io::Write;
use std::path::Path;

use gdscene_journal::Restored;
use godot_project::{FileMove, Routes};

use super::{PlanReport, ReportedFile};
use crate::files::file_path;
use crate::output::diff::{hunks, quoted};
use crate::terminal::for_stdout;

/// git takes a file for a binary one if its first bytes hold a zero.
const LOOKED_AT: usize = 8000;

/// All that changes, by path, with moves as git shows renames.
pub(super) fn diff(report: &PlanReport<'_>) -> Vec<u8> {
    let mut out = Vec::new();
    let routes = Routes::new(report.moves.iter().map(|moved| moved.from.as_str()));
    for file in &report.files {
        let moved = routes.of(file.path).map(|(index, rest)| report.moves[index].to.clone() + rest);
        changed(&mut out, file, moved.as_deref().unwrap_or(file.path));
    }
    let changed: HashSet<&str> = report.files.iter().map(|file| file.path).collect();
    for FileMove { from, to } in report.moves {
        for rest in files_in(&file_path(report.root, from)) {
            let old = format!("{from}{rest}");
            if !changed.contains(old.as_str()) {
                renamed(&mut out, below(&old), below(&format!("{to}{rest}")), true);
            }
        }
    }
    for removed in report.removals {
        let place = file_path(report.root, removed);
        for rest in files_in(&place) {
            let path = format!("{removed}{rest}");
            // An unreadable file is reported when it is removed.
            let text = godot_project::read_file(&file_path(report.root, &path)).unwrap_or_default();
            texts(&mut out, (below(&path), Some(&text)), (below(&path), None));
        }
    }
    for Restored { path, kept } in report.restored {
        for rest in files_in(kept) {
            let path = format!("{path}{rest}");
            let place = kept.join(rest.trim_start_matches('/'));
            let text = godot_project::read_file(if rest.is_empty() { kept } else { &place });
            let text = text.unwrap_or_default();
            texts(&mut out, (below(&path), None), (below(&path), Some(&text)));
        }
    }
    for_stdout(out)
}

/// The paths of the files in a folder after its own path, `/a/b.gd`; nothing more for a file.
fn files_in(place: &Path) -> Vec<String> {
    let mut files = Vec::new();
    let mut open = vec![(place.to_owned(), String::new())];
    while let Some((place, rest)) = open.pop() {
        // A link moves as it is.
        if !fs::symlink_metadata(&place).is_ok_and(|found| found.is_dir()) {
            files.push(rest);
            continue;
        }
        for entry in fs::read_dir(place).into_iter().flatten().flatten() {
            let name = entry.file_name();
            open.push((entry.path(), format!("{rest}/{}", name.to_string_lossy())));
        }
    }
    files.sort();
    files
}

/// A file that comes to lie at `new`.
fn changed(out: &mut Vec<u8>, file: &ReportedFile<'_>, new: &str) {
    // A new file is never anywhere else.
    let old = if file.before.is_some() { below(file.path) } else { below(new) };
    if old != below(new) {
        renamed(out, old, below(new), false);
    }
    texts(out, (old, file.before), (below(new), file.after.as_deref()));
}

/// The path from the project's folder.
fn below(path: &str) -> &str {
    path.strip_prefix("res://").unwrap_or(path)
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

/// From one text to another; none for a missing file.
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
