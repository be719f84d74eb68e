//! The whole way from a text to its diagnostics.

use std::sync::LazyLock;

use crate::config_file::{is_config_path, parse_config};
use crate::context::Context;
use crate::diagnostic::RuleGroup;
use crate::diagnostic::{Diagnostic, Severity};
use crate::document::Document;
use crate::findings::Findings;
use crate::harmless::{self, Weight};
use crate::options::LintOptions;
use crate::rule_info::RuleInfo;
use crate::rules::{RULES, not_known_harmless};
use crate::syntax;

/// The result of [`lint`].
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct LintReport {
    /// The diagnostics, by place.
    pub diagnostics: Vec<Diagnostic>,
}

/// Checks a text with all rules, and leaves out the findings that the text suppresses ([`Findings::reported`]). A settings
/// file, which it is by its path ([`is_config_path`]), is checked by [`lint_config`].
///
/// [`is_config_path`]: crate::is_config_path
///
/// ```
/// use godot_tscn::{LineIndex, LintOptions};
///
/// let text = b"[gd_scene format=3]\n\n[node name=\"A\" type=\"Node\"]\nscript = ExtResource(\"1\")\n";
/// let report = godot_tscn::lint(text, &LintOptions::for_path("res://a.tscn"));
/// let diagnostic = &report.diagnostics[0];
/// assert_eq!(diagnostic.code, "REF001");
/// let position = LineIndex::new(text).position(diagnostic.span.start);
/// assert_eq!((position.line, position.column), (4, 22));
/// ```
pub fn lint(text: &[u8], options: &LintOptions<'_>) -> LintReport {
    if options.path.is_some_and(is_config_path) {
        return lint_config(text, options);
    }
    lint_parsed(&syntax::parse(text), options)
}

/// [`lint`], of a scene or resource that was parsed before.
pub fn lint_parsed(document: &Document<'_>, options: &LintOptions<'_>) -> LintReport {
    let findings = Findings::new(document, options).with_rules_for_files(|_| true);
    LintReport { diagnostics: findings.reported(&RULES_FOR_FILES) }
}

/// The facts about each of [`RULES`].
static RULES_FOR_FILES: LazyLock<Vec<&RuleInfo>> =
    LazyLock::new(|| RULES.iter().map(|rule| &rule.info).collect());

/// Checks a settings file with the rules for such: those of the group SYN, `duplicate-property` and
/// `duplicate-section`.
///
/// ```
/// let text = b"config_version=5\n\n[application]\n\nconfig/name=\"Game\"\nrun/main_scene=\"res://a.tscn\n";
/// let report = godot_tscn::lint_config(text, &godot_tscn::LintOptions::default());
/// assert_eq!(report.diagnostics[0].name, "unterminated");
/// ```
pub fn lint_config(text: &[u8], options: &LintOptions<'_>) -> LintReport {
    let file = parse_config(text);
    let findings = Findings::of_settings(&file, options).with_rules_for_files(|_| true);
    LintReport { diagnostics: findings.reported(&RULES_FOR_FILES) }
}

/// Checks a parsed text with the rules for which `runs` is true. Findings that the text suppresses are
/// reported too.
pub fn lint_unsuppressed(
    document: &Document<'_>,
    options: &LintOptions<'_>,
    runs: impl Fn(&RuleInfo) -> bool,
) -> LintReport {
    let findings = Findings::new(document, options).with_rules_for_files(runs);
    LintReport { diagnostics: findings.unsuppressed() }
}

/// Checks an untrusted parsed text with the rules that speak against loading it, and weighs it. No other rule is
/// looked at, however long it would take.
pub(crate) fn lint_for_safety(
    document: &Document<'_>,
    options: &LintOptions<'_>,
) -> (LintReport, Weight) {
    let not_known_harmless = &not_known_harmless::RULE.info;
    if let Some(refusal) = harmless::too_long(document.text(), options.budget) {
        // Nothing else is looked at, so that the judgement itself takes no longer than the budget allows.
        let mut findings = Findings::new(document, options);
        findings.run(not_known_harmless, |reporter| {
            not_known_harmless::report(vec![refusal], reporter);
        });
        return (LintReport { diagnostics: findings.unsuppressed() }, Weight::default());
    }
    let context = Context::new(document, options, false);
    let mut findings = Findings::new(document, options).with_rules_in(&context, |rule| {
        use RuleGroup::{Reference, Security, Structure, Syntax};
        matches!(rule.group, Security | Syntax | Structure | Reference)
            && rule.code != not_known_harmless.code
    });
    let judgement = harmless::judge(&context);
    findings.run(not_known_harmless, |reporter| {
        not_known_harmless::report(judgement.refusals, reporter);
    });
    (LintReport { diagnostics: findings.unsuppressed() }, judgement.weight)
}

impl LintReport {
    /// How many diagnostics have this severity.
    pub fn count(&self, severity: Severity) -> usize {
        self.diagnostics.iter().filter(|diagnostic| diagnostic.severity == severity).count()
    }
}

#[cfg(test)]
mod tests {
    use super::lint;
    use crate::options::LintOptions;

    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        for path in ["res://project.godot", "a/b.png.import", "plugin.cfg", "c.gdextension"] {
            let found = lint(text.as_bytes(), &LintOptions::for_path(path)).diagnostics;
            let found: Vec<_> = found
                .iter()
                .map(|found| format!("{} {}", found.code, found.severity.as_str()))
                .collect();
            assert_eq!(found, expected, "{path}: {text}");
        }
    }

    #[test]
    fn settings() {
        check("", &[]);
        check("a=1\n\n[b]\n\nc/d.e=\"f\"\n; g\n\"h i\"=Vector2i(1, 2)\n", &[]);
        for (text, found) in [
            ("\u{feff}[a]\n", "SYN009 error"),
            ("[a]\n<<<<<<< b\nc=1\n=======\nc=2\n>>>>>>> d\n", "SYN006 error"),
            ("[a\nb=1\n", "SYN007 error"),
            ("[a]\nb=\"c\n", "SYN007 error"),
            ("[a]\nb=\n[c]\n", "SYN001 error"),
            ("[a]\nb=True\n", "SYN013 error"),
            ("b\nc=1\n", "SYN002 error"),
            ("# b\nc=1\n", "SYN003 error"),
            ("[a]\nb=0x10\nc=1\n", "SYN004 error"),
            ("a b=1\n", "SYN005 error"),
            ("a=Vector2(1)\n", "SYN011 error"),
            ("a={\"b\": 1, \"b\": 2}\n", "SYN016 warning"),
            ("a=1\na=2\n", "STR008 error"),
            ("a=1\na=1\n", "STR008 warning"),
            ("[a]\n[b]\n[a]\n", "STR018 warning"),
        ] {
            check(text, &[found]);
        }
    }
}
