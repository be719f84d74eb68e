//! The parts of containers, records and objects.

use std::cell::Cell;

use godot_variant::{
    ArraySink, DictionarySink, ObjectSink, Refusal, Sink, Source, StringKind, StringsSink, Text,
    VariantType,
};

use crate::bits::BitWriter;
use crate::encode::{Place, does_not_fit, leaf, segment};
use crate::layout::{Field, Layout, Node};

/// The elements of an array.
pub struct Elements<'p> {
    layout: &'p Layout,
    /// The forms of the elements; the only one is that of all.
    items: &'p [Node],
    is_tuple: bool,
    next: usize,
    bits: &'p mut BitWriter,
    depth: usize,
}

impl<'p> Elements<'p> {
    pub(super) fn array(
        layout: &'p Layout,
        item: &'p Node,
        bits: &'p mut BitWriter,
        depth: usize,
    ) -> Self {
        let items = std::slice::from_ref(item);
        Self { layout, items, is_tuple: false, next: 0, bits, depth }
    }

    pub(super) fn tuple(
        layout: &'p Layout,
        items: &'p [Node],
        bits: &'p mut BitWriter,
        depth: usize,
    ) -> Self {
        Self { layout, items, is_tuple: true, next: 0, bits, depth }
    }
}

impl ArraySink for Elements<'_> {
    type Element<'a>
        = Place<'a>
    where
        Self: 'a;

    #[inline]
    fn element(&mut self) -> Place<'_> {
        let node = &self.items[if self.is_tuple { self.next } else { 0 }];
        self.next += 1;
        Place { layout: self.layout, node, bits: self.bits, depth: self.depth, choice: None }
    }

    fn end(self) -> Result<(), Refusal> {
        Ok(())
    }
}

/// The texts of a `PackedStringArray`.
pub struct Texts<'p> {
    node: &'p Node,
    bits: &'p mut BitWriter,
}

impl<'p> Texts<'p> {
    pub(super) fn new(node: &'p Node, bits: &'p mut BitWriter) -> Self {
        Self { node, bits }
    }
}

impl StringsSink for Texts<'_> {
    fn push(&mut self, text: Text<'_>) -> Result<(), Refusal> {
        leaf::text(self.node, text, self.bits).unwrap_or(Ok(()))
    }

    fn end(self) -> Result<(), Refusal> {
        Ok(())
    }
}

/// The fields of a record or object, which may come in any order.
pub struct Fields<'p> {
    layout: &'p Layout,
    choice: Choice<'p>,
    bits: &'p mut BitWriter,
    /// For names, which are not written.
    unused: BitWriter,
    depth: usize,
    what: VariantType,
    /// The values of later fields that came too early, by their index.
    early: Vec<Option<BitWriter>>,
}

/// The field whose value comes next.
pub(super) struct Choice<'p> {
    fields: &'p [Field],
    current: Cell<usize>,
    /// All fields before this one have been written.
    written: Cell<usize>,
}

impl Choice<'_> {
    #[inline]
    pub(super) fn choose(&self, name: Text<'_>) -> Result<(), Refusal> {
        let written = self.written.get();
        let is_next = self.fields.get(written).is_some_and(|f| leaf::is(name, &f.name));
        let found = match is_next {
            true => Some(written),
            false => self.fields.iter().position(|field| leaf::is(name, &field.name)),
        };
        match found {
            Some(found) if found >= written => {
                self.current.set(found);
                Ok(())
            }
            Some(_) => {
                Err(does_not_fit(format!("the field `{}` is there twice", leaf::short(name))))
            }
            None => {
                let names: Vec<&str> = self.fields.iter().map(|field| &*field.name).collect();
                let names = names.join(", ");
                Err(does_not_fit(format!(
                    "`{}` is not a field; expected one of {names}",
                    leaf::short(name)
                )))
            }
        }
    }
}

/// The form of names.
static NAME: Node = Node::Text { ty: VariantType::String, max_length: None };

impl<'p> Fields<'p> {
    pub(super) fn new(
        layout: &'p Layout,
        fields: &'p [Field],
        bits: &'p mut BitWriter,
        (depth, what): (usize, VariantType),
    ) -> Self {
        let choice = Choice { fields, current: Cell::new(0), written: Cell::new(0) };
        Self { layout, choice, bits, unused: BitWriter::default(), depth, what, early: Vec::new() }
    }

