//! Writes values as text without a tree of JSON between them, if all of a value is written and there is nothing to
//! report.

use godot_variant::{
    ContainerTypeRef, NodePathRef, PackedType, Real, Refusal, RefusalKind, Sink, Source,
    StringKind, Text, VariantType,
};

use super::ValueBuilder;
use super::plan::Node;
use crate::json::TextWriter;
use crate::kinds::boolean;
use crate::{Registry, ResultCode, Schema, Settings, Task};
use containers::{Elements, Members, Never, Strings};

/// The values of types that no [`Node`] has.
macro_rules! other_kinds {
    () => {
        fn node_path(self, _: NodePathRef<'_>) -> Result<(), Refusal> {
            not_plain()
        }

        fn rid(self, _: u64) -> Result<(), Refusal> {
            not_plain()
        }

        fn null_object(self) -> Result<(), Refusal> {
            not_plain()
        }

        fn object_id(self, _: u64) -> Result<(), Refusal> {
            not_plain()
        }

        fn object(self, _: Text<'_>, _: usize) -> Result<Never, Refusal> {
            not_plain()
        }

        fn callable(self) -> Result<(), Refusal> {
            not_plain()
        }

        fn signal(self, _: Text<'_>, _: u64) -> Result<(), Refusal> {
            not_plain()
        }
    };
}

mod containers;
mod key;

/// The text that [`crate::store`] would make of a value that keeps its defaults, laid out if
/// `pretty`.
///
/// None if the tree path has to do it: defaults are left out, there is something to report, or the schema cannot be
/// streamed.
pub fn store_streaming(
    source: &impl Source,
    schema: &Schema,
    registry: &Registry,
    settings: Settings,
    pretty: bool,
) -> Option<(String, ResultCode)> {
    if !settings.keep_defaults {
        return None;
    }
    let node = Node::new(schema, registry, settings, &ValueBuilder);
    if !node.is_written() {
        return None;
    }
    let mut text = TextWriter::new(pretty);
    source.emit(StreamWriter { text: &mut text, node: &node }).ok()?;
    Some((text.into_text(), ResultCode::new(Task::WriteValue, crate::Outcome::Success)))
}

type Plan<'n> = Node<'n, ValueBuilder>;

/// Values that are deeper take the tree path, which reports its limit.
const MAX_DEPTH: usize = 200;

/// Writes one value.
pub(super) struct StreamWriter<'w, 'n> {
    text: &'w mut TextWriter,
    node: &'w Plan<'n>,
}

/// The refusal of a value that is left to the tree path. The words are never shown.
#[cold]
pub(crate) fn not_plain<T>() -> Result<T, Refusal> {
    Err(Refusal::new(RefusalKind::Engine { what: "stream the value" }))
}

impl<'w, 'n> Sink for StreamWriter<'w, 'n> {
    type Array = Elements<'w, 'n>;
    type Dictionary = Members<'w, 'n>;
    type Object = Never;
    type Strings = Strings<'w>;

    fn nil(self) -> Result<(), Refusal> {
        not_plain()
    }

    fn bool(self, value: bool) -> Result<(), Refusal> {
        match self.node {
            Node::Bool => boolean::write(value, self.text),
            _ => return not_plain(),
        }
        Ok(())
    }

    #[inline]
    fn int(self, value: i64) -> Result<(), Refusal> {
        match self.node {
            Node::Int(int) => int.write(value, self.text),
            Node::Float(float) => float.write_int(value, self.text),
            Node::Enum(values) => values.write(value, self.text),
            _ => not_plain(),
        }
    }

    #[inline]
    fn float(self, value: f64) -> Result<(), Refusal> {
        match self.node {
            Node::Float(float) => float.write(value, self.text),
            _ => not_plain(),
        }
    }

    #[inline]
    fn string(self, _: StringKind, text: Text<'_>) -> Result<(), Refusal> {
        match self.node {
            Node::String(_) => self.text.string(text),
            _ => return not_plain(),
        }
        Ok(())
    }

    #[inline]
    fn reals<const N: usize>(self, ty: VariantType, components: &[Real; N]) -> Result<(), Refusal> {
        match self.node {
            Node::Vector(vector) => vector.write(ty, components, self.text),
            _ => not_plain(),
        }
    }

    fn ints<const N: usize>(self, _: VariantType, _: &[i32; N]) -> Result<(), Refusal> {
        not_plain()
    }

    fn color(self, channels: &[f32; 4]) -> Result<(), Refusal> {
        match self.node {
            Node::Color(color) => color.write(channels, self.text),
            _ => not_plain(),
        }
    }

    other_kinds!();

    fn dictionary(
        self,
        _: ContainerTypeRef<'_>,
        _: ContainerTypeRef<'_>,
        count: usize,
    ) -> Result<Members<'w, 'n>, Refusal> {
        if self.text.depth() == MAX_DEPTH {
            return not_plain();
        }
        Members::new(self, count)
    }

    fn array(self, _: ContainerTypeRef<'_>, _: usize) -> Result<Elements<'w, 'n>, Refusal> {
        match self.node {
            Node::Array(item) if self.text.depth() < MAX_DEPTH => {
                self.text.begin(b'[');
                Ok(Elements { text: self.text, item })
            }
            _ => not_plain(),
        }
    }

    fn packed(self, ty: PackedType, elements: &[u8]) -> Result<(), Refusal> {
        match self.node {
            Node::Packed(packed) => packed.write(ty, elements, self.text),
            _ => not_plain(),
        }
    }

    fn packed_strings(self, _: usize) -> Result<Strings<'w>, Refusal> {
        match self.node {
            Node::PackedStrings(_) => {
                self.text.begin(b'[');
                Ok(Strings { text: self.text })
            }
            _ => not_plain(),
        }
    }
}
