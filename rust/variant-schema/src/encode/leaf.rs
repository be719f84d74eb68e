//! Values without parts.

use godot_variant::{PackedType, Refusal, Text, VariantType};

use crate::bits::{BitWriter, width_of, zigzag};
use crate::encode::does_not_fit;
use crate::layout::{Float, Integer, Layout, Node, PackedForm};
use crate::numbers::{angle_index, smallest_three};

#[inline]
pub(super) fn integer(form: Integer, value: i64, bits: &mut BitWriter) -> Result<(), Refusal> {
    match form {
        Integer::Range { min, max } if (min..=max).contains(&value) => {
            bits.put(value.wrapping_sub(min) as u64, width_of(max.wrapping_sub(min) as u64));
        }
        Integer::Signed { min, max } if (min..=max).contains(&value) => {
            bits.put_varint(zigzag(value));
        }
        // Numbers of 64 bits without a sign are held as their two's complement.
        Integer::Unsigned { max } if value as u64 <= max => bits.put_varint(value as u64),
        _ => return Err(out_of_range(&value, &expected_integer(form))),
    }
    Ok(())
}

/// GDScript writes 1 for 1.0.
pub(super) fn integer_as_float(
    form: Float,
    value: i64,
    bits: &mut BitWriter,
) -> Result<(), Refusal> {
    let number = value as f64;
    if number as i128 != i128::from(value) {
        return Err(out_of_range(&value, "an int that a float holds exactly"));
    }
    float(form, number, bits)
}

/// The index of a constant of an enum; after the last one, any number.
pub(crate) fn constant(
    numbers: &[i64],
    other: Integer,
    value: i64,
    bits: &mut BitWriter,
) -> Result<(), Refusal> {
    let width = width_of(numbers.len() as u64);
    match numbers.iter().position(|number| *number == value) {
        Some(index) => {
            bits.put(index as u64, width);
            Ok(())
        }
        None => {
            bits.put(numbers.len() as u64, width);
            integer(other, value, bits)
        }
    }
}

#[inline]
pub(super) fn float(form: Float, value: f64, bits: &mut BitWriter) -> Result<(), Refusal> {
    match form {
        // Rounded, but a number does not become infinity.
        Float::F32 if value.is_finite() && (value as f32).is_infinite() => {
            return Err(out_of_range(&value, "a number that 32 bits can hold"));
        }
        Float::F32 => bits.put(u64::from((value as f32).to_bits()), 32),
        Float::F64 => bits.put(value.to_bits(), 64),
        Float::Steps(steps) => match steps.index_of(value) {
            Some(index) => bits.put(index, steps.width()),
            None => return Err(out_of_range(&value, &expected_float(form))),
        },
        Float::Angle { bits: width } => match angle_index(value, width) {
            Some(index) => bits.put(index, width),
            None => return Err(out_of_range(&value, &expected_float(form))),
        },
    }
    Ok(())
}

pub(super) fn rotation(
    parts: Option<[f32; 4]>,
    width: u32,
    bits: &mut BitWriter,
) -> Result<(), Refusal> {
    let Some((greatest, others)) = parts.and_then(|parts| smallest_three(parts, width)) else {
        return Err(out_of_range(&"a Quaternion of another length", "a normalized one"));
    };
    bits.put(greatest, 2);
    others.into_iter().for_each(|other| bits.put(other, width));
    Ok(())
}

/// Nothing if no text belongs here.
pub(super) fn text(
    node: &Node,
    text: Text<'_>,
    bits: &mut BitWriter,
) -> Option<Result<(), Refusal>> {
    match node {
        Node::Text { max_length, .. } | Node::Strings { max_length, .. } => {
            Some(any_text(text, *max_length, bits))
        }
        Node::OneOf { texts, .. } => {
            let Some(index) = texts.iter().position(|one| is(text, one)) else {
                let found = format!("`{}`", short(text));
                return Some(Err(out_of_range(&found, &format!("one of {}", texts.join(", ")))));
            };
            bits.put(index as u64, width_of(texts.len() as u64 - 1));
            Some(Ok(()))
        }
        _ => None,
    }
}

fn any_text(
    text: Text<'_>,
    max_length: Option<usize>,
    bits: &mut BitWriter,
) -> Result<(), Refusal> {
    match text {
        Text::Ascii(bytes) => put_text(bytes, bytes.len(), max_length, bits),
        Text::Utf8(text) => put_text(text.as_bytes(), text.chars().count(), max_length, bits),
        Text::Utf32(units) => {
            // Most texts are short and ASCII.
            let mut near = [0; NEAR];
            if let Some(near) = near.get_mut(..units.len())
                && units.iter().all(|unit| *unit < 0x80)
            {
                for (byte, unit) in near.iter_mut().zip(units) {
                    *byte = *unit as u8;
                }
                return put_text(near, units.len(), max_length, bits);
            }
            if units.iter().any(|unit| char::from_u32(*unit).is_none()) {
                return Err(out_of_range(&"a text with half a character", "valid Unicode"));
            }
            put_text(text.to_boxed_str().as_bytes(), units.len(), max_length, bits)
        }
    }
}

