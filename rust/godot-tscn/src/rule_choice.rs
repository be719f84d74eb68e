//! The rules that a project wants, and the form of names there.

use std::fmt;
use std::sync::Arc;

use hashbrown::HashMap;

use crate::diagnostic::{Diagnostic, Severity};
use crate::rule_info::RuleInfo;

/// Which rules are looked at, and how bad their diagnostics are. A rule without a setting keeps its default.
///
/// ```
/// use godot_tscn::{LintOptions, Rule, RuleChoice, RuleState};
///
/// let mut choice = RuleChoice::default();
/// choice.set(&Rule::find("REF001").unwrap().info, RuleState::Off);
/// let text = b"[gd_scene format=3]\n\n[node name=\"A\" type=\"Node\"]\nx = ExtResource(\"1\")\n";
/// let mut options = LintOptions::default();
/// options.rules = Some(&choice);
/// assert!(godot_tscn::lint(text, &options).diagnostics.is_empty());
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RuleChoice {
    states: HashMap<&'static str, RuleState>,
}

/// Whether a rule is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RuleState {
    /// It is not.
    Off,
    /// It is, and its diagnostics are as bad as it says.
    On,
    /// It is, and all its diagnostics are this bad.
    As(Severity),
}

/// A form that names should have.
#[derive(Clone)]
pub struct NamePattern {
    description: String,
    matches: Arc<dyn Fn(&str) -> bool + Send + Sync>,
}

impl RuleChoice {
    /// Says of a rule whether it is looked at.
    pub fn set(&mut self, rule: &RuleInfo, state: RuleState) {
        self.states.insert(rule.code, state);
    }

    /// The setting for the rule.
    pub fn get(&self, rule: &RuleInfo) -> Option<RuleState> {
        self.states.get(rule.code).copied()
    }
}

impl RuleState {
    /// Runs a rule's check, unless it is off, and gives its additions to `diagnostics` the
    /// severity.
    pub fn run(self, diagnostics: &mut Vec<Diagnostic>, check: impl FnOnce(&mut Vec<Diagnostic>)) {
        if self == Self::Off {
            return;
        }
        let known_count = diagnostics.len();
        check(diagnostics);
        if let Self::As(severity) = self {
            for found in &mut diagnostics[known_count..] {
                found.severity = severity;
            }
        }
    }
}

impl NamePattern {
    /// Names for which `matches` is true. `description` is the name of the form in messages:
    /// `snake_case`.
    pub fn new(
        description: impl Into<String>,
        matches: impl Fn(&str) -> bool + Send + Sync + 'static,
    ) -> Self {
        Self { description: description.into(), matches: Arc::new(matches) }
    }

    /// The name of the form.
    pub fn description(&self) -> &str {
        &self.description
    }

    /// Whether the name has the form.
    pub fn is_match(&self, name: &str) -> bool {
        (self.matches)(name)
    }
}

impl fmt::Debug for NamePattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "NamePattern({})", self.description)
    }
}
