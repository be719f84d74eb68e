//! SYN003

use crate::diagnostic::{Applicability, Edit, Fix};
use crate::lint::Context;
use crate::rules::{Reporter, declare_rule};
use crate::span::Span;
use crate::syntax::SyntaxErrorKind;

declare_rule! {
    /// ## What it does
    /// Reports a line that begins with `#`.
    ///
    /// ## Why is this bad?
    /// Comments begin with `;`. Among properties, `#` begins a key which absorbs the property on
    /// the next line without a warning; elsewhere Godot refuses the file.
    ///
    /// ## Example
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [node name="A" type="Node"]
    /// # always
    /// process_mode = 3
    /// ```
    ///
    /// ## Use instead
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [node name="A" type="Node"]
    /// ; always
    /// process_mode = 3
    /// ```
    ///
    /// ## Fix safety
    /// Writing `;` is safe where Godot refuses the file as it is. Among properties the fix is
    /// unsafe: the next property takes effect again.
    ///
    /// ## References
    /// `VariantParser::get_token`, `VariantParser::parse_tag_assign_eof`
    /// (core/variant/variant_parser.cpp)
    "SYN003", "hash-comment", Error, for_settings_files
}

fn check(context: &Context<'_>, reporter: &mut Reporter<'_>) {
    for error in context.document.errors() {
        if error.kind != SyntaxErrorKind::HashComment {
            continue;
        }
        let section = context.document.section_at(error.span.start);
        let among_properties =
            context.is_config || section.is_some_and(|section| section.kind().takes_properties());
        let (consequence, applicability) = if among_properties {
            ("Godot reads it as a key and drops the next property", Applicability::Unsafe)
        } else {
            ("Godot refuses the file", Applicability::Safe)
        };
        let hash = Span::new(error.span.start, error.span.start + 1);
        reporter
            .report(error.span, "`#` does not start a comment in this format; write `;`")
            .consequence(consequence)
            .fix(Fix::new("write `;`", applicability, vec![Edit::replace(hash, ";")]));
    }
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;

    use super::RULE;
    use crate::rules::tests::{check_fix, clean, node, rendered};

    #[test]
    fn lines_with_hash() {
        assert_snapshot!(rendered(&RULE, &node("# why\na = 1\n")), @"
        4:1-4:6 error: `#` does not start a comment in this format; write `;`
            at: # why
            so: Godot reads it as a key and drops the next property
            unsafe fix: write `;`
              - # why
              + ; why
        ");
        assert_snapshot!(rendered(&RULE, &node("a = 1\n  # b = 2\n")), @"
        5:3-5:10 error: `#` does not start a comment in this format; write `;`
            at: # b = 2
            so: Godot reads it as a key and drops the next property
            unsafe fix: write `;`
              -   # b = 2
              +   ; b = 2
        ");
        assert_snapshot!(rendered(&RULE, &format!("# head\n{}", node(""))), @"
        1:1-1:7 error: `#` does not start a comment in this format; write `;`
            at: # head
            so: Godot refuses the file
            safe fix: write `;`
              - # head
              + ; head
        ");
        clean(&RULE, &node("a = #ff0000\n"));
    }

    #[test]
    fn fixes() {
        check_fix(&RULE, &node("# why\na = 1\n"), &node("; why\na = 1\n"));
    }
}
