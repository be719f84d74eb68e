//! SEC002

use crate::context::Context;
use crate::quote::quote;
use crate::rules::{Reporter, declare_rule};
use crate::value::tree::{PartKind, PartRef, ValueTree};

declare_rule! {
    /// ## What it does
    /// Reports `Object(…)`, which creates an object of any class and sets its properties while Godot reads the value.
    ///
    /// ## Why is this bad?
    /// `Object(GDScript,…)` is a program that runs when Godot loads the file, although no tag lists it. Other objects
    /// leak memory. Godot writes `Object(…)` into settings, such as the input map, but never into scenes.
    ///
    /// ## Example
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [node name="A" type="Node"]
    /// metadata/x = Object(Node,"name":"B")
    /// ```
    ///
    /// ## Use instead
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [node name="A" type="Node"]
    ///
    /// [node name="B" type="Node" parent="."]
    /// ```
    ///
    /// ## References
    /// `VariantParser::parse_value` (core/variant/variant_parser.cpp)
    "SEC002", "object-constructor", Info, off_by_default
}

fn check(context: &Context<'_>, reporter: &mut Reporter<'_>) {
    if !context.contains("Object") {
        return;
    }
    for section in context.document.sections() {
        let names_object = |source| memchr::memmem::find(source, b"Object").is_some();
        for field in section.fields().filter(|field| names_object(field.source())) {
            look_at(&field.value_tree(), reporter);
        }
        for property in section.properties().filter(|property| names_object(property.source())) {
            look_at(&property.value_tree(), reporter);
        }
    }
}

fn look_at(tree: &ValueTree<'_>, reporter: &mut Reporter<'_>) {
    for part in tree.parts() {
        if part.kind() == PartKind::Construct && part.name() == b"Object" {
            let class = part.children().next().map(PartRef::source).unwrap_or_default();
            let message = format!("the value creates an object of the class {}", quote(class));
            reporter
                .report(part.span(), message)
                .consequence("Godot creates it when the file is loaded");
        }
    }
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;

    use super::RULE;
    use crate::rules::tests::{clean, node, rendered};

    #[test]
    fn objects() {
        assert_snapshot!(rendered(&RULE, &node("a = {1: [Object(Node,\"a\":1)]}\n")), @r#"
        4:10-4:28 info: the value creates an object of the class `Node`
            at: Object(Node,"a":1)
            so: Godot creates it when the file is loaded
        "#);
        assert_snapshot!(rendered(&RULE, &node("a = [Object ;c\n(Node,\"a\":1)]\n")), @r#"
        4:6-5:13 info: the value creates an object of the class `Node`
            at: Object ;c\n(Node,"a":1)
            so: Godot creates it when the file is loaded
        "#);
        let text = "[node name=\"B\" type=\"Node\" parent=\".\" groups=[Object(Node,\"a\":1)]]\n";
        assert_snapshot!(rendered(&RULE, &node(text)), @r#"
        4:47-4:65 info: the value creates an object of the class `Node`
            at: Object(Node,"a":1)
            so: Godot creates it when the file is loaded
        "#);
        clean(&RULE, &node("a = Array[Object]([])\nb = \"Object(Node,)\"\n"));
    }
}
