//! SYN004

use crate::context::Context;
use crate::diagnostic::{Applicability, Fix, Severity};
use crate::edit_set::Edit;
use crate::rules::next_key::Next;
use crate::rules::{Reporter, declare_rule};
use crate::span::Span;
use crate::syntax::SyntaxErrorKind;

declare_rule! {
    /// ## What it does
    /// Reports text between a finished value or tag and the end of its line.
    ///
    /// ## Why is this bad?
    /// Godot ends the value where it can and reads the rest as the beginning of the next key: it reads `0x10` as `0`,
    /// and loses the property on the next line without a warning. After a tag that has no properties, Godot does not
    /// load the file.
    ///
    /// ## Example
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [node name="A" type="Node2D"]
    /// z_index = 0x10
    /// visible = false
    /// ```
    ///
    /// ## Use instead
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [node name="A" type="Node2D"]
    /// z_index = 16
    /// visible = false
    /// ```
    ///
    /// ## Fix safety
    /// Safe if two values are adjacent and Godot reads both (a warning), because the new white space has no meaning.
    /// Other text has no fix.
    ///
    /// ## References
    /// `VariantParser::parse_tag_assign_eof` (core/variant/variant_parser.cpp)
    "SYN004", "trailing-garbage", Error, for_settings_files
}

fn check(context: &Context<'_>, reporter: &mut Reporter<'_>) {
    for error in context.document.errors() {
        if error.kind == SyntaxErrorKind::MissingSpace {
            report_glued(context, error.span, reporter);
        }
        if error.kind != SyntaxErrorKind::TrailingGarbage {
            continue;
        }
        let text = context.document.text();
        let garbage = context.quote(error.span);
        let is_hexadecimal = matches!(error.span.of(text).first(), Some(b'x' | b'X'))
            && text[..error.span.start as usize].ends_with(b"0");
        let message = if is_hexadecimal {
            format!("unexpected {garbage} after the number; write the number in decimal")
        } else {
            format!("unexpected {garbage} after the value; remove or quote it")
        };
        let diagnostic = reporter.report(error.span, message);
        let section = context.document.section_at(error.span.start);
        if !context.is_config && section.is_none_or(|section| !section.kind().takes_properties()) {
            diagnostic.consequence("Godot does not load the file");
            continue;
        }
        match Next::after(text, error.span.end) {
            Next::Nothing => {
                diagnostic.severity = Severity::Warning;
                diagnostic.consequence("Godot ignores it, because nothing follows it");
            }
            Next::Tag => {
                diagnostic.consequence(
                    "Godot reads it as the beginning of the next key and drops the next tag, so that the text after the tag belongs to this section",
                );
            }
            Next::Property => {
                diagnostic.consequence(
                    "Godot reads it as the beginning of the next key and drops the next property",
                );
            }
        }
    }
}

/// A property or field that starts where the value before it ends.
fn report_glued(context: &Context<'_>, name: Span, reporter: &mut Reporter<'_>) {
    let is_field = context
        .document
        .section_at(name.start)
        .is_some_and(|section| section.tag_span().contains(name));
    let (gap, title) =
        if is_field { (" ", "put a space before it") } else { ("\n", "put it on a separate line") };
    let message =
        format!("{} follows the previous value without a space; {title}", context.quote(name));
    let diagnostic = reporter.report(name, message);
    diagnostic.severity = Severity::Warning;
    diagnostic.consequence("Godot reads two values that look like one");
    let edits = vec![Edit::insert(name.start, gap)];
    diagnostic.fix(Fix::new(title, Applicability::Safe, edits));
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;

    use super::RULE;
    use crate::rules::tests::{check_fix, clean, node, rendered};

    #[test]
    fn glued() {
        let text =
            node("a = 0.1b = 2\n[node name=\"B\"type=\"Node\" parent=\".\"]c = \"1\"d = 1\n");
        assert_snapshot!(rendered(&RULE, &text), @r#"
        4:8-4:9 warning: `b` follows the previous value without a space; put it on a separate line
            at: b
            so: Godot reads two values that look like one
            safe fix: put it on a separate line
              - a = 0.1b = 2
              + a = 0.1
              + b = 2
        5:15-5:19 warning: `type` follows the previous value without a space; put a space before it
            at: type
            so: Godot reads two values that look like one
            safe fix: put a space before it
              - [node name="B"type="Node" parent="."]c = "1"d = 1
              + [node name="B" type="Node" parent="."]c = "1"d = 1
        5:45-5:46 warning: `d` follows the previous value without a space; put it on a separate line
            at: d
            so: Godot reads two values that look like one
            safe fix: put it on a separate line
              - [node name="B"type="Node" parent="."]c = "1"d = 1
              + [node name="B"type="Node" parent="."]c = "1"
              + d = 1
        "#);
        let fixed =
            "a = 0.1\nb = 2\n[node name=\"B\" type=\"Node\" parent=\".\"]c = \"1\"\nd = 1\n";
        check_fix(&RULE, &text, &node(fixed));
    }

    #[test]
    fn garbage() {
        let found = rendered(&RULE, &node("a = 0x10\nb = 1 2\nc = \"a\" \"b\"\nd = 3\n"));
        assert_snapshot!(found, @r#"
        4:6-4:9 error: unexpected `x10` after the number; write the number in decimal
            at: x10
            so: Godot reads it as the beginning of the next key and drops the next property
        5:7-5:8 error: unexpected `2` after the value; remove or quote it
            at: 2
            so: Godot reads it as the beginning of the next key and drops the next property
        6:9-6:12 error: unexpected `"b"` after the value; remove or quote it
            at: "b"
            so: Godot reads it as the beginning of the next key and drops the next property
        "#);
        assert_snapshot!(rendered(&RULE, &node("a = 1 rest")), @"
        4:7-4:11 warning: unexpected `rest` after the value; remove or quote it
            at: rest
            so: Godot ignores it, because nothing follows it
        ");
        let found = rendered(
            &RULE,
            "[gd_scene format=3] rest\n[node name=\"A\" type=\"Node\"] # why\na = 1\n",
        );
        assert_snapshot!(found, @"
        1:21-1:25 error: unexpected `rest` after the value; remove or quote it
            at: rest
            so: Godot does not load the file
        2:29-2:34 error: unexpected `# why` after the value; remove or quote it
            at: # why
            so: Godot reads it as the beginning of the next key and drops the next property
        ");
    }

    #[test]
    fn everything_on_one_line() {
        clean(&RULE, "[gd_scene format=3] [node name=\"A\" type=\"Node\"] a = 1 b = 2 ; c");
    }
}
