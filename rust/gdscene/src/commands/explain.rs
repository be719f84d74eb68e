//! `gdscene explain`

use std::io::{self, Write};

use gdscene_lint::KnownRule;

use crate::commands::rules::{RulesArgs, RulesFormat};
use crate::commands::{Status, rules, written};
use crate::terminal::complain;

/// Explain what a rule reports, why, and what to do about it.
///
/// Without CODE, this lists all rules, as `gdscene rules` does. In the folder of a project, it also knows the rules that its
/// gdscene.toml defines.
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
    let config = rules::config_here();
    let Some(rule) = config.known_rules().find(|rule| rule.is_called(code)) else {
        complain(format_args!("unknown rule `{code}`; `gdscene rules` lists all rules"));
        return Status::Failure;
    };
    written(explain(&mut io::stdout().lock(), &rule), Status::Clean)
}

fn explain(out: &mut impl Write, rule: &KnownRule<'_>) -> io::Result<()> {
    writeln!(out, "# {} {} ({})\n", rule.code, rule.name, rule.severity.as_str())?;
    write!(out, "{}", rule.markdown())
}
