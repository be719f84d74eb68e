//! The sections of the result: the used resources, the places, and the text between them.

use std::borrow::Cow;

use hashbrown::HashMap;

use crate::document::{Document, Field, ReferenceKind, TagKind};
use crate::merge::names::Names;
use crate::merge::order;
use crate::merge::piece::Piece;
use crate::merge::rows::Row;
use crate::merge::side::{NONE, OURS, Side};
use crate::model::section_order::{gap, pieces};
use crate::span::Span;

/// The pieces of the result and their texts.
pub(super) struct Output<'m, 'd> {
    names: &'m Names<'m, 'd>,
    /// For each row, its text; nothing if it has none.
    texts: Vec<Option<Cow<'d, [u8]>>>,
    /// For each row, the resources that it uses.
    uses: Vec<Vec<u32>>,
    /// For each row, its section in ours.
    is_alive: Vec<bool>,
    ranges_of_ours: Vec<Span>,
}

impl<'m, 'd> Output<'m, 'd> {
    /// `is_needed` says which resources are there whether something uses them or not.
    pub(super) fn new(
        names: &'m Names<'m, 'd>,
        list: &[Piece],
        is_alive: Vec<bool>,
        is_needed: impl Fn(&Row) -> bool,
    ) -> Self {
        let count = names.rows.rows.len();
        let mut output = Self {
            names,
            texts: vec![None; count],
            uses: vec![Vec::new(); count],
            is_alive,
            ranges_of_ours: Vec::new(),
        };
        let ranges = [0, 1, 2].map(|side| ranges(&names.sides[side]));
        let by_id = output.ids();
        for piece in list {
            let text = names.sides[piece.side].document.text();
            let range = ranges[piece.side][piece.section as usize];
            let written = piece.text(text, range);
            output.uses[piece.row as usize] = match written {
                Cow::Borrowed(_) => used_by(names, piece),
                Cow::Owned(ref text) => used_in(text, &by_id),
            };
            output.texts[piece.row as usize] = Some(written);
        }
        output.ranges_of_ours = { ranges }[OURS].drain(..).collect();
        output.choose_resources(is_needed);
        output
    }

    /// The rows of the resources, by kind and id in the result.
    fn ids(&self) -> HashMap<(TagKind, Vec<u8>), u32> {
        let mut ids = HashMap::new();
        for (index, row) in self.names.rows.rows.iter().enumerate() {
            if let Some(id) = self.names.ids.resource(index as u32) {
                let id = id.trim_matches('"').as_bytes().to_vec();
                ids.entry((row.kind, id)).or_insert(index as u32);
            }
        }
        ids
    }

    /// A resource that is not needed stays if something uses it still.
    fn choose_resources(&mut self, is_needed: impl Fn(&Row) -> bool) {
        let is_resource =
            |kind: TagKind| matches!(kind, TagKind::ExtResource | TagKind::SubResource);
        let rows = &self.names.rows.rows;
        let mut open: Vec<u32> = Vec::new();
        for (index, row) in rows.iter().enumerate() {
            if self.texts[index].is_none() {
                self.is_alive[index] = false;
            } else if is_resource(row.kind) {
                self.is_alive[index] = is_needed(row);
            }
            if self.is_alive[index] {
                open.push(index as u32);
            }
        }
        while let Some(row) = open.pop() {
            for used in &self.uses[row as usize] {
                if !self.is_alive[*used as usize] && self.texts[*used as usize].is_some() {
                    self.is_alive[*used as usize] = true;
                    open.push(*used);
                }
            }
        }
    }

    /// The result; nothing if resources use each other in a circle.
    pub(super) fn write(&self, nodes: Vec<u32>) -> Option<Vec<u8>> {
        let order = self.order(nodes)?;
        let document = self.names.sides[OURS].document;
        let text = document.text();
        let mut written = Vec::with_capacity(text.len() + 4096);
        let start = self.ranges_of_ours.first().map_or(0, |range| range.start as usize);
        written.extend_from_slice(&text[..start]);
        let load_steps = self.new_load_steps(&order);
        for (place, row) in order.iter().enumerate() {
            if place > 0 {
                written.extend_from_slice(&self.gap(order[place - 1], *row));
            }
            let section = self.texts[*row as usize].as_deref().unwrap_or_default();
            match (&load_steps, place) {
                (Some((span, steps)), 0) => {
                    written.extend_from_slice(&with_load_steps(section, *span, steps));
                }
                _ => written.extend_from_slice(section),
            }
        }
        let end = self.ranges_of_ours.last().map_or(text.len(), |range| range.end as usize);
        written.extend_from_slice(&text[end..]);
        if !written.ends_with(b"\n") && text[end..].is_empty() && self.is_longer(&order) {
            written.push(b'\n');
        }
        Some(written)
    }

