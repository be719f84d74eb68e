//! Encoded values, read where they stand.

use godot_variant::{ContainerTypeRef, PackedType, Sink, Value, VariantType};

use crate::decode::{DecodeOptions, Decoder};
use crate::element_index::ElementIndex;
use crate::error::DecodeError;
use crate::limits;
use crate::packed_elements::PackedElements;
use crate::skip::{Skipper, skip};
use crate::walk::{Elements, Entries, Unit, Walk};
use crate::{header, utf8};

/// An encoded value that is read in place: nothing is copied until asked, and only what is walked
/// is checked.
///
/// ```
/// use godot_variant_codec::{ValueRef, encode, variant::{Array, Value}};
///
/// let bytes = encode(&Value::from(Array::from_iter([Value::Int(1), Value::from("two")])))?;
/// let array = ValueRef::new(&bytes)?;
/// let second = array.get(1)?.expect("there are two");
/// assert_eq!(second.as_str()?, Some("two")); // borrowed from `bytes`
/// assert!(array.get(2)?.is_none());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Reading as another type than the value has gives `None`; an error means that the bytes are
/// broken there.
///
/// [`Limits`](crate::Limits) hold for what is looked at: `max_bytes` for the outermost value when it is
/// opened; `max_depth` for each container that is walked, counted from the outermost; `max_elements` for
/// what one container holds that is walked; `max_string` for each text that is read. What is decoded out
/// of a view is held to all of them. What is only stepped over may be deeper or longer, and costs
/// nothing but the step.
#[derive(Clone, Copy, Debug)]
pub struct ValueRef<'a> {
    bytes: &'a [u8],
    /// Where the header stands.
    start: usize,
    header: u32,
    ty: VariantType,
    options: DecodeOptions,
    /// The number of containers around the value.
    depth: usize,
}

impl<'a> ValueRef<'a> {
    /// The value at the start of `bytes`.
    ///
    /// # Errors
    /// Where there is no header of a known type.
    pub fn new(bytes: &'a [u8]) -> Result<ValueRef<'a>, DecodeError> {
        ValueRef::with_options(bytes, 0, DecodeOptions::default())
    }

    /// The value at byte number `start` of `bytes`, letting through what `options` say.
    ///
    /// Where there are more bytes than it may have, it is stepped over once to see where it ends.
    ///
    /// # Errors
    /// Where there is no header of a known type, or the value takes more than `max_bytes`.
    pub fn with_options(
        bytes: &'a [u8],
        start: usize,
        options: DecodeOptions,
    ) -> Result<ValueRef<'a>, DecodeError> {
        let limits = options.limits;
        if bytes.len().saturating_sub(start) > limits.max_bytes {
            let (within, cut) = limits::within(bytes, start, limits);
            skip(&mut Decoder::at(within, start, options), 0)
                .map_err(|error| limits::explain_cut(error, cut, limits))?;
        }
        ValueRef::at_depth(bytes, start, options, 0)
    }

