//! REF011

use crate::context::Context;
use crate::rules::{Reporter, declare_rule};

declare_rule! {
    /// ## What it does
    /// Reports an `ext_resource` that refers to the file itself, by uid or by path.
    ///
    /// ## Why is this bad?
    /// Godot reports that the resource does not exist, and drops everything that uses it: a scene cannot be an instance
    /// in itself.
    ///
    /// ## Example
    /// ```tscn
    /// [gd_scene format=3 uid="uid://b4gkfwf4i3ydl"]
    ///
    /// [ext_resource type="PackedScene" uid="uid://b4gkfwf4i3ydl" path="res://a.tscn" id="1"]
    ///
    /// [node name="A" type="Node"]
    ///
    /// [node name="B" parent="." instance=ExtResource("1")]
    /// ```
    ///
    /// ## Use instead
    /// ```tscn
    /// [gd_scene format=3 uid="uid://b4gkfwf4i3ydl"]
    ///
    /// [ext_resource type="PackedScene" uid="uid://cqq2j4h8p6vy1" path="res://b.tscn" id="1"]
    ///
    /// [node name="A" type="Node"]
    ///
    /// [node name="B" parent="." instance=ExtResource("1")]
    /// ```
    ///
    /// ## References
    /// `ResourceFormatSaverTextInstance::_write_resource` (scene/resources/resource_format_text.cpp)
    "REF011", "self-reference", Error
}

fn check(context: &Context<'_>, reporter: &mut Reporter<'_>) {
    let uid = context.document.sections().next().and_then(|header| header.field_text("uid"));
    for definition in &context.ext_resources.definitions {
        let section = definition.section;
        let own_uid = section.field("uid").filter(|field| uid.is_some() && field.text() == uid);
        let own_path = section.field("path").filter(|field| {
            let path = field.text();
            path.is_some_and(|path| context.path.is_some_and(|own| is_own(own, &path)))
        });
        // A uid with another target has priority.
        let found = own_uid.or(own_path.filter(|_| section.field("uid").is_none()));
        if let Some(field) = found {
            reporter
                .report(field.value_span(), "the file refers to itself; refer to another file")
                .consequence(
                    "Godot reports that the resource does not exist, and drops everything that uses it",
                );
        }
    }
}

/// Whether `path`, as it is in the file at `own`, is that file.
fn is_own(own: &str, path: &[u8]) -> bool {
    if own.starts_with("res://") && own.as_bytes() == path {
        return true;
    }
    // A path without `res://` is relative to the file.
    let name = own.rsplit(['/', '\\']).next().unwrap_or(own);
    !name.is_empty() && name.as_bytes() == path
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;

    use super::RULE;
    use crate::rules::tests::{clean_file, rendered_file};

    #[test]
    fn paths() {
        let file = |path: &str| {
            format!(
                "[gd_scene format=3]\n[ext_resource type=\"A\" path=\"{path}\" id=\"1\"]\n\
                 [node name=\"A\" type=\"Node\"]\n"
            )
        };
        let found = rendered_file(&RULE, "res://b/a.tscn", &file("res://b/a.tscn"));
        assert_snapshot!(found, @r#"
        2:29-2:45 error: the file refers to itself; refer to another file
            at: "res://b/a.tscn"
            so: Godot reports that the resource does not exist, and drops everything that uses it
        "#);
        assert_snapshot!(rendered_file(&RULE, "b/a.tscn", &file("a.tscn")), @r#"
        2:29-2:37 error: the file refers to itself; refer to another file
            at: "a.tscn"
            so: Godot reports that the resource does not exist, and drops everything that uses it
        "#);
        clean_file(&RULE, "b/a.tscn", &file("res://b/a.tscn"));
        clean_file(&RULE, "res://b/a.tscn", &file("res://a.tscn"));
    }
}
