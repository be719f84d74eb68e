//! REF004

use crate::diagnostic::Severity;
use crate::document::Section;
use crate::lint::{Context, quote};
use crate::model::resource_ids::ResourceIds;
use crate::rules::{Findings, declare_rule};

declare_rule! {
    /// ## What it does
    /// Reports two `ext_resource` tags with one id.
    ///
    /// ## Why is this bad?
    /// The last definition counts; what refers to the id gets another resource than intended.
    /// Such files come from merges.
    ///
    /// ## Example
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [ext_resource type="Script" path="res://a.gd" id="1"]
    ///
    /// [ext_resource type="Script" path="res://b.gd" id="1"]
    ///
    /// [node name="A" type="Node"]
    /// metadata/x = ExtResource("1")
    /// ```
    ///
    /// ## Use instead
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [ext_resource type="Script" path="res://a.gd" id="1"]
    ///
    /// [ext_resource type="Script" path="res://b.gd" id="2"]
    ///
    /// [node name="A" type="Node"]
    /// metadata/x = ExtResource("1")
    /// metadata/y = ExtResource("2")
    /// ```
    ///
    /// ## References
    /// `ResourceLoaderText::load` (scene/resources/resource_format_text.cpp)
    "REF004", "duplicate-ext-id", Error
}

fn check(context: &Context<'_>, findings: &mut Findings<'_>) {
    let consequence = "Godot takes the last definition for all references";
    report_duplicates(&context.ext_resources, consequence, findings);
}

/// Reports each definition whose id stands before already.
pub(super) fn report_duplicates(
    resources: &ResourceIds<'_>,
    consequence: &'static str,
    findings: &mut Findings<'_>,
) {
    for (definition, first) in resources.duplicates() {
        let Some(field) = definition.section.field("id") else {
            continue;
        };
        let finding = findings.push(
            field.value_span(),
            format!("the id {} is taken; give this resource its own", quote(&definition.id)),
        );
        if says_the_same(definition.section, first.section) {
            finding.severity = Severity::Warning;
            finding.message =
                format!("the id {} is defined twice alike; keep one", quote(&definition.id));
        } else {
            finding.consequence(consequence);
        }
        if let Some(field) = first.section.field("id") {
            finding.label(field.value_span(), "first defined here");
        }
    }
}

/// Whether two sections have the same fields and properties, so that it does not matter which of
/// them counts.
fn says_the_same(left: Section<'_>, right: Section<'_>) -> bool {
    left.fields().count() == right.fields().count()
        && left.fields().all(|field| {
            let other = right.fields().find(|other| other.name() == field.name());
            other.is_some_and(|other| other.source() == field.source())
        })
        && left.properties().count() == right.properties().count()
        && left
            .properties()
            .zip(right.properties())
            .all(|(left, right)| left.key() == right.key() && left.source() == right.source())
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::rules::tests::check;

    #[test]
    fn ids() {
        check(
            &RULE,
            "[gd_scene format=3]\n[ext_resource type=\"A\" path=\"a\" id=\"1\"]\n\
             [ext_resource type=\"A\" path=\"b\" id=1]\n[node name=\"A\" type=\"Node\"]\n",
            &["3:36 the id `1` is taken; give this resource its own"],
        );
        let twice = "[ext_resource type=\"A\" path=\"a\" id=\"1\"]\n".repeat(2);
        check(
            &RULE,
            &format!("[gd_scene format=3]\n{twice}[node name=\"A\" type=\"Node\"]\n"),
            &["3:36 the id `1` is defined twice alike; keep one"],
        );
    }

    #[test]
    fn an_external_and_an_internal_resource_may_share_an_id() {
        check(
            &RULE,
            "[gd_scene format=2]\n[ext_resource type=\"A\" path=\"a\" id=1]\n\
             [sub_resource type=\"A\" id=1]\n[node name=\"A\" type=\"Node\"]\n",
            &[],
        );
    }
}
