//! Cycles in which Godot loads files: a scene with a script that preloads a scene that has an instance of the
//! first.
//!
//! Godot keeps the files that it is about to load on a stack. A scene or resource that asks for one of them gets nothing, and a
//! script that preloads one gets an empty resource. Scripts wait for each other without loss. So does a script that preloads
//! the scene for which it is loaded: the scene fills in the preloaded one.

use std::collections::VecDeque;

use hashbrown::{HashMap, HashSet};
use petgraph::Direction;
use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, NodeIndex};
use petgraph::visit::EdgeRef;

use crate::graph::targets;
use crate::project::{FileId, Project, ResolvedPath};
use crate::res_path::extension_of;
use crate::script::LoadKind;

/// The files that Godot loads for each file that is on a cycle.
#[derive(Debug, Default)]
pub struct LoadCycles {
    edges: DiGraph<FileId, Asks>,
    /// The group of each file that is on a cycle. Files of one group lead to each other.
    groups: Vec<Option<usize>>,
    /// Up to two scripts that ask for each script in GDScript.
    scripts: Vec<Option<Vec<FileId>>>,
    /// The scripts that are autoloads. Godot loads them before any scene.
    autoloads: HashSet<FileId>,
}

/// How a file asks for another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Asks {
    /// A script in a way that waits for other scripts, and gets an empty resource in place of one that is not finished.
    Preload,
    /// An `ext_resource` tag, or `load` in a script. Both get nothing in the place of the unfinished
    /// one.
    Load,
}

/// The ways from a file back to itself.
#[derive(Debug)]
pub struct LoadCyclesOf<'p> {
    cycles: &'p LoadCycles,
    file: FileId,
    group: usize,
    /// The next step of the shortest way back, by where it starts.
    next: HashMap<Start, Start>,
    /// Whether there were too many ways to follow all.
    is_cut: bool,
}

/// Where a way back starts, and whether Godot loses something on it.
type Start = (FileId, bool);

/// A cycle that contains a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LoadCycle {
    /// Godot loses something, whichever scene or resource it loads first. The files are those of the way back.
    Loses(Vec<FileId>),
    /// There is such a way, but it takes too many steps to find it.
    TooLong,
    /// The script on this way back preloads the file that it belongs to. Godot takes that, unless it loads the script first.
    Own(Vec<FileId>),
}

/// The reason why Godot loads a script before the scene or resource that it belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Before {
    /// It is an autoload.
    Autoload,
    /// This scene or resource has it too.
    User(FileId),
}

/// The most steps that the search from one file takes.
const MOST_STEPS: usize = 2_000;

impl LoadCycles {
    pub(crate) fn new(project: &Project) -> Self {
        let mut cycles = Self::default();
        for file in project.files() {
            cycles.edges.add_node(file);
            let is_script = extension_of(project.path(file)) == "gd";
            cycles.scripts.push(is_script.then(Vec::new));
            cycles.groups.push(None);
        }
        for file in project.files() {
            if cycles.is_script(file) {
                cycles.add_script(project, file);
            } else {
                for (_, target) in targets(project, file, project.facts(file)) {
                    cycles.add(file, &target, Asks::Load);
                }
            }
        }
        let groups = kosaraju_scc(&cycles.edges).into_iter().filter(|group| group.len() > 1);
        for (index, group) in groups.enumerate() {
            for node in group {
                cycles.groups[node.index()] = Some(index);
            }
        }
        for autoload in &project.settings().autoloads {
            if let ResolvedPath::File(file) = project.resolve("res://", &autoload.path) {
                cycles.autoloads.insert(file);
            }
        }
        cycles
    }

    fn add_script(&mut self, project: &Project, file: FileId) {
        let Some(script) = project.facts(file).script.as_deref() else { return };
        // Scripts of Godot 3 do not wait for each other.
        let is_godot_3 = project.settings().version.is_some_and(|version| version.major < 4);
        for load in &script.loads.paths {
            let is_plain = is_godot_3 || load.kind == LoadKind::Static;
            let asks = if is_plain { Asks::Load } else { Asks::Preload };
            self.add(file, &project.resolve(project.path(file), &load.path), asks);
        }
        if is_godot_3 {
            return;
        }
        for word in &script.loads.words {
            if let Some(target) = project.scripts().class(word) {
                self.add(file, &ResolvedPath::File(target), Asks::Preload);
            }
        }
    }

    fn add(&mut self, file: FileId, target: &ResolvedPath, asks: Asks) {
        let ResolvedPath::File(target) = *target else { return };
        if target == file {
            return;
        }
        self.edges.add_edge(node(file), node(target), asks);
        if self.is_script(file)
            && let Some(users) = &mut self.scripts[target.index()]
            && users.len() < 2
            && !users.contains(&file)
        {
            users.push(file);
        }
    }

