//! What the decoder of any dialect does with values that hold others: paths, objects, containers and
//! packed arrays.

use bytemuck::cast_slice;
use godot_variant::{
    ArraySink, ContainerTypeRef, DictionarySink, ENCODED_OBJECT_AS_ID, NodePathRef, ObjectSink,
    PackedType, Segment, Sink, StringsSink, Text, Value, VariantType,
};

use super::decode::DialectDecoder;
use super::types::WireType;
use super::{NodePathForms, ObjectForms, TypedContainers, node_path};
use crate::decode::refused;
use crate::error::{DecodeError, DecodeErrorKind};
use crate::header::{self, ContainerKind};

impl<'a> DialectDecoder<'a, '_> {
    pub(super) fn node_path<S: Sink>(&mut self, sink: S, start: usize) -> Result<(), DecodeError> {
        let what = VariantType::NodePath;
        let refused = |refusal| refused(refusal, start);
        let first = self.cursor.clone().take_u32()?;
        if first & header::NODE_PATH_NEW_FORMAT == 0 {
            if self.dialect.node_paths != NodePathForms::NamesOrText {
                return Err(DecodeError::new(DecodeErrorKind::ObsoleteNodePath, start + 4));
            }
            let text = self.text(what)?;
            return node_path::with_parsed(text, |path| sink.node_path(path)).map_err(refused);
        }
        let count_at = self.cursor.position();
        self.cursor.take_u32()?;
        let name_count = first & !header::NODE_PATH_NEW_FORMAT;
        let subname_count = self.cursor.take_u32()?;
        let flags = self.cursor.take_u32()?;
        let extra = u32::from(flags & header::NODE_PATH_EXTRA_SUBNAME != 0);
        // The sum wraps in the engines, too.
        let total = name_count.wrapping_add(subname_count.wrapping_add(extra));
        let count = self.cursor.checked_count(what, total as usize, 4, count_at)?;
        self.budget.count(count, start)?;
        let mut texts = Vec::with_capacity(count);
        for _ in 0..count {
            texts.push(Text::Utf8(self.text(what)?));
        }
        let (names, subnames) = texts.split_at(name_count.min(total) as usize);
        let absolute = flags & header::NODE_PATH_ABSOLUTE != 0;
        sink.node_path(NodePathRef { absolute, names, subnames }).map_err(refused)
    }

    pub(super) fn object<S: Sink>(
        &mut self,
        sink: S,
        header: u32,
        depth: usize,
        start: usize,
    ) -> Result<(), DecodeError> {
        let what = VariantType::Object;
        let refused = |refusal| refused(refusal, start);
        if self.dialect.objects == ObjectForms::NullOnly {
            return sink.null_object().map_err(refused);
        }
        if header & header::FLAG_OBJECT_AS_ID != 0 {
            let id = self.cursor.take_u64()?;
            return if id == 0 { sink.null_object() } else { sink.object_id(id) }.map_err(refused);
        }
        let null_is_allowed = self.dialect.objects == ObjectForms::NullWithoutClass
            && self.cursor.clone().take_u32()? == 0;
        if !self.options.allow_objects && !null_is_allowed {
            return Err(DecodeError::new(DecodeErrorKind::ObjectsNotAllowed, start));
        }
        let class = self.text(what)?;
        if class.is_empty() {
            return sink.null_object().map_err(refused);
        }
        let count_at = self.cursor.position();
        // A negative count is no property at all.
        let count = usize::try_from(self.cursor.take_i32()?).unwrap_or(0);
        let count = self.cursor.checked_count(what, count, 8, count_at)?;
        self.budget.open(depth, count, start)?;
        let mut object = sink.object(Text::Utf8(class), count).map_err(refused)?;
        for _ in 0..count {
            let name = self.text(what)?;
            let value = object.property(Text::Utf8(name)).map_err(refused)?;
            self.value(value, depth + 1).map_err(|e| e.at(Segment::Property(name.into())))?;
        }
        object.end().map_err(refused)
    }

    pub(super) fn dictionary<S: Sink>(
        &mut self,
        sink: S,
        header: u32,
        depth: usize,
        start: usize,
    ) -> Result<(), DecodeError> {
        let what = VariantType::Dictionary;
        let refused = |refusal| refused(refusal, start);
        let typed = self.dialect.typed == TypedContainers::ArraysAndDictionaries;
        let header = if typed { header } else { 0 };
        let key_type = self.container_type(what, header, header::DICTIONARY_KEY_SHIFT)?;
        let value_type = self.container_type(what, header, header::DICTIONARY_VALUE_SHIFT)?;
        let count = self.container_count(what, 8)?;
        self.budget.open(depth, count, start)?;
        let mut entries = sink.dictionary(key_type, value_type, count).map_err(refused)?;
        let mut has_container_key = false;
        for index in 0..count {
            let before_key = self.clone();
            has_container_key |= before_key.is_at_container();
            self.value(entries.key(), depth + 1).map_err(|e| e.at(Segment::EntryKey(index)))?;
            self.value(entries.value(), depth + 1)
                .map_err(|e| e.at(Segment::Key(before_key.key())))?;
        }
        if self.dialect.dictionaries_differ
            && has_container_key
            && !self.options.lossy
            && let Some(kept) = entries.key_count().filter(|&kept| kept < count)
        {
            return Err(DecodeError::new(DecodeErrorKind::EqualKeys { count, kept }, start));
        }
        entries.end().map_err(refused)
    }

    /// Whether the value that starts here is a dictionary, or may hold one.
    fn is_at_container(&self) -> bool {
        let id = self.cursor.clone().take_u32().map_or(0, |header| header & self.dialect.type_mask);
        let ty = self.dialect.types.get(id as usize);
        let is = |container| ty == Some(&WireType::Known(container));
        is(VariantType::Dictionary) || is(VariantType::Array)
    }

    /// The key that starts here, which only a failure asks for.
    #[cold]
    fn key(mut self) -> Value {
        let mut key = Value::Nil;
        // It was decoded before, so it decodes.
        let _ = self.value(&mut key, 0);
        key
    }

    pub(super) fn array<S: Sink>(
        &mut self,
        sink: S,
        header: u32,
        depth: usize,
        start: usize,
    ) -> Result<(), DecodeError> {
        let what = VariantType::Array;
        let refused = |refusal| refused(refusal, start);
        let typed = self.dialect.typed >= TypedContainers::Arrays;
        let header = if typed { header } else { 0 };
        let element_type = self.container_type(what, header, header::ARRAY_ELEMENT_SHIFT)?;
        let count = self.container_count(what, 4)?;
        self.budget.open(depth, count, start)?;
        let mut elements = sink.array(element_type, count).map_err(refused)?;
        for index in 0..count {
            self.value(elements.element(), depth + 1).map_err(|e| e.at(Segment::Index(index)))?;
        }
        elements.end().map_err(refused)
    }

    /// The declared type of a container's elements, as in Godot 4.
    fn container_type(
        &mut self,
        what: VariantType,
        header: u32,
        shift: u32,
    ) -> Result<ContainerTypeRef<'a>, DecodeError> {
        let kind = ContainerKind::from_header(header, shift);
        let objects = ContainerTypeRef::Class(ENCODED_OBJECT_AS_ID);
        match kind {
            ContainerKind::None => Ok(ContainerTypeRef::Any),
            ContainerKind::Builtin => {
                let id_at = self.cursor.position();
                let id = self.cursor.take_i32()?;
                let found = usize::try_from(id).ok().and_then(|id| self.dialect.types.get(id));
                match found {
                    Some(WireType::Known(VariantType::Nil)) => Ok(ContainerTypeRef::Any),
                    Some(WireType::Known(VariantType::Object)) if !self.options.allow_objects => {
                        Ok(objects)
                    }
                    Some(WireType::Known(ty)) => Ok(ContainerTypeRef::Builtin(*ty)),
                    _ => {
                        let kind = DecodeErrorKind::UnknownElementType { what, id };
                        Err(DecodeError::new(kind, id_at))
                    }
                }
            }
            ContainerKind::Class | ContainerKind::Script => {
                let text = self.text(what)?;
                Ok(match kind {
                    _ if !self.options.allow_objects => objects,
                    ContainerKind::Class => ContainerTypeRef::Class(text),
                    _ => ContainerTypeRef::Script(text),
                })
            }
        }
    }

    fn container_count(
        &mut self,
        what: VariantType,
        element_len: usize,
    ) -> Result<usize, DecodeError> {
        let count_at = self.cursor.position();
        let count = (self.cursor.take_u32()? & !header::COUNT_SHARED) as usize;
        self.cursor.checked_count(what, count, element_len, count_at)
    }

    pub(super) fn packed<S: Sink>(
        &mut self,
        sink: S,
        ty: VariantType,
        header: u32,
        start: usize,
    ) -> Result<(), DecodeError> {
        let packed = PackedType::of(ty).expect("every other type is taken care of before");
        let has_floats = packed.real_count().is_some() || packed == PackedType::Color;
        let wide = has_floats && self.wide(ty, header);
        let element_len = if wide { 2 * packed.element_len() } else { packed.element_len() };
        let count = self.packed_count(packed, element_len)?;
        let elements = self.cursor.take(count * element_len)?;
        self.cursor.skip_padding(elements.len());
        let result = if wide {
            let narrow: Vec<f32> = elements
                .as_chunks()
                .0
                .iter()
                .map(|float| f64::from_le_bytes(*float) as f32)
                .collect();
            sink.packed(packed, cast_slice(&narrow))
        } else {
            sink.packed(packed, elements)
        };
        result.map_err(|refusal| refused(refusal, start))
    }

    fn packed_count(
        &mut self,
        packed: PackedType,
        element_len: usize,
    ) -> Result<usize, DecodeError> {
        let what = packed.variant_type();
        let count_at = self.cursor.position();
        let count = if packed == PackedType::Int64 && self.dialect.int64_count_len == 8 {
            self.cursor.take_u64()?.cast_signed()
        } else {
            i64::from(self.cursor.take_i32()?)
        };
        let Ok(count) = usize::try_from(count) else {
            let len = count.max(i64::from(i32::MIN)) as i32;
            return Err(DecodeError::new(DecodeErrorKind::NegativeLength { what, len }, count_at));
        };
        self.cursor.checked_count(what, count, element_len, count_at)
    }

    pub(super) fn packed_strings<S: Sink>(
        &mut self,
        sink: S,
        start: usize,
    ) -> Result<(), DecodeError> {
        let what = VariantType::PackedStringArray;
        let refused = |refusal| refused(refusal, start);
        let count_at = self.cursor.position();
        // A negative count is no string at all.
        let count = usize::try_from(self.cursor.take_i32()?).unwrap_or(0);
        let count = self.cursor.checked_count(what, count, 4, count_at)?;
        self.budget.count(count, start)?;
        let mut strings = sink.packed_strings(count).map_err(refused)?;
        for index in 0..count {
            let text = self.text(what).map_err(|e| e.at(Segment::Index(index)))?;
            strings.push(Text::Utf8(text)).map_err(refused)?;
        }
        strings.end().map_err(refused)
    }
}
