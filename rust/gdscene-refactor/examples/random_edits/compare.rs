//! Compares our results with the files that Godot saved.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::process::ExitCode;

use godot_tscn::{Section, TagKind};
use regex::{Captures, Regex};
use similar::TextDiff;

use crate::case::Case;
use crate::scene::{path_of, properties};

/// At most this number of differences of one kind is shown.
const SHOWN: usize = 2;

pub(crate) fn compare(project: &Path, output: &Path) -> ExitCode {
    let cases = fs::read_to_string(output.join("cases")).expect("cases");
    let mut kinds: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    let mut shown = String::new();
    let mut excuses: BTreeMap<String, usize> = BTreeMap::new();
    let (mut equal, mut differ, mut excused) = (0, 0, 0);
    for line in cases.lines() {
        let case: Case = serde_json::from_str(line).expect("a case");
        let Some(difference) = difference(project, output, &case) else {
            equal += 1;
            continue;
        };
        let keys = excuse(project, output, &case);
        if !keys.is_empty() {
            excused += 1;
            keys.into_iter().for_each(|key| *excuses.entry(key).or_default() += 1);
            continue;
        }
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
    for (key, count) in &excuses {
        println!("SETTER {key}: {count}");
    }
    println!("edits: {equal} equal, {excused} differ by setters, {differ} differ");
    if differ == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// The differences, if there are any.
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

/// The properties that setters in Godot changed, if they explain all differences: `Class.property`. Sections, their order,
/// and the order of the properties that both have have to be the same.
fn excuse(project: &Path, output: &Path, case: &Case) -> BTreeSet<String> {
    let read = |end: &str| fs::read_to_string(output.join(format!("{}.{end}", case.number)));
    let none = BTreeSet::new;
    let (Ok(ours), Ok(godot), Ok(setters)) = (read("ours"), read("godot"), read("setters")) else {
        return none();
    };
    let setters: Vec<[String; 3]> = serde_json::from_str(&setters).unwrap_or_default();
    let before = project.join(case.file.trim_start_matches("res://"));
    let before = fs::read_to_string(before).unwrap_or_default();
    let (ours, godot) = (Minted::of(&ours, &before), Minted::of(&godot, &before));
    let (ours, godot) = (godot_tscn::parse(ours.as_bytes()), godot_tscn::parse(godot.as_bytes()));
    let mut keys = BTreeSet::new();
    if ours.sections().len() != godot.sections().len() {
        return keys;
    }
    for (one, other) in ours.sections().zip(godot.sections()) {
        if one.tag_span().of(ours.text()) != other.tag_span().of(godot.text()) {
            return none();
        }
        let (one_all, other_all) = (properties(one), properties(other));
        let mut excused = BTreeSet::new();
        for (key, value) in one_all.iter().chain(&other_all) {
            let is_in =
                |all: &[(String, String)]| all.iter().any(|it| it.0 == *key && it.1 == *value);
            if is_in(&one_all) && is_in(&other_all) {
                continue;
            }
            let Some(setter) =
                setters.iter().find(|setter| setter[2] == *key && is_of(one, setter))
            else {
                return none();
            };
            keys.insert(format!("{}.{key}", setter[1]));
            excused.insert(key.clone());
        }
        let rest = |all: Vec<(String, String)>| -> Vec<(String, String)> {
            all.into_iter().filter(|(key, _)| !excused.contains(key)).collect()
        };
        if rest(one_all) != rest(other_all) {
            return none();
        }
    }
    keys
}

/// Whether a section is that of the object with this setter.
fn is_of(section: Section<'_>, [place, class, _]: &[String; 3]) -> bool {
    match section.kind() {
        TagKind::Node => path_of(section) == *place,
        TagKind::SubResource => {
            section.field_text("type").is_some_and(|text| *text == *class.as_bytes())
        }
        TagKind::Resource => true,
        _ => false,
    }
}

/// Random ids, with numbers in their order instead.
struct Minted<'t> {
    before: &'t str,
    names: BTreeMap<String, String>,
}

impl<'t> Minted<'t> {
    fn of(text: &str, before: &'t str) -> String {
        let mut minted = Self { before, names: BTreeMap::new() };
        let document = godot_tscn::parse(text.as_bytes());
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
