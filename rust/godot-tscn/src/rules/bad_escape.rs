//! SYN008

use crate::context::Context;
use crate::decode;
use crate::diagnostic::{Applicability, Fix, Severity};
use crate::edit_set::Edit;
use crate::rules::{Reporter, declare_rule};
use crate::syntax::SyntaxErrorKind;

declare_rule! {
    /// ## What it does
    /// Reports escape sequences in strings that Godot does not accept, or reads as the letter alone.
    ///
    /// ## Why is this bad?
    /// Godot does not load a file that contains `\u` without four hexadecimal digits, or half of a UTF-16 surrogate
    /// pair. It drops the backslash of an unknown escape sequence such as `\q`.
    ///
    /// ## Example
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [node name="A" type="Label"]
    /// text = "C:\quake"
    /// ```
    ///
    /// ## Use instead
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [node name="A" type="Label"]
    /// text = "C:\\quake"
    /// ```
    ///
    /// ## References
    /// `VariantParser::get_token` (core/variant/variant_parser.cpp)
    "SYN008", "bad-escape", Error, for_settings_files
}

fn check(context: &Context<'_>, reporter: &mut Reporter<'_>) {
    for error in context.document.errors() {
        let escape = context.quote(error.span);
        match error.kind {
            SyntaxErrorKind::MalformedEscape => {
                let message =
                    format!("{escape} must be followed by hexadecimal digits, as in `\\u0041`");
                reporter.report(error.span, message).consequence("Godot does not load the file");
            }
            SyntaxErrorKind::LoneSurrogate => {
                let message = format!(
                    "{escape} is half of a UTF-16 surrogate pair; write the character itself"
                );
                reporter.report(error.span, message).consequence("Godot does not load the file");
            }
            SyntaxErrorKind::NonAsciiEscape => {
                let source = error.span.of(context.document.text());
                let character = String::from_utf8_lossy(&decode::unescape(source)).into_owned();
                let message = format!("Godot misreads {escape}; write the character itself");
                let diagnostic = reporter.report(error.span, message);
                diagnostic.consequence("Godot reads a different character, or none");
                let edits = vec![Edit::replace(error.span, character)];
                diagnostic.fix(Fix::new("write the character", Applicability::Unsafe, edits));
            }
            SyntaxErrorKind::UnknownEscape => {
                let message = format!(
                    "{escape} is not a valid escape sequence; write `\\\\` for a backslash"
                );
                let diagnostic = reporter.report(error.span, message);
                diagnostic.severity = Severity::Warning;
                diagnostic.consequence("Godot drops the backslash");
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;

    use super::RULE;
    use crate::rules::tests::{check_fix, node, rendered};

    #[test]
    fn escapes() {
        let found = rendered(
            &RULE,
            &node(
                "a = \"\\q\\w\\n\\\"\\'\\a\"\nb = \"\\u12\"\nc = \"\\ud83dx\"\nd = \"\\u0041\"\n",
            ),
        );
        assert_snapshot!(found, @r"
        4:6-4:8 warning: `\q` is not a valid escape sequence; write `\\` for a backslash
            at: \q
            so: Godot drops the backslash
        5:6-5:8 error: `\u` must be followed by hexadecimal digits, as in `\u0041`
            at: \u
            so: Godot does not load the file
        6:6-6:12 error: `\ud83d` is half of a UTF-16 surrogate pair; write the character itself
            at: \ud83d
            so: Godot does not load the file
        ");
    }

    #[test]
    fn characters_beyond_ascii() {
        let text = node("a = \"\\u00e9\\ud83d\\ude00\"\n");
        assert_snapshot!(rendered(&RULE, &text), @r#"
        4:6-4:12 error: Godot misreads `\u00e9`; write the character itself
            at: \u00e9
            so: Godot reads a different character, or none
            unsafe fix: write the character
              - a = "\u00e9\ud83d\ude00"
              + a = "é\ud83d\ude00"
        4:12-4:24 error: Godot misreads `\ud83d\ude00`; write the character itself
            at: \ud83d\ude00
            so: Godot reads a different character, or none
            unsafe fix: write the character
              - a = "\u00e9\ud83d\ude00"
              + a = "\u00e9😀"
        "#);
        check_fix(&RULE, &node("a = \"\\u00e9 \\U01F600\"\n"), &node("a = \"é 😀\"\n"));
    }
}
