//! Encoded bytes into any Rust value.

use ::serde::de::value::{BorrowedStrDeserializer, BytesDeserializer};
use ::serde::de::{Error as _, Unexpected, Visitor};
use ::serde::forward_to_deserialize_any;
use godot_variant::{Object, PackedType, Segment, Shape, Value, VariantType};

use super::de_access::{ElementsAccess, EntriesAccess, VariantAccess};
use super::de_parts::{PartsAccess, StringsAccess};
use super::types::Wrapped;
use super::{Error, types};
use crate::decode::Decoder;
use crate::{ValueRef, header, skip};

/// Gives the next value of a [`Decoder`] to a Rust type.
///
/// For several values in one buffer, or other [`DecodeOptions`](crate::DecodeOptions) than
/// [`from_bytes`](super::from_bytes) has.
///
/// ```
/// use serde::Deserialize;
/// use godot_variant_codec::serde::Deserializer;
/// use godot_variant_codec::{DecodeOptions, Decoder};
///
/// let bytes = [1, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 7, 0, 0, 0];
/// let mut decoder = Decoder::new(&bytes, DecodeOptions::default());
/// assert_eq!(bool::deserialize(Deserializer::new(&mut decoder))?, true);
/// assert_eq!(u8::deserialize(Deserializer::new(&mut decoder))?, 7);
/// # Ok::<(), godot_variant_codec::serde::Error>(())
/// ```
#[derive(Debug)]
pub struct Deserializer<'a, 'de> {
    decoder: &'a mut Decoder<'de>,
    depth: usize,
}

impl<'a, 'de> Deserializer<'a, 'de> {
    /// Reads the value that starts where `decoder` stands. Of the decoder's limits all hold but
    /// `max_bytes`: give it no more bytes than that.
    pub fn new(decoder: &'a mut Decoder<'de>) -> Deserializer<'a, 'de> {
        decoder.reset_limits();
        Deserializer::at_depth(decoder, 0)
    }

    pub(super) fn at_depth(decoder: &'a mut Decoder<'de>, depth: usize) -> Deserializer<'a, 'de> {
        Deserializer { decoder, depth }
    }

    /// The type of the value, which stays where it is.
    fn peek(&mut self) -> Result<VariantType, Error> {
        Ok(self.view()?.variant_type())
    }

    /// The value as it stands, which stays there.
    fn view(&mut self) -> Result<ValueRef<'de>, Error> {
        let (start, options) = (self.decoder.offset(), self.decoder.options());
        Ok(ValueRef::with_options(self.decoder.cursor().bytes(), start, options)?)
    }

    /// A value that holds no other values.
    fn leaf(&mut self) -> Result<Value, Error> {
        let mut value = Value::Nil;
        self.decoder.value(&mut value, self.depth)?;
        Ok(value)
    }

    /// The text of a String or StringName.
    fn text(&mut self) -> Result<&'de str, Error> {
        let (_, ty) = self.decoder.header()?;
        Ok(self.decoder.str(ty)?)
    }

    fn array<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        let Deserializer { decoder, depth } = self;
        let start = decoder.offset();
        let (header, ty) = decoder.header()?;
        decoder.container_type(ty, header, header::ARRAY_ELEMENT_SHIFT)?;
        let count = decoder.container_count(ty, 4)?;
        decoder.open(depth, count, start)?;
        let mut elements = ElementsAccess::new(decoder, depth + 1, count);
        let value = visitor.visit_seq(&mut elements)?;
        elements.finish(count).map(|()| value)
    }

    fn dictionary<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        let mut entries = self.entries()?;
        let value = visitor.visit_map(&mut entries)?;
        entries.finish().map(|()| value)
    }

    fn entries(self) -> Result<EntriesAccess<'a, 'de>, Error> {
        let Deserializer { decoder, depth } = self;
        let start = decoder.offset();
        let (header, ty) = decoder.header()?;
        decoder.container_type(ty, header, header::DICTIONARY_KEY_SHIFT)?;
        decoder.container_type(ty, header, header::DICTIONARY_VALUE_SHIFT)?;
        let count = decoder.container_count(ty, 8)?;
        decoder.open(depth, count, start)?;
        Ok(EntriesAccess::new(decoder, depth + 1, count))
    }

    /// A type that is made of numbers.
    fn parts<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value, Error> {
        let value = self.leaf()?;
        let mut parts = PartsAccess::of(&value);
        let value = visitor.visit_seq(&mut parts)?;
        parts.finish().map(|()| value)
    }

    fn packed<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value, Error> {
        // In double precision the elements are not as they stand.
        if let Some((packed, elements)) = self.view()?.as_packed()? {
            skip::skip(self.decoder, self.depth)?;
            return packed_elements(packed, elements, visitor);
        }
        match self.leaf()? {
            Value::PackedStringArray(strings) => {
                let mut strings = StringsAccess::new(strings);
                let value = visitor.visit_seq(&mut strings)?;
                strings.finish().map(|()| value)
            }
            Value::PackedVector2Array(data) => {
                packed_elements(PackedType::Vector2, bytemuck::cast_slice(&data), visitor)
            }
            Value::PackedVector3Array(data) => {
                packed_elements(PackedType::Vector3, bytemuck::cast_slice(&data), visitor)
            }
            Value::PackedVector4Array(data) => {
                packed_elements(PackedType::Vector4, bytemuck::cast_slice(&data), visitor)
            }
            other => {
                Err(Error::custom(format!("cannot read a value of type {}", other.variant_type())))
            }
        }
    }
}

