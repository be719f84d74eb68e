//! Nodes of real scenes get other names and parents: afterwards every path leads to the node that it led to before.
//!
//! `PROJECTS=folder:folder` tries whole projects instead of the scenes of the corpus; `CHANGES` says how many nodes of each.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use gdscene_lint::lint_scene;
use godot_project::animation_roots::AnimationRoots;
use godot_project::node_paths::each_path;
use godot_project::settings::lossy;
use godot_project::{
    FileId, ListedFiles, NodeInTree, NodeLookup, Plan, Project, SceneContext, facts,
};
use godot_tscn::TagKind;

use crate::move_node::child_index;
use crate::node_change::{joined, names_of};
use crate::{RefactorError, move_node, rename_node};

/// The change of a node.
struct Trial<'a> {
    scene: &'a str,
    /// The tag that makes it, in its scene.
    tag: u32,
    old: Vec<String>,
    new: Vec<String>,
    is_rename: bool,
}

impl Trial<'_> {
    /// The path of a node after the change, by the nodes on the way to it.
    fn after(&self, place: &NodeInTree) -> String {
        let mut names = names_of(&place.path());
        for (depth, node) in place.ancestry().iter().enumerate().skip(1).rev() {
            if node.made_by() != Some((self.scene, self.tag)) {
                continue;
            }
            let root = depth - self.old.len();
            let new: Vec<String> = names[..root].iter().chain(&self.new).cloned().collect();
            names.splice(..depth, new);
        }
        joined(&names)
    }
}

/// Where each path in a scene leads. With a trial, where that node is afterwards.
fn paths_of(
    project: &Project,
    file: FileId,
    trial: Option<&Trial<'_>>,
) -> BTreeMap<String, String> {
    let text = project.read(file).unwrap();
    let document = godot_tscn::parse(&text);
    let context = SceneContext::new(project, project.path(file), &document);
    let root = context.root();
    let told = |lookup: NodeLookup| match lookup {
        NodeLookup::Node(place) => trial.map_or_else(|| place.path(), |trial| trial.after(&place)),
        NodeLookup::Unknown => "unknown".to_owned(),
        NodeLookup::Missing => "missing".to_owned(),
    };
    let mut paths = BTreeMap::new();
    let mut owners: BTreeMap<u32, String> = BTreeMap::new();
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for (index, tag) in context.tree().tags().iter().enumerate() {
        let Some(path) = context.tree().path_of_tag(index as u32) else { continue };
        let found = root.find(project, &path);
        let is_node = matches!(found, NodeLookup::Node(_));
        let own = told(root.find(project, &path));
        // For tags for one node, or for none, by their number.
        let count = counts.entry(own.clone()).or_default();
        *count += 1;
        let key = format!("{own} {count}");
        owners.insert(tag.section, key.clone());
        paths.insert(format!("node {key}"), own);
        let Some(place) = found.place().filter(|_| is_node) else { continue };
        for property in context.section(tag.section).properties() {
            let tree = property.value_tree();
            let name = lossy(&property.engine_key());
            let mut number = 0;
            each_path(tree.root(), &mut |part| {
                let path = part.inner_text("NodePath").map(|path| lossy(&path)).unwrap_or_default();
                number += 1;
                if name != "root_motion_track" && !name.starts_with("metadata/") {
                    paths.insert(
                        format!("property {key} {name} {number}"),
                        told(place.find(project, &path)),
                    );
                }
            });
        }
    }
    let kinds =
        [(TagKind::Connection, "from"), (TagKind::Connection, "to"), (TagKind::Editable, "path")];
    for (number, section) in document.sections().enumerate() {
        for (kind, field) in kinds {
            if section.kind() == kind
                && let Some(path) = section.field_text(field)
            {
                paths.insert(format!("{field} {number}"), told(root.find(project, &lossy(&path))));
            }
        }
    }
    let roots = AnimationRoots::of(&context);
    for (section, roots) in roots.animations().filter(|(_, roots)| !roots.has_more) {
        for (number, (track, _)) in facts::tracks(context.section(section)).enumerate() {
            let mut led: Vec<String> =
                roots.known.iter().map(|root| told(root.1.find(project, &track.path))).collect();
            led.sort();
            paths.insert(format!("track {section} {number}"), led.join(" "));
        }
    }
    paths
}

