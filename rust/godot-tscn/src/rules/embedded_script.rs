//! SEC001

use crate::context::Context;
use crate::document::TagKind;
use crate::model::untrusted::{created_class, is_script_class};
use crate::quote::quote;
use crate::rules::{Reporter, declare_rule};

declare_rule! {
    /// ## What it does
    /// Reports scripts inside a scene or resource.
    ///
    /// ## Why is this bad?
    /// In an untrusted file, the script is a foreign program that runs as soon as Godot loads the file: Godot
    /// initializes static variables even if no node uses the script. In your own files, searches and script tools do
    /// not find the script, and diffs show it as one string.
    ///
    /// ## Example
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [sub_resource type="GDScript" id="1"]
    /// script/source = "extends Node"
    ///
    /// [node name="A" type="Node"]
    /// script = SubResource("1")
    /// ```
    ///
    /// ## Use instead
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [ext_resource type="Script" path="res://a.gd" id="1"]
    ///
    /// [node name="A" type="Node"]
    /// script = ExtResource("1")
    /// ```
    ///
    /// ## References
    /// `GDScript::reload` (modules/gdscript/gdscript.cpp)
    "SEC001", "embedded-script", Info
}

fn check(context: &Context<'_>, reporter: &mut Reporter<'_>) {
    for section in context.document.sections() {
        if !matches!(section.kind(), TagKind::GdResource | TagKind::SubResource) {
            continue;
        }
        let class = created_class(section).unwrap_or_default();
        if is_script_class(&class) {
            reporter
                .report(section.tag_span(), format!("the file contains a {}", quote(&class)))
                .consequence("Godot runs it when the file is loaded")
                .help("move it into a separate file");
        }
    }
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;

    use super::RULE;
    use crate::rules::tests::{clean, rendered};

    #[test]
    fn scripts() {
        let file = |class: &str| {
            format!(
                "[gd_resource type=\"{class}\" format=3]\n\n[sub_resource type=\"{class}\" id=\"1\"]\n[resource]\n"
            )
        };
        assert_snapshot!(rendered(&RULE, &file("LuaScript")), @r#"
        1:1-1:40 info: the file contains a `LuaScript`
            at: [gd_resource type="LuaScript" format=3]
            so: Godot runs it when the file is loaded
            help: move it into a separate file
        3:1-3:39 info: the file contains a `LuaScript`
            at: [sub_resource type="LuaScript" id="1"]
            so: Godot runs it when the file is loaded
            help: move it into a separate file
        "#);
        assert_snapshot!(rendered(&RULE, &file("GD\\u0053cript")), @r#"
        1:1-1:44 info: the file contains a `GDScript`
            at: [gd_resource type="GD\u0053cript" format=3]
            so: Godot runs it when the file is loaded
            help: move it into a separate file
        3:1-3:43 info: the file contains a `GDScript`
            at: [sub_resource type="GD\u0053cript" id="1"]
            so: Godot runs it when the file is loaded
            help: move it into a separate file
        "#);
        clean(&RULE, &file("Gradient"));
    }
}
