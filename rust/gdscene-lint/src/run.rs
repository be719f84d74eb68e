//! From a text of a project to what the rules report of it.

use std::sync::LazyLock;

use godot_project::res_path::is_gdscript;
use godot_project::{FileId, Project, SceneContext};
use godot_tscn::{
    ConfigFile, Diagnostic, Document, Findings, LintOptions, Profile, Reporter, RuleInfo,
};
use hashbrown::HashSet;

use crate::rules::context::{ScriptContext, SettingsContext};
use crate::rules::{Check, PROJECT_RULES, SUMMARIZING_RULES, all_rules, is_replaced};

/// What the rules report of a scene or resource of a project: those for single files, and those for projects.
///
/// `path` is the file's path in the project (`res://…`). The text may differ from what the project knows of
/// the file, and the file may be new. The configuration does not count: that is for a [`crate::Workspace`].
pub fn lint_scene(
    project: &Project,
    path: &str,
    document: &Document<'_>,
    options: &LintOptions<'_>,
) -> Vec<Diagnostic> {
    let context = SceneContext::new(project, path, document);
    // Of a rule that both have, the one that sees more counts.
    let findings = Findings::new(document, options).with_rules_for_files(|rule| !is_replaced(rule));
    with_scene_rules(findings, &context, |_| true).reported(&ALL_RULES)
}

/// [`lint_scene`], but only with the rules whose fixes may touch several files: what [`crate::fix_across`] needs.
pub(crate) fn lint_scene_across(
    project: &Project,
    path: &str,
    text: &[u8],
    options: &LintOptions<'_>,
) -> Vec<Diagnostic> {
    if godot_tscn::is_config_path(path) || is_gdscript(path) {
        return Vec::new();
    }
    let document = godot_tscn::parse(text);
    let context = SceneContext::new(project, path, &document);
    let findings = Findings::new(&document, options);
    with_scene_rules(findings, &context, |rule| rule.fixes_other_files).reported(&[])
}

/// Adds what the project rules find for which `runs` is true.
fn with_scene_rules<'d>(
    mut findings: Findings<'d>,
    context: &SceneContext<'_>,
    runs: impl Fn(&RuleInfo) -> bool,
) -> Findings<'d> {
    for rule in PROJECT_RULES {
        if let Check::Scene(check) | Check::Both(check, _) = rule.check
            && runs(&rule.info)
        {
            findings.run(&rule.info, |reporter| check(context, reporter));
        }
    }
    findings
}

/// What the rules report of a settings file of a project.
pub(crate) fn lint_settings(
    project: &Project,
    path: &str,
    file: &ConfigFile<'_>,
    options: &LintOptions<'_>,
) -> Vec<Diagnostic> {
    let mut findings = Findings::of_settings(file, options).with_rules_for_files(|_| true);
    let context = SettingsContext { project, path, file, without: None };
    for rule in PROJECT_RULES {
        if let Check::Settings(check) | Check::Both(_, check) = rule.check {
            findings.run(&rule.info, |reporter| check(&context, reporter));
        }
    }
    findings.reported(&ALL_RULES)
}

/// What the rules report in a settings file of `files`, which are checked without it.
pub(crate) fn lint_summaries(
    project: &Project,
    path: &str,
    file: &ConfigFile<'_>,
    files: &HashSet<FileId>,
    options: &LintOptions<'_>,
) -> Vec<Diagnostic> {
    let mut findings = Findings::of_settings(file, options);
    let context = SettingsContext { project, path, file, without: Some(files) };
    for rule in SUMMARIZING_RULES {
        if let Check::Settings(check) | Check::Both(_, check) = rule.check {
            findings.run(&rule.info, |reporter| check(&context, reporter));
        }
    }
    findings.reported(&ALL_RULES)
}

/// What the rules report of a script in GDScript of a project. Of untrusted ones nothing is: they run.
pub(crate) fn lint_script(
    project: &Project,
    path: &str,
    text: &[u8],
    options: &LintOptions<'_>,
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
    found.sort_by_key(|found| (found.span, found.code));
    if godot_tscn::has_suppressions(text)
        && let Some(source) = context.source()
    {
        let comments = source.comments();
        godot_tscn::apply_script_suppressions(text, comments, options, &ALL_RULES, &mut found);
    }
    found
}

static ALL_RULES: LazyLock<Vec<&RuleInfo>> = LazyLock::new(|| all_rules().collect());
