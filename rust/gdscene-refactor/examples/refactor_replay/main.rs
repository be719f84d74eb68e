//! Does again, with our refactorings, what people did by hand in the histories of projects, and compares the two.
//!
//! ```text
//! cargo run --release -p gdscene-refactor --example refactor_replay -- [--most N] GITDIR...
//! ```
//! In each commit with one parent, these are looked for: exported variables of a script that have another name and the same
//! type at the same place, and files that git takes for moved. The project is read as it was before that commit, the
//! refactoring is carried out in memory, and every line or reference that it changes is compared with the commit. Nothing is
//! written. Of each history at most N commits with moves are replayed, spread evenly (default: 60); renames are all replayed.
//!
//! Prints a line for each commit in which something of use was found, what is left in lines below it, and tables in the end.

mod history;
mod lines;
mod moves;
mod renames;
mod replay;
mod snapshot;
mod sums;

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::{env, io};

use godot_project::Script;
use rayon::prelude::*;

use crate::history::{Change, Commit, History};
use crate::renames::Rename;
use crate::replay::{Replay, extension};
use crate::snapshot::CommitTree;
use crate::sums::Sums;

fn main() -> io::Result<()> {
    let mut most = 60;
    let mut folders: Vec<PathBuf> = Vec::new();
    let mut arguments = env::args_os().skip(1);
    while let Some(argument) = arguments.next() {
        if argument == "--most" {
            let number = arguments.next().and_then(|number| number.to_str()?.parse().ok());
            most = number.expect("--most needs a number");
        } else {
            folders.push(PathBuf::from(argument));
        }
    }
    let mut sums = Sums::default();
    for folder in &folders {
        let mut of_history = Sums::default();
        let mut replayed = Replayed::open(folder)?;
        replayed.all(most, &mut of_history)?;
        eprintln!("{}: {}", replayed.name, of_history.short());
        sums.add(&of_history);
    }
    println!("\n{}", sums.table());
    Ok(())
}

/// A history, and the projects in it.
struct Replayed {
    name: String,
    history: Arc<History>,
    projects: HashMap<String, Replay>,
}

impl Replayed {
    fn open(folder: &Path) -> io::Result<Self> {
        let folder = folder.canonicalize()?;
        // `…/NAME/repo`, `…/NAME/.git`.
        let is_plain = |name: &&std::ffi::OsStr| *name != "repo" && *name != ".git";
        let name = folder.iter().rev().find(is_plain).unwrap_or_default();
        let name = name.to_string_lossy().into_owned();
        let history = Arc::new(History::open(&folder)?);
        Ok(Self { name, history, projects: HashMap::new() })
    }

    fn all(&mut self, most: usize, sums: &mut Sums) -> io::Result<()> {
        let commits = self.history.commits()?;
        sums.count("histories", 1);
        sums.count("commits", commits.len());
        for (commit, renames) in self.renames(&commits) {
            self.replay_renames(commit, &renames, sums)?;
        }
        let with_moves: Vec<&Commit> = commits.iter().filter(|commit| has_moves(commit)).collect();
        sums.count("commits with moves", with_moves.len());
        let step = with_moves.len().div_ceil(most.max(1)).max(1);
        for commit in with_moves.into_iter().step_by(step) {
            self.replay_moves(commit, sums)?;
        }
        Ok(())
    }

