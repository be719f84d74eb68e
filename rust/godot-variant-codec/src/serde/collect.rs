//! The content of a wrapper type, collected before it goes to a sink.

use ::serde::ser::{Error as _, Impossible, Serialize, Serializer};
use godot_variant::{Object, PackedType, Shape, Value, VariantType};

use super::Error;
use super::types::Wrapped;

/// What a wrapper type holds.
pub(super) enum Collected {
    Value(Value),
    /// The elements of a packed array, as a sink takes them.
    Packed(PackedType, Vec<u8>),
    /// A whole encoded value.
    Encoded(Vec<u8>),
}

/// Collects the content of `value`, which stands for what `wrapped` says.
pub(super) fn collect<T: Serialize + ?Sized>(
    wrapped: Wrapped,
    value: &T,
) -> Result<Collected, Error> {
    let Wrapped::Type(ty) = wrapped else {
        return Parts::of(Kind::U8, value).map(|parts| Collected::Encoded(parts.bytes));
    };
    Ok(match ty {
        VariantType::StringName => {
            let texts = Parts::of(Kind::Text, value)?.texts;
            Collected::Value(Value::StringName(texts.concat().into()))
        }
        VariantType::PackedStringArray => {
            Collected::Value(Value::PackedStringArray(Parts::of(Kind::Text, value)?.texts))
        }
        VariantType::Rid => Collected::Value(Value::Rid(id(value)?)),
        VariantType::Object => {
            let object = match id(value)? {
                0 => Object::Null,
                id => Object::Id(id),
            };
            Collected::Value(Value::Object(Box::new(object)))
        }
        _ => match PackedType::of(ty) {
            Some(packed) => Collected::Packed(packed, packed_elements(packed, value)?),
            None => Collected::Encoded(components(ty, value)?),
        },
    })
}

fn id<T: Serialize + ?Sized>(value: &T) -> Result<u64, Error> {
    let bytes = Parts::of(Kind::U64, value)?.bytes;
    bytes.first_chunk().map(|id| u64::from_le_bytes(*id)).ok_or_else(|| Error::custom("no id"))
}

fn packed_elements<T: Serialize + ?Sized>(packed: PackedType, value: &T) -> Result<Vec<u8>, Error> {
    let kind = match packed {
        PackedType::Byte => Kind::U8,
        PackedType::Int32 => Kind::I32,
        PackedType::Int64 => Kind::I64,
        PackedType::Float64 => Kind::F64,
        _ => Kind::F32,
    };
    Parts::of(kind, value).map(|parts| parts.bytes)
}

/// A header, and the components as they stand behind it.
fn components<T: Serialize + ?Sized>(ty: VariantType, value: &T) -> Result<Vec<u8>, Error> {
    let kind = if matches!(ty.shape(), Shape::Ints(_)) { Kind::I32 } else { Kind::F32 };
    let mut encoded = u32::from(ty.id()).to_le_bytes().to_vec();
    encoded.extend(Parts::of(kind, value)?.bytes);
    Ok(encoded)
}

/// What the parts are.
#[derive(Clone, Copy, Debug)]
enum Kind {
    U8,
    I32,
    I64,
    U64,
    F32,
    F64,
    Text,
}

/// Takes numbers of one kind, or texts, however deep they stand in sequences.
struct Parts {
    kind: Kind,
    bytes: Vec<u8>,
    texts: Vec<Box<str>>,
}

impl Parts {
    fn of<T: Serialize + ?Sized>(kind: Kind, value: &T) -> Result<Parts, Error> {
        let mut parts = Parts { kind, bytes: Vec::new(), texts: Vec::new() };
        value.serialize(&mut parts)?;
        Ok(parts)
    }

    fn push<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
        value.serialize(self)
    }

    fn finish(&mut self) -> Result<(), Error> {
        Ok(())
    }

    fn unexpected<T>(&self, what: &str) -> Result<T, Error> {
        Err(Error::custom(format!("a wrapper type of {:?} holds {what}", self.kind)))
    }
}

/// Methods for one number each.
macro_rules! numbers {
    ($($method:ident $number:ty, $kind:ident;)*) => {$(
        fn $method(self, value: $number) -> Result<(), Error> {
            match self.kind {
                Kind::$kind => {
                    self.bytes.extend_from_slice(&value.to_le_bytes());
                    Ok(())
                }
                _ => self.unexpected(stringify!($number)),
            }
        }
    )*};
}

/// Methods for what no wrapper type holds.
macro_rules! unexpected {
    ($($method:ident($($argument:ident: $ty:ty),*) -> $ok:ty;)*) => {$(
        fn $method(self, $($argument: $ty),*) -> Result<$ok, Error> {
            $(let _ = $argument;)*
            self.unexpected(stringify!($method))
        }
    )*};
}

impl Serializer for &mut Parts {
    type Ok = ();
    type Error = Error;
    type SerializeSeq = Self;
    type SerializeTuple = Self;
    type SerializeTupleStruct = Self;
    type SerializeTupleVariant = Impossible<(), Error>;
    type SerializeMap = Impossible<(), Error>;
    type SerializeStruct = Impossible<(), Error>;
    type SerializeStructVariant = Impossible<(), Error>;

    numbers! {
        serialize_u8 u8, U8;
        serialize_i32 i32, I32;
        serialize_i64 i64, I64;
        serialize_u64 u64, U64;
        serialize_f32 f32, F32;
        serialize_f64 f64, F64;
    }

    unexpected! {
        serialize_bool(value: bool) -> ();
        serialize_i8(value: i8) -> ();
        serialize_i16(value: i16) -> ();
        serialize_u16(value: u16) -> ();
        serialize_u32(value: u32) -> ();
        serialize_char(value: char) -> ();
        serialize_none() -> ();
        serialize_unit() -> ();
        serialize_unit_struct(name: &'static str) -> ();
        serialize_unit_variant(name: &'static str, index: u32, variant: &'static str) -> ();
        serialize_tuple_variant(name: &'static str, index: u32, variant: &'static str, len: usize)
            -> Self::SerializeTupleVariant;
        serialize_map(len: Option<usize>) -> Self::SerializeMap;
        serialize_struct(name: &'static str, len: usize) -> Self::SerializeStruct;
        serialize_struct_variant(name: &'static str, index: u32, variant: &'static str, len: usize)
            -> Self::SerializeStructVariant;
    }

    fn serialize_str(self, value: &str) -> Result<(), Error> {
        match self.kind {
            Kind::Text => {
                self.texts.push(value.into());
                Ok(())
            }
            _ => self.unexpected("text"),
        }
    }

    fn serialize_bytes(self, value: &[u8]) -> Result<(), Error> {
        match self.kind {
            Kind::U8 => {
                self.bytes.extend_from_slice(value);
                Ok(())
            }
            _ => self.unexpected("bytes"),
        }
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<(), Error> {
        value.serialize(self)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _name: &'static str,
        value: &T,
    ) -> Result<(), Error> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _name: &'static str,
        _index: u32,
        _variant: &'static str,
        _value: &T,
    ) -> Result<(), Error> {
        self.unexpected("an enum")
    }

    fn serialize_seq(self, _len: Option<usize>) -> Result<Self, Error> {
        Ok(self)
    }

    fn serialize_tuple(self, _len: usize) -> Result<Self, Error> {
        Ok(self)
    }

    fn serialize_tuple_struct(self, _name: &'static str, _len: usize) -> Result<Self, Error> {
        Ok(self)
    }
}

sequences!([] &mut Parts);
