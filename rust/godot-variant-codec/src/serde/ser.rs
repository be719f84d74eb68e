//! Any Rust value into any sink.

use ::serde::ser::{Error as _, Serialize};
use godot_variant::{
    ContainerTypeRef, Dictionary, DictionarySink, PackedType, Sink, Source, StringKind, Text, Value,
};

use super::collect::{self, Collected};
use super::ser_content::{ArraySerializer, DictionarySerializer, VariantSerializer};
use super::{Error, types};
use crate::decode::{DecodeOptions, Decoder};

/// Tells a Rust value to a [`Sink`].
///
/// ```
/// use serde::Serialize;
/// use godot_variant_codec::serde::Serializer;
/// use godot_variant_codec::variant::Value;
///
/// let mut value = Value::Nil;
/// "hello".serialize(Serializer::new(&mut value))?;
/// assert_eq!(value, Value::from("hello"));
/// # Ok::<(), godot_variant_codec::serde::Error>(())
/// ```
pub struct Serializer<S>(S);

impl<S: Sink> Serializer<S> {
    /// Fills `sink`.
    pub fn new(sink: S) -> Serializer<S> {
        Serializer(sink)
    }

    fn int<T: Copy + ToString>(self, value: T) -> Result<(), Error>
    where
        i64: TryFrom<T>,
    {
        match i64::try_from(value) {
            Ok(value) => Ok(self.0.int(value)?),
            Err(_) => Err(Error::custom(format!(
                "the number {} does not fit in an int, which has 64 bits and a sign",
                value.to_string()
            ))),
        }
    }
}

/// Methods for one whole number each.
macro_rules! ints {
    ($($method:ident $number:ty;)*) => {$(
        fn $method(self, value: $number) -> Result<(), Error> {
            self.int(value)
        }
    )*};
}

impl<S: Sink> ::serde::Serializer for Serializer<S> {
    type Ok = ();
    type Error = Error;
    type SerializeSeq = ArraySerializer<S>;
    type SerializeTuple = ArraySerializer<S>;
    type SerializeTupleStruct = ArraySerializer<S>;
    type SerializeTupleVariant = VariantSerializer<S>;
    type SerializeMap = DictionarySerializer<S>;
    type SerializeStruct = DictionarySerializer<S>;
    type SerializeStructVariant = VariantSerializer<S>;

    fn serialize_bool(self, value: bool) -> Result<(), Error> {
        Ok(self.0.bool(value)?)
    }

    ints! {
        serialize_i8 i8;
        serialize_i16 i16;
        serialize_i32 i32;
        serialize_i64 i64;
        serialize_i128 i128;
        serialize_u8 u8;
        serialize_u16 u16;
        serialize_u32 u32;
        serialize_u64 u64;
        serialize_u128 u128;
    }

    fn serialize_f32(self, value: f32) -> Result<(), Error> {
        Ok(self.0.float(f64::from(value))?)
    }

    fn serialize_f64(self, value: f64) -> Result<(), Error> {
        Ok(self.0.float(value)?)
    }

    fn serialize_char(self, value: char) -> Result<(), Error> {
        self.serialize_str(value.encode_utf8(&mut [0; 4]))
    }

    fn serialize_str(self, value: &str) -> Result<(), Error> {
        Ok(self.0.string(StringKind::String, Text::Utf8(value))?)
    }

    fn serialize_bytes(self, value: &[u8]) -> Result<(), Error> {
        Ok(self.0.packed(PackedType::Byte, value)?)
    }

    fn serialize_none(self) -> Result<(), Error> {
        self.serialize_unit()
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<(), Error> {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Result<(), Error> {
        Ok(self.0.nil()?)
    }

    fn serialize_unit_struct(self, _name: &'static str) -> Result<(), Error> {
        self.serialize_unit()
    }

    fn serialize_unit_variant(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
    ) -> Result<(), Error> {
        self.serialize_str(variant)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        name: &'static str,
        value: &T,
    ) -> Result<(), Error> {
        let Some(wrapped) = types::Wrapped::from_token(name) else {
            return value.serialize(self);
        };
        match collect::collect(wrapped, value)? {
            Collected::Value(value) => Ok(value.emit(self.0)?),
            Collected::Packed(ty, elements) => Ok(self.0.packed(ty, &elements)?),
            Collected::Encoded(bytes) => {
                let options = DecodeOptions { allow_objects: true, ..DecodeOptions::default() };
                Ok(Decoder::new(&bytes, options).decode_into(self.0)?)
            }
        }
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<(), Error> {
        let mut entries = self.0.dictionary(ContainerTypeRef::Any, ContainerTypeRef::Any, 1)?;
        entries.key().string(StringKind::String, Text::Utf8(variant))?;
        value
            .serialize(Serializer(entries.value()))
            .map_err(|error| error.at(godot_variant::Segment::Key(Value::from(variant))))?;
        Ok(entries.end()?)
    }

    fn serialize_seq(self, len: Option<usize>) -> Result<ArraySerializer<S>, Error> {
        ArraySerializer::new(self.0, len)
    }

    fn serialize_tuple(self, len: usize) -> Result<ArraySerializer<S>, Error> {
        ArraySerializer::new(self.0, Some(len))
    }

    fn serialize_tuple_struct(
        self,
        _name: &'static str,
        len: usize,
    ) -> Result<ArraySerializer<S>, Error> {
        ArraySerializer::new(self.0, Some(len))
    }

    fn serialize_tuple_variant(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
        _len: usize,
    ) -> Result<VariantSerializer<S>, Error> {
        Ok(VariantSerializer::new(self.0, variant, Value::Array(Box::default())))
    }

    fn serialize_map(self, len: Option<usize>) -> Result<DictionarySerializer<S>, Error> {
        DictionarySerializer::new(self.0, len)
    }

    fn serialize_struct(
        self,
        _name: &'static str,
        len: usize,
    ) -> Result<DictionarySerializer<S>, Error> {
        DictionarySerializer::new(self.0, Some(len))
    }

    fn serialize_struct_variant(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
        _len: usize,
    ) -> Result<VariantSerializer<S>, Error> {
        let content = Value::Dictionary(Box::<Dictionary>::default());
        Ok(VariantSerializer::new(self.0, variant, content))
    }
}
