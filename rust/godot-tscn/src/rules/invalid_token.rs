//! SYN001

use crate::context::Context;
use crate::diagnostic::{Applicability, Diagnostic, Fix};
use crate::edit_set::Edit;
use crate::lfs::LFS_POINTER;
use crate::rules::{Reporter, declare_rule};
use crate::span::Span;
use crate::syntax::{Expected, SyntaxError, SyntaxErrorKind, TokenKind};

declare_rule! {
    /// ## What it does
    /// Reports text that is not a valid token of the format, or a token in the wrong place.
    ///
    /// ## Why is this bad?
    /// Godot does not load the file. For a value in a `[node]`, it prints only `Parse error` and the line where it
    /// stopped reading.
    ///
    /// ## Example
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [node name="A" type="Node"]
    /// process_mode = !1
    /// ```
    ///
    /// ## Use instead
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [node name="A" type="Node"]
    /// process_mode = 1
    /// ```
    ///
    /// ## Fix safety
    /// Unsafe: adds a missing `[` to a tag. Other text has no fix.
    ///
    /// ## References
    /// `VariantParser::get_token`, `VariantParser::parse_value` (core/variant/variant_parser.cpp)
    "SYN001", "invalid-token", Error, for_settings_files
}

fn check(context: &Context<'_>, reporter: &mut Reporter<'_>) {
    if context.document.text().starts_with(LFS_POINTER) {
        let message = "this is a Git LFS pointer, not the file; run `git lfs pull`";
        refused(reporter.report(Span::new(0, LFS_POINTER.len() as u32), message));
        return;
    }
    for error in context.document.errors() {
        match error.kind {
            SyntaxErrorKind::UnexpectedCharacter => {
                let span = first_character(context, error);
                let character = context.quote(span);
                let rest = &context.document.text()[span.start as usize..];
                let message = match rest.starts_with(b"\\\"") {
                    true => {
                        "unexpected backslash before a quote outside a string; remove it".to_owned()
                    }
                    false => format!("unexpected character {character}; remove or quote it"),
                };
                refused(reporter.report(span, message));
            }
            SyntaxErrorKind::Expected { expected, found } => {
                refused(reporter.report(error.span, message(context, error, expected, found)));
            }
            SyntaxErrorKind::TagWithoutBracket => report_tag(context, error, reporter),
            SyntaxErrorKind::TooLarge => {
                reporter
                    .report(error.span, "the file is 4 GiB or larger and is not checked; split it");
            }
            _ => {}
        }
    }
}

fn report_tag(context: &Context<'_>, error: &SyntaxError, reporter: &mut Reporter<'_>) {
    let tag = context.quote(error.span);
    let diagnostic =
        reporter.report(error.span, format!("expected `[` before the tag {tag}; add it"));
    let before = context.document.section_at(error.span.start.wrapping_sub(1));
    let takes_properties = before.is_some_and(|before| before.kind().takes_properties());
    diagnostic.consequence(match error.span.start > 0 && takes_properties {
        true => "Godot reads it as properties of the previous section, and loses the section that it starts",
        false => "Godot does not load the file",
    });
    let edits = vec![Edit::insert(error.span.start, "[")];
    diagnostic.fix(Fix::new("add `[`", Applicability::Unsafe, edits));
}

fn refused(diagnostic: &mut Diagnostic) {
    diagnostic.consequence("Godot does not load the file");
}

fn message(
    context: &Context<'_>,
    error: &SyntaxError,
    expected: Expected,
    found: TokenKind,
) -> String {
    if expected == Expected::Key {
        return "expected a key before `=`; write `key = value`".into();
    }
    if expected == Expected::Value && found == TokenKind::Eof {
        return "expected a value after `=`".into();
    }
    let wanted = match expected {
        Expected::Tag => "a tag (`[node …]`)",
        Expected::TagName => "a tag name",
        Expected::FieldName => "a field (`name=value`) or `]`",
        Expected::FieldEqual => "`=` and a value",
        Expected::Value | Expected::Key => "a value",
        Expected::Number => "a number",
        Expected::String => "a string in double quotes",
        Expected::Id => "an id (a string or a number)",
        Expected::TypeName => "a type or class name",
        Expected::Punctuation(kind) => kind.describe(),
    };
    let found = match found {
        TokenKind::Eof => found.describe().to_owned(),
        _ => context.quote(error.span),
    };
    if is_inside_quotes(context, error, expected) {
        return format!(
            "the string ends at the quote before {found}; write `\\\"` for a quote inside a string"
        );
    }
    format!("expected {wanted}, found {found}")
}

