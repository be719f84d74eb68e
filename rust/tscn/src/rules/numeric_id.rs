//! REF012

use crate::document::Field;
use crate::lint::{Context, quote};
use crate::rules::{Findings, declare_rule};

declare_rule! {
    /// ## What it does
    /// Reports ids of resources that are numbers, as Godot 3 wrote them. Off unless asked for: Godot 4 reads
    /// them, and keeps them when it saves a file.
    ///
    /// ## Why is this bad?
    /// Two branches that each add a resource give it the same number, and a merge mixes them up. The ids of
    /// Godot 4 (`1_abcde`) do not clash.
    ///
    /// ## Example
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [ext_resource type="Script" path="res://a.gd" id="1"]
    ///
    /// [node name="A" type="Node"]
    /// script = ExtResource("1")
    /// ```
    ///
    /// ## Use instead
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [ext_resource type="Script" path="res://a.gd" id="1_abcde"]
    ///
    /// [node name="A" type="Node"]
    /// script = ExtResource("1_abcde")
    /// ```
    ///
    /// ## References
    /// `Resource::generate_scene_unique_id` (core/io/resource.cpp)
    "REF012", "numeric-id", Info, off
}

fn check(context: &Context<'_>, findings: &mut Findings<'_>) {
    let format = context.document.sections().next().and_then(|header| header.field("format"));
    if !matches!(format.and_then(Field::int), Some(3..)) {
        return;
    }
    let resources = [&context.ext_resources, &context.sub_resources];
    for definition in resources.iter().flat_map(|resources| &resources.definitions) {
        let Some(field) = definition.section.field("id") else {
            continue;
        };
        if !definition.id.is_empty() && definition.id.iter().all(u8::is_ascii_digit) {
            let message = format!("the id {} is a number, as in Godot 3", quote(&definition.id));
            findings.push(field.value_span(), message);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::rules::tests::check;

    #[test]
    fn ids() {
        let file = |format: u8, id: &str| {
            format!(
                "[gd_scene format={format}]\n[sub_resource type=\"A\" id={id}]\n[node name=\"A\" type=\"Node\"]\n"
            )
        };
        check(&RULE, &file(3, "1"), &["2:27 the id `1` is a number, as in Godot 3"]);
        check(&RULE, &file(3, "\"1\""), &["2:27 the id `1` is a number, as in Godot 3"]);
        check(&RULE, &file(3, "\"A_1\""), &[]);
        check(&RULE, &file(2, "1"), &[]);
    }
}