fn packed_elements<'de, V: Visitor<'de>>(
    packed: PackedType,
    elements: &[u8],
    visitor: V,
) -> Result<V::Value, Error> {
    let mut parts = PartsAccess::packed(packed, elements);
    let value = visitor.visit_seq(&mut parts)?;
    parts.finish().map(|()| value)
}

impl<'de> ::serde::Deserializer<'de> for Deserializer<'_, 'de> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value, Error> {
        let ty = self.peek()?;
        match ty.shape() {
            Shape::Text => visitor.visit_borrowed_str(self.text()?),
            Shape::Container if ty == VariantType::Array => self.array(visitor),
            Shape::Container => self.dictionary(visitor),
            Shape::Packed => self.packed(visitor),
            Shape::Reals(_) | Shape::Ints(_) | Shape::Color => self.parts(visitor),
            Shape::Empty | Shape::Scalar | Shape::Compound => match self.leaf()? {
                Value::Nil => visitor.visit_unit(),
                Value::Bool(value) => visitor.visit_bool(value),
                Value::Int(value) => visitor.visit_i64(value),
                Value::Float(value) => visitor.visit_f64(value),
                Value::Rid(id) => visitor.visit_u64(id),
                Value::NodePath(path) => visitor.visit_string(path.to_string()),
                Value::Object(object) => match *object {
                    Object::Null => visitor.visit_unit(),
                    Object::Id(id) => visitor.visit_u64(id),
                    Object::Full { .. } => Err(unreadable(ty)),
                },
                _ => Err(unreadable(ty)),
            },
        }
    }

    fn deserialize_option<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value, Error> {
        match self.peek()? {
            VariantType::Nil => {
                self.leaf()?;
                visitor.visit_none()
            }
            _ => visitor.visit_some(self),
        }
    }

    fn deserialize_bytes<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value, Error> {
        if self.peek()? != VariantType::PackedByteArray {
            return self.deserialize_any(visitor);
        }
        match self.view()?.as_packed()? {
            Some((_, bytes)) => {
                skip::skip(self.decoder, self.depth)?;
                visitor.visit_borrowed_bytes(bytes)
            }
            None => match self.leaf()? {
                Value::PackedByteArray(bytes) => visitor.visit_byte_buf(bytes),
                other => Err(unreadable(other.variant_type())),
            },
        }
    }

    fn deserialize_byte_buf<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.deserialize_bytes(visitor)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        mut self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Error> {
        match types::Wrapped::from_token(name) {
            None => visitor.visit_newtype_struct(self),
            Some(Wrapped::Variant) => {
                let mut value = Value::Nil;
                self.decoder.value(&mut value, self.depth)?;
                let bytes = crate::encode(&value)?;
                visitor.visit_newtype_struct(BytesDeserializer::<Error>::new(&bytes))
            }
            Some(Wrapped::Type(wanted)) => match self.peek()? {
                found if found == wanted => visitor.visit_newtype_struct(self),
                found => Err(Error::invalid_type(Unexpected::Other(found.name()), &visitor)),
            },
        }
    }

    fn deserialize_enum<V: Visitor<'de>>(
        mut self,
        _name: &'static str,
        _variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        match self.peek()? {
            VariantType::String | VariantType::StringName => {
                let name = self.text()?;
                visitor.visit_enum(BorrowedStrDeserializer::<Error>::new(name))
            }
            VariantType::Dictionary => {
                let entries = self.entries()?;
                if entries.len() != 1 {
                    let message = "an enum's variant is a Dictionary with one entry, this one has";
                    return Err(Error::custom(format!("{message} {}", entries.len())));
                }
                visitor.visit_enum(VariantAccess::new(entries))
            }
            found => Err(Error::invalid_type(Unexpected::Other(found.name()), &visitor)),
        }
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        skip::skip(self.decoder, self.depth)?;
        visitor.visit_unit()
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string unit unit_struct seq
        tuple tuple_struct map struct identifier
    }
}

#[cold]
fn unreadable(ty: VariantType) -> Error {
    Error::custom(format!("a {ty} can only be read as a `Variant`"))
}

/// The step to an element, with the place where it starts.
pub(super) fn located(error: Error, segment: Segment, offset: usize) -> Error {
    error.or_offset(offset).at(segment)
}
