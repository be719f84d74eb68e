//! SYN018

use crate::context::Context;
use crate::diagnostic::{Applicability, Fix, Severity};
use crate::edit_set::Edit;
use crate::rules::{Reporter, declare_rule};
use crate::span::Span;
use crate::syntax::SyntaxErrorKind;

declare_rule! {
    /// ## What it does
    /// Reports NUL bytes.
    ///
    /// ## Why is this bad?
    /// If a crash or a full disk interrupts the writing of a file, NUL bytes fill the missing part. The effect depends
    /// on their place:
    /// - Before keys, and right after words and numbers, Godot skips them and loads the rest without a message.
    /// - Between other tokens, Godot reads a NUL as the end of the file. It ignores the rest, or does not load the
    ///   file.
    /// - In a string, Godot reports that the string is unterminated.
    ///
    /// ## Example
    /// A file that was damaged on disk and filled with zeros.
    ///
    /// ## Use instead
    /// The last good version from version control.
    ///
    /// ## Fix safety
    /// Safe for one NUL byte that Godot skips, which is the end of a string in the C language (only a warning).
    /// Removing several such bytes is unsafe, because nothing would show any longer that text is missing. There is no
    /// fix elsewhere, and none for a file without any text.
    ///
    /// ## References
    /// `VariantParser::get_token`, `VariantParser::parse_tag_assign_eof` (core/variant/variant_parser.cpp)
    "SYN018", "nul-byte", Error, for_settings_files
}

fn check(context: &Context<'_>, reporter: &mut Reporter<'_>) {
    let text = context.document.text();
    let nuls = context.document.errors().iter().filter_map(|error| match error.kind {
        SyntaxErrorKind::Nul => Some((error.span, false)),
        SyntaxErrorKind::SkippedNul => Some((error.span, true)),
        _ => None,
    });
    let is_blank = text.iter().all(|byte| *byte <= b' ');
    for (span, is_skipped) in nuls {
        if is_blank {
            let message = "the file contains only NUL bytes; restore it from version control";
            reporter.report(span, message).consequence(match context.is_config {
                true => "Godot reads no settings from it",
                false => "Godot does not load the file",
            });
            return;
        }
        if is_skipped {
            report_skipped(text, span, reporter);
        } else {
            reporter
                .report(span, "the file contains NUL bytes; remove them or restore the file")
                .consequence("Godot reads them as the end of the file");
        }
    }
}

fn report_skipped(text: &[u8], span: Span, reporter: &mut Reporter<'_>) {
    let edits = vec![Edit::replace(span, gap(text, span))];
    if let [_] = span.of(text) {
        let diagnostic = reporter.report(span, "unexpected NUL byte; remove it");
        diagnostic.severity = Severity::Warning;
        diagnostic.consequence("Godot skips it here; elsewhere it reads it as the end of the file");
        diagnostic.fix(Fix::new("remove the NUL byte", Applicability::Safe, edits));
        return;
    }
    let count = span.of(text).len();
    let message = format!(
        "a row of {count} NUL bytes, which a crash leaves instead of text; restore the file"
    );
    reporter
        .report(span, message)
        .consequence("Godot skips them and loads what is left without a message")
        .fix(Fix::new("remove the NUL bytes", Applicability::Unsafe, edits));
}

/// The text that must stay between both sides: a blank between two words.
fn gap(text: &[u8], nul: Span) -> &'static str {
    let is_word =
        |byte: &u8| byte.is_ascii_alphanumeric() || b"_.-+\"#".contains(byte) || *byte >= 0x80;
    let before = text[..nul.start as usize].last().is_some_and(is_word);
    let after = text[nul.end as usize..].first().is_some_and(is_word);
    if before && after { " " } else { "" }
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;

    use super::RULE;
    use crate::rules::tests::{check_fix, codes, node, rendered, rendered_file};

    #[test]
    fn bytes() {
        assert_snapshot!(rendered(&RULE, &node("a = \"x\0\0y\"\n\0\0\0")), @r"
        4:7-4:9 error: the file contains NUL bytes; remove them or restore the file
            at: \0\0
            so: Godot reads them as the end of the file
        5:1-5:4 error: a row of 3 NUL bytes, which a crash leaves instead of text; restore the file
            at: \0\0\0
            so: Godot skips them and loads what is left without a message
            unsafe fix: remove the NUL bytes
              - \0\0\0 (no line feed)
        ");
        assert_snapshot!(rendered(&RULE, &node("a = \0 1\n")), @r"
        4:5-4:6 error: the file contains NUL bytes; remove them or restore the file
            at: \0
            so: Godot reads them as the end of the file
        ");
        check_fix(&RULE, &node("a\0 = 1\0\nb = 2\n"), &node("a = 1\nb = 2\n"));
    }

    #[test]
    fn words_stay_apart() {
        check_fix(
            &RULE,
            "[gd_scene\0format=3]\n[node\0name=\"A\"]\n",
            "[gd_scene format=3]\n[node name=\"A\"]\n",
        );
    }

    /// The remains of a crash: Godot 4.6.3 refuses files of zeros and those that begin with zeros. It loads the others
    /// without the lost part (a settings file of zeros: without any setting).
    #[test]
    fn zeros_in_place_of_text() {
        for text in ["\0", "\0\0\0", "\n\0\0\n\0"] {
            let found = rendered(&RULE, text);
            assert!(found.contains("error: the file contains only NUL bytes"), "{found}");
            assert_eq!(codes(text), ["SYN018"]);
        }
        assert_snapshot!(rendered_file(&RULE, "project.godot", "\0\0"), @r"
        1:1-1:3 error: the file contains only NUL bytes; restore it from version control
            at: \0\0
            so: Godot reads no settings from it
        ");
        assert_snapshot!(rendered(&RULE, "\0[gd_scene format=3]\n[node name=\"A\"]\n"), @r"
        1:1-1:2 error: the file contains NUL bytes; remove them or restore the file
            at: \0
            so: Godot reads them as the end of the file
        ");
        assert_snapshot!(rendered(&RULE, "[gd_scene format=3]\n\0\0"), @r"
        2:1-2:3 error: the file contains NUL bytes; remove them or restore the file
            at: \0\0
            so: Godot reads them as the end of the file
        ");
        assert_snapshot!(rendered(&RULE, &node("a = 1\n\n\0\0\0\0")), @r"
        6:1-6:5 error: a row of 4 NUL bytes, which a crash leaves instead of text; restore the file
            at: \0\0\0\0
            so: Godot skips them and loads what is left without a message
            unsafe fix: remove the NUL bytes
              - \0\0\0\0 (no line feed)
        ");
        assert_snapshot!(rendered(&RULE, &node("\0\0\0\0\0\0\n[node name=\"B\" parent=\".\"]\n")), @r"
        4:1-4:7 error: a row of 6 NUL bytes, which a crash leaves instead of text; restore the file
            at: \0\0\0\0\0\0
            so: Godot skips them and loads what is left without a message
            unsafe fix: remove the NUL bytes
              - \0\0\0\0\0\0
              +
        ");
    }
}
