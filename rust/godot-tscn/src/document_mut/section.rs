//! A section in pieces. Put end to end, in the order of the fields here, they are its text.

use std::borrow::Cow;

use super::SectionId;
use super::piece::Piece;
use crate::decode;
use crate::document::TagKind;

#[derive(Clone, Debug)]
pub(super) struct SectionMut {
    pub(super) kind: TagKind,
    pub(super) is_removed: bool,
    pub(super) previous: Option<SectionId>,
    pub(super) next: Option<SectionId>,
    /// Blank lines and comments.
    pub(super) lead: Piece,
    /// `[node`
    pub(super) open: Piece,
    pub(super) fields: Vec<FieldMut>,
    /// `]`, and the rest of its line.
    pub(super) close: Piece,
    pub(super) properties: Vec<PropertyMut>,
}

#[derive(Clone, Debug)]
pub(super) struct FieldMut {
    pub(super) lead: Piece,
    pub(super) name: Piece,
    /// `=`
    pub(super) assign: Piece,
    pub(super) value: Piece,
}

#[derive(Clone, Debug)]
pub(super) struct PropertyMut {
    /// Comments and blank lines.
    pub(super) lead: Piece,
    /// As it is written.
    pub(super) key: Piece,
    /// ` = `
    pub(super) assign: Piece,
    pub(super) value: Piece,
    /// The rest of the line.
    pub(super) end: Piece,
}

impl SectionMut {
    pub(super) fn new(tag: &str, line_end: &[u8]) -> Self {
        Self {
            kind: TagKind::of(tag.as_bytes()),
            is_removed: false,
            previous: None,
            next: None,
            lead: Piece::EMPTY,
            open: Piece::new(format!("[{tag}")),
            fields: Vec::new(),
            close: Piece::new([b"]", line_end].concat()),
            properties: Vec::new(),
        }
    }

    pub(super) fn field(&self, text: &[u8], name: &str) -> Option<&FieldMut> {
        self.field_index(text, name).map(|index| &self.fields[index])
    }

    /// The last one.
    pub(super) fn field_index(&self, text: &[u8], name: &str) -> Option<usize> {
        self.fields.iter().rposition(|field| field.name.of(text) == name.as_bytes())
    }

    /// The last one.
    pub(super) fn property(&self, text: &[u8], key: &str) -> Option<usize> {
        self.properties.iter().rposition(|property| *property.key(text) == *key.as_bytes())
    }
}

impl FieldMut {
    pub(super) fn new(name: &str, value: Piece) -> Self {
        // Godot writes a blank behind this one (`binds= [1]`).
        let assign = if name == "binds" { "= " } else { "=" };
        Self { lead: Piece::new(" "), name: Piece::new(name), assign: Piece::new(assign), value }
    }
}

impl PropertyMut {
    pub(super) fn new(key: Vec<u8>, value: Piece, line_end: &[u8]) -> Self {
        let (key, assign, end) = (Piece::new(key), Piece::new(" = "), Piece::new(line_end));
        Self { lead: Piece::EMPTY, key, assign, value, end }
    }

    pub(super) fn key<'t>(&'t self, text: &'t [u8]) -> Cow<'t, [u8]> {
        decode::key(self.key.of(text))
    }
}
