//! TREE003

use godot_project::tree::{Child, When};
use godot_project::{SceneContext, SceneNode};
use godot_tscn::{Applicability, Edit, Field, Fix, Reporter, quote};

use crate::rules::declare_rule;

declare_rule! { as_in_tscn "TREE003" }

fn check(context: &SceneContext<'_>, reporter: &mut Reporter<'_>) {
    for (index, tag, section) in context.tags_below_root() {
        let Some(field) = section.field("name").filter(|_| tag.parent.is_some()) else { continue };
        let name = || quote(tag.name.as_bytes());
        if let Some(earlier) = context.tree().earlier_tag(index) {
            let message = format!("the parent already has a child {}; rename the node", name());
            let diagnostic = reporter.report(field.value_span(), message);
            diagnostic.consequence("Godot renames the node, or paths find only the first one");
            // A tag without type and instance changes the node that is there.
            if (tag.class.is_some() || tag.instance.is_some())
                && let Some(fix) = rename(context, tag, field)
            {
                diagnostic.fix(fix);
            }
            let earlier = context.section(context.tree().tags()[earlier as usize].section);
            if let Some(field) = earlier.field("name") {
                diagnostic.label(field.value_span(), "first used here");
            }
            continue;
        }
        let defines = tag.class.is_some() || tag.instance.is_some();
        if !defines || !context.tree().is_below_other_scene(index) {
            continue;
        }
        let Some(parent) = context.parent_place(index, tag) else { continue };
        if parent.node().has_child(context.project, &tag.name, When::Before(index)) == Child::Yes {
            let message = format!(
                "the parent already has a child {} from another scene; rename the node",
                name()
            );
            let diagnostic = reporter.report(field.value_span(), message);
            diagnostic.consequence("Godot renames the node, or paths find only one of them");
            if let Some(fix) = rename(context, tag, field) {
                diagnostic.fix(fix);
            }
        }
    }
}

/// Gives the node a name that none of its siblings has.
fn rename(context: &SceneContext<'_>, tag: &SceneNode, field: Field<'_>) -> Option<Fix> {
    let parent = tag.parent.as_deref()?;
    let is_free = |name: &String| {
        context.root().find(context.project, &format!("{parent}/{name}")).is_missing()
    };
    let name = (2..100).map(|number| format!("{}{number}", tag.name)).find(is_free)?;
    let escaped = name.replace('\\', "\\\\").replace('"', "\\\"");
    let edit = Edit::replace(field.value_span(), format!("\"{escaped}\""));
    Some(Fix::new(format!("rename it to `{name}`"), Applicability::Unsafe, vec![edit]))
}