    /// Whether the last section is not that of ours.
    fn is_longer(&self, order: &[u32]) -> bool {
        let last = order.last().map(|row| self.names.rows.row(*row).at[OURS]);
        last.is_some_and(|last| last as usize + 1 != self.ranges_of_ours.len())
    }

    fn order(&self, nodes: Vec<u32>) -> Option<Vec<u32>> {
        let listed = |kind| order::listed(self.names, kind, &self.is_alive);
        let subs = order::used_first(&listed(TagKind::SubResource), &self.uses)?;
        let order: Vec<u32> = [
            listed(TagKind::GdScene),
            listed(TagKind::GdResource),
            listed(TagKind::ExtResource),
            subs,
            listed(TagKind::Resource),
            nodes,
            listed(TagKind::Connection),
            listed(TagKind::Editable),
        ]
        .concat();
        // Where nothing came or went, the order of ours stays, whatever it is.
        let mut of_ours: Vec<u32> = self.names.rows.of[OURS].clone();
        let is_as_ours = of_ours.len() == order.len() && {
            let mut sorted = order.clone();
            sorted.sort_unstable();
            let mut rows = of_ours.clone();
            rows.sort_unstable();
            sorted == rows
        };
        if is_as_ours && self.keeps_order(&order, &of_ours) {
            return Some(std::mem::take(&mut of_ours));
        }
        Some(order)
    }

    /// Whether things of one kind have the same order in both lists.
    fn keeps_order(&self, one: &[u32], other: &[u32]) -> bool {
        let of_kind = |list: &[u32], kind: TagKind| -> Vec<u32> {
            list.iter().copied().filter(|row| self.names.rows.row(*row).kind == kind).collect()
        };
        [TagKind::ExtResource, TagKind::SubResource, TagKind::Node, TagKind::Connection]
            .into_iter()
            .all(|kind| of_kind(one, kind) == of_kind(other, kind))
    }

    /// The text between two sections: that of ours, or Godot's.
    fn gap(&self, before: u32, behind: u32) -> Vec<u8> {
        let rows = [before, behind].map(|row| self.names.rows.row(row));
        let [before, behind] = rows.map(|row| row.at[OURS]);
        if before != NONE && behind != NONE && before + 1 == behind {
            let start = self.ranges_of_ours[before as usize].end as usize;
            let end = self.ranges_of_ours[behind as usize].start as usize;
            return self.names.sides[OURS].document.text()[start..end].to_vec();
        }
        gap(rows.map(|row| row.kind)).to_vec()
    }

    /// The number of resources in the header, where ours has it and it is another now.
    fn new_load_steps(&self, order: &[u32]) -> Option<(Span, String)> {
        let header = self.names.rows.row(*order.first()?);
        let section = self.names.sides[OURS].document.sections().next()?;
        let field = section.field("load_steps")?;
        let count = |rows: &mut dyn Iterator<Item = u32>| {
            rows.filter(|row| {
                let kind = self.names.rows.row(*row).kind;
                matches!(kind, TagKind::ExtResource | TagKind::SubResource)
            })
            .count()
        };
        let now = count(&mut order.iter().copied());
        let was = count(&mut self.names.rows.of[OURS].iter().copied());
        if now == was || header.at[OURS] != 0 {
            return None;
        }
        let _ = field.int()?;
        Some((field.value_span(), (now + 1).to_string()))
    }
}

/// The header with another number of resources. Its other fields may have changed, so it is searched again.
fn with_load_steps(header: &[u8], _: Span, steps: &str) -> Vec<u8> {
    let document = crate::parse(header);
    let field = document.sections().next().and_then(|section| section.field("load_steps"));
    let Some(span) = field.map(Field::value_span) else { return header.to_vec() };
    [&header[..span.start as usize], steps.as_bytes(), &header[span.end as usize..]].concat()
}

fn ranges(side: &Side<'_>) -> Vec<Span> {
    let pieces = pieces(side.document).into_iter();
    pieces.map(|range| Span::new(range.start as u32, range.end as u32)).collect()
}

/// The resources that a section with unchanged text uses.
fn used_by(names: &Names<'_, '_>, piece: &Piece) -> Vec<u32> {
    let side = &names.sides[piece.side];
    let references = piece.section(names).references().iter();
    references
        .filter_map(|reference| side.target(reference))
        .map(|section| names.rows.of[piece.side][section as usize])
        .collect()
}

/// The resources that a new text of a section uses.
fn used_in(text: &[u8], by_id: &HashMap<(TagKind, Vec<u8>), u32>) -> Vec<u32> {
    let document: Document<'_> = crate::parse(text);
    let used = document.references().iter().filter_map(|reference| {
        let kind = match reference.kind {
            ReferenceKind::ExtResource => TagKind::ExtResource,
            ReferenceKind::SubResource => TagKind::SubResource,
            ReferenceKind::Resource => return None,
        };
        by_id.get(&(kind, document.target(reference).into_owned())).copied()
    });
    used.collect()
}
