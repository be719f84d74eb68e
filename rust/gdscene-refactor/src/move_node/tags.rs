//! The tags of the node and of those below it go to another place in the text: Godot adds children in that order.

use godot_project::SceneContext;
use godot_tscn::{Document, Edit, EditSet, Span, TagKind};

use crate::draft::FileDraft;
use crate::move_node::Move;
use crate::node_change::joined;

/// Where the tags go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Goal {
    Before(u32),
    Behind(u32),
}

/// Moves the tags. Other changes in them move along.
pub(super) fn change(moved: &Move<'_>, context: &SceneContext<'_>, draft: &mut FileDraft) {
    let tree = context.tree();
    let sections = |tags: Vec<u32>| -> Vec<u32> {
        tags.into_iter().map(|tag| tree.tags()[tag as usize].section).collect()
    };
    let own = sections(tree.tags_at_and_below(&joined(moved.old)));
    let goal = match moved.next {
        Some(next) => Goal::Before(next),
        None => {
            // The parent, or the nearest node above it that has a tag.
            let mut above = moved.new_parent;
            let last = loop {
                let family = sections(tree.tags_at_and_below(&joined(above)));
                let others =
                    family.into_iter().filter(|section| own.binary_search(section).is_err());
                if let Some(last) = others.max() {
                    break last;
                }
                let Some((_, higher)) = above.split_last() else { return };
                above = higher;
            };
            Goal::Behind(last)
        }
    };
    let runs = runs(&own);
    let is_there = match (runs.as_slice(), goal) {
        ([(first, _)], Goal::Behind(last)) => last + 1 == *first,
        ([(_, last)], Goal::Before(next)) => last + 1 == next,
        _ => false,
    };
    if !is_there {
        put(context.document, &runs, goal, draft);
    }
}

/// The first and last section of each run of sections without others between them.
fn runs(sections: &[u32]) -> Vec<(u32, u32)> {
    let mut runs: Vec<(u32, u32)> = Vec::new();
    for section in sections {
        match runs.last_mut() {
            Some((_, last)) if *last + 1 == *section => *last = *section,
            _ => runs.push((*section, *section)),
        }
    }
    runs
}

fn put(document: &Document<'_>, runs: &[(u32, u32)], goal: Goal, draft: &mut FileDraft) {
    let count = document.sections().len() as u32;
    let text = std::sync::Arc::clone(&draft.text);
    let mut blocks: Vec<String> = Vec::new();
    let mut gap = String::new();
    for (first, last) in runs {
        let block = Span::new(
            document.section(*first).tag_span().start,
            document.section(*last).span().end,
        );
        blocks.push(take(block, draft));
        // With the blank lines that follow, or at the end of the text with those before.
        let removed = if *last + 1 < count {
            let blanks = blanks_after(&text, block.end);
            Span::new(block.start, block.end + blanks)
        } else {
            Span::new(block.start - blanks_before(&text, block.start), block.end)
        };
        let blanks = [removed.start..block.start, block.end..removed.end];
        let blanks: Vec<u8> = blanks
            .into_iter()
            .flat_map(|range| &text[range.start as usize..range.end as usize])
            .copied()
            .collect();
        if gap.is_empty() {
            gap = String::from_utf8(blanks).unwrap_or_default();
        }
        draft.edit(
            removed,
            "",
            "tags of the node and its child nodes, which move to another place",
        );
    }
    if !gap.contains('\n') {
        gap = "\n\n".to_owned();
    }
    let blocks = blocks.join(&gap);
    let what = "new place of the tags";
    match goal {
        Goal::Before(next) => {
            let at = document.section(next).tag_span().start;
            draft.edit(Span::empty(at), blocks + &gap, what);
        }
        Goal::Behind(last) => {
            let at = document.section(last).span().end;
            draft.edit(Span::empty(at), gap + &blocks, what);
        }
    }
    debug_assert!(document.section(runs[0].0).kind() == TagKind::Node);
}

/// Takes the edits inside a part of the text out of the draft. Returns the part with them.
fn take(block: Span, draft: &mut FileDraft) -> String {
    let mut edits: Vec<Edit> = Vec::new();
    draft.edits.retain(|span, (replacement, _)| {
        let is_inside = block.contains(*span);
        if is_inside {
            let span = Span::new(span.start - block.start, span.end - block.start);
            edits.push(Edit::replace(span, replacement.clone()));
        }
        !is_inside
    });
    let mut set = EditSet::default();
    set.add(&edits);
    String::from_utf8_lossy(&set.apply(block.of(&draft.text))).into_owned()
}

fn blanks_after(text: &[u8], at: u32) -> u32 {
    text[at as usize..].iter().take_while(|byte| byte.is_ascii_whitespace()).count() as u32
}

fn blanks_before(text: &[u8], at: u32) -> u32 {
    text[..at as usize].iter().rev().take_while(|byte| byte.is_ascii_whitespace()).count() as u32
}
