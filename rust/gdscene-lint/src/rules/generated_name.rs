//! TREE023

use godot_project::SceneContext;
use godot_project::assignments::Assignment;
use godot_project::settings::lossy;
use godot_tscn::{PartKind, PartRef, Reporter, Span, TagKind, quote};
use hashbrown::HashSet;

use crate::rules::declare_rule;

declare_rule! {
    /// ## What it does
    /// Reports a path to a node with a name such as `@Control@42512`, in a connection, a `NodePath` or the field `parent`, if no scene
    /// of the project has a node of this name.
    ///
    /// ## Why is this bad?
    /// Godot gives such a name to a node that a script adds without one, and the number is another one each time. So the
    /// path leads nowhere: Godot drops the connection without a warning, an exported node is `null`, a track is not
    /// played. Such paths come about when a `@tool` script adds nodes, and a path to one of them is saved.
    ///
    /// ## Example
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [node name="A" type="Node"]
    ///
    /// [connection signal="ready" from="@Node@22048" to="." method="on_ready"]
    /// ```
    ///
    /// ## Use instead
    /// Connect the signal in the script that adds the node, or give the node a name and an owner there.
    ///
    /// ## References
    /// `Node::_generate_serial_child_name`, `Node::_validate_child_name` (scene/main/node.cpp), `SceneState::instantiate`
    /// (scene/resources/packed_scene.cpp)
    "TREE023", "generated-name", Warning
}

const OF_CONNECTION: &str = "Godot drops the connection without a warning";
const OF_PARENT: &str = "Godot makes the node a child of the root, under another name";
const OF_PATH: &str = "the path leads nowhere";

fn check(context: &SceneContext<'_>, reporter: &mut Reporter<'_>) {
    if memchr::memmem::find(context.document.text(), b"@").is_none() {
        return;
    }
    let mut paths: Vec<(Span, String, &str)> = Vec::new();
    for section in context.document.sections() {
        let fields: &[(&str, &str)] = match section.kind() {
            TagKind::Connection => &[("from", OF_CONNECTION), ("to", OF_CONNECTION)],
            TagKind::Node => &[("parent", OF_PARENT)],
            _ => continue,
        };
        for (name, consequence) in fields {
            let Some(field) = section.field(name) else { continue };
            let Some(path) = field.text() else { continue };
            paths.push((field.value_span(), lossy(&path), consequence));
        }
    }
    for Assignment { property, .. } in context.assignments() {
        if memchr::memmem::find(property.source(), b"@").is_some() {
            let value = property.value_tree();
            each_path(value.root(), &mut |part, path| paths.push((part.span(), path, OF_PATH)));
        }
    }
    paths.retain(|(_, path, _)| generated_name(path).is_some());
    if paths.is_empty() {
        return;
    }
    // Godot keeps names of this form that a scene has.
    let own = context.facts.scene.iter().flat_map(|scene| &scene.nodes).map(|node| &*node.name);
    let own: HashSet<&str> = own.filter(|name| name.starts_with('@')).collect();
    let is_saved = |name: &str| own.contains(name) || context.project.has_at_name(name);
    paths.sort_by_key(|(span, ..)| *span);
    for (span, path, consequence) in paths {
        let Some(name) = generated_name(&path).filter(|name| !is_saved(name)) else {
            continue;
        };
        let message = format!(
            "{} is a name that Godot makes up for a node without one",
            quote(name.as_bytes())
        );
        reporter
            .report(span, format!("{message}, with another number each time"))
            .consequence(consequence);
    }
}

/// Calls `each` with every `NodePath("…")` in a value.
fn each_path<'v>(part: PartRef<'v>, each: &mut dyn FnMut(PartRef<'v>, String)) {
    match part.kind() {
        PartKind::Construct if part.name() == b"NodePath" => {
            if let Some(path) = part.inner_text("NodePath") {
                each(part, lossy(&path));
            }
        }
        PartKind::Array | PartKind::Dictionary | PartKind::Typed => {
            part.children().for_each(|child| each_path(child, each));
        }
        _ => {}
    }
}

/// The first name in a path that has the form `@Class@1`.
fn generated_name(path: &str) -> Option<&str> {
    let nodes = path.split_once(':').map_or(path, |(nodes, _)| nodes);
    nodes.split('/').find(|name| {
        let number = name.strip_prefix('@').and_then(|rest| rest.rsplit_once('@'));
        number.is_some_and(|(_, number)| {
            !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())
        })
    })
}
