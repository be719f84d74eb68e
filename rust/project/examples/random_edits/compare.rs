//! Compares what we made with what Godot saved.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::ExitCode;

use regex::{Captures, Regex};
use similar::TextDiff;
use tscn::TagKind;

use crate::case::Case;

/// So many differences of one kind are shown.
const SHOWN: usize = 2;

pub fn compare(project: &Path, output: &Path) -> ExitCode {
    let cases = fs::read_to_string(output.join("cases")).expect("cases");
    let mut kinds: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    let mut shown = String::new();
    let (mut equal, mut differ) = (0, 0);
    for line in cases.lines() {
        let case: Case = serde_json::from_str(line).expect("a case");
        let Some(difference) = difference(project, output, &case) else {
            equal += 1;
            continue;
        };
        differ += 1;
        let found = kinds.entry(case.about.join(" + ")).or_default();
        found.push(case.number);
        if found.len() <= SHOWN {
            let operations = serde_json::to_string(&case.operations).expect("it is JSON");
            shown += &format!("DIFFERS {} {} {operations}\n{difference}\n", case.number, case.file);
        }
    }
    print!("{shown}");
    for (about, found) in &kinds {
        println!("{}\t{about}\t{found:?}", found.len());
    }
    println!("edits: {equal} equal, {differ} differ");
    if differ == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// What differs, if anything does.
fn difference(project: &Path, output: &Path, case: &Case) -> Option<String> {
    let read = |end: &str| fs::read_to_string(output.join(format!("{}.{end}", case.number)));
    let ours = read("ours").expect("we wrote it");
    let Ok(godot) = read("godot") else { return Some("Godot saved nothing\n".to_owned()) };
    let before = project.join(case.file.trim_start_matches("res://"));
    let before = fs::read_to_string(before).unwrap_or_default();
    if let Ok(chosen) = read("ids") {
        let chosen: BTreeMap<String, String> = serde_json::from_str(&chosen).expect("ids");
        for (path, id) in &case.ext_ids {
            let number = |id: &str| id.split('_').next().unwrap_or_default().to_owned();
            let theirs = chosen.get(path).map(String::as_str).unwrap_or_default();
            if number(id) != number(theirs) {
                return Some(format!("the id of {path} is {id}, Godot's {theirs}\n"));
            }
        }
    }
    let (ours, godot) = (Minted::of(&ours, &before), Minted::of(&godot, &before));
    if ours == godot {
        return None;
    }
    let diff = TextDiff::from_lines(&ours, &godot);
    Some(diff.unified_diff().context_radius(2).header("ours", "godot").to_string())
}

/// Ids that are minted by chance, with numbers in their order instead.
struct Minted<'t> {
    before: &'t str,
    names: BTreeMap<String, String>,
}

impl<'t> Minted<'t> {
    fn of(text: &str, before: &'t str) -> String {
        let mut minted = Self { before, names: BTreeMap::new() };
        let document = tscn::parse(text.as_bytes());
        for section in document.sections() {
            let field = |name: &str| {
                let text = section.field_text(name)?;
                Some(String::from_utf8_lossy(&text).into_owned())
            };
            match section.kind() {
                TagKind::GdScene | TagKind::GdResource => {
                    if let Some(uid) = field("uid") {
                        minted.note(&format!("\"{uid}\""), "UID");
                    }
                }
                TagKind::SubResource => {
                    let id = field("id").unwrap_or_default();
                    let class = id.split('_').next().unwrap_or_default();
                    minted.note(&format!("\"{id}\""), class);
                }
                TagKind::Node => {
                    if let Some(id) = section.field("unique_id") {
                        minted.note(&String::from_utf8_lossy(id.source()), "NODE");
                    }
                }
                _ => {}
            }
        }
        let ids = Regex::new(r#""[^"\n]*"|\b\d+\b"#).expect("a pattern");
        let replaced = ids.replace_all(text, |found: &Captures<'_>| {
            minted.names.get(&found[0]).cloned().unwrap_or_else(|| found[0].to_owned())
        });
        replaced.into_owned()
    }

    /// An id that the text before did not have.
    fn note(&mut self, id: &str, kind: &str) {
        if !self.before.contains(id) && !self.names.contains_key(id) {
            let number = self.names.len();
            self.names.insert(id.to_owned(), format!("<{kind} {number}>"));
        }
    }
}
