//! Arrays, records and maps.

use godot_variant::{ArraySink, DictionarySink, ObjectSink, Refusal, StringsSink, Text};

use super::key::{Key, Name};
use super::{StreamWriter, not_plain};
use crate::json::TextWriter;
use crate::streaming::ValueBuilder;
use crate::streaming::plan::{Child, Node, RecordNode};

/// Writes the elements of an array.
pub(in crate::streaming) struct Elements<'w, 'n> {
    pub(super) text: &'w mut TextWriter,
    pub(super) item: &'w Child<'n, ValueBuilder>,
}

impl<'n> ArraySink for Elements<'_, 'n> {
    type Element<'a>
        = StreamWriter<'a, 'n>
    where
        Self: 'a;

    #[inline]
    fn element(&mut self) -> StreamWriter<'_, 'n> {
        self.text.next();
        StreamWriter { text: self.text, node: &self.item.node }
    }

    fn end(self) -> Result<(), Refusal> {
        self.text.end(b']');
        Ok(())
    }
}

/// Writes the members of an object.
pub(in crate::streaming) struct Members<'w, 'n> {
    text: &'w mut TextWriter,
    entries: Entries<'w, 'n>,
}

/// What the members are.
#[derive(Clone, Copy)]
enum Entries<'w, 'n> {
    /// The fields from this one on.
    Fields(&'w RecordNode<'n, ValueBuilder>, usize),
    Map(&'w Child<'n, ValueBuilder>),
    /// A map without entries.
    None,
}

impl<'w, 'n> Members<'w, 'n> {
    pub(super) fn new(
        writer: StreamWriter<'w, 'n>,
        count: usize,
    ) -> Result<Members<'w, 'n>, Refusal> {
        let StreamWriter { text, node } = writer;
        let entries = match node {
            Node::Record(record) if record.fields.len() == count => Entries::Fields(record, 0),
            // O3DE writes a container without elements as an array.
            Node::Map(..) if count == 0 => Entries::None,
            Node::Map(_, value) => Entries::Map(value),
            _ => return not_plain(),
        };
        text.begin(if count == 0 { b'[' } else { b'{' });
        Ok(Members { text, entries })
    }
}

impl<'n> DictionarySink for Members<'_, 'n> {
    type Key<'a>
        = Key<'a>
    where
        Self: 'a;
    type Value<'a>
        = StreamWriter<'a, 'n>
    where
        Self: 'a;

    #[inline]
    fn key(&mut self) -> Key<'_> {
        self.text.next();
        let name = match self.entries {
            Entries::Fields(record, at) => {
                record.fields.get(at).map(|field| Name::Only(&field.name))
            }
            Entries::Map(_) => Some(Name::Any),
            Entries::None => None,
        };
        Key { text: self.text, name }
    }

    #[inline]
    fn value(&mut self) -> StreamWriter<'_, 'n> {
        self.text.colon();
        let node = match &mut self.entries {
            Entries::Fields(record, at) => {
                *at += 1;
                record.children.get(*at - 1).map(|child| &child.node)
            }
            Entries::Map(value) => Some(&value.node),
            Entries::None => None,
        };
        StreamWriter { text: self.text, node: node.unwrap_or(&Node::Tree) }
    }

    fn end(self) -> Result<(), Refusal> {
        self.text.end(if matches!(self.entries, Entries::None) { b']' } else { b'}' });
        Ok(())
    }
}

/// Writes the strings of a packed array.
pub(in crate::streaming) struct Strings<'w> {
    pub(super) text: &'w mut TextWriter,
}

impl StringsSink for Strings<'_> {
    #[inline]
    fn push(&mut self, text: Text<'_>) -> Result<(), Refusal> {
        self.text.next();
        self.text.string(text);
        Ok(())
    }

    fn end(self) -> Result<(), Refusal> {
        self.text.end(b']');
        Ok(())
    }
}

/// An object, which is never begun.
pub(in crate::streaming) enum Never {}

impl ObjectSink for Never {
    type Value<'a> = Key<'a>;

    fn property(&mut self, _: Text<'_>) -> Result<Key<'_>, Refusal> {
        match *self {}
    }

    fn end(self) -> Result<(), Refusal> {
        match self {}
    }
}
