//! SYN010

use crate::context::Context;
use crate::rules::{Reporter, declare_rule};
use crate::span::Span;
use crate::syntax::SyntaxErrorKind;

declare_rule! {
    /// ## What it does
    /// Reports the first bytes of a file that are not UTF-8.
    ///
    /// ## Why is this bad?
    /// Godot replaces these bytes with the character `U+FFFD`, and saves it.
    ///
    /// ## Example
    /// A file saved as Latin-1, in which `é` is the single byte `E9`.
    ///
    /// ## Use instead
    /// UTF-8.
    ///
    /// ## References
    /// `VariantParser::get_token` (core/variant/variant_parser.cpp), `String::append_utf8`
    "SYN010", "invalid-utf8", Error, for_settings_files
}

fn check(context: &Context<'_>, reporter: &mut Reporter<'_>) {
    let text = context.document.text();
    // Nearly all are, which is seen faster than that they are UTF-8.
    if text.is_ascii() {
        return;
    }
    let is_text = context.document.errors().iter().all(|error| {
        !matches!(
            error.kind,
            SyntaxErrorKind::Binary | SyntaxErrorKind::TooLarge | SyntaxErrorKind::ByteOrderMark
        )
    });
    if !is_text {
        return;
    }
    let Err(error) = std::str::from_utf8(text) else { return };
    let start = error.valid_up_to();
    let length = error.error_len().unwrap_or(text.len() - start);
    let span = Span::new(start as u32, (start + length) as u32);
    reporter
        .report(span, "the file is not valid UTF-8 from here on; save it as UTF-8")
        .consequence("Godot replaces these bytes with the replacement character");
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;

    use super::RULE;
    use crate::rules::tests::{clean, node, rendered};

    #[test]
    fn bytes() {
        let mut text = node("a = \"").into_bytes();
        text.extend_from_slice(b"caf\xe9 \xe9\"\n");
        assert_snapshot!(rendered(&RULE, &text), @"
        4:9-4:10 error: the file is not valid UTF-8 from here on; save it as UTF-8
            at: �
            so: Godot replaces these bytes with the replacement character
        ");
        clean(&RULE, &node("a = \"é\"\n"));
    }
}
