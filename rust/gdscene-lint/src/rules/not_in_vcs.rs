//! RES011

use std::cell::LazyCell;

use godot_project::missing_sidecars::{Lack, lacks_uid_file, needs_import};
use godot_project::res_path::extension_of;
use godot_project::version_control::VersionControl;
use godot_project::{FileId, Project, ResolvedPath, SceneContext, Uid};
use godot_tscn::{
    Applicability, Diagnostic, Field, FileEdits, Fix, Reporter, Section, Severity, Span, quote,
};
use hashbrown::HashSet;

use crate::rules::context::SettingsContext;
use crate::rules::declare_rule;
use crate::rules::missing_header_uid::most_named;
use crate::rules::referrers::respell_uid;

declare_rule! {
    for_scenes_and_settings
    /// ## What it does
    /// Reports an `ext_resource` whose file git ignores, and an `ext_resource` with a uid if git ignores the `.uid` or
    /// `.import` file that stores this uid. A file that was not added to git yet is an info.
    ///
    /// Without git, or outside a repository, the rule reports only missing sidecar files: in a project of Godot 4.4 or
    /// later, a missing `.uid` file of a script or shader that a tag names by uid; and a missing `.import` file of a
    /// texture, sound or model that a tag names by uid. If the tag has no uid, a missing `.import` file is an info, and
    /// only reported if other files of the project have one.
    ///
    /// If more than ten files lack their `.import` or `.uid` file, or git ignores more than ten of these, the rule
    /// reports this once, at the beginning of `project.godot`. A check of some files also reports it there if it
    /// concerns one of them.
    ///
    /// ## Why is this bad?
    /// The project works only on this machine: other copies lack the file, or Godot gives it another uid. Godot cannot
    /// load a file without an `.import` file until an editor has imported it, and the editor then uses default
    /// settings.
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
    /// where `.gitignore` contains `*.uid`.
    ///
    /// ## Use instead
    /// The same file, without that line in `.gitignore`.
    ///
    /// ## Fix safety
    /// Safe: writes the missing `.uid` file with the uid that other files use, so that Godot loads the same file. If
    /// they use several uids, the fix writes the one that most of them use, and changes the files that use another one.
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
        reporter
            .report(field.value_span(), message)
            .consequence("other copies of the project lack the file");
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
            let message = format!("git ignores {}, which stores the uid", quote(beside.as_bytes()));
            reporter
                .report(field.value_span(), message)
                .consequence("in other copies of the project, Godot creates a different uid");
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
    let project = context.project;
    // One that is there and cannot be read is not written over.
    if !lacks_uid_file(project, file)
        || !project.files_with_uid(uid).is_empty()
        || project.missing_sidecars().missing_uids.is_common()
    {
        return None;
    }
    let beside = format!("{}.uid", project.path(file));
    let message = format!("{}, which stores the uid, does not exist", quote(beside.as_bytes()));
    let diagnostic = reporter.report(field.value_span(), message);
    diagnostic.consequence(
        "Godot creates a different uid, and warns about the invalid uid whenever it loads the file",
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
            .consequence("in other copies of the project, Godot imports it with default settings and a different uid");
    } else {
        diagnostic.severity = Severity::Info;
        diagnostic.consequence("Godot does not load the file until an editor has imported it");
    }
    diagnostic.help("open the project in the editor, and commit the new file");
}

/// Findings about many files, reported once.
fn check_settings(context: &SettingsContext<'_>, reporter: &mut Reporter<'_>) {
    if context.path != "res://project.godot" {
        return;
    }
    let project = context.project;
    let left_out = project.missing_sidecars();
    let git = project.version_control();
    // The pattern, if git ignores all files of this kind.
    let ignored = |is_ignored: fn(&VersionControl) -> bool, pattern| {
        git.is_some_and(is_ignored).then_some(pattern)
    };
    let imports = ignored(VersionControl::ignores_imports, "*.import");
    let uids = ignored(VersionControl::ignores_uids, "*.uid");
    for (lack, end, exist, pattern) in [
        (&left_out.missing_imports, "import", false, imports),
        (&left_out.missing_uids, "uid", false, uids),
        (&left_out.ignored_imports, "import", true, Some("*.import")),
        (&left_out.ignored_uids, "uid", true, Some("*.uid")),
    ] {
        let is_meant = context.without.is_none_or(|files| !lack.callers.is_disjoint(files));
        if !lack.is_common() || !is_meant {
            continue;
        }
        let count = lack.targets.len();
        let what = match (exist, pattern) {
            (true, _) => {
                format!("git ignores the `.{end}` files of {count} files, which store their uids")
            }
            (false, Some(_)) => format!(
                "{count} files lack their `.{end}` file, which stores the uid, because git ignores `.{end}` files"
            ),
            (false, None) => {
                format!("{count} files lack their `.{end}` file, which stores the uid")
            }
        };
        let message = format!(
            "{what}; {} in {} use these uids",
            counted(lack.reference_count, "reference"),
            counted(lack.callers.len(), "file"),
        );
        let diagnostic = reporter.report(Span::empty(0), message);
        diagnostic.consequence(
            "in a new copy of the project, Godot creates different uids, and warns about each invalid uid whenever it loads it",
        );
        diagnostic.help(match pattern {
            Some(pattern) => {
                format!("remove `{pattern}` from `.gitignore`, and commit these files")
            }
            None => "open the project in the editor, and commit these files".to_owned(),
        });
        if std::ptr::eq(lack, &left_out.missing_uids) && pattern.is_none() {
            diagnostic.fix(write_sidecars(project, lack));
        }
    }
}

/// `1 file`, `2 files`.
fn counted(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

/// Writes the missing `.uid` file of each file that all others name by one uid.
fn write_sidecars(project: &Project, lack: &Lack) -> Fix {
    let mut targets: Vec<FileId> = lack.targets.iter().copied().collect();
    targets.sort_unstable();
    let write = |file: FileId| match project.graph().wanted_uids(file) {
        [only] => {
            Some(FileEdits::create(format!("{}.uid", project.path(file)), format!("{only}\n")))
        }
        _ => None,
    };
    let files: Vec<FileEdits> = targets.into_iter().filter_map(write).collect();
    let title =
        format!("write {} with the uids that other files use", counted(files.len(), "`.uid` file"));
    Fix::new(title, Applicability::Safe, Vec::new()).with_other_files(files)
}
