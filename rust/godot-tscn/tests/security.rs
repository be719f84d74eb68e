//! Files of strangers: whatever runs code in Godot is an error in the profile for them.
//!
//! The first line of each file in `fixtures/security` tells when Godot 4.6.3 runs code of it, which
//! `scripts/test/scenes/security.sh` proves, and what is found: `; AT load FINDS SEC001`.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use godot_tscn::{
    AllowList, Budget, Diagnostic, LintOptions, Profile, SafetyOptions, Severity, Thing, TooHeavy,
    Weight,
};
use testkit::shared::require_shared;

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut files: Vec<_> =
        fs::read_dir(folder).unwrap().map(|file| file.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|end| end == "tscn" || end == "tres"));
    files.sort();
    assert!(!files.is_empty());
    files
}

fn fixtures() -> Vec<PathBuf> {
    files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/security"))
}

fn lint(path: &Path, text: &[u8], profile: Profile) -> Vec<Diagnostic> {
    let mut options = LintOptions::for_path(path.to_str().unwrap());
    options.profile = profile;
    godot_tscn::lint(text, &options).diagnostics
}

fn codes<'d>(found: impl IntoIterator<Item = &'d Diagnostic>) -> String {
    let codes: BTreeSet<_> = found.into_iter().map(|found| found.code).collect();
    codes.into_iter().collect::<Vec<_>>().join(", ")
}

#[test]
fn every_fixture_is_found_out() {
    let mut missed = BTreeSet::new();
    let all = 1..=12;
    missed.extend(all.map(|number| format!("SEC{number:03}")));
    // Without a list of what is allowed it has nothing to say.
    missed.remove("SEC008");
    let mut wrong = Vec::new();
    for path in fixtures() {
        let text = fs::read_to_string(&path).unwrap();
        let expected = text.lines().next().unwrap().split_once("FINDS ").unwrap().1;
        let safety = godot_tscn::safety(text.as_bytes(), &SafetyOptions::default());
        assert!(!safety.is_safe, "{}", path.display());
        let found = codes(&safety.reasons);
        if found != expected {
            wrong.push(format!("{}: {found}", path.display()));
        }
        for code in expected.split(", ") {
            missed.remove(code);
        }
    }
    assert!(wrong.is_empty(), "other diagnostics than the files say: {wrong:#?}");
    assert!(missed.is_empty(), "no fixture for {missed:?}");
}

/// In files of one's own the same things are at most worth a remark.
#[test]
fn trusted_files_have_no_such_errors() {
    for path in fixtures() {
        let found = lint(&path, &fs::read(&path).unwrap(), Profile::Trusted);
        let is_error =
            |found: &&Diagnostic| found.code.starts_with("SEC") && found.severity != Severity::Info;
        assert_eq!(codes(found.iter().filter(is_error)), "", "{}", path.display());
    }
}

#[test]
fn the_known_vectors_are_errors() {
    let Some(folder) = require_shared("malformed/security") else { return };
    for path in files(&folder) {
        let text = fs::read(&path).unwrap();
        let found = lint(&path, &text, Profile::Untrusted);
        let errors = found.iter().filter(|found| found.severity == Severity::Error);
        assert!(codes(errors).contains("SEC"), "{}: {found:?}", path.display());
        assert!(
            !godot_tscn::safety(&text, &SafetyOptions::default()).is_safe,
            "{}",
            path.display()
        );
    }
}

/// The files of an attack on earlier versions. They were called safe, and ran code, crashed or hung Godot.
#[test]
fn the_files_of_an_attack_are_refused() {
    let Some(folder) = require_shared("trials/attack/safety") else { return };
    let mut weights = std::collections::BTreeMap::new();
    let mut list = AllowList::default();
    list.paths = Some(vec!["user://".to_owned()]);
    let mut with_list = SafetyOptions::default();
    with_list.allow_list = Some(&list);
    let engine = files(&folder.join("engine"));
    for path in files(&folder).into_iter().chain(engine) {
        let name = path.file_name().unwrap().to_str().unwrap();
        // Each alone is harmless.
        let is_part = name.starts_with("bomb_exp") || name.starts_with("cycle_");
        let options = if is_part { with_list } else { SafetyOptions::default() };
        let safety = godot_tscn::safety(&fs::read(&path).unwrap(), &options);
        assert_eq!(safety.is_safe, is_part, "{name}: {:?}", safety.reasons);
        weights.insert(format!("user://{name}"), safety.weight);
    }
    let budget = Budget::default();
    let together =
        |first: &str| godot_tscn::total_weight(first, &weights, &budget, |_, path| path.to_owned());
    assert!(matches!(together("user://bomb_exp0.tscn"), Err(TooHeavy::Total(_))));
    assert!(matches!(together("user://cycle_a.tscn"), Err(TooHeavy::Circle(_))));
}

