//! REF012

use hashbrown::HashMap;

use crate::context::Context;
use crate::diagnostic::{Applicability, Fix};
use crate::document::{Field, Reference, ReferenceKind, TagKind};
use crate::edit_set::Edit;
use crate::model::fresh_ids::FreshIds;
use crate::model::resource_ids::ResourceIds;
use crate::quote::quote;
use crate::rules::{Reporter, declare_rule};

declare_rule! {
    /// ## What it does
    /// Reports resource ids that are numbers, as Godot 3 wrote them. Off by default, because Godot 4 reads these ids
    /// and keeps them when it saves a file.
    ///
    /// ## Why is this bad?
    /// Two branches that each add a resource give it the same number, and a merge confuses them. The ids of Godot 4
    /// (`1_abcde`) do not clash.
    ///
    /// ## Example
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [ext_resource type="Script" path="res://a.gd" id="1"]
    ///
    /// [node name="A" type="Node"]
    /// script = ExtResource("1")
    /// ```
    ///
    /// ## Use instead
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [ext_resource type="Script" path="res://a.gd" id="1_abcde"]
    ///
    /// [node name="A" type="Node"]
    /// script = ExtResource("1_abcde")
    /// ```
    ///
    /// ## Fix safety
    /// Unsafe: other files may refer to the resource by its id. The id changes in the tag and in all references in this
    /// file.
    ///
    /// ## References
    /// `Resource::generate_scene_unique_id` (core/io/resource.cpp)
    "REF012", "numeric-id", Info, off_by_default
}

fn check(context: &Context<'_>, reporter: &mut Reporter<'_>) {
    let format = context.document.sections().next().and_then(|header| header.field("format"));
    if !matches!(format.and_then(Field::int), Some(3..)) {
        return;
    }
    check_kind(context, &context.ext_resources, ReferenceKind::ExtResource, reporter);
    check_kind(context, &context.sub_resources, ReferenceKind::SubResource, reporter);
}

fn check_kind(
    context: &Context<'_>,
    resources: &ResourceIds<'_>,
    kind: ReferenceKind,
    reporter: &mut Reporter<'_>,
) {
    let document = context.document;
    let mut uses: HashMap<_, Vec<&Reference>> = HashMap::new();
    for reference in document.references().iter().filter(|reference| reference.kind == kind) {
        uses.entry(document.target(reference)).or_default().push(reference);
    }
    let mut fresh = FreshIds::new(document, resources);
    let is_whole = !document.is_incomplete() && !context.hides_sections;
    for definition in &resources.definitions {
        let Some(field) = definition.section.field("id") else {
            continue;
        };
        if definition.id.is_empty() || !definition.id.iter().all(u8::is_ascii_digit) {
            continue;
        }
        let message = format!("the id {} is a number, as in Godot 3", quote(&definition.id));
        let diagnostic = reporter.report(field.value_span(), message);
        // Twice the same id is another rule's.
        if is_whole && definition.first.is_none() {
            let (tag, before) = match kind {
                ReferenceKind::ExtResource => (TagKind::ExtResource, definition.id.clone()),
                _ => {
                    let class = definition.section.field_text("type").unwrap_or_default();
                    (TagKind::SubResource, class)
                }
            };
            let id = fresh.id(tag, &String::from_utf8_lossy(&before));
            let uses = uses.get(&definition.id).into_iter().flatten();
            let spans = uses.map(|reference| reference.target).chain([field.value_span()]);
            let edits = spans.map(|span| Edit::replace(span, id.clone())).collect();
            let title = format!("write `{}`", id.trim_matches('"'));
            diagnostic.fix(Fix::new(title, Applicability::Unsafe, edits));
        }
    }
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;

    use super::RULE;
    use crate::rules::tests::{check_fix, clean, diagnostics, rendered};

    #[test]
    fn ids() {
        let file = |format: u8, id: &str| {
            format!(
                "[gd_scene format={format}]\n[sub_resource type=\"A\" id={id}]\n[node name=\"A\" type=\"Node\"]\n"
            )
        };
        assert_snapshot!(rendered(&RULE, &file(3, "1")), @r#"
        2:27-2:28 info: the id `1` is a number, as in Godot 3
            at: 1
            unsafe fix: write `A_dymbd`
              - [sub_resource type="A" id=1]
              + [sub_resource type="A" id="A_dymbd"]
        "#);
        assert_snapshot!(rendered(&RULE, &file(3, "\"1\"")), @r#"
        2:27-2:30 info: the id `1` is a number, as in Godot 3
            at: "1"
            unsafe fix: write `A_dymbd`
              - [sub_resource type="A" id="1"]
              + [sub_resource type="A" id="A_dymbd"]
        "#);
        clean(&RULE, &file(3, "\"A_1\""));
        clean(&RULE, &file(2, "1"));
    }

    #[test]
    fn fixes() {
        let file = |ext: &str, sub: &str| {
            format!(
                "[gd_scene format=3]\n\n[ext_resource type=\"A\" path=\"a\" id={ext}]\n\n\
                 [sub_resource type=\"Curve\" id={sub}]\n\n[node name=\"A\" type=\"Node\"]\n\
                 a = [ExtResource({ext}), SubResource({sub})]\nb = SubResource({sub})\n"
            )
        };
        let before = file("\"1\"", "1");
        let fixes = diagnostics(&RULE, before.as_bytes());
        let new = |index: usize| {
            let fix: &crate::Fix = fixes[index].fix.as_ref().unwrap();
            fix.edits()[0].replacement.clone()
        };
        assert!(new(0).starts_with("\"1_") && new(1).starts_with("\"Curve_"));
        check_fix(&RULE, &before, &file(&new(0), &new(1)));
    }
}
