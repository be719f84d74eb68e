//! A document that can be changed: unchanged parts stay byte for byte.
//!
//! Every byte of the text belongs to a [piece](piece): of a tag, a field, a property, or of the white space and comments
//! before one. A change replaces pieces; the text is all pieces put end to end. Additions get the form in which Godot saves
//! them (`ResourceFormatSaverTextInstance::save`, scene/resources/resource_format_text.cpp, 4.6.3): fields in its order,
//! blank lines between sections, `key = value`.

mod output;
mod piece;
mod read;
mod section;
#[cfg(test)]
mod tests;
mod value;

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use crate::document::TagKind;
use crate::format::order::field_rank;
use crate::format::style::Style;

use piece::Piece;
use section::{FieldMut, PropertyMut, SectionMut};

pub use value::{NotCanonical, canonical_value, key_text, quoted, quoted_name, quoted_raw};

/// A text scene or resource that can be changed.
///
/// ```
/// let text = b"[gd_scene format=3]\n\n; the hero\n[node name=\"A\" type=\"Node2D\"]\nrotation=0.5 ; half\n";
/// let mut document = godot_tscn::DocumentMut::new(&text[..])?;
/// let node = document.sections().nth(1).unwrap();
/// document.set_property(node, "rotation", "1.0", usize::MAX);
/// document.set_property(node, "position", "Vector2(1, 2)", 0);
/// document.set_field(node, "unique_id", "7");
/// let child = document.insert("node", Some(node));
/// document.set_field(child, "name", "\"B\"");
/// assert_eq!(
///     String::from_utf8(document.to_bytes()).unwrap(),
///     "[gd_scene format=3]\n\n; the hero\n[node name=\"A\" type=\"Node2D\" unique_id=7]\n\
///      position = Vector2(1, 2)\nrotation=1.0 ; half\n\n[node name=\"B\"]\n"
/// );
/// # Ok::<(), godot_tscn::NotEditable>(())
/// ```
#[derive(Clone, Debug)]
pub struct DocumentMut {
    text: Arc<[u8]>,
    style: Style,
    line_end: &'static [u8],
    /// Includes removed ones.
    sections: Vec<SectionMut>,
    first: Option<SectionId>,
    last: Option<SectionId>,
    /// The text after the last section.
    end: Piece,
    /// How many sections the text had that was read. They have the first ids, in its order.
    original_count: u32,
}

/// A section of a [`DocumentMut`]. It stays the same when others come and go.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SectionId(u32);

/// Why a text cannot be changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotEditable {
    /// The code of the rule that reports the problem, if there is one, and its message.
    pub rule: Option<(&'static str, String)>,
    /// The line, counted from 1.
    pub line: u32,
}

impl fmt::Display for NotEditable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let line = self.line;
        match &self.rule {
            Some((code, message)) => {
                write!(f, "repair line {line} first: {message} ({code})")
            }
            None => write!(f, "Godot cannot read line {line} correctly; repair it first"),
        }
    }
}

impl std::error::Error for NotEditable {}

impl DocumentMut {
    /// The sections, in the order of the text.
    pub fn sections(&self) -> impl Iterator<Item = SectionId> {
        std::iter::successors(self.first, |section| self.next(*section))
    }

    /// The section behind this one.
    pub fn next(&self, section: SectionId) -> Option<SectionId> {
        self.section(section).next
    }

    /// The section in front of this one.
    pub fn previous(&self, section: SectionId) -> Option<SectionId> {
        self.section(section).previous
    }

    /// Whether it was not removed.
    pub fn is_there(&self, section: SectionId) -> bool {
        !self.section(section).is_removed
    }

    /// Whether it was in the text that was read.
    pub fn was_read(&self, section: SectionId) -> bool {
        section.0 < self.original_count
    }

    /// Which tag the section has.
    pub fn kind(&self, section: SectionId) -> TagKind {
        self.section(section).kind
    }

    /// The source text of the value of the field called `name`; of the last of several, as Godot reads it.
    pub fn field(&self, section: SectionId, name: &str) -> Option<&[u8]> {
        let field = self.section(section).field(&self.text, name)?;
        Some(field.value.of(&self.text))
    }

