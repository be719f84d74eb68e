//! STY010

use std::cmp::Ordering;

use crate::context::Context;
use crate::diagnostic::{Applicability, Fix};
use crate::document::{Section, TagKind};
use crate::edit_set::Edit;
use crate::format::order::{compare_ids, stable_order};
use crate::rules::{Reporter, declare_rule};

declare_rule! {
    /// ## What it does
    /// Reports `ext_resource` tags that are not in the order of their ids, and connections that are not in the
    /// order of the nodes they come from.
    ///
    /// ## Why is this bad?
    /// Godot sorts them when it saves, which causes an unrelated change in a diff.
    ///
    /// ## Example
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [ext_resource type="Script" path="res://b.gd" id="2_b"]
    /// [ext_resource type="Script" path="res://a.gd" id="1_a"]
    ///
    /// [node name="A" type="Node"]
    /// script = ExtResource("1_a")
    /// metadata/x = ExtResource("2_b")
    /// ```
    ///
    /// ## Use instead
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [ext_resource type="Script" path="res://a.gd" id="1_a"]
    /// [ext_resource type="Script" path="res://b.gd" id="2_b"]
    ///
    /// [node name="A" type="Node"]
    /// script = ExtResource("1_a")
    /// metadata/x = ExtResource("2_b")
    /// ```
    ///
    /// ## Fix safety
    /// Safe: Godot loads the same resources. Connections from one node keep their order, because it is the order in
    /// which Godot calls their methods. If there are comments between the tags, there is no fix.
    ///
    /// ## References
    /// `ResourceFormatSaverTextInstance::save` (scene/resources/resource_format_text.cpp),
    /// `SceneState::_parse_connections` (scene/resources/packed_scene.cpp)
    "STY010", "unsorted", Info
}

fn check(context: &Context<'_>, reporter: &mut Reporter<'_>) {
    // Godot 3 has numbers for ids and sorts by path.
    if context.document.is_incomplete() || context.format().is_none_or(|format| format < 3) {
        return;
    }
    sort_ext_resources(context, reporter);
    sort_connections(context, reporter);
}

fn sort_ext_resources(context: &Context<'_>, reporter: &mut Reporter<'_>) {
    let definitions = &context.ext_resources.definitions;
    if definitions.len() < 2 || definitions.iter().any(|definition| definition.first.is_some()) {
        return;
    }
    let compare = |a: usize, b: usize| compare_ids(&definitions[a].id, &definitions[b].id);
    let Some(order) = stable_order(definitions.len(), compare) else { return };
    let sections: Vec<_> = definitions.iter().map(|definition| definition.section).collect();
    report(context, reporter, &sections, &order, "are not in the order of their ids");
}

fn sort_connections(context: &Context<'_>, reporter: &mut Reporter<'_>) {
    if context.facts.connection_count < 2 {
        return;
    }
    let sections = context.document.sections();
    let sections: Vec<_> =
        sections.filter(|section| section.kind() == TagKind::Connection).collect();
    let place = |section: &Section<'_>| {
        let from = section.field_text("from")?;
        context.node_tree.find(&from).ok()
    };
    // The place of a node of another scene in the tree is unknown.
    let Some(places) = sections.iter().map(place).collect::<Option<Vec<u32>>>() else { return };
    let compare = |a: usize, b: usize| -> Ordering { places[a].cmp(&places[b]) };
    let Some(order) = stable_order(sections.len(), compare) else { return };
    report(context, reporter, &sections, &order, "are not in the order of their source nodes");
}

/// Reports the first tag out of place, and puts each tag where it belongs.
fn report(
    context: &Context<'_>,
    reporter: &mut Reporter<'_>,
    sections: &[Section<'_>],
    order: &[usize],
    what: &str,
) {
    let text = context.document.text();
    let Some(first) = order.iter().enumerate().find(|(place, index)| place != *index) else {
        return;
    };
    let name = String::from_utf8_lossy(sections[0].name()).into_owned();
    let message = format!("the `{name}` tags {what}; sort them");
    let diagnostic = reporter.report(sections[first.0].tag_span(), message);
    let (start, end) = (sections[0].tag_span().start, sections[sections.len() - 1].tag_span().end);
    let line = memchr::memchr(b'\n', &text[end as usize..]).unwrap_or(text.len() - end as usize);
    let lines = start..end + line as u32;
    let has_comment = context.document.comments().iter().any(|at| lines.contains(&at.start));
    let is_utf8 = std::str::from_utf8(&text[start as usize..end as usize]).is_ok();
    let are_apart = sections.windows(2).any(|pair| pair[0].index() + 1 != pair[1].index());
    if has_comment || are_apart || !is_utf8 {
        return;
    }
    let edits = order.iter().enumerate().filter(|(place, index)| place != *index);
    let edits = edits.map(|(place, index)| {
        let tag = sections[*index].tag_span().of(text);
        Edit::replace(sections[place].tag_span(), String::from_utf8_lossy(tag))
    });
    let edits = edits.collect();
    diagnostic.fix(Fix::new("sort the tags", Applicability::Safe, edits));
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;

    use super::RULE;
    use crate::rules::tests::{check_fix, clean, node, rendered};

    #[test]
    fn ext_resources() {
        let file = |ids: [&str; 3]| {
            let tag = |id| format!("[ext_resource type=\"A\" path=\"res://{id}\" id=\"{id}\"]\n");
            format!("[gd_scene format=3]\n\n{}", ids.map(tag).concat())
        };
        clean(&RULE, &file(["1_b", "2_a", "10_c"]));
        assert_snapshot!(rendered(&RULE, &file(["1_b", "10_c", "2_a"])), @r#"
        4:1-4:52 info: the `ext_resource` tags are not in the order of their ids; sort them
            at: [ext_resource type="A" path="res://10_c" id="10_c"]
            safe fix: sort the tags
              + [ext_resource type="A" path="res://2_a" id="2_a"]
              - [ext_resource type="A" path="res://2_a" id="2_a"]
        "#);
        check_fix(&RULE, &file(["10_c", "1_b", "2_a"]), &file(["1_b", "2_a", "10_c"]));
    }

    #[test]
    fn connections() {
        let file = |lines: [(&str, &str); 3]| {
            let line = |(from, method)| {
                format!(
                    "[connection signal=\"ready\" from=\"{from}\" to=\".\" method=\"{method}\"]\n"
                )
            };
            node(&format!(
                "[node name=\"B\" type=\"Node\" parent=\".\"]\n{}",
                lines.map(line).concat()
            ))
        };
        let sorted = file([(".", "z"), (".", "a"), ("B", "b")]);
        clean(&RULE, &sorted);
        check_fix(&RULE, &file([("B", "b"), (".", "z"), (".", "a")]), &sorted);
        clean(&RULE, &file([("B", "b"), (".", "z"), ("../X", "a")]));
    }
}
