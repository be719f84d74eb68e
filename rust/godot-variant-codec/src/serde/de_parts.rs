//! What packed arrays and types made of numbers hold, one after the other.

use ::serde::de::value::StringDeserializer;
use ::serde::de::{DeserializeSeed, SeqAccess, Visitor};
use ::serde::forward_to_deserialize_any;
use godot_variant::{PackedType, Segment, Value, VariantType};

use super::Error;
use super::de_access::too_long;

/// A number among others.
#[derive(Clone, Copy, Debug)]
enum Number {
    U8,
    I32,
    I64,
    F32,
    F64,
}

impl Number {
    fn len(self) -> usize {
        match self {
            Number::U8 => 1,
            Number::I32 | Number::F32 => 4,
            Number::I64 | Number::F64 => 8,
        }
    }
}

/// Numbers, or groups of them, that stand next to each other.
pub(super) struct PartsAccess<'b> {
    number: Number,
    /// How many numbers are one element: 1, or those of a vector.
    group: usize,
    rest: std::borrow::Cow<'b, [u8]>,
    position: usize,
}

impl<'b> PartsAccess<'b> {
    /// The components of a value that is made of numbers.
    pub(super) fn of(value: &'b Value) -> PartsAccess<'b> {
        let bytes = crate::encode(value).unwrap_or_default();
        let number = match value.variant_type() {
            VariantType::Vector2i
            | VariantType::Rect2i
            | VariantType::Vector3i
            | VariantType::Vector4i => Number::I32,
            _ => Number::F32,
        };
        let rest = bytes.get(4..).unwrap_or_default().to_vec().into();
        PartsAccess { number, group: 1, rest, position: 0 }
    }

    pub(super) fn packed(packed: PackedType, elements: &'b [u8]) -> PartsAccess<'b> {
        let (number, group) = match packed {
            PackedType::Byte => (Number::U8, 1),
            PackedType::Int32 => (Number::I32, 1),
            PackedType::Int64 => (Number::I64, 1),
            PackedType::Float32 => (Number::F32, 1),
            PackedType::Float64 => (Number::F64, 1),
            PackedType::Vector2 => (Number::F32, 2),
            PackedType::Vector3 => (Number::F32, 3),
            PackedType::Color | PackedType::Vector4 => (Number::F32, 4),
        };
        PartsAccess { number, group, rest: elements.into(), position: 0 }
    }

    fn element_len(&self) -> usize {
        self.group * self.number.len()
    }

    pub(super) fn finish(self) -> Result<(), Error> {
        if self.position < self.rest.len() {
            let len = self.element_len();
            return Err(too_long(self.rest.len() / len, self.position / len));
        }
        Ok(())
    }
}

impl<'de> SeqAccess<'de> for &mut PartsAccess<'_> {
    type Error = Error;

    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, Error> {
        let len = self.element_len();
        let Some(bytes) = self.rest.get(self.position..self.position + len) else {
            return Ok(None);
        };
        let index = self.position / len;
        let (number, group) = (self.number, self.group);
        let value = seed.deserialize(PartDeserializer { number, group, bytes });
        self.position += len;
        value.map(Some).map_err(|error| error.at(Segment::Index(index)))
    }

    fn size_hint(&self) -> Option<usize> {
        Some((self.rest.len() - self.position) / self.element_len())
    }
}

/// One number, or one vector of a packed array.
struct PartDeserializer<'b> {
    number: Number,
    group: usize,
    bytes: &'b [u8],
}

impl<'de> ::serde::Deserializer<'de> for PartDeserializer<'_> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        let PartDeserializer { number, group, bytes } = self;
        if group > 1 {
            let rest = bytes.into();
            let mut parts = PartsAccess { number, group: 1, rest, position: 0 };
            let value = visitor.visit_seq(&mut parts)?;
            return parts.finish().map(|()| value);
        }
        match number {
            Number::U8 => visitor.visit_u8(bytes[0]),
            Number::I32 => visitor.visit_i32(bytemuck::pod_read_unaligned(bytes)),
            Number::I64 => visitor.visit_i64(bytemuck::pod_read_unaligned(bytes)),
            Number::F32 => visitor.visit_f32(bytemuck::pod_read_unaligned(bytes)),
            Number::F64 => visitor.visit_f64(bytemuck::pod_read_unaligned(bytes)),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Error> {
        visitor.visit_newtype_struct(self)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit
        unit_struct seq tuple tuple_struct map struct enum identifier ignored_any
    }
}

/// The strings of a `PackedStringArray`.
pub(super) struct StringsAccess {
    strings: std::vec::IntoIter<Box<str>>,
    index: usize,
}

impl StringsAccess {
    pub(super) fn new(strings: Vec<Box<str>>) -> StringsAccess {
        StringsAccess { strings: strings.into_iter(), index: 0 }
    }

    pub(super) fn finish(self) -> Result<(), Error> {
        match self.strings.len() {
            0 => Ok(()),
            rest => Err(too_long(self.index + rest, self.index)),
        }
    }
}

impl<'de> SeqAccess<'de> for &mut StringsAccess {
    type Error = Error;

    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, Error> {
        let Some(text) = self.strings.next() else {
            return Ok(None);
        };
        let index = self.index;
        self.index += 1;
        seed.deserialize(StringDeserializer::<Error>::new(text.into()))
            .map(Some)
            .map_err(|error| error.at(Segment::Index(index)))
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.strings.len())
    }
}
