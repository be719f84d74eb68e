//! Between the bits of one value and one cell of each column.

use godot_variant::Shape;

use crate::bits::{BitReader, BitWriter, unzigzag, width_of, zigzag};
use crate::encode::leaf;
use crate::layout::{Class, Count, Float, Integer, Node, PackedForm};
use crate::rows::columns::Columns;

/// How a number is written.
#[derive(Clone, Copy)]
enum Atom {
    Fixed(u32),
    Signed,
    Unsigned,
}

impl Atom {
    fn take(self, reader: &mut BitReader<'_>) -> Option<i64> {
        Some(match self {
            Self::Fixed(width) => reader.take(width)? as i64,
            Self::Signed => unzigzag(reader.take_varint()?),
            Self::Unsigned => reader.take_varint()? as i64,
        })
    }

    fn put(self, number: i64, bits: &mut BitWriter) -> Option<()> {
        match self {
            Self::Fixed(width) if width_of(number as u64) > width => return None,
            Self::Fixed(width) => bits.put(number as u64, width),
            Self::Signed => bits.put_varint(zigzag(number)),
            Self::Unsigned => bits.put_varint(number as u64),
        }
        Some(())
    }
}

/// How many numbers a value with components consists of.
pub(super) fn components(node: &Node) -> usize {
    match node {
        Node::Reals { ty, .. } | Node::Ints { ty, .. } => match ty.shape() {
            Shape::Reals(count) | Shape::Ints(count) => count,
            _ => 0,
        },
        _ => 4,
    }
}

fn of_integer(form: Integer) -> Atom {
    match form {
        Integer::Range { min, max } => Atom::Fixed(width_of(max.wrapping_sub(min) as u64)),
        Integer::Signed { .. } => Atom::Signed,
        Integer::Unsigned { .. } => Atom::Unsigned,
    }
}

fn of_float(form: Float) -> Atom {
    Atom::Fixed(match form {
        Float::F32 => 32,
        Float::F64 => 64,
        Float::Steps(steps) => steps.width(),
        Float::Angle { bits } => bits,
    })
}

fn of_count(count: Count) -> Atom {
    match count {
        Count::Fixed(_) => Atom::Fixed(0),
        Count::UpTo(most) => Atom::Fixed(width_of(most as u64)),
        Count::Any => Atom::Unsigned,
    }
}

/// The form of the component with this index.
fn of_component(node: &Node, index: usize) -> Atom {
    match node {
        Node::Reals { form, .. } | Node::Color(form) => of_float(*form),
        Node::Ints { form, .. } => of_integer(*form),
        Node::Rotation { .. } if index == 0 => Atom::Fixed(2),
        Node::Rotation { bits } => Atom::Fixed(*bits),
        _ => Atom::Fixed(0),
    }
}

/// The form of a value that is one number.
fn of_number(node: &Node) -> Option<Atom> {
    Some(match node {
        Node::Bool => Atom::Fixed(1),
        Node::Integer(form) => of_integer(*form),
        Node::Float(form) => of_float(*form),
        Node::OneOf { texts, .. } => Atom::Fixed(width_of(texts.len() as u64 - 1)),
        _ => return None,
    })
}

fn of_element(form: PackedForm) -> Atom {
    match form {
        PackedForm::Bytes => Atom::Fixed(8),
        PackedForm::Integers(form) => of_integer(form),
        PackedForm::Floats(form) => of_float(form),
    }
}

/// Moves the next value from its bits to the columns.
pub(super) fn take(
    node: &Node,
    classes: &[Class],
    columns: &mut Columns,
    reader: &mut BitReader<'_>,
) -> Option<()> {
    match columns {
        Columns::Numbers(numbers) => numbers.push(match (node, of_number(node)) {
            (_, Some(atom)) => atom.take(reader)?,
            (Node::Constant { numbers, other }, _) => {
                let index = reader.take(width_of(numbers.len() as u64))? as usize;
                match numbers.get(index) {
                    Some(number) => *number,
                    None => integer_at(*other, reader)?,
                }
            }
            _ => return None,
        }),
        Columns::Texts(texts) => {
            let length = match node {
                Node::Packed { ty, count, .. } => {
                    count_at(*count, reader)?.checked_mul(ty.element_len())?
                }
                _ => usize::try_from(reader.take_varint()?).ok()?,
            };
            texts.push(reader.take_bytes(length)?.into());
        }
        Columns::Parts { parts, .. } => return take_parts(node, classes, parts, reader),
    }
    Some(())
}

/// The number itself, where [`Atom::take`] gives its distance from the least one.
fn integer_at(form: Integer, reader: &mut BitReader<'_>) -> Option<i64> {
    let number = of_integer(form).take(reader)?;
    Some(match form {
        Integer::Range { min, .. } => min.wrapping_add(number),
        _ => number,
    })
}

fn count_at(count: Count, reader: &mut BitReader<'_>) -> Option<usize> {
    match count {
        Count::Fixed(size) => Some(size),
        _ => usize::try_from(of_count(count).take(reader)?).ok(),
    }
}

