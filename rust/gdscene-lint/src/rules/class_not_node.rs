//! TREE014

use godot_project::{ClassDb, SceneContext};
use godot_tscn::{Reporter, TagKind, quote};

use crate::rules::declare_rule;

declare_rule! {
    /// ## What it does
    /// Reports a `type` that Godot cannot instantiate in its place: a node whose class is abstract or does not inherit
    /// `Node`, or a resource whose class is abstract or does not inherit `Resource`.
    ///
    /// ## Why is this bad?
    /// Godot creates a plain `Node` instead of such a node. It does not load a file with such a resource.
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
            let (fault, what) = match section.kind_of_name() {
                TagKind::Node => (of_node, "node"),
                _ => (of_resource, "resource"),
            };
            let Some(fault) = fault else { continue };
            // A type next to an instance is ignored.
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
    // The editor can make classes that only the editor can make.
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
