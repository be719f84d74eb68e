//! The text of one section in the result.

use std::borrow::Cow;

use crate::document::{Section, TagKind};
use crate::merge::conflict::Conflicts;
use crate::merge::entries::{Both, Change, is_root_path};
use crate::merge::lists::Lists;
use crate::merge::marks;
use crate::merge::names::{Names, quoted, with_edits};
use crate::merge::side::{OURS, THEIRS};
use crate::merge::touched::Touched;
use crate::span::Span;

/// A span and its replacement.
pub(super) type Edits = Vec<(Span, Vec<u8>)>;

/// A section of ours or theirs with its edits.
#[derive(Debug)]
pub(super) struct Piece {
    pub(super) row: u32,
    /// The side of its text.
    pub(super) side: usize,
    pub(super) section: u32,
    pub(super) edits: Edits,
}

impl Piece {
    pub(super) fn new(
        names: &Names<'_, '_>,
        touched: &Touched,
        row: u32,
        conflicts: &mut Conflicts,
    ) -> Self {
        let at = names.rows.row(row);
        match at.is_in(OURS) && at.is_in(THEIRS) {
            true => Self::taking(names, touched, row, None, conflicts),
            false => Self::of_one(names, row),
        }
    }

    /// Text of ours, with all entries of theirs, or `only` the one with this key.
    pub(super) fn taking(
        names: &Names<'_, '_>,
        touched: &Touched,
        row: u32,
        only: Option<&str>,
        conflicts: &mut Conflicts,
    ) -> Self {
        let mut piece = Self::empty(names, row);
        piece.merge(names, touched, only, conflicts);
        piece
    }

    /// Text of one side alone, with the ids and paths of the result.
    pub(super) fn of_one(names: &Names<'_, '_>, row: u32) -> Self {
        let mut piece = Self::empty(names, row);
        if !names.is_identity(piece.side) || names.ids.node(row).is_some() {
            piece.rename(names);
        }
        piece
    }

    fn empty(names: &Names<'_, '_>, row: u32) -> Self {
        let at = names.rows.row(row);
        let side = at.origin();
        Self { row, side, section: at.at[side], edits: Vec::new() }
    }

    /// The section in its text.
    pub(super) fn section<'d>(&self, names: &Names<'_, 'd>) -> Section<'d> {
        names.sides[self.side].section(self.section)
    }

    fn merge(
        &mut self,
        names: &Names<'_, '_>,
        touched: &Touched,
        only: Option<&str>,
        conflicts: &mut Conflicts,
    ) {
        let row = names.rows.row(self.row);
        let ours = names.sides[OURS].section(row.at[OURS]);
        let theirs = names.sides[THEIRS].section(row.at[THEIRS]);
        let texts = [OURS, THEIRS].map(|side| names.sides[side].document.text());
        let is_equal = ours.span().of(texts[0]) == theirs.span().of(texts[1]);
        if is_equal && names.is_identity(OURS) && names.is_identity(THEIRS) {
            return;
        }
        for is_fields in [true, false] {
            let mut both =
                Both { names, touched, row: self.row, is_fields, only, lists: Lists::default() };
            let changes = both.changes(conflicts);
            for change in changes {
                self.apply(ours, texts[0], is_fields, change);
            }
        }
        self.sort();
    }

    fn apply(&mut self, section: Section<'_>, text: &[u8], is_fields: bool, change: Change) {
        match change {
            Change::Replace(entry, value) => self.edits.push((entry.value, value)),
            Change::Rename(entry, key) => self.edits.push((entry.key, key)),
            Change::Remove(entry) => {
                let span = match is_fields {
                    true => {
                        let blanks = text[..entry.key.start as usize].iter().rev();
                        let blanks = blanks.take_while(|byte| **byte <= 32).count() as u32;
                        Span::new(entry.key.start - blanks, entry.value.end)
                    }
                    false => line_of(text, section, entry.key, entry.value),
                };
                self.edits.push((span, Vec::new()));
            }
            Change::Insert { after, key, value } => {
                let at = match (after, is_fields) {
                    (Some(entry), _) => entry.value.end,
                    (None, true) => section.name_span().end,
                    (None, false) => section.tag_span().end,
                };
                let between: [&[u8]; 2] = match is_fields {
                    true => [b" ", b"="],
                    false => [b"\n", b" = "],
                };
                let new = [between[0], &key, between[1], &value].concat();
                self.edits.push((Span::empty(at), new));
            }
        }
    }

