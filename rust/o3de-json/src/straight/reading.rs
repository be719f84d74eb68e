//! One text, from its first value to its last.

mod containers;
mod packed;

use variant::{Refusal, Sink, StringKind, Text, VariantType};

use super::Builder;
use super::plan::Node;
use crate::json::{Fault, Number, Reader, read_value};
use crate::kinds::float::rounded;
use crate::kinds::{enumeration, sequence};
use crate::load::load_value;
use crate::run::Run;
use crate::schema::{EnumSchema, FloatRepr};
use crate::{Registry, ResultCode, Schema, Settings, Task};

/// Why there is no value.
pub(super) enum Stop {
    /// The general rules may know what to do with this value.
    ///
    /// Whoever says so has put nothing into the place.
    Unusual,
    /// The general way has to do it all: there is something to say.
    Report,
}

impl From<Fault> for Stop {
    fn from(_: Fault) -> Stop {
        Stop::Report
    }
}

impl From<Refusal> for Stop {
    fn from(_: Refusal) -> Stop {
        Stop::Report
    }
}

/// What came of a value.
pub(super) type Step<T> = Result<T, Stop>;

/// Deeper ones take the general way, which knows the limit.
const MAX_DEPTH: usize = 200;

pub(super) struct Reading<'r, 't, B: Builder> {
    reader: Reader<'t>,
    run: Run<'r>,
    builder: &'r B,
    depth: usize,
    /// How many bytes of the text were read by the general rules, again and again.
    twice: usize,
    /// Finished values of the containers that are open.
    values: Vec<B::Value>,
}

impl<'r, 't, B: Builder> Reading<'r, 't, B> {
    pub(super) fn new(
        reader: Reader<'t>,
        registry: &'r Registry,
        settings: Settings,
        builder: &'r B,
    ) -> Self {
        let run = Run::new(registry, settings, None);
        Reading { reader, run, builder, depth: 0, twice: 0, values: Vec::new() }
    }

    /// The one value of the text.
    pub(super) fn document(
        mut self,
        schema: &Schema,
        node: &Node<'_, B>,
    ) -> Option<(B::Value, ResultCode)> {
        let mut value = self.builder.nil();
        self.reader.begin().ok()?;
        let code = self.value(schema, node, &mut value).ok()?;
        self.reader.end().ok()?;
        Some((value, code))
    }

    /// A value into `place`, which is nil.
    #[inline]
    pub(super) fn value(
        &mut self,
        schema: &Schema,
        node: &Node<'_, B>,
        place: &mut B::Value,
    ) -> Step<ResultCode> {
        let start = self.reader.position();
        match self.usual(node, place) {
            Err(Stop::Unusual) => {
                self.reader.go_back(start);
                self.general(schema, place)
            }
            done => done,
        }
    }

    #[inline]
    fn usual(&mut self, node: &Node<'_, B>, place: &mut B::Value) -> Step<ResultCode> {
        let first = self.reader.peek();
        let begins_number = matches!(first, Some(b'-' | b'0'..=b'9'));
        match node {
            Node::Int(min, max) if begins_number => match self.reader.number()? {
                Number::Int(number) if (*min..=*max).contains(&number) => {
                    self.builder.place(place).int(number)?;
                }
                _ => return Err(Stop::Unusual),
            },
            Node::Float(repr) if begins_number => {
                let number = float(&mut self.reader, *repr)?;
                self.builder.place(place).float(number)?;
            }
            Node::String(kind) if first == Some(b'"') => self.string(*kind, place)?,
            Node::Bool => {
                let value = match first {
                    Some(b't') => self.reader.word("true").map(|()| true)?,
                    Some(b'f') => self.reader.word("false").map(|()| false)?,
                    _ => return Err(Stop::Unusual),
                };
                self.builder.place(place).bool(value)?;
            }
            Node::Record(record) if first == Some(b'{') => return self.record(record, place),
            Node::Array(item) if first == Some(b'[') => return self.array(item, place),
            Node::Map(_, part) if first == Some(b'{') => return self.map(part, place),
            Node::Vector(count) if first == Some(b'[') => self.vector(*count, place)?,
            Node::Color(takes_integers) if first == Some(b'[') => {
                let channels = self.color(*takes_integers)?;
                self.builder.place(place).color(&channels)?;
            }
            Node::Enum(values) if first == Some(b'"') => self.constant(values, place)?,
            Node::PackedFloats(ty, repr) if first == Some(b'[') => {
                self.packed_floats(*ty, *repr, place)?;
            }
            Node::PackedInts(ty, repr) if first == Some(b'[') => {
                self.packed_ints(*ty, *repr, place)?;
            }
            Node::PackedVectors(ty, count) if first == Some(b'[') => {
                self.packed_vectors(*ty, *count, place)?;
            }
            Node::PackedStrings(item) if first == Some(b'[') => {
                return self.packed_strings(item, place);
            }
            _ => return Err(Stop::Unusual),
        }
        Ok(self.run.success(Task::ReadField))
    }

