//! `check`

use std::collections::hash_map::Entry;
use std::collections::{BTreeSet, HashMap};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::{fmt, io};

use gdscene_lint::{Config, KnownRule, Observer, Scope};
use godot_tscn::{LocatedDiagnostic, Severity};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::findings::{Finding, Level};
use crate::limits::{Shown, excerpt};
use crate::paths;
use crate::tool::{Call, Effect, Tool, ToolError};

pub(crate) struct Check;

/// What is checked, and what of it is told.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    /// Files and folders, such as `res://levels` or `player.tscn`. Default: the whole project.
    #[serde(default)]
    paths: Vec<String>,
    /// The lowest severity to list.
    #[serde(default)]
    severity: Level,
    /// List only these rules, by code or name: `RES001`, `missing-file`.
    #[serde(default)]
    rules: Vec<String>,
    /// The maximum number of findings to list.
    #[serde(default = "default_limit")]
    #[schemars(range(min = 1, max = 200))]
    limit: usize,
}

fn default_limit() -> usize {
    30
}

/// What was found.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Report {
    /// The number of checked files.
    files: usize,
    /// The number of errors of the requested rules.
    errors: usize,
    /// The number of warnings.
    warnings: usize,
    /// The number of infos.
    infos: usize,
    /// The findings, the worst ones first.
    findings: Shown<Finding>,
    /// Files that cannot be read, and why.
    unreadable: Shown<String>,
}

impl Tool for Check {
    type Arguments = Arguments;
    type Report = Report;

    const NAME: &'static str = "check";
    const TITLE: &'static str = "Check scenes and resources";
    const DESCRIPTION: &'static str = "Checks scenes, resources, scripts and settings files of the project for data that Godot cannot load, loses or \
         misreads: missing files, broken ids and uids, unknown properties, wrong types, connections to missing methods, broken \
         node paths. Call it after scenes changed in any other way than by `edit`. `fix` repairs findings marked `[safe fix]`; \
         `explain` describes a rule.";
    const EFFECT: Effect = Effect::Reads;

    fn call(call: &mut Call<'_>, arguments: Arguments) -> Result<Report, ToolError> {
        let config = call.workspace.config();
        let rules = rules(&config, &arguments.rules)?;
        let mut report =
            if arguments.paths.is_empty() { all(call)? } else { some(call, &arguments.paths)? };
        if !rules.is_empty() {
            report.found.retain(|finding| rules.contains(finding.rule));
        }
        Ok(report.shown(arguments.severity.into(), arguments.limit.clamp(1, 200)))
    }
}

/// The codes of rules.
fn rules(config: &Config, given: &[String]) -> Result<BTreeSet<&'static str>, ToolError> {
    given.iter().map(|name| rule(config, name).map(|rule| rule.code)).collect()
}

/// The rule with this code or name.
pub(crate) fn rule<'c>(config: &'c Config, name: &str) -> Result<KnownRule<'c>, ToolError> {
    let found = config.known_rules().find(|rule| rule.is_called(name));
    found.ok_or_else(|| {
        let names: Vec<&str> =
            config.known_rules().flat_map(|rule| [rule.code, rule.name]).collect();
        let near = godot_tscn::nearest(name.as_bytes(), names.iter().map(|name| name.as_bytes()));
        let hint = match near {
            Some(near) => format!("did you mean `{}`?", String::from_utf8_lossy(near)),
            None => "`explain` without a rule lists all rules".to_owned(),
        };
        ToolError(format!("unknown rule `{}`; {hint}", excerpt(name)))
    })
}

/// All that was found.
#[derive(Default)]
struct AllFindings {
    files: usize,
    found: Vec<Finding>,
    unreadable: Vec<String>,
}

impl AllFindings {
    fn add(&mut self, path: &str, found: io::Result<Vec<LocatedDiagnostic>>) {
        match found {
            Ok(found) => {
                self.files += 1;
                self.found.extend(found.iter().map(|found| Finding::new(path, found)));
            }
            Err(error) => self.unreadable.push(format!("{path}: {error}")),
        }
    }

