//! Views into a document: tags, their fields, the properties that follow them.

use std::borrow::Cow;
use std::ops::Range;

use crate::decode;
use crate::document::{
    Document, FieldData, PropertyData, Reference, SectionData, TagKind, ValueKind,
};
use crate::span::Span;
use crate::value::tree::ValueTree;

/// A tag with the properties that follow it.
#[derive(Clone, Copy, Debug)]
pub struct Section<'d> {
    pub(super) document: &'d Document<'d>,
    pub(super) index: u32,
}

impl<'d> Section<'d> {
    /// The section's place in the list of sections.
    pub fn index(self) -> u32 {
        self.index
    }

    /// Which tag it is.
    #[inline]
    pub fn kind(self) -> TagKind {
        self.data().kind
    }

    /// The kind that the tag's name gives: [`TagKind::Node`] for a nested node, too.
    pub fn kind_of_name(self) -> TagKind {
        match self.kind() {
            TagKind::Nested => TagKind::of(self.name()),
            kind => kind,
        }
    }

    /// The tag's name: `node`.
    pub fn name(self) -> &'d [u8] {
        self.data().name.of(self.document.text)
    }

    /// Where the tag's name is.
    pub fn name_span(self) -> Span {
        self.data().name
    }

    /// Where the tag is, brackets included.
    pub fn tag_span(self) -> Span {
        self.data().tag
    }

    /// From the tag to the end of the last property.
    pub fn span(self) -> Span {
        let end = self.properties().next_back().map(|property| property.value_span().end);
        let tag = self.tag_span();
        Span::new(tag.start, end.unwrap_or(tag.end).max(tag.end))
    }

    /// The section after this one.
    pub fn next(self) -> Option<Self> {
        let index = self.index + 1;
        self.next_data().map(|_| Self { document: self.document, index })
    }

    /// Whether the tag could not be read to its end, so that fields may be missing here that
    /// are in the text.
    pub fn is_broken(self) -> bool {
        self.data().is_broken
    }

    /// The tag's fields, in the order of the text.
    #[inline]
    pub fn fields(self) -> impl DoubleEndedIterator<Item = Field<'d>> + ExactSizeIterator {
        let text = self.document.text;
        self.fields_data().iter().map(move |data| Field { text, data })
    }

    /// The field called `name`; the last one of several, as Godot reads it.
    // Names are known when it is compiled, so little of it is left.
    #[inline(always)]
    pub fn field(self, name: &str) -> Option<Field<'d>> {
        let fields = self.fields();
        if fields.len() > FEW_FIELDS {
            return self.field_of_many(name);
        }
        let has_name = |field: &Field<'_>| {
            field.data.name.len() as usize == name.len() && field.name() == name.as_bytes()
        };
        { fields }.rfind(has_name)
    }

    #[cold]
    #[inline(never)]
    fn field_of_many(self, name: &str) -> Option<Field<'d>> {
        let data = self.document.tree.wide_tags.last_called(self, name.as_bytes())?;
        Some(Field { text: self.document.text, data })
    }

    /// The field with its value at `offset`.
    pub(crate) fn field_at(self, offset: u32) -> Option<Field<'d>> {
        let fields = self.fields_data();
        let after = fields.partition_point(|data| data.value.start <= offset);
        let data = fields.get(after.checked_sub(1)?)?;
        (offset < data.value.end).then_some(Field { text: self.document.text, data })
    }

    /// The decoded text of the field called `name`, if it is a string, string name or number.
    pub fn field_text(self, name: &str) -> Option<Cow<'d, [u8]>> {
        self.field(name)?.text()
    }

    /// The properties, in the order of the text.
    #[inline]
    pub fn properties(self) -> impl DoubleEndedIterator<Item = Property<'d>> {
        let tree = &self.document.tree;
        let end = self.next_data().map_or(tree.properties.len() as u32, |next| next.first_property);
        let text = self.document.text;
        tree.properties[self.data().first_property as usize..end as usize]
            .iter()
            .map(move |data| Property { text, data })
    }

    /// The property with its value at `offset`.
    pub(crate) fn property_at(self, offset: u32) -> Option<Property<'d>> {
        let tree = &self.document.tree;
        let end = self.next_data().map_or(tree.properties.len() as u32, |next| next.first_property);
        let properties = &tree.properties[self.data().first_property as usize..end as usize];
        let after = properties.partition_point(|data| data.value.start <= offset);
        let data = properties.get(after.checked_sub(1)?)?;
        (offset < data.value.end).then_some(Property { text: self.document.text, data })
    }

    /// The references to resources in the fields and properties.
    pub fn references(self) -> &'d [Reference] {
        let references = &self.document.tree.references;
        let end = self.next_data().map_or(references.len() as u32, |next| next.first_reference);
        &references[self.data().first_reference as usize..end as usize]
    }

    /// The first reference in `span`.
    pub fn reference_in(self, span: Span) -> Option<&'d Reference> {
        let references = self.references();
        let first = references.partition_point(|reference| reference.target.start < span.start);
        references.get(first).filter(|reference| span.contains(reference.target))
    }

    #[inline(always)]
    fn fields_data(self) -> &'d [FieldData] {
        &self.document.tree.fields[self.field_range()]
    }

    /// Where its fields are among those of the document.
    #[inline]
    pub(crate) fn field_range(self) -> Range<usize> {
        let count = self.document.tree.fields.len();
        let end = self.next_data().map_or(count, |next| next.first_field as usize);
        self.data().first_field as usize..end
    }

    #[inline]
    fn data(self) -> &'d SectionData {
        &self.document.tree.sections[self.index as usize]
    }

    #[inline]
    fn next_data(self) -> Option<&'d SectionData> {
        self.document.tree.sections.get(self.index as usize + 1)
    }
}

