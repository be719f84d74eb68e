//! PERF003

use crate::context::Context;
use crate::document::Section;
use crate::rules::{Reporter, declare_rule};
use crate::span::Span;

declare_rule! {
    /// ## What it does
    /// Reports files of more than 1 MiB, and scenes of more than 1000 nodes.
    ///
    /// ## Why is this bad?
    /// Godot needs 150 ms for each megabyte of text, and the game waits meanwhile. Scenes with more than 1000 nodes are
    /// hard to merge, and two people cannot work on them at the same time.
    ///
    /// ## Example
    /// A level with all its houses, trees and enemies in one file.
    ///
    /// ## Use instead
    /// A separate scene for each kind of house, which the level instances, and data in binary files (`.res`).
    ///
    /// ## References
    /// `ResourceLoaderText::load` (scene/resources/resource_format_text.cpp)
    "PERF003", "huge-file", Info
}

/// This number of bytes takes Godot 4.6 about 150 ms.
const MOST_BYTES: usize = 1 << 20;
const MOST_NODES: usize = 1000;

fn check(context: &Context<'_>, reporter: &mut Reporter<'_>) {
    let (size, count) = (context.document.text().len(), context.node_tree.nodes.len());
    let place = context.header().map_or(Span::empty(0), Section::tag_span);
    if size > MOST_BYTES {
        let mebibytes = size as f64 / f64::from(1 << 20);
        let message = format!("the file is {mebibytes:.1} MiB large; move data into `.res` files");
        reporter.report(place, message);
    }
    if count > MOST_NODES {
        reporter
            .report(place, format!("the scene has {count} nodes; split it into several scenes"));
    }
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;

    use super::RULE;
    use crate::rules::tests::{clean, node, rendered};

    #[test]
    fn sizes() {
        let nodes = |count| node(&"[node name=\"B\" type=\"Node\" parent=\".\"]\n".repeat(count));
        clean(&RULE, &nodes(999));
        assert_snapshot!(rendered(&RULE, &nodes(1000)), @"
        1:1-1:20 info: the scene has 1001 nodes; split it into several scenes
            at: [gd_scene format=3]
        ");
        let text = node(&format!("a = \"{}\"\n", "x".repeat(3 << 19)));
        assert_snapshot!(rendered(&RULE, &text), @"
        1:1-1:20 info: the file is 1.5 MiB large; move data into `.res` files
            at: [gd_scene format=3]
        ");
    }
}
