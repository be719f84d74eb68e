//! SYN017

use crate::context::Context;
use crate::rules::{Reporter, declare_rule};
use crate::syntax::{MAX_DEPTH, SyntaxErrorKind};

declare_rule! {
    /// ## What it does
    /// Reports arrays and dictionaries that are nested more than 512 levels deep.
    ///
    /// ## Why is this bad?
    /// Godot reads them recursively without a limit. With deep nesting, its stack overflows and it crashes.
    ///
    /// ## Example
    /// `[[[[[[…`, many thousand times.
    ///
    /// ## Use instead
    /// Flat data.
    ///
    /// ## References
    /// `VariantParser::_parse_array` (core/variant/variant_parser.cpp)
    "SYN017", "nesting-too-deep", Error, for_settings_files
}

fn check(context: &Context<'_>, reporter: &mut Reporter<'_>) {
    for error in context.document.errors() {
        if error.kind == SyntaxErrorKind::TooDeep {
            let message =
                format!("values are nested more than {MAX_DEPTH} levels deep; flatten them");
            reporter
                .report(error.span, message)
                .consequence("Godot may crash: its stack overflows");
        }
    }
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;

    use super::RULE;
    use crate::rules::tests::{clean, codes, node, rendered};

    #[test]
    fn depth() {
        let nested =
            |depth| node(&format!("a = {}{}\nb = 1\n", "[".repeat(depth), "]".repeat(depth)));
        clean(&RULE, &nested(512));
        assert_snapshot!(rendered(&RULE, &nested(513)), @"
        4:517-4:518 error: values are nested more than 512 levels deep; flatten them
            at: [
            so: Godot may crash: its stack overflows
        ");
        assert_eq!(codes(&node(&format!("a = {}", "[".repeat(100_000)))), ["SYN017"]);
        assert_eq!(codes(&node(&format!("a = {}", "{0:".repeat(100_000)))), ["SYN017"]);
    }
}
