//! SYN004

use crate::lint::Context;
use crate::rules::{Findings, declare_rule};
use crate::syntax::SyntaxErrorKind;

declare_rule! {
    /// ## What it does
    /// Reports what stands between a finished value or tag and the end of its line.
    ///
    /// ## Why is this bad?
    /// Godot ends the value where it can and takes the rest for the beginning of the next key:
    /// `0x10` is read as `0`, and the property on the next line is lost without a word.
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
    /// ## References
    /// `VariantParser::parse_tag_assign_eof` (core/variant/variant_parser.cpp)
    "SYN004", "trailing-garbage", Error
}

fn check(context: &Context<'_>, findings: &mut Findings<'_>) {
    for error in context.document.errors() {
        if error.kind != SyntaxErrorKind::TrailingGarbage {
            continue;
        }
        let text = context.document.text();
        let garbage = context.quote(error.span);
        let is_hexadecimal = matches!(error.span.of(text).first(), Some(b'x' | b'X'))
            && text[..error.span.start as usize].ends_with(b"0");
        let message = if is_hexadecimal {
            format!("{garbage} does not belong to the number before it; write it in decimal")
        } else {
            format!("{garbage} stands after the end of the line's value; remove or quote it")
        };
        findings.push(error.span, message).consequence(
            "Godot takes it for the beginning of the next key and loses the next property",
        );
    }
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::rules::tests::{check, node};

    #[test]
    fn garbage() {
        check(
            &RULE,
            &node("a = 0x10\nb = 1 2\nc = \"a\" \"b\"\nd = 3\n"),
            &[
                "4:6 `x10` does not belong to the number before it; write it in decimal",
                "5:7 `2` stands after the end of the line's value; remove or quote it",
                "6:9 `\"b\"` stands after the end of the line's value; remove or quote it",
            ],
        );
        check(
            &RULE,
            &node("a = 1 rest"),
            &["4:7 `rest` stands after the end of the line's value; remove or quote it"],
        );
        check(
            &RULE,
            "[gd_scene format=3] rest\n[node name=\"A\" type=\"Node\"] # why\na = 1\n",
            &[
                "1:21 `rest` stands after the end of the line's value; remove or quote it",
                "2:29 `# why` stands after the end of the line's value; remove or quote it",
            ],
        );
    }

    #[test]
    fn everything_on_one_line() {
        check(&RULE, "[gd_scene format=3] [node name=\"A\" type=\"Node\"] a = 1 b = 2 ; c", &[]);
    }
}
