//! STR008

use hashbrown::HashMap;

use crate::config_file::named_properties;
use crate::context::Context;
use crate::diagnostic::{Applicability, Fix, Severity};
use crate::document::{Property, Section, TagKind};
use crate::edit_set::Edit;
use crate::model::repeats::may_repeat;
use crate::quote::quote;
use crate::rules::{Reporter, declare_rule};
use crate::span::{Span, line_start_before, next_line_after};

declare_rule! {
    /// ## What it does
    /// Reports a duplicate property of a section.
    ///
    /// ## Why is this bad?
    /// Godot uses the last value and drops the others without a warning. Merges produce such files.
    ///
    /// Equal values are an info, because nothing is lost: Godot writes a property twice if a script and its base both
    /// list it. In settings files, equal values are a warning, and all parts of a repeated section count as one
    /// section. The rule ignores properties that Godot 3 itself writes twice: `flags` of an `ImageTexture` and
    /// `light_mask` of a `LightOccluder2D`.
    ///
    /// ## Example
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [node name="A" type="Node"]
    /// process_mode = 1
    /// process_mode = 2
    /// ```
    ///
    /// ## Use instead
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [node name="A" type="Node"]
    /// process_mode = 2
    /// ```
    ///
    /// ## Fix safety
    /// Unsafe: the fix keeps the last property, which Godot uses, and removes the one before it, which may be the right
    /// one.
    ///
    /// ## References
    /// `ResourceLoaderText::_parse_node_tag` (scene/resources/resource_format_text.cpp)
    "STR008", "duplicate-property", Error, for_settings_files
}

/// Up to this number of properties is compared with one another; more are looked up in a table.
const FEW: usize = 16;

fn check(context: &Context<'_>, reporter: &mut Reporter<'_>) {
    if context.is_config {
        check_settings(context, reporter);
        return;
    }
    let text = context.document.text();
    let mut table = HashMap::new();
    for section in context.document.sections() {
        let count = section.properties().count();
        if count > FEW {
            check_many(context, section, &mut table, reporter);
        } else if may_repeat(section.properties().map(|it| it.engine_key_span().of(text))) {
            check_few(context, section, reporter);
        }
    }
}

fn check_settings(context: &Context<'_>, reporter: &mut Reporter<'_>) {
    let text = context.document.text();
    let mut table = HashMap::new();
    for (section, property) in named_properties(context.document) {
        let key = (section, property.engine_key_span().of(text));
        let [first, previous] = table.entry(key).or_insert([property, property]);
        if first.key_span() != property.key_span() {
            report(context, [*first, *previous, property], reporter);
            *previous = property;
        }
    }
}

fn check_few(context: &Context<'_>, section: Section<'_>, reporter: &mut Reporter<'_>) {
    let text = context.document.text();
    for (index, property) in section.properties().enumerate() {
        let key = property.engine_key_span().of(text);
        let mut earlier = (0..index).zip(section.properties());
        let is_same = |other: &Property<'_>| {
            // Most keys differ in their source already in length.
            let other = other.engine_key_span().of(text);
            other.len() == key.len() && other == key
        };
        if let Some((first_index, first)) = earlier.find(|(_, other)| is_same(other)) {
            let between = section.properties().take(index).skip(first_index + 1);
            let previous = between.filter(is_same).last().unwrap_or(first);
            report(context, [first, previous, property], reporter);
        }
    }
}

fn check_many<'d>(
    context: &Context<'d>,
    section: Section<'d>,
    table: &mut HashMap<&'d [u8], [Property<'d>; 2]>,
    reporter: &mut Reporter<'_>,
) {
    let text = context.document.text();
    table.clear();
    for property in section.properties() {
        let key = property.engine_key_span().of(text);
        let [first, previous] = table.entry(key).or_insert([property, property]);
        if first.key_span() != property.key_span() {
            report(context, [*first, *previous, property], reporter);
            *previous = property;
        }
    }
}

