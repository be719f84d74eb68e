//! From bits to values.

use std::cell::Cell;

use godot_variant::{
    ArraySink, ContainerTypeRef, DictionarySink, NodePath, ObjectSink, PackedType, Refusal,
    RefusalKind, Sink, Source, StringKind, StringsSink, Text, VariantType,
};

use crate::bits::{BitReader, unzigzag, width_of};
use crate::encode::{MAX_DEPTH, segment};
use crate::layout::{Count, Field, Float, Integer, Layout, Node, PackedForm};
use crate::numbers::{angle_at, rotation_of};

/// The bits that are left.
pub(crate) struct Bits<'b>(Cell<BitReader<'b>>);

impl<'b> Bits<'b> {
    pub(crate) fn new(reader: BitReader<'b>) -> Self {
        Self(Cell::new(reader))
    }

    #[inline]
    fn read<T>(&self, take: impl FnOnce(&mut BitReader<'b>) -> Option<T>) -> Result<T, Refusal> {
        let mut reader = self.0.get();
        let taken = take(&mut reader)
            .ok_or_else(|| self.invalid("they end early, or contain an impossible number"));
        self.0.set(reader);
        taken
    }

    #[inline]
    fn take(&self, count: u32) -> Result<u64, Refusal> {
        self.read(|reader| reader.take(count))
    }

    #[cold]
    fn invalid(&self, reason: &'static str) -> Refusal {
        let offset = self.0.get().offset();
        Refusal::new(RefusalKind::InvalidBytes { offset, reason })
    }

    /// # Errors
    /// If something is left.
    pub(crate) fn expect_end(&self) -> Result<(), Refusal> {
        match self.0.get().is_at_end() {
            true => Ok(()),
            false => Err(self.invalid("they go on after the value")),
        }
    }
}

/// A part of a value in compact bytes. It can be emitted once.
#[derive(Clone, Copy)]
pub struct Part<'b> {
    layout: &'b Layout,
    node: &'b Node,
    bits: &'b Bits<'b>,
    depth: usize,
}

impl<'b> Part<'b> {
    pub(crate) fn new(layout: &'b Layout, bits: &'b Bits<'b>) -> Self {
        Self::of(layout, &layout.root, bits)
    }

    pub(crate) fn of(layout: &'b Layout, node: &'b Node, bits: &'b Bits<'b>) -> Self {
        Self { layout, node, bits, depth: 0 }
    }

    #[inline]
    fn at(&self, node: &'b Node) -> Self {
        Self { node, ..*self }
    }

    fn integer(&self, form: Integer) -> Result<i64, Refusal> {
        Ok(match form {
            Integer::Range { min, max } => {
                let range = max.wrapping_sub(min) as u64;
                let distance = self.bits.take(width_of(range))?;
                if distance > range {
                    return Err(self.bits.invalid("a number is beyond its range"));
                }
                min.wrapping_add(distance as i64)
            }
            Integer::Signed { min, max } => {
                let value = unzigzag(self.bits.read(BitReader::take_varint)?);
                if !(min..=max).contains(&value) {
                    return Err(self.bits.invalid("a number is beyond its range"));
                }
                value
            }
            Integer::Unsigned { max } => {
                let value = self.bits.read(BitReader::take_varint)?;
                if value > max {
                    return Err(self.bits.invalid("a number is beyond its range"));
                }
                value as i64
            }
        })
    }

    fn float(&self, form: Float) -> Result<f64, Refusal> {
        let beyond = || self.bits.invalid("a number is beyond its range");
        Ok(match form {
            Float::F32 => f32::from_bits(self.bits.take(32)? as u32).into(),
            Float::F64 => f64::from_bits(self.bits.take(64)?),
            Float::Steps(steps) => steps.at(self.bits.take(steps.width())?).ok_or_else(beyond)?,
            Float::Angle { bits } => angle_at(self.bits.take(bits)?, bits),
        })
    }

    /// The index of one of `count` things.
    fn index(&self, count: usize) -> Result<usize, Refusal> {
        let index = self.bits.take(width_of(count as u64 - 1))? as usize;
        if index >= count {
            return Err(self.bits.invalid("there is no constant or text with this index"));
        }
        Ok(index)
    }

