//! SEC001

use crate::context::Context;
use crate::document::TagKind;
use crate::model::untrusted::{created_class, is_script_class};
use crate::quote::quote;
use crate::rules::{Reporter, declare_rule};

declare_rule! {
    /// ## What it does
    /// Reports scripts inside of a scene or resource.
    ///
    /// ## Why is this bad?
    /// In an untrusted file it is a foreign program, which runs as soon as the file is loaded: static variables
    /// get their values even if nothing has the script attached. In a file of one's own it is not found by
    /// search, not checked by tools for scripts, and shown as one string in diffs.
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
                .report(section.tag_span(), format!("a {} is part of the file", quote(&class)))
                .consequence("Godot runs it when the file is loaded")
                .help("keep it in a file of its own");
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
        1:1-1:40 info: a `LuaScript` is part of the file
            at: [gd_resource type="LuaScript" format=3]
            so: Godot runs it when the file is loaded
            help: keep it in a file of its own
        3:1-3:39 info: a `LuaScript` is part of the file
            at: [sub_resource type="LuaScript" id="1"]
            so: Godot runs it when the file is loaded
            help: keep it in a file of its own
        "#);
        assert_snapshot!(rendered(&RULE, &file("GD\\u0053cript")), @r#"
        1:1-1:44 info: a `GDScript` is part of the file
            at: [gd_resource type="GD\u0053cript" format=3]
            so: Godot runs it when the file is loaded
            help: keep it in a file of its own
        3:1-3:43 info: a `GDScript` is part of the file
            at: [sub_resource type="GD\u0053cript" id="1"]
            so: Godot runs it when the file is loaded
            help: keep it in a file of its own
        "#);
        clean(&RULE, &file("Gradient"));
    }
}
