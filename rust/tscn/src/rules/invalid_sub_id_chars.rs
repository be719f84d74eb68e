//! REF009

use crate::diagnostic::{Applicability, Edit, Fix};
use crate::document::{Field, ReferenceKind};
use crate::lint::{Context, quote};
use crate::model::resource_ids::Definition;
use crate::rules::{Findings, declare_rule};

declare_rule! {
    /// ## What it does
    /// Reports ids of internal resources with other characters than ASCII letters, digits and `_`.
    ///
    /// ## Why is this bad?
    /// Godot complains and gives the resource another id with the next save, which shows up in every diff.
    ///
    /// ## Example
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [sub_resource type="Resource" id="my-id"]
    ///
    /// [node name="A" type="Node"]
    /// metadata/x = SubResource("my-id")
    /// ```
    ///
    /// ## Use instead
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [sub_resource type="Resource" id="my_id"]
    ///
    /// [node name="A" type="Node"]
    /// metadata/x = SubResource("my_id")
    /// ```
    ///
    /// ## Fix safety
    /// Safe: the id changes in the tag and in all references.
    ///
    /// ## References
    /// `Resource::set_scene_unique_id` (core/io/resource.cpp)
    "REF009", "invalid-sub-id-chars", Warning
}

fn check(context: &Context<'_>, findings: &mut Findings<'_>) {
    for definition in &context.sub_resources.definitions {
        let id = &definition.id;
        let is_valid = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
        let Some(field) = definition.section.field("id") else {
            continue;
        };
        if definition.section.is_broken() || !id.is_empty() && id.iter().all(is_valid) {
            continue;
        }
        let message = if id.is_empty() {
            "the id is empty; give the resource one".to_owned()
        } else {
            format!("the id {} has characters other than letters, digits and `_`", quote(id))
        };
        let finding = findings.push(field.value_span(), message);
        finding.consequence("Godot gives the resource another id");
        let fixed: String = String::from_utf8_lossy(id)
            .chars()
            .map(|letter| if letter.is_ascii_alphanumeric() { letter } else { '_' })
            .collect();
        let is_free = context.sub_resources.find(fixed.as_bytes()).is_none();
        if !fixed.is_empty() && is_free && definition.first.is_none() {
            let title = format!("write `{fixed}`");
            let edits = renamed(context, definition, field, &format!("\"{fixed}\""));
            finding.fix(Fix::new(title, Applicability::Safe, edits));
        }
    }
}

fn renamed(
    context: &Context<'_>,
    definition: &Definition<'_>,
    field: Field<'_>,
    id: &str,
) -> Vec<Edit> {
    let document = context.document;
    let mut edits = vec![Edit::replace(field.value_span(), id)];
    for reference in document.references() {
        if reference.kind == ReferenceKind::SubResource
            && document.target(reference).as_ref() == definition.id.as_ref()
        {
            edits.push(Edit::replace(reference.target, id));
        }
    }
    edits
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::rules::tests::{check, check_fix, node};

    #[test]
    fn ids() {
        let file = |id: &str| {
            format!(
                "[gd_scene format=3]\n[sub_resource type=\"A\" id=\"{id}\"]\n[node name=\"A\" type=\"Node\"]\n\
                 a = SubResource(\"{id}\")\n"
            )
        };
        check(
            &RULE,
            &file("a b"),
            &["2:27 the id `a b` has characters other than letters, digits and `_`"],
        );
        check(&RULE, &file(""), &["2:27 the id is empty; give the resource one"]);
        check(&RULE, &file("A_1"), &[]);
        check(&RULE, &node(""), &[]);
        check_fix(&RULE, &file("a-b"), &file("a_b"));
    }
}
