//! The findings of the rules, for a model.

use std::fmt;

use godot_tscn::{Applicability, LocatedDiagnostic, Severity};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How bad a finding is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Level {
    /// Worth knowing.
    Info,
    /// Works, but not as intended.
    #[default]
    Warning,
    /// Godot cannot load the file, crashes, or loses data.
    Error,
}

/// A finding.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub(crate) struct Finding {
    /// The file: `res://…`.
    pub(crate) file: String,
    /// The line, counted from 1.
    pub(crate) line: u32,
    /// The column in characters, counted from 1.
    pub(crate) column: u32,
    /// The severity.
    pub(crate) severity: Level,
    /// The rule's code, for `explain`.
    pub(crate) rule: &'static str,
    /// The problem, and what to do about it.
    pub(crate) message: String,
    /// The affected node.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) node: Option<String>,
    /// The consequence in Godot.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) consequence: Option<String>,
    /// The cause, if other findings may have the same one: a missing folder.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) cause: Option<String>,
    /// The number of other findings of this rule with the same cause. They are not listed.
    #[serde(skip_serializing_if = "is_zero")]
    pub(crate) more_of_cause: usize,
    /// Whether the tool `fix` repairs it: `safe`, or `unsafe` if the data that Godot loads may change.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) fix: Option<&'static str>,
}

fn is_zero(count: &usize) -> bool {
    *count == 0
}

impl From<Level> for Severity {
    fn from(level: Level) -> Self {
        match level {
            Level::Info => Self::Info,
            Level::Warning => Self::Warning,
            Level::Error => Self::Error,
        }
    }
}

impl From<Severity> for Level {
    fn from(severity: Severity) -> Self {
        match severity {
            Severity::Info => Self::Info,
            Severity::Warning => Self::Warning,
            Severity::Error => Self::Error,
        }
    }
}

impl Finding {
    pub(crate) fn new(file: &str, found: &LocatedDiagnostic) -> Self {
        let diagnostic = &found.diagnostic;
        let fix = diagnostic.fix.as_ref().and_then(|fix| match fix.applicability {
            Applicability::Safe => Some("safe"),
            Applicability::Unsafe => Some("unsafe"),
            Applicability::DisplayOnly => None,
        });
        Self {
            file: file.to_owned(),
            line: found.position.line,
            column: found.position.column,
            severity: diagnostic.severity.into(),
            rule: diagnostic.code,
            message: diagnostic.message.clone(),
            node: found.node_path.clone(),
            consequence: diagnostic.consequence.as_deref().map(str::to_owned),
            cause: diagnostic.cause.as_deref().map(str::to_owned),
            more_of_cause: 0,
            fix,
        }
    }

    /// About how many characters it takes.
    pub(crate) fn len(&self) -> usize {
        let optional = |text: &Option<String>| text.as_ref().map_or(0, String::len);
        let texts = self.file.len() + self.message.len();
        texts + optional(&self.node) + optional(&self.consequence) + optional(&self.cause) + 40
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { file, line, column, rule, message, .. } = self;
        let severity = Severity::from(self.severity).as_str();
        write!(f, "{file}:{line}:{column}: {severity} {rule}: {message}")?;
        if let Some(node) = &self.node {
            write!(f, " [node {node}]")?;
        }
        if let Some(consequence) = &self.consequence {
            write!(f, " ({consequence})")?;
        }
        match (&self.cause, self.more_of_cause) {
            (Some(cause), 0) => write!(f, " because {cause}")?,
            (Some(cause), more) => write!(f, " because {cause}, and {more} more because of it")?,
            (None, _) => {}
        }
        match self.fix {
            Some(fix) => write!(f, " [{fix} fix]"),
            None => Ok(()),
        }
    }
}
