//! Files and folders that a commit gives another path.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use gdscene_refactor::move_files;
use godot_project::{Dependencies, Dependency, FileId, Plan, Project};

use crate::lines::split;
use crate::replay::{FileLine, Replay, extension, is_comment};

/// So many moves of one commit are replayed.
const MAX_MOVES: usize = 40;

/// What a replay of all moves of a commit found.
#[derive(Debug, Default)]
pub(crate) struct Outcome {
    /// How many files and folders moved.
    pub(crate) moves: usize,
    /// What was not replayed, and why.
    pub(crate) refused: Vec<String>,
    /// References, each a file that names an old path, by what came of them.
    pub(crate) references: BTreeMap<Fate, Vec<String>>,
    pub(crate) doubts: usize,
    /// References that do not lead to where they led.
    pub(crate) wrong: Vec<String>,
}

/// What came of a reference to a file that moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Fate {
    /// By hand and by us.
    Alike,
    /// By hand it still names the old path.
    LeftByHand,
    /// By hand it went, or leads elsewhere; we changed it.
    Otherwise,
    /// By hand it names the new path, ours the old one, and we say that it is doubtful.
    Doubt,
    /// The same, and we say nothing.
    Miss,
    /// It names the old path, by hand and ours.
    LeftByBoth,
}

impl Outcome {
    pub(crate) fn count(&self, fate: Fate) -> usize {
        self.references.get(&fate).map_or(0, Vec::len)
    }

    pub(crate) fn report(&self) -> String {
        let count = |fate| self.count(fate);
        let mut text = format!(
            "{} moves\t{} alike, {} left by hand, {} otherwise, {} doubt, {} MISS, {} left by both\tdoubts: {}",
            self.moves,
            count(Fate::Alike),
            count(Fate::LeftByHand),
            count(Fate::Otherwise),
            count(Fate::Doubt),
            count(Fate::Miss),
            count(Fate::LeftByBoth),
            self.doubts
        );
        let told = [Fate::LeftByHand, Fate::Doubt, Fate::Miss, Fate::LeftByBoth];
        for (fate, found) in self.references.iter().filter(|(fate, _)| told.contains(fate)) {
            for reference in found {
                let _ = write!(text, "\n    {fate:?}: {reference}");
            }
        }
        for refused in &self.refused {
            let _ = write!(text, "\n    refused: {refused}");
        }
        for wrong in &self.wrong {
            let _ = write!(text, "\n    WRONG: {wrong}");
        }
        text
    }
}

impl Replay {
    /// Replays the moves of one commit, one after the other, and compares what comes of all with what people did.
    /// `moves` are files: the path before and after.
    pub(crate) fn move_all(&mut self, moves: &BTreeMap<String, String>) -> Outcome {
        let mut outcome = Outcome::default();
        let mut plans = Vec::new();
        let edges = edges(self.project(), str::to_owned);
        let findings = self.findings();
        let steps = self.steps(moves);
        for (from, to) in steps.iter().take(MAX_MOVES) {
            match move_files(self.project(), from, to) {
                Ok(plan) => {
                    outcome.moves += 1;
                    outcome.doubts += plan.doubts.len();
                    self.carry_out(&plan);
                    plans.push(plan);
                }
                Err(error) => outcome.refused.push(format!("{from} -> {to}: {error}")),
            }
        }
        if steps.len() > MAX_MOVES {
            outcome.refused.push(format!(
                "{} of {} moves left out",
                steps.len() - MAX_MOVES,
                steps.len()
            ));
        }
        if outcome.moves == 0 {
            return outcome;
        }
        self.judge_references(moves, &plans, &mut outcome);
        let back: BTreeMap<String, String> = self
            .files()
            .keys()
            .map(|path| (self.our_path(path).to_owned(), path.clone()))
            .collect();
        let now = edges_back(self.project(), &back);
        outcome.wrong.extend(
            edges
                .difference(&now)
                .filter(|(from, to)| !self.is_in_comments(from, to) && !self.is_told(from, &plans))
                .map(|(from, to)| format!("{from} no longer leads to {to}")),
        );
        outcome
            .wrong
            .extend(now.difference(&edges).map(|(from, to)| format!("{from} leads to {to} now")));
        outcome.wrong.extend(crate::replay::new_findings(&findings, &self.findings()));
        outcome
    }

