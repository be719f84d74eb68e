//! RES001

use std::cell::{LazyCell, OnceCell};

use godot_project::assignments::Assignment;
use godot_project::object_type::Member;
use godot_project::res_path::{LOADER_BASE, name_of};
use godot_project::settings::lossy;
use godot_project::{ResolvedPath, SceneContext};
use godot_tscn::{
    Applicability, Diagnostic, Document, Edit, Fix, Reference, ReferenceKind, Reporter, Severity,
    Span, quote,
};

use crate::rules::declare_rule;
use crate::rules::external_uses::ExternalUses;
use crate::rules::missing_folder::name_cause;
use crate::rules::missing_setting_file::{is_made_by_import, may_be_unread};
use crate::rules::referrers::respell_path;

declare_rule! {
    /// ## What it does
    /// Reports an `ext_resource` whose file is not in the project, neither by its uid nor by its path, and a
    /// `Resource("res://…")` in a value whose file does not exist. In the value of a variable with `@export_file`,
    /// `@export_file_path` or `@export_dir`, a missing file or folder is a warning.
    ///
    /// ## Why is this bad?
    /// The data that Godot 4 loses depends on where the file is used:
    /// - A property of a node loses its value.
    /// - A dictionary gets `null` instead.
    /// - After an array of a node, Godot reads on in the wrong place: it also loses the next property or the next
    ///   nodes.
    /// - With an instance, it loses everything after it in the scene.
    /// - If a resource in the file or a connection uses it, or the root inherits it, Godot does not load the file at
    ///   all.
    ///
    /// The next save in the editor makes each loss permanent.
    ///
    /// Godot 3 does not load any of these files, and Godot 4 does not load a file with a `Resource("res://…")` whose
    /// file is missing. A path in an exported variable fails when the game loads the file.
    ///
    /// ## Example
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [ext_resource type="Texture2D" path="res://gone.png" id="1"]
    ///
    /// [node name="A" type="Sprite2D"]
    /// texture = ExtResource("1")
    /// ```
    ///
    /// ## Use instead
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [ext_resource type="Texture2D" path="res://icon.png" id="1"]
    ///
    /// [node name="A" type="Sprite2D"]
    /// texture = ExtResource("1")
    /// ```
    ///
    /// ## Fix safety
    /// Unsafe: the fix guesses that the only file of the same name is the right one. Scripts, shaders and
    /// `project.godot` that name the old path in quotes are changed together with the file.
    ///
    /// ## References
    /// `ResourceLoaderText::load` (scene/resources/resource_format_text.cpp), `VariantParser::parse_value`
    /// (core/variant/variant_parser.cpp)
    "RES001", "missing-file", Error, fixes_other_files
}

fn check(context: &SceneContext<'_>, reporter: &mut Reporter<'_>) {
    let uses = OnceCell::new();
    for (resource, target) in context.facts.ext_resources.iter().zip(context.targets()) {
        // The rule `path-case-mismatch` reports a file with the same name in another case.
        if let ResolvedPath::Missing(path) = target
            && context.project.files_but_for_case(path).is_empty()
            && let Some(field) = context.section(resource.section).field("path")
        {
            let uses = uses.get_or_init(|| ExternalUses::of(context));
            let consequence = uses.consequence_without(&resource.id);
            report(context, path, (field.value_span(), consequence), reporter);
        }
    }
    for reference in context.document.references() {
        if reference.kind == ReferenceKind::Resource
            && let Some(path) = loaded_path(context.document, reference)
            && let ResolvedPath::Missing(path) = context.project.resolve(LOADER_BASE, &path)
        {
            report(context, &path, (reference.target, "Godot does not load the file"), reporter);
        }
    }
    check_exported_paths(context, reporter);
}

/// Reports missing files and folders in variables that `@export_file` and its like export.
fn check_exported_paths(context: &SceneContext<'_>, reporter: &mut Reporter<'_>) {
    let project = context.project;
    let may_be_unread = LazyCell::new(|| may_be_unread(project));
    for Assignment { property, key, object, .. } in context.assignments() {
        if !matches!(object.property(key), Member::Script(found) if found.names_files) {
            continue;
        }
        for part in property.value_tree().parts() {
            let Some(path) = part.text().map(|text| lossy(&text)) else { continue };
            let is_uid = path.starts_with("uid://");
            if !is_uid && !path.starts_with("res://") {
                continue;
            }
            if let ResolvedPath::Missing(path) = project.resolve(LOADER_BASE, &path)
                && !is_made_by_import(project, &path)
                && !project.source().exists(&path)
                && !project.has_folder(&path)
                && !(is_uid && *may_be_unread)
            {
                let consequence = "the game cannot load it";
                report(context, &path, (part.span(), consequence), reporter).severity =
                    Severity::Warning;
            }
        }
    }
}

/// The path in `Resource("…")`. A uid next to it would replace it, so that form, which Godot does not write, is left alone.
fn loaded_path(document: &Document<'_>, reference: &Reference) -> Option<String> {
    let behind = document.text().get(reference.target.end as usize..)?;
    let is_alone = behind.trim_ascii_start().starts_with(b")");
    is_alone.then(|| lossy(&document.target(reference)))
}

/// Reports a path without a file, at its place.
fn report<'r>(
    context: &SceneContext<'_>,
    path: &str,
    (span, consequence): (Span, &'static str),
    reporter: &'r mut Reporter<'_>,
) -> &'r mut Diagnostic {
    let project = context.project;
    let quoted = quote(path.as_bytes());
    let message = match path.starts_with("uid://") {
        true => format!("no file of the project has the uid {quoted}"),
        false => format!("file {quoted} not found in the project"),
    };
    let diagnostic = reporter.report(span, message);
    diagnostic.consequence(consequence);
    name_cause(project, path, diagnostic);
    // To correct the path, all scripts are searched.
    if let Some(only) = project.only_file_named(name_of(path))
        && context.suggestions.spend()
    {
        let only = project.path(only);
        diagnostic.help(format!("the file may have moved to {}", quote(only.as_bytes())));
        let edit = Edit::replace(span, format!("\"{only}\""));
        let others = respell_path(project, path, only);
        let title = match others.as_slice() {
            [] => format!("refer to `{only}`"),
            [other] => format!("refer to `{only}`, in `{}` too", other.path),
            others => format!("refer to `{only}`, in {} other files too", others.len()),
        };
        let fix = Fix::new(title, Applicability::Unsafe, vec![edit]);
        diagnostic.fix(fix.with_other_files(others));
    } else if context.suggestions.spend()
        && let Some(near) = project.nearest_path(path)
    {
        diagnostic.help(format!("did you mean {}?", quote(near.as_bytes())));
    }
    diagnostic
}
