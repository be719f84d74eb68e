//! RES001

use tscn::{Applicability, Edit, Fix, Reporter, quote};

use crate::lint::SceneContext;
use crate::project::ResolvedPath;
use crate::res_path::name_of;
use crate::rules::declare_rule;
use crate::rules::referrers::respell_path;

declare_rule! {
    /// ## What it does
    /// Reports an `ext_resource` whose file is not in the project, neither by its uid nor by its path.
    ///
    /// ## Why is this bad?
    /// Godot loads the file without it: a property loses its value, an instance makes the scene unusable. The
    /// next save in the editor makes the loss permanent.
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
    /// Unsafe: that the only file of the same name is the one that was meant is a guess. Scripts, shaders and
    /// `project.godot` that name the old path between quotes are changed with the file.
    ///
    /// ## References
    /// `ResourceLoaderText::load` (scene/resources/resource_format_text.cpp)
    "RES001", "missing-file", Error, fixes_other_files
}

fn check(context: &SceneContext<'_>, reporter: &mut Reporter<'_>) {
    let project = context.project;
    for (resource, target) in context.facts.ext_resources.iter().zip(context.targets()) {
        let ResolvedPath::Missing(path) = target else { continue };
        // Another file of the same name but for case is what the rule `path-case-mismatch` speaks of.
        if !project.files_but_for_case(path).is_empty() {
            continue;
        }
        let Some(field) = context.section(resource.section).field("path") else { continue };
        let message = format!("file {} not found in the project", quote(path.as_bytes()));
        let diagnostic = reporter.report(field.value_span(), message);
        diagnostic.consequence("Godot drops what uses it, and the next save removes it");
        // To correct the path, all scripts are searched.
        if let Some(only) = project.only_file_named(name_of(path))
            && context.suggestions.spend()
        {
            let only = project.path(only);
            diagnostic.help(format!("the file may have moved to {}", quote(only.as_bytes())));
            let edit = Edit::replace(field.value_span(), format!("\"{only}\""));
            let others = respell_path(project, path, only);
            let title = match others.as_slice() {
                [] => format!("refer to `{only}`"),
                [other] => format!("refer to `{only}`, in `{}` too", other.path),
                others => format!("refer to `{only}`, in {} other files too", others.len()),
            };
            let fix = Fix::new(title, Applicability::Unsafe, vec![edit]);
            diagnostic.fix(fix.with_other_files(others));
            continue;
        }
        if context.suggestions.spend()
            && let Some(near) = project.nearest_path(path)
        {
            diagnostic.help(format!("did you mean {}?", quote(near.as_bytes())));
        }
    }
}
