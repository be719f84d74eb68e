//! What containers hold, one after the other.

use ::serde::de::{
    DeserializeSeed, Deserializer as _, EnumAccess, Error as _, MapAccess, SeqAccess, Visitor,
};
use godot_variant::{Segment, Value};

use super::Error;
use super::de::{Deserializer, located};
use crate::decode::Decoder;

/// The elements of an `Array`.
pub(super) struct ElementsAccess<'a, 'de> {
    decoder: &'a mut Decoder<'de>,
    depth: usize,
    index: usize,
    count: usize,
}

impl<'a, 'de> ElementsAccess<'a, 'de> {
    pub(super) fn new(
        decoder: &'a mut Decoder<'de>,
        depth: usize,
        count: usize,
    ) -> ElementsAccess<'a, 'de> {
        ElementsAccess { decoder, depth, index: 0, count }
    }

    /// To be called when the type has what it wants.
    pub(super) fn finish(self, count: usize) -> Result<(), Error> {
        if self.index < self.count {
            return Err(too_long(count, self.index));
        }
        Ok(())
    }
}

#[cold]
pub(super) fn too_long(count: usize, wanted: usize) -> Error {
    Error::invalid_length(count, &format!("{wanted} elements").as_str())
}

impl<'de> SeqAccess<'de> for &mut ElementsAccess<'_, 'de> {
    type Error = Error;

    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, Error> {
        if self.index == self.count {
            return Ok(None);
        }
        let (index, offset) = (self.index, self.decoder.offset());
        self.index += 1;
        seed.deserialize(Deserializer::at_depth(self.decoder, self.depth))
            .map(Some)
            .map_err(|error| located(error, Segment::Index(index), offset))
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.count - self.index)
    }
}

/// The entries of a `Dictionary`.
pub(super) struct EntriesAccess<'a, 'de> {
    decoder: &'a mut Decoder<'de>,
    depth: usize,
    index: usize,
    count: usize,
    /// Where the key started whose value is next.
    key_at: usize,
}

impl<'a, 'de> EntriesAccess<'a, 'de> {
    pub(super) fn new(
        decoder: &'a mut Decoder<'de>,
        depth: usize,
        count: usize,
    ) -> EntriesAccess<'a, 'de> {
        EntriesAccess { decoder, depth, index: 0, count, key_at: 0 }
    }

    pub(super) fn len(&self) -> usize {
        self.count
    }

    pub(super) fn finish(self) -> Result<(), Error> {
        if self.index < self.count {
            return Err(too_long(self.count, self.index));
        }
        Ok(())
    }

    /// The key again, which only a failure asks for.
    #[cold]
    fn key(&mut self) -> Value {
        let mut key = Value::Nil;
        let options = self.decoder.options();
        // It was read before, so it decodes.
        let _ =
            Decoder::at(self.decoder.cursor().bytes(), self.key_at, options).decode_into(&mut key);
        key
    }
}

impl<'de> MapAccess<'de> for &mut EntriesAccess<'_, 'de> {
    type Error = Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, Error> {
        if self.index == self.count {
            return Ok(None);
        }
        let index = self.index;
        self.key_at = self.decoder.offset();
        self.index += 1;
        seed.deserialize(Deserializer::at_depth(self.decoder, self.depth))
            .map(Some)
            .map_err(|error| located(error, Segment::EntryKey(index), self.key_at))
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Error> {
        let offset = self.decoder.offset();
        seed.deserialize(Deserializer::at_depth(self.decoder, self.depth))
            .map_err(|error| located(error, Segment::Key(self.key()), offset))
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.count - self.index)
    }
}

/// A variant with content: a `Dictionary` with one entry.
pub(super) struct VariantAccess<'a, 'de> {
    entries: EntriesAccess<'a, 'de>,
}

impl<'a, 'de> VariantAccess<'a, 'de> {
    pub(super) fn new(entries: EntriesAccess<'a, 'de>) -> VariantAccess<'a, 'de> {
        VariantAccess { entries }
    }

    fn content<T>(
        mut self,
        read: impl FnOnce(Deserializer<'_, 'de>) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let entries = &mut self.entries;
        let offset = entries.decoder.offset();
        read(Deserializer::at_depth(entries.decoder, entries.depth))
            .map_err(|error| located(error, Segment::Key(entries.key()), offset))
    }
}

impl<'de> EnumAccess<'de> for VariantAccess<'_, 'de> {
    type Error = Error;
    type Variant = Self;

    fn variant_seed<V: DeserializeSeed<'de>>(mut self, seed: V) -> Result<(V::Value, Self), Error> {
        let mut entries = &mut self.entries;
        match MapAccess::next_key_seed(&mut entries, seed)? {
            Some(name) => Ok((name, self)),
            None => Err(Error::custom("an enum's variant without a name")),
        }
    }
}

impl<'de> ::serde::de::VariantAccess<'de> for VariantAccess<'_, 'de> {
    type Error = Error;

    fn unit_variant(self) -> Result<(), Error> {
        self.content(|content| ::serde::Deserialize::deserialize(content))
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value, Error> {
        self.content(|content| seed.deserialize(content))
    }

    fn tuple_variant<V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value, Error> {
        self.content(|content| content.deserialize_tuple(len, visitor))
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.content(|content| content.deserialize_struct("", fields, visitor))
    }
}
