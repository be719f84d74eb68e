//! One by one over what an encoded container holds.

use godot_variant::{Segment, VariantType};

use crate::decode::Decoder;
use crate::error::DecodeError;
use crate::skip::{self, Skipper};
use crate::value_ref::ValueRef;

/// What a container holds many of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unit {
    /// One value: `Array`.
    Element,
    /// Two values: `Dictionary`.
    Entry,
    /// A text without a header: `PackedStringArray`.
    Text,
}

/// A place in a container, between two of its units.
#[derive(Clone, Debug)]
pub(crate) struct Walk<'a> {
    decoder: Decoder<'a>,
    /// The number of the next unit.
    index: usize,
    count: usize,
    unit: Unit,
    /// Where the content stands.
    depth: usize,
}

impl<'a> Walk<'a> {
    pub(crate) fn new(decoder: Decoder<'a>, count: usize, unit: Unit, depth: usize) -> Walk<'a> {
        Walk { decoder, index: 0, count, unit, depth }
    }

    /// Leaves out the rest.
    fn end(&mut self) {
        self.index = self.count;
    }

    pub(crate) fn remaining(&self) -> usize {
        self.count - self.index
    }

    /// The number of the next unit.
    pub(crate) fn index(&self) -> usize {
        self.index
    }

    /// Where the next unit starts.
    pub(crate) fn position(&mut self) -> usize {
        self.decoder.cursor().position()
    }

    /// Goes on at the unit number `index`, which starts at `position`.
    pub(crate) fn resume(&mut self, index: usize, position: usize) {
        self.index = index;
        self.decoder.cursor().move_to(position);
    }

    /// The value at this place, which is the key if it is an entry's.
    #[inline]
    pub(crate) fn peek(&mut self) -> Result<Option<ValueRef<'a>>, DecodeError> {
        if self.remaining() == 0 {
            return Ok(None);
        }
        self.value_here().map(Some).map_err(|error| match self.unit {
            Unit::Entry => error.at(Segment::EntryKey(self.index)),
            Unit::Element | Unit::Text => error.at(Segment::Index(self.index)),
        })
    }

    /// The text at this place.
    pub(crate) fn text(&mut self) -> Result<Option<&'a str>, DecodeError> {
        if self.remaining() == 0 {
            return Ok(None);
        }
        let text = self.decoder.clone().str(VariantType::PackedStringArray);
        text.map(Some).map_err(|error| error.at(Segment::Index(self.index)))
    }

    /// Steps over `count` units, of which there must be as many.
    pub(crate) fn skip(&mut self, count: usize, skipper: &mut Skipper) -> Result<(), DecodeError> {
        let end = self.index + count;
        let values = match self.unit {
            Unit::Element => 1,
            Unit::Entry => 2,
            Unit::Text => 0,
        };
        if values > 0 {
            match skipper.skip(&mut self.decoder, count, values, self.depth) {
                Ok(()) => self.index = end,
                Err(skipped) => self.index += skipped,
            }
        }
        while self.index < end {
            self.skip_one()?;
        }
        Ok(())
    }

    /// Steps over an element and tells it.
    fn next_element(&mut self, skipper: &mut Skipper) -> Result<Option<ValueRef<'a>>, DecodeError> {
        let element = self.peek()?;
        if element.is_some() {
            self.skip(1, skipper)?;
        }
        Ok(element)
    }

    /// Steps over an entry and tells its key and its value.
    #[inline]
    pub(crate) fn next_entry(
        &mut self,
        skipper: &mut Skipper,
    ) -> Result<Option<(ValueRef<'a>, ValueRef<'a>)>, DecodeError> {
        let Some(key) = self.peek()? else { return Ok(None) };
        skip::skip(&mut self.decoder, self.depth)
            .map_err(|error| error.at(Segment::EntryKey(self.index)))?;
        let value = self
            .value_here()
            .and_then(|value| match skipper.skip(&mut self.decoder, 1, 1, self.depth) {
                Ok(()) => Ok(value),
                // Once more, to say what is wrong.
                Err(_) => skip::skip(&mut self.decoder, self.depth).map(|()| value),
            })
            .map_err(|error| error.at(skip::key_segment(&key.to_value(), self.index)))?;
        self.index += 1;
        Ok(Some((key, value)))
    }

    fn skip_one(&mut self) -> Result<(), DecodeError> {
        let (decoder, index) = (&mut self.decoder, self.index);
        match self.unit {
            Unit::Element => skip::skip_element(decoder, index, self.depth)?,
            Unit::Entry => skip::skip_entry(decoder, index, self.depth)?,
            Unit::Text => decoder
                .cursor()
                .skip_text(VariantType::PackedStringArray)
                .map_err(|error| error.at(Segment::Index(index)))?,
        }
        self.index += 1;
        Ok(())
    }

    #[inline]
    fn value_here(&mut self) -> Result<ValueRef<'a>, DecodeError> {
        let (bytes, start) = (self.decoder.cursor().bytes(), self.decoder.cursor().position());
        ValueRef::at_depth(bytes, start, self.decoder.options(), self.depth)
    }
}

/// The elements of an encoded `Array`, from [`ValueRef::elements`].
#[derive(Clone, Debug)]
pub struct Elements<'a> {
    walk: Walk<'a>,
    skipper: Skipper,
}

/// The entries of an encoded `Dictionary`, from [`ValueRef::entries`].
#[derive(Clone, Debug)]
pub struct Entries<'a> {
    walk: Walk<'a>,
    skipper: Skipper,
}

impl<'a> Elements<'a> {
    pub(crate) fn new(walk: Walk<'a>) -> Elements<'a> {
        Elements { skipper: Skipper::new(walk.remaining()), walk }
    }
}

impl<'a> Entries<'a> {
    pub(crate) fn new(walk: Walk<'a>) -> Entries<'a> {
        Entries { skipper: Skipper::new(walk.remaining()), walk }
    }
}

impl<'a> Iterator for Elements<'a> {
    type Item = Result<ValueRef<'a>, DecodeError>;

    fn next(&mut self) -> Option<Self::Item> {
        let element = self.walk.next_element(&mut self.skipper);
        if element.is_err() {
            self.walk.end();
        }
        element.transpose()
    }

    fn nth(&mut self, count: usize) -> Option<Self::Item> {
        if count >= self.walk.remaining() {
            self.walk.end();
            return None;
        }
        match self.walk.skip(count, &mut self.skipper) {
            Ok(()) => self.next(),
            Err(error) => {
                self.walk.end();
                Some(Err(error))
            }
        }
    }
}

impl<'a> Iterator for Entries<'a> {
    type Item = Result<(ValueRef<'a>, ValueRef<'a>), DecodeError>;

    fn next(&mut self) -> Option<Self::Item> {
        let entry = self.walk.next_entry(&mut self.skipper);
        if entry.is_err() {
            self.walk.end();
        }
        entry.transpose()
    }
}