/// How often each rule finds something in a file.
fn findings(project: &Project, file: FileId) -> BTreeMap<&'static str, usize> {
    let text = project.read(file).unwrap();
    let found = lint_scene(
        project,
        project.path(file),
        &godot_tscn::parse(&text),
        &godot_tscn::LintOptions::default(),
    );
    let mut counts = BTreeMap::new();
    for diagnostic in found {
        *counts.entry(diagnostic.code).or_default() += 1;
    }
    counts
}

#[derive(Debug, Default)]
struct Figures {
    renames: usize,
    moves: usize,
    refused: usize,
    files: usize,
    edits: usize,
    doubts: usize,
    paths: usize,
    back_differs: usize,
    slowest_ms: u128,
}

/// Carries out a plan in memory, compares, takes it back, and compares again.
fn check(
    project: &mut Project,
    trial: &Trial<'_>,
    plan: &Plan,
    back: &dyn Fn(&Project) -> Result<Plan, RefactorError>,
    figures: &mut Figures,
) {
    let is_scene = |path: &str| path.ends_with(".tscn");
    let changed: Vec<&str> =
        plan.files.iter().map(|file| file.path.as_str()).filter(|path| is_scene(path)).collect();
    let of_all = |project: &Project, trial: Option<&Trial<'_>>| -> Vec<_> {
        let files = changed.iter().map(|path| project.file(path).unwrap());
        files.map(|file| (paths_of(project, file, trial), findings(project, file))).collect()
    };
    let before = of_all(project, Some(trial));
    let texts: Vec<(String, Vec<u8>)> =
        plan.files.iter().map(|file| (file.path.clone(), file.new_text())).collect();
    project
        .set_overlays(texts.iter().map(|(path, text)| (path.as_str(), Some(text.as_slice()))))
        .unwrap();
    let after = of_all(project, None);
    let what = format!("{} {} -> {}", trial.scene, joined(&trial.old), joined(&trial.new));
    for ((path, before), after) in changed.iter().zip(&before).zip(&after) {
        figures.paths += before.0.len();
        for (key, led) in &before.0 {
            assert_eq!(Some(led), after.0.get(key), "{what}: {key} in {path}");
        }
        // The path of a parent that was the default is written when the parent is another one.
        let count = (before.0.len(), after.0.len());
        assert!(count.0 == count.1 || !trial.is_rename, "{what}: {path}");
        for (code, count) in &after.1 {
            // Connections come in the order of their nodes at the next save.
            if *code == "STY010" {
                continue;
            }
            let known = before.1.get(code).copied().unwrap_or_default();
            assert!(*count <= known, "{what}: {code} in {path}, {known} before and {count} after");
        }
    }
    let back = back(project).unwrap_or_else(|error| panic!("{what}: no way back: {error}"));
    for file in &plan.files {
        let original = file.text().unwrap();
        let again = back.files.iter().find(|again| again.path == file.path);
        let text = again.map_or_else(|| file.new_text(), godot_tscn::FileEdits::new_text);
        let is_same = **original == *text;
        assert!(is_same || !trial.is_rename, "{what}: there and back in {}", file.path);
        if !is_same {
            figures.back_differs += 1;
            println!("{what}: {} is not as before after the way back", file.path);
        }
    }
    project.set_overlays(texts.iter().map(|(path, _)| (path.as_str(), None))).unwrap();
}

