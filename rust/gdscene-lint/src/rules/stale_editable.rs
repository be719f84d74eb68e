//! TREE009

use godot_project::settings::lossy;
use godot_project::{NodeLookup, SceneContext};
use godot_tscn::{Applicability, Edit, Fix, Reporter, Section, Span, TagKind, quote};

use crate::rules::declare_rule;

declare_rule! {
    /// ## What it does
    /// Reports an `editable` tag whose path does not lead to a node, or leads to one that is not an instance.
    ///
    /// ## Why is this bad?
    /// The tag has no effect, and suggests that the instance exists.
    ///
    /// ## Example
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [node name="A" type="Node"]
    ///
    /// [editable path="Gone"]
    /// ```
    ///
    /// ## Use instead
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [node name="A" type="Node"]
    /// ```
    ///
    /// ## Fix safety
    /// Safe: Godot ignores the tag.
    ///
    /// ## References
    /// `SceneState::instantiate` (scene/resources/packed_scene.cpp)
    "TREE009", "stale-editable", Warning
}

fn check(context: &SceneContext<'_>, reporter: &mut Reporter<'_>) {
    if context.hides_sections {
        return;
    }
    let sections = context.document.sections();
    for section in sections.filter(|section| section.kind() == TagKind::Editable) {
        let Some(field) = section.field("path") else { continue };
        let Some(path) = field.text() else { continue };
        let quoted = quote(&path);
        let message = match context.root().find(context.project, &lossy(&path)) {
            NodeLookup::Missing => format!("node {quoted} not found in the scene; remove the tag"),
            NodeLookup::Node(place) if !place.node().is_instance_root() => {
                format!("{quoted} is not an instance; remove the tag")
            }
            _ => continue,
        };
        reporter.report(field.value_span(), message).consequence("the tag has no effect").fix(
            Fix::new(
                "remove the tag",
                Applicability::Safe,
                vec![Edit::remove(line_of(context, section))],
            ),
        );
    }
}

/// The tag with the line ends before it, so that the text before it stays the same.
fn line_of(context: &SceneContext<'_>, section: Section<'_>) -> Span {
    let text = context.document.text();
    let tag = section.tag_span();
    let before = &text[..tag.start as usize];
    let blanks = before.iter().rev().take_while(|byte| matches!(byte, b'\n' | b'\r')).count();
    // Only text that surely belongs to the tag: another one may follow on the next line.
    let follows = text.get(tag.end as usize).is_some_and(|byte| !matches!(byte, b'\n' | b'\r'));
    if follows { tag } else { Span::new(tag.start - blanks as u32, tag.end) }
}
