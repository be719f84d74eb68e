//! Bytes to values.

mod compound;
mod containers;
mod packed;
mod runs;

use bytemuck::{Pod, pod_read_unaligned};
use godot_variant::{
    MAX_RECURSION_DEPTH, PackedType, Real, Refusal, Sink, StringKind, Text, VariantType,
};

use crate::cursor::Cursor;
use crate::error::{DecodeError, DecodeErrorKind};
use crate::header::{self, BOOL, COLOR, FLOAT, FLOAT_64, INT, STRING, VECTOR2, VECTOR3};
use crate::limits::{self, LimitBudget, Limits};
use crate::utf8;

pub(crate) use compound::ObjectHead;

/// What a decoder lets through.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DecodeOptions {
    /// Take objects with their properties, as `bytes_to_var_with_objects` does.
    ///
    /// Harmless when the sink is a [`Value`](godot_variant::Value). A sink that makes real objects runs the code of
    /// their scripts: never allow it for bytes from a stranger.
    pub allow_objects: bool,
    /// How much the value may be.
    pub limits: Limits,
    /// In a dialect of the documents: components of vectors have 64 bits. Elsewhere the bytes tell.
    pub double_precision: bool,
    /// In [`Dialect::GODOT_2`](crate::Dialect::GODOT_2): take an image or an input event, which are
    /// no values any more, as a `Dictionary` of its fields. In the dialects of Godot 2 and 3: keep the last value of keys that
    /// are the same in Godot 4 only, as dictionaries of equal content are.
    pub lossy: bool,
}

/// Reads values from bytes and emits them into a [`Sink`].
///
/// ```
/// use godot_variant_codec::{DecodeOptions, Decoder, encode, variant::Value};
///
/// let bytes = encode(&Value::from("hello"))?;
/// let mut decoder = Decoder::new(&bytes, DecodeOptions::default());
/// let mut value = Value::Nil;
/// decoder.decode_into(&mut value)?;
/// assert_eq!(value, Value::from("hello"));
/// assert_eq!(decoder.offset(), bytes.len());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Decoder<'a> {
    cursor: Cursor<'a>,
    budget: LimitBudget,
    options: DecodeOptions,
}

