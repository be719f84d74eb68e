//! How values are made.

use std::vec::Drain;

use bytemuck::Pod;
use godot_variant::{
    Array, Dictionary, PackedType, Refusal, Sink, Source, StringKind, Text, Value,
};

/// Makes the values of one kind: those of the crate `godot-variant`, or those of an engine.
pub trait Builder {
    /// A value.
    type Value;
    /// A place for a value, which is filled once.
    type Place<'a>: Sink
    where
        Self: 'a;
    /// The names of a record's fields, made once for all records.
    type Names;
    /// A dictionary that is being filled.
    type Map;

    /// Whether there may be objects. If not, no schema with classes is loaded with this builder.
    const OBJECTS: bool;

    /// The value of a place that is not filled yet.
    fn nil(&self) -> Self::Value;

    /// `value`, which is nil, as a place.
    fn place<'a>(&'a self, value: &'a mut Self::Value) -> Self::Place<'a>;

    /// A whole value into `place`, which is nil.
    ///
    /// # Errors
    /// If this kind has no such value.
    fn put(&self, value: Value, place: &mut Self::Value) -> Result<(), Refusal> {
        value.emit(self.place(place))
    }

    /// Calls `work` on this thread, and on others at the same time if there are any. `work` takes one piece of the task
    /// after another until none is left.
    fn with_help(&self, work: &(dyn Fn() + Sync)) {
        work();
    }

    /// A text into `place`, which is nil.
    ///
    /// # Errors
    /// If this kind has no such value.
    #[inline]
    fn string(
        &self,
        kind: StringKind,
        text: Text<'_>,
        place: &mut Self::Value,
    ) -> Result<(), Refusal> {
        self.place(place).string(kind, text)
    }

    /// A packed array of `count` elements, all zeros before `fill` writes them; nothing if it says that it could not.
    fn packed<T: Pod>(
        &self,
        ty: PackedType,
        count: usize,
        fill: impl FnOnce(&mut [T]) -> bool,
    ) -> Option<Self::Value> {
        let mut elements = vec![T::zeroed(); count];
        if !fill(&mut elements) {
            return None;
        }
        let mut value = self.nil();
        self.place(&mut value).packed(ty, bytemuck::cast_slice(&elements)).ok()?;
        Some(value)
    }

    /// An array of `elements`.
    fn array(&self, elements: Drain<'_, Self::Value>) -> Self::Value;

    /// A packed array of `strings`, each a `String`.
    fn strings(&self, strings: Drain<'_, Self::Value>) -> Self::Value;

    /// Names that differ, for [`Builder::record`].
    fn names<'a>(&self, names: impl Iterator<Item = &'a str>) -> Self::Names;

    /// A dictionary of these names, and as many values in their order.
    fn record(&self, names: &Self::Names, values: Drain<'_, Self::Value>) -> Self::Value;

    /// A dictionary without entries.
    fn map(&self) -> Self::Map;

    /// Puts an entry into a dictionary. If there is one with this name, either may stay.
    fn entry(&self, map: &mut Self::Map, name: Text<'_>, value: Self::Value);

    /// The dictionary, and how many entries it has.
    fn end_map(&self, map: Self::Map) -> (Self::Value, usize);
}

/// Makes a [`Value`].
#[derive(Clone, Copy, Debug, Default)]
pub struct ValueBuilder;

impl Builder for ValueBuilder {
    type Value = Value;
    type Place<'a> = &'a mut Value;
    type Names = Vec<Box<str>>;
    type Map = Dictionary;

    const OBJECTS: bool = true;

    fn nil(&self) -> Value {
        Value::Nil
    }

    fn place<'a>(&'a self, value: &'a mut Value) -> &'a mut Value {
        value
    }

    fn put(&self, value: Value, place: &mut Value) -> Result<(), Refusal> {
        *place = value;
        Ok(())
    }

    fn array(&self, elements: Drain<'_, Value>) -> Value {
        elements.collect::<Array>().into()
    }

    fn strings(&self, strings: Drain<'_, Value>) -> Value {
        let text = |string| match string {
            Value::String(text) => Some(text),
            _ => None,
        };
        Value::PackedStringArray(strings.filter_map(text).collect())
    }

    fn names<'a>(&self, names: impl Iterator<Item = &'a str>) -> Vec<Box<str>> {
        names.map(Box::from).collect()
    }

    fn record(&self, names: &Vec<Box<str>>, values: Drain<'_, Value>) -> Value {
        let names = names.iter().map(|name| Value::String(name.clone()));
        names.zip(values).collect::<Dictionary>().into()
    }

    fn map(&self) -> Dictionary {
        Dictionary::default()
    }

    fn entry(&self, map: &mut Dictionary, name: Text<'_>, value: Value) {
        map.insert(Value::String(name.to_boxed_str()), value);
    }

    fn end_map(&self, map: Dictionary) -> (Value, usize) {
        let count = map.len();
        (map.into(), count)
    }
}
