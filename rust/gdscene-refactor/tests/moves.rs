//! Files and folders of whole projects move there and back. References lead to the same files afterwards, a check finds
//! nothing new, and in the end each byte is as before.
//!
//! `MOVED_PROJECTS="FOLDER FOLDER" cargo test -p gdscene-refactor --test tests moves:: -- --nocapture` does so with other projects, copied
//! before, and prints a line for each.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use gdscene_lint::{Workspace, WorkspaceOptions};
use gdscene_refactor::move_files;
use godot_project::{CachePlace, Dependencies, Plan, Project, ResolvedPath};

/// The number of files of a project that move one after the other, and of folders.
const FILES: usize = 12;
const FOLDERS: usize = 4;

#[test]
fn there_and_back() {
    let folders = std::env::var("MOVED_PROJECTS");
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../godot_project");
    let folders: Vec<PathBuf> = match &folders {
        Ok(folders) => folders.split_whitespace().map(PathBuf::from).collect(),
        Err(_) => vec![own],
    };
    for folder in folders {
        let copy = tempfile::tempdir().unwrap();
        copy_all(&folder, copy.path());
        let counts = Counts::of_project(copy.path());
        println!("{}: {counts:?}", folder.display());
        assert!(counts.moves > 2, "{}: {counts:?}", folder.display());
    }
}

/// The steps in a project.
#[derive(Debug, Default)]
#[expect(dead_code, reason = "they are printed")]
struct Counts {
    files: usize,
    moves: usize,
    refused: usize,
    edits: usize,
    doubts: usize,
    /// References that led to a file, over all moves.
    references: usize,
    slowest_plan_in_ms: u128,
}

/// The state of a project at one time.
struct ProjectState {
    graph: Graph,
    findings: BTreeMap<(String, String), usize>,
}

/// The references between files; nothing for missing ones.
type Graph = BTreeMap<String, BTreeSet<String>>;

impl Counts {
    fn of_project(root: &Path) -> Self {
        let bytes = all_bytes(root);
        let mut counts = Self { files: bytes.len(), ..Self::default() };
        let before = ProjectState::of(root);
        for (from, to) in moves(root, &before.graph) {
            let Some(plan) = counts.plan(root, &from, &to) else {
                counts.refused += 1;
                continue;
            };
            counts.moves += 1;
            counts.edits += plan.places.len();
            counts.doubts += plan.doubts.len();
            counts.references += before.graph.values().map(BTreeSet::len).sum::<usize>();
            carry_out(root, &plan);
            let texts = Project::open(root).unwrap();
            compare(&before, &ProjectState::of(root), &plan, |path, old| {
                is_in_comments(&texts, path, old)
            });
            let moved = plan.moves.iter().find(|moved| moved.from == from).unwrap();
            let back = move_files(&Project::open(root).unwrap(), &moved.to, &moved.from).unwrap();
            carry_out(root, &back);
            remove_empty_folders(root);
            compare_bytes(&bytes, &all_bytes(root), &from);
        }
        counts
    }

    fn plan(&mut self, root: &Path, from: &str, to: &str) -> Option<Plan> {
        let project = Project::open(root).unwrap();
        let start = Instant::now();
        let plan = move_files(&project, from, to);
        self.slowest_plan_in_ms = self.slowest_plan_in_ms.max(start.elapsed().as_millis());
        plan.map_err(|error| println!("  {from} to {to}: {error}")).ok()
    }
}

impl ProjectState {
    fn of(root: &Path) -> Self {
        let options = WorkspaceOptions { cache: CachePlace::None, ..WorkspaceOptions::default() };
        let workspace = Workspace::open(root, &options).unwrap();
        let project = workspace.project().unwrap();
        let dependencies = Dependencies::new(project);
        let targets = |file| {
            let targets = dependencies.of(file).iter().filter_map(|needed| match &needed.target {
                ResolvedPath::File(target) => Some(project.path(*target).to_owned()),
                ResolvedPath::Unseen(path) => Some(path.clone()),
                _ => None,
            });
            targets.collect()
        };
        let graph = project.files().map(|file| (project.path(file).to_owned(), targets(file)));
        let mut findings = BTreeMap::new();
        for (path, text) in project
            .text_files()
            .iter()
            .filter_map(|file| Some((project.path(*file), project.read(*file).ok()?)))
        {
            for found in workspace.check(path, &text) {
                *findings
                    .entry((path.to_owned(), found.diagnostic.code.to_owned()))
                    .or_default() += 1;
            }
        }
        Self { graph: graph.collect(), findings }
    }
}

/// Files of each kind that most others refer to, and the largest folders.
fn moves(root: &Path, graph: &Graph) -> Vec<(String, String)> {
    let mut wanted: BTreeMap<&str, usize> = BTreeMap::new();
    for target in graph.values().flatten().filter(|target| graph.contains_key(*target)) {
        *wanted.entry(target).or_default() += 1;
    }
    let mut wanted: Vec<(&str, usize)> = wanted.into_iter().collect();
    wanted.sort_by_key(|(path, count)| (std::cmp::Reverse(*count), *path));
    let mut of_kind: BTreeMap<&str, usize> = BTreeMap::new();
    let mut moves: Vec<(String, String)> = Vec::new();
    for (path, _) in wanted {
        let (folder, name) = path.rsplit_once('/').unwrap();
        let count = of_kind.entry(name.rsplit('.').next().unwrap()).or_default();
        *count += 1;
        if *count > 3 || moves.len() >= FILES {
            continue;
        }
        // Into another folder, or under another name.
        let to = if *count % 2 == 1 {
            format!("{folder}/moved/{name}")
        } else {
            format!("{folder}/renamed {name}")
        };
        moves.push((path.to_owned(), to));
    }
    let mut folders: BTreeMap<String, usize> = BTreeMap::new();
    for path in graph.keys() {
        for (at, _) in path.match_indices('/').skip(2) {
            *folders.entry(path[..at].to_owned()).or_default() += 1;
        }
    }
    let mut folders: Vec<(String, usize)> = folders.into_iter().collect();
    folders.sort_by_key(|(path, count)| (std::cmp::Reverse(*count), path.clone()));
    for (index, (path, _)) in
        folders.into_iter().filter(|(path, _)| path != "res://addons").take(FOLDERS).enumerate()
    {
        let (folder, name) = path.rsplit_once('/').unwrap();
        let to = match index % 2 {
            0 if folder == "res:/" => format!("res://moved/{name}"),
            0 => format!("{folder}/moved/{name}"),
            _ => format!("{folder}/{name}_renamed"),
        };
        moves.push((path, to));
    }
    assert!(!root.as_os_str().is_empty());
    moves
}

