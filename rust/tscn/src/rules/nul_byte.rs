//! SYN018

use crate::lint::Context;
use crate::rules::{Findings, declare_rule};
use crate::syntax::SyntaxErrorKind;

declare_rule! {
    /// ## What it does
    /// Reports NUL bytes.
    ///
    /// ## Why is this bad?
    /// Between tokens Godot takes a NUL for the end of the file: what follows is not loaded, or
    /// the file is refused. In a string it says that the string has no end.
    ///
    /// ## Example
    /// A file that was damaged on disk and is filled up with zeros.
    ///
    /// ## Use instead
    /// The last good version from version control.
    ///
    /// ## References
    /// `VariantParser::get_token` (core/variant/variant_parser.cpp)
    "SYN018", "nul-byte", Error
}

fn check(context: &Context<'_>, findings: &mut Findings<'_>) {
    for error in context.document.errors() {
        if error.kind == SyntaxErrorKind::Nul {
            findings
                .push(error.span, "the file has NUL bytes; remove them or restore the file")
                .consequence("Godot takes them for the end of the file");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::rules::tests::{check, node};

    #[test]
    fn bytes() {
        let message = "the file has NUL bytes; remove them or restore the file";
        check(
            &RULE,
            &node("a = \"x\0\0y\"\n\0\0\0"),
            &[&format!("4:7 {message}"), &format!("5:1 {message}")],
        );
        check(&RULE, &node("a = \0 1\n"), &[&format!("4:5 {message}")]);
    }
}
