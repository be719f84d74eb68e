//! Bytes to values, in any dialect.

use bytemuck::{Pod, cast_slice, pod_read_unaligned};
use variant::{
    ArraySink, ContainerTypeRef, DictionarySink, ENCODED_OBJECT_AS_ID, NodePathRef, ObjectSink,
    PackedType, Real, Segment, Sink, StringKind, StringsSink, Text, Value, VariantType,
};

use super::types::WireType;
use super::{Dialect, NodePathForms, NumberWidth, ObjectForms, RidForm, TypedContainers};
use super::{godot_2, node_path};
use crate::cursor::Cursor;
use crate::decode::{DecodeOptions, Decoder, refused};
use crate::error::{DecodeError, DecodeErrorKind};
use crate::header::{self, ContainerKind};
use crate::limits::{self, Meter};

/// Decodes one value of a dialect; bytes behind it are ignored.
///
/// ```
/// use variant_codec::{DecodeOptions, Dialect, decode_as, variant::Value};
/// let bytes = [2, 0, 0, 0, 7, 0, 0, 0, 0, 0, 0, 0];
/// let options = DecodeOptions::default();
/// assert_eq!(decode_as(&bytes, &Dialect::DOCS_3_0, options)?, Value::Int(7));
/// # Ok::<(), variant_codec::DecodeError>(())
/// ```
///
/// # Errors
/// The first thing that is wrong with the bytes.
pub fn decode_as(
    bytes: &[u8],
    dialect: &Dialect,
    options: DecodeOptions,
) -> Result<Value, DecodeError> {
    let mut value = Value::Nil;
    DialectDecoder::new(bytes, dialect, options).decode_into(&mut value)?;
    Ok(value)
}

/// Reads values of any dialect and tells them to a [`Sink`].
///
/// Godot 4's newest step is read by [`Decoder`], which is several times faster.
#[derive(Clone, Debug)]
pub struct DialectDecoder<'a, 'd> {
    cursor: Cursor<'a>,
    meter: Meter,
    dialect: &'d Dialect,
    options: DecodeOptions,
}

impl<'a, 'd> DialectDecoder<'a, 'd> {
    /// A decoder that starts at the first of `bytes`.
    pub fn new(bytes: &'a [u8], dialect: &'d Dialect, options: DecodeOptions) -> Self {
        DialectDecoder::at(bytes, 0, dialect, options)
    }

    /// A decoder that starts at byte number `offset`; errors count from the first of `bytes`.
    pub fn at(
        bytes: &'a [u8],
        offset: usize,
        dialect: &'d Dialect,
        options: DecodeOptions,
    ) -> Self {
        let meter = Meter::new(options.limits);
        DialectDecoder { cursor: Cursor::new(bytes, offset), meter, dialect, options }
    }

    /// The number of bytes read so far: where the next value starts.
    pub fn offset(&self) -> usize {
        self.cursor.position().min(self.cursor.bytes().len())
    }

    /// Reads one value into `sink`.
    ///
    /// # Errors
    /// The first thing that is wrong. What the sink holds then is a part of the value; throw it
    /// away.
    pub fn decode_into<S: Sink>(&mut self, sink: S) -> Result<(), DecodeError> {
        let (bytes, start) = (self.cursor.bytes(), self.cursor.position());
        if self.dialect.native {
            let mut decoder = Decoder::at(bytes, start, self.options);
            decoder.decode_into(sink)?;
            self.cursor = Cursor::new(bytes, decoder.offset());
            return Ok(());
        }
        self.table_driven(sink)
    }

    /// As [`Self::decode_into`], by the table also where a faster decoder exists: for tests.
    #[doc(hidden)]
    pub fn table_driven<S: Sink>(&mut self, sink: S) -> Result<(), DecodeError> {
        let (bytes, start) = (self.cursor.bytes(), self.cursor.position());
        let limits = self.options.limits;
        let (within, cut) = limits::within(bytes, start, limits);
        self.cursor = Cursor::new(within, start);
        self.meter = Meter::new(limits);
        let decoded = self.value(sink, 0).map_err(|e| limits::explain_cut(e, cut, limits));
        self.cursor = Cursor::new(bytes, self.cursor.position());
        decoded
    }

