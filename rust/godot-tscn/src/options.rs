//! How a text is checked.

use crate::allow_list::AllowList;
use crate::budget::Budget;
use crate::diagnostic::RuleGroup;
use crate::diagnostic::Severity;
use crate::godot_version::GodotVersion;
use crate::rule_choice::{NamePattern, RuleChoice, RuleState};
use crate::rule_info::RuleInfo;

/// The options of [`lint`](crate::lint()).
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct LintOptions<'a> {
    /// The file's path or name. Nothing is read.
    pub path: Option<&'a str>,
    /// Whether to look at the rules too that are off by default.
    pub all_rules: bool,
    /// The version of Godot that the file is for. Without it, nothing is reported about text that
    /// only some versions read or write.
    pub target: Option<GodotVersion>,
    /// Whether the classes that rules ask for are those of the running engine, and not of the tables of its versions.
    pub has_live_classes: bool,
    /// Whether an engine has loaded the file. Without that, the rules that repeat its words are off.
    pub has_verdict: bool,
    /// How far the authors of the file are trusted.
    pub profile: Profile,
    /// The names that an untrusted file may use, if not everything else is allowed.
    pub allow_list: Option<&'a AllowList>,
    /// The budget of an untrusted file, if not the usual one.
    pub budget: Option<&'a Budget>,
    /// The settings for single rules.
    pub rules: Option<&'a RuleChoice>,
    /// The form of the names of nodes, if not `PascalCase`.
    pub node_names: Option<&'a NamePattern>,
    /// The form of the names of files, without their extension, if not `snake_case`.
    pub file_names: Option<&'a NamePattern>,
}

/// How far the authors of a file are trusted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Profile {
    /// It is part of the project: it may run code.
    #[default]
    Trusted,
    /// It is untrusted, such as mods and levels of players. Every way in which loading it may
    /// run code is an error (the rules `SEC…`).
    Untrusted,
}

impl<'a> LintOptions<'a> {
    /// Options for the file at `path`.
    pub fn for_path(path: &'a str) -> Self {
        Self { path: Some(path), ..Self::default() }
    }

    /// Whether a rule is looked at. In untrusted files, the rules `SEC…` are always on, and so are those that
    /// report that Godot may read the text in another way than we do.
    pub fn state_of(&self, rule: &RuleInfo) -> RuleState {
        if rule.group == RuleGroup::Engine && !self.has_verdict {
            return RuleState::Off;
        }
        if self.profile == Profile::Untrusted && rule.group == RuleGroup::Security {
            return RuleState::As(Severity::Error);
        }
        let is_on = self.all_rules || !rule.is_off_by_default;
        let usual = if is_on { RuleState::On } else { RuleState::Off };
        if self.profile == Profile::Untrusted && is_about_reading(rule.group, rule.severity) {
            return usual;
        }
        self.rules.and_then(|choice| choice.get(rule)).unwrap_or(usual)
    }
}

/// Whether Godot may read the text in another way than we do, or not at all, according to a diagnostic.
pub(crate) fn is_about_reading(group: RuleGroup, severity: Severity) -> bool {
    match group {
        RuleGroup::Syntax => true,
        RuleGroup::Structure | RuleGroup::Reference => severity == Severity::Error,
        _ => false,
    }
}