    /// The commits that rename exported variables.
    fn renames<'c>(&self, commits: &'c [Commit]) -> Vec<(&'c Commit, Vec<Rename>)> {
        let in_commit = |commit: &'c Commit| {
            let scripts = commit.changes.iter().filter(|change| is_script(change));
            let renames: Vec<Rename> = scripts.flat_map(|change| self.renames_in(change)).collect();
            (!renames.is_empty()).then_some((commit, renames))
        };
        commits.par_iter().filter_map(in_commit).collect()
    }

    fn renames_in(&self, change: &Change) -> Vec<Rename> {
        let Ok((old, new)) = self
            .history
            .read(&change.old)
            .and_then(|old| Ok((old, self.history.read(&change.new)?)))
        else {
            return Vec::new();
        };
        let word: &[u8] = if extension(&change.old_path) == "cs" { b"[Export" } else { b"export" };
        if [&old, &new].into_iter().any(|text| memchr::memmem::find(text, word).is_none()) {
            return Vec::new();
        }
        let pairs =
            renames::pairs(&script(&change.old_path, &old), &script(&change.new_path, &new));
        let rename = |(old, new, is_likely)| Rename {
            script: change.old_path.clone(),
            new_script: change.new_path.clone(),
            old,
            new,
            is_likely,
        };
        pairs.into_iter().map(rename).collect()
    }

    fn replay_renames(
        &mut self,
        commit: &Commit,
        renames: &[Rename],
        sums: &mut Sums,
    ) -> io::Result<()> {
        let before = CommitTree::read(&self.history, &commit.parent)?;
        let after = CommitTree::read(&self.history, &commit.id)?;
        let mut by_root: BTreeMap<&str, Vec<Rename>> = BTreeMap::new();
        for rename in renames {
            match before.root_of(&rename.script) {
                Some(root) => by_root.entry(root).or_default().push(rename.clone()),
                None => sums.count("renames outside of projects", 1),
            }
        }
        for (root, renames) in by_root {
            let name = format!("{} {:.10}", self.name, commit.id);
            let replay = self.replay(root)?;
            replay.go_to(&before, &after, &commit.changes)?;
            let findings = replay.findings();
            let outcomes = replay.rename_all(&renames);
            let new = replay::new_findings(&findings, &replay.findings());
            for (rename, outcome) in renames.iter().zip(&outcomes) {
                if sums.count_rename(rename, outcome) {
                    println!("RENAME\t{name}\t{}", outcome.report(rename));
                }
            }
            // Scripts in C# are as before, for which the new names are wrong.
            let has_csharp = renames.iter().any(|rename| extension(&rename.script) == "cs");
            if !new.is_empty() && !has_csharp {
                sums.count("new findings", new.len());
                println!("FINDINGS\t{name}\t{}", new.join(", "));
            }
        }
        Ok(())
    }

    fn replay_moves(&mut self, commit: &Commit, sums: &mut Sums) -> io::Result<()> {
        let before = CommitTree::read(&self.history, &commit.parent)?;
        let after = CommitTree::read(&self.history, &commit.id)?;
        let mut by_root: BTreeMap<String, BTreeMap<String, String>> = BTreeMap::new();
        for change in commit.changes.iter().filter(|change| change.is_move) {
            let roots = (before.root_of(&change.old_path), after.root_of(&change.new_path));
            if let (Some(root), Some(new_root)) = roots
                && root == new_root
            {
                let res = |path: &str| format!("res://{}", &path[root.len()..]);
                let moves = by_root.entry(root.to_owned()).or_default();
                moves.insert(res(&change.old_path), res(&change.new_path));
            }
        }
        for (root, moves) in by_root {
            let name = format!("{} {:.10}", self.name, commit.id);
            let replay = self.replay(&root)?;
            replay.go_to(&before, &after, &commit.changes)?;
            let outcome = replay.move_all(&moves);
            if sums.count_moves(&outcome) {
                println!("MOVE\t{name}\t{}", outcome.report());
            }
        }
        Ok(())
    }

    fn replay(&mut self, root: &str) -> io::Result<&mut Replay> {
        if !self.projects.contains_key(root) {
            let replay = Replay::new(Arc::clone(&self.history), root)?;
            self.projects.insert(root.to_owned(), replay);
        }
        Ok(self.projects.get_mut(root).expect("it was put there"))
    }
}

fn is_script(change: &Change) -> bool {
    matches!(extension(&change.old_path), "gd" | "cs")
        && extension(&change.old_path) == extension(&change.new_path)
}

fn has_moves(commit: &Commit) -> bool {
    commit.changes.iter().any(|change| change.is_move)
}

fn script(path: &str, text: &[u8]) -> Script {
    let name = path.rsplit('/').next().unwrap_or(path);
    match name.strip_suffix(".cs") {
        Some(stem) => Script::csharp(text, stem),
        None => Script::gdscript(text),
    }
}
