//! SEC004

use crate::context::Context;
use crate::document::{ReferenceKind, TagKind};
use crate::model::untrusted::is_outside;
use crate::rules::{Reporter, declare_rule};
use crate::span::Span;

declare_rule! {
    /// ## What it does
    /// Reports files with a path that does not begin with `res://`, or contains `..`.
    ///
    /// ## Why is this bad?
    /// An untrusted file can thus load and run any file of the player's machine, such as another
    /// one of the same author. Whatever type the tag claims, a `.tres` or `.tscn` is loaded with
    /// all that is in it. `res://../` passes a check of the first letters.
    ///
    /// ## Example
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [ext_resource type="Texture2D" path="res://../a.tres" id="1"]
    ///
    /// [node name="A" type="Sprite2D"]
    /// texture = ExtResource("1")
    /// ```
    ///
    /// ## Use instead
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [ext_resource type="Texture2D" path="res://a.png" id="1"]
    ///
    /// [node name="A" type="Sprite2D"]
    /// texture = ExtResource("1")
    /// ```
    ///
    /// ## References
    /// `ResourceLoaderText::load` (scene/resources/resource_format_text.cpp)
    "SEC004", "path-outside-project", Info, off_by_default
}

fn check(context: &Context<'_>, reporter: &mut Reporter<'_>) {
    let mut look_at = |span: Span, path: &[u8]| {
        if is_outside(path) && !context.is_listed(path) {
            let message = format!("{} may be outside of the project", context.quote(span));
            reporter
                .report(span, message)
                .consequence("Godot loads whatever file is there, and runs what is in it");
        }
    };
    for section in context.document.sections() {
        let field = match section.kind() {
            TagKind::ExtResource => "path",
            TagKind::Node => "instance_placeholder",
            _ => continue,
        };
        if let Some((field, path)) =
            section.field(field).and_then(|field| Some((field, field.text()?)))
        {
            look_at(field.value_span(), &path);
        }
    }
    for reference in context.document.references() {
        if reference.kind == ReferenceKind::Resource {
            look_at(reference.target, &context.document.target(reference));
        }
    }
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;

    use super::RULE;
    use crate::rules::tests::{clean, rendered};

    #[test]
    fn paths() {
        let file = |path: &str| {
            format!("[gd_scene format=3]\n\n[ext_resource path=\"{path}\" type=\"A\" id=\"1\"]\n")
        };
        for path in ["res://a/b..c/d.png", "uid://abc"] {
            clean(&RULE, &file(path));
        }
        let mut found = String::new();
        for path in [
            "/a",
            "a",
            "user://a",
            "file:///a",
            "C:/a",
            "RES://a",
            "res:/a",
            "res://a/../b",
            "res://a\\\\..\\\\b",
            "res://..",
            "",
        ] {
            found += &rendered(&RULE, &file(path));
        }
        assert_snapshot!(found, @r#"
        3:20-3:24 info: `"/a"` may be outside of the project
            at: "/a"
            so: Godot loads whatever file is there, and runs what is in it
        3:20-3:23 info: `"a"` may be outside of the project
            at: "a"
            so: Godot loads whatever file is there, and runs what is in it
        3:20-3:30 info: `"user://a"` may be outside of the project
            at: "user://a"
            so: Godot loads whatever file is there, and runs what is in it
        3:20-3:31 info: `"file:///a"` may be outside of the project
            at: "file:///a"
            so: Godot loads whatever file is there, and runs what is in it
        3:20-3:26 info: `"C:/a"` may be outside of the project
            at: "C:/a"
            so: Godot loads whatever file is there, and runs what is in it
        3:20-3:29 info: `"RES://a"` may be outside of the project
            at: "RES://a"
            so: Godot loads whatever file is there, and runs what is in it
        3:20-3:28 info: `"res:/a"` may be outside of the project
            at: "res:/a"
            so: Godot loads whatever file is there, and runs what is in it
        3:20-3:34 info: `"res://a/../b"` may be outside of the project
            at: "res://a/../b"
            so: Godot loads whatever file is there, and runs what is in it
        3:20-3:36 info: `"res://a\\..\\b"` may be outside of the project
            at: "res://a\\..\\b"
            so: Godot loads whatever file is there, and runs what is in it
        3:20-3:30 info: `"res://.."` may be outside of the project
            at: "res://.."
            so: Godot loads whatever file is there, and runs what is in it
        3:20-3:22 info: `""` may be outside of the project
            at: ""
            so: Godot loads whatever file is there, and runs what is in it
        "#);
    }
}
