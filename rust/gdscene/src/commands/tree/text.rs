//! A tree, and lists below it.

use std::fmt::Write;

use gdscene_refactor::{ConnectionOutline, NodeOutline, Outline};

use crate::terminal::printable;

/// So deep the lines of the tree are drawn; nodes below have all the same indentation.
const MAX_DEPTH: usize = 100;

pub(super) fn text(outline: &Outline) -> String {
    let mut out = String::new();
    head(&mut out, outline);
    nodes(&mut out, &outline.nodes);
    list(&mut out, "connections", outline.connections.iter().map(connection));
    let external = outline.ext_resources.iter().map(|resource| {
        let missing = if resource.is_missing { "  (missing)" } else { "" };
        format!("{}: {} ({}){missing}", resource.id, resource.path, resource.class)
    });
    list(&mut out, "ext_resources", external);
    let inner = outline.sub_resources.iter().map(|resource| {
        let script = resource.script.as_ref().map(|script| format!(", {script}"));
        format!(
            "{}: {}{}{}",
            resource.id,
            resource.class,
            script.unwrap_or_default(),
            count(&resource.properties)
        )
    });
    list(&mut out, "sub_resources", inner);
    list(&mut out, "notes", outline.notes.iter().cloned());
    out
}

/// The file, and the type of a resource.
fn head(out: &mut String, outline: &Outline) {
    let _ = write!(out, "{}", printable(&outline.file));
    if outline.nodes.is_empty() {
        let class = outline.class.iter().map(|class| format!(" ({class})"));
        let script = outline.script.iter().map(|script| format!(" {script}"));
        let rest: String = class.chain(script).collect();
        let _ = write!(out, "{}{}", printable(&rest), count(&outline.properties));
    }
    out.push('\n');
}

fn nodes(out: &mut String, nodes: &[NodeOutline]) {
    let is_last = last_ones(nodes);
    // For the node on each level above, whether it is the last one there.
    let mut above: Vec<bool> = Vec::new();
    for (node, is_last) in nodes.iter().zip(is_last) {
        above.truncate(node.depth.saturating_sub(1));
        for is_last in above.iter().take(MAX_DEPTH) {
            out.push_str(if *is_last { "    " } else { "│   " });
        }
        out.push_str(match (node.depth, is_last) {
            (0, _) => "",
            (_, true) => "└── ",
            (_, false) => "├── ",
        });
        let _ = writeln!(out, "{}", printable(&line(node)));
        if node.depth > 0 {
            above.push(is_last);
        }
    }
}

/// Whether each node is the last one of its siblings.
fn last_ones(nodes: &[NodeOutline]) -> Vec<bool> {
    let mut last = vec![false; nodes.len()];
    // On each level, whether a sibling has been seen already, from the end.
    let mut seen: Vec<bool> = Vec::new();
    for (index, node) in nodes.iter().enumerate().rev() {
        seen.resize(node.depth + 1, false);
        last[index] = !std::mem::replace(&mut seen[node.depth], true);
    }
    last
}

/// `%Name (Class) res://script.gd [group] 3 properties`
fn line(node: &NodeOutline) -> String {
    let mut line = format!("{}{}", if node.unique_name { "%" } else { "" }, node.name);
    if let Some(class) = &node.class {
        let _ = write!(line, " ({class})");
    }
    if let Some(instance) = &node.instance {
        let editable = if node.is_editable { ", editable" } else { "" };
        let _ = write!(line, " instance of {instance}{editable}");
    }
    if node.is_override {
        line.push_str(" changed here");
    }
    if let Some(script) = &node.script {
        let _ = write!(line, " {script}");
    }
    if !node.groups.is_empty() {
        let _ = write!(line, " [{}]", node.groups.join(", "));
    }
    line.push_str(&count(&node.properties));
    if let Some(opaque) = &node.opaque {
        let _ = write!(line, "  ({opaque})");
    }
    line
}

fn connection(connection: &ConnectionOutline) -> String {
    let ConnectionOutline { from, signal, to, method, .. } = connection;
    format!("{from} {signal} -> {to} {method}()")
}

fn count(properties: &[String]) -> String {
    match properties.len() {
        0 => String::new(),
        1 => " 1 property".to_owned(),
        count => format!(" {count} properties"),
    }
}

fn list(out: &mut String, title: &str, lines: impl Iterator<Item = String>) {
    let mut lines = lines.peekable();
    if lines.peek().is_some() {
        let _ = writeln!(out, "\n{title}:");
    }
    for line in lines {
        let _ = writeln!(out, "  {}", printable(&line));
    }
}
