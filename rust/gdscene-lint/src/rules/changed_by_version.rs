//! MIG010

use godot_project::{ChangedUse, Project, SceneContext, VersionChange, VersionChanges};
use godot_tscn::{Applicability, Fix, GodotVersion, Reporter, Severity};

use crate::rules::context::SettingsContext;
use crate::rules::declare_rule;

declare_rule! {
    for_newer_versions
    /// ## What it does
    /// Reports properties, classes, signals and settings that a newer Godot version removed, renamed or changed. Set
    /// the newer version with `target`. The rule reads the current version from the features in `project.godot`.
    /// `gdscene upgrade` shows the same for scripts.
    ///
    /// ## Why is this bad?
    /// The newer Godot version drops the value of a property that it no longer has, mostly without an error. If it only
    /// changed the behavior of a property, class, signal or setting, the finding is an info.
    ///
    /// ## Example
    /// With `target = "4.7"`, in a project of Godot 4.6:
    /// ```tres
    /// [gd_resource type="AudioEffectSpectrumAnalyzer" format=3]
    ///
    /// [resource]
    /// tap_back_pos = 0.05
    /// ```
    ///
    /// ## Use instead
    /// The replacement in the help of the finding.
    ///
    /// ## Fix safety
    /// Unsafe: the older version does not know the new name of a property or class.
    ///
    /// ## References
    /// Godot's upgrade guides, and the pull request that each finding names
    "MIG010", "changed-by-version", Warning
}

fn check(context: &SceneContext<'_>, target: GodotVersion, reporter: &mut Reporter<'_>) {
    let Some(changes) = changes(context.project, target) else { return };
    report(changes.in_scene(context), reporter);
}

fn check_settings(
    context: &SettingsContext<'_>,
    target: GodotVersion,
    reporter: &mut Reporter<'_>,
) {
    if context.path != "res://project.godot" {
        return;
    }
    let Some(changes) = changes(context.project, target) else { return };
    let mut uses = changes.in_settings(context.file);
    uses.retain(|found| !found.change().is_some_and(VersionChange::is_general));
    report(uses, reporter);
}

fn changes(project: &Project, target: GodotVersion) -> Option<VersionChanges<'_>> {
    let from = project.settings().version.filter(|from| *from < target)?;
    let changes = VersionChanges::between(project, from, target);
    (!changes.is_empty()).then_some(changes)
}

fn report(uses: Vec<ChangedUse>, reporter: &mut Reporter<'_>) {
    for found in uses {
        let diagnostic = reporter.report(found.span, found.message());
        diagnostic.help(found.advice());
        if !found.is_breaking() {
            diagnostic.severity = Severity::Info;
        }
        if let Some(change) = found.change().filter(|_| !found.edits.is_empty()) {
            let title = format!("write `{}`", change.new);
            diagnostic.fix(Fix::new(title, Applicability::Unsafe, found.edits));
        }
    }
}
