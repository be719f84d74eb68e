//! Files of all that is known to be harmless, at its limits, for a real engine to try.
//!
//! ```text
//! cargo run -p godot-tscn --example harmless_files -- FOLDER SEED COUNT
//! ```
//!
//! Writes at most COUNT files of the seed into FOLDER, which is `res://cases` of a project that has `res://own/tiles.tres` and
//! `res://own/sound.tres`, and `index.tsv`: for each file its name, how many frames it is to be seen, what it costs, and how many objects of each class are in
//! it. Each file is one that [`godot_tscn::safety`] calls safe; one that it calls otherwise for
//! another reason than its size ends the program, because either the list or the linter is wrong then.
//! `scripts/test/scenes/harmless.sh` shows the files to Godot.
#![forbid(unsafe_code)]

mod animation;
mod file;
mod list;
mod numbers;
mod plan;
mod texts;
mod values;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;
use std::process::ExitCode;

use godot_tscn::{AllowList, SafetyOptions, Weight, safety, total_weight};

use crate::file::File;
use crate::list::List;
use crate::numbers::Temper;
use crate::plan::{Kind, Plan};

/// Smaller and smaller, until a file fits the budget.
const LEVELS: i32 = 6;

const TEMPERS: [Temper; 7] = [
    Temper::Most,
    Temper::Mixed,
    Temper::Least,
    Temper::Zero,
    Temper::Tiny,
    Temper::Middle,
    Temper::Plain,
];

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [folder, seed, count] = &arguments[..] else { return usage() };
    let (Ok(seed), Ok(count)) = (seed.parse::<u64>(), count.parse::<usize>()) else {
        return usage();
    };
    match write_files(Path::new(folder), seed, count) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("harmless_files: {error}");
            ExitCode::FAILURE
        }
    }
}

fn usage() -> ExitCode {
    eprintln!("usage: harmless_files FOLDER SEED COUNT");
    ExitCode::from(2)
}

fn write_files(folder: &Path, seed: u64, count: usize) -> Result<(), String> {
    let list = List::read();
    let mut random = fastrand::Rng::with_seed(seed);
    let mut plans = plan::round(&list, &TEMPERS, 1.0);
    plans.extend(plan::round(&list, &[Temper::Mixed, Temper::Plain, Temper::Mixed], 0.3));
    random.shuffle(&mut plans);
    // Every class comes before some class comes often.
    plans.sort_by_key(|plan| plan.temper != Temper::Mixed);
    let mut made = Made::default();
    let mut index = String::new();
    for (number, plan) in plans.into_iter().cycle().take(count).enumerate() {
        let seed = random.u64(..);
        // What a plan makes may be too much by chance, whatever is left out.
        let Some((name, text, counts)) = made.file(&list, plan, number, seed)? else { continue };
        std::fs::write(folder.join(&name), &text).map_err(|error| format!("{name}: {error}"))?;
        let frames = if plan.kind == Kind::Falling { 60 } else { 8 };
        let cost = made
            .weights
            .get(&path_of(&name))
            .map_or(0, |weight| weight.node_cost + weight.resource_cost);
        writeln!(index, "{name}\t{frames}\t{cost}\t{:?} {:?}\t{counts}", plan.kind, plan.temper)
            .ok();
    }
    std::fs::write(folder.join("index.tsv"), index).map_err(|error| format!("index.tsv: {error}"))
}

/// What was made so far.
#[derive(Default)]
struct Made {
    weights: BTreeMap<String, Weight>,
    /// Small scenes, which others may instance.
    scenes: Vec<String>,
}

impl Made {
    /// The name, the text and the objects of a new file; nothing if it fits no budget.
    fn file(
        &mut self,
        list: &List,
        plan: Plan,
        number: usize,
        seed: u64,
    ) -> Result<Option<(String, String, String)>, String> {
        for level in 0..LEVELS {
            let mut file = File::new(list, plan::numbers(plan, seed, level));
            file.share = plan.share;
            if plan.kind == Kind::Instances {
                for _ in 0..4.min(self.scenes.len()) {
                    let scene = file.numbers.pick(&self.scenes).clone();
                    if !file.scenes.contains(&scene) {
                        file.scenes.push(scene);
                    }
                }
            }
            let (text, is_scene) = file.make(plan.kind);
            let name = format!("{number:06}.{}", if is_scene { "tscn" } else { "tres" });
            match self.judge(&name, &text) {
                Ok(()) => {
                    let weight = &self.weights[&path_of(&name)];
                    let is_small =
                        text.len() < 20_000 && weight.node_cost + weight.resource_cost < 500_000;
                    if is_scene && is_small && weight.depth < 20 {
                        self.scenes.push(path_of(&name));
                    }
                    let mut counts = file.counts();
                    if let (Kind::Class(class), false) = (plan.kind, is_scene) {
                        *counts.entry(class).or_default() += 1;
                    }
                    let counts: Vec<String> =
                        counts.iter().map(|(class, count)| format!("{class}={count}")).collect();
                    return Ok(Some((name, text, counts.join(" "))));
                }
                Err(reason) if is_about_size(&reason) => {}
                Err(reason) => {
                    let kept = std::env::temp_dir().join(&name);
                    std::fs::write(&kept, &text).ok();
                    return Err(format!(
                        "{plan:?} is not judged safe ({}): {reason}",
                        kept.display()
                    ));
                }
            }
        }
        Ok(None)
    }

    /// Why the file may not be loaded.
    fn judge(&mut self, name: &str, text: &str) -> Result<(), String> {
        let path = path_of(name);
        let mut list = AllowList::default();
        list.paths = Some(vec!["res://own/".to_owned(), "res://cases/".to_owned()]);
        let mut options = SafetyOptions::for_path(&path);
        options.allow_list = Some(&list);
        let found = safety(text.as_bytes(), &options);
        if !found.is_safe {
            let reasons: BTreeSet<String> = found
                .reasons
                .iter()
                .map(|reason| format!("{} {}", reason.code, reason.message))
                .collect();
            return Err(format!("{reasons:#?}"));
        }
        let mut weights = self.weights.clone();
        weights.insert(path.clone(), found.weight.clone());
        let reached = reached(&path, &weights);
        weights.retain(|path, _| reached.contains(path));
        total_weight(&path, &weights, |_, path| path.to_owned())
            .map_err(|error| format!("{error:?}"))?;
        self.weights.insert(path, found.weight);
        Ok(())
    }
}

/// Whether a smaller file may be safe.
fn is_about_size(reason: &str) -> bool {
    ["add up to", "Total(", "any sound scene has", "enlarge each other"]
        .iter()
        .any(|part| reason.contains(part))
}

fn path_of(name: &str) -> String {
    format!("res://cases/{name}")
}

/// The file and those that it instances, by way of others.
fn reached(first: &str, weights: &BTreeMap<String, Weight>) -> BTreeSet<String> {
    let (mut reached, mut open) = (BTreeSet::new(), vec![first.to_owned()]);
    while let Some(path) = open.pop() {
        if reached.insert(path.clone()) {
            open.extend(
                weights.get(&path).into_iter().flat_map(|weight| weight.uses.keys().cloned()),
            );
        }
    }
    reached
}
