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
    /// The rule's code or name: `REF007`, `unused-ext-resource`. Without it, all rules are listed.
    rule: Option<String>,
}

/// Rules, and what they are about.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Report {
    /// The rules: code, name and severity.
    rules: Vec<String>,
    /// The documentation of the rule, in Markdown: its findings, the reason, and the repair.
    #[serde(skip_serializing_if = "Option::is_none")]
    explanation: Option<String>,
}

impl Tool for Explain {
    type Arguments = Arguments;
    type Report = Report;

    const NAME: &'static str = "explain";
    const TITLE: &'static str = "Explain a rule";
    const DESCRIPTION: &'static str = "Explains a rule that `check` or `edit` reported: its meaning, Godot's behavior, and the repair.";
    const EFFECT: Effect = Effect::Reads;

    fn call(call: &mut Call<'_>, arguments: Arguments) -> Result<Report, ToolError> {
        let config = call.workspace.config();
        let Some(name) = arguments.rule else {
            let rules = config.known_rules().map(|rule| line(&rule)).collect();
            return Ok(Report { rules, explanation: None });
        };
        let rule = check::rule(&config, &name)?;
        let explanation = rule.markdown().trim_end().to_owned();
        Ok(Report { rules: vec![line(&rule)], explanation: Some(explanation) })
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