    /// The place for a name.
    fn name(&mut self) -> Place<'_> {
        let (layout, depth) = (self.layout, self.depth);
        let bits = &mut self.unused;
        Place { layout, node: &NAME, bits, depth, choice: Some(&self.choice) }
    }

    /// The place for the value of the field that was chosen.
    #[inline]
    fn value(&mut self) -> Place<'_> {
        let (layout, depth) = (self.layout, self.depth);
        let Choice { fields, current, written } = &self.choice;
        let (fields, current) = (*fields, current.get());
        let node = &fields[current].node;
        if self.early.is_empty() && current == written.get() {
            written.set(current + 1);
            return Place { layout, node, bits: self.bits, depth, choice: None };
        }
        self.early.resize(fields.len(), None);
        let bits = self.early[current].insert(BitWriter::default());
        Place { layout, node, bits, depth, choice: None }
    }

    /// Writes the fields that came too early, and the defaults of those that did not come.
    fn finish(self) -> Result<(), Refusal> {
        let (fields, written) = (self.choice.fields, self.choice.written.get());
        let mut early = self.early.into_iter().skip(written);
        for field in &fields[written..] {
            if let Some(bits) = early.next().flatten() {
                self.bits.append(&bits);
                continue;
            }
            let Some(default) = &field.default else {
                return Err(does_not_fit(format!(
                    "this {} lacks the field `{}`, and the schema has no default for it",
                    self.what, field.name
                )));
            };
            let (layout, node, depth) = (self.layout, &field.node, self.depth);
            let place = Place { layout, node, bits: self.bits, depth, choice: None };
            default.emit(place).map_err(|refusal| refusal.at(segment(&field.name, self.what)))?;
        }
        Ok(())
    }
}

/// The properties of an object.
pub struct Properties<'p>(pub(super) Fields<'p>);

impl ObjectSink for Properties<'_> {
    type Value<'a>
        = Place<'a>
    where
        Self: 'a;

    fn property(&mut self, name: Text<'_>) -> Result<Place<'_>, Refusal> {
        self.0.choice.choose(name)?;
        Ok(self.0.value())
    }

    fn end(self) -> Result<(), Refusal> {
        self.0.finish()
    }
}

/// The entries of a dictionary.
pub enum Entries<'p> {
    /// The fields of a record.
    Record(Fields<'p>),
    /// The keys and values of a map, as the two items of a tuple, again and again.
    Map(Pairs<'p>),
}

/// The keys and values of a map.
pub struct Pairs<'p> {
    layout: &'p Layout,
    key: &'p Node,
    value: &'p Node,
    bits: &'p mut BitWriter,
    depth: usize,
}

impl<'p> Entries<'p> {
    pub(super) fn map(
        layout: &'p Layout,
        (key, value): (&'p Node, &'p Node),
        bits: &'p mut BitWriter,
        depth: usize,
    ) -> Self {
        Self::Map(Pairs { layout, key, value, bits, depth })
    }
}

impl DictionarySink for Entries<'_> {
    type Key<'a>
        = Place<'a>
    where
        Self: 'a;
    type Value<'a>
        = Place<'a>
    where
        Self: 'a;

    fn key(&mut self) -> Place<'_> {
        match self {
            Self::Record(fields) => fields.name(),
            Self::Map(Pairs { layout, key, bits, depth, .. }) => {
                Place { layout, node: key, bits, depth: *depth, choice: None }
            }
        }
    }

    #[inline]
    fn string_key(&mut self, text: Text<'_>) -> Result<(), Refusal> {
        match self {
            Self::Record(fields) => fields.choice.choose(text),
            Self::Map(_) => self.key().string(StringKind::String, text),
        }
    }

    #[inline]
    fn value(&mut self) -> Place<'_> {
        match self {
            Self::Record(fields) => fields.value(),
            Self::Map(Pairs { layout, value, bits, depth, .. }) => {
                Place { layout, node: value, bits, depth: *depth, choice: None }
            }
        }
    }

    fn end(self) -> Result<(), Refusal> {
        match self {
            Self::Record(fields) => fields.finish(),
            Self::Map(_) => Ok(()),
        }
    }
}
