//! The places that may need a change too. Where the old name is there as it is, the user can have it changed.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use godot_project::{Plan, Project};
use godot_tscn::{Edit, FileEdits, Span};

use super::places::{line_of, line_with, plain};
use crate::scene_place::PlannedPlace;

/// The change that a rename would make in the place of a doubt.
pub(super) struct PossibleEdit {
    path: String,
    text: Arc<[u8]>,
    edit: Edit,
}

/// The doubts of a plan, and for each its change if there is one. `renamed` is the old and the new name.
pub(super) fn planned_doubts(
    project: &Project,
    plan: &Plan,
    renamed: Option<&(String, String)>,
) -> (Vec<PlannedPlace>, Vec<Option<PossibleEdit>>) {
    let files: HashMap<&str, &FileEdits> =
        plan.files.iter().map(|file| (file.path.as_str(), file)).collect();
    // Doubts of one file follow each other, so that each file is read once.
    let mut last: Option<(&str, Arc<[u8]>)> = None;
    let mut edits = Vec::with_capacity(plan.doubts.len());
    let places = plan.doubts.iter().map(|doubt| {
        if last.as_ref().is_none_or(|(path, _)| *path != doubt.path) {
            let of_plan = files.get(doubt.path.as_str()).and_then(|file| file.text().cloned());
            let read = || project.file(&doubt.path).and_then(|file| project.read(file).ok());
            let text = of_plan.or_else(|| read().map(|text| text.as_ref().into()));
            last = Some((&doubt.path, text.unwrap_or_default()));
        }
        let mut place = plain(doubt);
        let text = last.as_ref().map(|(_, text)| text);
        let text = text.filter(|text| doubt.span.end as usize <= text.len());
        let edit =
            text.zip(renamed).and_then(|(text, renamed)| rename_in(text, doubt.span, renamed));
        if let Some(text) = text {
            place.before = line_of(text, doubt.span);
        }
        if let Some((text, edit)) = text.zip(edit.as_ref()) {
            place.after = line_with(text, edit.span, &edit.replacement);
        }
        edits.push(text.zip(edit).map(|(text, edit)| PossibleEdit {
            path: doubt.path.clone(),
            text: Arc::clone(text),
            edit,
        }));
        place
    });
    (places.collect(), edits)
}

/// The plan with the changes in the places of these doubts, except in places that change already.
pub(super) fn with_doubts(
    mut plan: Plan,
    possible: &[Option<PossibleEdit>],
    taken_in: &BTreeSet<usize>,
) -> Plan {
    let taken = taken_in.iter().filter_map(|number| possible.get(*number)?.as_ref());
    let mut by_file: BTreeMap<&str, Vec<&PossibleEdit>> = BTreeMap::new();
    for possible in taken {
        by_file.entry(&possible.path).or_default().push(possible);
    }
    for (path, added) in by_file {
        let number = plan.files.iter().position(|file| file.path == path);
        let mut edits = number.map_or_else(Vec::new, |number| plan.files[number].edits().to_vec());
        for PossibleEdit { edit, .. } in &added {
            if !edits.iter().any(|known| overlap(known.span, edit.span)) {
                edits.push(edit.clone());
            }
        }
        let file = FileEdits::new(path, Arc::clone(&added[0].text), edits);
        match number {
            Some(number) => plan.files[number] = file,
            None => plan.files.push(file),
        }
    }
    plan.put_in_order();
    plan
}

/// Renames the old name in the place, if the place is the name, or a text in quotes that is the name.
fn rename_in(text: &[u8], span: Span, (old, new): &(String, String)) -> Option<Edit> {
    let place = &text[span.start as usize..span.end as usize];
    let at = memchr::memmem::find(place, old.as_bytes())?;
    let is_quote = |byte: &u8| b"\"'&^".contains(byte);
    let rest = place[..at].iter().chain(&place[at + old.len()..]);
    rest.clone().all(is_quote).then(|| {
        let start = span.start + at as u32;
        Edit::replace(Span::new(start, start + old.len() as u32), new.clone())
    })
}

fn overlap(one: Span, other: Span) -> bool {
    one.start < other.end && other.start < one.end
}
