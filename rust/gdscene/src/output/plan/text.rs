//! For people: a line for each place.

use std::fmt::Write;

use godot_project::Place;

use super::PlanReport;
use crate::terminal::printable;

/// The text about places that stay as they are.
const DOUBTS: &str = "Look at these places yourself: they may have to change too, which the files do not tell. They are left as they are:";

/// The title, places, moves, removals, doubts and notes, and the last line.
pub(super) fn text(report: &PlanReport<'_>) -> String {
    let mut out = format!("{}\n", printable(report.title));
    let mut places = report.places.iter().peekable();
    for file in &report.files {
        while places.peek().is_some_and(|place| place.path.as_str() < file.path) {
            places.next();
        }
        let mut count = 0;
        while let Some(place) = places.next_if(|place| place.path == file.path) {
            line(&mut out, report, place);
            count += 1;
        }
        if count == 0 {
            let what = match (file.before, &file.after) {
                (None, _) => "new file",
                (_, None) => "removed",
                _ => "changed",
            };
            let _ = writeln!(out, "{}: {what}", printable(&report.name(file.path)));
        }
    }
    for moved in report.moves {
        let (from, to) = (report.name(&moved.from), report.name(&moved.to));
        let _ = writeln!(out, "{}: moved to {}", printable(&from), printable(&to));
    }
    for removed in report.removals {
        let _ = writeln!(out, "{}: removed", printable(&report.name(removed)));
    }
    for restored in report.restored {
        let _ = writeln!(out, "{}: comes back", printable(&report.name(&restored.path)));
    }
    out += &doubts(report);
    for note in &report.notes {
        let _ = writeln!(out, "note: {}", printable(note));
    }
    let _ = writeln!(out, "{}", report.summary());
    out
}

/// The doubts under their heading, or nothing.
pub(super) fn doubts(report: &PlanReport<'_>) -> String {
    let mut out = String::new();
    if !report.doubts.is_empty() {
        let _ = writeln!(out, "\n{DOUBTS}");
        report.doubts.iter().for_each(|place| line(&mut out, report, place));
        out.push('\n');
    }
    out
}

/// `path:line:column: what`
fn line(out: &mut String, report: &PlanReport<'_>, place: &Place) {
    let Place { path, line, column, what, .. } = place;
    let name = report.name(path);
    let _ = writeln!(out, "{}:{line}:{column}: {}", printable(&name), printable(what));
}