    /// The cycles of a file; nothing if it is not on a cycle.
    pub fn of(&self, file: FileId) -> Option<LoadCyclesOf<'_>> {
        let group = self.groups[file.index()]?;
        let mut found =
            LoadCyclesOf { cycles: self, file, group, next: HashMap::new(), is_cut: false };
        found.follow();
        Some(found)
    }

    /// Whether a file is a script in GDScript.
    pub fn is_script(&self, file: FileId) -> bool {
        self.scripts[file.index()].is_some()
    }

    /// Whether Godot may compile one of the scripts on a cycle because of a script outside. Nothing is lost then.
    pub fn may_be_compiled_before(&self, way: &[FileId]) -> bool {
        let mut before = None;
        way.iter().any(|file| {
            let before = before.replace(*file);
            let mut users = self.scripts[file.index()].iter().flatten();
            users.any(|user| Some(*user) != before)
        })
    }

    /// The reason why Godot loads a script before the scene or resource `file` that it belongs to.
    pub fn loaded_before(&self, project: &Project, script: FileId, file: FileId) -> Option<Before> {
        if self.autoloads.contains(&script) {
            return Some(Before::Autoload);
        }
        let users = self.edges.neighbors_directed(node(script), Direction::Incoming);
        let mut users = users.map(|user| self.edges[user]);
        let is_first = |user: &FileId| {
            *user != file && !self.is_script(*user) && {
                let mut targets = targets(project, *user, project.facts(*user));
                let first = targets.find_map(|(_, target)| match target {
                    ResolvedPath::File(found) if found == script || found == file => Some(found),
                    _ => None,
                });
                first == Some(script)
            }
        };
        users.find(is_first).map(Before::User)
    }
}

impl LoadCyclesOf<'_> {
    /// The cycle that a reference of the file to `target` is a part of.
    pub fn through(&self, target: FileId) -> Option<LoadCycle> {
        if target == self.file || self.cycles.groups[target.index()] != Some(self.group) {
            return None;
        }
        let loses = self.way((target, true)).filter(|way| is_simple(way));
        let own = || self.way((target, false)).map(LoadCycle::Own);
        let too_long =
            (self.is_cut && !self.cycles.is_script(target)).then_some(LoadCycle::TooLong);
        loses.map(LoadCycle::Loses).or_else(own).or(too_long)
    }

    /// Searches from the end, so that one search serves all references of the file.
    fn follow(&mut self) {
        let cycles = self.cycles;
        let targets = cycles.edges.neighbors(node(self.file)).map(|target| cycles.edges[target]);
        let targets = targets.filter(|target| cycles.groups[target.index()] == Some(self.group));
        let mut wanted: HashSet<Start> = targets.map(|target| (target, true)).collect();
        let mut open: VecDeque<Start> = VecDeque::from([(self.file, false)]);
        let mut steps = 0;
        while let Some(start) = open.pop_front().filter(|_| !wanted.is_empty()) {
            let incoming = cycles.edges.edges_directed(node(start.0), Direction::Incoming);
            for edge in incoming {
                steps += 1;
                if steps > MOST_STEPS {
                    self.is_cut = true;
                    return;
                }
                let before = cycles.edges[edge.source()];
                if before == self.file || cycles.groups[before.index()] != Some(self.group) {
                    continue;
                }
                let is_load = !cycles.is_script(before) || *edge.weight() == Asks::Load;
                let before = (before, start.1 || is_load);
                if !self.next.contains_key(&before) {
                    self.next.insert(before, start);
                    open.push_back(before);
                    wanted.remove(&before);
                }
            }
        }
    }

    fn way(&self, start: Start) -> Option<Vec<FileId>> {
        let mut way = vec![start.0];
        let mut place = start;
        while place.0 != self.file {
            place = *self.next.get(&place)?;
            way.push(place.0);
        }
        Some(way)
    }
}

/// Godot loads each file once, so a cycle goes through each once.
fn is_simple(way: &[FileId]) -> bool {
    let mut seen = HashSet::new();
    way.iter().all(|file| seen.insert(*file))
}

fn node(file: FileId) -> NodeIndex {
    NodeIndex::new(file.index())
}

#[cfg(test)]
mod tests {
    use super::LoadCycle;
    use crate::project::Project;

    fn cycle(features: &str, script: &str) -> Option<LoadCycle> {
        let folder = tempfile::tempdir().unwrap();
        let write =
            |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
        write("project.godot", features);
        write("a.gd", script);
        let tag = "[ext_resource type=\"Script\" path=\"res://a.gd\" id=\"1\"]";
        write(
            "a.tscn",
            &format!("[gd_scene format=2]\n\n{tag}\n\n[node name=\"A\" type=\"Node\"]\n"),
        );
        let project = Project::open(folder.path()).unwrap();
        let file = |path| project.file(path).unwrap();
        let cycles = project.load_cycles().of(file("res://a.tscn"));
        cycles?.through(file("res://a.gd"))
    }

    #[test]
    fn a_script_that_preloads_its_own_scene() {
        let preload = "extends Node\nfunc f():\n\treturn preload(\"a.tscn\")\n";
        assert!(matches!(cycle("config_version=5\n", preload), Some(LoadCycle::Own(_))));
        assert!(matches!(cycle("config_version=4\n", preload), Some(LoadCycle::Loses(_))));
        let load = "extends Node\nstatic var a = load(\"a.tscn\")\n";
        assert!(matches!(cycle("config_version=5\n", load), Some(LoadCycle::Loses(_))));
        let late = "extends Node\nvar a = load(\"a.tscn\")\n";
        assert_eq!(cycle("config_version=5\n", late), None);
    }
}
