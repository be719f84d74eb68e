//! `explain`

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::tool::{Call, Effect, Tool, ToolError};
use crate::tools::check;

pub(crate) struct Explain;

/// Which rule is explained.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    /// The rule's code or name: `REF007`, `unused-ext-resource`. Without it all rules are listed.
    rule: Option<String>,
}

/// Rules, and what they are about.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Report {
    /// The rules: code, name and severity.
    rules: Vec<String>,
    /// What the rule reports, why, and what to do about it, in Markdown.
    #[serde(skip_serializing_if = "Option::is_none")]
    explanation: Option<String>,
}

impl Tool for Explain {
    type Arguments = Arguments;
    type Report = Report;

    const NAME: &'static str = "explain";
    const TITLE: &'static str = "Explain a rule";
    const DESCRIPTION: &'static str = "Explains a rule that `check` or `edit` has reported: what it means, what Godot does then, and how to mend it.";
    const EFFECT: Effect = Effect::Reads;

    fn call(_: &mut Call<'_>, arguments: Arguments) -> Result<Report, ToolError> {
        let Some(name) = arguments.rule else {
            let rules = gdscene_lint::all_rules().map(line).collect();
            return Ok(Report { rules, explanation: None });
        };
        let rule = check::rule(&name)?;
        let explanation = rule.markdown().trim_end().to_owned();
        Ok(Report { rules: vec![line(rule)], explanation: Some(explanation) })
    }
}

fn line(rule: &godot_tscn::RuleInfo) -> String {
    format!("{} {} ({})", rule.code, rule.name, rule.severity.as_str())
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.rules.join("\n"))?;
        match &self.explanation {
            Some(explanation) => write!(f, "\n\n{explanation}"),
            None => Ok(()),
        }
    }
}
