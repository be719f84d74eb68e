//! REF002

use crate::context::Context;
use crate::document::{ReferenceKind, TagKind};
use crate::quote::quote;
use crate::rules::undefined_ext_id::{suggest, undefined};
use crate::rules::{Reporter, declare_rule};

declare_rule! {
    /// ## What it does
    /// Reports `SubResource("…")` with an id that no `sub_resource` defines.
    ///
    /// ## Why is this bad?
    /// Godot does not load the file and prints only `Invalid parameter`.
    ///
    /// ## Example
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [node name="A" type="CollisionShape2D"]
    /// shape = SubResource("CircleShape2D_a")
    /// ```
    ///
    /// ## Use instead
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [sub_resource type="CircleShape2D" id="CircleShape2D_a"]
    ///
    /// [node name="A" type="CollisionShape2D"]
    /// shape = SubResource("CircleShape2D_a")
    /// ```
    ///
    /// ## References
    /// `ResourceLoaderText::_parse_sub_resource` (scene/resources/resource_format_text.cpp)
    "REF002", "undefined-sub-id", Error
}

fn check(context: &Context<'_>, reporter: &mut Reporter<'_>) {
    for (reference, id) in undefined(context, ReferenceKind::SubResource, &context.sub_resources) {
        let message = format!(
            "`sub_resource` with the id {} not found; add it or correct the id",
            quote(&id)
        );
        let diagnostic = reporter.report(reference.target, message);
        diagnostic.consequence("Godot does not load the file");
        if context.ext_resources.find(&id).is_some() {
            diagnostic.help("an `ext_resource` has this id: did you mean `ExtResource`?");
        } else {
            suggest(context, diagnostic, &id, &context.sub_resources, TagKind::SubResource);
        }
    }
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;

    use super::RULE;
    use crate::rules::tests::{node, rendered};

    #[test]
    fn ids() {
        assert_snapshot!(rendered(&RULE, &node("a = {\"b\": SubResource(\"x\")}\n")), @r#"
        4:23-4:26 error: `sub_resource` with the id `x` not found; add it or correct the id
            at: "x"
            so: Godot does not load the file
        "#);
    }
}
