//! SIG001

use tscn::{Applicability, Edit, Findings, Fix, Severity, TagKind, quote};

use crate::lint::SceneContext;
use crate::rules::declare_rule;
use crate::rules::unknown_parent::help;
use crate::settings::lossy;
use crate::tree::Parent;

declare_rule! {
    /// ## What it does
    /// Reports a connection whose `from` or `to` is no node of the scene, nor of the scenes that it inherits or
    /// instances. In a project those are looked at; of one file alone, and of imported models, nothing is said there. If
    /// Godot 4.6 still finds the node by its id, it is a warning.
    ///
    /// ## Why is this bad?
    /// Godot leaves the connection out without a word, and the next save in the editor removes it.
    ///
    /// ## Example
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [node name="A" type="Node"]
    ///
    /// [connection signal="ready" from="Gone" to="." method="_on_ready"]
    /// ```
    ///
    /// ## Use instead
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [node name="A" type="Node"]
    ///
    /// [connection signal="ready" from="." to="." method="_on_ready"]
    /// ```
    ///
    /// ## Fix safety
    /// Safe: the path becomes that of the node which Godot finds by its id. Without an id there is no fix.
    ///
    /// ## References
    /// `SceneState::instantiate`, `SceneState::_recover_node_path_index`
    /// (scene/resources/packed_scene.cpp)
    "SIG001", "unknown-connection-end", Error
}

fn check(context: &SceneContext<'_>, findings: &mut Findings<'_>) {
    if context.hides_sections || context.tree().tags().is_empty() {
        return;
    }
    let sections = context.document.sections();
    for section in sections.filter(|section| section.kind() == TagKind::Connection) {
        for (name, ids) in [("from", "from_uid_path"), ("to", "to_uid_path")] {
            let Some(field) = section.field(name) else { continue };
            let Some(path) = field.text() else { continue };
            let path = lossy(&path);
            let found = context.connection_end(section, &path, ids);
            let quoted = quote(path.as_bytes());
            match found {
                Parent::Made | Parent::Later | Parent::Unknown => {}
                Parent::ById(found) => {
                    let message = format!(
                        "no node {quoted} is in the scene; by its id it is {}",
                        quote(found.as_bytes())
                    );
                    let finding = findings.push(field.value_span(), message);
                    finding.severity = Severity::Warning;
                    let edit = Edit::replace(field.value_span(), format!("\"{found}\""));
                    let title = format!("write `{found}`");
                    finding.fix(Fix::new(title, Applicability::Safe, vec![edit]));
                }
                Parent::Missing => {
                    let message = format!("no node {quoted} is in the scene; correct `{name}`");
                    let finding = findings.push(field.value_span(), message);
                    finding.consequence("Godot leaves the connection out without a word");
                    if let Some(help) = help(context, &path) {
                        finding.help(help);
                    }
                }
            }
        }
    }
}