impl<'a> Decoder<'a> {
    /// A decoder that starts at the first of `bytes`.
    pub fn new(bytes: &'a [u8], options: DecodeOptions) -> Decoder<'a> {
        Decoder::at(bytes, 0, options)
    }

    /// A decoder that starts at byte number `offset`; errors count from the first of `bytes`.
    pub fn at(bytes: &'a [u8], offset: usize, options: DecodeOptions) -> Decoder<'a> {
        let budget = LimitBudget::new(options.limits);
        Decoder { cursor: Cursor::new(bytes, offset), budget, options }
    }

    /// The number of bytes read so far: where the next value starts.
    pub fn offset(&self) -> usize {
        self.cursor.position().min(self.cursor.bytes().len())
    }

    /// How many elements the value last read has left of the limit.
    pub(crate) fn elements_left(&self) -> usize {
        self.budget.elements_left()
    }

    /// Reads one value into `sink`.
    ///
    /// # Errors
    /// The first thing that is wrong. What the sink holds then is a part of the value; throw it
    /// away.
    pub fn decode_into<S: Sink>(&mut self, sink: S) -> Result<(), DecodeError> {
        self.decode_at_depth(sink, 0)
    }

    /// As [`Decoder::decode_into`], for a value that stands in `depth` containers: the limit of
    /// depth counts from the outermost one.
    ///
    /// # Errors
    /// As [`Decoder::decode_into`].
    pub fn decode_at_depth<S: Sink>(&mut self, sink: S, depth: usize) -> Result<(), DecodeError> {
        self.budget.restart();
        if self.cursor.remaining() <= self.options.limits.max_bytes {
            return self.inner_value(sink, depth);
        }
        self.decode_within(sink, depth)
    }

    /// As [`Decoder::decode_at_depth`], with an end of the bytes before their end.
    #[cold]
    fn decode_within<S: Sink>(&mut self, sink: S, depth: usize) -> Result<(), DecodeError> {
        let (bytes, start) = (self.cursor.bytes(), self.cursor.position());
        let limits = self.options.limits;
        let (within, cut) = limits::within(bytes, start, limits);
        self.cursor = Cursor::new(within, start);
        let decoded = self.value(sink, depth).map_err(|e| limits::explain_cut(e, cut, limits));
        self.cursor = Cursor::new(bytes, self.cursor.position());
        decoded
    }

    /// Starts to count against the limits anew, for who reads a value without
    /// [`Decoder::decode_into`].
    #[cfg(feature = "serde")]
    pub(crate) fn reset_limits(&mut self) {
        self.budget.restart();
    }

    pub(crate) fn cursor(&mut self) -> &mut Cursor<'a> {
        &mut self.cursor
    }

    pub(crate) fn options(&self) -> DecodeOptions {
        self.options
    }

    /// The header of the next value.
    #[inline]
    pub(crate) fn header(&mut self) -> Result<(u32, VariantType), DecodeError> {
        let header_at = self.cursor.position();
        let header = self.cursor.take_u32()?;
        match VariantType::from_id(header & header::TYPE_MASK) {
            Some(ty) => Ok((header, ty)),
            None => {
                let id = (header & header::TYPE_MASK) as u8;
                Err(DecodeError::new(DecodeErrorKind::UnknownType { id }, header_at))
            }
        }
    }

    pub(crate) fn value<S: Sink>(&mut self, sink: S, depth: usize) -> Result<(), DecodeError> {
        let start = self.cursor.position();
        let (header, ty) = self.header()?;
        let result = match ty {
            VariantType::Nil => sink.nil(),
            VariantType::Bool => sink.bool(self.cursor.take_u32()? != 0),
            VariantType::Int => sink.int(self.int(header)?),
            VariantType::Float => sink.float(self.float(header)?),
            VariantType::String => sink.string(StringKind::String, self.text(ty)?),
            VariantType::StringName => sink.string(StringKind::StringName, self.text(ty)?),
            VariantType::Vector2 => self.tell_reals::<S, 2>(sink, ty, header)?,
            VariantType::Vector3 => self.tell_reals::<S, 3>(sink, ty, header)?,
            VariantType::Rect2
            | VariantType::Vector4
            | VariantType::Plane
            | VariantType::Quaternion => self.tell_reals::<S, 4>(sink, ty, header)?,
            VariantType::Transform2D | VariantType::Aabb => {
                self.tell_reals::<S, 6>(sink, ty, header)?
            }
            VariantType::Basis => self.tell_reals::<S, 9>(sink, ty, header)?,
            VariantType::Transform3D => self.tell_reals::<S, 12>(sink, ty, header)?,
            VariantType::Projection => self.tell_reals::<S, 16>(sink, ty, header)?,
            VariantType::Vector2i => self.with_parts(|parts| sink.ints::<2>(ty, parts))?,
            VariantType::Vector3i => self.with_parts(|parts| sink.ints::<3>(ty, parts))?,
            VariantType::Rect2i | VariantType::Vector4i => {
                self.with_parts(|parts| sink.ints::<4>(ty, parts))?
            }
            VariantType::Color => self.with_parts(|parts| sink.color(parts))?,
            VariantType::NodePath => return self.node_path(sink, start),
            VariantType::Rid => sink.rid(self.cursor.take_u64()?),
            VariantType::Object => return self.object(sink, header, depth, start),
            VariantType::Callable => sink.callable(),
            VariantType::Signal => {
                let name = self.text(ty)?;
                sink.signal(name, self.cursor.take_u64()?)
            }
            VariantType::Dictionary => return self.dictionary(sink, header, depth, start),
            VariantType::Array => return self.array(sink, header, depth, start),
            VariantType::PackedByteArray => return self.packed(sink, PackedType::Byte, start),
            VariantType::PackedInt32Array => return self.packed(sink, PackedType::Int32, start),
            VariantType::PackedInt64Array => return self.packed(sink, PackedType::Int64, start),
            VariantType::PackedFloat32Array => {
                return self.packed(sink, PackedType::Float32, start);
            }
            VariantType::PackedFloat64Array => {
                return self.packed(sink, PackedType::Float64, start);
            }
            VariantType::PackedStringArray => return self.packed_strings(sink, start),
            VariantType::PackedVector2Array => {
                return self.packed_reals(sink, PackedType::Vector2, header, start);
            }
            VariantType::PackedVector3Array => {
                return self.packed_reals(sink, PackedType::Vector3, header, start);
            }
            VariantType::PackedColorArray => return self.packed(sink, PackedType::Color, start),
            VariantType::PackedVector4Array => {
                return self.packed_reals(sink, PackedType::Vector4, header, start);
            }
        };
        result.map_err(|refusal| refused(refusal, start))
    }

    /// As [`Decoder::value`], with what large containers are full of right here, in the loop of the
    /// container: the call of a function that can do everything takes longer than a number.
    #[inline(always)]
    fn inner_value<S: Sink>(&mut self, sink: S, depth: usize) -> Result<(), DecodeError> {
        let start = self.cursor.position();
        let Some((header, content)) = self.cursor.peek_header_and_u32() else {
            return self.value(sink, depth);
        };
        let result = match header {
            BOOL | INT | FLOAT => {
                self.cursor.skip_header_and_u32();
                tell_number(sink, header, content)
            }
            STRING | FLOAT_64 | VECTOR2 | VECTOR3 | COLOR => {
                self.cursor.take_u32()?;
                match header {
                    STRING => sink.string(StringKind::String, self.text(VariantType::String)?),
                    FLOAT_64 => sink.float(f64::from_bits(self.cursor.take_u64()?)),
                    VECTOR2 => self.tell_reals::<S, 2>(sink, VariantType::Vector2, header)?,
                    VECTOR3 => self.tell_reals::<S, 3>(sink, VariantType::Vector3, header)?,
                    _ => self.with_parts(|parts| sink.color(parts))?,
                }
            }
            _ => return self.value(sink, depth),
        };
        result.map_err(|refusal| refused(refusal, start))
    }

    /// A text no longer than is allowed.
    #[inline(always)]
    fn text(&mut self, what: VariantType) -> Result<Text<'a>, DecodeError> {
        match self.ascii_text() {
            Some(bytes) => Ok(Text::Ascii(bytes)),
            None => self.str(what).map(Text::Utf8),
        }
    }

