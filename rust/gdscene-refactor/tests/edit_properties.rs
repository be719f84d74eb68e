//! The properties of every edit: its inverse restores the bytes, other text stays, and the result is whole. Tried with random
//! operations, on the scenes of `edited_project` and of the corpus, with their own and with other spacing.

mod inverse;
#[expect(dead_code, reason = "the example needs more of it")]
#[path = "../examples/random_edits/scene.rs"]
mod scene;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::{fs, slice};

use fastrand::Rng;
use gdscene_lint::{Workspace, WorkspaceOptions};
use gdscene_refactor::{EditError, edit, operations};
use godot_project::{CachePlace, Project};
use serde_json::Value as Json;

use self::inverse::Step;
use self::scene::SceneInfo;

/// The number of steps in each scene of our own, and of the corpus.
const STEPS: usize = 150;
const STEPS_OF_CORPUS: usize = 6;
/// The number of edited scenes of the corpus.
const SCENES_OF_CORPUS: usize = 150;

/// The text of a file after operations, if they are not refused.
fn edited(project: &mut Project, path: &str, step: &[Json]) -> Result<Vec<u8>, EditError> {
    let text = serde_json::to_vec(step).unwrap();
    let edited = edit(project, Some(path), &operations(&text).unwrap())?;
    let changed = edited.plan.files.iter().find(|file| file.path == path);
    let file = project.file(path).unwrap();
    Ok(changed
        .map_or_else(|| project.read(file).unwrap().into_owned(), godot_tscn::FileEdits::new_text))
}

/// A copy of our own scenes, with their texts changed.
fn own_project(change: &dyn Fn(&str) -> String) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/edited_project");
    for entry in fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        let text = fs::read_to_string(&path).unwrap();
        let is_scene = path.extension().is_some_and(|end| end == "tscn" || end == "tres");
        let text = if is_scene { change(&text) } else { text };
        fs::write(folder.path().join(path.file_name().unwrap()), text).unwrap();
    }
    folder
}

/// How often each kind of step was taken back.
type Tried = BTreeMap<&'static str, usize>;

/// Makes random steps, and undoes each.
fn there_and_back(folder: &Path, path: &str, steps: usize, random: &mut Rng, tried: &mut Tried) {
    let file = folder.join(path.trim_start_matches("res://"));
    let before = fs::read(&file).unwrap();
    let mut project = Project::open(folder).unwrap();
    let Some(scene) = SceneInfo::read(&project, path) else { return };
    for _ in 0..steps {
        let Some(Step { kind, there, back }) = inverse::step(&project, &scene, random) else {
            continue;
        };
        let Ok(after) = edited(&mut project, path, slice::from_ref(&there)) else { continue };
        assert!(godot_tscn::parse(&after).errors().is_empty(), "{path}: {there}: it is broken");
        if after == before {
            continue;
        }
        project.set_overlay(path, Some(&after)).unwrap();
        let restored = edited(&mut project, path, slice::from_ref(&back));
        project.set_overlay(path, None).unwrap();
        let restored = restored.unwrap_or_else(|error| panic!("{path}: {there}, {back}: {error}"));
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        assert!(
            restored == before,
            "{path}: {there}, {back}:\n{}",
            similar::TextDiff::from_lines(&text(&before), &text(&restored)).unified_diff()
        );
        *tried.entry(kind).or_default() += 1;
    }
}

#[track_caller]
fn check(tried: &Tried, least: usize) {
    for kind in inverse::KINDS {
        let count = tried.get(kind).copied().unwrap_or(0);
        assert!(count >= least, "{kind} was taken back {count} times: {tried:?}");
    }
}

const SCENES: &[&str] = &[
    "res://level.tscn",
    "res://level_two.tscn",
    "res://menu.tscn",
    "res://world.tscn",
    "res://enemy.tscn",
];

#[test]
fn there_and_back_in_our_scenes() {
    let folder = own_project(&str::to_owned);
    let mut tried = Tried::new();
    let mut random = Rng::with_seed(1);
    for path in SCENES {
        there_and_back(folder.path(), path, STEPS, &mut random, &mut tried);
    }
    check(&tried, 8);
}

