//! SIG001

use godot_project::SceneContext;
use godot_project::settings::lossy;
use godot_project::tree::Parent;
use godot_tscn::{Reporter, TagKind, quote};

use crate::rules::declare_rule;
use crate::rules::unknown_parent::{help, report_found_by_id};

declare_rule! { as_in_tscn "SIG001" }

fn check(context: &SceneContext<'_>, reporter: &mut Reporter<'_>) {
    if context.hides_sections || context.tree().tags().is_empty() {
        return;
    }
    let sections = context.document.sections();
    for section in sections.filter(|section| section.kind() == TagKind::Connection) {
        for (name, ids) in [("from", "from_uid_path"), ("to", "to_uid_path")] {
            let Some(field) = section.field(name) else { continue };
            let Some(path) = field.text() else { continue };
            let path = lossy(&path);
            match context.connection_end(section, &path, ids) {
                Parent::Made | Parent::Later | Parent::Unknown => {}
                Parent::ById(found) => report_found_by_id(field, &path, &found, reporter),
                Parent::Missing => {
                    let quoted = quote(path.as_bytes());
                    let message = format!("node {quoted} not found in the scene; correct `{name}`");
                    let diagnostic = reporter.report(field.value_span(), message);
                    diagnostic.consequence("Godot drops the connection without a warning");
                    if let Some(help) = help(context, &path) {
                        diagnostic.help(help);
                    }
                }
            }
        }
    }
}