    /// A section of one side alone: it gets the ids and paths of the result.
    fn rename(&mut self, names: &Names<'_, '_>) {
        let section = self.section(names);
        let text = names.sides[self.side].document.text();
        for field in section.fields() {
            let new = match (section.kind(), field.name()) {
                (TagKind::Node, b"parent") => names.parent(self.row),
                (TagKind::Node, b"name") => names.places.get(self.row).and_then(|place| {
                    let is_other = field.text().as_deref() != Some(&*place.name);
                    is_other.then(|| quoted(&place.name))
                }),
                (TagKind::Node, b"unique_id") => {
                    names.ids.node(self.row).map(|id| id.to_string().into_bytes())
                }
                (TagKind::ExtResource | TagKind::SubResource, b"id") => {
                    names.ids.resource(self.row).map(|id| id.as_bytes().to_vec())
                }
                (kind, name) if is_root_path(kind, name) => {
                    field.text().and_then(|path| names.root_path(self.side, &path))
                }
                (_, name) if name.ends_with(b"_path") => {
                    Some(names.id_path(self.side, field.source()).into_owned())
                }
                _ => match names.value(self.side, section, field.value_span()) {
                    Cow::Owned(new) => Some(new),
                    Cow::Borrowed(_) => None,
                },
            };
            if let Some(new) = new.filter(|new| new.as_slice() != field.source()) {
                self.edits.push((field.value_span(), new));
            }
        }
        for property in section.properties() {
            let span = property.value_span();
            if let Cow::Owned(new) = names.value(self.side, section, span)
                && new.as_slice() != span.of(text)
            {
                self.edits.push((span, new));
            }
        }
        self.sort();
    }

    /// Puts the mark of a conflict into it.
    pub(super) fn mark(&mut self, names: &Names<'_, '_>, records: &[Vec<u8>]) {
        let section = self.section(names);
        let format = names.sides[OURS].format();
        marks::put(section, format, records, &mut self.edits);
        self.sort();
    }

    /// Insertions come before the text at their place, and keep their order.
    fn sort(&mut self) {
        self.edits.sort_by_key(|(span, _)| *span);
        self.edits.dedup_by(|next, edit| {
            // Two edits of one place cannot both be had.
            !next.0.is_empty() && next.0.start < edit.0.end
        });
    }

    /// Its text, with the comments above the tag.
    pub(super) fn text<'d>(&self, text: &'d [u8], range: Span) -> Cow<'d, [u8]> {
        if self.edits.is_empty() {
            return Cow::Borrowed(range.of(text));
        }
        Cow::Owned(with_edits(text, range, &self.edits))
    }
}

/// The lines of a property, if they contain nothing else, with the line end before them.
pub(super) fn line_of(text: &[u8], section: Section<'_>, key: Span, value: Span) -> Span {
    let start = key.start as usize;
    let least = section.tag_span().end as usize;
    let blanks = text[least..start].iter().rev().take_while(|byte| matches!(byte, b' ' | b'\t'));
    let line = start - blanks.count();
    let is_alone = line > least && text[line - 1] == b'\n';
    let end = value.end as usize;
    let behind = text[end..].iter().take_while(|byte| matches!(byte, b' ' | b'\t' | b'\r')).count();
    let ends_line = text.get(end + behind).is_none_or(|byte| *byte == b'\n');
    if !is_alone || !ends_line {
        return Span::new(key.start, value.end);
    }
    let is_crlf = line - 1 > least && text[line - 2] == b'\r';
    Span::new((line - 1 - usize::from(is_crlf)) as u32, value.end)
}
