//! For an issue or a pull request: a checklist of the places to look at, and the files that change.

use std::collections::BTreeMap;
use std::fmt::Write;

use godot_project::Place;

use super::PlanReport;
use crate::counted::Counted;
use crate::output::diff_markdown::code;

/// The title, a checklist of the doubts by file, and the changed files with the number of their places.
pub(super) fn markdown(report: &PlanReport<'_>) -> String {
    let (first, rest) =
        report.title.split_at(report.title.chars().next().map_or(0, char::len_utf8));
    let title = prose(&(first.to_uppercase() + rest));
    let mut out = format!("# {title}\n\n{}.\n", report.summary());
    if !report.doubts.is_empty() {
        out += "\n## To do\n";
        let mut last = "";
        for place in report.doubts {
            if last != place.path {
                let _ = write!(out, "\n{}\n\n", code(&report.name(&place.path)));
                last = &place.path;
            }
            let _ = writeln!(out, "- [ ] line {}: {}", place.line, prose(&place.what));
        }
    }
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for Place { path, .. } in report.places {
        *counts.entry(path).or_default() += 1;
    }
    if !report.is_empty() {
        out += if report.is_done { "\n## Changed\n\n" } else { "\n## Would change\n\n" };
    }
    for file in &report.files {
        let name = code(&report.name(file.path));
        let _ = match counts.get(file.path) {
            Some(count) => writeln!(out, "- {name}: {}", Counted(*count, "place")),
            None if file.before.is_none() => writeln!(out, "- {name}: new file"),
            None if file.after.is_none() => writeln!(out, "- {name}: removed"),
            None => writeln!(out, "- {name}"),
        };
    }
    for moved in report.moves {
        let (from, to) = (report.name(&moved.from), report.name(&moved.to));
        let _ = writeln!(out, "- {}: moved to {}", code(&from), code(&to));
    }
    for removed in report.removals {
        let _ = writeln!(out, "- {}: removed", code(&report.name(removed)));
    }
    for note in &report.notes {
        let _ = writeln!(out, "\nNote: {}", prose(note));
    }
    out
}

/// A message as Markdown: its code spans stay, pull requests become links, and all else is text.
fn prose(text: &str) -> String {
    let parts: Vec<&str> = text.split('`').collect();
    let has_spans = parts.len() % 2 == 1;
    let mut out = String::new();
    for (index, part) in parts.into_iter().enumerate() {
        match index % 2 == 1 && has_spans {
            true => out += &code(part),
            false => plain(&mut out, part),
        }
    }
    out
}

fn plain(out: &mut String, text: &str) {
    for (index, part) in text.split("GH-").enumerate() {
        let digits = part.len() - part.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let rest = match index > 0 {
            true if digits > 0 => {
                let number = &part[..digits];
                let _ = write!(
                    out,
                    "[GH-{number}](https://github.com/godotengine/godot/pull/{number})"
                );
                &part[digits..]
            }
            true => {
                out.push_str("GH-");
                part
            }
            false => part,
        };
        for character in rest.chars() {
            let is_plain = character.is_alphanumeric() || " .,;()'-/".contains(character);
            // GitHub makes links of addresses.
            let is_address =
                matches!(character, '.' | '/') && (rest.contains("www") || rest.contains("://"));
            match is_plain && !is_address {
                true => out.push(character),
                false => {
                    let _ = write!(out, "&#{};", character as u32);
                }
            }
        }
    }
}
