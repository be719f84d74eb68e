//! Bytes to values, in any dialect.

use bytemuck::{Pod, pod_read_unaligned};
use godot_variant::{Real, Sink, StringKind, Text, Value, VariantType};

use super::types::WireType;
use super::{Dialect, NumberWidth, RidForm, godot_2};
use crate::cursor::Cursor;
use crate::decode::{DecodeOptions, Decoder, refused};
use crate::error::{DecodeError, DecodeErrorKind};
use crate::header;
use crate::limits::{self, LimitBudget};

/// Decodes one value of a dialect; bytes behind it are ignored.
///
/// ```
/// use godot_variant_codec::{DecodeOptions, Dialect, decode_as, variant::Value};
/// let bytes = [2, 0, 0, 0, 7, 0, 0, 0, 0, 0, 0, 0];
/// let options = DecodeOptions::default();
/// assert_eq!(decode_as(&bytes, &Dialect::DOCS_3_0, options)?, Value::Int(7));
/// # Ok::<(), godot_variant_codec::DecodeError>(())
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

/// Reads values of any dialect and emits them into a [`Sink`].
///
/// Godot 4's newest step is read by [`Decoder`], which is several times faster.
#[derive(Clone, Debug)]
pub struct DialectDecoder<'a, 'd> {
    pub(super) cursor: Cursor<'a>,
    pub(super) budget: LimitBudget,
    pub(super) dialect: &'d Dialect,
    pub(super) options: DecodeOptions,
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
        let budget = LimitBudget::new(options.limits);
        DialectDecoder { cursor: Cursor::new(bytes, offset), budget, dialect, options }
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
        self.budget = LimitBudget::new(limits);
        let decoded = self.value(sink, 0).map_err(|e| limits::explain_cut(e, cut, limits));
        self.cursor = Cursor::new(bytes, self.cursor.position());
        decoded
    }

    pub(super) fn value<S: Sink>(&mut self, sink: S, depth: usize) -> Result<(), DecodeError> {
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

    pub(super) fn wide(&self, ty: VariantType, header: u32) -> bool {
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

    pub(super) fn text(&mut self, what: VariantType) -> Result<&'a str, DecodeError> {
        let start = self.cursor.position();
        let text = self.cursor.take_str(what)?;
        self.budget.text(what, text.len(), start)?;
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
        godot_variant::Source::emit(&nearest, sink).map_err(|refusal| refused(refusal, start))
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
