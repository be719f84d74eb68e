//! The ids of `ext_resource` and `sub_resource` tags, and who uses them.

use std::borrow::Cow;
use std::cell::OnceCell;

use hashbrown::HashMap;

use crate::document::{Document, Reference, ReferenceKind, Section, TagKind};

/// The definitions of one kind of resource, in the order of the text.
#[derive(Debug, Default)]
pub(crate) struct ResourceIds<'d> {
    pub(crate) definitions: Vec<Definition<'d>>,
    by_id: HashMap<Cow<'d, [u8]>, u32>,
    /// Whether something refers to an id that no tag has.
    pub(crate) has_undefined: bool,
    /// Whether something refers to an id in front of its definition.
    pub(crate) has_early_use: bool,
    /// The first definition with a number, as [`number_of`] gives it.
    by_number: OnceCell<HashMap<Vec<u8>, u32>>,
}

/// An `ext_resource` or `sub_resource` tag with an id.
#[derive(Debug)]
pub(crate) struct Definition<'d> {
    pub(crate) section: Section<'d>,
    pub(crate) id: Cow<'d, [u8]>,
    /// The index of the first definition with the same id, if this is a later one.
    pub(crate) first: Option<u32>,
    /// Whether a section other than this one refers to the id.
    pub(crate) is_used: bool,
}

impl<'d> ResourceIds<'d> {
    pub(crate) fn new(document: &'d Document<'d>, kind: ReferenceKind) -> Self {
        let tag = match kind {
            ReferenceKind::ExtResource => TagKind::ExtResource,
            _ => TagKind::SubResource,
        };
        let sections = || document.sections().filter(|section| section.kind() == tag);
        let count = sections().count();
        let (definitions, by_id) = (Vec::with_capacity(count), HashMap::with_capacity(count));
        let mut ids = Self { definitions, by_id, ..Self::default() };
        for section in sections() {
            if let Some(id) = section.field_text("id") {
                ids.define(section, id);
            }
        }
        for reference in document.references().iter().filter(|reference| reference.kind == kind) {
            ids.mark_used(document, reference);
        }
        ids
    }

    /// The first definition of `id`.
    pub(crate) fn find(&self, id: &[u8]) -> Option<&Definition<'d>> {
        self.by_id.get(id).map(|index| &self.definitions[*index as usize])
    }

    /// The first id that begins with the same number as `id`, up to its `_`.
    pub(crate) fn with_number_of(&self, id: &[u8]) -> Option<&[u8]> {
        let by_number = self.by_number.get_or_init(|| {
            let mut by_number = HashMap::new();
            for (index, definition) in self.definitions.iter().enumerate() {
                if let Some(number) = number_of(&definition.id) {
                    by_number.entry(number.to_vec()).or_insert(index as u32);
                }
            }
            by_number
        });
        let index = *by_number.get(number_of(id)?)?;
        Some(&self.definitions[index as usize].id)
    }

    /// The definitions of an id that has one already, each with the first.
    pub(crate) fn duplicates(&self) -> impl Iterator<Item = (&Definition<'d>, &Definition<'d>)> {
        self.definitions.iter().filter_map(|definition| {
            Some((definition, &self.definitions[definition.first? as usize]))
        })
    }

    /// The definitions that nothing refers to. Resources with a repeated id are not reported here.
    pub(crate) fn unused(&self) -> impl Iterator<Item = &Definition<'d>> {
        self.definitions
            .iter()
            .filter(|definition| !definition.is_used && definition.first.is_none())
    }

    fn define(&mut self, section: Section<'d>, id: Cow<'d, [u8]>) {
        let index = self.definitions.len() as u32;
        let first = *self.by_id.entry(id.clone()).or_insert(index);
        let first = (first != index).then_some(first);
        self.definitions.push(Definition { section, id, first, is_used: false });
    }

    fn mark_used(&mut self, document: &'d Document<'d>, reference: &Reference) {
        let Some(index) = self.by_id.get(document.target(reference).as_ref()) else {
            self.has_undefined = true;
            return;
        };
        let definition = &mut self.definitions[*index as usize];
        let place = definition.section.index();
        definition.is_used |= reference.section != Some(place);
        self.has_early_use |= reference.section.is_none_or(|section| section < place);
    }
}

/// The part of an id before its first `_`: the number that Godot gives an external resource.
fn number_of(id: &[u8]) -> Option<&[u8]> {
    id.iter().position(|byte| *byte == b'_').map(|end| &id[..=end])
}
