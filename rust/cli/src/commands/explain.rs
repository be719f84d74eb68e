//! `gdscene explain`

use std::io::{self, Write};

use tscn::{RULES, Rule};

use crate::args::ExplainArgs;
use crate::commands::{Status, written};

pub(crate) fn run(args: &ExplainArgs) -> Status {
    let mut out = io::stdout().lock();
    let Some(code) = &args.code else {
        return written(list(&mut out), Status::Clean);
    };
    let Some(rule) = Rule::find(code) else {
        eprintln!("gdscene: no rule `{code}`; `gdscene explain` lists all");
        return Status::Failure;
    };
    written(explain(&mut out, rule), Status::Clean)
}

fn list(out: &mut impl Write) -> io::Result<()> {
    for rule in RULES {
        let off = if rule.is_off_by_default { " (off by default)" } else { "" };
        writeln!(out, "{:8} {:8} {}{off}", rule.code, rule.severity.as_str(), rule.name)?;
    }
    Ok(())
}

fn explain(out: &mut impl Write, rule: &Rule) -> io::Result<()> {
    writeln!(out, "# {} {} ({})\n", rule.code, rule.name, rule.severity.as_str())?;
    for line in rule.docs.lines() {
        writeln!(out, "{}", line.strip_prefix(' ').unwrap_or(line))?;
    }
    Ok(())
}
