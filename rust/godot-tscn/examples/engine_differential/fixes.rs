//! The promise of safe fixes: Godot loads the same objects as before, or loads a file that it refused.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::fs;
use std::path::Path;

use godot_tscn::{Applicability, FixOptions, GodotVersion, LintOptions, RULES, Severity};

use crate::bases::with_stand_ins;
use crate::case::{Case, Origin, extension, files};
use crate::engine::Verdict;

/// The examples of the rules' documentation and the crate's fixtures: every rule is among them.
pub(crate) fn examples() -> Vec<Case> {
    let examples = RULES.iter().filter_map(|rule| {
        let (_, after) = rule.docs.split_once("## Example")?;
        let (_, code) = after.split_once("```tscn\n")?;
        let text = without_indentation(code.split_once("```")?.0);
        let extension = if text.starts_with("[gd_resource") { "tres" } else { "tscn" };
        Some((rule.code.to_owned(), extension, text.into_bytes()))
    });
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/findings");
    let fixtures = files(&folder).into_iter().filter_map(|path| {
        let name = path.file_name()?.to_string_lossy().into_owned();
        Some((name, extension(&path)?, fs::read(&path).ok()?))
    });
    let case = |(label, extension, text): (String, _, Vec<u8>)| Case {
        label,
        extension,
        text,
        items: Vec::new(),
        origin: Origin::Example,
        is_dumped: false,
    };
    examples
        .chain(fixtures)
        .chain(
            SPELLINGS.iter().map(|(code, text)| {
                ((*code).to_owned(), "tscn", [HEADER, text.as_bytes()].concat())
            }),
        )
        .map(|(code, extension, text)| (code, extension, with_stand_ins(&text)))
        // The stand-ins have no uids.
        .chain([("RES013".to_owned(), "tscn", UNREADABLE_UID.to_vec())])
        .map(case)
        .collect()
}

const UNREADABLE_UID: &[u8] =
    b"[gd_scene format=3 uid=\"uid://My-Level\"]\n\n[node name=\"A\" type=\"Label\"]\n";

const HEADER: &[u8] = b"[gd_scene format=3]\n\n[node name=\"A\" type=\"Label\"]\n";

/// What the examples do not show because it cannot be seen, or is another form of the fault.
const SPELLINGS: &[(&str, &str)] = &[
    ("SYN004", "text = \"a\"visible = false\n"),
    ("SYN013", "visible = True\n"),
    ("SYN013", "text = 'a'\n"),
    ("SYN013", "rotation = .5\n"),
    ("STY002", "visible = false \r\ntext = \"a \r\nb\"\r\n"),
    ("SYN018", "\0visible = false\n"),
    ("SYN018", "visible = false\0\ntext = \"a\"\n"),
];

fn without_indentation(code: &str) -> String {
    code.lines().map(|line| format!("{}\n", line.strip_prefix(' ').unwrap_or(line))).collect()
}

/// The cases that have a safe fix, after it. Marks those before it.
pub(crate) fn fixed_cases(cases: &mut [Case]) -> Vec<Case> {
    let mut fixed_cases = Vec::new();
    for (index, case) in cases.iter_mut().enumerate() {
        let path = case.path();
        let Some(fixed) = godot_tscn::fix(&case.text, &fix_options(&path)) else { continue };
        if fixed.applied_count == 0 {
            continue;
        }
        case.is_dumped = true;
        fixed_cases.push(Case {
            label: case.label.clone(),
            extension: case.extension,
            text: fixed.text,
            items: Vec::new(),
            origin: Origin::Fixed(index),
            is_dumped: true,
        });
    }
    fixed_cases
}

/// The engine's version is known, so fixes for it are applied too.
fn fix_options(path: &str) -> FixOptions<'_> {
    let mut options = FixOptions::for_path(path);
    options.target = Some(GodotVersion::godot4(6));
    options
}

fn lint_options(path: &str) -> LintOptions<'_> {
    let mut options = LintOptions::for_path(path);
    options.target = Some(GodotVersion::godot4(6));
    options
}

/// How the fixes came out.
#[derive(Debug, Default)]
pub(crate) struct FixReport {
    /// Files of which Godot loads the same as before.
    same: usize,
    /// Scenes whose state differs, but not the tree of nodes that comes out of it.
    same_tree: usize,
    /// Files that Godot refused before, and loads.
    repaired: usize,
    /// Files that it still refuses, for what has no safe fix.
    still_broken: usize,
    outside: usize,
    /// Files whose sections were shuffled, of which Godot loads the same after the fix as before the accident.
    restored: usize,
    failures: Vec<String>,
    /// The rules whose fixes led to the same or to a sound file, and in how many files.
    proved: BTreeMap<&'static str, usize>,
}

fn is_same_tree(verdicts: (&Verdict, &Verdict)) -> bool {
    verdicts.0.tree.as_ref().is_some_and(|tree| !tree.is_empty())
        && verdicts.0.tree == verdicts.1.tree
}

