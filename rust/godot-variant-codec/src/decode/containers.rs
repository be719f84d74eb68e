//! Arrays and dictionaries.

use godot_variant::{
    ArraySink, ContainerTypeRef, DictionarySink, ENCODED_OBJECT_AS_ID, Segment, Sink, Value,
    VariantType,
};

use super::runs::Runs;
use super::{Decoder, refused};
use crate::error::{DecodeError, DecodeErrorKind};
use crate::header::{self, ContainerKind};

impl<'a> Decoder<'a> {
    pub(super) fn dictionary<S: Sink>(
        &mut self,
        sink: S,
        header: u32,
        depth: usize,
        start: usize,
    ) -> Result<(), DecodeError> {
        let refused = |refusal| refused(refusal, start);
        let what = VariantType::Dictionary;
        let key_type = self.container_type(what, header, header::DICTIONARY_KEY_SHIFT)?;
        let value_type = self.container_type(what, header, header::DICTIONARY_VALUE_SHIFT)?;
        let count = self.container_count(what, 8)?;
        self.open(depth, count, start)?;
        let mut entries = sink.dictionary(key_type, value_type, count).map_err(refused)?;
        for index in 0..count {
            let key_at = self.cursor.position();
            self.key(&mut entries, depth + 1).map_err(|e| e.at(Segment::EntryKey(index)))?;
            self.inner_value(entries.value(), depth + 1)
                .map_err(|e| e.at(Segment::Key(self.key_again(key_at))))?;
        }
        entries.end().map_err(refused)
    }

    #[inline]
    fn key<D: DictionarySink>(&mut self, entries: &mut D, depth: usize) -> Result<(), DecodeError> {
        let start = self.cursor.position();
        if self.cursor.peek_u32() != Some(header::plain(VariantType::String)) {
            return self.value(entries.key(), depth);
        }
        self.cursor.take_u32()?;
        let text = self.text(VariantType::String)?;
        entries.string_key(text).map_err(|refusal| refused(refusal, start))
    }

    /// Where the `count` values end that start at `start`, and were decoded before.
    #[cold]
    fn behind(&self, start: usize, count: usize) -> usize {
        let mut decoder = Decoder::at(self.cursor.bytes(), start, self.options);
        for _ in 0..count {
            let _ = decoder.decode_into(&mut Value::Nil);
        }
        decoder.offset()
    }

    /// The key that started at `key_at`, which only a failure asks for.
    #[cold]
    fn key_again(&self, key_at: usize) -> Value {
        let mut key = Value::Nil;
        let mut decoder = Decoder::at(self.cursor.bytes(), key_at, self.options);
        // It was decoded before, so it decodes.
        let _ = decoder.decode_into(&mut key);
        key
    }

    pub(super) fn array<S: Sink>(
        &mut self,
        sink: S,
        header: u32,
        depth: usize,
        start: usize,
    ) -> Result<(), DecodeError> {
        let refused = |refusal| refused(refusal, start);
        let what = VariantType::Array;
        let element_type = self.container_type(what, header, header::ARRAY_ELEMENT_SHIFT)?;
        let count = self.container_count(what, 4)?;
        self.open(depth, count, start)?;
        let mut elements = sink.array(element_type, count).map_err(refused)?;
        let (mut index, mut runs) = (0, Runs::default());
        while index < count {
            let run_at = self.cursor.position();
            if let Some((len, result)) = runs.emit(&mut self.cursor, index, count, &mut elements) {
                result.map_err(|(taken, refusal)| {
                    let element_at = self.behind(run_at, taken);
                    super::refused(refusal, element_at).at(Segment::Index(index + taken))
                })?;
                index += len;
                continue;
            }
            self.inner_value(elements.element(), depth + 1)
                .map_err(|e| e.at(Segment::Index(index)))?;
            index += 1;
        }
        elements.end().map_err(refused)
    }

    /// The declared type of a container's elements, after whose id or name the count stands.
    #[inline]
    pub(crate) fn container_type(
        &mut self,
        what: VariantType,
        header: u32,
        shift: u32,
    ) -> Result<ContainerTypeRef<'a>, DecodeError> {
        match ContainerKind::from_header(header, shift) {
            ContainerKind::None => Ok(ContainerTypeRef::Any),
            ContainerKind::Builtin => self.builtin_container_type(what),
            // Where objects are not allowed no class is looked up and no script is loaded: the
            // elements can only be ids.
            kind => {
                let text = self.str(what)?;
                Ok(match kind {
                    _ if !self.options.allow_objects => {
                        ContainerTypeRef::Class(ENCODED_OBJECT_AS_ID)
                    }
                    ContainerKind::Class => ContainerTypeRef::Class(text),
                    _ => ContainerTypeRef::Script(text),
                })
            }
        }
    }

    fn builtin_container_type(
        &mut self,
        what: VariantType,
    ) -> Result<ContainerTypeRef<'a>, DecodeError> {
        let id_at = self.cursor.position();
        let id = self.cursor.take_i32()?;
        match u32::try_from(id).ok().and_then(VariantType::from_id) {
            Some(VariantType::Nil) => Ok(ContainerTypeRef::Any),
            Some(VariantType::Object) if !self.options.allow_objects => {
                Ok(ContainerTypeRef::Class(ENCODED_OBJECT_AS_ID))
            }
            Some(ty) => Ok(ContainerTypeRef::Builtin(ty)),
            None => Err(DecodeError::new(DecodeErrorKind::UnknownElementType { what, id }, id_at)),
        }
    }

    #[inline]
    pub(crate) fn container_count(
        &mut self,
        what: VariantType,
        element_len: usize,
    ) -> Result<usize, DecodeError> {
        let count_at = self.cursor.position();
        let count = (self.cursor.take_u32()? & !header::COUNT_SHARED) as usize;
        self.cursor.checked_count(what, count, element_len, count_at)
    }
}
