//! SYN013

use crate::context::Context;
use crate::diagnostic::{Applicability, Fix};
use crate::edit_set::Edit;
use crate::rules::{Reporter, declare_rule};
use crate::span::Span;
use crate::syntax::{GdscriptLiteral, SyntaxErrorKind};

declare_rule! {
    /// ## What it does
    /// Reports literals of GDScript, Python or Windows programs that are not valid in text scenes: `'text'`, `^"path"`,
    /// `+1`, `.5`, `True`, `None`, `1.#INF`.
    ///
    /// ## Why is this bad?
    /// Godot does not load the file.
    ///
    /// ## Example
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [node name="A" type="Node2D"]
    /// visible = True
    /// ```
    ///
    /// ## Use instead
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [node name="A" type="Node2D"]
    /// visible = true
    /// ```
    ///
    /// ## Fix safety
    /// Safe: Godot cannot load the file as it is.
    ///
    /// ## References
    /// `VariantParser::get_token`, `VariantParser::parse_value` (core/variant/variant_parser.cpp)
    "SYN013", "gdscript-literal", Error, for_settings_files
}

fn check(context: &Context<'_>, reporter: &mut Reporter<'_>) {
    for error in context.document.errors() {
        let SyntaxErrorKind::GdscriptLiteral(literal) = error.kind else {
            continue;
        };
        let source = error.span.of(context.document.text());
        let found = context.quote(error.span);
        let replacement = replacement(literal, source)
            .filter(|new| !continues_number(context.document.text(), error.span, new));
        let diagnostic = match replacement {
            None => {
                reporter.report(error.span, format!("{found} is not a valid value in this format"))
            }
            Some(replacement) => {
                let title = format!("write {}", crate::quote::quote(replacement.as_bytes()));
                let edits = vec![Edit::replace(error.span, replacement)];
                let diagnostic = reporter.report(
                    error.span,
                    format!("{found} is not a valid value in this format; {title}"),
                );
                // Right behind a word, `.5` would only make that word longer.
                let before = &context.document.text()[..error.span.start as usize];
                let is_glued = before
                    .last()
                    .is_some_and(|byte| byte.is_ascii_alphanumeric() || b"_.#".contains(byte));
                if !is_glued {
                    diagnostic.fix(Fix::new(title, Applicability::Safe, edits));
                }
                diagnostic
            }
        };
        diagnostic.consequence("Godot does not load the file");
    }
}

/// Whether `new` in the place of `span` would become a part of the number before it.
fn continues_number(text: &[u8], span: Span, new: &str) -> bool {
    let before = text[..span.start as usize].last();
    let is_number_byte =
        |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'+' | b'-');
    new.starts_with(|first: char| first.is_ascii_digit()) && before.is_some_and(is_number_byte)
}

/// The replacement.
fn replacement(literal: GdscriptLiteral, source: &[u8]) -> Option<String> {
    let source = std::str::from_utf8(source).ok()?;
    Some(match literal {
        GdscriptLiteral::SingleQuotes => {
            let body = source.trim_matches('\'');
            format!("\"{}\"", body.replace('\\', "\\\\").replace('"', "\\\""))
        }
        GdscriptLiteral::NodePath => format!("NodePath({})", &source[1..]),
        GdscriptLiteral::Plus => source[1..].to_owned(),
        GdscriptLiteral::LeadingPeriod => source.replacen('.', "0.", 1),
        GdscriptLiteral::NotFinite => {
            let is_infinite = source.contains("#INF");
            let name = match (is_infinite, source.starts_with('-')) {
                (true, true) => "inf_neg",
                (true, false) => "inf",
                (false, _) => "nan",
            };
            name.to_owned()
        }
        GdscriptLiteral::Keyword => {
            let keyword = source.to_ascii_lowercase();
            if keyword == "none" { "null".to_owned() } else { keyword }
        }
    })
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;

    use super::RULE;
    use crate::rules::tests::{check_fix, node, rendered};

    #[test]
    fn literals() {
        assert_snapshot!(rendered(&RULE, &node("a = True\nb = [^\"x\"]\n")), @r#"
        4:5-4:9 error: `True` is not a valid value in this format; write `true`
            at: True
            so: Godot does not load the file
            safe fix: write `true`
              - a = True
              + a = true
        5:6-5:10 error: `^"x"` is not a valid value in this format; write `NodePath("x")`
            at: ^"x"
            so: Godot does not load the file
            safe fix: write `NodePath("x")`
              - b = [^"x"]
              + b = [NodePath("x")]
        "#);
    }

    #[test]
    fn fixes() {
        check_fix(
            &RULE,
            &node(
                "a = 'x'\nb = ^\"a/b\"\nc = [+1, -.5, .5]\nd = None\ne = Vector2(1.#INF, -1.#INF00)\nf = -1.#IND\n",
            ),
            &node(
                "a = \"x\"\nb = NodePath(\"a/b\")\nc = [1, -0.5, 0.5]\nd = null\ne = Vector2(inf, inf_neg)\nf = nan\n",
            ),
        );
        // Not `10` and not `1.00.5`: a comma is missing.
        assert_snapshot!(rendered(&RULE, &node("a = [1+0, 1.0.5]\n")), @"
        4:7-4:9 error: `+0` is not a valid value in this format
            at: +0
            so: Godot does not load the file
        4:14-4:16 error: `.5` is not a valid value in this format
            at: .5
            so: Godot does not load the file
        ");
    }

    /// There `0` would go on with the number before.
    #[test]
    fn glued() {
        let options = crate::FixOptions::for_path("a.tscn");
        let fixed = crate::fix(node("a = [0.1.4]\n").as_bytes(), &options).unwrap();
        assert_eq!(String::from_utf8(fixed.text).unwrap(), node("a = [0.1.4]\n"));
    }
}
