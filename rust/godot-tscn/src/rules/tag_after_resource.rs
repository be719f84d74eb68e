//! STR013

use crate::context::Context;
use crate::document::TagKind;
use crate::rules::{Reporter, declare_rule};

declare_rule! {
    /// ## What it does
    /// Reports tags after `[resource]`.
    ///
    /// ## Why is this bad?
    /// `[resource]` is the last tag of a resource file. Godot does not load a file with more tags.
    ///
    /// ## Example
    /// ```tscn
    /// [gd_resource type="Gradient" format=3]
    ///
    /// [resource]
    ///
    /// [sub_resource type="Gradient" id="Gradient_a"]
    /// ```
    ///
    /// ## Use instead
    /// ```tscn
    /// [gd_resource type="Gradient" format=3]
    ///
    /// [sub_resource type="Gradient" id="Gradient_a"]
    ///
    /// [resource]
    /// ```
    ///
    /// ## References
    /// `ResourceLoaderText::load` (scene/resources/resource_format_text.cpp)
    "STR013", "tag-after-resource", Error
}

fn check(context: &Context<'_>, reporter: &mut Reporter<'_>) {
    let mut sections = context.document.sections();
    if sections.next().is_none_or(|header| header.kind() != TagKind::GdResource) {
        return;
    }
    let Some(resource) = sections.find(|section| section.kind() == TagKind::Resource) else {
        return;
    };
    for section in sections {
        let tag = context.quote(section.name_span());
        reporter
            .report(
                section.tag_span(),
                format!("{tag} must be before `[resource]`; move it up or remove it"),
            )
            .label(resource.tag_span(), "the file ends with this section")
            .consequence("Godot does not load the file");
    }
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;

    use super::RULE;
    use crate::rules::tests::rendered;

    #[test]
    fn tags() {
        let found = rendered(
            &RULE,
            "[gd_resource type=\"Gradient\" format=3]\n[resource]\n[sub_resource type=\"X\" id=1]\n",
        );
        assert_snapshot!(found, @r#"
        3:1-3:29 error: `sub_resource` must be before `[resource]`; move it up or remove it
            at: [sub_resource type="X" id=1]
            label 2:1-2:11: the file ends with this section: [resource]
            so: Godot does not load the file
        "#);
    }
}
