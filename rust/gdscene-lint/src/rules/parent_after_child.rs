//! TREE002

use godot_project::SceneContext;
use godot_project::tree::Parent;
use godot_tscn::{Reporter, quote};

use crate::rules::declare_rule;

declare_rule! { as_in_tscn "TREE002" }

fn check(context: &SceneContext<'_>, reporter: &mut Reporter<'_>) {
    if context.hides_sections {
        return;
    }
    for (index, tag, section) in context.tags_below_root() {
        let (Some(path), Some(field)) = (tag.parent.as_deref(), section.field("parent")) else {
            continue;
        };
        if path.is_empty() || !matches!(context.parent(index, tag), Parent::Later) {
            continue;
        }
        let message = format!(
            "the parent {} is defined after this node; move the node after its parent",
            quote(path.as_bytes())
        );
        let diagnostic = reporter.report(field.value_span(), message);
        diagnostic.consequence("Godot moves the node below the root and renames it");
        if let Some(parent) = context.tree().tag_at(path) {
            diagnostic.label(context.section(parent).tag_span(), "the parent");
        }
    }
}