    fn shown(mut self, least: Severity, limit: usize) -> Report {
        let count = |level| self.found.iter().filter(|finding| finding.severity == level).count();
        let (errors, warnings, infos) =
            (count(Level::Error), count(Level::Warning), count(Level::Info));
        self.found.retain(|finding| Severity::from(finding.severity) >= least);
        self.found.sort_by(|one, other| {
            let key = |finding: &Finding| std::cmp::Reverse(Severity::from(finding.severity));
            (key(one), &one.file, one.line).cmp(&(key(other), &other.file, other.line))
        });
        self.found = with_each_cause_once(self.found);
        self.unreadable.sort();
        Report {
            files: self.files,
            errors,
            warnings,
            infos,
            findings: Shown::new(self.found, limit, Finding::len),
            unreadable: Shown::of_texts(self.unreadable, limit),
        }
    }
}

/// The findings, with only the first one of each rule and cause.
fn with_each_cause_once(found: Vec<Finding>) -> Vec<Finding> {
    let mut all: Vec<Finding> = Vec::with_capacity(found.len());
    let mut by_cause: HashMap<(&'static str, String), usize> = HashMap::new();
    for finding in found {
        let Some(cause) = finding.cause.clone() else {
            all.push(finding);
            continue;
        };
        match by_cause.entry((finding.rule, cause)) {
            Entry::Occupied(first) => all[*first.get()].more_of_cause += 1,
            Entry::Vacant(place) => {
                place.insert(all.len());
                all.push(finding);
            }
        }
    }
    all
}

fn all(call: &Call<'_>) -> Result<AllFindings, ToolError> {
    /// Collects what is found, unless the call is cancelled.
    struct Collector<'c> {
        paths: Mutex<Vec<String>>,
        found: Mutex<AllFindings>,
        cancelled: &'c AtomicBool,
    }
    impl Observer for Collector<'_> {
        fn begin(&self, paths: &[&str]) {
            let paths = paths.iter().map(|path| (*path).to_owned()).collect();
            *self.paths.lock().unwrap_or_else(PoisonError::into_inner) = paths;
        }

        fn done(&self, index: usize, found: io::Result<Vec<LocatedDiagnostic>>) {
            let paths = self.paths.lock().unwrap_or_else(PoisonError::into_inner);
            let mut all = self.found.lock().unwrap_or_else(PoisonError::into_inner);
            all.add(&paths[index], found);
        }

        fn is_cancelled(&self) -> bool {
            self.cancelled.load(Ordering::Relaxed)
        }
    }
    let collector =
        Collector { paths: Mutex::default(), found: Mutex::default(), cancelled: call.cancelled };
    call.workspace.check_all(Scope::All, &collector);
    if call.is_cancelled() {
        return Err(ToolError("cancelled".to_owned()));
    }
    Ok(collector.found.into_inner().unwrap_or_else(PoisonError::into_inner))
}

fn some(call: &Call<'_>, given: &[String]) -> Result<AllFindings, ToolError> {
    let project = call.project()?;
    let files = paths::checkable(call.workspace, project, given)?;
    let mut found = AllFindings::default();
    let checked = files.iter().map(|file| project.path(*file));
    if let Some((text, summaries)) = call.workspace.summaries(checked) {
        let summaries = LocatedDiagnostic::all_of_config(&text, summaries);
        found
            .found
            .extend(summaries.iter().map(|found| Finding::new("res://project.godot", found)));
    }
    for file in files {
        if call.is_cancelled() {
            return Err(ToolError("cancelled".to_owned()));
        }
        let path = project.path(file);
        found.add(path, project.read(file).map(|text| call.workspace.check(path, &text)));
    }
    Ok(found)
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { files, errors, warnings, infos, findings, unreadable } = self;
        write!(f, "{files} files checked: {errors} errors, {warnings} warnings, {infos} infos")?;
        for finding in &findings.items {
            write!(f, "\n{finding}")?;
        }
        if findings.more > 0 {
            write!(
                f,
                "\n… {} more; narrow by `paths`, `rules` or `severity`, or raise `limit`",
                findings.more
            )?;
        }
        for file in &unreadable.items {
            write!(f, "\ncannot read {file}")?;
        }
        Ok(())
    }
}
