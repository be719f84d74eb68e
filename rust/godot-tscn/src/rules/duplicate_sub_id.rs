//! REF005

use crate::context::Context;
use crate::document::ReferenceKind;
use crate::rules::duplicate_ext_id::report_duplicates;
use crate::rules::{Reporter, declare_rule};

declare_rule! {
    /// ## What it does
    /// Reports two `sub_resource` tags with the same id.
    ///
    /// ## Why is this bad?
    /// Godot keeps the first resource, and drops the type and the properties of the second. Merges produce such files.
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
    /// ## Fix safety
    /// Unsafe: the later resource gets a new id. Uses after it move to the new id if their name fits only its type:
    /// `shape` fits a `CircleShape2D`. All other uses keep the first resource, which may be wrong. If both sections are
    /// equal, the fix removes the later one.
    ///
    /// ## References
    /// `ResourceLoaderText::load` (scene/resources/resource_format_text.cpp): the second is found in the cache under
    /// the same path
    "REF005", "duplicate-sub-id", Error
}

fn check(context: &Context<'_>, reporter: &mut Reporter<'_>) {
    let consequence = "Godot keeps the first resource and drops the second";
    report_duplicates(context, ReferenceKind::SubResource, consequence, reporter);
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;

    use super::RULE;
    use crate::rules::tests::{check_fix, clean, diagnostics, rendered};

    #[test]
    fn ids() {
        let found = rendered(
            &RULE,
            "[gd_scene format=3]\n[sub_resource type=\"A\" path=\"a\" id=\"1\"]\n\
             [sub_resource type=\"A\" path=\"b\" id=1]\n[node name=\"A\" type=\"Node\"]\n",
        );
        assert_snapshot!(found, @r#"
        3:36-3:37 error: duplicate id `1`; give this resource its own id
            at: 1
            label 2:36-2:39: first defined here: "1"
            so: Godot keeps the first resource and drops the second
            unsafe fix: write `A_dymbd`
              - [sub_resource type="A" path="b" id=1]
              + [sub_resource type="A" path="b" id="A_dymbd"]
        "#);
    }

    #[test]
    fn an_external_and_an_internal_resource_may_share_an_id() {
        clean(
            &RULE,
            "[gd_scene format=2]\n[ext_resource type=\"A\" path=\"a\" id=1]\n\
             [sub_resource type=\"A\" id=1]\n[node name=\"A\" type=\"Node\"]\n",
        );
    }

    #[test]
    fn fixes() {
        let file = |id: &str, [gradient, shape, other]: [&str; 3]| {
            format!(
                "[gd_scene format=3]\n\n[sub_resource type=\"Gradient\" id=\"1\"]\n\n\
                 [sub_resource type=\"GradientTexture1D\" id=\"2\"]\ngradient = SubResource({gradient})\n\n\
                 [sub_resource type=\"BoxShape3D\" id={id}]\n\n\
                 [node name=\"A\" type=\"Node\"]\nshape = SubResource({shape})\n\
                 metadata/x = [SubResource({other}), SubResource(\"2\")]\n"
            )
        };
        let old = "\"1\"";
        let before = file(old, [old; 3]);
        let found = diagnostics(&RULE, before.as_bytes());
        let new = found[0].fix.as_ref().unwrap().edits()[0].replacement.clone();
        assert!(new.starts_with("\"BoxShape3D_"), "{new}");
        check_fix(&RULE, &before, &file(&new, [old, &new, old]));
    }

    #[test]
    fn numbers_of_godot_3() {
        let file = |id: u8, used: u8| {
            format!(
                "[gd_scene format=2]\n\n[sub_resource type=\"Curve\" id=1]\n\n\
                 [sub_resource type=\"Gradient\" id={id}]\n\n[node name=\"A\" type=\"Node\"]\n\
                 a/curve = SubResource( 1 )\na/gradient = SubResource( {used} )\n"
            )
        };
        check_fix(&RULE, &file(1, 1), &file(2, 2));
    }
}
