//! RES006

use godot_project::{ResolvedPath, SceneContext, resolve_path};
use godot_tscn::{Applicability, Edit, Fix, Reporter, Severity, quote};

use crate::rules::declare_rule;

declare_rule! {
    /// ## What it does
    /// Reports a path that differs from the file's real name only in upper and lower case.
    ///
    /// ## Why is this bad?
    /// On Windows and macOS, Godot finds the file while the game runs from the editor. In an exported game, and on
    /// other systems, it does not. If the tag also has the file's uid, Godot finds the file by its uid everywhere, but
    /// people and other programs do not. The finding is then only a warning.
    ///
    /// ## Example
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [ext_resource type="Script" path="res://Player.gd" id="1"]
    ///
    /// [node name="A" type="Node"]
    /// script = ExtResource("1")
    /// ```
    /// for the file `player.gd`.
    ///
    /// ## Use instead
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [ext_resource type="Script" path="res://player.gd" id="1"]
    ///
    /// [node name="A" type="Node"]
    /// script = ExtResource("1")
    /// ```
    ///
    /// ## Fix safety
    /// Safe: Godot loads the same file, or could not load any file before.
    ///
    /// ## References
    /// `FileAccess::open` (core/io/file_access_pack.cpp)
    "RES006", "path-case-mismatch", Error
}

fn check(context: &SceneContext<'_>, reporter: &mut Reporter<'_>) {
    let project = context.project;
    for (resource, target) in context.facts.ext_resources.iter().zip(context.targets()) {
        let Some(path) = &resource.path else { continue };
        let Some(path) = resolve_path(context.path, path) else { continue };
        if project.file(&path).is_some() {
            continue;
        }
        let found = project.files_but_for_case(&path);
        let [first, ..] = found else { continue };
        let (file, severity, consequence) = match target {
            // By its uid.
            ResolvedPath::File(file) if found.contains(file) => {
                (*file, Severity::Warning, "Godot finds it only by its uid")
            }
            ResolvedPath::Missing(_) => {
                (*first, Severity::Error, "Godot finds it only on file systems that ignore case")
            }
            _ => continue,
        };
        let name = project.path(file);
        let Some(field) = context.section(resource.section).field("path") else { continue };
        let message = format!("the file is called {}", quote(name.as_bytes()));
        let edit = Edit::replace(field.value_span(), format!("\"{name}\""));
        let diagnostic = reporter.report(field.value_span(), message);
        diagnostic.severity = severity;
        diagnostic.consequence(consequence).fix(Fix::new(
            format!("write `{name}`"),
            Applicability::Safe,
            vec![edit],
        ));
    }
}
