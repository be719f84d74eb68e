//! `gdscene rules`

mod docs;

use std::io::{self, Write};
use std::path::PathBuf;

use clap::ValueEnum;
use gdscene_lint::{Config, KnownRule, Overrides};
use serde::Serialize;

use crate::commands::{Status, written};
use crate::output::to_json_pretty;
use crate::rule_text::has_fix;
use crate::terminal::complain;

/// List the rules.
///
/// Each rule is listed with its code, name, severity, whether it is on by default, and whether some of its diagnostics
/// have a fix. In the folder of a project, this includes the rules that its gdscene.toml defines. `gdscene explain CODE`
/// describes one rule.
#[derive(Debug, clap::Args)]
pub(crate) struct RulesArgs {
    /// How to print the rules
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) output: RulesFormat,

    /// Write the documentation into this folder: a Markdown file for each rule, and an index.
    #[arg(long, value_name = "DIR", conflicts_with = "output")]
    pub(crate) docs: Option<PathBuf>,
}

/// How the rules are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum RulesFormat {
    /// A table
    Text,
    /// One list of objects, for programs
    Json,
}

/// A rule in the list that `gdscene rules --output json` prints. The keys are in alphabetical order.
#[derive(Debug, Serialize)]
struct JsonRule {
    /// Such as `REF007`. The list is in the order of the codes.
    code: &'static str,
    /// Whether some diagnostics of the rule come with a fix.
    has_fix: bool,
    is_on_by_default: bool,
    /// Such as `unused-ext-resource`.
    name: &'static str,
    /// `error`, `warning` or `info`.
    severity: &'static str,
}

pub(crate) fn run(args: &RulesArgs) -> Status {
    if let Some(folder) = &args.docs {
        return docs::run(folder);
    }
    let mut out = io::stdout().lock();
    let result = match args.output {
        RulesFormat::Text => table(&mut out),
        RulesFormat::Json => objects(&mut out),
    };
    written(result, Status::Clean)
}

fn table(out: &mut impl Write) -> io::Result<()> {
    let config = config_here();
    let rules = rules(&config);
    let width = rules.iter().map(|rule| rule.name.len()).max().unwrap_or(0);
    let codes = rules.iter().map(|rule| rule.code.len()).max().unwrap_or(0).max(8);
    writeln!(out, "{:codes$} {:width$}  {:8}  {:7}  fix", "code", "name", "severity", "default")?;
    for rule in rules {
        let default = if rule.is_off_by_default { "off" } else { "on" };
        let fix = if has_fix(&rule) { "yes" } else { "-" };
        let severity = rule.severity.as_str();
        writeln!(
            out,
            "{:codes$} {:width$}  {severity:8}  {default:7}  {fix}",
            rule.code, rule.name
        )?;
    }
    Ok(())
}

fn objects(out: &mut impl Write) -> io::Result<()> {
    let object = |rule: KnownRule<'_>| JsonRule {
        code: rule.code,
        has_fix: has_fix(&rule),
        is_on_by_default: !rule.is_off_by_default,
        name: rule.name,
        severity: rule.severity.as_str(),
    };
    let config = config_here();
    let rules: Vec<JsonRule> = rules(&config).into_iter().map(object).collect();
    writeln!(out, "{}", to_json_pretty(&rules))
}

/// All rules, by code.
fn rules(config: &Config) -> Vec<KnownRule<'_>> {
    let mut rules: Vec<_> = config.known_rules().collect();
    rules.sort_by_key(|rule| rule.code);
    rules
}

/// The configuration of the project that this process runs in, for the rules that it defines. An invalid one is reported.
pub(crate) fn config_here() -> Config {
    let here = std::env::current_dir().unwrap_or_default();
    let Some(root) = godot_project::find_root(&here) else { return Config::default() };
    Config::of_project(&root, &Overrides::default()).unwrap_or_else(|error| {
        complain(error);
        Config::default()
    })
}
