//! RES011

use std::cell::LazyCell;

use godot_project::missing_sidecars::needs_import;
use godot_project::res_path::{extension_of, has_uid_beside};
use godot_project::version_control::VersionControl;
use godot_project::{FileId, Project, ResolvedPath, SceneContext, Uid};
use godot_tscn::{
    Applicability, Diagnostic, Field, FileEdits, Fix, GodotVersion, Reporter, Section, Severity,
    Span, quote,
};
use hashbrown::HashSet;

use crate::rules::context::SettingsContext;
use crate::rules::declare_rule;
use crate::rules::missing_header_uid::most_named;
use crate::rules::referrers::respell_uid;

declare_rule! {
    for_scenes_and_settings
    /// ## What it does
    /// Reports an `ext_resource` whose file git ignores, and one that has a uid while git ignores the `.uid` or
    /// `.import` file that gives it. Of a file that was only not added yet it informs. Without git, or outside of a
    /// repository, only this is reported: that the uid of a script or shader is named, but the `.uid` file that would
    /// give it is not there, in a project of Godot 4.4 or later; and that a texture, sound or model which a
    /// tag names by a uid has no `.import` file. Without a uid in the tag that is for information only, and only if other
    /// files of the project have one.
    ///
    /// If more than ten files lack their `.import` file, or git ignores so many `.import` or `.uid` files, it is reported
    /// once: at the beginning of `project.godot`. A check of some files reports it there too, if it concerns one of them.
    ///
    /// ## Why is this bad?
    /// It works only on this machine: other copies lack the file, or Godot gives it another uid. A file without an
    /// `.import` file cannot be loaded until an editor has imported it, which it does with default settings.
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
    /// ## Fix safety
    /// Safe: a `.uid` file that is not there is written with the uid that the others name, so the same file is loaded. If
    /// they do not agree, it is the uid that most of them name, and the fix changes those that name another one.
    ///
    /// ## References
    /// <https://docs.godotengine.org/en/stable/tutorials/best_practices/version_control_systems.html>,
    /// `EditorFileSystem::_reimport_file` (editor/file_system/editor_file_system.cpp)
    "RES011", "not-in-vcs", Warning, fixes_other_files
}

fn check(context: &SceneContext<'_>, reporter: &mut Reporter<'_>) {
    let git = context.project.version_control().filter(|git| git.is_tracked(context.path));
    let project = context.project;
    let has_imports = LazyCell::new(|| project.files().any(|file| project.import(file).is_some()));
    let mut with_fix = HashSet::new();
    for (resource, target) in context.facts.ext_resources.iter().zip(context.targets()) {
        let ResolvedPath::File(file) = target else { continue };
        let section = context.section(resource.section);
        if let (Some(uid), Some(field)) = (resource.uid, section.field("uid"))
            && let Some(diagnostic) = check_sidecar(context, *file, uid, field, reporter)
            // It corrects all uids of the file, so one is enough.
            && with_fix.insert(*file)
            && let Some(fix) = write_sidecar(context, *file)
        {
            diagnostic.fix(fix);
        }
        let is_named = resource.uid.is_some();
        let is_common = is_named && project.missing_sidecars().missing_imports.is_common();
        if needs_import(project, *file) && !is_common && (is_named || *has_imports) {
            check_import(project.path(*file), section, reporter);
        }
        if let (Some(git), Some(field)) = (git, section.field("path")) {
            check_git(context.project, git, *file, resource.uid, field, reporter);
        }
    }
}

fn check_git(
    project: &Project,
    git: &VersionControl,
    file: FileId,
    uid: Option<Uid>,
    field: Field<'_>,
    reporter: &mut Reporter<'_>,
) {
    let path = project.path(file);
    if git.is_ignored(path) {
        let message = format!("git ignores {}", quote(path.as_bytes()));
        reporter.report(field.value_span(), message).consequence("others do not get the file");
        return;
    }
    if !git.is_tracked(path) {
        let message = format!("{} is not yet in git; add it", quote(path.as_bytes()));
        reporter.report(field.value_span(), message).severity = Severity::Info;
        return;
    }
    let is_text = matches!(&*extension_of(path), "tscn" | "tres");
    let left_out = project.missing_sidecars();
    for (end, lack) in [("uid", &left_out.ignored_uids), ("import", &left_out.ignored_imports)] {
        let beside = format!("{path}.{end}");
        if uid.is_some() && !is_text && !lack.is_common() && git.is_ignored(&beside) {
            let message = format!("git ignores {}, which gives the uid", quote(beside.as_bytes()));
            reporter
                .report(field.value_span(), message)
                .consequence("for others, Godot creates another uid");
        }
    }
}