/// Whether all places of the path `old` in a script are comments, which are left alone.
fn is_in_comments(project: &Project, path: &str, old: &str) -> bool {
    let text = project.read(project.file(path).unwrap()).unwrap().into_owned();
    let text = String::from_utf8_lossy(&text).into_owned();
    let is_comment = |line: &str| line.trim_start().starts_with(['#', '/', '*']);
    [".gd", ".cs", ".gdshader"].iter().any(|end| path.ends_with(end))
        && text.lines().filter(|line| line.contains(old)).all(is_comment)
}

/// The graphs are equal except for the names, and no rule finds more.
fn compare(
    before: &ProjectState,
    after: &ProjectState,
    plan: &Plan,
    is_comment: impl Fn(&str, &str) -> bool,
) {
    let renamed = |path: &str| {
        let new = plan.moves.iter().find_map(|moved| {
            let rest = path.strip_prefix(&*moved.from)?;
            (rest.is_empty() || rest.starts_with('/')).then(|| format!("{}{rest}", moved.to))
        });
        new.unwrap_or_else(|| path.to_owned())
    };
    // Doubtful places were not changed, and may be lost.
    let doubtful: BTreeSet<&str> = plan.doubts.iter().map(|doubt| doubt.path.as_str()).collect();
    for (path, targets) in &before.graph {
        let expected: BTreeSet<String> = targets.iter().map(|target| renamed(target)).collect();
        let found = after.graph.get(&renamed(path)).cloned().unwrap_or_default();
        let in_comments: BTreeSet<String> = targets
            .iter()
            .filter(|target| {
                !found.contains(&renamed(target)) && is_comment(&renamed(path), target)
            })
            .map(|target| renamed(target))
            .collect();
        let lost: Vec<&String> =
            expected.difference(&found).filter(|path| !in_comments.contains(*path)).collect();
        let new: Vec<&String> = found.difference(&expected).collect();
        let is_excused = doubtful.contains(path.as_str()) && new.is_empty();
        assert!(
            (lost.is_empty() && new.is_empty()) || is_excused,
            "{}: `{path}` lost {lost:?}, got {new:?}",
            plan.title
        );
    }
    let known: BTreeMap<(String, &str), usize> = before
        .findings
        .iter()
        .map(|((path, code), count)| ((renamed(path), code.as_str()), *count))
        .collect();
    for ((path, code), count) in &after.findings {
        let known = known.get(&(path.clone(), code.as_str())).copied().unwrap_or_default();
        let is_excused = plan.doubts.iter().any(|doubt| renamed(&doubt.path) == *path);
        assert!(
            *count <= known || is_excused,
            "{}: {code} in `{path}`, {known} before, {count} now",
            plan.title
        );
    }
}

fn carry_out(root: &Path, plan: &Plan) {
    let place = |path: &str| root.join(path.strip_prefix("res://").unwrap());
    for file in &plan.files {
        fs::write(place(&file.path), file.new_text()).unwrap();
    }
    for moved in &plan.moves {
        let to = place(&moved.to);
        assert!(!to.exists(), "{} exists", moved.to);
        fs::create_dir_all(to.parent().unwrap()).unwrap();
        fs::rename(place(&moved.from), to).unwrap();
    }
}

fn copy_all(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap().map(Result::unwrap) {
        let (kind, name) = (entry.file_type().unwrap(), entry.file_name());
        if kind.is_dir() && name != ".godot" && name != ".git" {
            copy_all(&entry.path(), &to.join(name));
        } else if kind.is_file() {
            fs::copy(entry.path(), to.join(name)).unwrap();
        }
    }
}

fn remove_empty_folders(folder: &Path) {
    for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
        if entry.file_type().unwrap().is_dir() {
            remove_empty_folders(&entry.path());
            // One with something in it stays.
            let _ = fs::remove_dir(entry.path());
        }
    }
}

fn all_bytes(root: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let (mut bytes, mut open) = (BTreeMap::new(), vec![root.to_owned()]);
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
            match entry.file_type().unwrap().is_dir() {
                true => open.push(entry.path()),
                false => _ = bytes.insert(entry.path(), fs::read(entry.path()).unwrap()),
            }
        }
    }
    bytes
}

fn compare_bytes(
    before: &BTreeMap<PathBuf, Vec<u8>>,
    after: &BTreeMap<PathBuf, Vec<u8>>,
    moved: &str,
) {
    let different: Vec<&PathBuf> = before
        .keys()
        .chain(after.keys())
        .filter(|path| before.get(*path) != after.get(*path))
        .collect();
    assert!(different.is_empty(), "{moved} there and back changes {different:?}");
}
