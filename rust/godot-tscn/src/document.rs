//! The tree of a text: tags, fields and properties as byte ranges; nothing is copied or decoded
//! until it is asked for.

pub(crate) mod nested;
mod section;
mod wide_tags;

use std::borrow::Cow;

use crate::decode;
use crate::span::Span;
use crate::syntax::{self, SyntaxError, SyntaxErrorKind};

pub(crate) use section::FEW_FIELDS;
pub use section::{Field, Property, Section};
pub(crate) use wide_tags::WideTags;

/// A parsed text scene or resource.
///
/// The parts lie in flat lists; [`Section`], [`Field`] and [`Property`] are views into them.
///
/// ```
/// let text = b"[gd_scene format=3]\n\n[node name=\"Main\" type=\"Node2D\"]\nrotation = 0.5\n";
/// let document = godot_tscn::parse(text);
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
    pub(crate) wide_tags: WideTags,
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
    /// Whether Godot certainly reads the key as its bytes. Many rules ask for the keys of all properties.
    pub(crate) has_plain_key: bool,
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
    /// A `[node …]`, `[connection …]` or `[editable …]` of a scene that a `[sub_resource type="PackedScene"]` holds.
    Nested,
    /// Any other.
    Unknown,
}

/// The form of a value from outside.
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
    /// Text that Godot cannot read.
    Invalid,
}

/// An `ExtResource(…)`, `SubResource(…)` or `Resource(…)` in a value.
#[derive(Clone, Copy, Debug)]
pub struct Reference {
    /// Which of them.
    pub kind: ReferenceKind,
    /// Index of its section; `None` before the first tag.
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

    /// Whether the tag is that of a node or resource, with its properties below.
    pub const fn holds_object(self) -> bool {
        matches!(self, Self::SubResource | Self::Resource | Self::Node)
    }

    /// Whether `key = value` lines may follow the tag.
    ///
    /// After the others Godot reads the next tag at once (`VariantParser::parse_tag`).
    pub const fn takes_properties(self) -> bool {
        matches!(
            self,
            Self::SubResource | Self::Resource | Self::Node | Self::Nested | Self::Unknown
        )
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

    /// The last section with a tag that starts at or before `offset`.
    pub fn section_at(&self, offset: u32) -> Option<Section<'_>> {
        let after = self.tree.sections.partition_point(|section| section.tag.start <= offset);
        let index = after.checked_sub(1)? as u32;
        Some(Section { document: self, index })
    }

    /// Everything in the text that Godot refuses or misreads.
    pub fn errors(&self) -> &[SyntaxError] {
        &self.errors
    }

    /// Whether a property is a line that begins with `#`: `hash-comment` reports it, because it looks like a comment.
    pub fn is_hash_line(&self, property: Property<'_>) -> bool {
        let start = property.engine_key_span().start;
        let first = self.errors.partition_point(|error| error.span.start < start);
        let mut here = self.errors[first..].iter().take_while(|error| error.span.start == start);
        here.any(|error| matches!(error.kind, SyntaxErrorKind::HashComment(_)))
    }

    /// The property with its key at `offset`.
    pub(crate) fn property_with_key_at(&self, offset: u32) -> Option<Property<'_>> {
        let properties = &self.tree.properties;
        let index = properties.partition_point(|data| data.key.start < offset);
        let data = properties.get(index).filter(|data| data.key.start == offset)?;
        Some(Property { text: self.text, data })
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

    /// Whether parts of the text were skipped or are lost, so that something may be or have been there unseen.
    pub fn is_incomplete(&self) -> bool {
        let hides = |error: &SyntaxError| match error.kind {
            // A disk block that was never written; one byte alone is the end of a string in C.
            SyntaxErrorKind::SkippedNul => error.span.end - error.span.start > 1,
            // The text was cut off in a key.
            SyntaxErrorKind::MissingEquals => error.span.end as usize == self.text.len(),
            kind => syntax::skips_text(kind),
        };
        self.errors.iter().any(hides)
    }
}
