//! TREE005

use godot_project::node_paths::{each_path, exported_paths};
use godot_project::object_type::Member;
use godot_project::settings::lossy;
use godot_project::{NodeInTree, NodeLookup, SceneContext};
use godot_tscn::{PartRef, Reporter, Section, quote};

use crate::rules::declare_rule;

declare_rule! {
    /// ## What it does
    /// Reports a `NodePath` or exported node in a property of a node if the path does not lead to a node. The rule
    /// resolves paths relative to the node, through instanced and inherited scenes, with unique names.
    ///
    /// It does not check metadata, and paths that start with `/`, lead above the root of the scene or lead into
    /// imported models. It checks the `NodePath` variables of a script only if the script passes them to `get_node`,
    /// because a script can use them in other ways.
    ///
    /// ## Why is this bad?
    /// When the game runs, the property is null, or the node does not find its target. Usually a node was renamed or
    /// moved in another scene.
    ///
    /// ## Example
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [node name="A" type="Node2D"]
    ///
    /// [node name="Remote" type="RemoteTransform2D" parent="."]
    /// remote_path = NodePath("../Gone")
    /// ```
    ///
    /// ## Use instead
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [node name="A" type="Node2D"]
    ///
    /// [node name="Remote" type="RemoteTransform2D" parent="."]
    /// remote_path = NodePath("..")
    /// ```
    ///
    /// ## References
    /// `Node::get_node_or_null` (scene/main/node.cpp), `SceneState::instantiate` (scene/resources/packed_scene.cpp)
    "TREE005", "unresolved-node-path", Warning
}

/// Properties with paths that do not start at the node: those of animations start at another one, and those that
/// Godot 3 keeps of an import are of another scene.
const RELATIVE_TO_OTHERS: &[&[u8]] = &[b"root_motion_track", b"_import_path"];

fn check(context: &SceneContext<'_>, reporter: &mut Reporter<'_>) {
    if context.hides_sections {
        return;
    }
    for (index, tag) in context.tree().tags().iter().enumerate() {
        let section = context.section(tag.section);
        let exported = exported_paths(section);
        let mut place: Option<Option<NodeInTree>> = None;
        for property in section.properties() {
            let key = property.engine_key();
            if memchr::memmem::find(property.source(), b"NodePath(").is_none()
                || key.starts_with(b"metadata/")
                || RELATIVE_TO_OTHERS.contains(&key.as_ref())
            {
                continue;
            }
            let place = place.get_or_insert_with(|| context.place_of(index as u32));
            let Some(place) = place else { break };
            let value = property.value_tree();
            if exported.contains(key.as_ref()) {
                each_path(value.root(), &mut |part| {
                    report(context, place, part, reporter);
                });
            } else if value.root().name() == b"NodePath"
                && starts_here(context, section, &lossy(&key))
            {
                report(context, place, value.root(), reporter);
            }
        }
    }
}

/// Whether the path in a property starts at the node that has it.
fn starts_here(context: &SceneContext<'_>, section: Section<'_>, key: &str) -> bool {
    let object = context.attached(section);
    match object.property(key) {
        Member::Native(_) => true,
        Member::Script(variable) => variable.is_looked_up,
        // Such as the joints of a soft body.
        Member::Unknown => object.is_plain(),
        Member::Nothing => false,
    }
}

fn report(
    context: &SceneContext<'_>,
    place: &NodeInTree,
    part: PartRef<'_>,
    reporter: &mut Reporter<'_>,
) {
    let Some(path) = part.inner_text("NodePath") else { return };
    let path = lossy(&path);
    // Names that Godot makes up for nodes that scripts and controls add.
    let is_made_up = |name: &str| name.starts_with(['@', '_']);
    if path.is_empty() || path.starts_with(':') || path.split('/').any(is_made_up) {
        return;
    }
    if !matches!(place.find(context.project, &path), NodeLookup::Missing) {
        return;
    }
    let message = format!("node {} not found, relative to this node", quote(path.as_bytes()));
    let diagnostic = reporter.report(part.span(), message);
    diagnostic.consequence("code that uses the path does not get a node");
    if let Some(near) = context.nearest_path(place, &path) {
        diagnostic.help(format!("did you mean {}?", quote(near.as_bytes())));
    }
}