    /// Whether something in the file that was at this path is doubtful: a plan names it by its path then.
    fn is_told(&self, path: &str, plans: &[Plan]) -> bool {
        let ours = self.our_path(path);
        let is_there = |place: &godot_project::Place| place.path == path || place.path == ours;
        plans.iter().flat_map(|plan| &plan.doubts).any(is_there)
    }

    /// Whether a file names another one in comments only.
    fn is_in_comments(&self, path: &str, wanted: &str) -> bool {
        let text = self.before(path).unwrap_or_default();
        let names = |line: &&[u8]| memchr::memmem::find(line, wanted.as_bytes()).is_some();
        split(&text).any(|line| names(&line)) && split(&text).filter(names).all(is_comment)
    }

    /// Folders of which all files move the same way count as one move, and what goes with another file is left out.
    fn steps(&self, moves: &BTreeMap<String, String>) -> Vec<(String, String)> {
        let mut steps: BTreeMap<String, String> = BTreeMap::new();
        for (from, to) in moves {
            if steps.keys().any(|folder| from.starts_with(&format!("{folder}/"))) {
                continue;
            }
            let companion = from.strip_suffix(".import").or_else(|| from.strip_suffix(".uid"));
            if companion.is_some_and(|file| self.files().contains_key(file)) {
                continue;
            }
            let folder = self.whole_folder(moves, from, to);
            let (from, to) = folder.unwrap_or_else(|| (from.clone(), to.clone()));
            steps.retain(|file, _| !file.starts_with(&format!("{from}/")));
            steps.insert(from, to);
        }
        steps.into_iter().collect()
    }

    /// The highest folder around a file that moves as a whole.
    fn whole_folder(
        &self,
        moves: &BTreeMap<String, String>,
        from: &str,
        to: &str,
    ) -> Option<(String, String)> {
        let mut found = None;
        let (mut old, mut new) = (from, to);
        while let (Some((old_folder, old_name)), Some((new_folder, new_name))) =
            (old.rsplit_once('/'), new.rsplit_once('/'))
        {
            if old_name != new_name && found.is_some()
                || old_folder.len() <= "res:/".len()
                || new_folder.len() <= "res:/".len()
            {
                break;
            }
            if old_name != new_name && old.contains('.') && old == from {
                break;
            }
            (old, new) = (old_folder, new_folder);
            if old == new || !self.moves_as_whole(moves, old, new) {
                break;
            }
            found = Some((old.to_owned(), new.to_owned()));
        }
        found
    }

    fn moves_as_whole(&self, moves: &BTreeMap<String, String>, old: &str, new: &str) -> bool {
        let (below_old, below_new) = (format!("{old}/"), format!("{new}/"));
        let below = |start: &str| {
            let start = start.to_owned();
            self.files()
                .range(start.clone()..)
                .map(|(path, _)| path)
                .take_while(move |path| path.starts_with(&start))
        };
        let moves_so = |path: &String| {
            let rest = &path[below_old.len()..];
            moves.get(path).is_some_and(|to| to.strip_prefix(&below_new) == Some(rest))
        };
        below(&below_new).next().is_none() && below(&below_old).all(moves_so)
    }