/// The files of a second attack: they ran no code, but crashed, hung or exhausted Godot. Those that are left are so small that
/// the engine runs them inside of its limits, which `scripts/test/scenes/harmless.sh --limits` shows.
#[test]
fn the_files_that_exhausted_the_engine_are_refused() {
    const SMALL: &[&str] = &["materials_20.tscn"];
    let Some(script) = require_shared("trials/attack-2/make.py") else { return };
    let folder = tempfile::tempdir().unwrap();
    let status =
        std::process::Command::new("python3").arg(&script).arg(folder.path()).status().unwrap();
    assert!(status.success());
    let short = files(&script.with_file_name("safe"));
    let mut list = AllowList::default();
    list.paths = Some(vec!["res://".to_owned()]);
    let mut options = SafetyOptions::default();
    options.allow_list = Some(&list);
    let all = files(folder.path()).into_iter().chain(short);
    let judged: Vec<(String, godot_tscn::Safety)> = all
        .map(|path| {
            let name = path.file_name().unwrap().to_str().unwrap().to_owned();
            let text = fs::read(&path).unwrap();
            (name, godot_tscn::safety(&text, &options))
        })
        .collect();
    let weights = judged
        .iter()
        .map(|(name, safety)| (format!("res://c/{name}"), safety.weight.clone()))
        .collect();
    let unsafe_paths: BTreeSet<String> = judged
        .iter()
        .filter(|(_, safety)| !safety.is_safe)
        .map(|(name, _)| format!("res://c/{name}"))
        .collect();
    let is_refused = |(name, _): &&(String, godot_tscn::Safety)| {
        let first = format!("res://c/{name}");
        let reached = reached(&first, &weights);
        let total =
            godot_tscn::total_weight(&first, &reached, &Budget::default(), |_, path| path.into());
        total.is_err() || reached.keys().any(|path| unsafe_paths.contains(path))
    };
    let safe: Vec<_> =
        judged.iter().filter(|file| !is_refused(file)).map(|(name, _)| name.as_str()).collect();
    assert!(judged.len() > 30);
    assert_eq!(safe, SMALL);
}

/// The weights of a file and of all that it uses.
fn reached(first: &str, weights: &BTreeMap<String, Weight>) -> BTreeMap<String, Weight> {
    let (mut reached, mut open) = (BTreeMap::new(), vec![first.to_owned()]);
    while let Some(path) = open.pop() {
        let Some(weight) = weights.get(&path) else { continue };
        if reached.insert(path, weight.clone()).is_none() {
            open.extend(weight.uses.keys().cloned());
        }
    }
    reached
}

/// What a level of strangers may look like: nothing to complain of.
#[test]
fn harmless_files_are_safe() {
    for path in files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/harmless")) {
        let safety = godot_tscn::safety(&fs::read(&path).unwrap(), &SafetyOptions::default());
        assert!(safety.is_safe, "{}: {:?}", path.display(), safety.reasons);
        assert_eq!(safety.references.len(), 2);
        assert_eq!(safety.weight.each.get(Thing::Nodes), 12);
    }
}

/// The page on untrusted files has the budget of each thing.
#[test]
fn the_page_says_the_budget() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/untrusted-files.md");
    let page = fs::read_to_string(page).unwrap();
    for thing in Thing::ALL {
        let start = format!("| `{}` |", thing.name());
        let row = page.lines().find(|line| line.starts_with(&start));
        let row = row.unwrap_or_else(|| panic!("docs/untrusted-files.md has no row {start}"));
        let budget = row.trim_end_matches(" |").rsplit("| ").next().unwrap();
        assert_eq!(budget, thing.usual().to_string(), "{row}");
    }
}

/// Every beginning of a file is judged.
#[test]
fn prefixes_are_judged_without_panic() {
    for path in fixtures() {
        let text = fs::read(&path).unwrap();
        for end in 0..text.len() {
            godot_tscn::safety(&text[..end], &SafetyOptions::default());
        }
    }
}
