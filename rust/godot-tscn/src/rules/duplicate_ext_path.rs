//! REF006

use hashbrown::HashMap;

use crate::context::Context;
use crate::diagnostic::{Applicability, Fix};
use crate::document::ReferenceKind;
use crate::edit_set::Edit;
use crate::model::resource_ids::Definition;
use crate::quote::quote;
use crate::removal::line_to_remove;
use crate::rules::{Reporter, declare_rule};

declare_rule! {
    /// ## What it does
    /// Reports two `ext_resource` tags of the same type for the same file.
    ///
    /// ## Why is this bad?
    /// The file lists the same resource under two ids. Merges produce such files; the next save in the editor combines
    /// the tags.
    ///
    /// ## Example
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [ext_resource type="Script" path="res://a.gd" id="1"]
    /// [ext_resource type="Script" path="res://a.gd" id="2"]
    ///
    /// [node name="A" type="Node"]
    /// metadata/x = ExtResource("1")
    /// metadata/y = ExtResource("2")
    /// ```
    ///
    /// ## Use instead
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [ext_resource type="Script" path="res://a.gd" id="1"]
    ///
    /// [node name="A" type="Node"]
    /// metadata/x = ExtResource("1")
    /// metadata/y = ExtResource("1")
    /// ```
    ///
    /// ## Fix safety
    /// Safe: both ids lead to the same resource.
    ///
    /// ## References
    /// `ResourceLoaderText::load` (scene/resources/resource_format_text.cpp)
    "REF006", "duplicate-ext-path", Warning
}

fn check(context: &Context<'_>, reporter: &mut Reporter<'_>) {
    let document = context.document;
    let mut by_file: HashMap<_, &Definition<'_>> = HashMap::new();
    for definition in &context.ext_resources.definitions {
        let section = definition.section;
        let (Some(path), Some(field)) = (section.field_text("path"), section.field("path")) else {
            continue;
        };
        if definition.first.is_some() || section.is_broken() {
            continue;
        }
        let key = (path.clone(), section.field_text("type"), section.field_text("uid"));
        let first = *by_file.entry(key).or_insert(definition);
        if first.section.index() == section.index() {
            continue;
        }
        let diagnostic = reporter
            .report(field.value_span(), format!("{} is listed twice; keep one", quote(&path)));
        diagnostic.label(first.section.tag_span(), "first listed here");
        if !document.is_incomplete() && !context.hides_sections {
            let edits = merged(context, definition, first);
            diagnostic.fix(Fix::new("use the first tag everywhere", Applicability::Safe, edits));
        }
    }
}

/// Lets everything that refers to `second` refer to `first`, and removes its tag.
fn merged(context: &Context<'_>, second: &Definition<'_>, first: &Definition<'_>) -> Vec<Edit> {
    let document = context.document;
    let tag = line_to_remove(document.text(), second.section.tag_span());
    let mut edits = vec![Edit::remove(tag)];
    let Some(id) = first.section.field("id") else {
        return edits;
    };
    let id = String::from_utf8_lossy(id.source());
    for reference in document.references() {
        if reference.kind == ReferenceKind::ExtResource
            && document.target(reference).as_ref() == second.id.as_ref()
        {
            edits.push(Edit::replace(reference.target, id.as_ref()));
        }
    }
    edits
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;

    use super::RULE;
    use crate::rules::tests::{check_fix, clean, rendered};

    #[test]
    fn files() {
        let file = |second: &str, used: &str| {
            format!(
                "[gd_scene format=3]\n\n[ext_resource type=\"A\" path=\"res://a\" id=\"1\"]\n{second}\n\
                 [node name=\"A\" type=\"Node\"]\na = ExtResource(\"1\")\nb = [ExtResource({used})]\n"
            )
        };
        let second = "[ext_resource type=\"A\" path=\"res://a\" id=2]\n";
        assert_snapshot!(rendered(&RULE, &file(second, "2")), @r#"
        4:29-4:38 warning: `res://a` is listed twice; keep one
            at: "res://a"
            label 3:1-3:46: first listed here: [ext_resource type="A" path="res://a" id="1"]
            safe fix: use the first tag everywhere
              - [ext_resource type="A" path="res://a" id=2]
              - b = [ExtResource(2)]
              + b = [ExtResource("1")]
        "#);
        check_fix(&RULE, &file(second, "2"), &file("", "\"1\""));
        let other = "[ext_resource type=\"A\" path=\"res://b\" id=2]\n";
        clean(&RULE, &file(other, "2"));
    }
}