/// Texts up to this length are not copied to the heap.
const NEAR: usize = 64;

fn put_text(
    bytes: &[u8],
    length: usize,
    max_length: Option<usize>,
    bits: &mut BitWriter,
) -> Result<(), Refusal> {
    if let Some(most) = max_length.filter(|most| length > *most) {
        let expected = format!("at most {most} characters");
        return Err(out_of_range(&format!("a text of {length} characters"), &expected));
    }
    if bytes.contains(&0) {
        return Err(out_of_range(&"a text with a NUL character", "a text without one"));
    }
    bits.put_varint(bytes.len() as u64);
    bits.put_bytes(bytes);
    Ok(())
}

pub(super) fn packed(
    (ty, form): (PackedType, PackedForm),
    elements: &[u8],
    bits: &mut BitWriter,
) -> Result<(), Refusal> {
    match form {
        PackedForm::Bytes => {
            bits.put_bytes(elements);
            Ok(())
        }
        PackedForm::Integers(form) => match ty {
            PackedType::Byte => elements.iter().try_for_each(|n| integer(form, (*n).into(), bits)),
            PackedType::Int32 => {
                each(elements, |n| integer(form, i32::from_le_bytes(n).into(), bits))
            }
            _ => each(elements, |n| integer(form, i64::from_le_bytes(n), bits)),
        },
        PackedForm::Floats(form) => match ty {
            PackedType::Float64 => each(elements, |n| float(form, f64::from_le_bytes(n), bits)),
            _ => each(elements, |n| float(form, f32::from_le_bytes(n).into(), bits)),
        },
    }
}

fn each<const N: usize>(
    elements: &[u8],
    mut put: impl FnMut([u8; N]) -> Result<(), Refusal>,
) -> Result<(), Refusal> {
    elements.as_chunks().0.iter().try_for_each(|element| put(*element))
}

/// Whether a text is this one.
#[inline]
pub(super) fn is(text: Text<'_>, other: &str) -> bool {
    match text {
        Text::Ascii(bytes) => bytes == other.as_bytes(),
        Text::Utf8(text) => text == other,
        Text::Utf32(units) if other.is_ascii() => {
            units.len() == other.len()
                && units.iter().zip(other.bytes()).all(|(unit, byte)| *unit == u32::from(byte))
        }
        Text::Utf32(units) => units.iter().copied().eq(other.chars().map(u32::from)),
    }
}

/// What belongs to a place, for messages.
pub(super) fn expected(node: &Node, layout: &Layout) -> String {
    match node {
        Node::Bool => "a bool".to_owned(),
        Node::Integer(form) => expected_integer(*form),
        Node::Constant { .. } => "a constant of the enum".to_owned(),
        Node::Float(form) => expected_float(*form),
        Node::Text { ty, .. } | Node::OneOf { ty, .. } => format!("a {ty}"),
        Node::Reals { ty, .. } | Node::Ints { ty, .. } => format!("a {ty}"),
        Node::Color(_) => format!("a {}", VariantType::Color),
        Node::Rotation { .. } => format!("a {}", VariantType::Quaternion),
        Node::Packed { ty, .. } => format!("a {}", ty.variant_type()),
        Node::Strings { .. } => format!("a {}", VariantType::PackedStringArray),
        Node::Array { .. } | Node::Tuple(_) => "an Array".to_owned(),
        Node::Map { .. } | Node::Record(_) => "a Dictionary".to_owned(),
        Node::Optional(item) => format!("null or {}", expected(item, layout)),
        Node::Object(index) => format!("an object of `{}`", layout.classes[*index].name),
    }
}

fn expected_integer(form: Integer) -> String {
    match form {
        Integer::Range { min, max } | Integer::Signed { min, max } => {
            format!("an int from {min} to {max}")
        }
        Integer::Unsigned { max } => format!("an int from 0 to {max}"),
    }
}

fn expected_float(form: Float) -> String {
    match form {
        Float::F32 | Float::F64 => "a float".to_owned(),
        Float::Steps(steps) => format!("a number from {} to {}", steps.min, steps.max),
        Float::Angle { .. } => "a finite angle".to_owned(),
    }
}

/// A text for a message.
pub(super) fn short(text: Text<'_>) -> String {
    const MOST: usize = 100;
    let text = text.to_string();
    match text.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

#[cold]
fn out_of_range(found: &dyn std::fmt::Display, expected: &str) -> Refusal {
    does_not_fit(format!("{found} is not a valid value here; expected {expected}"))
}
