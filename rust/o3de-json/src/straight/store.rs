//! Values to text without a tree of JSON between them, where all of a value is written and nothing
//! is to be reported.

use variant::{
    ContainerTypeRef, NodePathRef, PackedType, Real, Refusal, RefusalKind, Sink, Source,
    StringKind, Text, VariantType,
};

use super::ValueBuilder;
use super::plan::Node;
use crate::json::TextWriter;
use crate::kinds::float;
use crate::schema::FloatRepr;
use crate::{Registry, ResultCode, Schema, Settings, Task};
use containers::{Elements, Members, Never, Strings};

/// Kinds that no node of a plan has.
macro_rules! unusual_kinds {
    () => {
        fn node_path(self, _: NodePathRef<'_>) -> Result<(), Refusal> {
            unusual()
        }

        fn rid(self, _: u64) -> Result<(), Refusal> {
            unusual()
        }

        fn null_object(self) -> Result<(), Refusal> {
            unusual()
        }

        fn object_id(self, _: u64) -> Result<(), Refusal> {
            unusual()
        }

        fn object(self, _: Text<'_>, _: usize) -> Result<Never, Refusal> {
            unusual()
        }

        fn callable(self) -> Result<(), Refusal> {
            unusual()
        }

        fn signal(self, _: Text<'_>, _: u64) -> Result<(), Refusal> {
            unusual()
        }
    };
}

mod containers;
mod key;

/// The text that [`crate::store`] would make of a value that keeps its defaults, laid out if
/// `pretty`.
///
/// None if the general way has to do it: defaults are left out, something is to be reported, or the
/// schema is not one for this way.
pub fn store_straight(
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
    if !node.is_stored() {
        return None;
    }
    let mut text = TextWriter::new(pretty);
    source.describe(Writer { text: &mut text, node: &node }).ok()?;
    Some((text.into_text(), ResultCode::new(Task::WriteValue, crate::Outcome::Success)))
}

type Plan<'n> = Node<'n, ValueBuilder>;

/// Containers deeper than this take the general way, which knows the limit.
const MAX_DEPTH: usize = 200;

/// The place in the text for one value.
pub(super) struct Writer<'w, 'n> {
    text: &'w mut TextWriter,
    node: &'w Plan<'n>,
}

/// What the general way has to look at; nobody sees the words.
#[cold]
fn unusual<T>() -> Result<T, Refusal> {
    Err(Refusal::new(RefusalKind::Engine { what: "write the value straight" }))
}

impl Writer<'_, '_> {
    fn components(self, components: &[f32]) -> Result<(), Refusal> {
        self.text.numbers(components.iter().map(|&component| f64::from(component)))
    }
}

impl TextWriter {
    /// An array of numbers, if JSON has each of them.
    fn numbers(&mut self, numbers: impl Iterator<Item = f64>) -> Result<(), Refusal> {
        self.begin(b'[');
        for number in numbers {
            self.next();
            self.finite(number)?;
        }
        self.end(b']');
        Ok(())
    }

    fn finite(&mut self, number: f64) -> Result<(), Refusal> {
        if !number.is_finite() {
            return unusual();
        }
        self.double(number);
        Ok(())
    }
}

impl<'w, 'n> Sink for Writer<'w, 'n> {
    type Array = Elements<'w, 'n>;
    type Dictionary = Members<'w, 'n>;
    type Object = Never;
    type Strings = Strings<'w>;

    fn nil(self) -> Result<(), Refusal> {
        unusual()
    }

    fn bool(self, value: bool) -> Result<(), Refusal> {
        match self.node {
            Node::Bool => self.text.word(if value { "true" } else { "false" }),
            _ => return unusual(),
        }
        Ok(())
    }

    #[inline]
    fn int(self, value: i64) -> Result<(), Refusal> {
        match self.node {
            Node::Int(min, max) if (*min..=*max).contains(&value) => self.text.int(value),
            Node::Float(FloatRepr::F64) => self.text.double(value as f64),
            Node::Enum(values) => match values.values.name_of(value) {
                Some(name) => self.text.string(Text::Utf8(name)),
                None => return unusual(),
            },
            _ => return unusual(),
        }
        Ok(())
    }

