//! MIG001

use crate::context::Context;
use crate::godot_version::GodotVersion;
use crate::rules::{Reporter, declare_rule};

declare_rule! {
    /// ## What it does
    /// Reports files of Godot 3 and older (`format=2`, `format=1`) in a project for Godot 4.
    ///
    /// ## Why is this bad?
    /// Godot 4 reads these files and translates class names, but translates only some properties: it drops the other
    /// renamed properties without a warning. `MIG003` and `TREE015` report them. After you fix these, open the file in
    /// Godot 4 and save it. Use `--convert-3to4` only for whole Godot 3 projects, because in a Godot 4 project it also
    /// changes correct scripts and scenes.
    ///
    /// ## Example
    /// In a project for Godot 4.6:
    ///
    /// ```tscn
    /// [gd_scene format=2]
    ///
    /// [node name="A" type="Spatial"]
    /// ```
    ///
    /// ## Use instead
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [node name="A" type="Node3D"]
    /// ```
    ///
    /// ## References
    /// `ResourceLoaderText::open` (scene/resources/resource_format_text.cpp), Godot issue 78893
    "MIG001", "format-2", Info
}

fn check(context: &Context<'_>, reporter: &mut Reporter<'_>) {
    if !context.is_for(GodotVersion::godot4(0)) {
        return;
    }
    let Some(field) = context.header().and_then(|header| header.field("format")) else { return };
    if let Some(format @ (1 | 2)) = field.int() {
        let version = if format == 2 { "Godot 3" } else { "Godot 2" };
        let message = format!("the file was saved by {version}; open it in Godot 4 and save it");
        reporter
            .report(field.span(), message)
            .consequence("Godot 4 drops the renamed properties")
            .help("first fix the findings of `MIG003` and `TREE015`");
    }
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;

    use super::RULE;
    use crate::rules::tests::{clean, clean_for, node, rendered_for};

    #[test]
    fn formats() {
        let text = node("").replace("format=3", "format=2");
        clean(&RULE, &text);
        assert_snapshot!(rendered_for(&RULE, "4.6", &text), @"
        1:11-1:19 info: the file was saved by Godot 3; open it in Godot 4 and save it
            at: format=2
            so: Godot 4 drops the renamed properties
            help: first fix the findings of `MIG003` and `TREE015`
        ");
        clean_for(&RULE, "3.6", &text);
        clean_for(&RULE, "4.6", &node(""));
    }
}
