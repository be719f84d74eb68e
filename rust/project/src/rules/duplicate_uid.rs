//! RES005

use std::hash::{DefaultHasher, Hash, Hasher};

use tscn::{Applicability, Edit, Findings, Fix, quote};

use crate::Uid;
use crate::lint::SceneContext;
use crate::rules::declare_rule;

declare_rule! {
    /// ## What it does
    /// Reports a scene or resource whose uid another file has too: mostly because it was copied outside of Godot's
    /// editor.
    ///
    /// ## Why is this bad?
    /// Whoever refers to one of the files by its uid may get the other one. Which one, the order in which Godot looks
    /// at the folders decides.
    ///
    /// ## Example
    /// ```tscn
    /// [gd_scene format=3 uid="uid://cqq2j4h8p6vy1"]
    ///
    /// [node name="A" type="Node"]
    /// ```
    /// in two files.
    ///
    /// ## Use instead
    /// ```tscn
    /// [gd_scene format=3 uid="uid://b4gkfwf4i3ydl"]
    ///
    /// [node name="A" type="Node"]
    /// ```
    /// in the copy.
    ///
    /// ## Fix safety
    /// Unsafe: references to this file by its uid now lead to the other one.
    ///
    /// ## References
    /// `EditorFileSystem::_process_file_system` (editor/file_system/editor_file_system.cpp)
    "RES005", "duplicate-uid", Error
}

fn check(context: &SceneContext<'_>, findings: &mut Findings<'_>) {
    let (Some(uid), Some(file)) = (context.facts.uid, context.file) else { return };
    // A file with a `.import` file has its uid from there.
    if context.project.import(file).is_some() {
        return;
    }
    let files = context.project.files_with_uid(uid);
    let Some(other) = files.iter().find(|other| **other != file) else { return };
    let Some(field) = context.document.sections().next().and_then(|header| header.field("uid"))
    else {
        return;
    };
    let other = context.project.path(*other);
    let message =
        format!("{} has this uid too; give the copy one of its own", quote(other.as_bytes()));
    let finding = findings.push(field.value_span(), message);
    finding.consequence("Godot takes one of the files for the other");
    // The first keeps it, so that fixing all files leaves one with it.
    if files.first() != Some(&file) {
        let uid = new_uid(context);
        let edit = Edit::replace(field.value_span(), format!("\"{uid}\""));
        let title = "give the file a new uid";
        finding.fix(Fix::new(title, Applicability::Unsafe, vec![edit]));
    }
}

/// A uid that no file has: always the same one for the same file.
fn new_uid(context: &SceneContext<'_>) -> Uid {
    let mut hasher = DefaultHasher::new();
    context.path.hash(&mut hasher);
    context.document.text().hash(&mut hasher);
    let first = hasher.finish() & i64::MAX as u64;
    let candidates = (first..).filter_map(|number| Uid::new(number as i64));
    let mut free = candidates.filter(|uid| context.project.files_with_uid(*uid).is_empty());
    free.next().expect("there are more uids than files")
}
