//! RES004

use godot_project::{ResolvedPath, SceneContext};
use godot_tscn::{Applicability, Edit, Fix, Reporter};

use crate::rules::declare_rule;

declare_rule! {
    /// ## What it does
    /// Reports an `ext_resource` without a uid although its file has one. Off by default, because files that a script
    /// or an older Godot saved have no uids.
    ///
    /// ## Why is this bad?
    /// If a program other than Godot's editor moves the file, Godot no longer finds it. The editor also adds the uid at
    /// the next save, which causes an unrelated change in version control.
    ///
    /// ## Example
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [ext_resource type="Script" path="res://player.gd" id="1"]
    ///
    /// [node name="A" type="Node"]
    /// script = ExtResource("1")
    /// ```
    /// where `player.gd.uid` contains `uid://bq8ubm3xk6c4u`.
    ///
    /// ## Use instead
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [ext_resource type="Script" uid="uid://bq8ubm3xk6c4u" path="res://player.gd" id="1"]
    ///
    /// [node name="A" type="Node"]
    /// script = ExtResource("1")
    /// ```
    ///
    /// ## Fix safety
    /// Safe: Godot loads the same file.
    ///
    /// ## References
    /// `ResourceFormatSaverTextInstance::save` (scene/resources/resource_format_text.cpp)
    "RES004", "missing-uid", Info, off_by_default
}

fn check(context: &SceneContext<'_>, reporter: &mut Reporter<'_>) {
    let project = context.project;
    // Format 2 is Godot 3's, which knows no uids.
    let header = context.document.sections().next();
    if header.and_then(|header| header.field("format")?.int()).is_none_or(|format| format < 3) {
        return;
    }
    for (resource, target) in context.facts.ext_resources.iter().zip(context.targets()) {
        let ResolvedPath::File(file) = target else { continue };
        let section = context.section(resource.section);
        let Some(path) = section.field("path").filter(|_| section.field("uid").is_none()) else {
            continue;
        };
        let Some(uid) = project.uid(*file) else { continue };
        // Two files with one uid must be corrected first.
        if project.files_with_uid(uid).len() > 1 {
            continue;
        }
        let edit = Edit::insert(path.name_span().start, format!("uid=\"{uid}\" "));
        reporter
            .report(path.value_span(), format!("the uid of the file is missing: `{uid}`"))
            .fix(Fix::new("add the uid", Applicability::Safe, vec![edit]));
    }
}
