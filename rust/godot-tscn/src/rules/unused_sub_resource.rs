//! REF008

use memchr::memmem;

use crate::context::Context;
use crate::diagnostic::{Applicability, Fix};
use crate::document::{Property, Section, ValueKind};
use crate::edit_set::Edit;
use crate::quote::quote;
use crate::rules::{Reporter, declare_rule};
use crate::span::Span;

declare_rule! {
    /// ## What it does
    /// Reports a `sub_resource` that nothing in the file refers to.
    ///
    /// ## Why is this bad?
    /// Godot reads the resource without using it, and drops it at the next save.
    ///
    /// ## Example
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [sub_resource type="Gradient" id="Gradient_a"]
    ///
    /// [node name="A" type="Node"]
    /// ```
    ///
    /// ## Use instead
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [node name="A" type="Node"]
    /// ```
    ///
    /// ## Fix safety
    /// Safe: nothing in the file refers to the resource. The fix is unsafe in these cases:
    /// - The section contains a comment, because the fix also removes the comment.
    /// - The resource is a script, a shader or another text of several lines, because the text might not exist elsewhere.
    /// - The file does not end with a line feed, because it may be cut off.
    ///
    /// There is no fix in a file that Godot does not load.
    ///
    /// ## References
    /// `ResourceFormatSaverTextInstance::_find_resources`
    /// (scene/resources/resource_format_text.cpp)
    "REF008", "unused-sub-resource", Warning
}

fn check(context: &Context<'_>, reporter: &mut Reporter<'_>) {
    if context.document.is_incomplete() || context.hides_sections {
        return;
    }
    for definition in context.sub_resources.unused() {
        let section = definition.section;
        let message = format!("{} is not used; remove its section", quote(&definition.id));
        let span = section_to_remove(context, section);
        let comments = context.document.comments();
        let next = comments.partition_point(|comment| comment.start < span.start);
        let has_comment = comments.get(next).is_some_and(|comment| span.contains(*comment));
        let may_be_missed =
            has_comment || holds_text(section) || !ends_as_saved(context.document.text());
        let applicability = if may_be_missed { Applicability::Unsafe } else { Applicability::Safe };
        reporter
            .report(section.tag_span(), message)
            .consequence("Godot drops it at the next save")
            .fix(Fix::new("remove the section", applicability, vec![Edit::remove(span)]));
    }
}

/// Whether the resource has text that a person wrote: code, or anything of several lines.
fn holds_text(section: Section<'_>) -> bool {
    let class = section.field_text("type").unwrap_or_default();
    let is_lines = |property: Property<'_>| {
        let source = property.source();
        property.kind() == ValueKind::String
            && (source.contains(&b'\n') || memmem::find(source, b"\\n").is_some())
    };
    class.ends_with(b"Script") || class.ends_with(b"Shader") || section.properties().any(is_lines)
}

/// Whether the text ends with a line feed, as whatever Godot saves. In a text that does not, the user of a resource may
/// have been cut off.
pub(super) fn ends_as_saved(text: &[u8]) -> bool {
    text.ends_with(b"\n")
}

/// The section up to the next tag.
pub(super) fn section_to_remove(context: &Context<'_>, section: Section<'_>) -> Span {
    let end = match section.next() {
        Some(next) => next.tag_span().start,
        None => context.document.text().len() as u32,
    };
    Span::new(section.tag_span().start, end)
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;

    use super::RULE;
    use crate::diagnostic::Applicability;
    use crate::rules::tests::{check_fix, clean, diagnostics, rendered};

    const TEXT: &str = "[gd_scene format=3]\n\n[sub_resource type=\"Gradient\" id=\"a\"]\nx = 1\n\n\
                        [node name=\"A\" type=\"Node\"]\n";

    #[test]
    fn unused() {
        assert_snapshot!(rendered(&RULE, TEXT), @r#"
        3:1-3:38 warning: `a` is not used; remove its section
            at: [sub_resource type="Gradient" id="a"]
            so: Godot drops it at the next save
            safe fix: remove the section
              - [sub_resource type="Gradient" id="a"]
              - x = 1
              -
        "#);
        clean(&RULE, &format!("{TEXT}a = [SubResource(\"a\")]\n"));
        let itself = TEXT.replace("x = 1", "x = SubResource(\"a\")");
        assert_snapshot!(rendered(&RULE, &itself), @r#"
        3:1-3:38 warning: `a` is not used; remove its section
            at: [sub_resource type="Gradient" id="a"]
            so: Godot drops it at the next save
            safe fix: remove the section
              - [sub_resource type="Gradient" id="a"]
              - x = SubResource("a")
              -
        "#);
    }

    #[test]
    fn fixes() {
        check_fix(&RULE, TEXT, "[gd_scene format=3]\n\n[node name=\"A\" type=\"Node\"]\n");
        let comment = TEXT.replace("x = 1", "x = 1 ; why");
        let fix = diagnostics(&RULE, comment.as_bytes())[0].fix.clone().unwrap();
        assert_eq!(fix.applicability, Applicability::Unsafe);
    }

    /// Code that is nowhere else.
    #[test]
    fn text_of_the_author() {
        let applicability =
            |text: &str| diagnostics(&RULE, text.as_bytes())[0].fix.clone().unwrap().applicability;
        for (class, property) in [
            ("GDScript", "script/source = \"extends Node\n\n\""),
            ("GDScript", ""),
            ("Shader", "code = \"shader_type spatial;\""),
            ("VisualShader", "x = 1"),
            ("Resource", "text = \"one\\ntwo\""),
        ] {
            let text = TEXT.replace("Gradient", class).replace("x = 1", property);
            assert_eq!(applicability(&text), Applicability::Unsafe, "{text}");
        }
        assert_eq!(applicability(&TEXT.replace("x = 1", "x = \"one\"")), Applicability::Safe);
    }

    /// The user of the resource may have been cut off.
    #[test]
    fn in_a_text_that_may_be_cut_off() {
        let fix = diagnostics(&RULE, TEXT.trim_end().as_bytes())[0].fix.clone().unwrap();
        assert_eq!(fix.applicability, Applicability::Unsafe);
        clean(&RULE, &format!("{TEXT}posit"));
    }
}