/// A tag has a dozen fields. In one with more than these, they are looked up by name.
pub(crate) const FEW_FIELDS: usize = 32;

/// A `name=value` in a tag.
#[derive(Clone, Copy, Debug)]
pub struct Field<'d> {
    text: &'d [u8],
    data: &'d FieldData,
}

impl<'d> Field<'d> {
    /// The field's name.
    #[inline]
    pub fn name(self) -> &'d [u8] {
        self.data.name.of(self.text)
    }

    /// Where the name is.
    pub fn name_span(self) -> Span {
        self.data.name
    }

    /// Where the value is, quotes included.
    #[inline]
    pub fn value_span(self) -> Span {
        self.data.value
    }

    /// From the name to the end of the value.
    pub fn span(self) -> Span {
        self.data.name.join(self.data.value)
    }

    /// The form of the value.
    #[inline]
    pub fn kind(self) -> ValueKind {
        self.data.kind
    }

    /// The value's source text.
    #[inline]
    pub fn source(self) -> &'d [u8] {
        self.data.value.of(self.text)
    }

    /// The parts of the value. Their spans are in the document.
    pub fn value_tree(self) -> ValueTree<'d> {
        ValueTree::in_document(self.source(), self.value_span().start)
    }

    /// The value as Godot converts it to a string, if it is a string, string name or number.
    pub fn text(self) -> Option<Cow<'d, [u8]>> {
        matches!(
            self.kind(),
            ValueKind::String | ValueKind::StringName | ValueKind::Int | ValueKind::Float
        )
        .then(|| decode::text_at(self.text, self.data.value))
    }

    /// The value as a whole number, if it is one that fits.
    pub fn int(self) -> Option<i64> {
        std::str::from_utf8(self.data.value.of(self.text)).ok()?.parse().ok()
    }
}

/// A `key = value` after a tag.
#[derive(Clone, Copy, Debug)]
pub struct Property<'d> {
    pub(super) text: &'d [u8],
    pub(super) data: &'d PropertyData,
}

impl<'d> Property<'d> {
    /// The key as the line shows it.
    #[inline]
    pub fn key(self) -> Cow<'d, [u8]> {
        let source = self.data.key.of(self.text);
        if self.data.has_plain_key { Cow::Borrowed(source) } else { decode::key(source) }
    }

    /// Where [`Property::key`] is, quotes included.
    pub fn key_span(self) -> Span {
        self.data.key
    }

    /// The key as Godot reads it: lines without `=` before this one become part of it.
    #[inline]
    pub fn engine_key(self) -> Cow<'d, [u8]> {
        let source = self.engine_key_span().of(self.text);
        if self.data.has_plain_key { Cow::Borrowed(source) } else { decode::key(source) }
    }

    /// Where [`Property::engine_key`] is.
    #[inline]
    pub fn engine_key_span(self) -> Span {
        Span::new(self.data.engine_key_start, self.data.key.end)
    }

    /// Where the value is.
    #[inline]
    pub fn value_span(self) -> Span {
        self.data.value
    }

    /// The value's source text.
    #[inline]
    pub fn source(self) -> &'d [u8] {
        self.data.value.of(self.text)
    }

    /// The parts of the value. Their spans are in the document.
    pub fn value_tree(self) -> ValueTree<'d> {
        ValueTree::in_document(self.source(), self.value_span().start)
    }

    /// The form of the value.
    #[inline]
    pub fn kind(self) -> ValueKind {
        self.data.kind
    }
}
