//! Exported variables that a commit gives another name.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use gdscene_refactor::rename_property;
use godot_project::{Plan, Script, Variable};
use similar::{Algorithm, DiffOp, capture_diff_slices, get_diff_ratio};

use crate::lines::{self, ByHand};
use crate::replay::{FileLine, Replay, extension};

/// An exported variable with another name.
#[derive(Clone, Debug)]
pub(crate) struct Rename {
    /// The script's path in the repository, before.
    pub(crate) script: String,
    /// And after.
    pub(crate) new_script: String,
    pub(crate) old: String,
    pub(crate) new: String,
    /// Whether the names or the first values say that it is the same variable.
    pub(crate) is_likely: bool,
}

/// What a replay of a rename found.
#[derive(Debug, Default)]
pub(crate) struct Outcome {
    /// Files with values, by what people did with them. A file in which a value was left counts there.
    pub(crate) files: BTreeMap<ByHand, BTreeSet<String>>,
    /// Lines of scripts.
    pub(crate) uses: BTreeMap<ByHand, usize>,
    /// What we change and people left in scripts.
    pub(crate) left_uses: Vec<FileLine>,
    /// What people changed and we do not, and whether we call it doubtful.
    pub(crate) gaps: Vec<(FileLine, bool)>,
    pub(crate) doubts: usize,
    /// Why we do nothing.
    pub(crate) refused: Option<String>,
    /// Whether the same values change when the script has the new name already.
    pub(crate) differs_if_renamed: Option<String>,
}

impl Outcome {
    pub(crate) fn has_values(&self) -> bool {
        !self.files.is_empty()
    }

    pub(crate) fn count(&self, verdict: ByHand) -> usize {
        self.files.get(&verdict).map_or(0, BTreeSet::len)
    }

    /// A field for each number, and the details in lines of their own.
    pub(crate) fn report(&self, rename: &Rename) -> String {
        let mut text = format!("{} {} -> {}", rename.script, rename.old, rename.new);
        let [alike, left, otherwise] = [ByHand::Alike, ByHand::Left, ByHand::Otherwise]
            .map(|verdict| (self.count(verdict), self.uses.get(&verdict).copied().unwrap_or(0)));
        let _ = write!(
            text,
            "\tfiles: {} alike, {} left, {} otherwise\tuses: {} alike, {} left, {} otherwise\tdoubts: {}",
            alike.0, left.0, otherwise.0, alike.1, left.1, otherwise.1, self.doubts
        );
        for (what, found) in
            [("refused", &self.refused), ("renamed already", &self.differs_if_renamed)]
        {
            if let Some(found) = found {
                let _ = write!(text, "\n    {what}: {found}");
            }
        }
        for path in self.files.get(&ByHand::Left).into_iter().flatten() {
            let _ = write!(text, "\n    left by hand: {path}");
        }
        for place in &self.left_uses {
            let _ = write!(text, "\n    only ours: {place}");
        }
        for (place, is_doubtful) in &self.gaps {
            let kind = if *is_doubtful { "doubt" } else { "MISS" };
            let _ = write!(text, "\n    only by hand, {kind}: {place}");
        }
        text
    }
}

