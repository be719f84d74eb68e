//! From a text of a project to what the rules report of it.

use std::sync::LazyLock;

use godot_project::res_path::is_gdscript;
use godot_project::{Project, SceneContext};
use godot_tscn::{ConfigFile, Diagnostic, Document, LintOptions, Profile, Reporter, RuleInfo};

use crate::rules::context::{ScriptContext, SettingsContext};
use crate::rules::{Check, PROJECT_RULES, ProjectRule, all_rules, is_replaced};

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
    // Of a rule that both have, the one that sees more counts.
    let mut found =
        godot_tscn::lint_unsuppressed(document, options, |rule| !is_replaced(rule)).diagnostics;
    let context = SceneContext::new(project, path, document);
    run_project_rules(&context, |_| true, &ALL_RULES, options, &mut found);
    found
}

/// [`lint_scene`], but only with the rules whose fixes may touch several files: what [`crate::fix_across`] needs.
pub(crate) fn lint_scene_across(
    project: &Project,
    path: &str,
    text: &[u8],
    options: &LintOptions<'_>,
) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    if !godot_tscn::is_config_path(path) && !is_gdscript(path) {
        let document = godot_tscn::parse(text);
        let context = SceneContext::new(project, path, &document);
        run_project_rules(&context, |rule| rule.fixes_other_files, &[], options, &mut found);
    }
    found
}

/// Adds what the project rules report for which `runs` is true, and leaves out what the text suppresses. `known_rules` are those
/// that `found` comes from.
fn run_project_rules(
    context: &SceneContext<'_>,
    runs: impl Fn(&ProjectRule) -> bool,
    known_rules: &[&RuleInfo],
    options: &LintOptions<'_>,
    found: &mut Vec<Diagnostic>,
) {
    run_rules(options, found, |rule, reporter| match rule.check {
        Check::Scene(check) | Check::Both(check, _) if runs(rule) => check(context, reporter),
        _ => {}
    });
    leave_out_said_twice(found);
    godot_tscn::leave_out_consequences(context.document, found);
    godot_tscn::withhold_fixes(context.document, options, found);
    found.sort_by_key(|found| (found.span, found.code));
    godot_tscn::apply_suppressions(context.document, options, known_rules, found);
}

/// Adds what `check` reports for each of the project rules, as far as the options let it.
fn run_rules(
    options: &LintOptions<'_>,
    found: &mut Vec<Diagnostic>,
    check: impl Fn(&ProjectRule, &mut Reporter<'_>),
) {
    for rule in PROJECT_RULES {
        options.state_of(&rule.info).run(found, |diagnostics| {
            check(rule, &mut Reporter::new(&rule.info, diagnostics));
        });
    }
}

/// Of a generated name, other rules may say that no node has it.
fn leave_out_said_twice(found: &mut Vec<Diagnostic>) {
    let is_of_name = |found: &Diagnostic| found.code == "TREE023";
    if !found.iter().any(is_of_name) {
        return;
    }
    let others = found.iter().filter(|found| !is_of_name(found)).map(|found| found.span);
    let others: Vec<_> = others.collect();
    found.retain(|found| {
        !is_of_name(found)
            || !others.iter().any(|other| found.span.contains(*other) || other.contains(found.span))
    });
}

/// What the rules report of a settings file of a project.
pub(crate) fn lint_settings(
    project: &Project,
    path: &str,
    file: &ConfigFile<'_>,
    options: &LintOptions<'_>,
) -> Vec<Diagnostic> {
    let mut found = godot_tscn::lint_config_unsuppressed(file, options).diagnostics;
    let context = SettingsContext { project, path, file };
    run_rules(options, &mut found, |rule, reporter| match rule.check {
        Check::Settings(check) | Check::Both(_, check) => check(&context, reporter),
        _ => {}
    });
    godot_tscn::leave_out_consequences(file.document(), &mut found);
    found.sort_by_key(|found| (found.span, found.code));
    godot_tscn::apply_suppressions(file.document(), options, &ALL_RULES, &mut found);
    found
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
    run_rules(options, &mut found, |rule, reporter| {
        if let Check::Script(check) = rule.check {
            check(&context, reporter);
        }
    });
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
