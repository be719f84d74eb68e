//! SYN002

use crate::context::Context;
use crate::diagnostic::{Applicability, Fix};
use crate::edit_set::Edit;
use crate::rules::next_key::Next;
use crate::rules::{Reporter, declare_rule};
use crate::span::{Span, line_start_before, next_line_after};
use crate::syntax::SyntaxErrorKind;
use crate::value::parse_value;

declare_rule! {
    /// ## What it does
    /// Reports a line without `=` among the properties.
    ///
    /// ## Why is this bad?
    /// Godot reads everything up to the next `=` as the key, without line ends. So the line and the property on the
    /// next line become one property with an unknown name, and both are lost without a warning. Godot also reads a
    /// following tag as properties, and loses its node or resource.
    ///
    /// ## Example
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [node name="A" type="Node2D"]
    /// visible
    /// position = Vector2(1, 2)
    /// ```
    ///
    /// ## Use instead
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [node name="A" type="Node2D"]
    /// visible = true
    /// position = Vector2(1, 2)
    /// ```
    ///
    /// ## Fix safety
    /// Unsafe: the property on the next line takes effect again. If the line is a key and a value, the fix inserts `=`
    /// between them. It turns any other line into a comment.
    ///
    /// ## References
    /// `VariantParser::parse_tag_assign_eof` (core/variant/variant_parser.cpp)
    "SYN002", "missing-equals", Error, for_settings_files
}

fn check(context: &Context<'_>, reporter: &mut Reporter<'_>) {
    for error in context.document.errors() {
        if error.kind != SyntaxErrorKind::MissingEquals {
            continue;
        }
        let rest = &context.document.text()[error.span.end as usize..];
        // The rule `nul-byte` reports the loss there.
        if rest.first() == Some(&0) {
            continue;
        }
        let line = context.quote(error.span);
        let diagnostic = reporter.report(
            error.span,
            format!("{line} has no `=`; write `key = value` or remove the line"),
        );
        match Next::after(context.document.text(), error.span.end) {
            Next::Property => diagnostic.consequence(
                "Godot joins it with the key of the next property and drops both without a warning",
            ),
            Next::Tag => diagnostic.consequence(
                "Godot joins it with the next tag and drops both, so that the text after the tag belongs to this section",
            ),
            Next::Nothing => diagnostic.consequence("Godot drops it without a warning"),
        };
        diagnostic.fix = split(context.document.text(), error.span);
    }
}

/// Parts the line from the key of the next one.
fn split(text: &[u8], line: Span) -> Option<Fix> {
    line_start_before(text, line.start)?;
    let is_before_comment = text[line.end as usize..].trim_ascii_start().starts_with(b";");
    if next_line_after(text, line.end).is_none() && !is_before_comment {
        return None;
    }
    let is_alone = matches!(
        text[line.end as usize..].iter().find(|byte| !matches!(**byte, b' ' | b'\t' | b'\r')),
        None | Some(b'\n' | b';')
    );
    if !is_alone {
        let edit = Edit::remove(line);
        return Some(Fix::new("remove the line", Applicability::Unsafe, vec![edit]));
    }
    let content = line.of(text);
    if let Some(blank) = content.iter().position(|byte| *byte <= b' ') {
        let value = content[blank..].trim_ascii();
        let is_key = content[..blank]
            .iter()
            .all(|byte| byte.is_ascii_alphanumeric() || b"_/".contains(byte));
        if is_key && parse_value(value).is_ok() {
            let gap = Span::new(line.start + blank as u32, line.end - value.len() as u32);
            let edit = Edit::replace(gap, " = ");
            return Some(Fix::new("write `=`", Applicability::Unsafe, vec![edit]));
        }
    }
    let edit = Edit::insert(line.start, "; ");
    Some(Fix::new("make the line a comment", Applicability::Unsafe, vec![edit]))
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;

    use super::RULE;
    use crate::rules::tests::{check_fix, clean, diagnostics, node, rendered};

    #[test]
    fn lines_without_equals() {
        assert_snapshot!(rendered(&RULE, &node("visible\nposition = 1\n")), @"
        4:1-4:8 error: `visible` has no `=`; write `key = value` or remove the line
            at: visible
            so: Godot joins it with the key of the next property and drops both without a warning
            unsafe fix: make the line a comment
              - visible
              + ; visible
        ");
        assert_snapshot!(rendered(&RULE, &node("a = 1\nvisible\n")), @"
        5:1-5:8 error: `visible` has no `=`; write `key = value` or remove the line
            at: visible
            so: Godot drops it without a warning
            unsafe fix: make the line a comment
              - visible
              + ; visible
        ");
        let found = rendered(&RULE, &node("visible\n[node name=\"B\" parent=\".\"]\n"));
        assert_snapshot!(found, @"
        4:1-4:8 error: `visible` has no `=`; write `key = value` or remove the line
            at: visible
            so: Godot joins it with the next tag and drops both, so that the text after the tag belongs to this section
            unsafe fix: make the line a comment
              - visible
              + ; visible
        ");
    }

    #[test]
    fn a_key_may_stand_alone() {
        clean(&RULE, &node("visible\n= true\n"));
        clean(&RULE, &node("visible ; why\n= true\n"));
        clean(&RULE, &node("a = 1 b = 2\n"));
    }

    #[test]
    fn fixes() {
        check_fix(&RULE, &node("  visible\nposition = 1\n"), &node("  ; visible\nposition = 1\n"));
        check_fix(
            &RULE,
            &node("a  Vector2(1, 2) ; why\nb = 1\n"),
            &node("a = Vector2(1, 2) ; why\nb = 1\n"),
        );
        check_fix(&RULE, &node("a/b \"c\"\nb = 1\n"), &node("a/b = \"c\"\nb = 1\n"));
        check_fix(&RULE, &node("a b c\nb = 1\n"), &node("; a b c\nb = 1\n"));
        let glued = node("visible [node name=\"B\" parent=\".\"]\n");
        assert!(diagnostics(&RULE, glued.as_bytes()).iter().all(|found| found.fix.is_none()));
    }
}
