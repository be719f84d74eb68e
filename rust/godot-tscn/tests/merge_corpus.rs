//! Merges that people made in public projects: base, ours, theirs, and what was committed.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use crate::merge_things::{Things, things};
use testkit::shared::require_shared;

/// Merged without a conflict, of those that git left in conflict: at least so many.
const MERGED: usize = 165;
/// Of these equal to what people made of them, but for uids.
const AS_PEOPLE: usize = 143;

/// Changes that the result has in another form, and why.
const OTHERWISE: &[(&str, &str, &str)] = &[(
    "77",
    "Connection",
    "ours connected `LevelLoader`, which theirs renamed: the connections follow; people lost them",
)];

struct Case {
    number: String,
    texts: [Vec<u8>; 3],
    result: Vec<u8>,
    /// What `git merge-file` makes of it.
    git: String,
}

fn cases(folder: &Path) -> Vec<Case> {
    let index = fs::read_to_string(folder.join("INDEX.tsv")).unwrap();
    let case = |line: &str| {
        let columns: Vec<&str> = line.split('\t').collect();
        let extension = columns[3].rsplit('.').next().unwrap();
        let read = |name: &str| {
            fs::read(folder.join(columns[0]).join(format!("{name}.{extension}"))).unwrap()
        };
        Case {
            number: columns[0].to_owned(),
            texts: ["base", "ours", "theirs"].map(read),
            result: read("result"),
            git: columns[4].to_owned(),
        }
    };
    index.lines().map(case).collect()
}

#[test]
fn real_merges() {
    let Some(folder) = require_shared("merges") else { return };
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    let mut failures = Vec::new();
    for case in cases(&folder) {
        let [base, ours, theirs] = &case.texts;
        let state = match godot_tscn::merge(base, ours, theirs) {
            Err(refusal) => format!("refused: {refusal}"),
            Ok(merged) if !merged.conflicts.is_empty() => "conflict".to_owned(),
            Ok(merged) => {
                for lost in lost(&case.texts, &merged.text) {
                    let is_known = |(number, what, _): &(&str, &str, &str)| {
                        *number == case.number && lost.starts_with(what)
                    };
                    if OTHERWISE.iter().any(is_known) {
                        continue;
                    }
                    failures.push(format!("{}: lost {lost}", case.number));
                }
                let is_equal = things(&merged.text) == things(&case.result);
                if is_equal { "equal" } else { "different" }.to_owned()
            }
        };
        if case.git.starts_with("clean") && !matches!(state.as_str(), "equal" | "different") {
            failures.push(format!("{}: {state}, and git merged it", case.number));
        }
        *counts.entry(format!("git {}, here {state}", case.git)).or_default() += 1;
    }
    println!("{counts:#?}");
    assert_eq!(failures, Vec::<String>::new());
    let count = |state: &str| counts.get(&format!("git conflict, here {state}")).copied();
    let equal = count("equal").unwrap_or_default();
    let merged = equal + count("different").unwrap_or_default();
    assert!(merged >= MERGED && equal >= AS_PEOPLE, "{counts:#?}");
}

#[test]
fn either_direction_says_the_same() {
    let Some(folder) = require_shared("merges") else { return };
    for case in cases(&folder) {
        let [base, ours, theirs] = &case.texts;
        let merged = [(ours, theirs), (theirs, ours)].map(|(ours, theirs)| {
            godot_tscn::merge(base, ours, theirs).ok().filter(|merged| merged.conflicts.is_empty())
        });
        let is_clean = merged.each_ref().map(Option::is_some);
        assert_eq!(is_clean[0], is_clean[1], "{}", case.number);
        if let [Some(one), Some(other)] = merged {
            let [one, other] = [one, other].map(|merged| without_sets(things(&merged.text)));
            assert_eq!(one, other, "{}", case.number);
        }
    }
}

/// Without what has another order or another id in the other direction. Resources are compared where they are used.
fn without_sets(mut things: Things) -> Things {
    things.retain(|name, _| !name.starts_with("sub_resource"));
    for says in things.values_mut() {
        says.retain(|name, _| !matches!(name.as_str(), "@groups" | "@node_paths" | "@format"));
    }
    things
}

/// What one side changed and the result does not have.
fn lost(texts: &[Vec<u8>; 3], merged: &[u8]) -> Vec<String> {
    let [base, ours, theirs] = texts.each_ref().map(|text| things(text));
    let merged = things(merged);
    let mut lost = Vec::new();
    let names = base.keys().chain(ours.keys()).chain(theirs.keys());
    for name in names.collect::<std::collections::BTreeSet<_>>() {
        let [b, o, t, m] = [&base, &ours, &theirs, &merged].map(|things| things.get(name));
        let expected = match (b, o, t) {
            (_, o, t) if o == t => o,
            (b, o, t) if b == o => t,
            (b, o, t) if b == t => o,
            (_, Some(o), Some(t)) => {
                lost.extend(lost_properties(name, b, o, t, m));
                continue;
            }
            _ => continue,
        };
        // A resource may have another id, if what uses it says the same.
        if m != expected && !name.starts_with("sub_resource") {
            lost.push(name.clone());
        }
    }
    lost
}

fn lost_properties(
    name: &str,
    base: Option<&BTreeMap<String, String>>,
    ours: &BTreeMap<String, String>,
    theirs: &BTreeMap<String, String>,
    merged: Option<&BTreeMap<String, String>>,
) -> Vec<String> {
    let keys =
        ours.keys().chain(theirs.keys()).chain(base.into_iter().flatten().map(|(key, _)| key));
    let is_lost = |key: &&String| {
        let [b, m] = [base, merged].map(|says| says.and_then(|says| says.get(*key)));
        let [o, t] = [ours, theirs].map(|says| says.get(*key));
        let expected = if o == t || b == t {
            o
        } else if b == o {
            t
        } else {
            // Both changed it: it was merged inside.
            return false;
        };
        m != expected && !(name.starts_with("sub_resource") && merged.is_none())
    };
    keys.filter(is_lost).map(|key| format!("{name}: {key}")).collect()
}
