//! The steps of a merge, one after the other.

use hashbrown::{HashMap, HashSet};

use crate::diagnostic::Severity;
use crate::document::{Document, Section, TagKind};
use crate::line_index::LineIndex;
use crate::lint::lint_unsuppressed;
use crate::merge::Merged;
use crate::merge::alive;
use crate::merge::conflict::{Conflicts, Item};
use crate::merge::ids::Ids;
use crate::merge::marks;
use crate::merge::names::Names;
use crate::merge::new_kinds;
use crate::merge::order;
use crate::merge::output::Output;
use crate::merge::piece::Piece;
use crate::merge::places::{Places, place_in};
use crate::merge::refusal::{MergeRefusal, MergeSide};
use crate::merge::report;
use crate::merge::rows::{Row, Rows};
use crate::merge::side::{BASE, NONE, OURS, Side, THEIRS, is_own_node};
use crate::merge::touched::Touched;
use crate::merge::tree::Positions;
use crate::merge::twice;
use crate::model::section_order::stays_in_place;
use crate::options::LintOptions;
use crate::syntax;

/// Merges texts that differ.
pub(super) fn merge(texts: [&[u8]; 3]) -> Result<Merged, MergeRefusal> {
    let documents = texts.map(syntax::parse);
    for (document, side) in documents.iter().zip(MergeSide::ALL) {
        check(document, side)?;
        check_ids(document, side)?;
    }
    let [base, ours, theirs] = &documents;
    let sides = [Side::new(base), Side::new(ours), Side::new(theirs)];
    check_kinds(&sides)?;
    let rows = Rows::new(&sides);
    let mut conflicts = Conflicts::default();
    let mut places = Places::new(&sides, &rows, &mut conflicts);
    let ids = Ids::new(&sides, &rows);
    let is_alive = {
        let names = Names::new(&sides, &rows, &ids, &places);
        let touched = Touched::new(&names);
        alive::find(&names, &touched, &mut conflicts)
    };
    rename_twins(&sides, &rows, &is_alive, &mut places, &mut conflicts);
    let names = Names::new(&sides, &rows, &ids, &places);
    let touched = Touched::new(&names);
    let mut pieces = Vec::new();
    for (index, row) in rows.rows.iter().enumerate() {
        let is_resource = matches!(row.kind, TagKind::ExtResource | TagKind::SubResource);
        if (row.is_in(OURS) || row.is_in(THEIRS)) && (is_resource || is_alive[index]) {
            pieces.push(Piece::new(&names, &touched, index as u32, &mut conflicts));
        }
    }
    let nodes = order::nodes(&names, &is_alive, &mut conflicts, |_| true);
    report::fill(&names, &mut conflicts);
    conflicts.forget_gone();
    mark(&names, &mut pieces, &conflicts);
    let output = Output::new(&names, &pieces, is_alive, Row::is_left);
    let text = output.write(nodes).ok_or(MergeRefusal::Circle)?;
    let mut merged = report::merged(&names, &conflicts, text);
    merged.notes.extend(new_kinds::notes(&names));
    merged.notes.extend(twice::notes(&names));
    merged.notes.extend(report::left_comments(&names, &merged.text));
    merged.conflicts.extend(report::new_errors(texts, &merged.text));
    Ok(merged)
}

/// Refuses text that Godot cannot read, and text that is neither a scene nor a resource.
pub(crate) fn check(document: &Document<'_>, side: MergeSide) -> Result<(), MergeRefusal> {
    let error = document.errors().iter().find(|error| !stays_in_place(error.kind));
    let is_empty = document.text().trim_ascii().is_empty();
    if is_empty && side == MergeSide::Base {
        return Ok(());
    }
    if let Some(error) = error {
        let line = LineIndex::new(document.text()).position(error.span.start).line;
        let errors = lint_unsuppressed(document, &LintOptions::default(), |_| true).diagnostics;
        let worst = errors.into_iter().filter(|each| each.severity == Severity::Error);
        let found = worst.min_by_key(|each| each.span.start.abs_diff(error.span.start));
        let reason = found.map_or_else(|| "a syntax error".into(), |found| found.message);
        return Err(MergeRefusal::Broken { side, line, reason });
    }
    let header = document.sections().next().map(Section::kind);
    if !matches!(header, Some(TagKind::GdScene | TagKind::GdResource)) {
        return Err(MergeRefusal::NotScene(side));
    }
    let is_strange =
        |section: &Section<'_>| matches!(section.kind(), TagKind::Unknown | TagKind::Nested);
    document.sections().find(is_strange).map_or(Ok(()), |section| {
        let line = LineIndex::new(document.text()).position(section.tag_span().start).line;
        let tag = String::from_utf8_lossy(section.name()).into_owned();
        let is_nested = section.kind() == TagKind::Nested;
        Err(MergeRefusal::Tag { side, line, tag, is_nested })
    })
}

pub(super) fn check_ids(document: &Document<'_>, side: MergeSide) -> Result<(), MergeRefusal> {
    let mut known = HashSet::new();
    for section in document.sections() {
        let (TagKind::ExtResource | TagKind::SubResource) = section.kind() else { continue };
        let Some(id) = section.field_text("id") else { continue };
        if !known.insert((section.kind(), id.clone())) {
            let line = LineIndex::new(document.text()).position(section.span().start).line;
            let id = String::from_utf8_lossy(&id).into_owned();
            return Err(MergeRefusal::DoubleId { side, line, id });
        }
    }
    Ok(())
}

