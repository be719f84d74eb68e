//! SYN007

use crate::context::Context;
use crate::rules::{Reporter, declare_rule};
use crate::syntax::{SyntaxErrorKind, Unterminated};

declare_rule! {
    /// ## What it does
    /// Reports a string, array, dictionary, construct or tag whose end is missing, at its start.
    ///
    /// ## Why is this bad?
    /// Godot reads on through the following lines and fails somewhere else: it refuses the file
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

fn check(context: &Context<'_>, reporter: &mut Reporter<'_>) {
    for error in context.document.errors() {
        let SyntaxErrorKind::Unterminated(what) = error.kind else {
            continue;
        };
        let message = match what {
            Unterminated::String => "unterminated string; close it with `\"`",
            Unterminated::Array => "unterminated array; close it with `]`",
            Unterminated::Dictionary => "unterminated dictionary; close it with `}`",
            Unterminated::Construct => "unterminated construct; close it with `)`",
            Unterminated::Tag => "unterminated tag; close it with `]`",
        };
        let diagnostic = reporter.report(error.span, message);
        diagnostic.consequence("Godot refuses the file");
        if let Some(found) = error.related
            && !found.is_empty()
        {
            diagnostic.label(found, "Godot reports the error here");
        }
    }
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;

    use super::RULE;
    use crate::rules::tests::{clean, codes, node, rendered};

    #[test]
    fn strings() {
        let next = "\n[node name=\"B\" type=\"Node\" parent=\".\"]\na = Vector5(1)\n";
        let text = node(&format!("text = \"abc\n{next}"));
        assert_snapshot!(rendered(&RULE, &text), @r#"
        4:8-4:12 error: unterminated string; close it with `"`
            at: "abc
            label 6:13-6:14: Godot reports the error here: B
            so: Godot refuses the file
        "#);
        assert_eq!(codes(&text), ["SYN007", "SYN015"]);
        let text = node("text = \"abc\nvisible = true\nname = \"x\"\n");
        assert_snapshot!(rendered(&RULE, &text), @r#"
        4:8-4:12 error: unterminated string; close it with `"`
            at: "abc
            label 6:9-6:10: Godot reports the error here: x
            so: Godot refuses the file
        "#);
        assert_eq!(codes(&text), ["SYN007"]);
        let text = node("text = &\"abc");
        assert_snapshot!(rendered(&RULE, &text), @r#"
        4:8-4:13 error: unterminated string; close it with `"`
            at: &"abc
            so: Godot refuses the file
        "#);
        let text = node("text = [\"abc]\nb = 1\n[node name=\"B\" type=\"Node\" parent=\".\"]\n");
        assert_snapshot!(rendered(&RULE, &text), @r#"
        4:9-4:14 error: unterminated string; close it with `"`
            at: "abc]
            label 6:13-6:14: Godot reports the error here: B
            so: Godot refuses the file
        "#);
    }

    #[test]
    fn the_quote_of_the_next_string() {
        let text = node("goal = \"one\n\ntwo.\ncode = \"var x = []\n\nfunc f():\n\"\nb = 1\n");
        assert_snapshot!(rendered(&RULE, &text), @r#"
        4:8-4:12 error: unterminated string; close it with `"`
            at: "one
            label 7:9-7:10: Godot reports the error here: v
            so: Godot refuses the file
        "#);
        assert_eq!(codes(&text), ["SYN007"]);
    }

    #[test]
    fn brackets() {
        let text =
            node("a = [1, 2\nb = {\n\"c\": Vector2(1,\nd = [\n[node name=\"B\" parent=\".\"]\n");
        assert_snapshot!(rendered(&RULE, &text), @"
        4:5-4:6 error: unterminated array; close it with `]`
            at: [
            label 5:1-5:2: Godot reports the error here: b
            so: Godot refuses the file
        6:13-6:14 error: unterminated construct; close it with `)`
            at: (
            label 7:1-7:2: Godot reports the error here: d
            so: Godot refuses the file
        7:5-7:6 error: unterminated array; close it with `]`
            at: [
            label 8:1-8:2: Godot reports the error here: [
            so: Godot refuses the file
        ");
        let text = node("[node name=\"B\" parent=\".\"\n[node name=\"C\" parent=\".\"]\n");
        assert_snapshot!(rendered(&RULE, &text), @"
        4:1-4:2 error: unterminated tag; close it with `]`
            at: [
            label 5:1-5:2: Godot reports the error here: [
            so: Godot refuses the file
        ");
        assert_snapshot!(rendered(&RULE, &node("a = {")), @"
        4:5-4:6 error: unterminated dictionary; close it with `}`
            at: {
            so: Godot refuses the file
        ");
    }

    #[test]
    fn what_looks_like_a_tag_in_a_string() {
        clean(&RULE, &node("a = \"\n[node name=\\\"B\\\"]\nb = 1\n\"\n"));
        clean(&RULE, &node("a = [\n[1, 2],\n[true]]\n"));
    }
}