    /// The number of elements, which take at least `least_width` bits each.
    fn count(&self, of: Count, least_width: usize) -> Result<usize, Refusal> {
        let count = match of {
            Count::Fixed(size) => size as u64,
            Count::UpTo(most) => {
                let count = self.bits.take(width_of(most as u64))?;
                if count > most as u64 {
                    return Err(self.bits.invalid("a container has too many elements"));
                }
                count
            }
            Count::Any => self.bits.read(BitReader::take_varint)?,
        };
        let is_possible = |count: &usize| {
            count.checked_mul(least_width).is_some_and(|bits| bits <= self.bits.0.get().left())
        };
        let count = usize::try_from(count).ok().filter(is_possible);
        count.ok_or_else(|| self.bits.invalid("a container has more elements than there are bytes"))
    }

    fn with_text<R>(
        &self,
        max_length: Option<usize>,
        take: impl FnOnce(Text<'_>) -> Result<R, Refusal>,
    ) -> Result<R, Refusal> {
        let length = self.count(Count::Any, 8)?;
        let bytes = self.bits.read(|reader| reader.take_bytes(length))?;
        if bytes.contains(&0) {
            return Err(self.bits.invalid("a text contains a NUL character"));
        }
        if bytes.is_ascii() && max_length.is_none_or(|most| length <= most) {
            return take(Text::Ascii(&bytes));
        }
        let Ok(text) = str::from_utf8(&bytes) else {
            return Err(self.bits.invalid("a text is not valid UTF-8"));
        };
        if max_length.is_some_and(|most| text.chars().count() > most) {
            return Err(self.bits.invalid("a text is too long"));
        }
        take(Text::Utf8(text))
    }

    fn reals<S: Sink>(&self, ty: VariantType, form: Float, sink: S) -> Result<(), Refusal> {
        macro_rules! components {
            ($count:literal) => {{
                let mut parts = [0.0; $count];
                for part in &mut parts {
                    *part = self.float(form)? as f32;
                }
                sink.reals(ty, &parts)
            }};
        }
        match ty.shape() {
            godot_variant::Shape::Reals(2) => components!(2),
            godot_variant::Shape::Reals(3) => components!(3),
            godot_variant::Shape::Reals(4) => components!(4),
            godot_variant::Shape::Reals(6) => components!(6),
            godot_variant::Shape::Reals(9) => components!(9),
            godot_variant::Shape::Reals(12) => components!(12),
            _ => components!(16),
        }
    }

    fn ints<S: Sink>(&self, ty: VariantType, form: Integer, sink: S) -> Result<(), Refusal> {
        macro_rules! components {
            ($count:literal) => {{
                let mut parts = [0; $count];
                for part in &mut parts {
                    *part = self.integer(form)? as i32;
                }
                sink.ints(ty, &parts)
            }};
        }
        match ty.shape() {
            godot_variant::Shape::Ints(2) => components!(2),
            godot_variant::Shape::Ints(3) => components!(3),
            _ => components!(4),
        }
    }

    fn packed(&self, (ty, form): (PackedType, PackedForm), of: Count) -> Result<Vec<u8>, Refusal> {
        let length = ty.element_len();
        let count = self.count(of, if form == PackedForm::Bytes { length * 8 } else { LEAST })?;
        if form == PackedForm::Bytes {
            let bytes = self.bits.read(|reader| reader.take_bytes(count * length))?;
            return Ok(bytes.into_owned());
        }
        let parts = count * ty.real_count().unwrap_or(1);
        let mut elements = Vec::new();
        for _ in 0..parts {
            match form {
                PackedForm::Integers(form) => {
                    elements.extend_from_slice(&self.integer(form)?.to_le_bytes()[..length]);
                }
                PackedForm::Floats(form) if ty == PackedType::Float64 => {
                    elements.extend_from_slice(&self.float(form)?.to_le_bytes());
                }
                PackedForm::Floats(form) => {
                    elements.extend_from_slice(&(self.float(form)? as f32).to_le_bytes());
                }
                PackedForm::Bytes => {}
            }
        }
        Ok(elements)
    }

    /// The fields of a record or object, one level deeper.
    fn deeper(&self) -> Result<Self, Refusal> {
        if self.depth >= MAX_DEPTH {
            return Err(Refusal::new(RefusalKind::TooDeep { limit: MAX_DEPTH }));
        }
        Ok(Self { depth: self.depth + 1, ..*self })
    }

    fn record<S: Sink>(&self, fields: &'b [Field], sink: S) -> Result<(), Refusal> {
        let part = self.deeper()?;
        let any = ContainerTypeRef::Any;
        let mut entries = sink.dictionary(any, any, fields.len())?;
        for field in fields {
            let name = match field.name.is_ascii() {
                true => Text::Ascii(field.name.as_bytes()),
                false => Text::Utf8(&field.name),
            };
            entries.string_key(name)?;
            let emitted = part.at(&field.node).emit(entries.value());
            emitted.map_err(|refusal| refusal.at(segment(&field.name, VariantType::Dictionary)))?;
        }
        entries.end()
    }

    fn object<S: Sink>(&self, index: usize, sink: S) -> Result<(), Refusal> {
        let part = self.deeper()?;
        let class = &self.layout.classes[index];
        let mut properties = sink.object(Text::Utf8(&class.name), class.fields.len())?;
        for field in &class.fields {
            let value = properties.property(Text::Utf8(&field.name))?;
            let emitted = part.at(&field.node).emit(value);
            emitted.map_err(|refusal| refusal.at(segment(&field.name, VariantType::Object)))?;
        }
        properties.end()
    }
}

/// How many bits each element takes at least, which the compiler of the layout has checked.
const LEAST: usize = 1;

impl Source for Part<'_> {
    fn emit<S: Sink>(&self, sink: S) -> Result<(), Refusal> {
        match self.node {
            Node::Bool => sink.bool(self.bits.take(1)? == 1),
            Node::Integer(form) => sink.int(self.integer(*form)?),
            Node::Constant { numbers, other } => {
                let index = self.index(numbers.len() + 1)?;
                let number = numbers.get(index).copied();
                sink.int(number.map_or_else(|| self.integer(*other), Ok)?)
            }
            Node::Float(form) => sink.float(self.float(*form)?),
            Node::Text { ty, max_length } => {
                self.with_text(*max_length, |text| emit_text(*ty, text, sink))
            }
            Node::OneOf { ty, texts } => {
                emit_text(*ty, Text::Utf8(&texts[self.index(texts.len())?]), sink)
            }
            Node::Reals { ty, form } => self.reals(*ty, *form, sink),
            Node::Ints { ty, form } => self.ints(*ty, *form, sink),
            Node::Color(form) => {
                let mut parts = [0.0; 4];
                for part in &mut parts {
                    *part = self.float(*form)? as f32;
                }
                sink.color(&parts)
            }
            Node::Rotation { bits } => {
                let greatest = self.bits.take(2)?;
                let mut others = [0; 3];
                for other in &mut others {
                    *other = self.bits.take(*bits)?;
                }
                let rotation = rotation_of(greatest, others, *bits);
                let rotation = rotation.ok_or_else(|| self.bits.invalid("this is no rotation"))?;
                sink.reals(VariantType::Quaternion, &rotation)
            }
            Node::Packed { ty, form, count } => {
                sink.packed(*ty, &self.packed((*ty, *form), *count)?)
            }
            Node::Strings { count, max_length } => {
                let count = self.count(*count, 8)?;
                let mut texts = sink.packed_strings(count)?;
                for _ in 0..count {
                    self.with_text(*max_length, |text| texts.push(text))?;
                }
                texts.end()
            }
            Node::Array { item, count } => {
                let count = self.count(*count, LEAST)?;
                let mut elements = sink.array(ContainerTypeRef::Any, count)?;
                for index in 0..count {
                    let emitted = self.at(item).emit(elements.element());
                    emitted.map_err(|refusal| refusal.at(godot_variant::Segment::Index(index)))?;
                }
                elements.end()
            }
            Node::Tuple(items) => {
                let mut elements = sink.array(ContainerTypeRef::Any, items.len())?;
                for (index, item) in items.iter().enumerate() {
                    let emitted = self.at(item).emit(elements.element());
                    emitted.map_err(|refusal| refusal.at(godot_variant::Segment::Index(index)))?;
                }
                elements.end()
            }
            Node::Map { key, value, count } => {
                let any = ContainerTypeRef::Any;
                let count = self.count(*count, LEAST)?;
                let mut entries = sink.dictionary(any, any, count)?;
                for index in 0..count {
                    let emitted = self.at(key).emit(entries.key());
                    emitted
                        .map_err(|refusal| refusal.at(godot_variant::Segment::EntryKey(index)))?;
                    self.at(value).emit(entries.value())?;
                }
                entries.end()
            }
            Node::Optional(item) => match self.bits.take(1)? {
                0 => sink.nil(),
                _ => self.at(item).emit(sink),
            },
            Node::Record(fields) => self.record(fields, sink),
            Node::Object(index) => self.object(*index, sink),
        }
    }
}

fn emit_text<S: Sink>(ty: VariantType, text: Text<'_>, sink: S) -> Result<(), Refusal> {
    match ty {
        VariantType::StringName => sink.string(StringKind::StringName, text),
        VariantType::NodePath => {
            NodePath::from_text(&text.to_string()).with_ref(|path| sink.node_path(path))
        }
        _ => sink.string(StringKind::String, text),
    }
}
