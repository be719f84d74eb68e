//! REF005

use crate::lint::Context;
use crate::rules::duplicate_ext_id::report_duplicates;
use crate::rules::{Findings, declare_rule};

declare_rule! {
    /// ## What it does
    /// Reports two `sub_resource` tags with one id.
    ///
    /// ## Why is this bad?
    /// Godot keeps the first resource and drops the type and the properties of the second.
    /// Such files come from merges.
    ///
    /// ## Example
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [sub_resource type="Gradient" id="1"]
    ///
    /// [sub_resource type="Curve" id="1"]
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
    /// [sub_resource type="Curve" id="2"]
    ///
    /// [node name="A" type="Node"]
    /// metadata/x = SubResource("1")
    /// metadata/y = SubResource("2")
    /// ```
    ///
    /// ## References
    /// `ResourceLoaderText::load` (scene/resources/resource_format_text.cpp): the second is found in the cache under the same path
    "REF005", "duplicate-sub-id", Error
}

fn check(context: &Context<'_>, findings: &mut Findings<'_>) {
    let consequence = "Godot keeps the first resource and drops the second";
    report_duplicates(&context.sub_resources, consequence, findings);
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::rules::tests::check;

    #[test]
    fn ids() {
        check(
            &RULE,
            "[gd_scene format=3]\n[sub_resource type=\"A\" path=\"a\" id=\"1\"]\n\
             [sub_resource type=\"A\" path=\"b\" id=1]\n[node name=\"A\" type=\"Node\"]\n",
            &["3:36 the id `1` is taken; give this resource its own"],
        );
    }

    #[test]
    fn an_external_and_an_internal_resource_may_share_an_id() {
        check(
            &RULE,
            "[gd_scene format=2]\n[ext_resource type=\"A\" path=\"a\" id=1]\n\
             [sub_resource type=\"A\" id=1]\n[node name=\"A\" type=\"Node\"]\n",
            &[],
        );
    }
}
