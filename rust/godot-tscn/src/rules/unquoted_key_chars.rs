//! SYN005

use crate::context::Context;
use crate::diagnostic::{Applicability, Fix};
use crate::edit_set::Edit;
use crate::rules::{Reporter, declare_rule};
use crate::syntax::SyntaxErrorKind;

declare_rule! {
    /// ## What it does
    /// Reports white space, a quote or a non-ASCII character in a key without quotes.
    ///
    /// ## Why is this bad?
    /// Godot drops white space (`metadata/my key` becomes `metadata/mykey`), reads non-ASCII bytes as Latin-1 (`é`
    /// becomes `Ã©`), and drops the text before a quote.
    ///
    /// ## Example
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [node name="A" type="Node"]
    /// metadata/my key = 1
    /// ```
    ///
    /// ## Use instead
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [node name="A" type="Node"]
    /// "metadata/my key" = 1
    /// ```
    ///
    /// ## Fix safety
    /// Unsafe: the property gets a different name than the one that Godot reads now.
    ///
    /// ## References
    /// `VariantParser::parse_tag_assign_eof` (core/variant/variant_parser.cpp);
    /// `String::property_name_encode` (core/string/ustring.cpp) shows which keys Godot quotes
    "SYN005", "unquoted-key-chars", Error, for_settings_files
}

fn check(context: &Context<'_>, reporter: &mut Reporter<'_>) {
    for error in context.document.errors() {
        if error.kind != SyntaxErrorKind::UnquotedKey {
            continue;
        }
        let key = context.quote(error.span);
        let diagnostic =
            reporter.report(error.span, format!("{key} needs double quotes to be read as one key"));
        diagnostic.consequence("Godot reads the property under a different name");
        if let Ok(source) = std::str::from_utf8(error.span.of(context.document.text()))
            && !source.contains(['"', '\\', ';'])
        {
            let quoted = format!("\"{source}\"");
            diagnostic.fix(Fix::new(
                "quote the key",
                Applicability::Unsafe,
                vec![Edit::replace(error.span, quoted)],
            ));
        }
    }
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;

    use super::RULE;
    use crate::rules::tests::{check_fix, node, rendered};

    #[test]
    fn keys() {
        let found = rendered(
            &RULE,
            &node("metadata/my key = 1\nmetadata/é = 2\n\"metadata/é 2\" = 3\na = 4 b = 5\n"),
        );
        assert_snapshot!(found, @r#"
        4:1-4:16 error: `metadata/my key` needs double quotes to be read as one key
            at: metadata/my key
            so: Godot reads the property under a different name
            unsafe fix: quote the key
              - metadata/my key = 1
              + "metadata/my key" = 1
        5:1-5:11 error: `metadata/é` needs double quotes to be read as one key
            at: metadata/é
            so: Godot reads the property under a different name
            unsafe fix: quote the key
              - metadata/é = 2
              + "metadata/é" = 2
        "#);
    }

    #[test]
    fn fixes() {
        check_fix(&RULE, &node("my key = 1\n"), &node("\"my key\" = 1\n"));
    }
}
