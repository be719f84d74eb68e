//! TREE007

use godot_project::SceneContext;
use godot_project::tree::{Child, When};
use godot_tscn::{Applicability, Edit, Fix, Reporter, Section, Severity, quote};

use crate::rules::declare_rule;

declare_rule! {
    /// ## What it does
    /// Reports a node that overrides a node of an instanced or inherited scene if that scene no longer has the node:
    /// the tag has neither `type` nor `instance`, and its name does not exist in the scene. If Godot 4.6 still finds
    /// the node by its `unique_id`, it is a warning.
    ///
    /// The rule ignores nodes below a node with a `@tool` script that may add nodes while the scene is instantiated,
    /// for example in a setter, because the node may exist when Godot applies the change.
    ///
    /// ## Why is this bad?
    /// Godot loses the changes and prints that the node `was modified from inside an instance, but it has vanished`.
    /// The next save removes the changes.
    ///
    /// ## Example
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [ext_resource type="PackedScene" path="res://part.tscn" id="1"]
    ///
    /// [node name="A" type="Node"]
    ///
    /// [node name="Part" parent="." instance=ExtResource("1")]
    ///
    /// [node name="Gone" parent="Part" index="0"]
    /// process_mode = 3
    ///
    /// [editable path="Part"]
    /// ```
    ///
    /// ## Use instead
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [ext_resource type="PackedScene" path="res://part.tscn" id="1"]
    ///
    /// [node name="A" type="Node"]
    ///
    /// [node name="Part" parent="." instance=ExtResource("1")]
    ///
    /// [node name="Child" parent="Part" index="0"]
    /// process_mode = 3
    ///
    /// [editable path="Part"]
    /// ```
    ///
    /// ## Fix safety
    /// Safe: the tag gets the name and parent of the node that Godot finds by its id.
    ///
    /// ## References
    /// `SceneState::instantiate` (scene/resources/packed_scene.cpp)
    "TREE007", "vanished-override", Error
}

fn check(context: &SceneContext<'_>, reporter: &mut Reporter<'_>) {
    if context.hides_sections {
        return;
    }
    for (index, tag, section) in context.tags_below_root() {
        if tag.class.is_some() || tag.instance.is_some() || section.field("type").is_some() {
            continue;
        }
        let Some(field) = section.field("name") else { continue };
        let Some(parent) = context.parent_place(index, tag) else { continue };
        if parent.node().has_child(context.project, &tag.name, When::Before(index)) != Child::No
            || parent.may_gain_nodes(context.project)
        {
            continue;
        }
        let name = quote(tag.name.as_bytes());
        let by_id = tag.unique_id.and_then(|id| parent.override_by_id(context.project, id));
        if let Some(found) = by_id {
            let path = found.path();
            let message = format!(
                "{name} no longer exists; the node with its id is now {}",
                quote(path.as_bytes())
            );
            let diagnostic = reporter.report(field.value_span(), message);
            diagnostic.severity = Severity::Warning;
            if let Some(fix) = rename(section, &path) {
                diagnostic.fix(fix);
            }
            continue;
        }
        let whose = quote(parent.path().as_bytes());
        let message = format!("{whose} has no child {name} to change here");
        let diagnostic = reporter.report(field.value_span(), message);
        diagnostic.consequence("Godot loses the changes, and the next save removes them");
        if let Some(near) = context.nearest_child(&parent, &tag.name) {
            diagnostic.help(format!("did you mean {}?", quote(near.as_bytes())));
        }
    }
}

/// Writes the name and parent of the node at `path`.
fn rename(section: Section<'_>, path: &str) -> Option<Fix> {
    let (parent, name) = path.rsplit_once('/').unwrap_or((".", path));
    let quoted = |text: &str| format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""));
    let edits = [("name", name), ("parent", parent)]
        .map(|(field, text)| Some(Edit::replace(section.field(field)?.value_span(), quoted(text))));
    let edits = edits.into_iter().collect::<Option<Vec<Edit>>>()?;
    Some(Fix::new(format!("write `{path}`"), Applicability::Safe, edits))
}
