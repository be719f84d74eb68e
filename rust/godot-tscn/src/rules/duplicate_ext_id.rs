//! REF004

use std::borrow::Cow;

use hashbrown::HashMap;

use crate::context::Context;
use crate::diagnostic::{Applicability, Fix, Severity};
use crate::document::{Document, Field, Reference, ReferenceKind, Section};
use crate::edit_set::Edit;
use crate::model::fresh_ids::FreshIds;
use crate::model::resource_ids::{Definition, ResourceIds};
use crate::quote::quote;
use crate::removal::line_to_remove;
use crate::rules::unused_sub_resource::section_to_remove;
use crate::rules::{Reporter, declare_rule};

declare_rule! {
    /// ## What it does
    /// Reports two `ext_resource` tags with the same id.
    ///
    /// ## Why is this bad?
    /// Godot uses the last definition, so references to the id get a different resource than intended. Merges produce
    /// such files.
    ///
    /// ## Example
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [ext_resource type="Script" path="res://a.gd" id="1"]
    ///
    /// [ext_resource type="Script" path="res://b.gd" id="1"]
    ///
    /// [node name="A" type="Node"]
    /// metadata/x = ExtResource("1")
    /// ```
    ///
    /// ## Use instead
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [ext_resource type="Script" path="res://a.gd" id="1"]
    ///
    /// [ext_resource type="Script" path="res://b.gd" id="2"]
    ///
    /// [node name="A" type="Node"]
    /// metadata/x = ExtResource("1")
    /// metadata/y = ExtResource("2")
    /// ```
    ///
    /// ## Fix safety
    /// Unsafe: the later resource gets a new id. Uses move to the new id if their name fits only its type: `instance`
    /// fits a scene, `script` a script, `texture` a `CompressedTexture2D`. All other uses keep the first resource,
    /// which may be wrong. If both tags are equal, the fix removes the later one.
    ///
    /// ## References
    /// `ResourceLoaderText::load` (scene/resources/resource_format_text.cpp)
    "REF004", "duplicate-ext-id", Error
}

fn check(context: &Context<'_>, reporter: &mut Reporter<'_>) {
    let consequence = "Godot uses the last definition for all references";
    report_duplicates(context, ReferenceKind::ExtResource, consequence, reporter);
}

/// Reports each definition with an id that comes before already.
pub(super) fn report_duplicates(
    context: &Context<'_>,
    kind: ReferenceKind,
    consequence: &'static str,
    reporter: &mut Reporter<'_>,
) {
    let resources = match kind {
        ReferenceKind::ExtResource => &context.ext_resources,
        _ => &context.sub_resources,
    };
    if resources.duplicates().next().is_none() {
        return;
    }
    let uses = uses_by_definition(context.document, kind, resources);
    let mut fresh = FreshIds::new(context.document, resources);
    let is_whole = !context.document.is_incomplete() && !context.hides_sections;
    for (definition, first) in resources.duplicates() {
        let Some(field) = definition.section.field("id") else {
            continue;
        };
        let diagnostic = reporter.report(
            field.value_span(),
            format!("duplicate id {}; give this resource its own id", quote(&definition.id)),
        );
        if says_the_same(definition.section, first.section) {
            diagnostic.severity = Severity::Warning;
            diagnostic.message =
                format!("duplicate definition of the id {}; keep one", quote(&definition.id));
            if is_whole {
                let section = definition.section;
                let span = match kind {
                    ReferenceKind::ExtResource => {
                        line_to_remove(context.document.text(), section.tag_span())
                    }
                    _ => section_to_remove(context, section),
                };
                let edit = Edit::remove(span);
                diagnostic.fix(Fix::new(
                    "remove the duplicate tag",
                    Applicability::Unsafe,
                    vec![edit],
                ));
            }
        } else {
            diagnostic.consequence(consequence);
            if is_whole {
                let before = match kind {
                    ReferenceKind::ExtResource => number_of(&definition.id),
                    _ => definition.section.field_text("type").unwrap_or_default(),
                };
                let id = fresh.id(definition.section.kind(), &String::from_utf8_lossy(&before));
                let uses = uses.get(&definition.section.index()).into_iter().flatten();
                let spans = uses.map(|reference| reference.target).chain([field.value_span()]);
                let edits = spans.map(|span| Edit::replace(span, id.clone())).collect();
                let title = format!("write `{}`", id.trim_matches('"'));
                diagnostic.fix(Fix::new(title, Applicability::Unsafe, edits));
            }
        }
        if let Some(field) = first.section.field("id") {
            diagnostic.label(field.value_span(), "first defined here");
        }
    }
}