    fn judge_references(
        &self,
        moves: &BTreeMap<String, String>,
        plans: &[Plan],
        outcome: &mut Outcome,
    ) {
        let moved = |from: &&String| self.our_path(from) != from.as_str();
        let sources: Vec<&String> = moves
            .keys()
            .filter(|path| !path.ends_with(".uid") && !path.ends_with(".import"))
            .filter(moved)
            .collect();
        for path in self.files().keys() {
            if !is_read(path) {
                continue;
            }
            let Some(before) = self.before(path) else { continue };
            if memchr::memmem::find(&before, b"res://").is_none() {
                continue;
            }
            for from in &sources {
                if memchr::memmem::find(&before, from.as_bytes()).is_none() {
                    continue;
                }
                let Some(fate) = self.fate(path, &before, from, &moves[*from], plans) else {
                    continue;
                };
                let place = place_of(path, &before, from);
                outcome
                    .references
                    .entry(fate)
                    .or_default()
                    .push(format!("{place} ({from} -> {})", moves[*from]));
            }
        }
    }

    /// What came of the references in a file to another one.
    fn fate(
        &self,
        path: &str,
        before: &[u8],
        from: &str,
        to: &str,
        plans: &[Plan],
    ) -> Option<Fate> {
        let was = occurrences(before, from);
        if was == 0 {
            return None;
        }
        let is_ours = occurrences(&self.ours(path)?, from) < was;
        let after = self.after(&self.path_after(path));
        let Some(after) = after else { return is_ours.then_some(Fate::Otherwise) };
        let is_left = occurrences(&after, from) > 0 && !self.is_there_after(from);
        let is_repaired = occurrences(&after, to) > occurrences(before, to) && !is_left;
        let is_doubtful = self.is_told(path, plans);
        Some(match (is_ours, is_repaired, is_left) {
            (true, true, _) => Fate::Alike,
            (true, _, true) => Fate::LeftByHand,
            (true, ..) => Fate::Otherwise,
            (false, true, _) if is_doubtful => Fate::Doubt,
            (false, true, _) => Fate::Miss,
            (false, _, true) => Fate::LeftByBoth,
            (false, ..) => return None,
        })
    }
}

/// Whether Godot or the project's code reads paths in a file.
fn is_read(path: &str) -> bool {
    const EXTENSIONS: &[&str] = &[
        "tscn",
        "tres",
        "escn",
        "gd",
        "cs",
        "godot",
        "cfg",
        "gdshader",
        "gdshaderinc",
        "shader",
        "json",
        "gdextension",
    ];
    EXTENSIONS.contains(&extension(path))
}

/// How often a path stands in a text as a whole, comments left out, which nothing reads.
fn occurrences(text: &[u8], path: &str) -> usize {
    let is_end = |byte: Option<&u8>| byte.is_none_or(|byte| b"\"' ,)]:".contains(byte));
    let in_line = |line: &[u8]| {
        let places = memchr::memmem::find_iter(line, path);
        places.filter(|at| is_end(line.get(at + path.len()))).count()
    };
    split(text).filter(|line| !is_comment(line)).map(in_line).sum()
}

fn place_of(path: &str, text: &[u8], wanted: &str) -> FileLine {
    let names = |line: &[u8]| occurrences(line, wanted) > 0;
    let line = split(text).position(names).unwrap_or_default();
    FileLine::of_line(path, text, line)
}

/// Which file leads to which.
fn edges(project: &Project, name: impl Fn(&str) -> String) -> BTreeSet<(String, String)> {
    let dependencies = Dependencies::new(project);
    let of_file = |file: FileId| {
        let needs = dependencies.of(file).iter().filter_map(Dependency::file);
        needs.map(move |needed| (project.path(file), project.path(needed))).collect::<Vec<_>>()
    };
    project.files().flat_map(of_file).map(|(from, to)| (name(from), name(to))).collect()
}

/// [`edges`] by the paths that files had before.
fn edges_back(project: &Project, back: &BTreeMap<String, String>) -> BTreeSet<(String, String)> {
    edges(project, |path| back.get(path).map_or(path, String::as_str).to_owned())
}
