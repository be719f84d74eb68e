//! The differences between two scenes or resources.

use hashbrown::HashMap;

use crate::diff::noise::{self, Tally};
use crate::diff::order;
use crate::diff::things::Things;
use crate::diff::{Diff, DiffRefusal};
use crate::document::{Document, Section, TagKind};
use crate::merge::MergeSide;
use crate::merge::conflict::Conflicts;
use crate::merge::ids::Ids;
use crate::merge::names::Names;
use crate::merge::places::Places;
use crate::merge::rows::Rows;
use crate::merge::side::{BASE, Side, THEIRS};
use crate::merge::work::check;
use crate::syntax;

/// The two texts in lists of three, as a merge has them.
pub(super) const OLD: usize = BASE;
pub(super) const NEW: usize = THEIRS;

pub(super) fn diff([old, new]: [&[u8]; 2]) -> Result<Diff, DiffRefusal> {
    let [old, new] = [old, new].map(syntax::parse);
    for (document, side) in [(&old, MergeSide::Base), (&new, MergeSide::Theirs)] {
        if !document.text().trim_ascii().is_empty() {
            check(document, side)?;
        }
    }
    let kind = |document: &Document<'_>| document.sections().next().map(Section::kind);
    if let (Some(of_old), Some(of_new)) = (kind(&old), kind(&new))
        && of_old != of_new
    {
        return Err(DiffRefusal::Different);
    }
    let sides = [Side::new(&old), Side::new(&old), Side::new(&new)];
    let rows = Rows::of_two(&sides);
    // Only one text has changed, so there are none.
    let places = Places::new(&sides, &rows, &mut Conflicts::default());
    let ids = Ids::new(&sides, &rows);
    let names = Names::new(&sides, &rows, &ids, &places);
    let mut tally = Tally::default();
    count_noise(&names, &mut tally);
    let mut children = order::children(&names);
    let mut things = Things::new(&names, tally);
    let mut changes = Vec::new();
    let mut change_of: HashMap<u32, u32> = HashMap::new();
    for row in order::rows(&names) {
        let own_order = children.remove(&row).unwrap_or_default();
        if let Some(change) = things.change(row, own_order) {
            change_of.insert(row, changes.len() as u32);
            changes.push(change);
        }
    }
    let tree = order::tree(&names, &change_of);
    Ok(Diff { changes, tree, noise: things.into_tally().into_noise() })
}

/// Differences outside the properties of one thing: ids, the order of sections, comments.
fn count_noise(names: &Names<'_, '_>, tally: &mut Tally) {
    let both = |kind: TagKind| {
        let rows = names.rows.rows.iter();
        rows.filter(move |row| row.kind == kind && row.is_in(OLD) && row.is_in(NEW))
    };
    for kind in [TagKind::ExtResource, TagKind::SubResource] {
        let id = |side: usize, section: u32| names.sides[side].section(section).field_text("id");
        let is_other =
            |row: &&crate::merge::rows::Row| id(OLD, row.at[OLD]) != id(NEW, row.at[NEW]);
        tally.add(noise::IDS, both(kind).filter(is_other).count());
    }
    for (kind, what) in [
        (TagKind::ExtResource, noise::ORDER_OF_RESOURCES),
        (TagKind::SubResource, noise::ORDER_OF_RESOURCES),
        (TagKind::Connection, noise::ORDER_OF_CONNECTIONS),
        (TagKind::Editable, noise::ORDER_OF_SECTIONS),
    ] {
        let places = both(kind).map(|row| (row.at[OLD] as usize, row.at[NEW] as usize)).collect();
        tally.add(what, order::moved(places).len());
    }
    tally
        .add(noise::COMMENTS, other_comments(names.sides[OLD].document, names.sides[NEW].document));
}

/// How many comments only one of the texts has. Godot keeps none.
pub(super) fn other_comments(old: &Document<'_>, new: &Document<'_>) -> usize {
    let mut counts: HashMap<&[u8], i64> = HashMap::new();
    for (document, step) in [(old, 1), (new, -1)] {
        for span in document.comments() {
            *counts.entry(span.of(document.text()).trim_ascii()).or_default() += step;
        }
    }
    counts.values().map(|count| count.unsigned_abs() as usize).sum()
}