/// The exported variables of a script before that have another name in the script after, at the same place and of the same
/// type.
pub(crate) fn pairs(before: &Script, after: &Script) -> Vec<(String, String, bool)> {
    let exported = |script: &Script| -> Vec<Variable> {
        script.variables.iter().filter(|variable| variable.is_exported).cloned().collect()
    };
    let (old, new) = (exported(before), exported(after));
    let names = |variables: &[Variable]| -> Vec<String> {
        variables.iter().map(|variable| variable.name.clone()).collect()
    };
    let mut pairs = Vec::new();
    for change in capture_diff_slices(Algorithm::Myers, &names(&old), &names(&new)) {
        let DiffOp::Replace { .. } = change else { continue };
        let (lost, gained) = (&old[change.old_range()], &new[change.new_range()]);
        let is_in_turn = lost.len() == gained.len();
        let mut free: Vec<&Variable> = gained.iter().collect();
        for (index, variable) in lost.iter().enumerate() {
            let fits = |other: &Variable| kind_of(variable) == kind_of(other);
            let is_likely = |other: &Variable| {
                variable.value.is_some() && variable.value == other.value
                    || are_near(&variable.name, &other.name)
            };
            let near = |other: &&Variable| fits(other) && is_likely(other);
            let has_place =
                |other: &&Variable| is_in_turn && other.name == gained[index].name && fits(other);
            let in_turn = || free.iter().copied().find(has_place);
            let Some(other) = free.iter().copied().find(near).or_else(in_turn) else { continue };
            free.retain(|free| free.name != other.name);
            let is_new =
                before.variable(&other.name).is_none() && after.variable(&variable.name).is_none();
            if is_new {
                pairs.push((variable.name.clone(), other.name.clone(), is_likely(other)));
            }
        }
    }
    pairs
}

/// The type as it is written, or what the first value shows of it.
fn kind_of(variable: &Variable) -> String {
    let value = variable.value.as_deref().unwrap_or_default().trim();
    let shown = match value.chars().next() {
        Some('"' | '\'') => "text",
        Some('0'..='9' | '-' | '.') => "number",
        Some(_) if matches!(value, "true" | "false") => "truth",
        _ => value.split('(').next().unwrap_or_default(),
    };
    variable.type_name.clone().unwrap_or_else(|| shown.to_owned())
}

/// Whether two names share a word or most of their letters.
fn are_near(old: &str, new: &str) -> bool {
    let (old, new) = (old.to_lowercase(), new.to_lowercase());
    let shares = || old.split('_').any(|word| word.len() > 2 && new.contains(word));
    let letters = |name: &str| name.chars().collect::<Vec<char>>();
    let (old_letters, new_letters) = (letters(&old), letters(&new));
    let changes = || capture_diff_slices(Algorithm::Myers, &old_letters, &new_letters);
    shares() || get_diff_ratio(&changes(), old_letters.len(), new_letters.len()) > 0.6
}

impl Replay {
    /// Replays the renames of one commit in one project, one after the other, and compares all of them with what people did.
    pub(crate) fn rename_all(&mut self, renames: &[Rename]) -> Vec<Outcome> {
        let mut outcomes = Vec::new();
        let mut touched = Vec::new();
        for rename in renames {
            let mut outcome = Outcome::default();
            let plan = self.plan_of(rename, &mut outcome);
            self.carry_out(&plan);
            outcome.doubts = plan.doubts.len();
            outcomes.push(outcome);
            touched.push(plan);
        }
        for ((rename, outcome), plan) in renames.iter().zip(&mut outcomes).zip(&touched) {
            self.judge_rename(plan, outcome);
            self.find_gaps(rename, plan, outcome);
        }
        outcomes
    }

    fn plan_of(&mut self, rename: &Rename, outcome: &mut Outcome) -> Plan {
        let script = self.res_path(&rename.script);
        let Rename { old, new, .. } = rename;
        let is_csharp = extension(&script) == "cs";
        let mut plan = Plan::default();
        if !is_csharp {
            match rename_property(self.project(), &script, old, new) {
                Ok(found) => plan = found,
                Err(error) => outcome.refused = Some(error.to_string()),
            }
        }
        // As if people had changed the script, and nothing else.
        let Some(text) = self.after(&self.res_path(&rename.new_script)) else { return plan };
        let overlay = [(script.as_str(), Some(&*text))];
        let is_set = self.project_mut().set_overlays(overlay).is_ok();
        let renamed = rename_property(self.project(), &script, old, new);
        let _ = self.project_mut().set_overlays([(script.as_str(), None)]);
        match renamed {
            Ok(found) if is_csharp => plan = found,
            Ok(found) if is_set && outcome.refused.is_none() => {
                outcome.differs_if_renamed = difference(&plan, &found);
            }
            Ok(_) => {}
            Err(error) if is_csharp => outcome.refused = Some(error.to_string()),
            Err(error) => outcome.differs_if_renamed = Some(error.to_string()),
        }
        plan
    }

