//! Source and sink: how a value passes from any reader to any writer.
//!
//! A [`Source`] walks its own content and calls the [`Sink`] once for each value. A sink is *a
//! place that takes exactly one value*, so it is consumed by the call. Containers hand out one
//! inner sink after the other. Both sides are generic and monomorphised: between an encoder and
//! engine memory stands no tree, no allocation and no dynamic call.

use crate::{ContainerTypeRef, NodePathRef, PackedType, Plain, Real, Refusal, VariantType};

/// Something that can emit what it holds.
pub trait Source {
    /// Emits the whole value into `sink`.
    ///
    /// # Errors
    /// What the sink refuses, or what the source cannot emit, with the path to it.
    fn emit<S: Sink>(&self, sink: S) -> Result<(), Refusal>;
}

/// A place that takes exactly one value.
///
/// `count`s are promises: a source calls the inner sinks exactly that often, then `end`.
pub trait Sink: Sized {
    /// Takes the elements of an `Array`.
    type Array: ArraySink;
    /// Takes the entries of a `Dictionary`.
    type Dictionary: DictionarySink;
    /// Takes the properties of an `Object`.
    type Object: ObjectSink;
    /// Takes the elements of a `PackedStringArray`.
    type Strings: StringsSink;

    /// Takes `null`.
    fn nil(self) -> Result<(), Refusal>;
    /// Takes a bool.
    fn bool(self, value: bool) -> Result<(), Refusal>;
    /// Takes an int.
    fn int(self, value: i64) -> Result<(), Refusal>;
    /// Takes a float.
    fn float(self, value: f64) -> Result<(), Refusal>;
    /// Takes a `String` or a `StringName`.
    fn string(self, kind: StringKind, text: Text<'_>) -> Result<(), Refusal>;
    /// Takes a value whose [`Shape`](crate::Shape) is `Reals(N)`.
    fn reals<const N: usize>(self, ty: VariantType, components: &[Real; N]) -> Result<(), Refusal>;
    /// Takes a value whose [`Shape`](crate::Shape) is `Ints(N)`.
    fn ints<const N: usize>(self, ty: VariantType, components: &[i32; N]) -> Result<(), Refusal>;
    /// Takes a `Color`: red, green, blue, alpha.
    fn color(self, components: &[f32; 4]) -> Result<(), Refusal>;
    /// Takes a `NodePath`.
    fn node_path(self, path: NodePathRef<'_>) -> Result<(), Refusal>;
    /// Takes an `RID`.
    fn rid(self, id: u64) -> Result<(), Refusal>;
    /// Takes an object that is null, or was freed.
    fn null_object(self) -> Result<(), Refusal>;
    /// Takes an object that travels as its instance id.
    fn object_id(self, id: u64) -> Result<(), Refusal>;
    /// Takes an object of `class` with its stored properties.
    fn object(self, class: Text<'_>, property_count: usize) -> Result<Self::Object, Refusal>;
    /// Takes a `Callable`, of which nothing but the type can be emitted.
    fn callable(self) -> Result<(), Refusal>;
    /// Takes a `Signal`: its name and the instance id of its emitter.
    fn signal(self, name: Text<'_>, object_id: u64) -> Result<(), Refusal>;
    /// Takes a `Dictionary` of `count` entries.
    fn dictionary(
        self,
        key_type: ContainerTypeRef<'_>,
        value_type: ContainerTypeRef<'_>,
        count: usize,
    ) -> Result<Self::Dictionary, Refusal>;
    /// Takes an `Array` of `count` elements.
    fn array(
        self,
        element_type: ContainerTypeRef<'_>,
        count: usize,
    ) -> Result<Self::Array, Refusal>;
    /// Takes a packed array, as the bytes of its elements (little-endian, no gaps).
    ///
    /// `elements.len()` is a multiple of [`PackedType::element_len`].
    fn packed(self, ty: PackedType, elements: &[u8]) -> Result<(), Refusal>;
    /// Takes a `PackedStringArray` of `count` strings.
    fn packed_strings(self, count: usize) -> Result<Self::Strings, Refusal>;
}

/// Takes the elements of an array, in order.
pub trait ArraySink {
    /// The place for one element.
    type Element<'a>: Sink
    where
        Self: 'a;
    /// The place for the next element.
    fn element(&mut self) -> Self::Element<'_>;
    /// Takes some elements of one type, as [`ArraySink::element`] would take them one by one: a sink that
    /// knows how saves the detour for each.
    ///
    /// # Errors
    /// What was refused, and how many of `run` were taken before.
    #[inline(always)]
    fn run<T: Plain>(
        &mut self,
        run: impl ExactSizeIterator<Item = T>,
    ) -> Result<(), (usize, Refusal)> {
        emit_each(run, self)
    }
    /// All elements have been given.
    fn end(self) -> Result<(), Refusal>;
}

/// Emits the values of a run one by one: what [`ArraySink::run`] does for a sink that knows no better.
///
/// # Errors
/// What was refused, and how many of `run` were taken before.
#[inline(always)]
pub fn emit_each<T: Plain>(
    run: impl Iterator<Item = T>,
    sink: &mut (impl ArraySink + ?Sized),
) -> Result<(), (usize, Refusal)> {
    for (index, value) in run.enumerate() {
        value.emit(sink.element()).map_err(|refusal| (index, refusal))?;
    }
    Ok(())
}

/// Takes the entries of a dictionary, in order: a key, then its value.
pub trait DictionarySink {
    /// The place for one key.
    type Key<'a>: Sink
    where
        Self: 'a;
    /// The place for one value.
    type Value<'a>: Sink
    where
        Self: 'a;
    /// The place for the next key.
    fn key(&mut self) -> Self::Key<'_>;
    /// Takes a key that is a `String`, as the sink of [`DictionarySink::key`] would: most keys are.
    #[inline]
    fn string_key(&mut self, text: Text<'_>) -> Result<(), Refusal> {
        self.key().string(StringKind::String, text)
    }
    /// The place for the value of the key just given.
    fn value(&mut self) -> Self::Value<'_>;
    /// How many different keys have been given, if the sink knows.
    fn key_count(&self) -> Option<usize> {
        None
    }
    /// All entries have been given.
    fn end(self) -> Result<(), Refusal>;
}

/// Takes the properties of an object, in order.
pub trait ObjectSink {
    /// The place for one property's value.
    type Value<'a>: Sink
    where
        Self: 'a;
    /// The place for the value of the property `name`.
    fn property(&mut self, name: Text<'_>) -> Result<Self::Value<'_>, Refusal>;
    /// All properties have been given.
    fn end(self) -> Result<(), Refusal>;
}

/// Takes the strings of a packed array, in order.
pub trait StringsSink {
    /// Takes the next string.
    fn push(&mut self, text: Text<'_>) -> Result<(), Refusal>;
    /// All strings have been given.
    fn end(self) -> Result<(), Refusal>;
}

/// Which of the two text types.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StringKind {
    /// `String`.
    String,
    /// `StringName`.
    StringName,
}

impl StringKind {
    /// The type in the table.
    pub const fn variant_type(self) -> VariantType {
        match self {
            StringKind::String => VariantType::String,
            StringKind::StringName => VariantType::StringName,
        }
    }
}

/// Text in the form in which its source has it.
#[derive(Clone, Copy, Debug)]
pub enum Text<'a> {
    /// UTF-8 of which the source knows that every byte is a code point of its own, and none a NUL.
    Ascii(&'a [u8]),
    /// UTF-8, as Rust and every format have it.
    Utf8(&'a str),
    /// One unit per code point, as the engine has it. Normally valid, but the engine does not
    /// enforce it: units may be surrogates or beyond U+10FFFF.
    Utf32(&'a [u32]),
}

impl Text<'_> {
    /// Copies the text; units that are no code points become U+FFFD.
    pub fn to_boxed_str(self) -> Box<str> {
        match self {
            Text::Ascii(bytes) => String::from_utf8_lossy(bytes).into(),
            Text::Utf8(text) => text.into(),
            Text::Utf32(units) => units
                .iter()
                .map(|&unit| char::from_u32(unit).unwrap_or(char::REPLACEMENT_CHARACTER))
                .collect::<String>()
                .into(),
        }
    }
}

impl<'a> From<&'a str> for Text<'a> {
    fn from(text: &'a str) -> Self {
        Text::Utf8(text)
    }
}

impl std::fmt::Display for Text<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Text::Utf8(text) => f.write_str(text),
            Text::Ascii(_) | Text::Utf32(_) => f.write_str(&self.to_boxed_str()),
        }
    }
}