fn take_parts(
    node: &Node,
    classes: &[Class],
    parts: &mut [Columns],
    reader: &mut BitReader<'_>,
) -> Option<()> {
    let note = |part: &mut Columns, count: usize| {
        if let Columns::Numbers(numbers) = part {
            numbers.push(count as i64);
        }
    };
    match node {
        Node::Record(fields) => {
            for (field, part) in fields.iter().zip(parts) {
                take(&field.node, classes, part, reader)?;
            }
        }
        Node::Object(index) => {
            for (field, part) in classes[*index].fields.iter().zip(parts) {
                take(&field.node, classes, part, reader)?;
            }
        }
        Node::Tuple(items) => {
            for (item, part) in items.iter().zip(parts) {
                take(item, classes, part, reader)?;
            }
        }
        Node::Optional(item) => {
            let count = reader.take(1)? as usize;
            note(&mut parts[0], count);
            if count == 1 {
                take(item, classes, &mut parts[1], reader)?;
            }
        }
        Node::Array { item, count } => {
            let count = count_at(*count, reader)?;
            note(&mut parts[0], count);
            for _ in 0..count {
                take(item, classes, &mut parts[1], reader)?;
            }
        }
        Node::Map { key, value, count } => {
            let count = count_at(*count, reader)?;
            note(&mut parts[0], count);
            for _ in 0..count {
                take(key, classes, &mut parts[1], reader)?;
                take(value, classes, &mut parts[2], reader)?;
            }
        }
        Node::Strings { count, .. } => {
            let count = count_at(*count, reader)?;
            note(&mut parts[0], count);
            for _ in 0..count {
                let length = usize::try_from(reader.take_varint()?).ok()?;
                let Columns::Texts(texts) = &mut parts[1] else { return None };
                texts.push(reader.take_bytes(length)?.into());
            }
        }
        Node::Packed { ty, form, count } => {
            let count = count_at(*count, reader)? * ty.real_count().unwrap_or(1);
            note(&mut parts[0], count);
            for _ in 0..count {
                let Columns::Numbers(numbers) = &mut parts[1] else { return None };
                numbers.push(of_element(*form).take(reader)?);
            }
        }
        _ => {
            for (index, part) in parts.iter_mut().enumerate() {
                let Columns::Numbers(numbers) = part else { return None };
                numbers.push(of_component(node, index).take(reader)?);
            }
        }
    }
    Some(())
}

/// Moves the next value from the columns to its bits; nothing if a cell is impossible.
pub(super) fn put(
    node: &Node,
    classes: &[Class],
    columns: &mut Columns,
    bits: &mut BitWriter,
) -> Option<()> {
    match columns {
        Columns::Numbers(numbers) => {
            let number = numbers.take()?;
            match (node, of_number(node)) {
                (_, Some(atom)) => atom.put(number, bits)?,
                (Node::Constant { numbers, other }, _) => {
                    leaf::constant(numbers, *other, number, bits).ok()?;
                }
                _ => return None,
            }
        }
        Columns::Texts(texts) => {
            let text = texts.take()?;
            match node {
                Node::Packed { ty, count, .. } => {
                    if text.len() % ty.element_len() != 0 {
                        return None;
                    }
                    put_count(*count, text.len() / ty.element_len(), bits)?;
                }
                _ => bits.put_varint(text.len() as u64),
            }
            bits.put_bytes(&text);
        }
        Columns::Parts { parts, .. } => return put_parts(node, classes, parts, bits),
    }
    Some(())
}

fn put_count(of: Count, count: usize, bits: &mut BitWriter) -> Option<()> {
    match of {
        Count::Fixed(size) => (size == count).then_some(()),
        _ => of_count(of).put(count as i64, bits),
    }
}

fn put_parts(
    node: &Node,
    classes: &[Class],
    parts: &mut [Columns],
    bits: &mut BitWriter,
) -> Option<()> {
    let noted = |part: &mut Columns| match part {
        Columns::Numbers(numbers) => usize::try_from(numbers.take()?).ok(),
        _ => None,
    };
    match node {
        Node::Record(fields) => {
            for (field, part) in fields.iter().zip(parts) {
                put(&field.node, classes, part, bits)?;
            }
        }
        Node::Object(index) => {
            for (field, part) in classes[*index].fields.iter().zip(parts) {
                put(&field.node, classes, part, bits)?;
            }
        }
        Node::Tuple(items) => {
            for (item, part) in items.iter().zip(parts) {
                put(item, classes, part, bits)?;
            }
        }
        Node::Optional(item) => match noted(&mut parts[0])? {
            0 => bits.put(0, 1),
            1 => {
                bits.put(1, 1);
                put(item, classes, &mut parts[1], bits)?;
            }
            _ => return None,
        },
        Node::Array { item, count } => {
            let length = noted(&mut parts[0])?;
            put_count(*count, length, bits)?;
            for _ in 0..length {
                put(item, classes, &mut parts[1], bits)?;
            }
        }
        Node::Map { key, value, count } => {
            let length = noted(&mut parts[0])?;
            put_count(*count, length, bits)?;
            for _ in 0..length {
                put(key, classes, &mut parts[1], bits)?;
                put(value, classes, &mut parts[2], bits)?;
            }
        }
        Node::Strings { count, .. } => {
            let length = noted(&mut parts[0])?;
            put_count(*count, length, bits)?;
            for _ in 0..length {
                let Columns::Texts(texts) = &mut parts[1] else { return None };
                let text = texts.take()?;
                bits.put_varint(text.len() as u64);
                bits.put_bytes(&text);
            }
        }
        Node::Packed { ty, form, count } => {
            let length = noted(&mut parts[0])?;
            let reals = ty.real_count().unwrap_or(1);
            if length % reals != 0 {
                return None;
            }
            put_count(*count, length / reals, bits)?;
            for _ in 0..length {
                let Columns::Numbers(numbers) = &mut parts[1] else { return None };
                of_element(*form).put(numbers.take()?, bits)?;
            }
        }
        _ => {
            for (index, part) in parts.iter_mut().enumerate() {
                let Columns::Numbers(numbers) = part else { return None };
                of_component(node, index).put(numbers.take()?, bits)?;
            }
        }
    }
    Some(())
}
