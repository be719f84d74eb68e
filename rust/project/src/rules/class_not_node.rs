//! TREE014

use tscn::{Reporter, TagKind, quote};

use crate::lint::SceneContext;
use crate::rules::declare_rule;
use crate::rules::unknown_class::typed_sections;

declare_rule! {
    /// ## What it does
    /// Reports a `type` of which Godot cannot create an object there: a node of a class that is not a node or is
    /// abstract, a resource of a class that is not a resource or is abstract.
    ///
    /// ## Why is this bad?
    /// Godot creates a plain `Node` instead of such a node, and does not load a file with such a resource.
    ///
    /// ## Example
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [node name="A" type="CanvasItem"]
    /// ```
    ///
    /// ## Use instead
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [node name="A" type="Node2D"]
    /// ```
    ///
    /// ## References
    /// `SceneState::instantiate` (scene/resources/packed_scene.cpp), `ResourceLoaderText::load`
    /// (scene/resources/resource_format_text.cpp)
    "TREE014", "class-not-node", Error
}

fn check(context: &SceneContext<'_>, reporter: &mut Reporter<'_>) {
    let classes = context.project.classes();
    for (section, field, name) in typed_sections(context) {
        let made = classes.class_for_older_name(&name).unwrap_or(&name);
        let Some(class) = classes.class(made) else { continue };
        // A type beside an instance is not looked at. What only the editor can make, it can.
        if section.field("instance").is_some() || class.is_editor_only() {
            continue;
        }
        let (base, what) = match section.kind() {
            TagKind::Node => ("Node", "node"),
            _ => ("Resource", "resource"),
        };
        let quoted = || quote(name.as_bytes());
        if !classes.inherits(made, base) {
            let message = format!("the class {} is not a {what}", quoted());
            reporter.report(field.value_span(), message).consequence(consequence(what));
        } else if !class.is_instantiable() {
            let quoted = quoted();
            let message =
                format!("the class {quoted} is abstract: Godot cannot create a {what} of it");
            reporter.report(field.value_span(), message).consequence(consequence(what));
        }
    }
}

fn consequence(what: &str) -> &'static str {
    if what == "node" {
        "Godot creates a node without its properties instead"
    } else {
        "Godot does not load the file"
    }
}
