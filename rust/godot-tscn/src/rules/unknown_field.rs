//! STR006

use crate::context::Context;
use crate::diagnostic::{Applicability, Fix, Severity};
use crate::document::TagKind;
use crate::edit_set::Edit;
use crate::godot_version::GodotVersion;
use crate::model::field_name::FieldName;
use crate::quote::quote;
use crate::rules::{Reporter, declare_rule};

declare_rule! {
    /// ## What it does
    /// Reports an unknown field of a tag, usually a misspelled name.
    ///
    /// ## Why is this bad?
    /// Godot ignores it without a warning, so its value is lost.
    ///
    /// ## Example
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [node name="A" type="Node" group=["a"]]
    /// ```
    ///
    /// ## Use instead
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [node name="A" type="Node" groups=["a"]]
    /// ```
    ///
    /// ## Fix safety
    /// Unsafe: Godot ignored the field before, and the corrected field changes the loaded scene.
    ///
    /// ## References
    /// `ResourceLoaderText::load`, `_parse_node_tag` (scene/resources/resource_format_text.cpp)
    "STR006", "unknown-field", Warning
}

fn check(context: &Context<'_>, reporter: &mut Reporter<'_>) {
    for section in context.document.sections() {
        if section.is_broken() || section.kind() == TagKind::Unknown {
            continue;
        }
        for (field, name) in context.named_fields(section) {
            let kind = section.kind_of_name();
            if name.is_some_and(|name| name.is_in(kind)) {
                continue;
            }
            if name.is_some_and(|name| is_of_scene_class(context, kind, name)) {
                let name = context.quote(field.name_span());
                let message = format!(
                    "gdscene does not know whether this version of Godot reads {name} of a scene"
                );
                reporter.report(field.name_span(), message).severity = Severity::Info;
                continue;
            }
            let tag = context.quote(section.name_span());
            let name = context.quote(field.name_span());
            // An existing field was hardly meant.
            let free = FieldName::all_in(section.kind_of_name())
                .filter(|known| section.field(known).is_none());
            let meant = context.nearest(field.name(), free.map(str::as_bytes));
            let advice = match meant {
                Some(meant) => format!("did you mean {}?", quote(meant)),
                None => "remove it".to_owned(),
            };
            let message = format!("{tag} has no field {name}; {advice}");
            let diagnostic = reporter.report(field.name_span(), message);
            diagnostic.consequence("Godot ignores it");
            if let Some(meant) = meant.and_then(|meant| std::str::from_utf8(meant).ok()) {
                let edits = vec![Edit::replace(field.name_span(), meant)];
                let title = format!("write `{meant}`");
                diagnostic.fix(Fix::new(title, Applicability::Unsafe, edits));
            }
        }
    }
}

/// Whether the field says that the scene itself is of another class than `PackedScene`. GH-122180 adds these two, and was open when 4.8 was
/// read.
fn is_of_scene_class(context: &Context<'_>, kind: TagKind, name: FieldName) -> bool {
    kind == TagKind::GdScene
        && matches!(name, FieldName::Type | FieldName::ScriptClass)
        && context.is_for(GodotVersion::godot4(8))
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;

    use super::RULE;
    use crate::rules::tests::{check_fix, node, rendered, rendered_for};

    #[test]
    fn fields() {
        let found = rendered(
            &RULE,
            &node(
                "[node nam=\"B\" type=\"Node\" parent=\".\" x=1]\n[editable path=\"B\" type=\"A\"]\n",
            ),
        );
        assert_snapshot!(found, @r#"
        4:7-4:10 warning: `node` has no field `nam`; did you mean `name`?
            at: nam
            so: Godot ignores it
            unsafe fix: write `name`
              - [node nam="B" type="Node" parent="." x=1]
              + [node name="B" type="Node" parent="." x=1]
        4:38-4:39 warning: `node` has no field `x`; remove it
            at: x
            so: Godot ignores it
        5:20-5:24 warning: `editable` has no field `type`; remove it
            at: type
            so: Godot ignores it
        "#);
    }

    #[test]
    fn class_of_the_scene() {
        let scene = "[gd_scene type=\"PackedScene\" script_class=\"Level\" format=3]\n\n[node name=\"A\" type=\"Node\"]\n";
        let found = rendered_for(&RULE, "4.8", scene);
        assert!(
            found
                .contains("info: gdscene does not know whether this version of Godot reads `type`"),
            "{found}"
        );
        assert!(!found.contains("remove it"), "{found}");
        assert!(
            rendered_for(&RULE, "4.7", scene).contains("`gd_scene` has no field `script_class`")
        );
    }

    #[test]
    fn fixes() {
        check_fix(
            &RULE,
            &node("[node nam=\"B\" type=\"Node\" parent=\".\"]\n"),
            &node("[node name=\"B\" type=\"Node\" parent=\".\"]\n"),
        );
    }
}
