//! TREE006

use godot_project::SceneContext;
use godot_tscn::{PartKind, Property, Reporter, Severity, Span, quote};
use hashbrown::HashMap;

use crate::rules::declare_rule;

declare_rule! {
    in_place_of_tscn
    /// ## What it does
    /// Reports a name in `node_paths` under which the node has no property here, or one whose value is neither a
    /// `NodePath` nor a list of them. Of one that neither its class nor its script has, `unknown-property` tells.
    ///
    /// ## Why is this bad?
    /// Godot looks for a node at the path and sets the property to it: a value that is not a path becomes `null`.
    ///
    /// ## Example
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [node name="A" type="Node" node_paths=PackedStringArray("target")]
    /// target = 5
    /// ```
    ///
    /// ## Use instead
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [ext_resource type="Script" path="res://seeker.gd" id="1"]
    ///
    /// [node name="A" type="Node" node_paths=PackedStringArray("target")]
    /// script = ExtResource("1")
    /// target = NodePath(".")
    /// ```
    ///
    /// ## References
    /// `SceneState::instantiate` (scene/resources/packed_scene.cpp)
    "TREE006", "node-paths-field-mismatch", Error
}

fn check(context: &SceneContext<'_>, reporter: &mut Reporter<'_>) {
    for section in context.document.sections() {
        let Some(field) = section.field("node_paths") else { continue };
        let tree = field.value_tree();
        // The last one of several.
        let properties: HashMap<_, _> =
            section.properties().map(|property| (property.engine_key(), property)).collect();
        for part in tree.root().children() {
            let Some(name) = part.text() else { continue };
            let found = (properties.get(&name).copied(), part.span());
            check_name(&name, found, reporter);
        }
    }
}

fn check_name(
    name: &[u8],
    (property, span): (Option<Property<'_>>, Span),
    reporter: &mut Reporter<'_>,
) {
    let quoted = quote(name);
    let Some(property) = property else {
        let diagnostic = reporter.report(span, format!("the node has no property {quoted} here"));
        diagnostic.severity = Severity::Warning;
        diagnostic.consequence("the name has no effect");
        return;
    };
    if !holds_paths(property) {
        let message = format!("{quoted} must be a path to a node, because `node_paths` lists it");
        reporter
            .report(property.value_span(), message)
            .consequence("Godot does not find a node, and sets the property to `null`");
    }
}

/// Whether the value is a `NodePath`, `null`, or made of them.
fn holds_paths(property: Property<'_>) -> bool {
    let tree = property.value_tree();
    let root = tree.root();
    match root.kind() {
        PartKind::Array | PartKind::Dictionary | PartKind::Typed => true,
        // Godot converts it.
        PartKind::String => true,
        PartKind::Word => root.source() == b"null",
        _ => root.name() == b"NodePath",
    }
}