/// The part before the `_` of an external resource's id.
fn number_of<'d>(id: &Cow<'d, [u8]>) -> Cow<'d, [u8]> {
    let digits = id.iter().take_while(|byte| byte.is_ascii_digit()).count();
    match id {
        Cow::Borrowed(id) => Cow::Borrowed(&id[..digits]),
        Cow::Owned(id) => Cow::Owned(id[..digits].to_vec()),
    }
}

/// With more definitions of an id, it is unknown which is meant.
const MAX_DEFINITIONS: usize = 8;

/// The uses that mean a later definition, by the index of its section.
fn uses_by_definition<'d>(
    document: &'d Document<'d>,
    kind: ReferenceKind,
    resources: &ResourceIds<'d>,
) -> HashMap<u32, Vec<&'d Reference>> {
    let mut by_id: HashMap<&[u8], Vec<&Definition<'d>>> = HashMap::new();
    for (definition, first) in resources.duplicates() {
        let definitions = by_id.entry(&*first.id).or_insert_with(|| vec![first]);
        definitions.push(definition);
    }
    let mut uses: HashMap<u32, Vec<&Reference>> = HashMap::new();
    for reference in document.references().iter().filter(|reference| reference.kind == kind) {
        let target = document.target(reference);
        let Some(definitions) = by_id.get(target.as_ref()) else { continue };
        if definitions.len() > MAX_DEFINITIONS {
            continue;
        }
        let Some(name) = name_of_use(document, reference) else { continue };
        let mut fitting = definitions.iter().filter(|definition| {
            let class = definition.section.field_text("type").unwrap_or_default();
            // A resource that comes later cannot be meant.
            reference.section >= Some(definition.section.index()) && fits(name, &class)
        });
        if let (Some(only), None) = (fitting.next(), fitting.next())
            && only.first.is_some()
        {
            uses.entry(only.section.index()).or_default().push(reference);
        }
    }
    uses
}

/// The field or the last part of the property's key that the resource is given to.
fn name_of_use<'d>(document: &'d Document<'d>, reference: &Reference) -> Option<&'d [u8]> {
    let section = document.section(reference.section?);
    if section.tag_span().contains(reference.target) {
        return section.field_at(reference.target.start).map(Field::name);
    }
    let property = section.property_at(reference.target.start)?;
    let key = property.key_span().of(document.text());
    key.rsplit(|byte| matches!(byte, b'/' | b'"')).find(|part| !part.is_empty())
}

/// Whether a property called `name` is one for resources of this class, according to the names:
/// they share a word, as `shader_material` and `ShaderMaterial` do.
fn fits(name: &[u8], class: &[u8]) -> bool {
    if name == b"instance" {
        return class == b"PackedScene";
    }
    let name = String::from_utf8_lossy(name).to_lowercase();
    let mut words = name.split('_').filter(|word| word.len() > 2);
    let class = words_of(class);
    words.any(|word| class.iter().any(|part| part == word))
}

/// `CompressedTexture2D` as `compressed` and `texture`.
fn words_of(class: &[u8]) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    for letter in String::from_utf8_lossy(class).chars().filter(char::is_ascii_alphabetic) {
        match words.last_mut() {
            Some(last) if letter.is_ascii_lowercase() => last.push(letter),
            _ => words.push(letter.to_ascii_lowercase().to_string()),
        }
    }
    // `GDScript`, `StyleBoxFlat`.
    words.retain(|word| word.len() > 2);
    if class.ends_with(b"Script") {
        words.push("script".to_owned());
    }
    words
}