    /// A value by the general rules, if they have nothing to say.
    #[cold]
    #[inline(never)]
    fn general(&mut self, schema: &Schema, place: &mut B::Value) -> Step<ResultCode> {
        let start = self.reader.position();
        let json = read_value(&mut self.reader)?;
        // What is inside a container that comes here may have been here before.
        self.twice += self.reader.len_since(start);
        if self.twice > self.reader.len() {
            return Err(Stop::Report);
        }
        let mut value = sequence::fresh(&self.run, schema, &json);
        self.run.begin_at(self.depth);
        let code = load_value(&mut self.run, schema, &mut value, &json);
        if self.run.has_issues() || code.is_refused() {
            return Err(Stop::Report);
        }
        self.builder.put(value, place)?;
        Ok(code)
    }

    #[inline]
    fn string(&mut self, kind: StringKind, place: &mut B::Value) -> Step<()> {
        let string = self.reader.string()?;
        let text = match string.is_ascii {
            true => Text::Ascii(string.text.as_bytes()),
            false => Text::Utf8(&string.text),
        };
        Ok(self.builder.string(kind, text, place)?)
    }

    fn vector(&mut self, count: usize, place: &mut B::Value) -> Step<()> {
        let (reader, place) = (&mut self.reader, self.builder.place(place));
        match count {
            2 => place.reals(VariantType::Vector2, &components::<2>(reader)?)?,
            3 => place.reals(VariantType::Vector3, &components::<3>(reader)?)?,
            _ => place.reals(VariantType::Vector4, &components::<4>(reader)?)?,
        }
        Ok(())
    }

    /// The four channels of a color.
    fn color(&mut self, takes_integers: bool) -> Step<[f32; 4]> {
        let mut channels = [0.0; 4];
        let mut has_more = self.reader.begin_array()?;
        for channel in &mut channels {
            if !has_more || !matches!(self.reader.peek(), Some(b'-' | b'0'..=b'9')) {
                return Err(Stop::Unusual);
            }
            let number = self.reader.number()?;
            if !takes_integers && !matches!(number, Number::Double(_)) {
                return Err(Stop::Unusual);
            }
            let number = rounded(FloatRepr::F32, number.as_f64());
            *channel = number.ok_or(Stop::Unusual)? as f32;
            has_more = self.reader.next_element()?;
        }
        if has_more { Err(Stop::Unusual) } else { Ok(channels) }
    }

    fn constant(&mut self, values: &EnumSchema, place: &mut B::Value) -> Step<()> {
        let name = self.reader.string()?;
        let number = enumeration::constant(values, &name.text).ok_or(Stop::Unusual)?;
        Ok(self.builder.place(place).int(number)?)
    }
}

/// A number that a float holds, rounded to what it can be.
#[inline]
fn float(reader: &mut Reader<'_>, repr: FloatRepr) -> Step<f64> {
    if !matches!(reader.peek(), Some(b'-' | b'0'..=b'9')) {
        return Err(Stop::Unusual);
    }
    rounded(repr, reader.number()?.as_f64()).ok_or(Stop::Unusual)
}

/// The components of a vector that has all of them and no more.
#[inline]
fn components<const N: usize>(reader: &mut Reader<'_>) -> Step<[f32; N]> {
    if reader.peek() != Some(b'[') {
        return Err(Stop::Unusual);
    }
    let mut components = [0.0; N];
    let mut has_more = reader.begin_array()?;
    for component in &mut components {
        if !has_more {
            return Err(Stop::Unusual);
        }
        *component = float(reader, FloatRepr::F32)? as f32;
        has_more = reader.next_element()?;
    }
    if has_more { Err(Stop::Unusual) } else { Ok(components) }
}