/// Reports the last of three properties with the same key: the first one, the one before, and this
/// one. The first two may be the same.
fn report(
    context: &Context<'_>,
    [first, previous, property]: [Property<'_>; 3],
    reporter: &mut Reporter<'_>,
) {
    let text = context.document.text();
    let is_equal = first.value_span().of(text) == property.value_span().of(text);
    if property.key_span().is_empty()
        || (is_equal && is_of_godot_3(context, property))
        || context.document.is_hash_line(property)
    {
        return;
    }
    let diagnostic = reporter.report(
        property.key_span(),
        format!("duplicate property {}; keep one", quote(&property.key())),
    );
    diagnostic.label(first.key_span(), "first defined here, but ignored");
    if is_equal {
        diagnostic.severity = if context.is_config { Severity::Warning } else { Severity::Info };
    } else {
        diagnostic.consequence("Godot uses the last value");
    }
    diagnostic.fix = line_to_remove(text, previous).map(|line| {
        Fix::new("keep only the last value", Applicability::Unsafe, vec![Edit::remove(line)])
    });
}

/// Properties that Godot 3.6 lists twice for a class, and so writes twice.
const WRITTEN_TWICE: [(&[u8], &[u8]); 2] =
    [(b"ImageTexture", b"flags"), (b"LightOccluder2D", b"light_mask")];

/// Whether Godot 3 writes the property twice.
fn is_of_godot_3(context: &Context<'_>, property: Property<'_>) -> bool {
    if context.is_config || context.format().is_none_or(|format| format > 2) {
        return false;
    }
    let section = context.document.section_at(property.key_span().start);
    let is_resource = section.is_some_and(|section| section.kind() == TagKind::Resource);
    let tag = if is_resource { context.header() } else { section };
    let class = tag.and_then(|tag| tag.field_text("type"));
    WRITTEN_TWICE.iter().any(|(of, key)| {
        // A node of another scene has no type here.
        *key == property.key().as_ref() && class.as_deref().is_none_or(|class| class == *of)
    })
}

/// The property with its line; only the property if the line contains something else. Nothing if
/// Godot reads more than the line shows.
fn line_to_remove(text: &[u8], property: Property<'_>) -> Option<Span> {
    let span = property.key_span().join(property.value_span());
    if property.engine_key_span() != property.key_span() {
        return None;
    }
    let line = (line_start_before(text, span.start), next_line_after(text, span.end));
    Some(if let (Some(start), Some(end)) = line { Span::new(start, end) } else { span })
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;

    use super::RULE;
    use crate::diagnostic::Applicability;
    use crate::fix::{FixOptions, fix};
    use crate::rules::tests::{check_fix, clean, node, rendered, rendered_file};

    #[test]
    fn few_and_many() {
        let few = "a = 1\nb = 2\na = 3\n";
        assert_snapshot!(rendered(&RULE, &node(few)), @"
        6:1-6:2 error: duplicate property `a`; keep one
            at: a
            label 4:1-4:2: first defined here, but ignored: a
            so: Godot uses the last value
            unsafe fix: keep only the last value
              - a = 1
        ");
        let many: String = (0..40).map(|index| format!("p{index} = 1\n")).collect();
        assert_snapshot!(rendered(&RULE, &node(&format!("{many}p7 = 2\n"))), @"
        44:1-44:3 error: duplicate property `p7`; keep one
            at: p7
            label 11:1-11:3: first defined here, but ignored: p7
            so: Godot uses the last value
            unsafe fix: keep only the last value
              - p7 = 1
        ");
        clean(&RULE, &node(&many));
    }

    /// The text that Godot 3.6.2 writes.
    #[test]
    fn written_twice_by_godot_3() {
        let file = |class: &str, values: [i32; 2]| {
            let [first, second] = values;
            format!(
                "[gd_resource type=\"StyleBoxTexture\" load_steps=2 format=2]\n\n\
                 [sub_resource type=\"{class}\" id=1]\nflags = {first}\nflags = {second}\n\n\
                 [resource]\ntexture = SubResource( 1 )\n"
            )
        };
        clean(&RULE, &file("ImageTexture", [4, 4]));
        assert_snapshot!(rendered(&RULE, &file("ImageTexture", [4, 0])), @"
        5:1-5:6 error: duplicate property `flags`; keep one
            at: flags
            label 4:1-4:6: first defined here, but ignored: flags
            so: Godot uses the last value
            unsafe fix: keep only the last value
              - flags = 4
        ");
        assert_snapshot!(rendered(&RULE, &file("StreamTexture", [4, 4])), @"
        5:1-5:6 info: duplicate property `flags`; keep one
            at: flags
            label 4:1-4:6: first defined here, but ignored: flags
            unsafe fix: keep only the last value
              - flags = 4
        ");
    }

    #[test]
    fn sections_are_apart() {
        clean(&RULE, &node("a = 1\n[node name=\"B\" type=\"Node\" parent=\".\"]\na = 1\n"));
    }

    #[test]
    fn fixes() {
        check_fix(&RULE, &node("a = 1\nb = 2\na = 3\n"), &node("b = 2\na = 3\n"));
        check_fix(&RULE, &node("a = [\n1]\nb = 2 \n\ta = 3"), &node("b = 2 \n\ta = 3"));
        check_fix(&RULE, &node("a = 1 ; why\na = 3\n"), &node(" ; why\na = 3\n"));
        check_fix(&RULE, &node("b = 1 a = 1 c = 1\na = 3\n"), &node("b = 1  c = 1\na = 3\n"));
    }

    #[test]
    fn many_times() {
        let options = FixOptions { limit: Applicability::Unsafe, ..FixOptions::for_path("a.tscn") };
        let other: String = (0..20).map(|index| format!("p{index} = 1\n")).collect();
        for other in ["", &other] {
            let text = node(&format!("a = 1\na = 2\nb = 1\na = 3\na = 4\n{other}"));
            let fixed = fix(text.as_bytes(), &options).unwrap().text;
            assert_eq!(String::from_utf8(fixed).unwrap(), node(&format!("b = 1\na = 4\n{other}")));
        }
    }

    #[test]
    fn settings() {
        let text = b"a=1\n[b]\na=1\nc=1\n[d]\na=1\n[b]\nc=2\n[]\na=1\n";
        assert_snapshot!(rendered_file(&RULE, "res://project.godot", text), @"
        8:1-8:2 error: duplicate property `c`; keep one
            at: c
            label 4:1-4:2: first defined here, but ignored: c
            so: Godot uses the last value
            unsafe fix: keep only the last value
              - c=1
        10:1-10:2 warning: duplicate property `a`; keep one
            at: a
            label 3:1-3:2: first defined here, but ignored: a
            unsafe fix: keep only the last value
              - a=1
        ");
    }
}