impl FixReport {
    pub(crate) fn new(cases: &[Case], verdicts: &[Verdict]) -> Self {
        let mut report = Self::default();
        for (index, case) in cases.iter().enumerate() {
            if let Origin::Fixed(before) = case.origin {
                let sound = match cases[before].origin {
                    Origin::Shuffled(sound) => verdicts[sound].dump.as_ref(),
                    _ => None,
                };
                report.add(&cases[before], case, (&verdicts[before], &verdicts[index]), sound);
            }
        }
        report
    }

    /// Compares what Godot makes of a file before and after its fixes, and, if it was once sound, with what it made
    /// of it then.
    fn add(
        &mut self,
        before: &Case,
        after: &Case,
        verdicts: (&Verdict, &Verdict),
        sound: Option<&String>,
    ) {
        let options = |case: &Case| case.path();
        let (before_path, after_path) = (options(before), options(after));
        let rest = godot_tscn::lint(&after.text, &lint_options(&after_path)).diagnostics;
        match (&verdicts.0.dump, &verdicts.1.dump) {
            (Some(old), Some(new)) if old == new => self.same += 1,
            // What the scene's state says twice or in an older way is left out of the tree.
            (Some(_), Some(_)) if is_same_tree(verdicts) => self.same_tree += 1,
            // The first loading of a file can fail for such a cause, and the second find what others loaded.
            (Some(_), _) if !verdicts.0.outside.is_empty() => {
                self.outside += 1;
                return;
            }
            (Some(old), new) => {
                let (old, new) = match (&verdicts.0.tree, &verdicts.1.tree) {
                    (Some(old), Some(new)) => (old, new.as_str()),
                    _ => (old, new.as_deref().unwrap_or("nothing")),
                };
                let difference = old.lines().zip(new.lines()).find(|(old, new)| old != new);
                self.failures
                    .push(format!("changed by a safe fix: {} {difference:?}", after.label));
                return;
            }
            (None, Some(new)) => {
                self.repaired += 1;
                if sound.is_some_and(|sound| sound != new) {
                    self.failures.push(format!("not restored by a safe fix: {}", after.label));
                    return;
                }
                self.restored += usize::from(sound.is_some());
            }
            (None, None) if rest.iter().any(|rest| rest.severity == Severity::Error) => {
                self.still_broken += 1;
                return;
            }
            (None, None)
                if !verdicts.0.outside.is_empty()
                    || matches!(before.origin, Origin::Shuffled(_)) && sound.is_none() =>
            {
                self.outside += 1;
                return;
            }
            (None, None) => {
                self.failures.push(format!("not loaded after a safe fix: {}", after.label));
                return;
            }
        }
        let found = godot_tscn::lint(&before.text, &lint_options(&before_path)).diagnostics;
        let is_safe = |fix: &godot_tscn::Fix| fix.applicability == Applicability::Safe;
        let safe = found.iter().filter(|found| found.fix.as_ref().is_some_and(is_safe));
        for code in safe.map(|found| found.code).collect::<BTreeSet<_>>() {
            *self.proved.entry(code).or_default() += 1;
        }
    }

    /// The rules that promise a safe fix, of which there is no proof.
    fn unproved(&self) -> Vec<&'static str> {
        let promises = |docs: &str| {
            let section = docs.split_once("## Fix safety").map_or("", |(_, section)| section);
            let section = section.split("## ").next().unwrap_or_default();
            let mut words = section.split(|c: char| !c.is_alphabetic());
            // What only the rule of `project` repairs that stands in for this one is compared in its tests.
            !section.contains("in a project:") && words.any(|word| matches!(word, "safe" | "Safe"))
        };
        // `fix` applies only rules that are on; the formatter's own comparison is in test_format.sh.
        let promising = RULES.iter().filter(|rule| !rule.is_off_by_default && promises(rule.docs));
        promising.map(|rule| rule.code).filter(|code| !self.proved.contains_key(code)).collect()
    }

    pub(crate) fn is_good(&self, has_all: bool) -> bool {
        self.failures.is_empty() && (!has_all || self.unproved().is_empty())
    }
}

impl fmt::Display for FixReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for failure in &self.failures {
            writeln!(f, "{failure}")?;
        }
        write!(
            f,
            "safe fixes of {} rules: {} files load as before, {} scenes give the same tree, {} refused ones load now ({} of \
             them shuffled ones that load as before it), {} have \
             other errors too, {} depend on what is not in the text, {} wrong; files by rule: {:?}; without \
             proof: {:?}",
            self.proved.len(),
            self.same,
            self.same_tree,
            self.repaired,
            self.restored,
            self.still_broken,
            self.outside,
            self.failures.len(),
            self.proved,
            self.unproved()
        )
    }
}
