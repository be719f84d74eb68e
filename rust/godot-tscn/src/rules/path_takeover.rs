//! SEC010

use crate::context::Context;
use crate::document::Section;
use crate::rules::{Reporter, declare_rule};

declare_rule! {
    /// ## What it does
    /// Reports the property `resource_path`, which gives a resource inside the file the path of another file.
    ///
    /// ## Why is this bad?
    /// While the resource exists, loading that path returns this resource instead of the file. So an attacker can
    /// replace a scene or setting of the game. Godot never writes the property.
    ///
    /// ## Example
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [sub_resource type="Gradient" id="1"]
    /// resource_path = "res://settings.tres"
    ///
    /// [node name="A" type="Node"]
    /// metadata/x = SubResource("1")
    /// ```
    ///
    /// ## Use instead
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [sub_resource type="Gradient" id="1"]
    ///
    /// [node name="A" type="Node"]
    /// metadata/x = SubResource("1")
    /// ```
    ///
    /// ## References
    /// `Resource::set_path` (core/io/resource.cpp)
    "SEC010", "path-takeover", Info
}

fn check(context: &Context<'_>, reporter: &mut Reporter<'_>) {
    if !context.facts.has_resource_paths {
        return;
    }
    for property in context.document.sections().flat_map(Section::properties) {
        let is_path = property.engine_key().as_ref() == b"resource_path";
        if is_path && property.source() != b"\"\"" {
            let path = context.quote(property.value_span());
            reporter
                .report(property.key_span(), format!("the resource takes the path {path}"))
                .consequence("Godot then returns this resource whenever that file is loaded");
        }
    }
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;

    use super::RULE;
    use crate::rules::tests::{clean, node, rendered};

    #[test]
    fn paths() {
        clean(&RULE, &node("resource_path = \"\"\nresource_name = \"a\"\n"));
        assert_snapshot!(rendered(&RULE, &node("resource_path = \"res://a\"\n")), @r#"
        4:1-4:14 info: the resource takes the path `"res://a"`
            at: resource_path
            so: Godot then returns this resource whenever that file is loaded
        "#);
        let found = rendered(&RULE, &node("\"resource_pat\\u0068\" = \"res://a\"\n"));
        assert_snapshot!(found, @r#"
        4:1-4:21 info: the resource takes the path `"res://a"`
            at: "resource_pat\u0068"
            so: Godot then returns this resource whenever that file is loaded
        "#);
    }
}
