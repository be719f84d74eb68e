//! SYN018

use crate::diagnostic::{Applicability, Edit, Fix, Severity};
use crate::lint::Context;
use crate::rules::{Reporter, declare_rule};
use crate::span::Span;
use crate::syntax::SyntaxErrorKind;

declare_rule! {
    /// ## What it does
    /// Reports NUL bytes.
    ///
    /// ## Why is this bad?
    /// Between tokens Godot reads a NUL as the end of the file: the rest is not loaded, or
    /// the file is refused. In a string it reports that the string is unterminated.
    ///
    /// ## Example
    /// A file that was damaged on disk and is filled up with zeros.
    ///
    /// ## Use instead
    /// The last good version from version control.
    ///
    /// ## Fix safety
    /// Safe where Godot skips them, which is in front of keys and right after words and numbers. There is
    /// no fix elsewhere: more may be lost than is seen.
    ///
    /// ## References
    /// `VariantParser::get_token` (core/variant/variant_parser.cpp)
    "SYN018", "nul-byte", Error, for_settings_files
}

fn check(context: &Context<'_>, reporter: &mut Reporter<'_>) {
    for error in context.document.errors() {
        if error.kind == SyntaxErrorKind::SkippedNul {
            let diagnostic = reporter.report(error.span, "unexpected NUL bytes; remove them");
            diagnostic.severity = Severity::Warning;
            diagnostic.consequence(
                "Godot skips them here; elsewhere it reads them as the end of the file",
            );
            let edits = vec![Edit::replace(error.span, gap(context.document.text(), error.span))];
            diagnostic.fix(Fix::new("remove them", Applicability::Safe, edits));
        }
        if error.kind == SyntaxErrorKind::Nul {
            reporter
                .report(error.span, "the file contains NUL bytes; remove them or restore the file")
                .consequence("Godot reads them as the end of the file");
        }
    }
}

/// What has to stay between what stands on both sides: a blank between two words.
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
    use crate::rules::tests::{check_fix, node, rendered};

    #[test]
    fn bytes() {
        assert_snapshot!(rendered(&RULE, &node("a = \"x\0\0y\"\n\0\0\0")), @r"
        4:7-4:9 error: the file contains NUL bytes; remove them or restore the file
            at: \0\0
            so: Godot reads them as the end of the file
        5:1-5:4 warning: unexpected NUL bytes; remove them
            at: \0\0\0
            so: Godot skips them here; elsewhere it reads them as the end of the file
            safe fix: remove them
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
}
