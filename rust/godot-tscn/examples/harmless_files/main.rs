//! Files of all that is known to be harmless, at its limits, for a real engine to try.
//!
//! ```text
//! cargo run -p godot-tscn --example harmless_files -- FOLDER SEED COUNT [limits [KIND…]]
//! ```
//!
//! Writes at most COUNT files of the seed into FOLDER, which is `res://cases` of a project that has `res://own/tiles.tres` and
//! `res://own/sound.tres`, and `index.tsv`: for each file its name, how many frames it is to be seen, how many nodes it has, and how many objects of each class are in
//! it. Each file is one that [`godot_tscn::safety`] calls safe; one that it calls otherwise for
//! another reason than its size ends the program, because either the list or the linter is wrong then.
//! `scripts/test/scenes/harmless.sh` shows the files to Godot.
#![forbid(unsafe_code)]

mod animation;
mod file;
mod full;
mod limits;
mod list;
mod numbers;
mod plan;
mod texts;
mod values;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;
use std::process::ExitCode;

use godot_tscn::{AllowList, Budget, SafetyOptions, Thing, Weight, safety, total_weight};

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
    let [folder, seed, count, rest @ ..] = &arguments[..] else { return usage() };
    let (Ok(seed), Ok(count)) = (seed.parse::<u64>(), count.parse::<usize>()) else {
        return usage();
    };
    let limits = match rest {
        [] => None,
        [limits, kinds @ ..] if limits == "limits" => Some(kinds),
        _ => return usage(),
    };
    match write_files(Path::new(folder), seed, count, limits) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("harmless_files: {error}");
            ExitCode::FAILURE
        }
    }
}

fn usage() -> ExitCode {
    eprintln!("usage: harmless_files FOLDER SEED COUNT [limits [KIND…]]");
    ExitCode::from(2)
}

fn write_files(
    folder: &Path,
    seed: u64,
    count: usize,
    limits: Option<&[String]>,
) -> Result<(), String> {
    let list = List::read();
    let mut random = fastrand::Rng::with_seed(seed);
    let mut plans = plan::round(&list, &TEMPERS, 1.0);
    if let Some(kinds) = limits {
        plans = plan::limits(&list, &mut random);
        plans.retain(|plan| {
            let kind = format!("{:?}", plan.kind);
            kinds.is_empty() || kinds.iter().any(|name| kind.starts_with(name.as_str()))
        });
        random.shuffle(&mut plans);
        return write_plans(folder, &list, plans.into_iter().cycle().take(count), random);
    }
    plans.extend(plan::round(&list, &[Temper::Mixed, Temper::Plain, Temper::Mixed], 0.3));
    random.shuffle(&mut plans);
    // Every class comes before some class comes often.
    plans.sort_by_key(|plan| plan.temper != Temper::Mixed);
    write_plans(folder, &list, plans.into_iter().cycle().take(count), random)
}

fn write_plans(
    folder: &Path,
    list: &List,
    plans: impl Iterator<Item = Plan>,
    mut random: fastrand::Rng,
) -> Result<(), String> {
    let mut made = Made::default();
    let mut index = String::new();
    for (number, plan) in plans.enumerate() {
        let seed = random.u64(..);
        // What a plan makes may be too much by chance, whatever is left out.
        let Some((name, text, counts)) = made.file(list, plan, number, seed)? else {
            if matches!(plan.kind, Kind::Full(_)) {
                return Err(format!("{plan:?} fits no budget"));
            }
            continue;
        };
        std::fs::write(folder.join(&name), &text).map_err(|error| format!("{name}: {error}"))?;
        let frames = if plan.kind == Kind::Falling { 60 } else { 8 };
        let cost =
            made.weights.get(&path_of(&name)).map_or(0, |weight| weight.each.get(Thing::Nodes));
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
            let first = if plan.kind.is_at_limit() { limits::COUNTS[0] } else { 24 };
            let Some(mut found) = self.attempt(list, plan, (number, seed, level), first)? else {
                continue;
            };
            // The most that fits, by halving.
            let (mut least, mut most) = (0, limits::COUNTS.len());
            while plan.kind.is_at_limit() && most - least > 1 {
                let middle = usize::midpoint(least, most);
                let count = limits::COUNTS[middle];
                match self.attempt(list, plan, (number, seed, level), count)? {
                    Some(larger) => (least, found) = (middle, larger),
                    None => most = middle,
                }
            }
            let (name, text, counts, weight) = found;
            if name.ends_with("tscn")
                && text.len() < 20_000
                && weight.each.get(Thing::Depth) < 8
                && !plan.kind.is_at_limit()
            {
                self.scenes.push(path_of(&name));
            }
            self.weights.insert(path_of(&name), weight);
            return Ok(Some((name, text, counts)));
        }
        Ok(None)
    }

    /// A file in which something is repeated so often, if it fits the budget.
    fn attempt(
        &self,
        list: &List,
        plan: Plan,
        (number, seed, level): (usize, u64, i32),
        count: usize,
    ) -> Result<Option<(String, String, String, Weight)>, String> {
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
        let (text, is_scene) = file.make(plan.kind, count);
        let name = format!("{number:06}.{}", if is_scene { "tscn" } else { "tres" });
        match self.judge(&name, &text) {
            Ok(weight) => {
                let mut counts = file.counts();
                if let (Kind::Class(class), false) = (plan.kind, is_scene) {
                    *counts.entry(class).or_default() += 1;
                }
                let counts: Vec<String> =
                    counts.iter().map(|(class, count)| format!("{class}={count}")).collect();
                Ok(Some((name, text, counts.join(" "), weight)))
            }
            Err(reason) if is_about_size(&reason) => Ok(None),
            Err(reason) => {
                let kept = std::env::temp_dir().join(&name);
                std::fs::write(&kept, &text).ok();
                Err(format!("{plan:?} is not judged safe ({}): {reason}", kept.display()))
            }
        }
    }

    /// What the file brings, or why it may not be loaded.
    fn judge(&self, name: &str, text: &str) -> Result<Weight, String> {
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
        total_weight(&path, &weights, &Budget::default(), |_, path| path.to_owned())
            .map_err(|error| error.to_string())?;
        Ok(found.weight)
    }
}

/// Whether a smaller file may be safe.
fn is_about_size(reason: &str) -> bool {
    ["exceeds the budget", "bring too much", "reasonable scene", "too many nodes"]
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
