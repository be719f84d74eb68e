//! TREE023

use godot_project::SceneContext;
use godot_project::assignments::Assignment;
use godot_project::settings::lossy;
use godot_tscn::{PartKind, PartRef, Reporter, Span, TagKind, quote};
use hashbrown::HashSet;

use crate::rules::declare_rule;
use crate::rules::unknown_connection_end::is_in_tile_map;

declare_rule! {
    /// ## What it does
    /// Reports a path to a node with a generated name such as `@Control@42512`, in a connection, a `NodePath` or the
    /// field `parent`, if no scene of the project has a node of this name.
    ///
    /// ## Why is this bad?
    /// Godot generates such a name when a script adds a node without a name, and the number differs each time. So the
    /// path does not lead to a node: Godot drops the connection without a warning, an exported node is `null`, and a
    /// track does not play. Such paths occur when a `@tool` script adds nodes and the scene is saved with a path to one
    /// of them.
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
    /// Connect the signal in the script that adds the node, or give the node a name and an owner in that script.
    ///
    /// ## References
    /// `Node::_generate_serial_child_name`, `Node::_validate_child_name` (scene/main/node.cpp), `SceneState::instantiate`
    /// (scene/resources/packed_scene.cpp)
    "TREE023", "generated-name", Warning
}

const OF_CONNECTION: &str = "Godot drops the connection without a warning";
const OF_PARENT: &str = "Godot makes the node a child of the root, under another name";
const OF_PATH: &str = "the path does not lead to a node";

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
            let Some(path) = field.text().map(|path| lossy(&path)) else { continue };
            if generated_name(&path).is_none() {
                continue;
            }
            // The rule on the ends of connections reports those of nodes that a tile map makes.
            if *consequence != OF_CONNECTION || !is_in_tile_map(context, &path) {
                paths.push((field.value_span(), path, consequence));
            }
            break;
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
            "{} is a name that Godot generates for a node without a name",
            quote(name.as_bytes())
        );
        reporter
            .report(span, format!("{message}, with a different number each time"))
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
