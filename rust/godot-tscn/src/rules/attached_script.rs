//! SEC006

use hashbrown::HashSet;

use crate::context::Context;
use crate::document::{TagKind, ValueKind};
use crate::model::untrusted::{is_script_class, is_script_path};
use crate::quote::quote;
use crate::rules::{Reporter, declare_rule};
use crate::value::tree::ValueTree;

declare_rule! {
    /// ## What it does
    /// Reports every script and native library that a file lists, and every `script` that it attaches.
    ///
    /// ## Why is this bad?
    /// Godot loads a listed script and initializes its static variables even if nothing uses the script. An attached
    /// script runs with values that the author of the file chose, even if it is a script of the game.
    ///
    /// ## Example
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [ext_resource type="Script" path="res://a.gd" id="1"]
    ///
    /// [node name="A" type="Node"]
    /// script = ExtResource("1")
    /// ```
    ///
    /// ## Use instead
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [node name="A" type="Node"]
    /// ```
    ///
    /// ## References
    /// `ResourceLoaderText::load` (scene/resources/resource_format_text.cpp), `GDExtensionResourceLoader::load`
    /// (core/extension/gdextension.cpp)
    "SEC006", "attached-script", Info, off_by_default
}

fn check(context: &Context<'_>, reporter: &mut Reporter<'_>) {
    // Which of several files with one id counts depends on where it is used.
    let ambiguous: HashSet<&[u8]> =
        context.ext_resources.duplicates().map(|(second, _)| second.id.as_ref()).collect();
    for section in context.document.sections() {
        if section.kind() == TagKind::ExtResource {
            let path = section.field_text("path").unwrap_or_default();
            let class = section.field_text("type").unwrap_or_default();
            let is_script = is_script_class(&class) || is_script_path(&path);
            if is_script && !context.is_listed(&path) {
                reporter
                    .report(section.tag_span(), format!("{} is a script or library", quote(&path)))
                    .consequence("Godot loads it together with the file, even if nothing uses it");
            }
        }
        for property in section.properties() {
            let is_script = property.engine_key().as_ref() == b"script";
            if is_script
                && property.kind() != ValueKind::Null
                && !is_allowed(context, &ambiguous, property.source())
            {
                reporter
                    .report(property.key_span(), "a script is attached")
                    .consequence("Godot runs it when the file is loaded or instantiated");
            }
        }
    }
}

/// Whether the value is an `ExtResource` with a listed path.
fn is_allowed(context: &Context<'_>, ambiguous: &HashSet<&[u8]>, value: &[u8]) -> bool {
    let tree = ValueTree::new(value);
    let Some(id) = tree.root().inner_text("ExtResource") else { return false };
    let path = context.ext_resources.find(&id).and_then(|found| found.section.field_text("path"));
    !ambiguous.contains(id.as_ref()) && path.is_some_and(|path| context.is_listed(&path))
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;

    use super::RULE;
    use crate::rules::tests::{clean, node, rendered};

    #[test]
    fn files() {
        let file = |class: &str, path: &str| {
            format!(
                "[gd_scene format=3]\n\n[ext_resource path=\"{path}\" type=\"{class}\" id=\"1\"]\n"
            )
        };
        clean(&RULE, &file("Texture2D", "res://a.png"));
        let mut found = String::new();
        for (class, path) in
            [("", "res://a.GD"), ("GDScript", "res://a"), ("Resource", "res://a.gdextension")]
        {
            found += &rendered(&RULE, &file(class, path));
        }
        assert_snapshot!(found, @r#"
        3:1-3:48 info: `res://a.GD` is a script or library
            at: [ext_resource path="res://a.GD" type="" id="1"]
            so: Godot loads it together with the file, even if nothing uses it
        3:1-3:53 info: `res://a` is a script or library
            at: [ext_resource path="res://a" type="GDScript" id="1"]
            so: Godot loads it together with the file, even if nothing uses it
        3:1-3:65 info: `res://a.gdextension` is a script or library
            at: [ext_resource path="res://a.gdextension" type="Resource" id="1"]
            so: Godot loads it together with the file, even if nothing uses it
        "#);
    }

    #[test]
    fn properties() {
        assert_snapshot!(rendered(&RULE, &node("script = SubResource(\"1\")\n")), @"
        4:1-4:7 info: a script is attached
            at: script
            so: Godot runs it when the file is loaded or instantiated
        ");
        let found = rendered(&RULE, &node("\"s\\u0063ript\" = SubResource(\"1\")\n"));
        assert_snapshot!(found, @r#"
        4:1-4:14 info: a script is attached
            at: "s\u0063ript"
            so: Godot runs it when the file is loaded or instantiated
        "#);
        clean(&RULE, &node("script = null\nscript_1 = 1\n"));
    }
}