    fn value<S: Sink>(&mut self, sink: S, depth: usize) -> Result<(), DecodeError> {
        let start = self.cursor.position();
        let header = self.cursor.take_u32()?;
        let id = header & self.dialect.type_mask;
        let ty = match self.dialect.types.get(id as usize) {
            Some(WireType::Known(ty)) => *ty,
            Some(WireType::Image) => return self.old(sink, start, godot_2::take_image),
            Some(WireType::InputEvent) => return self.old(sink, start, godot_2::take_input_event),
            None => return Err(self.unknown_type(id, start)),
        };
        if !self.dialect.writes(ty) {
            return Err(self.not_in_dialect(ty, start));
        }
        let refused = |refusal| refused(refusal, start);
        match ty {
            VariantType::Nil => sink.nil().map_err(refused),
            VariantType::Bool => sink.bool(self.cursor.take_u32()? != 0).map_err(refused),
            VariantType::Int => sink.int(self.int(header)?).map_err(refused),
            VariantType::Float => sink.float(self.float(header)?).map_err(refused),
            VariantType::String => {
                sink.string(StringKind::String, Text::Utf8(self.text(ty)?)).map_err(refused)
            }
            VariantType::StringName => {
                sink.string(StringKind::StringName, Text::Utf8(self.text(ty)?)).map_err(refused)
            }
            VariantType::Vector2 => self.reals::<2, S>(sink, ty, header, start),
            VariantType::Vector3 => self.reals::<3, S>(sink, ty, header, start),
            VariantType::Rect2
            | VariantType::Vector4
            | VariantType::Plane
            | VariantType::Quaternion => self.reals::<4, S>(sink, ty, header, start),
            VariantType::Transform2D | VariantType::Aabb => {
                self.reals::<6, S>(sink, ty, header, start)
            }
            VariantType::Basis => self.reals::<9, S>(sink, ty, header, start),
            VariantType::Transform3D => self.reals::<12, S>(sink, ty, header, start),
            VariantType::Projection => self.reals::<16, S>(sink, ty, header, start),
            VariantType::Vector2i => sink.ints::<2>(ty, &self.parts()?).map_err(refused),
            VariantType::Vector3i => sink.ints::<3>(ty, &self.parts()?).map_err(refused),
            VariantType::Rect2i | VariantType::Vector4i => {
                sink.ints::<4>(ty, &self.parts()?).map_err(refused)
            }
            VariantType::Color => {
                let wide = self.wide(ty, header);
                sink.color(&self.floats(wide)?).map_err(refused)
            }
            VariantType::NodePath => self.node_path(sink, start),
            VariantType::Rid => {
                let has_id = self.dialect.rids == RidForm::Id;
                sink.rid(if has_id { self.cursor.take_u64()? } else { 0 }).map_err(refused)
            }
            VariantType::Object => self.object(sink, header, depth, start),
            VariantType::Callable => sink.callable().map_err(refused),
            VariantType::Signal => {
                let name = self.text(ty)?;
                sink.signal(Text::Utf8(name), self.cursor.take_u64()?).map_err(refused)
            }
            VariantType::Dictionary => self.dictionary(sink, header, depth, start),
            VariantType::Array => self.array(sink, header, depth, start),
            VariantType::PackedStringArray => self.packed_strings(sink, start),
            _ => self.packed(sink, ty, header, start),
        }
    }

    fn int(&mut self, header: u32) -> Result<i64, DecodeError> {
        if self.is_wide(self.dialect.int, header) {
            self.cursor.take_u64().map(u64::cast_signed)
        } else {
            self.cursor.take_i32().map(i64::from)
        }
    }

    fn float(&mut self, header: u32) -> Result<f64, DecodeError> {
        if self.is_wide(self.dialect.float, header) {
            self.cursor.take_u64().map(f64::from_bits)
        } else {
            self.cursor.take_u32().map(|bits| f64::from(f32::from_bits(bits)))
        }
    }

    fn is_wide(&self, width: NumberWidth, header: u32) -> bool {
        width == NumberWidth::Always64 || header & header::FLAG_64 != 0
    }

    fn wide(&self, ty: VariantType, header: u32) -> bool {
        self.dialect.wide_reals(ty, header, self.options.double_precision)
    }

    fn reals<const N: usize, S: Sink>(
        &mut self,
        sink: S,
        ty: VariantType,
        header: u32,
        start: usize,
    ) -> Result<(), DecodeError> {
        let wide = self.wide(ty, header);
        sink.reals::<N>(ty, &self.floats(wide)?).map_err(|refusal| refused(refusal, start))
    }

    fn floats<const N: usize>(&mut self, wide: bool) -> Result<[Real; N], DecodeError> {
        if wide { Ok(self.parts::<f64, N>()?.map(|real| real as Real)) } else { self.parts() }
    }

    fn parts<T: Pod, const N: usize>(&mut self) -> Result<[T; N], DecodeError> {
        self.cursor.take(size_of::<[T; N]>()).map(pod_read_unaligned)
    }

