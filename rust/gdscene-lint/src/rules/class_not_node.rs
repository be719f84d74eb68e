//! TREE014

use godot_project::{ClassDb, SceneContext};
use godot_tscn::{Reporter, TagKind, quote};

use crate::rules::declare_rule;

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
    for found in context.class_uses() {
        let name = quote(found.class.as_bytes());
        let of = |base| fault(classes, &found.class, base);
        let (of_node, of_resource) = (of("Node"), of("Resource"));
        for (section, field) in &found.places {
            let (fault, what) = match section.kind() {
                TagKind::Node => (of_node, "node"),
                _ => (of_resource, "resource"),
            };
            let Some(fault) = fault else { continue };
            // A type beside an instance is not looked at.
            if section.field("instance").is_some() {
                continue;
            }
            let message = match fault {
                Fault::OtherKind => format!("the class {name} is not a {what}"),
                Fault::Abstract => {
                    format!("the class {name} is abstract: Godot cannot create a {what} of it")
                }
            };
            reporter.report(field.value_span(), message).consequence(consequence(what));
        }
    }
}

/// Why Godot cannot create an object.
#[derive(Clone, Copy)]
enum Fault {
    /// A resource where a node has to be, and the like.
    OtherKind,
    Abstract,
}

/// Why Godot cannot create an heir of `base` of a class.
fn fault(classes: &ClassDb, name: &str, base: &str) -> Option<Fault> {
    let made = classes.class_for_older_name(name).unwrap_or(name);
    // What only the editor can make, it can.
    let class = classes.class(made).filter(|class| !class.is_editor_only())?;
    if !classes.inherits(made, base) {
        return Some(Fault::OtherKind);
    }
    (!class.is_instantiable()).then_some(Fault::Abstract)
}

fn consequence(what: &str) -> &'static str {
    if what == "node" {
        "Godot creates a node without its properties instead"
    } else {
        "Godot does not load the file"
    }
}
