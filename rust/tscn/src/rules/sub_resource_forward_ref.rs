//! REF003

use crate::document::ReferenceKind;
use crate::lint::{Context, quote};
use crate::rules::{Findings, declare_rule};

declare_rule! {
    /// ## What it does
    /// Reports `SubResource("…")` in a section before the one that defines the id.
    ///
    /// ## Why is this bad?
    /// Godot reads the file once from top to bottom and refuses an id that it has not seen.
    ///
    /// ## Example
    /// ```tscn
    /// [gd_resource type="Resource" format=3]
    ///
    /// [sub_resource type="GradientTexture1D" id="a"]
    /// gradient = SubResource("b")
    ///
    /// [sub_resource type="Gradient" id="b"]
    ///
    /// [resource]
    /// metadata/x = SubResource("a")
    /// ```
    ///
    /// ## Use instead
    /// ```tscn
    /// [gd_resource type="Resource" format=3]
    ///
    /// [sub_resource type="Gradient" id="b"]
    ///
    /// [sub_resource type="GradientTexture1D" id="a"]
    /// gradient = SubResource("b")
    ///
    /// [resource]
    /// metadata/x = SubResource("a")
    /// ```
    ///
    /// ## References
    /// `ResourceLoaderText::_parse_sub_resource` (scene/resources/resource_format_text.cpp)
    "REF003", "sub-resource-forward-ref", Error
}

fn check(context: &Context<'_>, findings: &mut Findings<'_>) {
    for reference in context.document.references() {
        if reference.kind != ReferenceKind::SubResource {
            continue;
        }
        let id = context.document.target(reference);
        let Some(definition) = context.sub_resources.find(&id) else {
            continue;
        };
        // A resource may refer to itself: it exists before its properties are read.
        if reference.section.is_some_and(|section| section >= definition.section.index()) {
            continue;
        }
        let message =
            format!("{} is used before its definition; move the definition up", quote(&id));
        findings
            .push(reference.target, message)
            .label(definition.section.tag_span(), "defined here")
            .consequence("Godot refuses the file");
    }
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::rules::tests::check;

    #[test]
    fn order() {
        check(
            &RULE,
            "[gd_scene format=3]\n[sub_resource type=\"A\" id=\"a\"]\nx = SubResource(\"b\")\n\
             y = SubResource(\"a\")\n[sub_resource type=\"B\" id=\"b\"]\nx = SubResource(\"a\")\n\
             [node name=\"A\" type=\"Node\"]\nx = SubResource(\"b\")\n",
            &["3:17 `b` is used before its definition; move the definition up"],
        );
    }
}
