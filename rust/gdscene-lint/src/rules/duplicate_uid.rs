//! RES005

use std::hash::{DefaultHasher, Hash, Hasher};

use godot_project::{FileId, Project, SceneContext, Uid};
use godot_tscn::{Applicability, Edit, FileEdits, Fix, Reporter, quote};

use crate::rules::declare_rule;
use crate::rules::referrers::{respell_uid, set_uid};

declare_rule! {
    /// ## What it does
    /// Reports a scene or resource whose uid another file has too, mostly because the file was copied outside Godot's
    /// editor. Also reports an `ext_resource` with the uid of scripts, shaders or imported files if two of these files
    /// have the same uid.
    ///
    /// ## Why is this bad?
    /// A reference by uid may load the wrong file. When Godot starts or imports, it uses the file that it scans last.
    /// While the editor runs, it uses the file that was added or saved last.
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
    /// Unsafe: the copy gets its own uid. All `ext_resource` tags in any file that refer to the copy by the old uid and
    /// its path get the new uid too. Before the fix, they may have loaded the other file.
    ///
    /// ## References
    /// `EditorFileSystem::_process_file_system` (editor/file_system/editor_file_system.cpp)
    "RES005", "duplicate-uid", Error, fixes_other_files
}

fn check(context: &SceneContext<'_>, reporter: &mut Reporter<'_>) {
    check_header(context, reporter);
    check_external(context, reporter);
}

fn check_header(context: &SceneContext<'_>, reporter: &mut Reporter<'_>) {
    let (Some(uid), Some(file)) = (context.facts.uid, context.file) else { return };
    // A file with a `.import` file has its uid from there.
    if context.project.import(file).is_some() {
        return;
    }
    // No uid of its own would help a file that a link leads to.
    let (files, own) = context.project.different_files_with_uid(uid, file);
    let Some(other) = files.iter().find(|other| **other != own) else { return };
    let Some(field) = context.document.sections().next().and_then(|header| header.field("uid"))
    else {
        return;
    };
    let other = context.project.path(*other);
    let message =
        format!("{} has the same uid; give the copy its own uid", quote(other.as_bytes()));
    let diagnostic = reporter.report(field.value_span(), message);
    diagnostic.consequence("Godot may load one of the files instead of the other");
    // The first keeps it, so that fixing all files leaves one with it. A file under several paths gets one uid.
    if files.first() != Some(&own) {
        let new = new_uid(context.project, context.project.path(own));
        let (mut edits, others) = respell_uid(context, file, uid, new);
        edits.push(Edit::replace(field.value_span(), format!("\"{new}\"")));
        let title = title("the file", &others);
        diagnostic.fix(Fix::new(title, Applicability::Unsafe, edits).with_other_files(others));
    }
}

/// Files with a uid next to them cannot be checked as text: the files that name the uid are.
fn check_external(context: &SceneContext<'_>, reporter: &mut Reporter<'_>) {
    let project = context.project;
    for resource in &context.facts.ext_resources {
        let Some(uid) = resource.uid else { continue };
        let [any, ..] = project.files_with_uid(uid) else { continue };
        let (files @ [first, second, ..], _) = project.different_files_with_uid(uid, *any) else {
            continue;
        };
        let copy = files.iter().rfind(|file| has_uid_beside(project, **file));
        let Some(copy) = copy else { continue };
        let Some(field) = context.section(resource.section).field("uid") else { continue };
        let [first, second] = [first, second].map(|file| quote(project.path(*file).as_bytes()));
        let message = format!("{first} and {second} both have this uid; give the copy its own uid");
        let diagnostic = reporter.report(field.value_span(), message);
        diagnostic.consequence("Godot may load one of the files instead of the other");
        let path = project.path(*copy);
        let new = new_uid(project, path);
        let Some(own) = set_uid(project, *copy, new) else { continue };
        let (edits, mut others) = respell_uid(context, *copy, uid, new);
        others.retain(|other| other.path != own.path);
        let title = title(&format!("`{path}`"), &others);
        others.push(own);
        diagnostic.fix(Fix::new(title, Applicability::Unsafe, edits).with_other_files(others));
    }
}

fn has_uid_beside(project: &Project, file: FileId) -> bool {
    let path = project.path(file);
    [".uid", ".import"].iter().any(|end| project.file(&format!("{path}{end}")).is_some())
}

fn title(copy: &str, others: &[FileEdits]) -> String {
    match others {
        [] => format!("give {copy} a new uid"),
        [other] => format!("give {copy} a new uid, and use it in `{}`", other.path),
        others => format!("give {copy} a new uid, and use it in {} other files", others.len()),
    }
}

/// A uid that no file has, and none names: always the same one for the file at `path` of a project.
fn new_uid(project: &Project, path: &str) -> Uid {
    let mut hasher = DefaultHasher::new();
    (project.settings().name.as_str(), path).hash(&mut hasher);
    let first = hasher.finish() & i64::MAX as u64;
    let candidates = (first..).filter_map(|number| Uid::new(number as i64));
    let is_free = |uid: &Uid| {
        project.files_with_uid(*uid).is_empty() && project.graph().callers(*uid).is_empty()
    };
    candidates.into_iter().find(is_free).expect("there are more uids than files")
}
