//! TREE001

use tscn::{Applicability, Edit, Findings, Fix, Severity, quote};

use crate::lint::SceneContext;
use crate::res_path::name_of;
use crate::rules::declare_rule;
use crate::tree::Parent;

declare_rule! {
    /// ## What it does
    /// Reports a node whose `parent` is no node of the scene, nor of the scenes that it inherits or instances. In a
    /// project those are looked at; of one file alone, and of imported models, nothing is said there. If Godot 4.6 still
    /// finds the node by its id, it is a warning.
    ///
    /// ## Why is this bad?
    /// Godot hangs the node under the root and renames it (`Nope#B`); the next save keeps it so.
    /// On an empty `parent` Godot 4.6.3 crashes (`NodePath::prepend_period`).
    ///
    /// ## Example
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [node name="A" type="Node"]
    ///
    /// [node name="B" type="Node" parent="Nope"]
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
    /// ## Fix safety
    /// Safe: the path becomes that of the node which Godot finds by its id. Without an id there is no fix.
    ///
    /// ## References
    /// `SceneState::instantiate`, `SceneState::_recover_node_path_index`
    /// (scene/resources/packed_scene.cpp)
    "TREE001", "unknown-parent", Error
}

fn check(context: &SceneContext<'_>, findings: &mut Findings<'_>) {
    if context.hides_sections {
        return;
    }
    for (index, tag, section) in context.tags_below_root() {
        let (Some(path), Some(field)) = (tag.parent.as_deref(), section.field("parent")) else {
            continue;
        };
        if path.is_empty() {
            findings
                .push(field.value_span(), "`parent` is empty; write `.` for the root")
                .consequence("Godot crashes on loading the file");
            continue;
        }
        match context.parent(index, tag) {
            Parent::Made | Parent::Later | Parent::Unknown => {}
            Parent::ById(found) => {
                let message = format!(
                    "no node {} is in the scene; by its id it is {}",
                    quote(path.as_bytes()),
                    quote(found.as_bytes())
                );
                let finding = findings.push(field.value_span(), message);
                finding.severity = Severity::Warning;
                let edit = Edit::replace(field.value_span(), format!("\"{found}\""));
                let title = format!("write `{found}`");
                finding.fix(Fix::new(title, Applicability::Safe, vec![edit]));
            }
            Parent::Missing => {
                let message =
                    format!("no node {} is in the scene; correct `parent`", quote(path.as_bytes()));
                let finding = findings.push(field.value_span(), message);
                let is_override = tag.class.is_none() && tag.instance.is_none();
                finding.consequence(if is_override {
                    "the changes to the node are lost, and the next save drops them"
                } else {
                    "Godot hangs the node under the root and renames it"
                });
                if let Some(help) = help(context, path) {
                    finding.help(help);
                }
            }
        }
    }
}

/// What may help where `path`, seen from the root, leads to no node.
pub(super) fn help(context: &SceneContext<'_>, path: &str) -> Option<String> {
    if path == context.root().name() {
        return Some("paths start below the root: the root itself is `.`".to_owned());
    }
    if path.starts_with(['/', '.']) {
        let help = "paths start below the root, without its name: `.`, `Arm`, `Arm/Hand`";
        return Some(help.to_owned());
    }
    let near = context.nearest_path(context.root(), path);
    let near = near.or_else(|| context.tree().path_to_name(name_of(path)));
    near.map(|near| format!("did you mean {}?", quote(near.as_bytes())))
}