fn check_sidecar<'f>(
    context: &SceneContext<'_>,
    file: FileId,
    uid: Uid,
    field: Field<'_>,
    reporter: &'f mut Reporter<'_>,
) -> Option<&'f mut Diagnostic> {
    let (project, path) = (context.project, context.project.path(file));
    let beside = format!("{path}.uid");
    let is_known = project.uid(file).is_some() || !project.files_with_uid(uid).is_empty();
    let is_older = project.settings().version.is_some_and(|version| version < WITH_UID_FILES);
    if is_known || is_older || !has_uid_beside(path) {
        return None;
    }
    // One that is there and cannot be read is not written over.
    if project.file(&beside).is_some() {
        return None;
    }
    let message = format!("{}, which stores the uid, does not exist", quote(beside.as_bytes()));
    let diagnostic = reporter.report(field.value_span(), message);
    diagnostic.consequence(
        "Godot creates another uid, and warns about an invalid one whenever the file is loaded",
    );
    Some(diagnostic)
}

fn write_sidecar(context: &SceneContext<'_>, file: FileId) -> Option<Fix> {
    let beside = format!("{}.uid", context.project.path(file));
    let wanted = context.project.graph().wanted_uids(file);
    let kept = most_named(context, wanted)?;
    let mut own = Vec::new();
    let mut files = vec![FileEdits::create(beside.as_str(), format!("{kept}\n"))];
    for other in wanted.iter().filter(|other| **other != kept) {
        let (edits, others) = respell_uid(context, file, *other, kept);
        own.extend(edits);
        // A file that names it by several uids is corrected step by step.
        let is_new = |edits: &FileEdits| files.iter().all(|known| known.path != edits.path);
        let others: Vec<FileEdits> = others.into_iter().filter(is_new).collect();
        files.extend(others);
    }
    let title = format!("write `{beside}` with `{kept}`");
    Some(Fix::new(title, Applicability::Safe, own).with_other_files(files))
}

const WITH_UID_FILES: GodotVersion = GodotVersion::godot4(4);

fn check_import(path: &str, section: Section<'_>, reporter: &mut Reporter<'_>) {
    let uid = section.field("uid");
    let Some(field) = uid.or_else(|| section.field("path")) else { return };
    let beside = format!("{path}.import");
    let message = format!(
        "{}, which Godot writes when it imports the file, does not exist",
        quote(beside.as_bytes())
    );
    let diagnostic = reporter.report(field.value_span(), message);
    if uid.is_some() {
        diagnostic
            .consequence("for others, Godot imports it with default settings and another uid");
    } else {
        diagnostic.severity = Severity::Info;
        diagnostic.consequence("Godot does not load the file until an editor has imported it");
    }
    diagnostic.help("open the project in the editor, and commit the new file");
}

/// What concerns many files, reported once.
fn check_settings(context: &SettingsContext<'_>, reporter: &mut Reporter<'_>) {
    if context.path != "res://project.godot" {
        return;
    }
    let left_out = context.project.missing_sidecars();
    let ignores = context.project.version_control().is_some_and(VersionControl::ignores_imports);
    let (does_not_exist, pattern) = match ignores {
        true => ("do not exist, because git ignores all of them", Some("*.import")),
        false => ("do not exist", None),
    };
    for (lack, end, why, pattern) in [
        (&left_out.missing_imports, "import", does_not_exist, pattern),
        (&left_out.ignored_imports, "import", "are ignored by git", Some("*.import")),
        (&left_out.ignored_uids, "uid", "are ignored by git", Some("*.uid")),
    ] {
        let is_meant = context.without.is_none_or(|files| !lack.callers.is_disjoint(files));
        if !lack.is_common() || !is_meant {
            continue;
        }
        let message = format!(
            "the `.{end}` files of {} files, which store their uids, {why}; others name these uids {} times, in {} files",
            lack.targets.len(),
            lack.reference_count,
            lack.callers.len(),
        );
        let diagnostic = reporter.report(Span::empty(0), message);
        diagnostic.consequence(
            "in a new copy of the project Godot creates other uids, and warns of each invalid one whenever it is loaded",
        );
        diagnostic.help(match pattern {
            Some(pattern) => {
                format!("remove `{pattern}` from `.gitignore`, and commit these files")
            }
            None => "open the project in the editor, and commit these files".to_owned(),
        });
    }
}
