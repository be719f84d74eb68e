//! Names of members.

use godot_variant::{
    ArraySink, ContainerTypeRef, DictionarySink, NodePathRef, PackedType, Real, Refusal, Sink,
    StringKind, StringsSink, Text, VariantType,
};

use super::containers::Never;
use super::not_plain;
use crate::json::TextWriter;

/// The place in the text for one name.
pub(in crate::streaming) struct Key<'w> {
    pub(super) text: &'w mut TextWriter,
    /// None where no member belongs.
    pub(super) name: Option<Name<'w>>,
}

/// Which name it may be.
pub(in crate::streaming) enum Name<'w> {
    Any,
    Only(&'w str),
}

impl Sink for Key<'_> {
    type Array = Never;
    type Dictionary = Never;
    type Object = Never;
    type Strings = Never;

    #[inline]
    fn string(self, _: StringKind, text: Text<'_>) -> Result<(), Refusal> {
        match self.name {
            Some(Name::Only(name)) if is_same(text, name) => self.text.string(Text::Utf8(name)),
            // `{}` would be the default of the key.
            Some(Name::Any) if !is_same(text, "{}") => self.text.string(text),
            _ => return not_plain(),
        }
        Ok(())
    }

    fn nil(self) -> Result<(), Refusal> {
        not_plain()
    }

    fn bool(self, _: bool) -> Result<(), Refusal> {
        not_plain()
    }

    fn int(self, _: i64) -> Result<(), Refusal> {
        not_plain()
    }

    fn float(self, _: f64) -> Result<(), Refusal> {
        not_plain()
    }

    fn reals<const N: usize>(self, _: VariantType, _: &[Real; N]) -> Result<(), Refusal> {
        not_plain()
    }

    fn ints<const N: usize>(self, _: VariantType, _: &[i32; N]) -> Result<(), Refusal> {
        not_plain()
    }

    fn color(self, _: &[f32; 4]) -> Result<(), Refusal> {
        not_plain()
    }

    other_kinds!();

    fn dictionary(
        self,
        _: ContainerTypeRef<'_>,
        _: ContainerTypeRef<'_>,
        _: usize,
    ) -> Result<Never, Refusal> {
        not_plain()
    }

    fn array(self, _: ContainerTypeRef<'_>, _: usize) -> Result<Never, Refusal> {
        not_plain()
    }

    fn packed(self, _: PackedType, _: &[u8]) -> Result<(), Refusal> {
        not_plain()
    }

    fn packed_strings(self, _: usize) -> Result<Never, Refusal> {
        not_plain()
    }
}

#[inline]
fn is_same(text: Text<'_>, name: &str) -> bool {
    match text {
        Text::Ascii(bytes) => bytes == name.as_bytes(),
        Text::Utf8(text) => text == name,
        // Most names are ASCII, and of another length than others.
        Text::Utf32(units) if name.is_ascii() => {
            units.len() == name.len()
                && units.iter().zip(name.bytes()).all(|(&unit, byte)| unit == u32::from(byte))
        }
        Text::Utf32(units) => units.iter().copied().eq(name.chars().map(u32::from)),
    }
}

impl ArraySink for Never {
    type Element<'a> = Key<'a>;

    fn element(&mut self) -> Key<'_> {
        match *self {}
    }

    fn end(self) -> Result<(), Refusal> {
        match self {}
    }
}

impl DictionarySink for Never {
    type Key<'a> = Key<'a>;
    type Value<'a> = Key<'a>;

    fn key(&mut self) -> Key<'_> {
        match *self {}
    }

    fn value(&mut self) -> Key<'_> {
        match *self {}
    }

    fn end(self) -> Result<(), Refusal> {
        match self {}
    }
}

impl StringsSink for Never {
    fn push(&mut self, _: Text<'_>) -> Result<(), Refusal> {
        match *self {}
    }

    fn end(self) -> Result<(), Refusal> {
        match self {}
    }
}
