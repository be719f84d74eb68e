//! REF008

use crate::diagnostic::{Applicability, Edit, Fix};
use crate::document::Section;
use crate::lint::{Context, quote};
use crate::rules::{Reporter, declare_rule};
use crate::span::Span;

declare_rule! {
    /// ## What it does
    /// Reports a `sub_resource` that nothing in the file refers to.
    ///
    /// ## Why is this bad?
    /// Godot reads it without using it, and drops it on the next save.
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
    /// Safe: nothing in the file refers to the resource. Where the section contains a comment, the fix
    /// is unsafe, because it also removes the comment; and so it is in a file without a line feed at its end, which may have
    /// been cut off.
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
        let applicability = match has_comment || !ends_as_saved(context.document.text()) {
            true => Applicability::Unsafe,
            false => Applicability::Safe,
        };
        reporter
            .report(section.tag_span(), message)
            .consequence("Godot drops it on the next save")
            .fix(Fix::new("remove the section", applicability, vec![Edit::remove(span)]));
    }
}

/// Whether the text ends with a line feed, as whatever Godot saves. Of one that does not, the part that uses a resource may
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
            so: Godot drops it on the next save
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
            so: Godot drops it on the next save
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

    /// What used the resource may have been cut off.
    #[test]
    fn in_a_text_that_may_be_cut_off() {
        let fix = diagnostics(&RULE, TEXT.trim_end().as_bytes())[0].fix.clone().unwrap();
        assert_eq!(fix.applicability, Applicability::Unsafe);
        clean(&RULE, &format!("{TEXT}posit"));
    }
}
