//! `gdscene rules`

mod docs;

use std::io::{self, Write};

use serde_json::{Value, json};
use tscn::RuleInfo;

use crate::args::RulesArgs;
use crate::commands::{Status, written};
use crate::rule_text::has_fix;

pub(crate) fn run(args: &RulesArgs) -> Status {
    if let Some(folder) = &args.docs {
        return docs::run(folder);
    }
    let mut out = io::stdout().lock();
    let result = if args.json { objects(&mut out) } else { table(&mut out) };
    written(result, Status::Clean)
}

fn table(out: &mut impl Write) -> io::Result<()> {
    let rules = rules();
    let width = rules.iter().map(|rule| rule.name.len()).max().unwrap_or(0);
    writeln!(out, "{:8} {:width$}  {:8}  {:7}  fix", "code", "name", "severity", "default")?;
    for rule in rules {
        let default = if rule.is_off_by_default { "off" } else { "on" };
        let fix = if has_fix(rule) { "yes" } else { "-" };
        let severity = rule.severity.as_str();
        writeln!(out, "{:8} {:width$}  {severity:8}  {default:7}  {fix}", rule.code, rule.name)?;
    }
    Ok(())
}

fn objects(out: &mut impl Write) -> io::Result<()> {
    let object = |rule: &RuleInfo| {
        json!({
            "code": rule.code,
            "name": rule.name,
            "severity": rule.severity.as_str(),
            "is_on_by_default": !rule.is_off_by_default,
            "has_fix": has_fix(rule),
        })
    };
    let rules: Value = rules().into_iter().map(object).collect();
    writeln!(out, "{rules:#}")
}

/// All rules, by code.
pub(crate) fn rules() -> Vec<&'static RuleInfo> {
    let mut rules: Vec<_> = project::all_rules().collect();
    rules.sort_by_key(|rule| rule.code);
    rules
}
