//! TREE010

use hashbrown::HashSet;

use crate::context::Context;
use crate::diagnostic::{Applicability, Fix};
use crate::document::{Field, Section};
use crate::edit_set::Edit;
use crate::rules::{Reporter, declare_rule};
use crate::span::Span;

declare_rule! {
    /// ## What it does
    /// Reports two nodes of the scene with the same `unique_id`. Ignores nodes of instanced scenes, because two
    /// instances of one scene have the same ids inside.
    ///
    /// ## Why is this bad?
    /// Since Godot 4.6, scenes use these ids to find renamed or moved nodes of other scenes. If two nodes have the same
    /// id, Godot may find the wrong one. Merges and copied text produce such files.
    ///
    /// ## Example
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [node name="A" type="Node" unique_id=7]
    ///
    /// [node name="B" type="Node" parent="." unique_id=7]
    /// ```
    ///
    /// ## Use instead
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [node name="A" type="Node" unique_id=7]
    ///
    /// [node name="B" type="Node" parent="."]
    /// ```
    ///
    /// ## Fix safety
    /// Unsafe: the second node loses its id, and gets a new one when the editor saves the scene. Another scene may
    /// refer to the node by the old id.
    ///
    /// ## References
    /// `SceneState::_parse_node` (scene/resources/packed_scene.cpp), Godot issue 106837
    "TREE010", "duplicate-unique-id", Warning
}

fn check(context: &Context<'_>, reporter: &mut Reporter<'_>) {
    if !context.facts.has_unique_ids || !any_twice(context) {
        return;
    }
    // By id, then by place: equal neighbours are duplicates.
    let nodes = context.node_tree.nodes.iter();
    let mut fields: Vec<_> = nodes.filter_map(|node| own_id(node.section)).collect();
    fields.sort_unstable_by_key(|(id, field)| (*id, field.span()));
    let mut first = None;
    for (id, field) in fields {
        let Some((_, first)) = first.filter(|(first_id, _)| *first_id == id) else {
            first = Some((id, field.span()));
            continue;
        };
        let edit = Edit::remove(with_blank_before(context, field));
        let title = "remove the second `unique_id`";
        reporter
            .report(field.span(), format!("another node already has the `unique_id` {id}"))
            .label(first, "first used here")
            .consequence("other scenes may find the wrong node after a rename")
            .fix(Fix::new(title, Applicability::Unsafe, vec![edit]));
    }
}

/// Whether an id is there twice at all, whosever it is.
fn any_twice(context: &Context<'_>) -> bool {
    let document = context.document;
    let text = document.text();
    let fields = document.tree.fields.iter();
    let is_id = |name: &[u8]| name.first() == Some(&b'u') && name == b"unique_id";
    let mut seen = HashSet::with_capacity(context.node_tree.nodes.len());
    let mut ids = fields.filter(|field| is_id(field.name.of(text)));
    !ids.all(|field| seen.insert(field.value.of(text)))
}

/// The `unique_id` of a node that this scene brings.
fn own_id(section: Section<'_>) -> Option<(i64, Field<'_>)> {
    let (mut is_own, mut field) = (false, None);
    for candidate in section.fields() {
        match candidate.name() {
            b"type" | b"instance" => is_own = true,
            b"unique_id" => field = Some(candidate),
            _ => {}
        }
    }
    let field = field.filter(|_| is_own && !section.is_broken())?;
    Some((field.int().filter(|id| *id > 0)?, field))
}

/// A field and the blank before it.
pub(super) fn with_blank_before(context: &Context<'_>, field: Field<'_>) -> Span {
    let start = field.span().start;
    let before = &context.document.text()[..start as usize];
    let blank = before.len() - before.trim_ascii_end().len();
    // One blank stays if the next field follows at once.
    let is_apart = context
        .document
        .text()
        .get(field.span().end as usize)
        .is_none_or(|byte| byte.is_ascii_whitespace() || *byte == b']');
    let blank = if is_apart { blank as u32 } else { 0 };
    Span::new(start - blank, field.span().end)
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;

    use super::RULE;
    use crate::rules::tests::{check_fix, clean, node, rendered};

    #[test]
    fn ids() {
        let child = |rest: &str| node(&format!("[node name=\"B\" parent=\".\"{rest}]\n"));
        let first = " type=\"Node\" unique_id=1]\n[node name=\"C\" parent=\".\"";
        let both = child(&format!("{first} type=\"Node\" unique_id=1"));
        assert_snapshot!(rendered(&RULE, &both), @r#"
        5:39-5:50 warning: another node already has the `unique_id` 1
            at: unique_id=1
            label 4:39-4:50: first used here: unique_id=1
            so: other scenes may find the wrong node after a rename
            unsafe fix: remove the second `unique_id`
              - [node name="C" parent="." type="Node" unique_id=1]
              + [node name="C" parent="." type="Node"]
        "#);
        check_fix(&RULE, &both, &child(&format!("{first} type=\"Node\"")));
        clean(&RULE, &child(&format!("{first} type=\"Node\" unique_id=2")));
    }

    #[test]
    fn nodes_of_instances_share_ids() {
        let inner = "[node name=\"C\" parent=\"B\" unique_id=1]\n[node name=\"C\" parent=\"D\" unique_id=1]\n";
        clean(&RULE, &node(inner));
    }
}