fn try_changes(project: &mut Project, changes: usize, random: &mut fastrand::Rng) -> Figures {
    let mut figures = Figures::default();
    let scenes: Vec<(String, Vec<String>)> = project
        .text_files()
        .into_iter()
        .filter(|file| project.facts(*file).refusal.is_none())
        .filter_map(|file| {
            Some((project.path(file).to_owned(), project.tree(file)?.made_paths().collect()))
        })
        .filter(|(_, paths): &(String, Vec<String>)| !paths.is_empty())
        .collect();
    if scenes.is_empty() {
        return figures;
    }
    for number in 0..changes {
        let (scene, paths) = &scenes[random.usize(..scenes.len())];
        let path = &paths[random.usize(..paths.len())];
        let names = names_of(path);
        let (name, parents) = names.split_last().unwrap();
        let file = project.file(scene).unwrap();
        let found =
            NodeInTree::root(project, project.tree(file).unwrap()).find(project, path).place();
        let Some((made_in, tag)) = found.as_ref().and_then(|found| found.node().made_by()) else {
            continue;
        };
        if made_in != scene {
            continue;
        }
        let is_rename = number % 2 == 0;
        let new: Vec<String> = if is_rename {
            parents.iter().cloned().chain([format!("{name}Zq")]).collect()
        } else {
            let parent =
                paths.get(random.usize(..=paths.len())).map_or(vec![], |path| names_of(path));
            parent.into_iter().chain([name.clone()]).collect()
        };
        let trial = Trial { scene, tag, old: names.clone(), new: new.clone(), is_rename };
        let start = std::time::Instant::now();
        let parent = joined(&new[..new.len() - 1]);
        let plan = if is_rename {
            rename_node(project, scene, path, new.last().unwrap())
        } else {
            move_node(project, scene, path, &parent, None)
        };
        figures.slowest_ms = figures.slowest_ms.max(start.elapsed().as_millis());
        let plan = match plan {
            Ok(plan) => plan,
            Err(
                RefactorError::Clash { .. }
                | RefactorError::Refused(_)
                | RefactorError::Broken { .. }
                | RefactorError::InvalidName { .. },
            ) => {
                figures.refused += 1;
                continue;
            }
            Err(error) => panic!("{scene} {path}: {error}"),
        };
        *(if is_rename { &mut figures.renames } else { &mut figures.moves }) += 1;
        figures.files += plan.files.len();
        figures.edits += plan.places.len();
        figures.doubts += plan.doubts.len();
        let new_path = joined(&new);
        let old_parent = joined(parents);
        let old_index = child_index(project, file, path);
        let back = |project: &Project| {
            if is_rename {
                rename_node(project, scene, &new_path, name)
            } else {
                move_node(project, scene, &new_path, &old_parent, Some(old_index))
            }
        };
        check(project, &trial, &plan, &back, &mut figures);
    }
    figures
}

fn projects_in(folder: &Path, found: &mut Vec<PathBuf>) {
    if folder.join("project.godot").is_file() {
        found.push(folder.to_owned());
    }
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() && !path.is_symlink() {
            projects_in(&path, found);
        }
    }
}

#[test]
fn paths_lead_to_the_same_nodes() {
    let changes = std::env::var("CHANGES").ok().and_then(|count| count.parse().ok());
    let mut random = fastrand::Rng::with_seed(20);
    if let Ok(folders) = std::env::var("PROJECTS") {
        for folder in folders.split(':') {
            let mut project = Project::open(folder).unwrap();
            let figures = try_changes(&mut project, changes.unwrap_or(100), &mut random);
            println!("{folder}: {} files, {figures:?}", project.files().len());
        }
        return;
    }
    let Some(corpus) = testkit::shared::require_shared("corpus") else { return };
    let mut repositories: Vec<PathBuf> =
        fs::read_dir(corpus).unwrap().map(|entry| entry.unwrap().path()).collect();
    repositories.sort();
    let mut all = 0;
    for repository in repositories.iter().filter(|path| path.join("FILES.txt").is_file()) {
        let mut folders = Vec::new();
        projects_in(repository, &mut folders);
        folders.sort();
        let folders: Vec<_> = folders.into_iter().step_by(4).collect();
        for folder in &testkit::shared::sample(folders, 4) {
            let list = fs::read_to_string(repository.join("FILES.txt")).unwrap();
            let below = folder.strip_prefix(repository).unwrap().to_str().unwrap();
            let start = if below.is_empty() { String::new() } else { format!("{below}/") };
            let paths = list
                .lines()
                .filter_map(|line| Some(format!("res://{}", line.strip_prefix(&start)?)));
            // The corpus holds no scripts.
            let paths = paths.filter(|path| !path.ends_with(".gd") && !path.ends_with(".cs"));
            let source = Arc::new(ListedFiles::new(folder, paths));
            let mut project = Project::from_source(source).unwrap();
            let figures = try_changes(&mut project, changes.unwrap_or(4), &mut random);
            all += figures.renames + figures.moves;
        }
    }
    println!("{all} changes");
    assert!(all > if testkit::shared::is_sample() { 10 } else { 100 }, "the corpus is not whole");
}