    /// What people did with the lines that we change.
    fn judge_rename(&self, plan: &Plan, outcome: &mut Outcome) {
        for file in &plan.files {
            let (Some(before), Some(ours)) = (self.before(&file.path), self.ours(&file.path))
            else {
                continue;
            };
            let lines: BTreeSet<usize> = plan
                .places
                .iter()
                .filter(|place| place.path == file.path)
                .map(|place| place.line as usize - 1)
                .collect();
            let by_hand = self.after(&self.path_after(&file.path)).unwrap_or_default();
            let verdicts = lines::judge(&before, &ours, &by_hand);
            let verdicts = verdicts.into_iter().filter(|(line, _)| lines.contains(line));
            let is_script = matches!(extension(&file.path), "gd" | "cs");
            let mut of_file: BTreeSet<ByHand> = BTreeSet::new();
            for (line, verdict) in verdicts {
                of_file.insert(verdict);
                if is_script {
                    *outcome.uses.entry(verdict).or_default() += 1;
                    if verdict == ByHand::Left {
                        outcome.left_uses.push(FileLine::of_line(&file.path, &before, line));
                    }
                }
            }
            let worst = [ByHand::Left, ByHand::Alike, ByHand::Otherwise];
            let verdict = worst.into_iter().find(|verdict| of_file.contains(verdict));
            if let Some(verdict) = verdict.filter(|_| !is_script) {
                outcome.files.entry(verdict).or_default().insert(file.path.clone());
            }
        }
    }

    /// What people changed in nothing but the name, and we do not.
    fn find_gaps(&self, rename: &Rename, plan: &Plan, outcome: &mut Outcome) {
        for (path, new_path) in self.changed() {
            if !matches!(extension(path), "gd" | "cs" | "tscn" | "tres" | "escn" | "godot") {
                continue;
            }
            let texts = (self.before(path), self.ours(path), self.after(new_path));
            let (Some(before), Some(ours), Some(by_hand)) = texts else { continue };
            // A script in C# is changed by people.
            if extension(path) == "cs" && path == self.res_path(&rename.script) {
                continue;
            }
            let ours: Vec<&[u8]> = lines::split(&ours).collect();
            for line in lines::renamed_by_hand(&before, &by_hand, &rename.old, &rename.new) {
                let was = lines::split(&before).nth(line);
                if was.is_some() && ours.get(line).copied() == was {
                    let place = FileLine::of_line(path, &before, line);
                    // Comments are left alone, but for what looks like code.
                    if place.is_comment() {
                        continue;
                    }
                    // Of a script inside a scene, the doubt is at its key.
                    let is_there = |doubt: &godot_project::Place| {
                        doubt.path == *path && (doubt.line as usize == line + 1 || place.is_value())
                    };
                    let is_doubtful = plan.doubts.iter().any(is_there);
                    outcome.gaps.push((place, is_doubtful));
                }
            }
        }
    }
}

/// Where two plans differ in what is not a script.
fn difference(one: &Plan, other: &Plan) -> Option<String> {
    let places = |plan: &Plan| -> BTreeSet<String> {
        let values =
            plan.places.iter().filter(|place| !matches!(extension(&place.path), "gd" | "cs"));
        values.map(|place| format!("{}:{}", place.path, place.line)).collect()
    };
    let (one, other) = (places(one), places(other));
    let differing: Vec<&str> = one.symmetric_difference(&other).map(String::as_str).collect();
    (!differing.is_empty()).then(|| differing.join(", "))
}
