//! REF009

use std::borrow::Cow;
use std::cell::LazyCell;

use hashbrown::HashMap;

use crate::context::Context;
use crate::diagnostic::{Applicability, Fix};
use crate::document::ReferenceKind;
use crate::edit_set::Edit;
use crate::quote::quote;
use crate::rules::{Reporter, declare_rule};
use crate::span::Span;

declare_rule! {
    /// ## What it does
    /// Reports ids of internal resources that contain characters other than ASCII letters, digits and `_`.
    ///
    /// ## Why is this bad?
    /// Godot prints an error and gives the resource a new id at the next save, which causes a change in every diff.
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

fn check(context: &Context<'_>, reporter: &mut Reporter<'_>) {
    let uses = LazyCell::new(|| uses(context));
    // Who else uses the id, cannot be seen elsewhere; and a NUL in it ends the file for Godot.
    let is_whole = !context.document.is_incomplete() && !context.hides_sections;
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
            "the id is empty; give the resource an id".to_owned()
        } else {
            format!("the id {} contains characters other than letters, digits and `_`", quote(id))
        };
        let diagnostic = reporter.report(field.value_span(), message);
        diagnostic.consequence("Godot gives the resource a new id");
        let fixed: String = String::from_utf8_lossy(id)
            .chars()
            .map(|letter| if letter.is_ascii_alphanumeric() { letter } else { '_' })
            .collect();
        let is_free = context.sub_resources.find(fixed.as_bytes()).is_none();
        if is_whole && !fixed.is_empty() && is_free && definition.first.is_none() {
            let title = format!("write `{fixed}`");
            let uses = uses.get(&definition.id).into_iter().flatten();
            let spans = uses.copied().chain([field.value_span()]);
            let edits = spans.map(|span| Edit::replace(span, format!("\"{fixed}\""))).collect();
            diagnostic.fix(Fix::new(title, Applicability::Safe, edits));
        }
    }
}

/// Where each id is referred to.
fn uses<'d>(context: &Context<'d>) -> HashMap<Cow<'d, [u8]>, Vec<Span>> {
    let mut uses: HashMap<_, Vec<Span>> = HashMap::new();
    let references = context.document.references().iter();
    for reference in references.filter(|found| found.kind == ReferenceKind::SubResource) {
        uses.entry(context.document.target(reference)).or_default().push(reference.target);
    }
    uses
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;

    use super::RULE;
    use crate::rules::tests::{check_fix, clean, diagnostics, node, rendered};

    #[test]
    fn ids() {
        let file = |id: &str| {
            format!(
                "[gd_scene format=3]\n[sub_resource type=\"A\" id=\"{id}\"]\n[node name=\"A\" type=\"Node\"]\n\
                 a = SubResource(\"{id}\")\n"
            )
        };
        assert_snapshot!(rendered(&RULE, &file("a b")), @r#"
        2:27-2:32 warning: the id `a b` contains characters other than letters, digits and `_`
            at: "a b"
            so: Godot gives the resource a new id
            safe fix: write `a_b`
              - [sub_resource type="A" id="a b"]
              + [sub_resource type="A" id="a_b"]
              - a = SubResource("a b")
              + a = SubResource("a_b")
        "#);
        assert_snapshot!(rendered(&RULE, &file("")), @r#"
        2:27-2:29 warning: the id is empty; give the resource an id
            at: ""
            so: Godot gives the resource a new id
        "#);
        clean(&RULE, &file("A_1"));
        clean(&RULE, &node(""));
        check_fix(&RULE, &file("a-b"), &file("a_b"));
        // Godot reads the file up to there.
        assert!(diagnostics(&RULE, file("a\0b").as_bytes())[0].fix.is_none());
    }
}