pub(super) fn check_kinds(sides: &[Side<'_>; 3]) -> Result<(), MergeRefusal> {
    let kind = |side: &Side<'_>| Some(side.document.sections().next()?.kind());
    let kinds: Vec<_> = sides.iter().filter_map(kind).collect();
    // Both sides may have brought a file of Godot 3 to Godot 4.
    let is_of_one_format = (sides[OURS].format() > 2) == (sides[THEIRS].format() > 2);
    match is_of_one_format && kinds.windows(2).all(|pair| pair[0] == pair[1]) {
        true => Ok(()),
        false => Err(MergeRefusal::Different),
    }
}

/// Two nodes of one name, below one parent: that of theirs gets another.
fn rename_twins(
    sides: &[Side<'_>; 3],
    rows: &Rows,
    is_alive: &[bool],
    places: &mut Places<'_>,
    conflicts: &mut Conflicts,
) {
    let mut first: HashMap<(u32, Vec<u8>, Vec<u8>), u32> = HashMap::new();
    let mut twins = Vec::new();
    let nodes = |side: usize| {
        let nodes = sides[side].tree.nodes.iter();
        nodes.map(move |node| (rows.of[side][node.section as usize], side))
    };
    let mut seen = vec![false; rows.rows.len()];
    // Those of ours first, so that they keep their names.
    for (row, _) in nodes(OURS).chain(nodes(THEIRS)) {
        if !is_alive[row as usize] || std::mem::replace(&mut seen[row as usize], true) {
            continue;
        }
        let Some(place) = places.get(row) else { continue };
        let key = (place.parent, place.rest.clone(), place.name.to_vec());
        let other = *first.entry(key).or_insert(row);
        if other != row {
            twins.push((row, other));
        }
    }
    for (row, other) in twins {
        // Texts that had such nodes before keep them.
        let was = |row: u32, side: usize| place_in(sides, rows, row, side);
        let had_both = |side: usize| was(row, side).is_some() && was(row, side) == was(other, side);
        if [BASE, OURS, THEIRS].into_iter().any(had_both) {
            continue;
        }
        // The node that has its name from ours keeps it.
        let is_of_ours = |row: u32| was(row, OURS).as_ref() == places.get(row);
        let swap = is_of_ours(row) && !is_of_ours(other);
        let (row, other) = if swap { (other, row) } else { (row, other) };
        let Some(place) = places.get(row).cloned() else { continue };
        let at = rows.row(row);
        if !at.is_in(THEIRS) || !is_own_node(sides[THEIRS].section(at.at[THEIRS])) {
            continue;
        }
        let is_free =
            |name: &Vec<u8>| !first.contains_key(&(place.parent, place.rest.clone(), name.clone()));
        let ours = was(row, OURS).filter(|ours| {
            (ours.parent, &ours.rest) == (place.parent, &place.rest) && is_free(&ours.name.to_vec())
        });
        if let Some(ours) = ours {
            let name = ours.name.into_owned();
            first.insert((place.parent, place.rest.clone(), name.clone()), row);
            for node in [other, row] {
                if rows.row(node).is_in(THEIRS) {
                    conflicts.add(node, Item::Field("name".to_owned()));
                }
            }
            places.rename(row, name);
            continue;
        }
        let mut names =
            (2_u32..).map(|number| [&*place.name, number.to_string().as_bytes()].concat());
        let Some(name) = names.find(is_free) else { continue };
        first.insert((place.parent, place.rest.clone(), name.clone()), row);
        let was = String::from_utf8_lossy(&place.name).into_owned();
        conflicts.add(row, Item::Name(was));
        places.rename(row, name);
    }
}

/// Puts each conflict into the metadata of its subject, or of the root.
fn mark(names: &Names<'_, '_>, pieces: &mut [Piece], conflicts: &Conflicts) {
    if conflicts.found.is_empty() {
        return;
    }
    let mut piece_of = vec![NONE; names.rows.rows.len()];
    for (index, piece) in pieces.iter().enumerate() {
        piece_of[piece.row as usize] = index as u32;
    }
    let is_main = |piece: &&Piece| {
        let row = names.rows.row(piece.row);
        match row.kind {
            TagKind::Resource => true,
            TagKind::Node => names.places.above(piece.row).is_none(),
            _ => false,
        }
    };
    let main = pieces.iter().find(is_main).map(|piece| piece.row);
    let mut records: HashMap<u32, Vec<Vec<u8>>> = HashMap::new();
    let mut order = Vec::new();
    for found in &conflicts.found {
        let kind = names.rows.row(found.row).kind;
        let has_piece = piece_of[found.row as usize] != NONE;
        let (row, record) = if marks::takes_metadata(kind) && has_piece {
            (found.row, marks::record(found, None))
        } else if let Some(main) = main {
            (main, marks::record(found, Some(&report::place(names, found.row))))
        } else {
            continue;
        };
        let list = records.entry(row).or_insert_with(|| {
            order.push(row);
            Vec::new()
        });
        list.push(record);
    }
    for row in order {
        let piece = &mut pieces[piece_of[row as usize] as usize];
        piece.mark(names, &records[&row]);
    }
}
