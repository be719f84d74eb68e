//! STR008

use hashbrown::HashMap;

use crate::diagnostic::Severity;
use crate::document::{Property, Section};
use crate::lint::{Context, quote};
use crate::model::repeats::may_repeat;
use crate::rules::{Findings, declare_rule};

declare_rule! {
    /// ## What it does
    /// Reports a property that a section has twice.
    ///
    /// ## Why is this bad?
    /// The last one counts; Godot drops the others without a word. Such files come from merges,
    /// and from Godot 3, which wrote some properties twice. With equal values it is a warning.
    ///
    /// ## Example
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [node name="A" type="Node"]
    /// process_mode = 1
    /// process_mode = 2
    /// ```
    ///
    /// ## Use instead
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [node name="A" type="Node"]
    /// process_mode = 2
    /// ```
    ///
    /// ## References
    /// `ResourceLoaderText::_parse_node_tag` (scene/resources/resource_format_text.cpp)
    "STR008", "duplicate-property", Error
}

/// Up to so many properties are compared with one another; more are looked up in a table.
const FEW: usize = 16;

fn check(context: &Context<'_>, findings: &mut Findings<'_>) {
    let text = context.document.text();
    let mut table = HashMap::new();
    for section in context.document.sections() {
        let count = section.properties().count();
        if count > FEW {
            check_many(context, section, &mut table, findings);
        } else if may_repeat(section.properties().map(|it| it.engine_key_span().of(text))) {
            check_few(context, section, findings);
        }
    }
}

fn check_few(context: &Context<'_>, section: Section<'_>, findings: &mut Findings<'_>) {
    let text = context.document.text();
    for (index, property) in section.properties().enumerate() {
        let key = property.engine_key_span().of(text);
        let mut earlier = section.properties().take(index);
        let is_same = |other: &Property<'_>| {
            // Most keys differ in their source already in length.
            let other = other.engine_key_span().of(text);
            other.len() == key.len() && other == key
        };
        if let Some(first) = earlier.find(is_same) {
            report(text, first, property, findings);
        }
    }
}

fn check_many<'d>(
    context: &Context<'d>,
    section: Section<'d>,
    table: &mut HashMap<&'d [u8], Property<'d>>,
    findings: &mut Findings<'_>,
) {
    let text = context.document.text();
    table.clear();
    for property in section.properties() {
        let key = property.engine_key_span().of(text);
        let first = *table.entry(key).or_insert(property);
        if first.key_span() != property.key_span() {
            report(text, first, property, findings);
        }
    }
}

fn report(text: &[u8], first: Property<'_>, property: Property<'_>, findings: &mut Findings<'_>) {
    if property.key_span().is_empty() {
        return;
    }
    let finding = findings
        .push(property.key_span(), format!("{} is here twice; keep one", quote(&property.key())));
    finding.label(first.key_span(), "first given here, and ignored");
    if first.value_span().of(text) == property.value_span().of(text) {
        finding.severity = Severity::Warning;
    } else {
        finding.consequence("Godot takes the last one");
    }
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::rules::tests::{check, node};

    #[test]
    fn few_and_many() {
        let few = "a = 1\nb = 2\na = 3\n";
        check(&RULE, &node(few), &["6:1 `a` is here twice; keep one"]);
        let many: String = (0..40).map(|index| format!("p{index} = 1\n")).collect();
        check(&RULE, &node(&format!("{many}p7 = 2\n")), &["44:1 `p7` is here twice; keep one"]);
        check(&RULE, &node(&many), &[]);
    }

    #[test]
    fn sections_are_apart() {
        check(&RULE, &node("a = 1\n[node name=\"B\" type=\"Node\" parent=\".\"]\na = 1\n"), &[]);
    }
}
