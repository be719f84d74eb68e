//! The nodes of a scene, and the other contents of a file, as rows. They are one list with levels, because a browser nests only
//! so deep.

use std::collections::HashSet;
use std::fmt::Write as _;

use godot_tscn::diff::{Change, Diff, ThingKind, TreeNode};

use super::escaped;
use super::value::write_entries;
use crate::counted::Counted;
use crate::output::diff_words::{Fate, entries, kinds_of, nouns};

/// Deeper rows stand as far to the right as this level.
const MAX_INDENT: u32 = 16;

/// Fewer rows without changes are not folded.
const MIN_FOLD: usize = 4;

/// The tree of nodes, then a list for each other kind of thing.
pub(super) fn write_trees(out: &mut String, diff: &Diff) {
    let shown: HashSet<u32> = diff.tree.iter().filter_map(|node| node.change).collect();
    if shown.is_empty() {
        // The nodes of a scene in which no node differs are not news.
    } else {
        out.push_str("<h3>Nodes</h3>\n<ul class=\"tree\">\n");
        write_nodes(out, diff);
        out.push_str("</ul>\n");
    }
    for kind in kinds_of(diff) {
        let rest = |(index, change): &(usize, &Change)| {
            change.kind == kind && !u32::try_from(*index).is_ok_and(|index| shown.contains(&index))
        };
        let mut changes = diff.changes.iter().enumerate().filter(rest).peekable();
        if changes.peek().is_none() {
            continue;
        }
        let _ = writeln!(out, "<h3>{}</h3>\n<ul class=\"tree\">", heading(kind));
        for (_, change) in changes {
            write_change(out, change, &change.name, 1);
        }
        out.push_str("</ul>\n");
    }
}

/// `External resources`
fn heading(kind: ThingKind) -> String {
    let (one, many) = nouns(kind);
    let words = if matches!(kind, ThingKind::Header | ThingKind::Resource) { one } else { many };
    let mut letters = words.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

fn write_nodes(out: &mut String, diff: &Diff) {
    let tree = &diff.tree;
    let is_quiet = quiet(tree);
    let mut at = 0;
    while let Some(node) = tree.get(at) {
        let end = if is_quiet[at] { fold_end(tree, &is_quiet, at) } else { at };
        if end - at >= MIN_FOLD {
            let _ = writeln!(
                out,
                "<li class=\"rest l{}\" data-l=\"{}\" data-s=\"same\"><details><summary>{} without changes</summary><ul>",
                (node.depth + 1).min(MAX_INDENT),
                node.depth + 1,
                Counted(end - at, "node"),
            );
            tree[at..end].iter().for_each(|node| write_same(out, node));
            out.push_str("</ul></details></li>\n");
            at = end;
            continue;
        }
        match node.change.and_then(|index| diff.changes.get(index as usize)) {
            Some(change) => write_change(out, change, &node.name, node.depth + 1),
            None => write_same(out, node),
        }
        at += 1;
    }
}

/// For each node: whether neither it nor a node below it differs.
fn quiet(tree: &[TreeNode]) -> Vec<bool> {
    let mut is_quiet = vec![true; tree.len()];
    // The nodes above the one that is looked at.
    let mut above: Vec<usize> = Vec::new();
    for (index, node) in tree.iter().enumerate() {
        while above.last().is_some_and(|&last| tree[last].depth >= node.depth) {
            above.pop();
        }
        above.push(index);
        if node.change.is_some() {
            // Above a node that differs, all are known already.
            for &index in above.iter().rev() {
                if !std::mem::replace(&mut is_quiet[index], false) {
                    break;
                }
            }
        }
    }
    is_quiet
}

/// Where the quiet siblings that begin at `start` end, with all that is below them.
fn fold_end(tree: &[TreeNode], is_quiet: &[bool], start: usize) -> usize {
    let depth = tree[start].depth;
    let is_part = |&index: &usize| is_quiet[index] && tree[index].depth >= depth;
    start + (start..tree.len()).take_while(is_part).count()
}

fn write_same(out: &mut String, node: &TreeNode) {
    let level = node.depth + 1;
    let _ = writeln!(
        out,
        "<li class=\"row l{}\" data-l=\"{level}\" data-s=\"same\"><div class=\"line\"><span class=\"mark\"></span> \
         <span class=\"name\">{}</span>{}</div></li>",
        level.min(MAX_INDENT),
        escaped(&node.name),
        type_name(node.type_name.as_deref()),
    );
}

fn type_name(name: Option<&str>) -> String {
    name.map_or_else(String::new, |name| format!(" <span class=\"type\">{}</span>", escaped(name)))
}

/// A row that differs, with its differences.
fn write_change(out: &mut String, change: &Change, name: &str, level: u32) {
    let fate = Fate::of(change);
    let (mark, filter) = match fate {
        Fate::Added => ("+", "added"),
        Fate::Removed => ("−", "removed"),
        Fate::Moved | Fate::Renamed | Fate::Changed => ("~", "changed"),
    };
    let line = match (change.old_line, change.new_line) {
        (_, Some(line)) | (Some(line), None) => format!(" <span class=\"at\">line {line}</span>"),
        (None, None) => String::new(),
    };
    let old =
        change.old_name.as_ref().map_or_else(String::new, |old| format!(", was {}", escaped(old)));
    let _ = write!(
        out,
        "<li class=\"row {word} l{}\" data-l=\"{level}\" data-s=\"{filter}\"><div class=\"line\" title=\"{}\">\
         <span class=\"mark\" aria-hidden=\"true\">{mark}</span> <span class=\"name\">{}</span>{} \
         <span class=\"what\">{word}{old}</span>{line}</div>",
        level.min(MAX_INDENT),
        escaped(&change.name),
        escaped(name),
        type_name(change.type_name.as_deref()),
        word = fate.word(),
    );
    let entries: Vec<_> = entries(change).collect();
    if !entries.is_empty() {
        // A thing that was added or removed as a whole is not compared.
        let is_open = !matches!(fate, Fate::Added | Fate::Removed);
        write_entries(out, &entries, is_open);
    }
    out.push_str("</li>\n");
}
