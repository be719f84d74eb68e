//! RES011

use tscn::{Findings, Severity, quote};

use crate::lint::SceneContext;
use crate::project::Target;
use crate::res_path::extension_of;
use crate::rules::declare_rule;

declare_rule! {
    /// ## What it does
    /// Reports an `ext_resource` whose file git ignores, and one that has a uid while git ignores the `.uid` or
    /// `.import` file that gives it. Of a file that was only not added yet it informs. Without git, or outside of a
    /// repository, it is silent.
    ///
    /// ## Why is this bad?
    /// It works here, and for nobody else: their copy lacks the file, or Godot gives it another uid.
    ///
    /// ## Example
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [ext_resource type="Script" uid="uid://bq8ubm3xk6c4u" path="res://player.gd" id="1"]
    ///
    /// [node name="A" type="Node"]
    /// script = ExtResource("1")
    /// ```
    /// where `.gitignore` says `*.uid`.
    ///
    /// ## Use instead
    /// The same, without that line in `.gitignore`.
    ///
    /// ## References
    /// <https://docs.godotengine.org/en/stable/tutorials/best_practices/version_control_systems.html>
    "RES011", "not-in-vcs", Warning
}

fn check(context: &SceneContext<'_>, findings: &mut Findings<'_>) {
    let project = context.project;
    let Some(git) = project.version_control().filter(|git| git.is_tracked(context.path)) else {
        return;
    };
    for (resource, target) in context.facts.ext_resources.iter().zip(context.targets()) {
        let Target::File(file) = target else { continue };
        let Some(field) = context.section(resource.section).field("path") else { continue };
        let path = project.path(*file);
        if git.is_ignored(path) {
            let message = format!("git ignores {}", quote(path.as_bytes()));
            findings.push(field.value_span(), message).consequence("others do not get the file");
            continue;
        }
        if !git.is_tracked(path) {
            let message = format!("{} is not yet in git; add it", quote(path.as_bytes()));
            findings.push(field.value_span(), message).severity = Severity::Info;
            continue;
        }
        let is_text = matches!(extension_of(path).as_str(), "tscn" | "tres");
        for beside in ["uid", "import"].map(|end| format!("{path}.{end}")) {
            if resource.uid.is_some() && !is_text && git.is_ignored(&beside) {
                let message =
                    format!("git ignores {}, which gives the uid", quote(beside.as_bytes()));
                findings
                    .push(field.value_span(), message)
                    .consequence("for others Godot makes up another uid");
            }
        }
    }
}
