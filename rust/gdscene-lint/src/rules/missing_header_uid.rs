//! RES014

use std::cmp::Reverse;

use godot_project::{SceneContext, Uid};
use godot_tscn::{Applicability, Edit, Field, FileEdits, Fix, Reporter};

use crate::rules::declare_rule;
use crate::rules::referrers::respell_uid;

declare_rule! {
    /// ## What it does
    /// Reports a scene or resource that other files refer to by a uid, but that has no uid, or a uid that Godot does
    /// not recognize.
    ///
    /// ## Why is this bad?
    /// Godot warns about an `invalid UID` whenever it loads one of the other files. A file loses its uid if a script or
    /// a tool saves it instead of the editor.
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
    /// Safe: Godot loads the same files. If the other files use several uids, the file gets the one that most of them
    /// use, and the fix also changes the files that use another one.
    ///
    /// ## References
    /// `ResourceFormatLoaderText::get_resource_uid` (scene/resources/resource_format_text.cpp)
    "RES014", "missing-header-uid", Warning, fixes_other_files
}

fn check(context: &SceneContext<'_>, reporter: &mut Reporter<'_>) {
    let Some(file) = context.file else { return };
    let Some(header) = context.document.sections().next() else { return };
    let unreadable = header.field("uid");
    let is_readable =
        |field: Field<'_>| field.text().is_none_or(|text| Uid::parse(&text).is_some());
    if unreadable.is_some_and(is_readable)
        || header.is_broken()
        || context.project.import(file).is_some()
    {
        return;
    }
    let wanted = context.project.graph().wanted_uids(file);
    let Some(uid) = most_named(context, wanted) else { return };
    let others: Vec<Uid> = wanted.iter().copied().filter(|other| *other != uid).collect();
    let message = match others.as_slice() {
        _ if unreadable.is_some() => {
            format!(
                "others refer to this file as `{uid}`, but Godot does not recognize its own uid"
            )
        }
        [] => format!("others refer to this file as `{uid}`, but it has no uid"),
        _ => format!("others refer to this file as `{uid}` and by other uids, but it has no uid"),
    };
    let diagnostic = reporter.report(header.tag_span(), message);
    diagnostic.consequence("Godot warns about an invalid uid whenever one of them is loaded");
    let mut files: Vec<FileEdits> = Vec::new();
    for other in others {
        // A file that names it by several uids is corrected step by step.
        let (_, edits) = respell_uid(context, file, other, uid);
        let is_new = |edits: &FileEdits| files.iter().all(|known| known.path != edits.path);
        let edits: Vec<FileEdits> = edits.into_iter().filter(is_new).collect();
        files.extend(edits);
    }
    let title = match files.len() {
        0 => format!("set the uid to `{uid}`"),
        1 => format!("set the uid to `{uid}`, and use it in `{}`", files[0].path),
        count => format!("set the uid to `{uid}`, and use it in {count} other files"),
    };
    let edit = match unreadable {
        Some(field) => Edit::replace(field.value_span(), format!("\"{uid}\"")),
        None => Edit::insert(header.tag_span().end - 1, format!(" uid=\"{uid}\"")),
    };
    diagnostic.fix(Fix::new(title, Applicability::Safe, vec![edit]).with_other_files(files));
}

/// The uid that most files name, of several the first one.
pub(super) fn most_named(context: &SceneContext<'_>, wanted: &[Uid]) -> Option<Uid> {
    let graph = context.project.graph();
    let rank = |uid: &&Uid| (graph.callers(**uid).len(), Reverse(uid.number()));
    wanted.iter().max_by_key(rank).copied()
}
