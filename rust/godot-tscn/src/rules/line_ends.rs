//! STY002

use memchr::{memchr, memchr_iter, memchr2};

use crate::context::Context;
use crate::diagnostic::{Applicability, Fix, Severity};
use crate::document::Document;
use crate::edit_set::Edit;
use crate::rules::{Reporter, declare_rule};
use crate::span::Span;
use crate::syntax::{TokenKind, tokens};
use crate::words;

declare_rule! {
    /// ## What it does
    /// Reports line ends other than a line feed, trailing white space, and a missing line feed after the last line.
    /// Ignores line ends in strings, because they are part of the value.
    ///
    /// If all lines end with a carriage return, including those in strings, git or an editor converted the file. This
    /// is a warning, and its fix also repairs the strings.
    ///
    /// ## Why is this bad?
    /// Godot does not write such line ends, so the next save in the editor changes every such line. In a converted
    /// file, the values of strings are wrong: Godot reads their carriage returns, and saves them.
    ///
    /// ## Example
    /// A scene with Windows line ends, or `[node name="A" type="Node"]` with a space after it.
    ///
    /// ## Use instead
    /// The same file with line feeds only. In git, `*.tscn text eol=lf` in `.gitattributes` keeps them.
    ///
    /// ## Fix safety
    /// Safe: Godot skips white space between values. The fix is unsafe at the end of a file with unused resources,
    /// because the file may be cut off, and for a converted file, because it changes values.
    ///
    /// ## References
    /// `ResourceFormatSaverTextInstance::save` (scene/resources/resource_format_text.cpp)
    "STY002", "line-ends", Info
}

fn check(context: &Context<'_>, reporter: &mut Reporter<'_>) {
    let document = context.document;
    let text = document.text();
    // In UTF-16, a line feed is two bytes.
    let is_utf16 = text.starts_with(b"\xff\xfe") || text.starts_with(b"\xfe\xff");
    if document.is_incomplete() || text.is_empty() || is_utf16 {
        return;
    }
    let returns = memchr(b'\r', text).is_some();
    if returns && let Some(converted) = Converted::find(text) {
        report_converted(text, &converted, reporter);
        return;
    }
    let mut edits = Vec::new();
    if returns || has_trailing_blanks(text) {
        edits = blanks_before_line_ends(text);
    }
    if let Some(first) = edits.first() {
        let span = first.span;
        let kind = if returns && first.span.of(text).ends_with(b"\r") {
            "a carriage return"
        } else {
            "trailing whitespace"
        };
        let message = match edits.len() {
            1 => format!("this line ends with {kind}; remove it"),
            count => format!("from here on, {count} lines end with {kind}; remove it"),
        };
        reporter.report(span, message).fix(Fix::new(
            "end the lines with a line feed",
            Applicability::Safe,
            edits,
        ));
    }
    if text.last() != Some(&b'\n') && !is_in_comment(document) {
        let end = text.len() as u32;
        // Perhaps the text was cut off, and the missing part used the unused things: then only the missing line
        // feed shows it.
        let has_unused = context.ext_resources.unused().next().is_some()
            || context.sub_resources.unused().next().is_some();
        let applicability = if has_unused { Applicability::Unsafe } else { Applicability::Safe };
        reporter
            .report(Span::empty(end), "the file does not end with a line feed; add one")
            .fix(Fix::new("add a line feed", applicability, vec![Edit::insert(end, "\n")]));
    }
}

/// A text in which git or an editor has put a carriage return before each line feed, those in strings too.
pub(crate) struct Converted {
    /// The strings with line feeds; at least one.
    pub(crate) strings: Vec<Span>,
    line_count: usize,
}

impl Converted {
    /// Nothing if a line feed has no carriage return before it, or if none is in a string: then no value is another one.
    pub(crate) fn find(text: &[u8]) -> Option<Self> {
        let mut line_count = 0;
        for end in memchr_iter(b'\n', text) {
            if end == 0 || text[end - 1] != b'\r' {
                return None;
            }
            line_count += 1;
        }
        if line_count == 0 {
            return None;
        }
        let is_string = |kind| matches!(kind, TokenKind::String | TokenKind::StringName);
        let strings: Vec<Span> = tokens(text)
            .into_iter()
            .filter(|token| is_string(token.kind))
            .map(|token| token.span)
            .filter(|span| memchr(b'\n', span.of(text)).is_some())
            .collect();
        (!strings.is_empty()).then_some(Self { strings, line_count })
    }
}

fn report_converted(text: &[u8], converted: &Converted, reporter: &mut Reporter<'_>) {
    let first = memchr(b'\r', text).unwrap_or(0) as u32;
    let texts = match converted.strings.len() {
        1 => "including those in a string".to_owned(),
        count => format!("including those in {count} strings"),
    };
    let message = format!(
        "all {} lines end with a carriage return, {texts}; git or an editor converted the file",
        converted.line_count
    );
    let mut edits = blanks_before_line_ends(text);
    for string in &converted.strings {
        for end in memchr_iter(b'\n', string.of(text)) {
            let at = string.start + end as u32;
            edits.push(Edit::remove(Span::new(at - 1, at)));
        }
    }
    edits.sort_unstable_by_key(|edit| edit.span);
    let diagnostic = reporter.report(Span::new(first, first + 1), message);
    diagnostic.severity = Severity::Warning;
    diagnostic.consequence("Godot reads these strings with the carriage returns, and saves them");
    diagnostic.label(converted.strings[0], "this string contains carriage returns");
    diagnostic.fix(Fix::new(
        "end the lines with a line feed, in strings too",
        Applicability::Unsafe,
        edits,
    ));
}

