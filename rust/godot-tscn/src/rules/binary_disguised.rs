//! SYN020

use crate::context::Context;
use crate::rules::{Reporter, declare_rule};
use crate::syntax::SyntaxErrorKind;

declare_rule! {
    /// ## What it does
    /// Reports a file in Godot's binary format (`RSRC`, `RSCC`) that has the extension of a text file.
    ///
    /// ## Why is this bad?
    /// Godot chooses the reader by the extension, so it does not load the file.
    ///
    /// ## Example
    /// A `.scn` file that was renamed to `.tscn`.
    ///
    /// ## Use instead
    /// Use the extension `.scn` or `.res`, or open the file in Godot and save it as text.
    ///
    /// ## References
    /// `ResourceLoaderBinary::open` (core/io/resource_format_binary.cpp)
    "SYN020", "binary-disguised", Error, for_settings_files
}

fn check(context: &Context<'_>, reporter: &mut Reporter<'_>) {
    for error in context.document.errors() {
        if error.kind == SyntaxErrorKind::Binary {
            reporter
                .report(
                    error.span,
                    "this is a binary file; rename it to `.scn` or `.res`, or save it as text",
                )
                .consequence("Godot does not load the file");
        }
    }
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;

    use super::RULE;
    use crate::rules::tests::{clean, rendered};

    #[test]
    fn magic() {
        assert_snapshot!(rendered(&RULE, b"RSRC\0\0\0\0\x01"), @"
        1:1-1:5 error: this is a binary file; rename it to `.scn` or `.res`, or save it as text
            at: RSRC
            so: Godot does not load the file
        ");
        assert_snapshot!(rendered(&RULE, b"RSCC\x02\xff"), @"
        1:1-1:5 error: this is a binary file; rename it to `.scn` or `.res`, or save it as text
            at: RSCC
            so: Godot does not load the file
        ");
        clean(&RULE, b"RSR");
    }
}
