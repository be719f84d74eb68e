//! Encodes what stands in containers, in any dialect.

use godot_variant::{
    ArraySink, DictionarySink, ObjectSink, Refusal, Sink, StringKind, StringsSink, Text,
    VariantType,
};

use super::encode::DialectEncoder;
use crate::encode::put_text;
use crate::output::Output;

/// Encodes what a container, an object or a `PackedStringArray` holds, one after the other.
pub struct DialectContent<'o, O> {
    /// The place of whatever comes next.
    pub(super) place: DialectEncoder<'o, O>,
    /// The properties of an object are written as entries of a dictionary.
    pub(super) names_are_keys: bool,
}

impl<O: Output> DialectContent<'_, O> {
    fn next(&mut self) -> DialectEncoder<'_, O> {
        let DialectEncoder { depth, dialect, options, .. } = self.place;
        DialectEncoder { out: &mut *self.place.out, depth, dialect, options }
    }
}

impl<O: Output> ArraySink for DialectContent<'_, O> {
    type Element<'a>
        = DialectEncoder<'a, O>
    where
        Self: 'a;

    fn element(&mut self) -> DialectEncoder<'_, O> {
        self.next()
    }

    fn end(self) -> Result<(), Refusal> {
        Ok(())
    }
}

impl<O: Output> DictionarySink for DialectContent<'_, O> {
    type Key<'a>
        = DialectEncoder<'a, O>
    where
        Self: 'a;
    type Value<'a>
        = DialectEncoder<'a, O>
    where
        Self: 'a;

    fn key(&mut self) -> DialectEncoder<'_, O> {
        self.next()
    }

    fn value(&mut self) -> DialectEncoder<'_, O> {
        self.next()
    }

    fn end(self) -> Result<(), Refusal> {
        Ok(())
    }
}

impl<O: Output> ObjectSink for DialectContent<'_, O> {
    type Value<'a>
        = DialectEncoder<'a, O>
    where
        Self: 'a;

    fn property(&mut self, name: Text<'_>) -> Result<DialectEncoder<'_, O>, Refusal> {
        if self.names_are_keys {
            self.next().string(StringKind::String, name)?;
        } else {
            self.next().put_text(VariantType::Object, name)?;
        }
        Ok(self.next())
    }

    fn end(self) -> Result<(), Refusal> {
        Ok(())
    }
}

impl<O: Output> StringsSink for DialectContent<'_, O> {
    fn push(&mut self, text: Text<'_>) -> Result<(), Refusal> {
        let mut place = self.next();
        let length_at = place.out.position();
        place.put_u32(0);
        let nul = usize::from(place.dialect.strings_end_with_nul);
        put_text(place.out, VariantType::PackedStringArray, length_at, text, nul)
    }

    fn end(self) -> Result<(), Refusal> {
        Ok(())
    }
}
