//! RES014

use tscn::{Applicability, Edit, Findings, Fix};

use crate::lint::SceneContext;
use crate::rules::declare_rule;

declare_rule! {
    /// ## What it does
    /// Reports a scene or resource without a uid to which others refer by one.
    ///
    /// ## Why is this bad?
    /// Godot warns of an `invalid UID` whenever one of the others is loaded. Files lose their uid when they are saved
    /// by a script or a tool instead of the editor.
    ///
    /// ## Example
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [node name="A" type="Node"]
    /// ```
    /// while another file has
    /// `[ext_resource type="PackedScene" uid="uid://cqq2j4h8p6vy1" path="res://a.tscn" id="1"]`.
    ///
    /// ## Use instead
    /// ```tscn
    /// [gd_scene format=3 uid="uid://cqq2j4h8p6vy1"]
    ///
    /// [node name="A" type="Node"]
    /// ```
    ///
    /// ## Fix safety
    /// Safe, if all others agree on the uid: the same files are loaded. Else there is no fix.
    ///
    /// ## References
    /// `ResourceFormatLoaderText::get_resource_uid` (scene/resources/resource_format_text.cpp)
    "RES014", "missing-header-uid", Warning
}

fn check(context: &SceneContext<'_>, findings: &mut Findings<'_>) {
    let Some(file) = context.file else { return };
    let Some(header) = context.document.sections().next() else { return };
    if header.field("uid").is_some() || header.is_broken() || context.project.import(file).is_some()
    {
        return;
    }
    let wanted = context.project.graph().wanted_uids(file);
    let [uid, others @ ..] = wanted else { return };
    let message = format!("others refer to this file as `{uid}`, but it has no uid");
    let finding = findings.push(header.tag_span(), message);
    finding.consequence("Godot warns of an invalid uid whenever one of them is loaded");
    if others.is_empty() {
        let end = header.tag_span().end - 1;
        let edit = Edit::insert(end, format!(" uid=\"{uid}\""));
        finding.fix(Fix::new(format!("give it `{uid}`"), Applicability::Safe, vec![edit]));
    }
}