/// Whether the text was probably meant as a part of the string that ends right before it: no space is between them.
fn is_inside_quotes(context: &Context<'_>, error: &SyntaxError, expected: Expected) -> bool {
    let before = &context.document.text()[..error.span.start as usize];
    let is_separator =
        |byte: &u8| byte.is_ascii_whitespace() || matches!(*byte, b',' | b';' | b')' | b'}');
    expected == Expected::FieldName
        && before.ends_with(b"\"")
        && error.span.of(context.document.text()).first().is_some_and(|byte| !is_separator(byte))
}

/// The whole character that starts with the byte of the error.
fn first_character(context: &Context<'_>, error: &SyntaxError) -> Span {
    let rest = &context.document.text()[error.span.start as usize..];
    let length = 1 + rest[1..].iter().take_while(|byte| **byte & 0xc0 == 0x80).take(3).count();
    Span::new(error.span.start, error.span.start + length as u32)
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;

    use super::RULE;
    use crate::rules::tests::{node, rendered};

    #[test]
    fn pointers_of_git_lfs() {
        let text = "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n";
        assert_snapshot!(rendered(&RULE, text), @"
        1:1-1:43 error: this is a Git LFS pointer, not the file; run `git lfs pull`
            at: version https://git-lfs.github.com/spec/v1
            so: Godot does not load the file
        ");
    }

    #[test]
    fn characters() {
        assert_snapshot!(rendered(&RULE, &node("a = !1\n")), @"
        4:5-4:6 error: unexpected character `!`; remove or quote it
            at: !
            so: Godot does not load the file
        ");
        assert_snapshot!(rendered(&RULE, &node("a = é\n")), @"
        4:5-4:6 error: unexpected character `é`; remove or quote it
            at: é
            so: Godot does not load the file
        ");
        assert_snapshot!(rendered(&RULE, &node("a = -\n")), @"
        4:5-4:6 error: unexpected character `-`; remove or quote it
            at: -
            so: Godot does not load the file
        ");
    }

    #[test]
    fn quotes_in_names() {
        let found =
            rendered(&RULE, "[gd_scene format=3]\n[node name=\"A\\\\\".c\" type=\"Node\"]\n");
        let expected = "2:17-2:18 error: the string ends at the quote before `.`; write `\\\"` for a quote inside a string\n";
        assert!(found.starts_with(expected), "{found}");
        let found = rendered(&RULE, "[gd_scene format=3]\n[node name=\\\"A\\\" type=\"Node\"]\n");
        let expected =
            "2:12-2:13 error: unexpected backslash before a quote outside a string; remove it\n";
        assert!(found.starts_with(expected), "{found}");
    }

    #[test]
    fn tokens() {
        assert_snapshot!(rendered(&RULE, &node("a = ]\n")), @"
        4:5-4:6 error: expected a value, found `]`
            at: ]
            so: Godot does not load the file
        ");
        assert_snapshot!(rendered(&RULE, &node("a =\nb = 1\n")), @"
        4:3-4:4 error: expected a value after `=`
            at: =
            so: Godot does not load the file
        ");
        assert_snapshot!(rendered(&RULE, &node("a =")), @"
        4:4-4:4 error: expected a value after `=`
            so: Godot does not load the file
        ");
        assert_snapshot!(rendered(&RULE, &node("= 1\n")), @"
        4:1-4:2 error: expected a key before `=`; write `key = value`
            at: =
            so: Godot does not load the file
        ");
        assert_snapshot!(rendered(&RULE, &node("\"\" = 1\n")), @r#"
        4:1-4:3 error: expected a key before `=`; write `key = value`
            at: ""
            so: Godot does not load the file
        "#);
        assert_snapshot!(rendered(&RULE, &node("a = {1, 2}\n")), @"
        4:7-4:8 error: expected `:`, found `,`
            at: ,
            so: Godot does not load the file
        ");
        assert_snapshot!(rendered(&RULE, &node("a = Vector2(x, 2)\n")), @"
        4:13-4:14 error: expected a number, found `x`
            at: x
            so: Godot does not load the file
        ");
        assert_snapshot!(rendered(&RULE, &node("a = NodePath(1)\n")), @"
        4:14-4:15 error: expected a string in double quotes, found `1`
            at: 1
            so: Godot does not load the file
        ");
        let found = rendered(&RULE, "[gd_scene format=3]\n[node name \"A\" type=\"Node\"]\n");
        assert_snapshot!(found, @r#"
        2:12-2:15 error: expected `=` and a value, found `"A"`
            at: "A"
            so: Godot does not load the file
        "#);
        let found =
            rendered(&RULE, "rubbish\n[gd_scene format=3]\n[node name=\"A\" type=\"Node\"]\n");
        assert_snapshot!(found, @"
        1:1-1:8 error: expected a tag (`[node …]`), found `rubbish`
            at: rubbish
            so: Godot does not load the file
        ");
    }
}
