//! The tree of a text: tags, fields and properties as byte ranges; nothing is copied or decoded
//! until it is asked for.

use std::borrow::Cow;

use crate::decode;
use crate::span::Span;
use crate::syntax::{self, SyntaxError};

/// A parsed text scene or resource.
///
/// The parts lie in flat lists; [`Section`], [`Field`] and [`Property`] are views into them.
///
/// ```
/// let text = b"[gd_scene format=3]\n\n[node name=\"Main\" type=\"Node2D\"]\nrotation = 0.5\n";
/// let document = tscn::parse(text);
/// let node = document.sections().nth(1).unwrap();
/// assert_eq!(node.name(), b"node");
/// assert_eq!(node.field("type").unwrap().text().unwrap().as_ref(), b"Node2D");
/// assert_eq!(node.properties().next().unwrap().key().as_ref(), b"rotation");
/// ```
#[derive(Debug)]
pub struct Document<'t> {
    pub(crate) text: &'t [u8],
    pub(crate) tree: Tree,
    pub(crate) errors: Vec<SyntaxError>,
    pub(crate) comments: Vec<Span>,
}

/// The flat lists behind a [`Document`].
#[derive(Debug, Default)]
pub(crate) struct Tree {
    pub(crate) sections: Vec<SectionData>,
    pub(crate) fields: Vec<FieldData>,
    pub(crate) properties: Vec<PropertyData>,
    pub(crate) references: Vec<Reference>,
    pub(crate) dictionary_keys: Vec<DictionaryKey>,
    /// The first value that came with format 4.
    pub(crate) format_4_value: Option<Span>,
    /// Whether a construct has a name that Godot 4 reads, but does not write.
    pub(crate) has_older_constructs: bool,
    /// How many bytes the longest `PackedByteArray` of decimal numbers has.
    pub(crate) most_decimal_bytes: usize,
}

impl Tree {
    /// Lists that need not grow step by step for an ordinary text of `len` bytes.
    pub(crate) fn with_room_for(len: usize) -> Self {
        // Room that is not used is not touched, but hostile texts should not reserve much.
        const MAX_COUNT: usize = 1 << 16;
        let room = |bytes_each: usize| (len / bytes_each).min(MAX_COUNT);
        Self {
            sections: Vec::with_capacity(room(100)),
            fields: Vec::with_capacity(room(40)),
            properties: Vec::with_capacity(room(60)),
            ..Self::default()
        }
    }
}

/// A key of a dictionary in a value.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DictionaryKey {
    /// Where the dictionary's `{` is.
    pub(crate) dictionary: u32,
    pub(crate) span: Span,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct SectionData {
    pub(crate) tag: Span,
    pub(crate) name: Span,
    pub(crate) kind: TagKind,
    /// Whether the tag could not be read to its end.
    pub(crate) is_broken: bool,
    /// Where the section's fields, properties and references start in the lists; they end where
    /// those of the next section start.
    pub(crate) first_field: u32,
    pub(crate) first_property: u32,
    pub(crate) first_reference: u32,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct FieldData {
    pub(crate) name: Span,
    pub(crate) value: Span,
    pub(crate) kind: ValueKind,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct PropertyData {
    /// The key as the line shows it.
    pub(crate) key: Span,
    /// Where the key starts for Godot: before `key.start` if lines without `=` precede.
    pub(crate) engine_key_start: u32,
    pub(crate) value: Span,
    pub(crate) kind: ValueKind,
}

/// Which tag a section starts with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TagKind {
    /// `[gd_scene …]`
    GdScene,
    /// `[gd_resource …]`
    GdResource,
    /// `[ext_resource …]`
    ExtResource,
    /// `[sub_resource …]`
    SubResource,
    /// `[resource]`
    Resource,
    /// `[node …]`
    Node,
    /// `[connection …]`
    Connection,
    /// `[editable …]`
    Editable,
    /// Any other.
    Unknown,
}

/// What a value looks like from outside.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ValueKind {
    /// `null`, `nil`
    Null,
    /// `true`, `false`
    Bool,
    /// A number without period and exponent.
    Int,
    /// Any other number, `inf` and `nan`.
    Float,
    /// `"…"`
    String,
    /// `&"…"`
    StringName,
    /// `#rrggbb`
    Color,
    /// `[…]`
    Array,
    /// `{…}`
    Dictionary,
    /// `Vector2(…)` and the like, typed arrays and dictionaries too.
    Construct,
    /// What Godot cannot read.
    Invalid,
}

/// An `ExtResource(…)`, `SubResource(…)` or `Resource(…)` in a value.
#[derive(Clone, Copy, Debug)]
pub struct Reference {
    /// Which of them.
    pub kind: ReferenceKind,
    /// Index of the section that it stands in; `None` before the first tag.
    pub section: Option<u32>,
    /// The id or path, quotes included.
    pub target: Span,
}

/// The kinds of [`Reference`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ReferenceKind {
    /// `ExtResource("id")`
    ExtResource,
    /// `SubResource("id")`
    SubResource,
    /// `Resource("res://…")`
    Resource,
}

impl TagKind {
    /// The kind of the tag called `name`.
    pub fn of(name: &[u8]) -> Self {
        match name {
            b"gd_scene" => Self::GdScene,
            b"gd_resource" => Self::GdResource,
            b"ext_resource" => Self::ExtResource,
            b"sub_resource" => Self::SubResource,
            b"resource" => Self::Resource,
            b"node" => Self::Node,
            b"connection" => Self::Connection,
            b"editable" => Self::Editable,
            _ => Self::Unknown,
        }
    }