/// With comments, blanks and the ends of lines of Windows.
fn spaced(text: &str) -> String {
    let text = text.replace("\n\n[node", "\n\n\n; a note\n[node").replace(" = ", "  = ");
    text.replace('\n', "\r\n")
}

#[test]
fn there_and_back_in_scenes_that_somebody_spaced() {
    let folder = own_project(&spaced);
    let mut tried = Tried::new();
    let mut random = Rng::with_seed(2);
    for path in SCENES {
        there_and_back(folder.path(), path, STEPS, &mut random, &mut tried);
    }
    check(&tried, 5);
}

#[test]
fn only_lines_that_must_change() {
    let folder = own_project(&spaced);
    let mut random = Rng::with_seed(3);
    let mut changed = 0;
    for path in SCENES {
        let before = fs::read_to_string(folder.path().join(&path[6..])).unwrap();
        let mut project = Project::open(folder.path()).unwrap();
        let scene = SceneInfo::read(&project, path).unwrap();
        assert_eq!(
            edited(&mut project, path, &[]).unwrap(),
            before.as_bytes(),
            "{path}: no operation"
        );
        for _ in 0..STEPS {
            let Some(step) = inverse::step(&project, &scene, &mut random) else { continue };
            let Ok(after) = edited(&mut project, path, slice::from_ref(&step.there)) else {
                continue;
            };
            let after = String::from_utf8(after).unwrap();
            let lines = after.split_inclusive('\n');
            assert!(lines.clone().all(|line| line.ends_with("\r\n")), "{path}: {}", step.there);
            let notes = |text: &str| text.matches("; a note\r\n").count();
            assert_eq!(notes(&after), notes(&before), "{path}: {}", step.there);
            // Siblings count on, and the header counts resources.
            let is_kept = |line: &&str| {
                after.contains(*line) || line.contains(" index=\"") || line.contains("load_steps")
            };
            let gone: Vec<&str> =
                before.split_inclusive('\n').filter(|line| !is_kept(line)).collect();
            assert!(gone.len() <= 2, "{path}: {}: {gone:?}", step.there);
            changed += usize::from(after != before);
        }
    }
    assert!(changed > 200, "{changed} edits");
}

#[test]
fn no_new_errors() {
    let folder = own_project(&str::to_owned);
    let options = WorkspaceOptions { cache: CachePlace::None, ..WorkspaceOptions::default() };
    let mut workspace = Workspace::open(folder.path(), &options).unwrap();
    let mut random = Rng::with_seed(4);
    let mut tried = 0;
    for path in SCENES {
        let scene = SceneInfo::read(workspace.project().unwrap(), path).unwrap();
        for _ in 0..40 {
            let Some(step) = inverse::step(workspace.project().unwrap(), &scene, &mut random)
            else {
                continue;
            };
            let text = serde_json::to_vec(&[&step.there]).unwrap();
            let project = workspace.project_mut().unwrap();
            let Ok(edited) = edit(project, Some(path), &operations(&text).unwrap()) else {
                continue;
            };
            let new_findings = workspace.new_findings(&edited.plan).unwrap();
            let errors: Vec<_> = new_findings.errors().collect();
            assert!(errors.is_empty(), "{path}: {}: {errors:#?}", step.there);
            tried += 1;
        }
    }
    assert!(tried > 100, "{tried} edits");
}

#[test]
fn there_and_back_in_the_corpus() {
    let Some(corpus) = testkit::shared::require_shared("corpus") else { return };
    let mut tried = Tried::new();
    let mut random = Rng::with_seed(5);
    let mut scenes = Vec::new();
    for root in ["nezvers__Godot-GameTemplate", "KenneyNL__Starter-Kit-FPS"] {
        let root = corpus.join(root);
        let project = Project::open(&root).unwrap();
        let paths = project.text_files().into_iter().map(|file| project.path(file).to_owned());
        let paths = paths.filter(|path| path.ends_with(".tscn"));
        scenes.extend(paths.map(|path| (root.clone(), path)));
    }
    random.shuffle(&mut scenes);
    scenes.truncate(SCENES_OF_CORPUS);
    let scenes: Vec<(PathBuf, String)> = scenes;
    for (root, path) in &scenes {
        there_and_back(root, path, STEPS_OF_CORPUS, &mut random, &mut tried);
    }
    assert!(tried.values().sum::<usize>() > 100, "{tried:?}");
}