    /// The decoded text of the field called `name`. Numbers are as they stand there.
    pub fn field_text(&self, section: SectionId, name: &str) -> Option<Cow<'_, [u8]>> {
        self.field(section, name).map(crate::decode::text)
    }

    /// The source text of the value of the property called `key`; of the last of several, as Godot reads it.
    pub fn property(&self, section: SectionId, key: &str) -> Option<&[u8]> {
        let section = self.section(section);
        let index = section.property(&self.text, key)?;
        Some(section.properties[index].value.of(&self.text))
    }

    /// The properties with their keys and the source texts of their values, in the order of the text.
    pub fn properties(
        &self,
        section: SectionId,
    ) -> impl DoubleEndedIterator<Item = (Cow<'_, [u8]>, &[u8])> + ExactSizeIterator {
        let text = &self.text;
        let properties = self.section(section).properties.iter();
        properties.map(|property| (property.key(text), property.value.of(text)))
    }

    /// The values of all fields and properties of a section, in the order of the text.
    pub fn values(&self, section: SectionId) -> impl Iterator<Item = &[u8]> {
        let SectionMut { fields, properties, .. } = self.section(section);
        let fields = fields.iter().map(|field| &field.value);
        let all = fields.chain(properties.iter().map(|property| &property.value));
        all.map(|value| value.of(&self.text))
    }

    /// Gives the field called `name` this value, which has to be a sound one. A new field comes to the place where Godot
    /// writes it.
    pub fn set_field(&mut self, section: SectionId, name: &str, value: impl Into<Vec<u8>>) {
        let (text, style) = (Arc::clone(&self.text), self.style);
        let section = self.section_mut(section);
        let value = Piece::new(value);
        if let Some(index) = section.field_index(&text, name) {
            section.fields[index].value = value;
            return;
        }
        let rank = |name: &[u8]| field_rank(style, section.kind, name);
        let mut names = section.fields.iter().map(|field| rank(field.name.of(&text)));
        let own = rank(name.as_bytes());
        let at = names.position(|other| other > own).unwrap_or(section.fields.len());
        section.fields.insert(at, FieldMut::new(name, value));
    }

    /// Removes the field called `name`, each if there are several.
    pub fn remove_field(&mut self, section: SectionId, name: &str) {
        let text = Arc::clone(&self.text);
        self.section_mut(section).fields.retain(|field| field.name.of(&text) != name.as_bytes());
    }

    /// Gives the property called `key` this value, which has to be a sound one. A new property comes to the place `index`
    /// among the others, or behind them all.
    pub fn set_property(
        &mut self,
        section: SectionId,
        key: &str,
        value: impl Into<Vec<u8>>,
        index: usize,
    ) {
        let (text, line_end) = (Arc::clone(&self.text), self.line_end);
        let section = self.section_mut(section);
        let value = Piece::new(value);
        if let Some(index) = section.property(&text, key) {
            section.properties[index].value = value;
            return;
        }
        let index = index.min(section.properties.len());
        section
            .properties
            .insert(index, PropertyMut::new(key_text(key).into_bytes(), value, line_end));
    }

    /// Removes the property called `key`, each if there are several, with the comments in front of it. Returns whether it was
    /// there.
    pub fn remove_property(&mut self, section: SectionId, key: &str) -> bool {
        let text = Arc::clone(&self.text);
        let properties = &mut self.section_mut(section).properties;
        let before = properties.len();
        properties.retain(|property| *property.key(&text) != *key.as_bytes());
        properties.len() < before
    }

    /// Adds a section that contains only a tag with this name, after another one or before all.
    pub fn insert(&mut self, tag: &str, behind: Option<SectionId>) -> SectionId {
        let id = SectionId(self.sections.len() as u32);
        self.sections.push(SectionMut::new(tag, self.line_end));
        self.link(id, behind);
        id
    }

    /// Puts a section behind another one, or in front of all.
    pub fn place(&mut self, section: SectionId, behind: Option<SectionId>) {
        if behind == Some(section) || self.previous(section) == behind {
            return;
        }
        self.unlink(section);
        self.link(section, behind);
    }

    /// Removes a section, with the comments in front of it.
    pub fn remove(&mut self, section: SectionId) {
        if !self.section(section).is_removed {
            self.unlink(section);
            self.section_mut(section).is_removed = true;
        }
    }

    /// Whether fields come in the order and form of Godot 3.
    pub fn is_godot_3(&self) -> bool {
        self.style == Style::Godot3
    }

    fn link(&mut self, section: SectionId, behind: Option<SectionId>) {
        let next = behind.map_or(self.first, |behind| self.next(behind));
        let this = self.section_mut(section);
        (this.previous, this.next) = (behind, next);
        match behind {
            Some(behind) => self.section_mut(behind).next = Some(section),
            None => self.first = Some(section),
        }
        match next {
            Some(next) => self.section_mut(next).previous = Some(section),
            None => self.last = Some(section),
        }
    }

    fn unlink(&mut self, section: SectionId) {
        let SectionMut { previous, next, .. } = *self.section(section);
        match previous {
            Some(previous) => self.section_mut(previous).next = next,
            None => self.first = next,
        }
        match next {
            Some(next) => self.section_mut(next).previous = previous,
            None => self.last = previous,
        }
    }

    fn section(&self, id: SectionId) -> &SectionMut {
        &self.sections[id.0 as usize]
    }

    fn section_mut(&mut self, id: SectionId) -> &mut SectionMut {
        &mut self.sections[id.0 as usize]
    }
}