    /// A text that is plain ASCII, as most are, and no longer than is allowed. Of anything else nothing is read yet.
    ///
    /// It is returned in two registers. A `Result` goes through memory, where the processor waits for it: a tenth of
    /// the time that a short text takes.
    fn ascii_text(&mut self) -> Option<&'a [u8]> {
        let content = self.cursor.peek_text()?;
        let text = utf8::ascii(content)?;
        self.budget.allows_text(text.len()).then(|| {
            self.cursor.skip_peeked_text(content.len());
            text
        })
    }

    /// As [`Decoder::text`], as a `str`.
    pub(crate) fn str(&mut self, what: VariantType) -> Result<&'a str, DecodeError> {
        let start = self.cursor.position();
        let text = self.cursor.take_str(what)?;
        self.budget.text(what, text.len(), start)?;
        Ok(text)
    }

    /// Takes the content of a container at `depth` off the limits.
    #[inline]
    pub(crate) fn open(
        &mut self,
        depth: usize,
        count: usize,
        start: usize,
    ) -> Result<(), DecodeError> {
        self.budget.open(depth, count, start)
    }

    /// Takes elements that hold nothing off the limits.
    pub(crate) fn count(&mut self, count: usize, start: usize) -> Result<(), DecodeError> {
        self.budget.count(count, start)
    }

    #[inline]
    pub(crate) fn int(&mut self, header: u32) -> Result<i64, DecodeError> {
        if header & header::FLAG_64 != 0 {
            self.cursor.take_u64().map(u64::cast_signed)
        } else {
            self.cursor.take_i32().map(i64::from)
        }
    }

    #[inline]
    pub(crate) fn float(&mut self, header: u32) -> Result<f64, DecodeError> {
        if header & header::FLAG_64 != 0 {
            self.cursor.take_u64().map(f64::from_bits)
        } else {
            self.cursor.take_u32().map(|bits| f64::from(f32::from_bits(bits)))
        }
    }

    /// Components in the precision that the header names, whatever the engine was built with.
    #[inline]
    fn tell_reals<S: Sink, const N: usize>(
        &mut self,
        sink: S,
        ty: VariantType,
        header: u32,
    ) -> Result<Result<(), Refusal>, DecodeError> {
        if header & header::FLAG_64 != 0 {
            self.with_parts(|parts: &[f64; N]| sink.reals(ty, &parts.map(|real| real as Real)))
        } else {
            self.with_parts(|parts| sink.reals::<N>(ty, parts))
        }
    }

    /// Tells the next `N` components, in place where they are aligned: to load words that were stored in
    /// other pieces just before takes longer than all the rest.
    #[inline]
    fn with_parts<T: Pod, const N: usize, R>(
        &mut self,
        emit: impl FnOnce(&[T; N]) -> R,
    ) -> Result<R, DecodeError> {
        let bytes = self.cursor.take(size_of::<[T; N]>())?;
        Ok(match bytemuck::try_from_bytes(bytes) {
            Ok(parts) => emit(parts),
            Err(_) => emit(&pod_read_unaligned(bytes)),
        })
    }
}

