//! How many diagnostics there are of each rule, instead of the diagnostics.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::{Mutex, PoisonError};

use godot_tscn::{Applicability, Severity};
use serde::Serialize;

use crate::output::{FileDiagnostics, Renderer, Run, to_json_pretty};

/// A table, or a list of [`JsonRuleCount`]s.
#[derive(Debug, Default)]
pub(crate) struct Statistics {
    is_json: bool,
    rules: Mutex<BTreeMap<RuleKey, RuleCount>>,
}

/// A rule can have several severities: those of untrusted files are others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct RuleKey {
    code: &'static str,
    name: &'static str,
    severity: Severity,
}

#[derive(Clone, Copy, Debug, Default)]
struct RuleCount {
    all: usize,
    fixable: usize,
    unsafe_fixable: usize,
}

/// A rule in the format `json`. The most frequent rule comes first; keys are in alphabetical order.
#[derive(Debug, Serialize)]
struct JsonRuleCount {
    code: &'static str,
    count: usize,
    /// How many of them `gdscene fix` can fix.
    fixable: usize,
    name: &'static str,
    severity: &'static str,
    /// How many more of them `gdscene fix --unsafe` can fix.
    unsafe_fixable: usize,
}

impl Statistics {
    pub(crate) fn table() -> Self {
        Self::default()
    }

    pub(crate) fn json() -> Self {
        Self { is_json: true, ..Self::default() }
    }
}

impl Renderer for Statistics {
    fn file(&self, _: &mut String, file: &FileDiagnostics<'_>) {
        if file.diagnostics.is_empty() {
            return;
        }
        let mut rules = self.rules.lock().unwrap_or_else(PoisonError::into_inner);
        for found in file.diagnostics {
            let key = RuleKey { code: found.code, name: found.name, severity: found.severity };
            let count = rules.entry(key).or_default();
            count.all += 1;
            match found.fix.as_ref().map(|fix| fix.applicability) {
                Some(Applicability::Safe) => count.fixable += 1,
                Some(Applicability::Unsafe) => count.unsafe_fixable += 1,
                Some(Applicability::DisplayOnly) | None => {}
            }
        }
    }

    fn end(&self, out: &mut String, run: &Run<'_>) {
        let rules = self.rules.lock().unwrap_or_else(PoisonError::into_inner);
        let mut rules: Vec<_> = rules.iter().map(|(rule, count)| (*rule, *count)).collect();
        rules.sort_by_key(|(_, count)| std::cmp::Reverse(count.all));
        if self.is_json {
            let rules: Vec<_> = rules.into_iter().map(json_rule).collect();
            let _ = writeln!(out, "{}", to_json_pretty(&rules));
            return;
        }
        if !rules.is_empty() {
            write_table(out, &rules);
        }
        let _ = writeln!(out, "{}", run.summary);
    }
}

fn write_table(out: &mut String, rules: &[(RuleKey, RuleCount)]) {
    let width = rules.iter().map(|(rule, _)| rule.name.len()).max().unwrap_or(0);
    let _ = writeln!(
        out,
        "{:>7}  {:7}  {:width$}  {:8}  {:>7}  {:>8}",
        "count", "code", "name", "severity", "fixable", "--unsafe"
    );
    let cell = |count: usize| if count == 0 { "-".to_owned() } else { count.to_string() };
    for (RuleKey { code, name, severity }, count) in rules {
        let _ = writeln!(
            out,
            "{:>7}  {code:7}  {name:width$}  {:8}  {:>7}  {:>8}",
            count.all,
            severity.as_str(),
            cell(count.fixable),
            cell(count.unsafe_fixable),
        );
    }
    out.push('\n');
}

fn json_rule((rule, count): (RuleKey, RuleCount)) -> JsonRuleCount {
    JsonRuleCount {
        code: rule.code,
        count: count.all,
        fixable: count.fixable,
        name: rule.name,
        severity: rule.severity.as_str(),
        unsafe_fixable: count.unsafe_fixable,
    }
}
