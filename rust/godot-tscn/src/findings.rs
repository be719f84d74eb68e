//! From the findings of rules in one text to the report.

use crate::config_file::ConfigFile;
use crate::consequences::{leave_out_consequences, leave_out_said_twice};
use crate::context::Context;
use crate::diagnostic::Diagnostic;
use crate::document::Document;
use crate::ignore::apply_suppressions;
use crate::newer;
use crate::options::LintOptions;
use crate::rule_info::RuleInfo;
use crate::rules::{RULES, Reporter};
use crate::withhold::withhold_fixes;

/// The findings of rules in one text, on the way to a report. The rules for single files and those of a project add to
/// it; then each stage sees all of it, once: [`Findings::unsuppressed`], [`Findings::reported`].
///
/// ```
/// use godot_tscn::{Findings, LintOptions};
///
/// let text = b"[gd_scene format=3]\n\n[node name=\"A\" type=\"Node\"]\nx = ExtResource(\"1\") ; gdscene: ignore[REF001]\n";
/// let document = godot_tscn::parse(text);
/// let options = LintOptions::default();
/// let findings = || Findings::new(&document, &options).with_rules_for_files(|_| true);
/// assert!(findings().unsuppressed().iter().any(|found| found.code == "REF001"));
/// assert!(findings().reported(&[]).iter().all(|found| found.code != "REF001"));
/// ```
pub struct Findings<'d> {
    document: &'d Document<'d>,
    options: &'d LintOptions<'d>,
    is_settings_file: bool,
    found: Vec<Diagnostic>,
}

impl<'d> Findings<'d> {
    /// For a scene or resource.
    pub fn new(document: &'d Document<'d>, options: &'d LintOptions<'d>) -> Self {
        Self { document, options, is_settings_file: false, found: Vec::new() }
    }

    /// For a settings file.
    pub fn of_settings(file: &'d ConfigFile<'d>, options: &'d LintOptions<'d>) -> Self {
        Self { is_settings_file: true, ..Self::new(file.document(), options) }
    }

    /// Runs those of [`RULES`] that are for such a file and for which `runs` is true.
    #[must_use]
    pub fn with_rules_for_files(self, runs: impl Fn(&RuleInfo) -> bool) -> Self {
        let context = Context::new(self.document, self.options, self.is_settings_file);
        self.with_rules_in(&context, runs)
    }

    /// [`Findings::with_rules_for_files`], with a context that the caller needs too.
    pub(crate) fn with_rules_in(
        mut self,
        context: &Context<'_>,
        runs: impl Fn(&RuleInfo) -> bool,
    ) -> Self {
        for rule in RULES.iter().filter(|rule| runs(&rule.info)) {
            if rule.is_for_settings_files || !self.is_settings_file {
                self.run(&rule.info, |reporter| (rule.check)(context, reporter));
            }
        }
        self
    }

    /// Runs one rule, unless it is off.
    pub fn run(&mut self, rule: &RuleInfo, check: impl FnOnce(&mut Reporter<'_>)) {
        self.options
            .state_of(rule)
            .run(&mut self.found, |found| check(&mut Reporter::new(rule, found)));
    }

    /// What was found so far, in the order of the rules.
    pub fn found(&self) -> &[Diagnostic] {
        &self.found
    }

    /// By place, without findings that others explain, and without fixes that must wait. Includes findings that the text
    /// suppresses.
    pub fn unsuppressed(mut self) -> Vec<Diagnostic> {
        newer::soften(self.document.text(), self.options, &mut self.found);
        leave_out_consequences(self.document, &mut self.found);
        leave_out_said_twice(&mut self.found);
        if !self.is_settings_file {
            withhold_fixes(self.document, self.options, &mut self.found);
        }
        self.found.sort_by_key(|found| (found.span, found.code));
        self.found
    }

    /// [`Findings::unsuppressed`], without findings that the text suppresses, and with each suppression that has no use
    /// ([`UNUSED_SUPPRESSION`]). `rules` are all that may have added to this; others may still find the ignored thing.
    /// If they are all that exist, UNUSED_SUPPRESSION included, codes that no rule has are reported too. Untrusted
    /// files ([`Profile::Untrusted`]) cannot suppress anything.
    ///
    /// [`UNUSED_SUPPRESSION`]: crate::UNUSED_SUPPRESSION
    /// [`Profile::Untrusted`]: crate::Profile::Untrusted
    pub fn reported(self, rules: &[&RuleInfo]) -> Vec<Diagnostic> {
        let (document, options) = (self.document, self.options);
        let mut found = self.unsuppressed();
        apply_suppressions(document, options, rules, &mut found);
        found
    }
}
