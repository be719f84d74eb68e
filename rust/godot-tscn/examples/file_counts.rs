//! How much of everything real files bring, beside the budget for untrusted ones: the table of `docs/untrusted-files.md`.
//!
//! ```text
//! cargo run -p godot-tscn --example file_counts -- FOLDER…
//! ```
//!
//! Counts each scene below the folders together with all that it instances and draws in its project.
#![forbid(unsafe_code)]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use godot_tscn::{AllowList, Budget, SafetyOptions, Tally, Thing, Weight, safety, total_weight};

fn main() {
    let mut files = Vec::new();
    for folder in std::env::args().skip(1) {
        find(Path::new(&folder), &mut files);
    }
    let mut tallies: Vec<(PathBuf, Tally)> =
        files.into_iter().filter_map(|file| Some((file.clone(), tally(&file)?))).collect();
    println!("{} scenes", tallies.len());
    println!("| thing | half have at most | 98 of 100 | most | budget |\n|---|---|---|---|---|");
    for thing in Thing::ALL {
        tallies.sort_by_key(|(_, tally)| tally.get(*thing));
        let at = |hundredths: usize| {
            tallies.get(tallies.len() * hundredths / 100).map_or(0, |(_, tally)| tally.get(*thing))
        };
        let most = tallies.last().map_or(0, |(_, tally)| tally.get(*thing));
        println!("| `{}` | {} | {} | {most} | {} |", thing.name(), at(50), at(98), thing.usual());
    }
    let fits = |tally: &Tally| Thing::ALL.iter().all(|thing| tally.get(*thing) <= thing.usual());
    let fitting = tallies.iter().filter(|(_, tally)| fits(tally)).count();
    println!("{fitting} scenes are inside of the whole budget");
    for (file, tally) in tallies.iter().filter(|(_, tally)| !fits(tally)) {
        let exceeded = Thing::ALL.iter().filter(|thing| tally.get(**thing) > thing.usual());
        let names: Vec<_> =
            exceeded.map(|thing| format!("{} {}", thing.name(), tally.get(*thing))).collect();
        eprintln!("{}: {}", file.display(), names.join(", "));
    }
}

fn find(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            find(&path, files);
        } else if path.extension().is_some_and(|end| end == "tscn") {
            files.push(path);
        }
    }
}

/// What a scene of Godot 4 brings with all that it uses.
fn tally(file: &Path) -> Option<Tally> {
    let root = file.ancestors().find(|folder| folder.join("project.godot").is_file())?;
    let first = format!("res://{}", file.strip_prefix(root).ok()?.display());
    let mut weights: BTreeMap<String, Weight> = BTreeMap::new();
    let mut open = vec![first.clone()];
    while let Some(path) = open.pop() {
        let Ok(text) = std::fs::read(root.join(path.trim_start_matches("res://"))) else {
            continue;
        };
        if weights.contains_key(&path) || !godot_tscn::is_text_path(&path) {
            continue;
        }
        let mut list = AllowList::default();
        list.paths = Some(vec!["res://".to_owned()]);
        let mut options = SafetyOptions::for_path(&path);
        options.allow_list = Some(&list);
        let weight = safety(&text, &options).weight;
        open.extend(weight.uses.keys().cloned());
        weights.insert(path, weight);
    }
    let text = std::fs::read(file).ok()?;
    let is_godot_4 = !text.windows(9).take(200).any(|window| window == b"format=2]");
    let mut budget = Budget::default();
    for thing in Thing::ALL {
        budget.set(*thing, u64::MAX);
    }
    let total = total_weight(&first, &weights, &budget, |_, path| path.to_owned()).ok()?;
    is_godot_4.then_some(total.tally)
}
