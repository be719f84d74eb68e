//! REF007

use crate::diagnostic::{Applicability, Edit, Fix};
use crate::lint::{Context, quote};
use crate::removal::line_to_remove;
use crate::rules::unused_sub_resource::ends_as_saved;
use crate::rules::{Reporter, declare_rule};

declare_rule! {
    /// ## What it does
    /// Reports an `ext_resource` that nothing in the file refers to.
    ///
    /// ## Why is this bad?
    /// Godot loads the file nevertheless, and dependency lists show it.
    ///
    /// ## Example
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [ext_resource type="Script" path="res://a.gd" id="1_a"]
    ///
    /// [node name="A" type="Node"]
    /// ```
    ///
    /// ## Use instead
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [node name="A" type="Node"]
    /// ```
    ///
    /// ## Fix safety
    /// Safe: nothing in the file refers to the resource. In a file without a line feed at its end, which may have been cut
    /// off, the fix is unsafe.
    ///
    /// ## References
    /// godotengine/godot#84201, godotengine/godot#47253
    "REF007", "unused-ext-resource", Warning
}

fn check(context: &Context<'_>, reporter: &mut Reporter<'_>) {
    if context.document.is_incomplete() || context.hides_sections {
        return;
    }
    for definition in context.ext_resources.unused() {
        let section = definition.section;
        let path = section.field_text("path").unwrap_or_default();
        let message = format!("{} is loaded, but not used; remove the tag", quote(&path));
        let edit = Edit::remove(line_to_remove(context.document.text(), section.tag_span()));
        let applicability = match ends_as_saved(context.document.text()) {
            true => Applicability::Safe,
            false => Applicability::Unsafe,
        };
        reporter
            .report(section.tag_span(), message)
            .consequence("Godot loads the file although nothing uses it")
            .fix(Fix::new("remove the tag", applicability, vec![edit]));
    }
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;

    use super::RULE;
    use crate::rules::tests::{check_fix, clean, node, rendered};

    const TAG: &str = "[ext_resource type=\"Script\" path=\"res://a.gd\" id=\"1\"]\n";

    #[test]
    fn unused() {
        let text = format!("[gd_scene format=3]\n{TAG}[node name=\"A\" type=\"Node\"]\n");
        assert_snapshot!(rendered(&RULE, &text), @r#"
        2:1-2:54 warning: `res://a.gd` is loaded, but not used; remove the tag
            at: [ext_resource type="Script" path="res://a.gd" id="1"]
            so: Godot loads the file although nothing uses it
            safe fix: remove the tag
              - [ext_resource type="Script" path="res://a.gd" id="1"]
        "#);
        clean(&RULE, &format!("{text}script = ExtResource(\"1\")\n"));
        clean(&RULE, &format!("{text}a = Array[ExtResource(\"1\")]([])\n"));
        clean(&RULE, &format!("{text}a = Vector5(ExtResource(\"1\"))\n"));
        clean(&RULE, &node(""));
    }

    #[test]
    fn fixes() {
        let node = "[node name=\"A\" type=\"Node\"]\n";
        let (before, after) = ("[gd_scene format=3]\n\n", format!("[gd_scene format=3]\n\n{node}"));
        check_fix(&RULE, &format!("{before}{TAG}\n{node}"), &after);
        check_fix(&RULE, &format!("{before}{TAG}{node}"), &after);
        let comment = format!("{before}{} ; why\n{node}", TAG.trim_end());
        check_fix(&RULE, &comment, &format!("{before} ; why\n{node}"));
    }
}
