//! The fields of tags that have very many, by name: a hostile tag may have a hundred thousand, and every rule asks for some.

use hashbrown::HashMap;

use crate::document::section::{FEW_FIELDS, Section};
use crate::document::{FieldData, Tree};

/// For each section with more than [`FEW_FIELDS`], the indices of its fields, by name and then by place.
#[derive(Debug, Default)]
pub(crate) struct WideTags {
    by_section: HashMap<u32, Vec<u32>>,
}

impl WideTags {
    pub(crate) fn of(tree: &Tree, text: &[u8]) -> Self {
        let mut tags = Self::default();
        let starts = tree.sections.iter().map(|section| section.first_field);
        let ends = starts.clone().skip(1).chain([tree.fields.len() as u32]);
        for (index, (start, end)) in starts.zip(ends).enumerate() {
            if (end - start) as usize > FEW_FIELDS {
                let mut fields: Vec<u32> = (start..end).collect();
                // Stable, so of several with one name the last comes last.
                fields.sort_by_key(|field| tree.fields[*field as usize].name.of(text));
                tags.by_section.insert(index as u32, fields);
            }
        }
        tags
    }

    /// The last field called `name` of a section that has more than [`FEW_FIELDS`].
    pub(super) fn last_called<'d>(
        &self,
        section: Section<'d>,
        name: &[u8],
    ) -> Option<&'d FieldData> {
        let document = section.document;
        let name_of = |field: &u32| document.tree.fields[*field as usize].name.of(document.text);
        let fields = self.by_section.get(&section.index())?;
        let after = fields.partition_point(|field| name_of(field) <= name);
        let last = fields[after.checked_sub(1)?];
        (name_of(&last) == name).then(|| &document.tree.fields[last as usize])
    }
}
