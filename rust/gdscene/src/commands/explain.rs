//! `gdscene explain`

use std::io::{self, Write};

use godot_tscn::RuleInfo;

use crate::commands::rules::{RulesArgs, RulesFormat};
use crate::commands::{Status, rules, written};
use crate::terminal::complain;

/// Explain what a rule reports, why, and what to do about it.
///
/// Without CODE, this lists all rules, as `gdscene rules` does.
#[derive(Debug, clap::Args)]
pub(crate) struct ExplainArgs {
    /// The code or name of a rule, such as REF007 or unused-ext-resource.
    #[arg(value_name = "CODE")]
    code: Option<String>,
}

pub(crate) fn run(args: &ExplainArgs) -> Status {
    let Some(code) = &args.code else {
        return rules::run(&RulesArgs { output: RulesFormat::Text, docs: None });
    };
    let Some(rule) = gdscene_lint::all_rules().find(|rule| rule.is_called(code)) else {
        complain(format_args!("no rule `{code}`; `gdscene rules` lists all"));
        return Status::Failure;
    };
    written(explain(&mut io::stdout().lock(), rule), Status::Clean)
}

fn explain(out: &mut impl Write, rule: &RuleInfo) -> io::Result<()> {
    writeln!(out, "# {} {} ({})\n", rule.code, rule.name, rule.severity.as_str())?;
    write!(out, "{}", rule.markdown())
}
