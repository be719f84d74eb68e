//! SYN007

use crate::lint::Context;
use crate::rules::{Findings, declare_rule};
use crate::syntax::{SyntaxErrorKind, Unterminated};

declare_rule! {
    /// ## What it does
    /// Reports a string, array, dictionary, construct or tag whose end is missing, at its start.
    ///
    /// ## Why is this bad?
    /// Godot reads on through the following lines and gives up somewhere else: it refuses the file
    /// and names a wrong line.
    ///
    /// ## Example
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [node name="A" type="Label"]
    /// text = "hello
    ///
    /// [node name="B" type="Node" parent="."]
    /// ```
    ///
    /// ## Use instead
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [node name="A" type="Label"]
    /// text = "hello"
    ///
    /// [node name="B" type="Node" parent="."]
    /// ```
    ///
    /// ## References
    /// `VariantParser::get_token` (core/variant/variant_parser.cpp)
    "SYN007", "unterminated", Error, for_settings_files
}

fn check(context: &Context<'_>, findings: &mut Findings<'_>) {
    for error in context.document.errors() {
        let SyntaxErrorKind::Unterminated(what) = error.kind else {
            continue;
        };
        let message = match what {
            Unterminated::String => "this string has no end; close it with `\"`",
            Unterminated::Array => "this array has no end; close it with `]`",
            Unterminated::Dictionary => "this dictionary has no end; close it with `}`",
            Unterminated::Construct => "this construct has no end; close it with `)`",
            Unterminated::Tag => "this tag has no end; close it with `]`",
        };
        let finding = findings.push(error.span, message);
        finding.consequence("Godot refuses the file");
        if let Some(found) = error.related
            && !found.is_empty()
        {
            finding.label(found, "Godot stumbles here");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::rules::tests::{check, codes, node};

    #[test]
    fn strings() {
        let next = "\n[node name=\"B\" type=\"Node\" parent=\".\"]\na = Vector5(1)\n";
        let text = node(&format!("text = \"abc\n{next}"));
        check(&RULE, &text, &["4:8 this string has no end; close it with `\"`"]);
        assert_eq!(codes(&text), ["SYN007", "SYN015"]);
        let text = node("text = \"abc\nvisible = true\nname = \"x\"\n");
        check(&RULE, &text, &["4:8 this string has no end; close it with `\"`"]);
        assert_eq!(codes(&text), ["SYN007"]);
        let text = node("text = &\"abc");
        check(&RULE, &text, &["4:8 this string has no end; close it with `\"`"]);
        let text = node("text = [\"abc]\nb = 1\n[node name=\"B\" type=\"Node\" parent=\".\"]\n");
        check(&RULE, &text, &["4:9 this string has no end; close it with `\"`"]);
    }

    #[test]
    fn the_quote_of_the_next_string() {
        let text = node("goal = \"one\n\ntwo.\ncode = \"var x = []\n\nfunc f():\n\"\nb = 1\n");
        check(&RULE, &text, &["4:8 this string has no end; close it with `\"`"]);
        assert_eq!(codes(&text), ["SYN007"]);
    }

    #[test]
    fn brackets() {
        let text =
            node("a = [1, 2\nb = {\n\"c\": Vector2(1,\nd = [\n[node name=\"B\" parent=\".\"]\n");
        check(
            &RULE,
            &text,
            &[
                "4:5 this array has no end; close it with `]`",
                "6:13 this construct has no end; close it with `)`",
                "7:5 this array has no end; close it with `]`",
            ],
        );
        let text = node("[node name=\"B\" parent=\".\"\n[node name=\"C\" parent=\".\"]\n");
        check(&RULE, &text, &["4:1 this tag has no end; close it with `]`"]);
        check(&RULE, &node("a = {"), &["4:5 this dictionary has no end; close it with `}`"]);
    }

    #[test]
    fn what_looks_like_a_tag_in_a_string() {
        check(&RULE, &node("a = \"\n[node name=\\\"B\\\"]\nb = 1\n\"\n"), &[]);
        check(&RULE, &node("a = [\n[1, 2],\n[true]]\n"), &[]);
    }
}
