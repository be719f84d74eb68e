//! Dependencies for programs that draw or read graphs.

use std::collections::HashMap;
use std::fmt::Write;

use godot_project::DependencyKind;
use serde::Serialize;

use super::{Presence, Subgraph};
use crate::output::to_json_pretty;

/// The format of `gdscene deps --graph json`. The keys of an object are in alphabetical order.
#[derive(Debug, Serialize)]
struct JsonGraph<'p> {
    /// In the order of their paths.
    files: Vec<JsonFile<'p>>,
    references: Vec<JsonReference<'p>>,
}

#[derive(Debug, Serialize)]
struct JsonFile<'p> {
    /// `res://…`
    path: &'p str,
    /// `there`, `missing`, or `not seen by the editor` for a file that is there.
    state: &'static str,
}

#[derive(Debug, Serialize)]
struct JsonReference<'p> {
    /// The file that refers.
    from: &'p str,
    /// `ext_resource` for the tag of a scene or resource, `mention` for a path or uid in a text.
    kind: &'static str,
    /// The file that is referred to.
    to: &'p str,
}

/// Graphviz: missing files are red, and files that only a text names are dashed.
pub(super) fn dot(graph: &Subgraph) -> String {
    let quoted = |path: &str| format!("\"{}\"", path.replace('\\', "\\\\").replace('"', "\\\""));
    let mut text = "digraph dependencies {\n  rankdir=LR;\n  node [shape=box];\n".to_owned();
    for (path, presence) in &graph.files {
        let style = match presence {
            Presence::Present => "",
            Presence::Unseen => " [style=dashed]",
            Presence::Missing => " [color=red, fontcolor=red]",
        };
        let _ = writeln!(text, "  {}{style};", quoted(path));
    }
    for reference in &graph.references {
        let style = match reference.kind {
            DependencyKind::ExtResource => "",
            DependencyKind::Mention => " [style=dashed]",
        };
        let _ =
            writeln!(text, "  {} -> {}{style};", quoted(&reference.from), quoted(&reference.to));
    }
    text.push_str("}\n");
    text
}

/// Mermaid's flowchart.
pub(super) fn mermaid(graph: &Subgraph) -> String {
    // Its labels know entities, but no other escapes.
    let label = |path: &str| {
        let path = path.replace('#', "#35;").replace('"', "#quot;");
        path.replace('<', "#lt;").replace('>', "#gt;").replace('`', "#96;")
    };
    let mut text = "flowchart LR\n".to_owned();
    let mut names: HashMap<&str, usize> = HashMap::new();
    for (number, (path, presence)) in graph.files.iter().enumerate() {
        names.insert(path, number);
        let class = if *presence == Presence::Missing { ":::missing" } else { "" };
        let _ = writeln!(text, "  n{number}[\"{}\"]{class}", label(path));
    }
    for reference in &graph.references {
        let arrow = match reference.kind {
            DependencyKind::ExtResource => "-->",
            DependencyKind::Mention => "-.->",
        };
        let (from, to) = (names[reference.from.as_str()], names[reference.to.as_str()]);
        let _ = writeln!(text, "  n{from} {arrow} n{to}");
    }
    text.push_str("  classDef missing stroke:#c00,color:#c00\n");
    text
}

/// A [`JsonGraph`].
pub(super) fn json(graph: &Subgraph) -> String {
    let files = graph
        .files
        .iter()
        .map(|(path, presence)| JsonFile { path, state: presence.remark().unwrap_or("there") });
    let references = graph.references.iter().map(|reference| JsonReference {
        from: &reference.from,
        kind: match reference.kind {
            DependencyKind::ExtResource => "ext_resource",
            DependencyKind::Mention => "mention",
        },
        to: &reference.to,
    });
    let json = JsonGraph { files: files.collect(), references: references.collect() };
    to_json_pretty(&json) + "\n"
}
