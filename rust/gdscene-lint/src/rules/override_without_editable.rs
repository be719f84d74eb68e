//! TREE008

use std::cell::LazyCell;

use godot_project::SceneContext;
use godot_tscn::{Applicability, Edit, Fix, Reporter, TagKind, quote};
use hashbrown::HashSet;

use crate::rules::declare_rule;

declare_rule! {
    /// ## What it does
    /// Reports a node inside an instance that this scene changes or adds a child to, without an `editable` tag for the
    /// instance.
    ///
    /// ## Why is this bad?
    /// The game shows the change. The editor does not show the node, and drops the change at the next save.
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
    /// [node name="Child" parent="Part" index="0"]
    /// process_mode = 3
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
    /// Safe: the game ignores the tag.
    ///
    /// ## References
    /// `SceneState::_parse_node` (scene/resources/packed_scene.cpp)
    "TREE008", "override-without-editable", Warning
}

fn check(context: &SceneContext<'_>, reporter: &mut Reporter<'_>) {
    if context.hides_sections {
        return;
    }
    let mut reported = HashSet::new();
    let end = LazyCell::new(|| end_of_tags(context));
    for (index, tag, section) in context.tags_below_root() {
        if !context.tree().is_below_other_scene(index) {
            continue;
        }
        let Some(field) = section.field("parent").filter(|field| field.text().is_some()) else {
            continue;
        };
        let defines = tag.class.is_some() || tag.instance.is_some();
        let Some(closed) = closed_instance(context, index, defines) else { continue };
        if !reported.insert(closed.clone()) {
            continue;
        }
        let message = format!(
            "nodes inside {} are changed without an `editable` tag",
            quote(closed.as_bytes())
        );
        reporter
            .report(field.value_span(), message)
            .consequence("the editor does not show the change, and drops it at the next save")
            .fix(add_editable(*end, &closed));
    }
}

/// The outermost closed instance around the changed content of the tag. The editor saves a node only if the owner
/// of each node down to it is the root or an opened instance.
fn closed_instance(context: &SceneContext<'_>, index: u32, defines: bool) -> Option<String> {
    let path = context.tree().path_of_tag(index)?;
    let mut names: Vec<&str> = path.split('/').collect();
    if defines {
        names.pop();
    }
    let mut place = context.root().clone();
    for (depth, name) in names.iter().enumerate() {
        if !place.enter(context.project, name) {
            // The contents of a model are unknown, but their place is certain.
            let is_closed = depth > 0 && place.node().is_certain_instance();
            return (is_closed && !place.node().is_editable()).then(|| names[..depth].join("/"));
        }
        let count = place.nodes_to_owner()?;
        if count > 1 && !place.ancestry()[count - 1].is_editable() {
            return Some(names[..count - 1].join("/"));
        }
    }
    None
}

/// The place for a new `editable` tag.
#[derive(Clone, Copy)]
enum End {
    /// Behind the last `editable` tag.
    OfEditables(u32),
    /// Without such a line, at the end of the text.
    OfText(u32),
}

fn end_of_tags(context: &SceneContext<'_>) -> End {
    let editables =
        context.document.sections().filter(|section| section.kind() == TagKind::Editable);
    match editables.last() {
        Some(last) => End::OfEditables(last.tag_span().end),
        None => End::OfText(context.document.sections().last().map_or(0, |last| last.span().end)),
    }
}

fn add_editable(end: End, path: &str) -> Fix {
    let path = path.replace('\\', "\\\\").replace('"', "\\\"");
    let edit = match end {
        End::OfEditables(end) => Edit::insert(end, format!("\n[editable path=\"{path}\"]")),
        End::OfText(end) => Edit::insert(end, format!("\n\n[editable path=\"{path}\"]")),
    };
    Fix::new("add an `editable` tag", Applicability::Safe, vec![edit])
}