    /// Whether `key = value` lines may follow the tag.
    ///
    /// After the others Godot reads the next tag at once (`VariantParser::parse_tag`).
    pub const fn takes_properties(self) -> bool {
        matches!(self, Self::SubResource | Self::Resource | Self::Node | Self::Unknown)
    }
}

impl<'t> Document<'t> {
    /// The text that was parsed.
    pub fn text(&self) -> &'t [u8] {
        self.text
    }

    /// The sections in the order of the text, the header tag first.
    pub fn sections(&self) -> impl ExactSizeIterator<Item = Section<'_>> {
        (0..self.tree.sections.len() as u32).map(|index| Section { document: self, index })
    }

    /// The properties between the tag with this index, or the start of the text, and the next tag.
    pub(crate) fn properties_after(
        &self,
        tag: Option<u32>,
    ) -> impl DoubleEndedIterator<Item = Property<'_>> {
        let tree = &self.tree;
        let first = tag.map_or(0, |tag| tree.sections[tag as usize].first_property);
        let next = tree.sections.get(tag.map_or(0, |tag| tag as usize + 1));
        let end = next.map_or(tree.properties.len() as u32, |next| next.first_property);
        tree.properties[first as usize..end as usize]
            .iter()
            .map(|data| Property { text: self.text, data })
    }

    /// The section with this index.
    ///
    /// # Panics
    /// When there is none.
    pub fn section(&self, index: u32) -> Section<'_> {
        assert!((index as usize) < self.tree.sections.len(), "no section {index}");
        Section { document: self, index }
    }

    /// The last section whose tag starts at or before `offset`.
    pub fn section_at(&self, offset: u32) -> Option<Section<'_>> {
        let after = self.tree.sections.partition_point(|section| section.tag.start <= offset);
        let index = after.checked_sub(1)? as u32;
        Some(Section { document: self, index })
    }

    /// Everything in the text that Godot refuses or misreads.
    pub fn errors(&self) -> &[SyntaxError] {
        &self.errors
    }

    /// Where the `;` comments are.
    pub fn comments(&self) -> &[Span] {
        &self.comments
    }

    /// All references to resources, in the order of the text.
    pub fn references(&self) -> &[Reference] {
        &self.tree.references
    }

    /// The id or path that a reference names.
    pub fn target(&self, reference: &Reference) -> Cow<'t, [u8]> {
        decode::text(reference.target.of(self.text))
    }

    /// Whether parts of the text were skipped, so that something may stand there unseen.
    pub fn is_incomplete(&self) -> bool {
        self.errors.iter().any(|error| syntax::skips_text(error.kind))
    }
}

/// A tag with the properties that follow it.
#[derive(Clone, Copy, Debug)]
pub struct Section<'d> {
    document: &'d Document<'d>,
    index: u32,
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
    pub fn fields(self) -> impl DoubleEndedIterator<Item = Field<'d>> {
        let tree = &self.document.tree;
        let end = self.next_data().map_or(tree.fields.len() as u32, |next| next.first_field);
        let text = self.document.text;
        tree.fields[self.data().first_field as usize..end as usize]
            .iter()
            .map(move |data| Field { text, data })
    }

    /// The field called `name`; the last one of several, as Godot reads it.
    #[inline]
    pub fn field(self, name: &str) -> Option<Field<'d>> {
        let has_name = |field: &Field<'_>| {
            field.data.name.len() as usize == name.len() && field.name() == name.as_bytes()
        };
        self.fields().rfind(has_name)
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

    /// The property whose value is at `offset`.
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

    #[inline]
    fn data(self) -> &'d SectionData {
        &self.document.tree.sections[self.index as usize]
    }

    #[inline]
    fn next_data(self) -> Option<&'d SectionData> {
        self.document.tree.sections.get(self.index as usize + 1)
    }
}

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

    /// What the value looks like.
    #[inline]
    pub fn kind(self) -> ValueKind {
        self.data.kind
    }

    /// The value's source text.
    #[inline]
    pub fn source(self) -> &'d [u8] {
        self.data.value.of(self.text)
    }

    /// The value as Godot converts it to a string, if it is a string, string name or number.
    pub fn text(self) -> Option<Cow<'d, [u8]>> {
        matches!(
            self.kind(),
            ValueKind::String | ValueKind::StringName | ValueKind::Int | ValueKind::Float
        )
        .then(|| decode::text(self.data.value.of(self.text)))
    }

    /// The value as a whole number, if it is one that fits.
    pub fn int(self) -> Option<i64> {
        std::str::from_utf8(self.data.value.of(self.text)).ok()?.parse().ok()
    }
}

/// A `key = value` after a tag.
#[derive(Clone, Copy, Debug)]
pub struct Property<'d> {
    text: &'d [u8],
    data: &'d PropertyData,
}

impl<'d> Property<'d> {
    /// The key as the line shows it.
    pub fn key(self) -> Cow<'d, [u8]> {
        decode::key(self.data.key.of(self.text))
    }

    /// Where [`Property::key`] is, quotes included.
    pub fn key_span(self) -> Span {
        self.data.key
    }

    /// The key as Godot reads it: lines without `=` before this one become part of it.
    pub fn engine_key(self) -> Cow<'d, [u8]> {
        decode::key(self.engine_key_span().of(self.text))
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

    /// What the value looks like.
    #[inline]
    pub fn kind(self) -> ValueKind {
        self.data.kind
    }
}
