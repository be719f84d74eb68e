//! PERF004

use std::borrow::Cow;

use hashbrown::HashMap;
use hashbrown::hash_map::Entry;

use crate::context::Context;
use crate::diagnostic::{Applicability, Fix};
use crate::document::{Document, ReferenceKind, Section};
use crate::edit_set::Edit;
use crate::model::resource_ids::Definition;
use crate::quote::quote;
use crate::rules::{Reporter, declare_rule};
use crate::span::Span;

declare_rule! {
    /// ## What it does
    /// Reports a `sub_resource` that is byte for byte equal to an earlier one of the same type. Ignores resources with
    /// `resource_local_to_scene`, resources without properties, and the parts of animation trees, visual shaders and
    /// OpenXR action maps.
    ///
    /// ## Why is this bad?
    /// Godot creates and keeps both. For example, two materials instead of one cause two state changes in each frame.
    ///
    /// ## Example
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [sub_resource type="CircleShape2D" id="1"]
    /// radius = 5.0
    ///
    /// [sub_resource type="CircleShape2D" id="2"]
    /// radius = 5.0
    ///
    /// [node name="A" type="CollisionShape2D"]
    /// shape = SubResource("1")
    ///
    /// [node name="B" type="CollisionShape2D" parent="."]
    /// shape = SubResource("2")
    /// ```
    ///
    /// ## Use instead
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [sub_resource type="CircleShape2D" id="1"]
    /// radius = 5.0
    ///
    /// [node name="A" type="CollisionShape2D"]
    /// shape = SubResource("1")
    ///
    /// [node name="B" type="CollisionShape2D" parent="."]
    /// shape = SubResource("1")
    /// ```
    ///
    /// ## Fix safety
    /// Unsafe: code that changes one of the resources at run time then changes both.
    ///
    /// ## References
    /// `ResourceLoaderText::load` (scene/resources/resource_format_text.cpp)
    "PERF004", "duplicate-sub-resource", Info
}

fn check(context: &Context<'_>, reporter: &mut Reporter<'_>) {
    let definitions = &context.sub_resources.definitions;
    if definitions.len() < 2 || context.document.is_incomplete() || context.hides_sections {
        return;
    }
    let text = context.document.text();
    let mut firsts: HashMap<Content<'_>, &Definition<'_>> =
        HashMap::with_capacity(definitions.len());
    let mut found = Vec::new();
    for definition in definitions.iter().filter(|definition| definition.first.is_none()) {
        let section = definition.section;
        let body = body(section).of(text);
        if body.is_empty() {
            continue;
        }
        match firsts.entry((section.field_text("type"), body)) {
            Entry::Vacant(entry) => drop(entry.insert(definition)),
            Entry::Occupied(first) if !section.is_broken() && may_be_shared(section) => {
                found.push((definition, *first.get()));
            }
            Entry::Occupied(_) => {}
        }
    }
    if found.is_empty() {
        return;
    }
    let uses = uses(context.document, found.iter().map(|(second, _)| &*second.id));
    for (second, first) in found {
        let uses = uses.get(&*second.id).map_or(&[][..], Vec::as_slice);
        report(reporter, second, first, uses);
    }
}

/// The class of a resource and all that it says.
type Content<'d> = (Option<Cow<'d, [u8]>>, &'d [u8]);

/// Where the `sub_resource` tags with these ids are used.
fn uses<'i>(
    document: &Document<'_>,
    ids: impl Iterator<Item = &'i [u8]>,
) -> HashMap<&'i [u8], Vec<Span>> {
    let mut uses: HashMap<&[u8], Vec<Span>> = ids.map(|id| (id, Vec::new())).collect();
    let references = document.references().iter();
    for reference in references.filter(|each| each.kind == ReferenceKind::SubResource) {
        if let Some(uses) = uses.get_mut(&*document.target(reference)) {
            uses.push(reference.target);
        }
    }
    uses
}

/// From the first key to the end of the last value.
fn body(section: Section<'_>) -> Span {
    let tag_end = section.tag_span().end;
    match section.properties().next() {
        Some(first) => Span::new(first.engine_key_span().start, section.span().end),
        None => Span::empty(tag_end),
    }
}

fn may_be_shared(section: Section<'_>) -> bool {
    let class = section.field_text("type").unwrap_or_default();
    let is_part = [&b"AnimationNode"[..], b"OpenXR", b"VisualShaderNode", b"VisualScript"]
        .iter()
        .any(|prefix| class.starts_with(prefix));
    let is_local = |key: &[u8]| key == b"resource_local_to_scene";
    !is_part && !section.properties().any(|property| is_local(&property.key()))
}

fn report(
    reporter: &mut Reporter<'_>,
    second: &Definition<'_>,
    first: &Definition<'_>,
    uses: &[Span],
) {
    let message = format!(
        "{} is identical to {}; use one resource for both",
        quote(&second.id),
        quote(&first.id)
    );
    let diagnostic = reporter.report(second.section.tag_span(), message);
    diagnostic.label(first.section.tag_span(), "first defined here");
    let (Some(id), Some(next)) = (first.section.field("id"), second.section.next()) else { return };
    let tag = Span::new(second.section.tag_span().start, next.tag_span().start);
    let mut edits = vec![Edit::remove(tag)];
    let id = String::from_utf8_lossy(id.source());
    edits.extend(uses.iter().map(|target| Edit::replace(*target, id.as_ref())));
    diagnostic.fix(Fix::new("use the first resource everywhere", Applicability::Unsafe, edits));
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;

    use super::RULE;
    use crate::rules::tests::{check_fix, clean, rendered};

    #[test]
    fn resources() {
        let file = |class: &str, first: &str, second: &str, used: &str| {
            let second = if second.is_empty() {
                String::new()
            } else {
                format!("[sub_resource type=\"{class}\" id=\"2\"]\n{second}\n\n")
            };
            format!(
                "[gd_scene format=3]\n\n[sub_resource type=\"{class}\" id=\"1\"]\n{first}\n\n{second}\
                 [node name=\"A\" type=\"Node\"]\na = SubResource(\"1\")\nb = [SubResource(\"{used}\")]\n"
            )
        };
        let (radius, other) = ("radius = 5.0", "radius = 6.0");
        let text = file("CircleShape2D", radius, radius, "2");
        assert_snapshot!(rendered(&RULE, &text), @r#"
        6:1-6:43 info: `2` is identical to `1`; use one resource for both
            at: [sub_resource type="CircleShape2D" id="2"]
            label 3:1-3:43: first defined here: [sub_resource type="CircleShape2D" id="1"]
            unsafe fix: use the first resource everywhere
              - [sub_resource type="CircleShape2D" id="2"]
              - radius = 5.0
              -
              - b = [SubResource("2")]
              + b = [SubResource("1")]
        "#);
        check_fix(&RULE, &text, &file("CircleShape2D", radius, "", "1"));
        clean(&RULE, &file("CircleShape2D", radius, other, "2"));
        clean(&RULE, &file("AnimationNodeBlend2", radius, radius, "2"));
        let local = "resource_local_to_scene = true";
        clean(&RULE, &file("CircleShape2D", local, local, "2"));
    }
}
