//! SYN009

use crate::context::Context;
use crate::diagnostic::{Applicability, Fix, Severity};
use crate::edit_set::Edit;
use crate::rules::{Reporter, declare_rule};
use crate::syntax::SyntaxErrorKind;

declare_rule! {
    /// ## What it does
    /// Reports a byte order mark at the start of the file.
    ///
    /// ## Why is this bad?
    /// Godot expects `[` as the first byte and does not load the file.
    ///
    /// ## Example
    /// A file whose first three bytes are `EF BB BF`, as some editors save it.
    ///
    /// ## Use instead
    /// UTF-8 without a byte order mark.
    ///
    /// ## Fix safety
    /// Removing a UTF-8 mark is safe: Godot cannot load the file with it.
    ///
    /// ## References
    /// `ResourceLoaderText::open` (scene/resources/resource_format_text.cpp)
    "SYN009", "byte-order-mark", Error, for_settings_files
}

fn check(context: &Context<'_>, reporter: &mut Reporter<'_>) {
    for error in context.document.errors() {
        if error.kind == SyntaxErrorKind::ByteOrderMarkInString {
            let message = "the text starts with an invisible byte order mark; remove it";
            let diagnostic = reporter.report(error.span, message);
            diagnostic.severity = Severity::Warning;
            let edits = vec![Edit::remove(error.span)];
            diagnostic.consequence("Godot drops it").fix(Fix::new(
                "remove the byte order mark",
                Applicability::Safe,
                edits,
            ));
        }
        if error.kind != SyntaxErrorKind::ByteOrderMark {
            continue;
        }
        if error.span.len() == 2 {
            reporter
                .report(
                    error.span,
                    "the file is in UTF-16; save it as UTF-8 without a byte order mark",
                )
                .consequence("Godot does not load the file");
            continue;
        }
        reporter
            .report(error.span, "the file starts with a byte order mark; remove it")
            .consequence("Godot does not load the file")
            .fix(Fix::new(
                "remove the byte order mark",
                Applicability::Safe,
                vec![Edit::remove(error.span)],
            ));
    }
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;

    use super::RULE;
    use crate::rules::tests::{check_fix, codes, node, rendered};

    #[test]
    fn marks() {
        let text = format!("\u{feff}{}", node(""));
        assert_snapshot!(rendered(&RULE, &text), @r"
        1:1-1:2 error: the file starts with a byte order mark; remove it
            at: \u{feff}
            so: Godot does not load the file
            safe fix: remove the byte order mark
              - \u{feff}[gd_scene format=3]
              + [gd_scene format=3]
        ");
        assert_eq!(codes(&text), ["SYN009"]);
        assert_snapshot!(rendered(&RULE, b"\xff\xfe[\0g\0"), @"
        1:1-1:3 error: the file is in UTF-16; save it as UTF-8 without a byte order mark
            at: ��
            so: Godot does not load the file
        ");
    }

    #[test]
    fn fixes() {
        check_fix(&RULE, &format!("\u{feff}{}", node("")), &node(""));
    }
}
