//! REF007

use crate::context::Context;
use crate::diagnostic::{Applicability, Fix};
use crate::document::{Document, Property, Section, TagKind};
use crate::edit_set::Edit;
use crate::quote::quote;
use crate::removal::line_to_remove;
use crate::rules::unused_sub_resource::ends_as_saved;
use crate::rules::{Reporter, declare_rule};

declare_rule! {
    /// ## What it does
    /// Reports an `ext_resource` that nothing in the file refers to. Ignores scripts if a resource in the file has a
    /// script, because Godot also saves the element scripts of empty typed arrays and dictionaries.
    ///
    /// ## Why is this bad?
    /// Godot still loads the file, and dependency lists show it.
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
    /// Safe: nothing in the file refers to the resource. The fix is unsafe if the file does not end with a line feed,
    /// because it may be cut off. There is no fix in a file that Godot does not load.
    ///
    /// ## References
    /// godotengine/godot#84201, godotengine/godot#47253
    "REF007", "unused-ext-resource", Warning
}

fn check(context: &Context<'_>, reporter: &mut Reporter<'_>) {
    if context.document.is_incomplete() || context.hides_sections {
        return;
    }
    let saves_scripts = has_scripted_resource(context.document);
    for definition in context.ext_resources.unused() {
        let section = definition.section;
        let class = section.field_text("type").unwrap_or_default();
        if saves_scripts && class.ends_with(b"Script") {
            continue;
        }
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

/// Whether a resource has a script, which may export typed containers. Those of nodes are saved as they are read.
fn has_scripted_resource(document: &Document<'_>) -> bool {
    let is_resource =
        |section: &Section<'_>| matches!(section.kind(), TagKind::SubResource | TagKind::Resource);
    let is_script = |property: Property<'_>| property.key().as_ref() == b"script";
    document.sections().filter(is_resource).any(|section| section.properties().any(is_script))
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;

    use super::RULE;
    use crate::rules::tests::{check_fix, clean, codes, node, rendered};

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

    /// The text that Godot 4.6.3 writes for `class_name Bar extends Resource` with `@export var a: Array[Foo] = []`, in
    /// a separate file and in a scene.
    #[test]
    fn scripts_of_empty_typed_containers() {
        let bar = TAG.replace("a.gd", "bar.gd").replace("\"1\"", "\"2\"");
        let head =
            format!("[gd_resource type=\"Resource\" script_class=\"Bar\" format=3]\n\n{TAG}{bar}");
        clean(&RULE, &format!("{head}\n[resource]\nscript = ExtResource(\"2\")\nk = 3\n"));
        let scene = format!(
            "[gd_scene format=3]\n\n{TAG}{bar}\n[sub_resource type=\"Resource\" id=\"r\"]\n\
             script = ExtResource(\"2\")\n\n[node name=\"A\" type=\"Node\"]\nmetadata/r = SubResource(\"r\")\n"
        );
        clean(&RULE, &scene);
        let texture = scene.replacen("\"Script\"", "\"Texture2D\"", 1);
        assert_eq!(codes(&texture), ["REF007"]);
        // A node's containers are saved without.
        let of_node = format!(
            "[gd_scene format=3]\n\n{TAG}{bar}\n[node name=\"A\" type=\"Node\"]\nscript = ExtResource(\"2\")\n"
        );
        assert_eq!(codes(&of_node), ["REF007"]);
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
