//! SEC003

use crate::context::Context;
use crate::document::ReferenceKind;
use crate::rules::{Reporter, declare_rule};

declare_rule! {
    /// ## What it does
    /// Reports `Resource("…")`, which loads a file while Godot reads the value. For your own files,
    /// `inline-resource-path` checks this.
    ///
    /// ## Why is this bad?
    /// The path can be any file: a script that runs at once, or an unchecked scene. It also works in tags, even in the
    /// first tag, which the editor reads in every file that it finds.
    ///
    /// ## Example
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [node name="A" type="Node"]
    /// metadata/x = Resource("user://a.gd")
    /// ```
    ///
    /// ## Use instead
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [ext_resource type="Texture2D" path="res://a.png" id="1"]
    ///
    /// [node name="A" type="Node"]
    /// metadata/x = ExtResource("1")
    /// ```
    ///
    /// ## References
    /// `VariantParser::parse_value` (core/variant/variant_parser.cpp)
    "SEC003", "inline-resource-load", Info, off_by_default
}

fn check(context: &Context<'_>, reporter: &mut Reporter<'_>) {
    for reference in context.document.references() {
        let is_inline = reference.kind == ReferenceKind::Resource;
        if is_inline && !context.is_listed(&context.document.target(reference)) {
            let path = context.quote(reference.target);
            reporter.report(reference.target, format!("the value loads {path}")).consequence(
                "Godot loads the file while it reads the value, whatever the file contains",
            );
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
        let header = node("").replace("format=3", "x=Resource(\"a\") format=3");
        assert_snapshot!(rendered(&RULE, &header), @r#"
        1:22-1:25 info: the value loads `"a"`
            at: "a"
            so: Godot loads the file while it reads the value, whatever the file contains
        "#);
        let typed = "a = Dictionary[Resource(\"b\"), int]({})\n";
        assert_snapshot!(rendered(&RULE, &node(typed)), @r#"
        4:25-4:28 info: the value loads `"b"`
            at: "b"
            so: Godot loads the file while it reads the value, whatever the file contains
        "#);
        clean(&RULE, &node("a = Array[Resource]([])\n"));
    }
}
