//! STR007

use crate::context::Context;
use crate::diagnostic::Severity;
use crate::document::Section;
use crate::model::field_name::FieldNames;
use crate::rules::{Reporter, declare_rule};

declare_rule! {
    /// ## What it does
    /// Reports a duplicate field of a tag.
    ///
    /// ## Why is this bad?
    /// Godot uses the last field and drops the others without a warning.
    ///
    /// ## Example
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [node name="A" type="Node" name="B"]
    /// ```
    ///
    /// ## Use instead
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [node name="B" type="Node"]
    /// ```
    ///
    /// ## References
    /// `VariantParser::_parse_tag` (core/variant/variant_parser.cpp)
    "STR007", "duplicate-field", Error
}

/// Tags have up to a dozen fields; at most this number is compared with one another.
const MAX_FIELDS: usize = 64;

fn check(context: &Context<'_>, reporter: &mut Reporter<'_>) {
    let text = context.document.text();
    for section in context.document.sections() {
        if !may_have_duplicates(context, section) {
            continue;
        }
        for (index, field) in section.fields().take(MAX_FIELDS).enumerate().skip(1) {
            let earlier = section.fields().take(index).find(|other| other.name() == field.name());
            if let Some(earlier) = earlier {
                let name = context.quote(field.name_span());
                let diagnostic =
                    reporter.report(field.span(), format!("duplicate field {name}; keep one"));
                diagnostic.label(earlier.span(), "first defined here, but ignored");
                if earlier.value_span().of(text) == field.value_span().of(text) {
                    diagnostic.severity = Severity::Warning;
                } else {
                    diagnostic.consequence("Godot uses the last field");
                }
            }
        }
    }
}

/// Whether two fields might have the same name: one is unknown, or two are the same.
fn may_have_duplicates(context: &Context<'_>, section: Section<'_>) -> bool {
    let mut seen = FieldNames::default();
    let mut names = context.facts.field_names[section.field_range()].iter();
    names.any(|name| name.is_none_or(|name| !seen.insert(name)))
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;

    use super::RULE;
    use crate::rules::tests::rendered;

    #[test]
    fn fields() {
        let found = rendered(
            &RULE,
            "[gd_scene format=3 format=3]\n[node name=\"A\" type=\"Node\" name=\"B\"]\n",
        );
        assert_snapshot!(found, @r#"
        1:20-1:28 warning: duplicate field `format`; keep one
            at: format=3
            label 1:11-1:19: first defined here, but ignored: format=3
        2:28-2:36 error: duplicate field `name`; keep one
            at: name="B"
            label 2:7-2:15: first defined here, but ignored: name="A"
            so: Godot uses the last field
        "#);
    }
}
