//! The name of a rule, its subject, and the place of its findings.

use crate::diagnostic::{Diagnostic, RuleGroup, Severity};
use crate::span::Span;

/// The description of a rule.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct RuleInfo {
    /// A short code that never changes: `REF007`. The letters are the group.
    pub code: &'static str,
    /// The reported pattern, in kebab case: `unused-ext-resource`.
    pub name: &'static str,
    /// The kind of defect.
    pub group: RuleGroup,
    /// How bad a diagnostic is, where the rule does not decide case by case.
    pub severity: Severity,
    /// Whether the rule is looked at only if [`LintOptions::all_rules`] is set.
    ///
    /// [`LintOptions::all_rules`]: crate::LintOptions::all_rules
    pub is_off_by_default: bool,
    /// Whether settings files are checked with it too ([`lint_config`](crate::lint_config)).
    pub is_for_settings_files: bool,
    /// Whether its fixes may change other files than the one that is checked.
    pub fixes_other_files: bool,
    /// The documentation, in Markdown, as the doc comment has it; [`RuleInfo::markdown`] is for readers.
    pub docs: &'static str,
}

impl RuleInfo {
    /// The documentation, without the space that each line of a doc comment starts with.
    pub fn markdown(&self) -> String {
        let mut text = String::with_capacity(self.docs.len());
        for line in self.docs.lines() {
            text.push_str(line.strip_prefix(' ').unwrap_or(line));
            text.push('\n');
        }
        text
    }
}

/// The place of a rule's findings.
#[derive(Debug)]
pub struct Reporter<'f> {
    rule: &'f RuleInfo,
    diagnostics: &'f mut Vec<Diagnostic>,
}

impl RuleInfo {
    /// A rule that is on by default, for scenes and resources, with fixes that stay in their file.
    ///
    /// # Panics
    /// If the letters of the code are not those of a group. For a static, that is an error of the compiler.
    pub const fn new(
        code: &'static str,
        name: &'static str,
        severity: Severity,
        docs: &'static str,
    ) -> Self {
        let Some(group) = RuleGroup::of(code) else { panic!("no group has such codes") };
        Self::in_group(group, code, name, severity, docs)
    }

    /// A rule that a project defines itself, in [`RuleGroup::Own`]. Its documentation is elsewhere.
    pub const fn own(code: &'static str, name: &'static str, severity: Severity) -> Self {
        Self::in_group(RuleGroup::Own, code, name, severity, "")
    }

    const fn in_group(
        group: RuleGroup,
        code: &'static str,
        name: &'static str,
        severity: Severity,
        docs: &'static str,
    ) -> Self {
        Self {
            code,
            name,
            group,
            severity,
            is_off_by_default: false,
            is_for_settings_files: false,
            fixes_other_files: false,
            docs,
        }
    }

    /// The same, but looked at only if it is asked for.
    #[must_use]
    pub const fn off_by_default(self) -> Self {
        Self { is_off_by_default: true, ..self }
    }

    /// The same, but for settings files too.
    #[must_use]
    pub const fn for_settings_files(self) -> Self {
        Self { is_for_settings_files: true, ..self }
    }

    /// The same, but with fixes that may change other files.
    #[must_use]
    pub const fn fixes_other_files(self) -> Self {
        Self { fixes_other_files: true, ..self }
    }

    /// How exactly `pattern` names the rule: 0 not at all, 1 with all others (`ALL`, `DEFAULT`), 2 with its group, 3 alone.
    ///
    /// ```
    /// let rule = godot_tscn::RuleInfo::of("REF007");
    /// let ranks = ["REF007", "unused-ext-resource", "REF", "DEFAULT", "TREE"].map(|pattern| rule.rank(pattern));
    /// assert_eq!(ranks, [3, 3, 2, 1, 0]);
    /// ```
    pub fn rank(&self, pattern: &str) -> u8 {
        if self.is_called(pattern) {
            3
        } else if self.letters().eq_ignore_ascii_case(pattern) {
            2
        } else {
            let is_on = !self.is_off_by_default;
            u8::from(pattern == "ALL" || pattern == "DEFAULT" && is_on)
        }
    }

    /// The letters that its code begins with: `REF`.
    pub fn letters(&self) -> &'static str {
        self.code.trim_end_matches(|character: char| character.is_ascii_digit())
    }

    /// Whether this is the rule's code or name, in any case.
    pub fn is_called(&self, code_or_name: &str) -> bool {
        self.code.eq_ignore_ascii_case(code_or_name) || self.name.eq_ignore_ascii_case(code_or_name)
    }
}

impl<'f> Reporter<'f> {
    /// Diagnostics of `rule`, which go to the end of `diagnostics`.
    pub fn new(rule: &'f RuleInfo, diagnostics: &'f mut Vec<Diagnostic>) -> Self {
        Self { rule, diagnostics }
    }

    /// Reports something at `span`. The message names the problem, the reason, and the remedy: lower case, no
    /// final dot, code in backticks.
    pub fn report(&mut self, span: Span, message: impl Into<String>) -> &mut Diagnostic {
        let index = self.diagnostics.len();
        self.diagnostics.push(Diagnostic {
            code: self.rule.code,
            name: self.rule.name,
            group: self.rule.group,
            severity: self.rule.severity,
            message: message.into(),
            span,
            labels: Vec::new(),
            consequence: None,
            cause: None,
            help: None,
            fix: None,
        });
        &mut self.diagnostics[index]
    }
}

/// The [`RuleInfo`] of a doc comment, a code, a name, a [`Severity`], and the rest of the description: methods of
/// [`RuleInfo`] by name.
///
/// ```
/// use godot_tscn::RuleInfo;
/// static INFO: RuleInfo = godot_tscn::rule_info! {
///     /// ## What it does
///     /// Reports nothing.
///     "STY000", "nothing", Info, off_by_default
/// };
/// assert!(INFO.is_off_by_default);
/// ```
#[macro_export]
macro_rules! rule_info {
    ($(#[doc = $doc:literal])* $code:literal, $name:literal, $severity:ident $(, $what:ident)*) => {
        $crate::RuleInfo::new($code, $name, $crate::Severity::$severity, concat!($($doc, "\n",)*))
            $(.$what())*
    };
}