    /// The value at byte number `start` of `bytes`, which stands in `depth` containers: the limit
    /// of depth counts from the outermost one, whose bytes were held to the limit when it was opened.
    ///
    /// # Errors
    /// Where there is no header of a known type.
    pub fn at_depth(
        bytes: &'a [u8],
        start: usize,
        options: DecodeOptions,
        depth: usize,
    ) -> Result<ValueRef<'a>, DecodeError> {
        let (header, ty) = Decoder::at(bytes, start, options).header()?;
        Ok(ValueRef { bytes, start, header, ty, options, depth })
    }

    /// The value's type.
    pub fn variant_type(&self) -> VariantType {
        self.ty
    }

    /// Where the value starts in the buffer.
    pub fn offset(&self) -> usize {
        self.start
    }

    /// How many containers the value stands in.
    pub fn depth(&self) -> usize {
        self.depth
    }

    /// Decodes the whole value.
    ///
    /// # Errors
    /// The first thing that is wrong with it.
    pub fn to_value(&self) -> Result<Value, DecodeError> {
        let mut value = Value::Nil;
        self.decode_into(&mut value)?;
        Ok(value)
    }

    /// Decodes the whole value into `sink`.
    ///
    /// # Errors
    /// The first thing that is wrong with it.
    pub fn decode_into<S: Sink>(&self, sink: S) -> Result<(), DecodeError> {
        Decoder::at(self.bytes, self.start, self.options).decode_at_depth(sink, self.depth)
    }

    /// The bytes that the value takes, the padding of a final `PackedByteArray` only if it is there.
    ///
    /// # Errors
    /// The first thing that hides where the value ends.
    pub fn encoded_bytes(&self) -> Result<&'a [u8], DecodeError> {
        let mut decoder = Decoder::at(self.bytes, self.start, self.options);
        skip(&mut decoder, self.depth)?;
        Ok(&self.bytes[self.start..decoder.offset()])
    }

    /// A bool.
    ///
    /// # Errors
    /// The bytes end too soon.
    pub fn as_bool(&self) -> Result<Option<bool>, DecodeError> {
        self.read_as(VariantType::Bool, |d| Ok(d.cursor().take_u32()? != 0))
    }

    /// An int.
    ///
    /// # Errors
    /// The bytes end too soon.
    pub fn as_int(&self) -> Result<Option<i64>, DecodeError> {
        self.read_as(VariantType::Int, |d| d.int(self.header))
    }

    /// A float.
    ///
    /// # Errors
    /// The bytes end too soon.
    pub fn as_float(&self) -> Result<Option<f64>, DecodeError> {
        self.read_as(VariantType::Float, |d| d.float(self.header))
    }

    /// The text of a `String` or a `StringName`.
    ///
    /// # Errors
    /// The bytes end too soon, are not UTF-8, or more than `max_string`.
    pub fn as_str(&self) -> Result<Option<&'a str>, DecodeError> {
        match self.ty {
            ty @ (VariantType::String | VariantType::StringName) => self.read_as(ty, |d| d.str(ty)),
            _ => Ok(None),
        }
    }

    /// The elements of a packed array of fixed width, as they stand in the buffer: little-endian,
    /// at any alignment. `None` also where vectors are written in double precision.
    ///
    /// # Errors
    /// The bytes end too soon.
    pub fn as_packed(&self) -> Result<Option<(PackedType, &'a [u8])>, DecodeError> {
        Ok(self.packed()?.and_then(|packed| packed.as_bytes()))
    }

    /// The element number `index` of a packed array, `PackedStringArray` included.
    ///
    /// # Errors
    /// The bytes end too soon; the text is not UTF-8, or hidden by one whose length is wrong.
    pub fn packed_element(&self, index: usize) -> Result<Option<Value>, DecodeError> {
        if self.ty == VariantType::PackedStringArray {
            let text = ElementIndex::default().string(*self, index)?;
            return Ok(text.map(|text| Value::String(text.into())));
        }
        Ok(self.packed()?.and_then(|packed| packed.get(index)))
    }

    /// The number of elements of an `Array` or a packed array, or of entries of a `Dictionary` as
    /// written: a key that stands twice counts twice.
    ///
    /// # Errors
    /// The bytes end too soon, or cannot hold that many.
    pub fn len(&self) -> Result<Option<usize>, DecodeError> {
        match self.ty {
            VariantType::Array | VariantType::Dictionary | VariantType::PackedStringArray => {
                Ok(self.walk()?.map(|walk| walk.remaining()))
            }
            _ => Ok(self.packed()?.map(|packed| packed.len())),
        }
    }

    /// Whether this is a container without content.
    ///
    /// # Errors
    /// As [`ValueRef::len`].
    pub fn is_empty(&self) -> Result<bool, DecodeError> {
        Ok(self.len()? == Some(0))
    }

    /// What the elements of an `Array` are declared to be.
    ///
    /// # Errors
    /// The bytes end too soon, or name a type that does not exist.
    pub fn element_type(&self) -> Result<Option<ContainerTypeRef<'a>>, DecodeError> {
        self.read_as(VariantType::Array, |decoder| {
            decoder.container_type(self.ty, self.header, header::ARRAY_ELEMENT_SHIFT)
        })
    }

    /// The element number `index` of an `Array`.
    ///
    /// # Errors
    /// The first thing that hides where the element starts.
    pub fn get(&self, index: usize) -> Result<Option<ValueRef<'a>>, DecodeError> {
        ElementIndex::default().get(*self, index)
    }

    /// The value under `key` of a `Dictionary`: the last one if the key stands there twice.
    ///
    /// All entries are walked, since a later one may have the same key.
    ///
    /// # Errors
    /// The first thing that hides where the entries are, or a key that does not decode.
    pub fn get_key(&self, key: &Value) -> Result<Option<ValueRef<'a>>, DecodeError> {
        let Some(mut walk) = self.walk_of(VariantType::Dictionary)? else {
            return Ok(None);
        };
        let mut found = None;
        let mut skipper = Skipper::new(walk.remaining());
        while let Some((entry_key, value)) = walk.next_entry(&mut skipper)? {
            if entry_key.is_key(key)? {
                found = Some(value);
            }
        }
        Ok(found)
    }

    /// The elements of an `Array`.
    ///
    /// # Errors
    /// The bytes end too soon, or cannot hold that many.
    pub fn elements(&self) -> Result<Option<Elements<'a>>, DecodeError> {
        Ok(self.walk_of(VariantType::Array)?.map(Elements::new))
    }

    /// The entries of a `Dictionary`, as written.
    ///
    /// # Errors
    /// The bytes end too soon, or cannot hold that many.
    pub fn entries(&self) -> Result<Option<Entries<'a>>, DecodeError> {
        Ok(self.walk_of(VariantType::Dictionary)?.map(Entries::new))
    }

    pub(crate) fn elements_walk(&self) -> Result<Option<Walk<'a>>, DecodeError> {
        self.walk_of(VariantType::Array)
    }

    pub(crate) fn entries_walk(&self) -> Result<Option<Walk<'a>>, DecodeError> {
        self.walk_of(VariantType::Dictionary)
    }

    pub(crate) fn strings_walk(&self) -> Result<Option<Walk<'a>>, DecodeError> {
        self.walk_of(VariantType::PackedStringArray)
    }

    fn walk_of(&self, ty: VariantType) -> Result<Option<Walk<'a>>, DecodeError> {
        if self.ty == ty { self.walk() } else { Ok(None) }
    }

    /// The walk over what an `Array`, a `Dictionary` or a `PackedStringArray` holds.
    fn walk(&self) -> Result<Option<Walk<'a>>, DecodeError> {
        let mut decoder = Decoder::at(self.bytes, self.start + 4, self.options);
        let (count, unit) = match self.ty {
            VariantType::Array => {
                decoder.container_type(self.ty, self.header, header::ARRAY_ELEMENT_SHIFT)?;
                (decoder.container_count(self.ty, 4)?, Unit::Element)
            }
            VariantType::Dictionary => {
                decoder.container_type(self.ty, self.header, header::DICTIONARY_KEY_SHIFT)?;
                decoder.container_type(self.ty, self.header, header::DICTIONARY_VALUE_SHIFT)?;
                (decoder.container_count(self.ty, 8)?, Unit::Entry)
            }
            VariantType::PackedStringArray => (decoder.strings_count()?, Unit::Text),
            _ => return Ok(None),
        };
        match unit {
            Unit::Text => decoder.count(count, self.start)?,
            Unit::Element | Unit::Entry => decoder.open(self.depth, count, self.start)?,
        }
        Ok(Some(Walk::new(decoder, count, unit, self.depth + 1)))
    }

    /// The elements of a packed array of fixed width.
    fn packed(&self) -> Result<Option<PackedElements<'a>>, DecodeError> {
        let Some(ty) = PackedType::of(self.ty) else { return Ok(None) };
        let wide = ty.real_count().is_some() && self.header & header::FLAG_64 != 0;
        self.read_as(self.ty, |decoder| PackedElements::read(decoder, ty, wide))
    }

    /// Runs `read` behind the header, if the value has type `ty`.
    fn read_as<T>(
        &self,
        ty: VariantType,
        read: impl FnOnce(&mut Decoder<'a>) -> Result<T, DecodeError>,
    ) -> Result<Option<T>, DecodeError> {
        if self.ty != ty {
            return Ok(None);
        }
        read(&mut Decoder::at(self.bytes, self.start + 4, self.options)).map(Some)
    }

    /// Whether this is the key `key`, as the engine compares keys.
    fn is_key(&self, key: &Value) -> Result<bool, DecodeError> {
        match key {
            Value::String(text) | Value::StringName(text) => self.is_text(text),
            _ if key.variant_type() != self.ty => Ok(false),
            _ => Ok(self.to_value()? == *key),
        }
    }

    /// Whether this is a `String` or a `StringName` that reads `text`.
    fn is_text(&self, text: &str) -> Result<bool, DecodeError> {
        match self.ty {
            ty @ (VariantType::String | VariantType::StringName) => Ok(self
                .read_as(ty, |decoder| decoder.cursor().take_text_bytes(ty))?
                .is_some_and(|bytes| utf8::reads(bytes, text))),
            _ => Ok(false),
        }
    }
}
