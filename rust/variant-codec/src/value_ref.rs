//! Encoded values, read where they stand.

use variant::{ContainerTypeRef, PackedType, Value, VariantType};

use crate::decode::{DecodeOptions, Decoder};
use crate::error::DecodeError;
use crate::header;
use crate::skip::skip;

/// An encoded value that is read in place: nothing is copied until asked, and only what is walked
/// is checked.
///
/// ```
/// use variant_codec::{ValueRef, encode, variant::{Array, Value}};
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
#[derive(Clone, Copy, Debug)]
pub struct ValueRef<'a> {
    bytes: &'a [u8],
    /// Where the header stands.
    start: usize,
    header: u32,
    ty: VariantType,
    options: DecodeOptions,
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
    /// # Errors
    /// Where there is no header of a known type.
    pub fn with_options(
        bytes: &'a [u8],
        start: usize,
        options: DecodeOptions,
    ) -> Result<ValueRef<'a>, DecodeError> {
        let (header, ty) = Decoder::at(bytes, start, options).header()?;
        Ok(ValueRef { bytes, start, header, ty, options })
    }

    /// The value's type.
    pub fn variant_type(&self) -> VariantType {
        self.ty
    }

    /// Where the value starts in the buffer.
    pub fn offset(&self) -> usize {
        self.start
    }

    /// Decodes the whole value.
    ///
    /// # Errors
    /// The first thing that is wrong with it.
    pub fn to_value(&self) -> Result<Value, DecodeError> {
        let mut value = Value::Nil;
        Decoder::at(self.bytes, self.start, self.options).decode_into(&mut value)?;
        Ok(value)
    }

    /// The bytes that the value takes, the padding of a final `PackedByteArray` only if it is there.
    ///
    /// # Errors
    /// The first thing that hides where the value ends.
    pub fn encoded_bytes(&self) -> Result<&'a [u8], DecodeError> {
        let mut decoder = Decoder::at(self.bytes, self.start, self.options);
        skip(&mut decoder, 0)?;
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
    /// The bytes end too soon, or are not UTF-8.
    pub fn as_str(&self) -> Result<Option<&'a str>, DecodeError> {
        match self.ty {
            ty @ (VariantType::String | VariantType::StringName) => {
                self.read_as(ty, |d| d.cursor().take_str(ty))
            }
            _ => Ok(None),
        }
    }

    /// The elements of a packed array of fixed width, as they stand in the buffer: little-endian,
    /// at any alignment. `None` also where vectors are written in double precision.
    ///
    /// # Errors
    /// The bytes end too soon.
    pub fn as_packed(&self) -> Result<Option<(PackedType, &'a [u8])>, DecodeError> {
        let Some(packed) = PackedType::ALL.into_iter().find(|p| p.variant_type() == self.ty) else {
            return Ok(None);
        };
        if packed.real_count().is_some() && self.header & header::FLAG_64 != 0 {
            return Ok(None);
        }
        self.read_as(self.ty, |d| Ok((packed, d.packed_elements(packed, packed.element_len())?)))
    }

    /// The number of elements of an `Array`, or of entries of a `Dictionary` as written: a key
    /// that stands twice counts twice.
    ///
    /// # Errors
    /// The bytes end too soon, or cannot hold that many.
    pub fn len(&self) -> Result<Option<usize>, DecodeError> {
        match self.ty {
            VariantType::Array => Ok(Some(self.elements()?.map_or(0, |e| e.remaining))),
            VariantType::Dictionary => Ok(Some(self.entries()?.map_or(0, |e| e.remaining))),
            _ => Ok(None),
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
        match self.elements()? {
            Some(mut elements) => elements.nth(index).transpose(),
            None => Ok(None),
        }
    }

    /// The value under `key` of a `Dictionary`: the last one if the key stands there twice.
    ///
    /// # Errors
    /// The first thing that hides where the entries are, or a key that does not decode.
    pub fn get_key(&self, key: &Value) -> Result<Option<ValueRef<'a>>, DecodeError> {
        let Some(entries) = self.entries()? else {
            return Ok(None);
        };
        let mut found = None;
        for entry in entries {
            let (entry_key, value) = entry?;
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
        self.read_as(VariantType::Array, |decoder| {
            decoder.container_type(self.ty, self.header, header::ARRAY_ELEMENT_SHIFT)?;
            let remaining = decoder.container_count(self.ty, 4)?;
            Ok(Elements { decoder: decoder.clone(), remaining })
        })
    }

    /// The entries of a `Dictionary`, as written.
    ///
    /// # Errors
    /// The bytes end too soon, or cannot hold that many.
    pub fn entries(&self) -> Result<Option<Entries<'a>>, DecodeError> {
        self.read_as(VariantType::Dictionary, |decoder| {
            decoder.container_type(self.ty, self.header, header::DICTIONARY_KEY_SHIFT)?;
            decoder.container_type(self.ty, self.header, header::DICTIONARY_VALUE_SHIFT)?;
            let remaining = decoder.container_count(self.ty, 8)?;
            Ok(Entries { decoder: decoder.clone(), remaining })
        })
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
            Value::String(text) | Value::StringName(text) => Ok(self.as_str()? == Some(text)),
            _ if key.variant_type() != self.ty => Ok(false),
            _ => Ok(self.to_value()? == *key),
        }
    }
}

/// The elements of an encoded `Array`, from [`ValueRef::elements`].
#[derive(Clone, Debug)]
pub struct Elements<'a> {
    decoder: Decoder<'a>,
    remaining: usize,
}

/// The entries of an encoded `Dictionary`, from [`ValueRef::entries`].
#[derive(Clone, Debug)]
pub struct Entries<'a> {
    decoder: Decoder<'a>,
    remaining: usize,
}

impl<'a> Iterator for Elements<'a> {
    type Item = Result<ValueRef<'a>, DecodeError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.remaining = self.remaining.checked_sub(1)?;
        let element = next_value(&mut self.decoder);
        if element.is_err() {
            self.remaining = 0;
        }
        Some(element)
    }
}

impl<'a> Iterator for Entries<'a> {
    type Item = Result<(ValueRef<'a>, ValueRef<'a>), DecodeError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.remaining = self.remaining.checked_sub(1)?;
        let entry =
            next_value(&mut self.decoder).and_then(|key| Ok((key, next_value(&mut self.decoder)?)));
        if entry.is_err() {
            self.remaining = 0;
        }
        Some(entry)
    }
}

/// The value that the decoder stands at, behind which it stands then.
fn next_value<'a>(decoder: &mut Decoder<'a>) -> Result<ValueRef<'a>, DecodeError> {
    let (bytes, start) = (decoder.cursor().bytes(), decoder.cursor().position());
    let value = ValueRef::with_options(bytes, start, decoder.options())?;
    skip(decoder, 0)?;
    Ok(value)
}
