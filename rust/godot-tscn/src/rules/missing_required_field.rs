//! STR005

use crate::context::Context;
use crate::document::{Field, TagKind};
use crate::rules::{Reporter, declare_rule};

declare_rule! {
    /// ## What it does
    /// Reports tags without a field that Godot requires.
    ///
    /// ## Why is this bad?
    /// Godot does not load the file. For a `connection`, it does not even print the reason.
    ///
    /// ## Example
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [node name="A" type="Node"]
    ///
    /// [connection signal="ready" to="." method="_on_ready"]
    /// ```
    ///
    /// ## Use instead
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [node name="A" type="Node"]
    ///
    /// [connection signal="ready" from="." to="." method="_on_ready"]
    /// ```
    ///
    /// ## References
    /// `ResourceLoaderText::open`, `load`, `_parse_node_tag`
    /// (scene/resources/resource_format_text.cpp)
    "STR005", "missing-required-field", Error
}

fn check(context: &Context<'_>, reporter: &mut Reporter<'_>) {
    for section in context.document.sections() {
        if section.is_broken() {
            continue;
        }
        for &required in required_fields(section.kind_of_name()) {
            if section.field(required).is_some() {
                continue;
            }
            let tag = context.quote(section.name_span());
            let names = section.fields().map(Field::name);
            let unknown = names.filter(|name| !is_known(section.kind(), name));
            let diagnostic = reporter.report(
                section.tag_span(),
                format!("{tag} has no `{required}`; add `{required}=…`"),
            );
            diagnostic.consequence("Godot does not load the file");
            if let Some(similar) = context.nearest(required.as_bytes(), unknown) {
                diagnostic.help(format!("{} may be a misspelling", crate::quote::quote(similar)));
            }
        }
    }
}

/// The fields that a tag must have.
fn required_fields(kind: TagKind) -> &'static [&'static str] {
    match kind {
        TagKind::GdResource => &["type"],
        TagKind::ExtResource => &["path", "type", "id"],
        TagKind::SubResource => &["type", "id"],
        TagKind::Connection => &["signal", "from", "to", "method"],
        TagKind::Editable => &["path"],
        // A node's name is not required, and missed at the worst moment: see `node-without-name`.
        TagKind::GdScene
        | TagKind::Resource
        | TagKind::Node
        | TagKind::Nested
        | TagKind::Unknown => &[],
    }
}

fn is_known(kind: TagKind, name: &[u8]) -> bool {
    required_fields(kind).iter().any(|known| known.as_bytes() == name)
        || matches!(name, b"uid" | b"flags" | b"binds" | b"unbinds" | b"format" | b"load_steps")
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;

    use super::RULE;
    use crate::rules::tests::{clean, node, rendered};

    #[test]
    fn fields() {
        let found = rendered(
            &RULE,
            &node("[connection signal=\"ready\" form=\".\" to=\".\"]\n[editable]\n"),
        );
        assert_snapshot!(found, @r#"
        4:1-4:44 error: `connection` has no `from`; add `from=…`
            at: [connection signal="ready" form="." to="."]
            so: Godot does not load the file
            help: `form` may be a misspelling
        4:1-4:44 error: `connection` has no `method`; add `method=…`
            at: [connection signal="ready" form="." to="."]
            so: Godot does not load the file
        5:1-5:11 error: `editable` has no `path`; add `path=…`
            at: [editable]
            so: Godot does not load the file
        "#);
        let found =
            rendered(&RULE, "[gd_resource format=3]\n[ext_resource]\n[sub_resource]\n[resource]\n");
        assert_snapshot!(found, @"
        1:1-1:23 error: `gd_resource` has no `type`; add `type=…`
            at: [gd_resource format=3]
            so: Godot does not load the file
        2:1-2:15 error: `ext_resource` has no `path`; add `path=…`
            at: [ext_resource]
            so: Godot does not load the file
        2:1-2:15 error: `ext_resource` has no `type`; add `type=…`
            at: [ext_resource]
            so: Godot does not load the file
        2:1-2:15 error: `ext_resource` has no `id`; add `id=…`
            at: [ext_resource]
            so: Godot does not load the file
        3:1-3:15 error: `sub_resource` has no `type`; add `type=…`
            at: [sub_resource]
            so: Godot does not load the file
        3:1-3:15 error: `sub_resource` has no `id`; add `id=…`
            at: [sub_resource]
            so: Godot does not load the file
        ");
        clean(&RULE, &node(""));
    }
}
