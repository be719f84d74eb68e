//! The dependencies or dependents of a file as a tree.

use std::collections::{HashMap, HashSet};

use super::{Presence, Subgraph};
use crate::terminal::printable;

/// The deepest level. Longer lines could not be read; `--graph json` has no limit.
const MAX_DEPTH: usize = 100;

/// A line that is still to be drawn.
struct Line<'p> {
    path: &'p str,
    /// The lines of the tree before the branch.
    prefix: String,
    depth: usize,
    is_last: bool,
}

/// Draws the tree from `root` on. The branches of a file are drawn once, where it occurs first.
pub(super) fn draw(graph: &Subgraph, root: &str, is_reverse: bool) -> String {
    let mut branches: HashMap<&str, Vec<&str>> = HashMap::new();
    for reference in &graph.references {
        let (from, to) = if is_reverse {
            (&reference.to, &reference.from)
        } else {
            (&reference.from, &reference.to)
        };
        branches.entry(from).or_default().push(to);
    }
    let (mut text, mut drawn) = (String::new(), HashSet::new());
    let root = Line { path: root, prefix: String::new(), depth: 0, is_last: true };
    let mut open = vec![root];
    while let Some(Line { path, prefix, depth, is_last }) = open.pop() {
        let below: &[&str] = branches.get(path).map_or(&[], Vec::as_slice);
        let remark = if below.is_empty() {
            graph.files.get(path).copied().and_then(Presence::remark)
        } else if !drawn.insert(path) {
            Some("see above")
        } else if depth == MAX_DEPTH {
            Some("more below, see --graph json")
        } else {
            None
        };
        let branch = match (depth, is_last) {
            (0, _) => "",
            (_, true) => "└── ",
            (_, false) => "├── ",
        };
        let remark = remark.map(|remark| format!("  ({remark})")).unwrap_or_default();
        let path_text = printable(path);
        text.push_str(&format!("{prefix}{branch}{path_text}{remark}\n"));
        if !remark.is_empty() {
            continue;
        }
        let prefix = match (depth, is_last) {
            (0, _) => prefix,
            (_, true) => prefix + "    ",
            (_, false) => prefix + "│   ",
        };
        for (number, path) in below.iter().enumerate().rev() {
            let is_last = number + 1 == below.len();
            open.push(Line { path, prefix: prefix.clone(), depth: depth + 1, is_last });
        }
    }
    text
}
