//! The fields or properties of one section, to be looked up.

use std::borrow::Cow;

use hashbrown::HashMap;

use crate::document::Section;
use crate::span::Span;

/// A field or property of one side.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry {
    /// Where key and value are.
    pub(crate) key: Span,
    pub(crate) value: Span,
}

/// The fields or properties of a section, by key; of several with one key the last.
#[derive(Debug, Default)]
pub(crate) struct Entries<'d> {
    pub(crate) keys: Vec<Cow<'d, [u8]>>,
    by_key: HashMap<Cow<'d, [u8]>, Entry>,
    /// Earlier ones of a key, which Godot does not read.
    pub(crate) doubled: Vec<(Cow<'d, [u8]>, Entry)>,
}

impl<'d> Entries<'d> {
    pub(crate) fn of(section: Section<'d>, is_fields: bool) -> Self {
        let mut entries = Self::default();
        if is_fields {
            for field in section.fields() {
                let entry = Entry { key: field.name_span(), value: field.value_span() };
                entries.push(Cow::Borrowed(field.name()), entry);
            }
        } else {
            for property in section.properties() {
                let entry = Entry { key: property.engine_key_span(), value: property.value_span() };
                entries.push(property.engine_key(), entry);
            }
        }
        entries
    }

    pub(super) fn push(&mut self, key: Cow<'d, [u8]>, entry: Entry) {
        match self.by_key.insert(key.clone(), entry) {
            None => self.keys.push(key),
            Some(earlier) => self.doubled.push((key, earlier)),
        }
    }

    /// Gives entries other keys.
    pub(super) fn rename(&mut self, new: impl Fn(&[u8]) -> Option<Vec<u8>>) {
        let Self { keys, by_key, doubled } = std::mem::take(self);
        self.doubled = doubled;
        for key in keys {
            let Some(entry) = by_key.get(&key) else { continue };
            self.push(new(&key).map_or(key, Cow::Owned), *entry);
        }
    }

    pub(crate) fn get(&self, key: &[u8]) -> Option<Entry> {
        self.by_key.get(key).copied()
    }
}
