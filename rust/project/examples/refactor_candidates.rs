//! Chooses things in a project that can be renamed or moved, and prints the commands that do it.
//!
//! ```text
//! cargo run --release -p project --example refactor_candidates -- FOLDER KIND COUNT SEED
//! ```
//! KIND is a command of `gdscene`: `rename-property`. Each line has, between tabs: the new name, the old one, how many files
//! would change, how many places are doubtful, and the arguments of `gdscene`. Nothing is written; the same seed gives the
//! same lines. `scripts/test_refactorings.sh` lets Godot load the project before and after each.

use std::env;

use fastrand::Rng;
use project::{Plan, Project, RefactorError, rename_property};

fn main() {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [folder, kind, count, seed] = arguments.as_slice() else {
        panic!("wanted: FOLDER KIND COUNT SEED");
    };
    let project = Project::open(folder).expect("a project");
    let count: usize = count.parse().expect("a number");
    let mut random = Rng::with_seed(seed.parse().expect("a number"));
    let mut candidates = match kind.as_str() {
        "rename-property" => properties(&project),
        other => panic!("no candidates for `{other}`"),
    };
    random.shuffle(&mut candidates);
    let planned = candidates.iter().filter_map(|candidate| {
        let plan = candidate.plan(&project).ok().filter(|plan| !plan.is_empty())?;
        Some((candidate, plan))
    });
    for (candidate, plan) in planned.take(count) {
        let Candidate { new, old, .. } = candidate;
        let (files, doubts) = (plan.file_count(), plan.doubts.len());
        let arguments = candidate.arguments.join("\t");
        println!("{new}\t{old}\t{files}\t{doubts}\t{kind}\t{arguments}");
    }
}

/// Something that can be renamed or moved.
struct Candidate {
    arguments: Vec<String>,
    new: String,
    old: String,
}

impl Candidate {
    fn plan(&self, project: &Project) -> Result<Plan, RefactorError> {
        let arguments: Vec<&str> = self.arguments.iter().map(String::as_str).collect();
        match arguments[..] {
            [script, old, new] => rename_property(project, script, old, new),
            _ => unreachable!("each kind has its arguments"),
        }
    }
}

/// The exported variables of all scripts.
fn properties(project: &Project) -> Vec<Candidate> {
    let mut candidates = Vec::new();
    for file in project.files() {
        let Some(script) = project.scripts().script(file) else { continue };
        for variable in script.variables.iter().filter(|variable| variable.is_exported) {
            let old = variable.name.clone();
            // Behind the old one in a sorted list, and nowhere in the project.
            let new = format!("{old}_zq");
            let arguments = vec![project.path(file).to_owned(), old.clone(), new.clone()];
            candidates.push(Candidate { arguments, new, old });
        }
    }
    candidates
}
