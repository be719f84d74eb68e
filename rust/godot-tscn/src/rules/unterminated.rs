//! SYN007

use std::cell::LazyCell;

use memchr::memrchr;

use crate::context::Context;
use crate::rules::{Reporter, declare_rule};
use crate::span::Span;
use crate::syntax::{SyntaxErrorKind, Unterminated};

declare_rule! {
    /// ## What it does
    /// Reports a string, array, dictionary, construct or tag without its end. The finding is at its start.
    ///
    /// ## Why is this bad?
    /// Godot reads on through the next lines and fails somewhere else: it does not load the file, and its error names a
    /// wrong line. If later quotes happen to pair up, it may load only the text before them without a message, and the
    /// next save removes the rest.
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
    let text = context.document.text();
    let quotes = LazyCell::new(|| quotes(text));
    let last_comment = LazyCell::new(|| memrchr(b';', text).unwrap_or(0));
    let mut may_be_silent = false;
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
        // Godot's reading of the first string decides on the rest.
        let is_value = what == Unterminated::String && is_value_of_key(text, error.span);
        may_be_silent |= is_value && may_pair_up(&quotes, *last_comment, error.span);
        if is_value && may_be_silent {
            diagnostic.consequence(
                "Godot does not load the file, or loads it without the rest and prints no message",
            );
            continue;
        }
        diagnostic.consequence("Godot does not load the file");
        if let Some(found) = error.related
            && !found.is_empty()
        {
            diagnostic.label(found, "Godot reports the error here");
        }
    }
}

/// Whether a string is the whole value of a key. Inside arrays and tags, Godot expects something after its end.
fn is_value_of_key(text: &[u8], span: Span) -> bool {
    let before = &text[..span.start as usize];
    let line = &before[memrchr(b'\n', before).map_or(0, |end| end + 1)..];
    line.trim_ascii().ends_with(b"=") && !line.trim_ascii_start().starts_with(b"[")
}

/// Whether Godot may reach the end of the text outside strings. Between strings it takes all for keys, and a text that ends in a
/// key is not an error for it (`VariantParser::parse_tag_assign_eof`, core/variant/variant_parser.cpp).
fn may_pair_up(quotes: &[u32], last_comment: usize, span: Span) -> bool {
    let from_here = quotes.len() - quotes.partition_point(|quote| *quote < span.start);
    // A quote in a comment does not count, but not all that looks so is a comment.
    from_here.is_multiple_of(2) || last_comment > span.start as usize
}

/// Where the quotes are that begin or end a string.
fn quotes(text: &[u8]) -> Vec<u32> {
    let mut quotes = Vec::new();
    let mut is_escaped = false;
    for (at, byte) in text.iter().enumerate() {
        match byte {
            b'"' if !is_escaped => quotes.push(at as u32),
            _ => {}
        }
        is_escaped = *byte == b'\\' && !is_escaped;
    }
    quotes
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
            so: Godot does not load the file
        "#);
        assert_eq!(codes(&text), ["SYN007", "SYN015"]);
        let text = node("text = \"abc\nvisible = true\nname = \"x\"\n");
        assert_snapshot!(rendered(&RULE, &text), @r#"
        4:8-4:12 error: unterminated string; close it with `"`
            at: "abc
            label 6:9-6:10: Godot reports the error here: x
            so: Godot does not load the file
        "#);
        assert_eq!(codes(&text), ["SYN007"]);
        let text = node("text = &\"abc");
        assert_snapshot!(rendered(&RULE, &text), @r#"
        4:8-4:13 error: unterminated string; close it with `"`
            at: &"abc
            so: Godot does not load the file
        "#);
        let text = node("text = [\"abc]\nb = 1\n[node name=\"B\" type=\"Node\" parent=\".\"]\n");
        assert_snapshot!(rendered(&RULE, &text), @r#"
        4:9-4:14 error: unterminated string; close it with `"`
            at: "abc]
            label 6:13-6:14: Godot reports the error here: B
            so: Godot does not load the file
        "#);
    }

    /// Godot 4.6.3 loads the first node with a property of an odd name, and nothing more.
    #[test]
    fn quotes_that_pair_up() {
        let text = node(
            "a = \"\n[node name=\"B\" type=\"Node\" parent=\".\"]\nscript = \"\n\n[node name=\"C\" parent=\".\"]\n",
        );
        assert!(rendered(&RULE, &text).contains("loads it without the rest"));
        // In an array Godot expects a comma.
        let text = node("a = [\"x]\nb = \"y\"\nc = \"z\n");
        assert!(!rendered(&RULE, &text).contains("without the rest"));
    }

    #[test]
    fn the_quote_of_the_next_string() {
        let text = node("goal = \"one\n\ntwo.\ncode = \"var x = []\n\nfunc f():\n\"\nb = 1\n");
        assert_snapshot!(rendered(&RULE, &text), @r#"
        4:8-4:12 error: unterminated string; close it with `"`
            at: "one
            label 7:9-7:10: Godot reports the error here: v
            so: Godot does not load the file
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
            so: Godot does not load the file
        6:13-6:14 error: unterminated construct; close it with `)`
            at: (
            label 7:1-7:2: Godot reports the error here: d
            so: Godot does not load the file
        7:5-7:6 error: unterminated array; close it with `]`
            at: [
            label 8:1-8:2: Godot reports the error here: [
            so: Godot does not load the file
        ");
        let text = node("[node name=\"B\" parent=\".\"\n[node name=\"C\" parent=\".\"]\n");
        assert_snapshot!(rendered(&RULE, &text), @"
        4:1-4:2 error: unterminated tag; close it with `]`
            at: [
            label 5:1-5:2: Godot reports the error here: [
            so: Godot does not load the file
        ");
        assert_snapshot!(rendered(&RULE, &node("a = {")), @"
        4:5-4:6 error: unterminated dictionary; close it with `}`
            at: {
            so: Godot does not load the file
        ");
    }

    #[test]
    fn what_looks_like_a_tag_in_a_string() {
        clean(&RULE, &node("a = \"\n[node name=\\\"B\\\"]\nb = 1\n\"\n"));
        clean(&RULE, &node("a = [\n[1, 2],\n[true]]\n"));
    }
}