    fn text(&mut self, what: VariantType) -> Result<&'a str, DecodeError> {
        let start = self.cursor.position();
        let text = self.cursor.take_str(what)?;
        self.meter.text(what, text.len(), start)?;
        Ok(text)
    }

    /// A value that only Godot 2 has, as a dictionary where that may be.
    fn old<S: Sink>(
        &mut self,
        sink: S,
        start: usize,
        take: impl FnOnce(&mut Cursor<'a>) -> Result<(&'static str, Value), DecodeError>,
    ) -> Result<(), DecodeError> {
        let (name, nearest) = take(&mut self.cursor)?;
        if !self.options.lossy {
            return Err(DecodeError::new(DecodeErrorKind::NoSuchValue { name }, start));
        }
        variant::Source::describe(&nearest, sink).map_err(|refusal| refused(refusal, start))
    }

    fn node_path<S: Sink>(&mut self, sink: S, start: usize) -> Result<(), DecodeError> {
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
        self.meter.count(count, start)?;
        let mut texts = Vec::with_capacity(count);
        for _ in 0..count {
            texts.push(Text::Utf8(self.text(what)?));
        }
        let (names, subnames) = texts.split_at(name_count.min(total) as usize);
        let absolute = flags & header::NODE_PATH_ABSOLUTE != 0;
        sink.node_path(NodePathRef { absolute, names, subnames }).map_err(refused)
    }

    fn object<S: Sink>(
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
        self.meter.open(depth, count, start)?;
        let mut object = sink.object(Text::Utf8(class), count).map_err(refused)?;
        for _ in 0..count {
            let name = self.text(what)?;
            let value = object.property(Text::Utf8(name)).map_err(refused)?;
            self.value(value, depth + 1).map_err(|e| e.at(Segment::Property(name.into())))?;
        }
        object.end().map_err(refused)
    }

    fn dictionary<S: Sink>(
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
        self.meter.open(depth, count, start)?;
        let mut entries = sink.dictionary(key_type, value_type, count).map_err(refused)?;
        for index in 0..count {
            let before_key = self.clone();
            self.value(entries.key(), depth + 1).map_err(|e| e.at(Segment::EntryKey(index)))?;
            self.value(entries.value(), depth + 1)
                .map_err(|e| e.at(Segment::Key(before_key.key())))?;
        }
        entries.end().map_err(refused)
    }

    /// The key that starts here, which only a failure asks for.
    #[cold]
    fn key(mut self) -> Value {
        let mut key = Value::Nil;
        // It was decoded before, so it decodes.
        let _ = self.value(&mut key, 0);
        key
    }

    fn array<S: Sink>(
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
        self.meter.open(depth, count, start)?;
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

    fn packed<S: Sink>(
        &mut self,
        sink: S,
        ty: VariantType,
        header: u32,
        start: usize,
    ) -> Result<(), DecodeError> {
        let packed = PackedType::ALL.into_iter().find(|packed| packed.variant_type() == ty);
        let packed = packed.expect("every other type is taken care of before");
        let has_floats = packed.real_count().is_some() || packed == PackedType::Color;
        let wide = has_floats && self.wide(ty, header);
        let element_len = if wide { 2 * packed.element_len() } else { packed.element_len() };
        let count = self.packed_count(packed, element_len)?;
        let elements = self.cursor.take(count * element_len)?;
        self.cursor.skip_padding(elements.len());
        let told = if wide {
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
        told.map_err(|refusal| refused(refusal, start))
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

    fn packed_strings<S: Sink>(&mut self, sink: S, start: usize) -> Result<(), DecodeError> {
        let what = VariantType::PackedStringArray;
        let refused = |refusal| refused(refusal, start);
        let count_at = self.cursor.position();
        // A negative count is no string at all.
        let count = usize::try_from(self.cursor.take_i32()?).unwrap_or(0);
        let count = self.cursor.checked_count(what, count, 4, count_at)?;
        self.meter.count(count, start)?;
        let mut strings = sink.packed_strings(count).map_err(refused)?;
        for index in 0..count {
            let text = self.text(what).map_err(|e| e.at(Segment::Index(index)))?;
            strings.push(Text::Utf8(text)).map_err(refused)?;
        }
        strings.end().map_err(refused)
    }

    #[cold]
    fn unknown_type(&self, id: u32, start: usize) -> DecodeError {
        let (dialect, count) = (self.dialect.name, self.dialect.types.len());
        DecodeError::new(DecodeErrorKind::UnknownDialectType { id, dialect, count }, start)
    }

    #[cold]
    fn not_in_dialect(&self, what: VariantType, start: usize) -> DecodeError {
        let dialect = self.dialect.name;
        DecodeError::new(DecodeErrorKind::NotInDialect { what, dialect }, start)
    }
}
