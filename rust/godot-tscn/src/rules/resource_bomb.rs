//! SEC009

use crate::context::Context;
use crate::document::{Property, Section, ValueKind};
use crate::rules::{Reporter, declare_rule};
use crate::span::Span;
use crate::value::tree::ValueTree;

declare_rule! {
    /// ## What it does
    /// Reports data that needs too much time or memory: files of more than 16 MiB, scenes of more than 20,000 nodes,
    /// and excessive counts and sizes, such as an `instance_count` of a thousand million or a noise texture that is
    /// 16,385 pixels wide. `nesting-too-deep` reports values that are nested too deep.
    ///
    /// ## Why is this bad?
    /// A few characters in a file can make the game use all memory, or hang.
    ///
    /// ## Example
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [sub_resource type="MultiMesh" id="1"]
    /// instance_count = 1000000000
    ///
    /// [node name="A" type="MultiMeshInstance3D"]
    /// multimesh = SubResource("1")
    /// ```
    ///
    /// ## Use instead
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [sub_resource type="MultiMesh" id="1"]
    /// instance_count = 100
    ///
    /// [node name="A" type="MultiMeshInstance3D"]
    /// multimesh = SubResource("1")
    /// ```
    ///
    /// ## References
    /// `MultiMesh::set_instance_count` (scene/resources/multimesh.cpp), `FastNoiseLite` and `NoiseTexture2D`
    /// (modules/noise)
    "SEC009", "resource-bomb", Info, off_by_default
}

/// Godot needs more than two seconds for such a text.
const MOST_BYTES: usize = 16 << 20;
const MOST_NODES: usize = 20_000;
/// More than any scene of the demo projects has, by far.
const MOST_ITEMS: f64 = 1_000_000.0;
/// The largest texture that graphics cards can be relied on to have.
const MOST_PIXELS: f64 = 16_384.0;

fn check(context: &Context<'_>, reporter: &mut Reporter<'_>) {
    let start = Span::empty(0);
    let mebibytes = context.document.text().len() >> 20;
    if context.document.text().len() > MOST_BYTES {
        reporter.report(
            start,
            format!("the file is {mebibytes} MiB large; Godot needs seconds to load it"),
        );
    }
    if context.node_tree.nodes.len() > MOST_NODES {
        let count = context.node_tree.nodes.len();
        reporter.report(start, format!("the scene has {count} nodes"));
    }
    for property in context.document.sections().flat_map(Section::properties) {
        let key = property.engine_key();
        let Some(most) = limit(&key) else { continue };
        if let Some(largest) = largest_number(property).filter(|largest| *largest > most) {
            let message = format!(
                "the number {largest} is larger than in any reasonable scene; expected at most {most}"
            );
            reporter.report(property.value_span(), message);
        }
    }
}

/// The most that a property with this name should have, if it is a count or a size.
fn limit(key: &[u8]) -> Option<f64> {
    let name = key.rsplit(|byte| *byte == b'/').next().unwrap_or(key);
    let is_pixels = matches!(name, b"width" | b"height" | b"depth")
        || name.starts_with(b"subdivide")
        || [
            &b"size"[..],
            b"_segments",
            b"rings",
            b"_sections",
            b"_sides",
            b"_resolution",
            b"_width",
            b"_height",
        ]
        .iter()
        .any(|end| name.ends_with(end));
    let is_count = name == b"amount" || name.ends_with(b"count") || name.ends_with(b"_length");
    if is_pixels { Some(MOST_PIXELS) } else { is_count.then_some(MOST_ITEMS) }
}

/// The largest number of a number or vector.
fn largest_number(property: Property<'_>) -> Option<f64> {
    let source = property.source();
    let number = |text: &[u8]| std::str::from_utf8(text).ok()?.parse::<f64>().ok();
    match property.kind() {
        ValueKind::Int | ValueKind::Float => number(source),
        ValueKind::Construct if source.starts_with(b"Vector") => {
            let tree = ValueTree::new(source);
            tree.root().numbers().filter_map(number).reduce(f64::max)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;

    use super::RULE;
    use crate::rules::tests::{clean, node, rendered};

    #[test]
    fn numbers() {
        clean(&RULE, &node("amount = 100\nsize = Vector2(16384, 1)\nseed = 9999999999\n"));
        let found = rendered(&RULE, &node("item_count = 1000000001\nsize = Vector2i(1, 99999)\n"));
        assert_snapshot!(found, @"
        4:14-4:24 info: the number 1000000001 is larger than in any reasonable scene; expected at most 1000000
            at: 1000000001
        5:8-5:26 info: the number 99999 is larger than in any reasonable scene; expected at most 16384
            at: Vector2i(1, 99999)
        ");
    }

    #[test]
    fn nodes() {
        let text = node(&"[node name=\"B\" type=\"Node\" parent=\".\"]\n".repeat(20_000));
        assert_snapshot!(rendered(&RULE, &text), @"
        1:1-1:1 info: the scene has 20001 nodes
        ");
    }
}
