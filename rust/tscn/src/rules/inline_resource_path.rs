//! REF010

use crate::document::ReferenceKind;
use crate::lint::Context;
use crate::rules::{Findings, declare_rule};

declare_rule! {
    /// ## What it does
    /// Reports `Resource("res://…")` in a value: a file that is named where it is used, and not by an
    /// `ext_resource` tag.
    ///
    /// ## Why is this bad?
    /// Godot does not see it when files are moved or renamed, nor when it collects what an export needs. It
    /// loads whatever the path names at once.
    ///
    /// ## Example
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [node name="A" type="Node"]
    /// metadata/x = Resource("res://a.tres")
    /// ```
    ///
    /// ## Use instead
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [ext_resource type="Resource" path="res://a.tres" id="1"]
    ///
    /// [node name="A" type="Node"]
    /// metadata/x = ExtResource("1")
    /// ```
    ///
    /// ## References
    /// `VariantParser::parse_value` (core/variant/variant_parser.cpp)
    "REF010", "inline-resource-path", Warning
}

fn check(context: &Context<'_>, findings: &mut Findings<'_>) {
    for reference in context.document.references() {
        if reference.kind == ReferenceKind::Resource {
            let path = context.quote(reference.target);
            findings
                .push(
                    reference.target,
                    format!("{path} is named inside a value; list it as `ext_resource`"),
                )
                .consequence("Godot does not follow the file when it is moved");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::rules::tests::{check, node};

    #[test]
    fn paths() {
        check(
            &RULE,
            &node("a = [Resource(\"res://a.tres\")]\nb = ExtResource(\"1\")\n"),
            &["4:15 `\"res://a.tres\"` is named inside a value; list it as `ext_resource`"],
        );
    }
}
