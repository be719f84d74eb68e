//! RES010

use godot_project::{ResolvedPath, SceneContext};
use godot_tscn::{Reporter, quote};

use crate::rules::declare_rule;

declare_rule! {
    /// ## What it does
    /// Reports an `ext_resource` whose file exists, but Godot's editor ignores it: the file is in a folder with a
    /// `.gdignore` file or its own `project.godot`, or in a hidden folder.
    ///
    /// ## Why is this bad?
    /// The editor does not import or export the file, and does not update references when the file is moved.
    ///
    /// ## Example
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [ext_resource type="Script" path="res://ignored/tool.gd" id="1"]
    ///
    /// [node name="A" type="Node"]
    /// script = ExtResource("1")
    /// ```
    /// where the folder `ignored` contains a file `.gdignore`.
    ///
    /// ## Use instead
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [ext_resource type="Script" path="res://tools/tool.gd" id="1"]
    ///
    /// [node name="A" type="Node"]
    /// script = ExtResource("1")
    /// ```
    ///
    /// ## References
    /// `EditorFileSystem::_should_skip_directory` (editor/file_system/editor_file_system.cpp)
    "RES010", "refers-to-ignored", Warning
}

fn check(context: &SceneContext<'_>, reporter: &mut Reporter<'_>) {
    for (resource, target) in context.facts.ext_resources.iter().zip(context.targets()) {
        let ResolvedPath::Unseen(path) = target else { continue };
        let Some(field) = context.section(resource.section).field("path") else { continue };
        let message = format!(
            "Godot ignores the folder of {}; move the file or refer to another one",
            quote(path.as_bytes())
        );
        reporter
            .report(field.value_span(), message)
            .consequence("the file is neither imported nor exported");
    }
}
