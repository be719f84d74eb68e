//! The content of arrays, dictionaries and enum variants.

use ::serde::ser::{
    Error as _, Serialize, SerializeMap, SerializeStruct, SerializeStructVariant,
    SerializeTupleVariant,
};
use godot_variant::{
    Array, ArraySink, ContainerTypeRef, Dictionary, DictionarySink, Segment, Sink, Source,
    StringKind, Text, Value,
};

use super::{Error, Serializer, to_value};

/// A sink must be given the count first, which a sequence need not know.
pub struct ArraySerializer<S: Sink> {
    place: ArrayPlace<S>,
    index: usize,
}

enum ArrayPlace<S: Sink> {
    Counted(S::Array, usize),
    Uncounted(S, Vec<Value>),
}

impl<S: Sink> ArraySerializer<S> {
    pub(super) fn new(sink: S, len: Option<usize>) -> Result<ArraySerializer<S>, Error> {
        let place = match len {
            Some(len) => ArrayPlace::Counted(sink.array(ContainerTypeRef::Any, len)?, len),
            None => ArrayPlace::Uncounted(sink, Vec::new()),
        };
        Ok(ArraySerializer { place, index: 0 })
    }

    fn push<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
        let index = self.index;
        self.index += 1;
        match &mut self.place {
            ArrayPlace::Counted(_, len) if index >= *len => Err(miscounted(*len)),
            ArrayPlace::Counted(array, _) => value.serialize(Serializer::new(array.element())),
            ArrayPlace::Uncounted(_, values) => to_value(value).map(|value| values.push(value)),
        }
        .map_err(|error| error.at(Segment::Index(index)))
    }

    fn finish(self) -> Result<(), Error> {
        match self.place {
            ArrayPlace::Counted(_, len) if self.index < len => Err(miscounted(len)),
            ArrayPlace::Counted(array, _) => Ok(array.end()?),
            ArrayPlace::Uncounted(sink, values) => Ok(Value::from(Array::from(values)).emit(sink)?),
        }
    }
}

/// As [`ArraySerializer`].
pub struct DictionarySerializer<S: Sink> {
    place: DictionaryPlace<S>,
    index: usize,
    /// The key whose value is to come, for paths; and where entries are collected.
    key: Value,
}

enum DictionaryPlace<S: Sink> {
    Counted(S::Dictionary, usize),
    Uncounted(S, Dictionary),
}

impl<S: Sink> DictionarySerializer<S> {
    pub(super) fn new(sink: S, len: Option<usize>) -> Result<DictionarySerializer<S>, Error> {
        let any = ContainerTypeRef::Any;
        let place = match len {
            Some(len) => DictionaryPlace::Counted(sink.dictionary(any, any, len)?, len),
            None => DictionaryPlace::Uncounted(sink, Dictionary::default()),
        };
        Ok(DictionarySerializer { place, index: 0, key: Value::Nil })
    }

    fn push_field<T: Serialize + ?Sized>(
        &mut self,
        name: &'static str,
        value: &T,
    ) -> Result<(), Error> {
        let index = self.index;
        self.index += 1;
        match &mut self.place {
            DictionaryPlace::Counted(_, len) if index >= *len => Err(miscounted(*len)),
            DictionaryPlace::Counted(entries, _) => {
                entries.key().string(StringKind::String, Text::Utf8(name))?;
                value.serialize(Serializer::new(entries.value()))
            }
            DictionaryPlace::Uncounted(_, dictionary) => {
                to_value(value).map(|value| drop(dictionary.insert(Value::from(name), value)))
            }
        }
        .map_err(|error| error.at(Segment::Key(Value::from(name))))
    }

    fn finish(self) -> Result<(), Error> {
        match self.place {
            DictionaryPlace::Counted(_, len) if self.index < len => Err(miscounted(len)),
            DictionaryPlace::Counted(entries, _) => Ok(entries.end()?),
            DictionaryPlace::Uncounted(sink, dictionary) => Ok(Value::from(dictionary).emit(sink)?),
        }
    }
}

/// `{"Variant": content}`, the content collected first.
pub struct VariantSerializer<S> {
    sink: S,
    variant: &'static str,
    content: Value,
}

impl<S: Sink> VariantSerializer<S> {
    pub(super) fn new(sink: S, variant: &'static str, content: Value) -> VariantSerializer<S> {
        VariantSerializer { sink, variant, content }
    }

    fn key(&self) -> Segment {
        Segment::Key(Value::from(self.variant))
    }

    fn finish(self) -> Result<(), Error> {
        let entry = (Value::from(self.variant), self.content);
        Ok(Value::from(Dictionary::from_iter([entry])).emit(self.sink)?)
    }
}

#[cold]
fn miscounted(len: usize) -> Error {
    Error::custom(format!("the type's Serialize declares {len} elements and gives another number"))
}

sequences!([<S: Sink>] ArraySerializer<S>);

impl<S: Sink> SerializeMap for DictionarySerializer<S> {
    type Ok = ();
    type Error = Error;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), Error> {
        let index = self.index;
        self.index += 1;
        match &mut self.place {
            DictionaryPlace::Counted(_, len) if index >= *len => Err(miscounted(*len)),
            DictionaryPlace::Counted(entries, _) => key.serialize(Serializer::new(entries.key())),
            DictionaryPlace::Uncounted(..) => to_value(key).map(|key| self.key = key),
        }
        .map_err(|error| error.at(Segment::EntryKey(index)))
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
        let index = self.index.saturating_sub(1);
        match &mut self.place {
            // The key is gone: the path says which entry.
            DictionaryPlace::Counted(entries, _) => value
                .serialize(Serializer::new(entries.value()))
                .map_err(|error| error.at(Segment::Index(index))),
            DictionaryPlace::Uncounted(_, dictionary) => {
                let key = std::mem::take(&mut self.key);
                let value = to_value(value).map_err(|error| error.at(Segment::Key(key.clone())))?;
                dictionary.insert(key, value);
                Ok(())
            }
        }
    }

    fn end(self) -> Result<(), Error> {
        self.finish()
    }
}

impl<S: Sink> SerializeStruct for DictionarySerializer<S> {
    type Ok = ();
    type Error = Error;

    fn serialize_field<T: Serialize + ?Sized>(
        &mut self,
        name: &'static str,
        value: &T,
    ) -> Result<(), Error> {
        self.push_field(name, value)
    }

    fn end(self) -> Result<(), Error> {
        self.finish()
    }
}

impl<S: Sink> SerializeTupleVariant for VariantSerializer<S> {
    type Ok = ();
    type Error = Error;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
        let value = to_value(value).map_err(|error| error.at(self.key()))?;
        if let Value::Array(array) = &mut self.content {
            array.elements.push(value);
        }
        Ok(())
    }

    fn end(self) -> Result<(), Error> {
        self.finish()
    }
}

impl<S: Sink> SerializeStructVariant for VariantSerializer<S> {
    type Ok = ();
    type Error = Error;

    fn serialize_field<T: Serialize + ?Sized>(
        &mut self,
        name: &'static str,
        value: &T,
    ) -> Result<(), Error> {
        let at = |error: Error| error.at(Segment::Key(Value::from(name))).at(self.key());
        let value = to_value(value).map_err(at)?;
        if let Value::Dictionary(dictionary) = &mut self.content {
            dictionary.insert(Value::from(name), value);
        }
        Ok(())
    }

    fn end(self) -> Result<(), Error> {
        self.finish()
    }
}