/// Whether two sections have the same fields and properties, so that it does not matter which of
/// them counts.
fn says_the_same(left: Section<'_>, right: Section<'_>) -> bool {
    left.fields().count() == right.fields().count()
        && left.fields().all(|field| {
            let other = std::str::from_utf8(field.name()).ok().and_then(|name| right.field(name));
            other.is_some_and(|other| other.source() == field.source())
        })
        && left.properties().count() == right.properties().count()
        && left
            .properties()
            .zip(right.properties())
            .all(|(left, right)| left.key() == right.key() && left.source() == right.source())
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
            "[gd_scene format=3]\n[ext_resource type=\"A\" path=\"a\" id=\"1\"]\n\
             [ext_resource type=\"A\" path=\"b\" id=1]\n[node name=\"A\" type=\"Node\"]\n",
        );
        assert_snapshot!(found, @r#"
        3:36-3:37 error: duplicate id `1`; give this resource its own id
            at: 1
            label 2:36-2:39: first defined here: "1"
            so: Godot uses the last definition for all references
            unsafe fix: write `1_2k5dc`
              - [ext_resource type="A" path="b" id=1]
              + [ext_resource type="A" path="b" id="1_2k5dc"]
        "#);
        let twice = "[ext_resource type=\"A\" path=\"a\" id=\"1\"]\n".repeat(2);
        let found = rendered(
            &RULE,
            &format!("[gd_scene format=3]\n{twice}[node name=\"A\" type=\"Node\"]\n"),
        );
        assert_snapshot!(found, @r#"
        3:36-3:39 warning: duplicate definition of the id `1`; keep one
            at: "1"
            label 2:36-2:39: first defined here: "1"
            unsafe fix: remove the duplicate tag
              - [ext_resource type="A" path="a" id="1"]
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
        let file = |id: &str, [script, instance, other]: [&str; 3]| {
            format!(
                "[gd_scene format=3]\n\n[ext_resource type=\"Script\" path=\"a\" id=\"1_a\"]\n\
                 [ext_resource type=\"PackedScene\" path=\"b\" id={id}]\n\n\
                 [node name=\"A\" type=\"Node\"]\nscript = ExtResource({script})\n\
                 metadata/x = ExtResource({other})\n\n\
                 [node name=\"B\" parent=\".\" instance=ExtResource({instance})]\n"
            )
        };
        let old = "\"1_a\"";
        let before = file(old, [old; 3]);
        let found = diagnostics(&RULE, before.as_bytes());
        let new = found[0].fix.as_ref().unwrap().edits()[0].replacement.clone();
        assert!(new.starts_with("\"1_") && new != old, "{new}");
        check_fix(&RULE, &before, &file(&new, [old, &new, old]));
        let tag = "[ext_resource type=\"A\" path=\"a\" id=\"1\"]\n";
        let node = "\n[node name=\"A\" type=\"Node\"]\na = ExtResource(\"1\")\n";
        let text = |tags: &str| format!("[gd_scene format=3]\n\n{tags}{node}");
        check_fix(&RULE, &text(&tag.repeat(2)), &text(tag));
    }

    #[test]
    fn names_of_uses() {
        for (name, class, is_fit) in [
            ("instance", "PackedScene", true),
            ("instance", "InstanceThing", false),
            ("script", "GDScript", true),
            ("script", "PackedScene", false),
            ("material_override", "StandardMaterial3D", true),
            ("shape", "CircleShape2D", true),
            ("mesh", "CircleShape2D", false),
            ("x", "X", false),
        ] {
            assert_eq!(super::fits(name.as_bytes(), class.as_bytes()), is_fit, "{name} {class}");
        }
    }
}
