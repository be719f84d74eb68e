//! SYN014

use crate::context::Context;
use crate::diagnostic::{Applicability, Fix};
use crate::edit_set::Edit;
use crate::rules::{Reporter, declare_rule};
use crate::span::Span;
use crate::syntax::SyntaxErrorKind;

declare_rule! {
    /// ## What it does
    /// Reports two values without a comma between them, and commas without a value after them.
    ///
    /// ## Why is this bad?
    /// Godot does not load the file. Arrays, dictionaries and `PackedStringArray` can end with a comma; constructs made
    /// of numbers cannot.
    ///
    /// ## Example
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [node name="A" type="Node2D"]
    /// position = Vector2(1, 2,)
    /// ```
    ///
    /// ## Use instead
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [node name="A" type="Node2D"]
    /// position = Vector2(1, 2)
    /// ```
    ///
    /// ## Fix safety
    /// Removing a comma is safe, because Godot cannot load the file otherwise. Inserting one is unsafe, because it is a
    /// guess.
    ///
    /// ## References
    /// `VariantParser::_parse_construct`, `VariantParser::_parse_array`
    /// (core/variant/variant_parser.cpp)
    "SYN014", "missing-or-extra-comma", Error, for_settings_files
}

fn check(context: &Context<'_>, reporter: &mut Reporter<'_>) {
    for error in context.document.errors() {
        match error.kind {
            SyntaxErrorKind::MissingComma => {
                let value = context.quote(error.span);
                let edit = missing_comma(error.span, context.document.text());
                reporter
                    .report(error.span, format!("missing comma before {value}"))
                    .consequence("Godot does not load the file")
                    .fix(Fix::new("insert a comma", Applicability::Unsafe, vec![edit]));
            }
            SyntaxErrorKind::ExtraComma => {
                let edit = Edit::remove(with_commas_after(error.span, context.document.text()));
                reporter
                    .report(error.span, "unexpected comma; remove it")
                    .consequence("Godot does not load the file")
                    .fix(Fix::new("remove the comma", Applicability::Safe, vec![edit]));
            }
            _ => {}
        }
    }
}

/// A comma after the value before the one at `span`, if both are on one line. In another line it could end up in a
/// comment.
fn missing_comma(span: Span, text: &[u8]) -> Edit {
    let before = &text[..span.start as usize];
    let end = before.trim_ascii_end().len();
    if end < before.len() && !before[end..].contains(&b'\n') {
        Edit::insert(end as u32, ",")
    } else {
        Edit::insert(span.start, ", ")
    }
}

/// The comma and those that follow it: without this one, the next would be unnecessary, too.
fn with_commas_after(comma: Span, text: &[u8]) -> Span {
    let rest = &text[comma.end as usize..];
    let is_needless = |byte: &u8| *byte == b',' || byte.is_ascii_whitespace();
    let run = rest.iter().take_while(|byte| is_needless(byte));
    let last = run.enumerate().filter(|(_, byte)| **byte == b',').last();
    Span::new(comma.start, comma.end + last.map_or(0, |(index, _)| index as u32 + 1))
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;

    use super::RULE;
    use crate::rules::tests::{check_fix, clean, node, rendered};

    #[test]
    fn commas() {
        let found = rendered(
            &RULE,
            &node("a = Vector2(1, 2,)\nb = [1 2]\nc = {\"a\": 1 \"b\": 2}\nd = [1,, 2]\n"),
        );
        assert_snapshot!(found, @r#"
        4:17-4:18 error: unexpected comma; remove it
            at: ,
            so: Godot does not load the file
            safe fix: remove the comma
              - a = Vector2(1, 2,)
              + a = Vector2(1, 2)
        5:8-5:9 error: missing comma before `2`
            at: 2
            so: Godot does not load the file
            unsafe fix: insert a comma
              - b = [1 2]
              + b = [1, 2]
        6:13-6:16 error: missing comma before `"b"`
            at: "b"
            so: Godot does not load the file
            unsafe fix: insert a comma
              - c = {"a": 1 "b": 2}
              + c = {"a": 1, "b": 2}
        7:8-7:9 error: unexpected comma; remove it
            at: ,
            so: Godot does not load the file
            safe fix: remove the comma
              - d = [1,, 2]
              + d = [1, 2]
        "#);
        clean(&RULE, &node("a = [1, 2,]\nb = {\"a\": 1,}\nc = PackedStringArray(\"a\",)\n"));
    }

    #[test]
    fn fixes() {
        check_fix(
            &RULE,
            &node("a = Vector2(1, 2,)\nb = [1 2]\n"),
            &node("a = Vector2(1, 2)\nb = [1, 2]\n"),
        );
        let commas = ",".repeat(50);
        check_fix(&RULE, &node(&format!("a = [1,{commas} 2]\n")), &node("a = [1, 2]\n"));
    }
}