/// Decodes what starts with a bool, or a number of 32 bits: the quick way for who mostly meets them. None,
/// and nothing emitted into `sink`, if it is anything else.
///
/// ```
/// use godot_variant_codec::{decode_number, variant::Value};
///
/// let mut value = Value::Nil;
/// assert!(matches!(decode_number(&[2, 0, 0, 0, 7, 0, 0, 0], &mut value), Some(Ok(()))));
/// assert_eq!(value, Value::Int(7));
/// assert!(decode_number(&[0, 0, 0, 0, 0, 0, 0, 0], &mut value).is_none());
/// ```
#[inline(always)]
pub fn decode_number<S: Sink>(bytes: &[u8], sink: S) -> Option<Result<(), Refusal>> {
    let words = u64::from_le_bytes(*bytes.first_chunk()?);
    let header = words as u32;
    matches!(header, BOOL | INT | FLOAT).then(|| tell_number(sink, header, (words >> 32) as u32))
}

#[inline(always)]
fn tell_number<S: Sink>(sink: S, header: u32, content: u32) -> Result<(), Refusal> {
    match header {
        BOOL => sink.bool(content != 0),
        INT => sink.int(i64::from(content.cast_signed())),
        _ => sink.float(f64::from(f32::from_bits(content))),
    }
}

/// Refuses content that would stand too deep; an empty container may stand at the limit itself.
#[inline]
pub(crate) fn check_depth(depth: usize, count: usize, start: usize) -> Result<(), DecodeError> {
    if depth >= MAX_RECURSION_DEPTH && count > 0 {
        let kind = DecodeErrorKind::TooDeep { limit: MAX_RECURSION_DEPTH };
        return Err(DecodeError::new(kind, start));
    }
    Ok(())
}

#[cold]
pub(crate) fn refused(refusal: Refusal, start: usize) -> DecodeError {
    DecodeError::refused(refusal, start)
}
