//! The properties of every refactoring, tried with small generated projects. There and back is the identity, and two
//! independent ones may come in any order. A refused one changes nothing, and a completed one can be undone.

mod generated;
mod memory;
mod step;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use fastrand::Rng;
use gdscene_journal::Changes;
use gdscene_refactor::{extract, inline};
use godot_project::Project;

use self::generated::generated;
use self::memory::{Files, opened, with_plan};
use self::step::{Step, all_steps};

/// The number of generated projects.
const PROJECTS: u64 = 8;
/// The number of steps of each kind in one project.
const OF_A_KIND: usize = 3;

/// Some steps of each kind.
fn some_steps(files: &Files, seed: u64) -> Vec<Step> {
    let mut random = Rng::with_seed(seed);
    let mut steps = all_steps(&opened(files));
    random.shuffle(&mut steps);
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    steps.retain(|step| {
        let count = counts.entry(step.kind()).or_default();
        *count += 1;
        *count <= OF_A_KIND
    });
    steps
}

/// How often each kind was tried; a kind that is always refused proves nothing.
#[derive(Default)]
struct Tried(BTreeMap<&'static str, usize>);

impl Tried {
    fn count(&mut self, step: &Step) {
        *self.0.entry(step.kind()).or_default() += 1;
    }

    #[track_caller]
    fn check(&self, least: usize) {
        for kind in step::KINDS {
            let count = self.0.get(kind).copied().unwrap_or(0);
            assert!(count >= least, "{kind} was tried {count} times: {:?}", self.0);
        }
    }
}

#[test]
fn there_and_back() {
    let mut tried = Tried::default();
    for seed in 0..PROJECTS {
        let files = generated(seed);
        for step in some_steps(&files, seed) {
            let Ok(plan) = step.plan(&opened(&files)) else { continue };
            let after = with_plan(&files, &plan);
            assert_ne!(after, files, "{seed}: {step:?} does nothing");
            let back = step.back();
            let plan = back.plan(&opened(&after));
            let plan = plan.unwrap_or_else(|error| panic!("{seed}: {back:?}: {error}"));
            memory::compare(&with_plan(&after, &plan), &files, &format!("{seed}: {step:?}"));
            tried.count(&step);
        }
    }
    tried.check(PROJECTS as usize);
}

#[test]
fn any_order() {
    let mut pairs = 0;
    for seed in 0..PROJECTS {
        let files = generated(seed);
        let steps = some_steps(&files, seed + 1000);
        for pair in steps.chunks_exact(2).filter(|pair| pair[0].is_independent_of(&pair[1])) {
            let in_order = |one: &Step, other: &Step| -> Option<Files> {
                let after = with_plan(&files, &one.plan(&opened(&files)).ok()?);
                Some(with_plan(&after, &other.plan(&opened(&after)).ok()?))
            };
            let (one, other) = (&pair[0], &pair[1]);
            let what = format!("{seed}: {one:?} and {other:?}");
            let (Some(first), Some(second)) = (in_order(one, other), in_order(other, one)) else {
                let is_refused = |step: &Step| step.plan(&opened(&files)).is_err();
                assert!(is_refused(one) || is_refused(other), "{what}: refused in one order");
                continue;
            };
            memory::compare(&first, &second, &what);
            pairs += 1;
        }
    }
    assert!(pairs > 3 * PROJECTS as usize, "{pairs} pairs");
}

#[test]
fn refused_changes_nothing() {
    let mut refused = 0;
    for seed in 0..4 {
        let folder = tempfile::tempdir().unwrap();
        let files = generated(seed);
        memory::write(folder.path(), &files);
        for step in some_steps(&files, seed + 2000) {
            for wrong in step.wrong() {
                let project = Project::open(folder.path()).unwrap();
                let plan = wrong.plan(&project);
                assert!(plan.is_err(), "{seed}: {wrong:?} is not refused: {plan:#?}");
                refused += 1;
            }
            // A file that has changed since the plan was made.
            let Ok(plan) = step.plan(&Project::open(folder.path()).unwrap()) else { continue };
            let Some(file) = plan.files.first() else { continue };
            let path = folder.path().join(file.path.trim_start_matches("res://"));
            let text = fs::read(&path).unwrap();
            fs::write(&path, [&text[..], b"\n"].concat()).unwrap();
            gdscene_journal::carry_out(folder.path(), &Changes::from(&plan)).unwrap_err();
            fs::write(&path, text).unwrap();
            memory::compare(&memory::read(folder.path()), &files, &format!("{seed}: {step:?}"));
        }
    }
    assert!(refused > 40, "{refused} are refused");
}

#[test]
fn carried_out_and_undone() {
    let mut tried = Tried::default();
    for seed in 0..4 {
        let folder = tempfile::tempdir().unwrap();
        let files = generated(seed);
        memory::write(folder.path(), &files);
        for step in some_steps(&files, seed + 3000) {
            let Ok(plan) = step.plan(&Project::open(folder.path()).unwrap()) else { continue };
            gdscene_journal::carry_out(folder.path(), &Changes::from(&plan)).unwrap();
            let what = format!("{seed}: {step:?}");
            memory::compare(&memory::read(folder.path()), &with_plan(&files, &plan), &what);
            undo(folder.path());
            memory::compare(&memory::read(folder.path()), &files, &what);
            tried.count(&step);
        }
    }
    tried.check(3);
}

fn undo(root: &Path) {
    let undo = gdscene_journal::plan_undo(root).unwrap();
    assert!(undo.merged.is_empty(), "{undo:?}");
    gdscene_journal::undo(root, &undo).unwrap();
}

/// The sections come in another order and under other ids, but none is lost or changed.
#[test]
fn extracted_and_inlined() {
    let mut tried = 0;
    for seed in 0..PROJECTS {
        let files = generated(seed);
        for (scene, id) in generated::sub_resources(&files) {
            let plan = extract(&opened(&files), &scene, &id, "res://extracted.tres").unwrap();
            let after = with_plan(&files, &plan);
            let new_id = memory::id_of_path(&after[&scene], "res://extracted.tres");
            let plan = inline(&opened(&after), &scene, &new_id, true).unwrap();
            let back = with_plan(&after, &plan);
            assert_eq!(back.keys().collect::<Vec<_>>(), files.keys().collect::<Vec<_>>());
            for (path, text) in &files {
                let (text, back) =
                    (String::from_utf8_lossy(text), String::from_utf8_lossy(&back[path]));
                let (text, back) = (memory::sections(&text), memory::sections(&back));
                assert_eq!(back, text, "{seed}: `{id}` of {scene}: {path}");
            }
            tried += 1;
        }
    }
    assert!(tried > PROJECTS, "{tried} were extracted");
}