/// Whether a blank is before any line feed.
fn has_trailing_blanks(text: &[u8]) -> bool {
    words::holds(text, b" \n") || words::holds(text, b"\t\n")
}

/// Removals of the white space before each line feed that is in no string.
fn blanks_before_line_ends(text: &[u8]) -> Vec<Edit> {
    let mut edits = Vec::new();
    for token in tokens(text) {
        let span = match token.kind {
            TokenKind::Whitespace | TokenKind::Comment => token.span,
            _ => continue,
        };
        let source = span.of(text);
        if memchr2(b'\n', b'\r', source).is_none() && token.kind == TokenKind::Whitespace {
            continue;
        }
        push_blanks(text, span, &mut edits);
    }
    edits
}

fn push_blanks(text: &[u8], span: Span, edits: &mut Vec<Edit>) {
    let source = span.of(text);
    let mut line = 0;
    let ends = memchr_iter(b'\n', source).chain(
        // A comment ends where its line feed begins.
        (text.get(span.end as usize) == Some(&b'\n')).then_some(source.len()),
    );
    for end in ends {
        let blanks = source[line..end]
            .iter()
            .rev()
            .take_while(|byte| matches!(**byte, b' ' | b'\t' | b'\r'))
            .count();
        let at = span.start + end as u32;
        if blanks > 0 {
            edits.push(Edit::remove(Span::new(at - blanks as u32, at)));
        }
        line = end + 1;
    }
}

fn is_in_comment(document: &Document<'_>) -> bool {
    document.comments().last().is_some_and(|last| last.end as usize >= document.text().len())
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;

    use super::RULE;
    use crate::rules::tests::{check_fix, clean, node, rendered};

    #[test]
    fn ends() {
        let text = node("a = \"1 \n2\"\nb = {\n\"c\": 1\n}\n");
        clean(&RULE, &text);
        let returns = text.replace('\n', "\r\n").replace("1 \r\n2", "1 \n2");
        assert_snapshot!(rendered(&RULE, &returns), @r#"
        1:20-1:21 info: from here on, 7 lines end with a carriage return; remove it
            at: \r
            safe fix: end the lines with a line feed
              - [gd_scene format=3]\r
              - \r
              - [node name="A" type="Node"]\r
              + [gd_scene format=3]
              +
              + [node name="A" type="Node"]
              - 2"\r
              - b = {\r
              - "c": 1\r
              - }\r
              + 2"
              + b = {
              + "c": 1
              + }
        "#);
        check_fix(&RULE, &returns, &text);
    }

    /// The fix repairs the strings with the rest, or nothing.
    #[test]
    fn converted_files() {
        let text = node("a = \"1\n2 \n\"\nb = &\"3\n4\"\nc = {\n\"d\": 1\n}\n");
        let converted = text.replace('\n', "\r\n");
        let found = rendered(&RULE, &converted);
        let expected = "1:20-1:21 warning: all 11 lines end with a carriage return, including those in 2 strings; \
                        git or an editor converted the file\n";
        assert!(found.starts_with(expected), "{found}");
        assert_eq!(
            (found.matches("fix: ").count(), found.matches("unsafe fix: ").count()),
            (1, 1),
            "{found}"
        );
        check_fix(&RULE, &converted, &text);
        // This one is intended.
        let meant = text.replace("1\n2", "1\r\n2");
        clean(&RULE, &meant);
        // Without the last line feed too.
        assert!(rendered(&RULE, converted.trim_end()).contains("unsafe fix"));
        let refused = crate::format(converted.as_bytes(), &crate::FormatOptions::default());
        assert!(refused.unwrap_err().to_string().contains("converted"));
    }

    #[test]
    fn blanks() {
        assert_snapshot!(rendered(&RULE, &node("a = 1 \t\n")), @r"
        4:6-4:8 info: this line ends with trailing whitespace; remove it
            at:  \t
            safe fix: end the lines with a line feed
              - a = 1 \t
              + a = 1
        ");
        check_fix(&RULE, &node("a = 1 \t\n; b \n  \n"), &node("a = 1\n; b\n\n"));
        assert_snapshot!(rendered(&RULE, &node("a = 1")), @"
        4:6-4:6 info: the file does not end with a line feed; add one
            safe fix: add a line feed
              - a = 1 (no line feed)
              + a = 1
        ");
        check_fix(&RULE, &node("a = 1"), &node("a = 1\n"));
    }

    /// With a line feed, the resources would look unused.
    #[test]
    fn a_text_that_may_be_cut_off() {
        let text = "[gd_scene format=3]\n\n[sub_resource type=\"Gradient\" id=\"a\"]\n\n[node name=\"A\" type=\"Node\"]";
        assert!(rendered(&RULE, text).contains("unsafe fix: add a line feed"));
    }
}
