//! SEC004

use crate::context::Context;
use crate::document::{ReferenceKind, TagKind};
use crate::model::untrusted::is_outside;
use crate::rules::{Reporter, declare_rule};
use crate::span::Span;

declare_rule! {
    /// ## What it does
    /// Reports file paths that do not begin with `res://`, or contain `..`.
    ///
    /// ## Why is this bad?
    /// With such a path, an untrusted file can load and run any file on the player's machine, such as another file of
    /// the same author. Godot loads a `.tres` or `.tscn` with all its content, regardless of the type in the tag.
    /// `res://../` passes a check of the first letters.
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
            let message = format!("{} may be outside the project", context.quote(span));
            reporter
                .report(span, message)
                .consequence("Godot loads any file at this path, and runs its code");
        }
    };
    for section in context.document.sections() {
        let field = match section.kind_of_name() {
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
        3:20-3:24 info: `"/a"` may be outside the project
            at: "/a"
            so: Godot loads any file at this path, and runs its code
        3:20-3:23 info: `"a"` may be outside the project
            at: "a"
            so: Godot loads any file at this path, and runs its code
        3:20-3:30 info: `"user://a"` may be outside the project
            at: "user://a"
            so: Godot loads any file at this path, and runs its code
        3:20-3:31 info: `"file:///a"` may be outside the project
            at: "file:///a"
            so: Godot loads any file at this path, and runs its code
        3:20-3:26 info: `"C:/a"` may be outside the project
            at: "C:/a"
            so: Godot loads any file at this path, and runs its code
        3:20-3:29 info: `"RES://a"` may be outside the project
            at: "RES://a"
            so: Godot loads any file at this path, and runs its code
        3:20-3:28 info: `"res:/a"` may be outside the project
            at: "res:/a"
            so: Godot loads any file at this path, and runs its code
        3:20-3:34 info: `"res://a/../b"` may be outside the project
            at: "res://a/../b"
            so: Godot loads any file at this path, and runs its code
        3:20-3:36 info: `"res://a\\..\\b"` may be outside the project
            at: "res://a\\..\\b"
            so: Godot loads any file at this path, and runs its code
        3:20-3:30 info: `"res://.."` may be outside the project
            at: "res://.."
            so: Godot loads any file at this path, and runs its code
        3:20-3:22 info: `""` may be outside the project
            at: ""
            so: Godot loads any file at this path, and runs its code
        "#);
    }
}
