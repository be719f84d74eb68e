//! TREE001

use godot_project::SceneContext;
use godot_project::res_path::name_of;
use godot_project::tree::Parent;
use godot_tscn::{Applicability, Edit, Field, Fix, Reporter, Severity, quote};

use crate::rules::declare_rule;

declare_rule! { as_in_tscn "TREE001" }

fn check(context: &SceneContext<'_>, reporter: &mut Reporter<'_>) {
    if context.hides_sections {
        return;
    }
    for (index, tag, section) in context.tags_below_root() {
        let (Some(path), Some(field)) = (tag.parent.as_deref(), section.field("parent")) else {
            continue;
        };
        if path.is_empty() {
            reporter
                .report(field.value_span(), "`parent` is empty; write `.` for the root")
                .consequence("Godot crashes when it loads the file");
            continue;
        }
        match context.parent(index, tag) {
            Parent::Made | Parent::Later | Parent::Unknown => {}
            Parent::ById(found) => report_found_by_id(field, path, &found, reporter),
            Parent::Missing => {
                let message = format!(
                    "node {} not found in the scene; correct `parent`",
                    quote(path.as_bytes())
                );
                let diagnostic = reporter.report(field.value_span(), message);
                let is_override = tag.class.is_none() && tag.instance.is_none();
                diagnostic.consequence(if is_override {
                    "Godot loses the changes to the node, and the next save removes them"
                } else {
                    "Godot moves the node below the root and renames it"
                });
                if let Some(help) = help(context, path) {
                    diagnostic.help(help);
                }
            }
        }
    }
}

/// Says that the path in `field` leads to no node, but that Godot finds one by its id: at `found`.
pub(super) fn report_found_by_id(
    field: Field<'_>,
    path: &str,
    found: &str,
    reporter: &mut Reporter<'_>,
) {
    let message = format!(
        "node {} not found in the scene; the node with its id is {}",
        quote(path.as_bytes()),
        quote(found.as_bytes())
    );
    let diagnostic = reporter.report(field.value_span(), message);
    diagnostic.severity = Severity::Warning;
    let edit = Edit::replace(field.value_span(), format!("\"{found}\""));
    diagnostic.fix(Fix::new(format!("write `{found}`"), Applicability::Safe, vec![edit]));
}

/// Help for a `path` from the root that leads to no node.
pub(super) fn help(context: &SceneContext<'_>, path: &str) -> Option<String> {
    if path == context.root().name() {
        return Some("paths start below the root; the root itself is `.`".to_owned());
    }
    if path.starts_with(['/', '.']) {
        let help = "paths start below the root, without its name: `.`, `Arm`, `Arm/Hand`";
        return Some(help.to_owned());
    }
    let near = context.nearest_path(context.root(), path);
    let near = near.or_else(|| context.tree().path_to_name(name_of(path)));
    near.map(|near| format!("did you mean {}?", quote(near.as_bytes())))
}
