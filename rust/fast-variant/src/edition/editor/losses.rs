//! The losses of a save, for `SceneLoss`.

use std::time::{Duration, Instant};

use godot::builtin::{GString, PackedByteArray, PackedStringArray};
use godot_tscn::{Document, Edited, EditedKind, LineIndex, Loss};
use similar::{Algorithm, DiffOp, capture_diff_slices_deadline};

use crate::scene_loss::FoundLoss;
use crate::threads::Thread;

/// A value is shown with at most this number of characters.
const MAX_VALUE_LEN: usize = 60;

/// For this time, the nearest rows are searched; after that, rows that are found soon.
const DIFF_DEADLINE: Duration = Duration::from_millis(500);

pub(crate) fn lost(before: &PackedByteArray, after: &PackedByteArray) -> Vec<FoundLoss> {
    losses(before.as_slice(), after.as_slice())
}

pub(crate) fn lost_in_background(
    before: &PackedByteArray,
    after: &PackedByteArray,
) -> Option<Thread<Vec<FoundLoss>>> {
    let (before, after) = (before.to_vec(), after.to_vec());
    Thread::named("scene loss job", move || losses(&before, &after))
}

/// `place` is the line and the column.
pub(crate) fn property_at(text: &PackedByteArray, place: (i64, i64)) -> Option<FoundLoss> {
    let document = godot_tscn::parse(text.as_slice());
    let loss = loss_at(&document, place)?;
    Some(found(loss, &LineIndex::new(text.as_slice()), text.as_slice()))
}

/// `place` is the line and the column.
pub(crate) fn value_resource(text: &PackedByteArray, place: (i64, i64)) -> PackedByteArray {
    let document = godot_tscn::parse(text.as_slice());
    let resource = loss_at(&document, place)
        .and_then(|loss| godot_tscn::value_resource(&document, loss.value));
    resource.map_or_else(PackedByteArray::new, Into::into)
}

pub(crate) fn edits(before: &PackedByteArray, after: &PackedByteArray) -> Vec<String> {
    let (before, after) =
        (godot_tscn::parse(before.as_slice()), godot_tscn::parse(after.as_slice()));
    godot_tscn::edits(&before, &after).iter().map(|edit| described(edit, after.text())).collect()
}

pub(crate) fn side_by_side(before: &PackedByteArray, after: &PackedByteArray) -> Vec<i32> {
    let (before, after) = (lines(before.as_slice()), lines(after.as_slice()));
    let deadline = Instant::now() + DIFF_DEADLINE;
    let steps = capture_diff_slices_deadline(Algorithm::Myers, &before, &after, Some(deadline));
    steps.iter().flat_map(rows).collect()
}

pub(crate) fn nearest(name: &str, names: &PackedStringArray) -> GString {
    let names: Vec<_> = names.as_slice().iter().map(ToString::to_string).collect();
    let found = godot_tscn::nearest(name.as_bytes(), names.iter().map(String::as_bytes));
    found.map_or_else(GString::new, |found| GString::from(&*String::from_utf8_lossy(found)))
}

fn losses(before: &[u8], after: &[u8]) -> Vec<FoundLoss> {
    let losses = godot_tscn::lost(&godot_tscn::parse(before), &godot_tscn::parse(after));
    if losses.is_empty() {
        return Vec::new();
    }
    let lines = LineIndex::new(before);
    losses.into_iter().map(|loss| found(loss, &lines, before)).collect()
}

fn found(loss: Loss, lines: &LineIndex<'_>, text: &[u8]) -> FoundLoss {
    let start = lines.position(loss.span.start);
    let end = loss.span.end.max(loss.value.end).saturating_sub(1);
    FoundLoss {
        value: String::from_utf8_lossy(loss.value.of(text)).into_owned(),
        place: (i64::from(start.line), i64::from(start.column)),
        last_line: i64::from(lines.position(end).line),
        loss,
    }
}

fn loss_at(document: &Document<'_>, (line, column): (i64, i64)) -> Option<Loss> {
    let text = document.text();
    let line = usize::try_from(line).ok()?.checked_sub(1)?;
    let column = usize::try_from(column).ok()?.checked_sub(1)?;
    let start: usize =
        text.split_inclusive(|byte| *byte == b'\n').take(line).map(<[u8]>::len).sum();
    let rest = String::from_utf8_lossy(text.get(start..)?);
    let inside: usize = rest.chars().take(column).map(char::len_utf8).sum();
    godot_tscn::property_at(document, (start + inside) as u32)
}

fn described(edit: &Edited, after: &[u8]) -> String {
    let node = edit.node_path.as_deref().unwrap_or_default();
    match &edit.kind {
        EditedKind::Property { name, sub_resource, value } => {
            let value = shortened(&String::from_utf8_lossy(value.of(after)));
            match sub_resource.as_deref().unwrap_or(node) {
                "" | "." => format!("{name} = {value}"),
                owner => format!("{owner}: {name} = {value}"),
            }
        }
        EditedKind::NodeAdded => format!("the node {node}"),
        EditedKind::NodeRemoved => format!("that the node {node} is gone"),
        EditedKind::Connection { signal } => format!("the connection of {signal} from {node}"),
    }
}

/// In one line.
fn shortened(value: &str) -> String {
    let mut line: String = value.split_whitespace().collect::<Vec<_>>().join(" ");
    if let Some((end, _)) = line.char_indices().nth(MAX_VALUE_LEN) {
        line.truncate(end);
        line.push('…');
    }
    line
}

/// Without their ends, which Godot writes in its own way.
fn lines(text: &[u8]) -> Vec<&[u8]> {
    let end = |line: &'_ [u8]| line.len() - usize::from(line.ends_with(b"\r"));
    text.split(|byte| *byte == b'\n').map(|line| &line[..end(line)]).collect()
}

/// The lines next to each other, before and after.
fn rows(step: &DiffOp) -> Vec<i32> {
    let (before, after) = (step.old_range(), step.new_range());
    let number = |range: &std::ops::Range<usize>, row: usize| {
        if row < range.len() { (range.start + row + 1) as i32 } else { 0 }
    };
    (0..before.len().max(after.len()))
        .flat_map(|row| [number(&before, row), number(&after, row)])
        .collect()
}
