//! What containers hold, to bytes.

use godot_variant::{
    ArraySink, DictionarySink, ObjectSink, Plain, Refusal, StringsSink, Text, VariantType,
    emit_each,
};

use super::{Encoder, HEADER_LEN, put_short, put_text};
use crate::output::{Exact, Output};

/// Encodes what a container, an object or a `PackedStringArray` holds, one after the other.
pub struct EncodedContent<'o, O> {
    out: &'o mut O,
    depth: usize,
}

impl<'o, O: Output> EncodedContent<'o, O> {
    /// What is encoded stands `depth` levels deep in a value of which `out` holds, or will hold, the rest.
    pub fn at_depth(out: &'o mut O, depth: usize) -> Self {
        EncodedContent { out, depth }
    }

    #[inline(always)]
    fn next(&mut self) -> Encoder<'_, O> {
        Encoder { out: self.out, depth: self.depth }
    }
}

impl<O: Output> ArraySink for EncodedContent<'_, O> {
    type Element<'a>
        = Encoder<'a, O>
    where
        Self: 'a;

    #[inline(always)]
    fn element(&mut self) -> Encoder<'_, O> {
        self.next()
    }

    /// Whether there is room is asked once for all.
    #[inline(always)]
    fn run<T: Plain>(
        &mut self,
        run: impl ExactSizeIterator<Item = T>,
    ) -> Result<(), (usize, Refusal)> {
        let depth = self.depth;
        let max_len = run.len() * (HEADER_LEN + size_of::<T>().max(4));
        let Some(room) = self.out.room(max_len) else {
            return emit_each(run, self);
        };
        let mut out = Exact::new(room);
        let result = emit_each(run, &mut EncodedContent { out: &mut out, depth });
        let len = out.position();
        self.out.advance(len);
        result
    }

    fn end(self) -> Result<(), Refusal> {
        Ok(())
    }
}

impl<O: Output> DictionarySink for EncodedContent<'_, O> {
    type Key<'a>
        = Encoder<'a, O>
    where
        Self: 'a;
    type Value<'a>
        = Encoder<'a, O>
    where
        Self: 'a;

    #[inline(always)]
    fn key(&mut self) -> Encoder<'_, O> {
        self.next()
    }

    #[inline(always)]
    fn value(&mut self) -> Encoder<'_, O> {
        self.next()
    }

    fn end(self) -> Result<(), Refusal> {
        Ok(())
    }
}

impl<O: Output> ObjectSink for EncodedContent<'_, O> {
    type Value<'a>
        = Encoder<'a, O>
    where
        Self: 'a;

    fn property(&mut self, name: Text<'_>) -> Result<Encoder<'_, O>, Refusal> {
        self.next().put_text(VariantType::Object, name)?;
        Ok(self.next())
    }

    fn end(self) -> Result<(), Refusal> {
        Ok(())
    }
}

impl<O: Output> StringsSink for EncodedContent<'_, O> {
    /// Unlike every other text, these end with a NUL that counts.
    #[inline]
    fn push(&mut self, text: Text<'_>) -> Result<(), Refusal> {
        const NUL: usize = 1;
        if let Text::Utf32(units) = text
            && put_short(self.out, units, NUL, u32::to_le_bytes)
        {
            return Ok(());
        }
        let length_at = self.out.position();
        self.out.put_array([0; 4]);
        put_text(self.out, VariantType::PackedStringArray, length_at, text, NUL)
    }

    fn end(self) -> Result<(), Refusal> {
        Ok(())
    }
}
