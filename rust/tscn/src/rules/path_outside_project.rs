//! SEC004

use crate::document::{ReferenceKind, TagKind};
use crate::lint::Context;
use crate::model::untrusted::{is_listed, is_outside};
use crate::rules::{Findings, declare_rule};
use crate::span::Span;

declare_rule! {
    /// ## What it does
    /// Reports files that are named by a path which does not begin with `res://`, or has `..` in it.
    ///
    /// ## Why is this bad?
    /// A file of strangers may so have any file of the player's machine loaded and run, such as another
    /// one that they have sent. Whatever type the tag claims, a `.tres` or `.tscn` is loaded with
    /// all that is in it. `res://../` passes a look at the first letters.
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

fn check(context: &Context<'_>, findings: &mut Findings<'_>) {
    let mut look_at = |span: Span, path: &[u8]| {
        if is_outside(path) && !is_listed(context, path) {
            let message = format!("{} may be outside of the project", context.quote(span));
            findings
                .push(span, message)
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
    use super::RULE;
    use crate::rules::tests::check;

    #[test]
    fn paths() {
        let file = |path: &str| {
            format!("[gd_scene format=3]\n\n[ext_resource path=\"{path}\" type=\"A\" id=\"1\"]\n")
        };
        for path in ["res://a/b..c/d.png", "uid://abc"] {
            check(&RULE, &file(path), &[]);
        }
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
            check(
                &RULE,
                &file(path),
                &[&format!("3:20 `\"{path}\"` may be outside of the project")],
            );
        }
    }
}
