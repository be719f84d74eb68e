//! STY004

use crate::context::Context;
use crate::diagnostic::Applicability;
use crate::document::Section;
use crate::removal::remove_property;
use crate::rules::{Reporter, declare_rule};

declare_rule! {
    /// ## What it does
    /// Reports `metadata/_custom_type_script`. The editor stores it for a node or resource that was created as a custom
    /// type of the project.
    ///
    /// ## Why is this bad?
    /// The metadata records how the node was created, not what the node is, and causes unrelated changes in diffs.
    ///
    /// ## Example
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [node name="A" type="Node"]
    /// metadata/_custom_type_script = "uid://b5xrlvvn3jtqx"
    /// ```
    ///
    /// ## Use instead
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [node name="A" type="Node"]
    /// ```
    ///
    /// ## Fix safety
    /// Unsafe: the editor no longer shows the type's icon, and no longer prevents detaching its script.
    ///
    /// ## References
    /// `PropertyUtils::assign_custom_type_script` (scene/property_utils.cpp), Godot issue 114853
    "STY004", "custom-type-script-metadata", Info, off_by_default
}

fn check(context: &Context<'_>, reporter: &mut Reporter<'_>) {
    if !context.facts.has_private_metadata {
        return;
    }
    let document = context.document;
    for property in document.sections().flat_map(Section::properties) {
        if property.key().as_ref() != b"metadata/_custom_type_script" {
            continue;
        }
        let message = "`_custom_type_script` is for the editor only; remove it";
        let fix = remove_property(document, property, Applicability::Unsafe);
        reporter.report(property.key_span(), message).fix(fix);
    }
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;

    use super::RULE;
    use crate::rules::tests::{check_fix, node, rendered};

    #[test]
    fn metadata() {
        let text = node("metadata/_custom_type_script = \"uid://b\"\na = 1\n");
        assert_snapshot!(rendered(&RULE, &text), @r#"
        4:1-4:29 info: `_custom_type_script` is for the editor only; remove it
            at: metadata/_custom_type_script
            unsafe fix: remove the property
              - metadata/_custom_type_script = "uid://b"
        "#);
        check_fix(&RULE, &text, &node("a = 1\n"));
    }
}