    #[inline]
    fn float(self, value: f64) -> Result<(), Refusal> {
        match self.node {
            Node::Float(FloatRepr::F64) => self.text.finite(value),
            Node::Float(FloatRepr::F32) => self.text.finite(f64::from(value as f32)),
            _ => unusual(),
        }
    }

    #[inline]
    fn string(self, _: StringKind, text: Text<'_>) -> Result<(), Refusal> {
        match self.node {
            Node::String(_) => self.text.string(text),
            _ => return unusual(),
        }
        Ok(())
    }

    #[inline]
    fn reals<const N: usize>(self, ty: VariantType, parts: &[Real; N]) -> Result<(), Refusal> {
        let is_vector =
            matches!(ty, VariantType::Vector2 | VariantType::Vector3 | VariantType::Vector4);
        match self.node {
            Node::Vector(count) if is_vector && *count == N => self.components(parts),
            _ => unusual(),
        }
    }

    fn ints<const N: usize>(self, _: VariantType, _: &[i32; N]) -> Result<(), Refusal> {
        unusual()
    }

    fn color(self, parts: &[f32; 4]) -> Result<(), Refusal> {
        match self.node {
            Node::Color(_) => self.components(parts),
            _ => unusual(),
        }
    }

    unusual_kinds!();

    fn dictionary(
        self,
        _: ContainerTypeRef<'_>,
        _: ContainerTypeRef<'_>,
        count: usize,
    ) -> Result<Members<'w, 'n>, Refusal> {
        if self.text.depth() == MAX_DEPTH {
            return unusual();
        }
        Members::new(self, count)
    }

    fn array(self, _: ContainerTypeRef<'_>, _: usize) -> Result<Elements<'w, 'n>, Refusal> {
        match self.node {
            Node::Array(item) if self.text.depth() < MAX_DEPTH => {
                self.text.begin(b'[');
                Ok(Elements { text: self.text, item })
            }
            _ => unusual(),
        }
    }

    fn packed(self, ty: PackedType, elements: &[u8]) -> Result<(), Refusal> {
        match self.node {
            Node::PackedFloats(wanted, repr) if *wanted == ty => {
                let rounded = |number| float::rounded(*repr, number).unwrap_or(f64::INFINITY);
                match ty {
                    PackedType::Float32 => self.text.numbers(
                        elements.as_chunks().0.iter().map(|&b| f32::from_le_bytes(b).into()),
                    ),
                    _ => {
                        let numbers = elements.as_chunks().0.iter().map(|&b| f64::from_le_bytes(b));
                        self.text.numbers(numbers.map(rounded))
                    }
                }
            }
            Node::PackedInts(wanted, repr) if *wanted == ty => {
                let (min, max) = repr.range();
                let fits = |number: i64| (min..=max).contains(&number.into());
                match ty {
                    PackedType::Int32 => self.text.ints(
                        elements.as_chunks().0.iter().map(|&b| i32::from_le_bytes(b).into()),
                        fits,
                    ),
                    _ => {
                        let numbers = elements.as_chunks().0.iter().map(|&b| i64::from_le_bytes(b));
                        self.text.ints(numbers, fits)
                    }
                }
            }
            Node::PackedVectors(wanted, count) if *wanted == ty => {
                let (parts, _) = elements.as_chunks::<4>();
                self.text.begin(b'[');
                for vector in parts.chunks_exact(*count) {
                    self.text.next();
                    self.text
                        .numbers(vector.iter().map(|&part| f32::from_le_bytes(part).into()))?;
                }
                self.text.end(b']');
                Ok(())
            }
            _ => unusual(),
        }
    }

    fn packed_strings(self, _: usize) -> Result<Strings<'w>, Refusal> {
        match self.node {
            Node::PackedStrings(_) => {
                self.text.begin(b'[');
                Ok(Strings { text: self.text })
            }
            _ => unusual(),
        }
    }
}

impl TextWriter {
    /// An array of integers, if all of them fit.
    fn ints(
        &mut self,
        numbers: impl Iterator<Item = i64>,
        fits: impl Fn(i64) -> bool,
    ) -> Result<(), Refusal> {
        self.begin(b'[');
        for number in numbers {
            if !fits(number) {
                return unusual();
            }
            self.next();
            self.int(number);
        }
        self.end(b']');
        Ok(())
    }
}
