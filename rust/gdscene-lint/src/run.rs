//! From a text of a project to its findings.

use std::borrow::Cow;
use std::sync::LazyLock;

use godot_project::res_path::is_gdscript;
use godot_project::{FileId, Project, SceneContext};
use godot_tscn::{
    ConfigFile, Diagnostic, Document, Findings, GodotVersion, LintOptions, Profile, Reporter,
    RuleInfo,
};
use hashbrown::HashSet;

use crate::own_rules::OwnRules;
use crate::rules::context::{ScriptContext, SettingsContext};
use crate::rules::{Check, PROJECT_RULES, SUMMARIZING_RULES, all_rules, is_replaced};
use crate::verdict::{self, EngineFinding};

/// The findings in a scene or resource of a project: of rules for single files, and of rules for projects.
///
/// `path` is the file's path in the project (`res://…`). The text may differ from the project's version of
/// the file, and the file may be new. The configuration does not count: that is for a [`crate::Workspace`].
pub fn lint_scene(
    project: &Project,
    path: &str,
    document: &Document<'_>,
    options: &LintOptions<'_>,
) -> Vec<Diagnostic> {
    lint_scene_with(project, path, document, options, (&OwnRules::default(), &[]))
}

/// [`lint_scene`], with the rules that the project defines itself, and the findings of an engine in the file.
pub(crate) fn lint_scene_with(
    project: &Project,
    path: &str,
    document: &Document<'_>,
    options: &LintOptions<'_>,
    (own, engine): (&OwnRules, &[EngineFinding]),
) -> Vec<Diagnostic> {
    let context = SceneContext::new(project, path, document);
    // If both have a rule, the one that sees more counts.
    let findings = Findings::new(document, options).with_rules_for_files(|rule| !is_replaced(rule));
    let findings = with_scene_rules(findings, &context, options.target, |_| true);
    let mut findings = own.run(&context, findings);
    verdict::add_to(&mut findings, document.text(), engine);
    findings.reported(&all_with(own))
}

/// [`lint_scene`], but only with the rules that have fixes for several files, for [`crate::fix_across`].
pub(crate) fn lint_scene_across(
    project: &Project,
    path: &str,
    text: &[u8],
    options: &LintOptions<'_>,
) -> Vec<Diagnostic> {
    if godot_tscn::is_config_path(path) {
        let file = godot_tscn::parse_config(text);
        let findings = Findings::of_settings(&file, options);
        let context = SettingsContext { project, path, file: &file, without: None };
        return with_settings_rules(findings, &context, options.target, |rule| {
            rule.fixes_other_files
        })
        .reported(&[]);
    }
    if is_gdscript(path) {
        return Vec::new();
    }
    let document = godot_tscn::parse(text);
    let context = SceneContext::new(project, path, &document);
    let findings = Findings::new(&document, options);
    with_scene_rules(findings, &context, options.target, |rule| rule.fixes_other_files)
        .reported(&[])
}

/// Adds the findings of the project rules with `runs`.
fn with_scene_rules<'d>(
    mut findings: Findings<'d>,
    context: &SceneContext<'_>,
    target: Option<GodotVersion>,
    runs: impl Fn(&RuleInfo) -> bool,
) -> Findings<'d> {
    for rule in PROJECT_RULES.iter().filter(|rule| runs(&rule.info)) {
        match (rule.check, target) {
            (Check::Scene(check) | Check::Both(check, _), _) => {
                findings.run(&rule.info, |reporter| check(context, reporter));
            }
            (Check::Version(check, _), Some(target)) => {
                findings.run(&rule.info, |reporter| check(context, target, reporter));
            }
            _ => {}
        }
    }
    findings
}

/// The findings in a settings file of a project.
pub(crate) fn lint_settings(
    project: &Project,
    path: &str,
    file: &ConfigFile<'_>,
    options: &LintOptions<'_>,
    (own, engine): (&OwnRules, &[EngineFinding]),
) -> Vec<Diagnostic> {
    let findings = Findings::of_settings(file, options).with_rules_for_files(|_| true);
    let context = SettingsContext { project, path, file, without: None };
    let mut findings = with_settings_rules(findings, &context, options.target, |_| true);
    verdict::add_to(&mut findings, file.text(), engine);
    findings.reported(&all_with(own))
}

/// Adds the findings of the project rules for settings files with `runs`.
fn with_settings_rules<'d>(
    mut findings: Findings<'d>,
    context: &SettingsContext<'_>,
    target: Option<GodotVersion>,
    runs: impl Fn(&RuleInfo) -> bool,
) -> Findings<'d> {
    for rule in PROJECT_RULES.iter().filter(|rule| runs(&rule.info)) {
        match (rule.check, target) {
            (Check::Settings(check) | Check::Both(_, check), _) => {
                findings.run(&rule.info, |reporter| check(context, reporter));
            }
            (Check::Version(_, check), Some(target)) => {
                findings.run(&rule.info, |reporter| check(context, target, reporter));
            }
            _ => {}
        }
    }
    findings
}

/// The findings in a settings file about `files`, which are checked without it.
pub(crate) fn lint_summaries(
    project: &Project,
    path: &str,
    file: &ConfigFile<'_>,
    files: &HashSet<FileId>,
    options: &LintOptions<'_>,
    own: &OwnRules,
) -> Vec<Diagnostic> {
    let mut findings = Findings::of_settings(file, options);
    let context = SettingsContext { project, path, file, without: Some(files) };
    for rule in SUMMARIZING_RULES {
        if let Check::Settings(check) | Check::Both(_, check) = rule.check {
            findings.run(&rule.info, |reporter| check(&context, reporter));
        }
    }
    findings.reported(&all_with(own))
}

/// The findings in a GDScript file of a project. Untrusted scripts are not checked: they run.
pub(crate) fn lint_script(
    project: &Project,
    path: &str,
    text: &[u8],
    options: &LintOptions<'_>,
    (own, engine): (&OwnRules, &[EngineFinding]),
) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    if options.profile == Profile::Untrusted {
        return found;
    }
    let context = ScriptContext::new(project, path, text);
    for rule in PROJECT_RULES {
        if let Check::Script(check) = rule.check {
            options.state_of(&rule.info).run(&mut found, |found| {
                check(&context, &mut Reporter::new(&rule.info, found));
            });
        }
    }
    verdict::add_to_list(&mut found, text, engine, options);
    found.sort_by_key(|found| (found.span, found.code));
    if godot_tscn::has_suppressions(text)
        && let Some(source) = context.source()
    {
        let comments = source.comments();
        godot_tscn::apply_script_suppressions(text, comments, options, &all_with(own), &mut found);
    }
    found
}

/// All rules, those that the project defines itself too.
fn all_with(own: &OwnRules) -> Cow<'_, [&RuleInfo]> {
    if own.rules.is_empty() {
        return Cow::Borrowed(&ALL_RULES);
    }
    ALL_RULES.iter().copied().chain(own.infos()).collect()
}

static ALL_RULES: LazyLock<Vec<&RuleInfo>> = LazyLock::new(|| all_rules().collect());
