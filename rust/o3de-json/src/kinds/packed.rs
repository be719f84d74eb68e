//! Packed arrays of numbers and vectors, without a value for each element.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use bytemuck::{Pod, cast_slice};
use godot_variant::{PackedType, Refusal, Sink, Value, VariantType};

use super::{float, integer, vector};
use crate::json::{Reader, TextWriter};
use crate::schema::{FloatRepr, IntRepr, SequenceKind};
use crate::streaming::{Builder, Fallback, Streamed, not_plain};
use crate::{Json, Kind, Schema};

/// The array of `elements`, if all are numbers that fit. Anything else is for the container's rules,
/// which say what is wrong.
pub(crate) fn load(schema: &Schema, elements: &[Json]) -> Option<Value> {
    let Kind::Sequence(SequenceKind::Array, item) = &schema.kind else { return None };
    let floats = || match item.kind {
        Kind::Float(repr) => {
            let numbers = elements.iter().map(|element| match element {
                Json::Double(_) | Json::Int(_) | Json::Uint(_) => {
                    float::from_json(repr, element).filter(|&number| element.is_number(number))
                }
                _ => None,
            });
            numbers.collect::<Option<Vec<f64>>>()
        }
        _ => None,
    };
    let integers = || match item.kind {
        Kind::Int(repr) => {
            let numbers = elements.iter().map(|element| match element {
                Json::Int(_) => integer::from_json(repr, element),
                _ => None,
            });
            numbers.collect::<Option<Vec<i64>>>()
        }
        _ => None,
    };
    Some(match schema.variant_type? {
        VariantType::PackedFloat64Array => Value::PackedFloat64Array(floats()?),
        VariantType::PackedFloat32Array => {
            Value::PackedFloat32Array(floats()?.into_iter().map(|float| float as f32).collect())
        }
        VariantType::PackedInt64Array => Value::PackedInt64Array(integers()?),
        VariantType::PackedInt32Array => {
            let numbers = integers()?.into_iter().map(|number| i32::try_from(number).ok());
            Value::PackedInt32Array(numbers.collect::<Option<_>>()?)
        }
        _ => return None,
    })
}

/// The numbers of an array, if all are ones that JSON has and that fit.
pub(crate) fn store(kind: &Kind, value: &Value) -> Option<Json> {
    let Kind::Sequence(SequenceKind::Array, item) = kind else { return None };
    let mut numbers = Vec::new();
    match (&item.kind, value) {
        (Kind::Float(repr), Value::PackedFloat64Array(data)) => {
            numbers.reserve(data.len());
            for &number in data {
                numbers.push(float::store(*repr, &Value::Float(number))?);
            }
        }
        (Kind::Float(repr), Value::PackedFloat32Array(data)) => {
            numbers.reserve(data.len());
            for &number in data {
                numbers.push(float::store(*repr, &Value::Float(number.into()))?);
            }
        }
        (Kind::Int(repr), Value::PackedInt64Array(data)) => {
            numbers.reserve(data.len());
            for &number in data {
                numbers.push(integer::store(*repr, &Value::Int(number))?);
            }
        }
        (Kind::Int(repr), Value::PackedInt32Array(data)) => {
            numbers.reserve(data.len());
            for &number in data {
                numbers.push(integer::store(*repr, &Value::Int(number.into()))?);
            }
        }
        _ => return None,
    }
    (!numbers.is_empty()).then_some(Json::Array(numbers))
}

/// Whether there is nothing in the array that elements would be added to.
pub(crate) fn is_empty(value: &Value) -> bool {
    match value {
        Value::PackedFloat64Array(data) => data.is_empty(),
        Value::PackedFloat32Array(data) => data.is_empty(),
        Value::PackedInt64Array(data) => data.is_empty(),
        Value::PackedInt32Array(data) => data.is_empty(),
        _ => false,
    }
}

/// The packed arrays of a schema that can be streamed: their type and their elements.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StreamedPacked {
    ty: PackedType,
    element: Element,
}

#[derive(Clone, Copy, Debug)]
enum Element {
    Float(FloatRepr),
    Int(IntRepr),
    /// How many components.
    Vector(usize),
}

impl StreamedPacked {
    /// The packed array `ty` of `item`.
    pub(crate) fn new(ty: VariantType, item: &Schema) -> Option<Self> {
        if item.default.is_some() || item.variant_type.is_some() {
            return None;
        }
        let (ty, element) = match (ty, &item.kind) {
            (VariantType::PackedFloat64Array, Kind::Float(repr)) => {
                (PackedType::Float64, Element::Float(*repr))
            }
            (VariantType::PackedFloat32Array, Kind::Float(repr)) => {
                (PackedType::Float32, Element::Float(*repr))
            }
            (VariantType::PackedInt64Array, Kind::Int(repr)) => {
                (PackedType::Int64, Element::Int(*repr))
            }
            (VariantType::PackedInt32Array, Kind::Int(repr)) => {
                (PackedType::Int32, Element::Int(*repr))
            }
            (VariantType::PackedVector2Array, Kind::Vector(2)) => {
                (PackedType::Vector2, Element::Vector(2))
            }
            (VariantType::PackedVector3Array, Kind::Vector(3)) => {
                (PackedType::Vector3, Element::Vector(3))
            }
            (VariantType::PackedVector4Array, Kind::Vector(4)) => {
                (PackedType::Vector4, Element::Vector(4))
            }
            _ => return None,
        };
        Some(Self { ty, element })
    }

    pub(crate) fn read<B: Builder>(
        self,
        reader: &mut Reader<'_>,
        builder: &B,
        place: &mut B::Value,
    ) -> Streamed<()> {
        if reader.peek() != Some(b'[') {
            return Err(Fallback::Value);
        }
        let ty = self.ty;
        let mut put = |elements: &[u8]| Ok(builder.place(place).packed(ty, elements)?);
        match (self.element, ty) {
            (Element::Float(repr), PackedType::Float32) => {
                let float = |reader: &mut Reader<'_>| Ok(float::read(reader, repr)? as f32);
                read_numbers(reader, builder, ty, place, float)
            }
            (Element::Float(repr), _) => {
                let float = |reader: &mut Reader<'_>| float::read(reader, repr);
                read_numbers(reader, builder, ty, place, float)
            }
            (Element::Int(repr), PackedType::Int32) => {
                let int = |reader: &mut Reader<'_>| {
                    i32::try_from(integer::read(reader, fits(repr))?).map_err(|_| Fallback::Value)
                };
                read_numbers(reader, builder, ty, place, int)
            }
            (Element::Int(repr), _) => {
                let int = |reader: &mut Reader<'_>| integer::read(reader, fits(repr));
                read_numbers(reader, builder, ty, place, int)
            }
            (Element::Vector(2), _) => {
                let vectors = read_elements(reader, vector::read_components::<2>)?;
                put(cast_slice(&vectors))
            }
            (Element::Vector(3), _) => {
                let vectors = read_elements(reader, vector::read_components::<3>)?;
                put(cast_slice(&vectors))
            }
            (Element::Vector(_), _) => {
                let vectors = read_elements(reader, vector::read_components::<4>)?;
                put(cast_slice(&vectors))
            }
        }
    }

    /// Writes the array `ty` of `elements` as they are in memory.
    pub(crate) fn write(
        self,
        ty: PackedType,
        elements: &[u8],
        text: &mut TextWriter,
    ) -> Result<(), Refusal> {
        if ty != self.ty {
            return not_plain();
        }
        let (words, long_words) = (elements.as_chunks::<4>().0, elements.as_chunks::<8>().0);
        match (self.element, ty) {
            (Element::Float(_), PackedType::Float32) => {
                float::write_all(words.iter().map(|&word| f32::from_le_bytes(word).into()), text)
            }
            (Element::Float(repr), _) => {
                let rounded = |number| float::rounded(repr, number).unwrap_or(f64::INFINITY);
                let numbers = long_words.iter().map(|&word| f64::from_le_bytes(word));
                float::write_all(numbers.map(rounded), text)
            }
            (Element::Int(repr), PackedType::Int32) => {
                let numbers = words.iter().map(|&word| i32::from_le_bytes(word).into());
                write_ints(numbers, fits(repr), text)
            }
            (Element::Int(repr), _) => {
                let numbers = long_words.iter().map(|&word| i64::from_le_bytes(word));
                write_ints(numbers, fits(repr), text)
            }
            (Element::Vector(count), _) => {
                text.begin(b'[');
                for vector in words.chunks_exact(count) {
                    text.next();
                    let components = vector.iter().map(|&word| f32::from_le_bytes(word).into());
                    float::write_all(components, text)?;
                }
                text.end(b']');
                Ok(())
            }
        }
    }
}

fn fits(repr: IntRepr) -> impl Fn(i64) -> bool {
    let (min, max) = repr.range();
    move |number| (min..=max).contains(&number.into())
}

/// An array of integers, if all of them fit.
fn write_ints(
    numbers: impl Iterator<Item = i64>,
    fits: impl Fn(i64) -> bool,
    text: &mut TextWriter,
) -> Result<(), Refusal> {
    text.begin(b'[');
    for number in numbers {
        if !fits(number) {
            return not_plain();
        }
        text.next();
        text.int(number);
    }
    text.end(b']');
    Ok(())
}

/// The numbers of an array into `place`. Several threads read a long text.
fn read_numbers<T: Pod + Send, B: Builder>(
    reader: &mut Reader<'_>,
    builder: &B,
    ty: PackedType,
    place: &mut B::Value,
    number: impl Fn(&mut Reader<'_>) -> Streamed<T> + Sync,
) -> Streamed<()> {
    let start = reader.position();
    if reader.begin_array()?
        && let Some(texts) = reader.parts_of_numbers(PIECE_LEN)
        && let Some(array) = in_pieces(builder, ty, &texts, &number)
    {
        reader.end_numbers(&texts)?;
        *place = array;
        return Ok(());
    }
    reader.go_back(start);
    let numbers = read_elements(reader, number)?;
    Ok(builder.place(place).packed(ty, cast_slice(&numbers))?)
}

/// The elements of an array.
#[inline]
fn read_elements<T>(
    reader: &mut Reader<'_>,
    element: impl Fn(&mut Reader<'_>) -> Streamed<T>,
) -> Streamed<Vec<T>> {
    let mut elements: Vec<T> = Vec::new();
    let mut has_more = reader.begin_array()?;
    while has_more {
        elements.push(element(reader)?);
        has_more = reader.next_element()?;
    }
    Ok(elements)
}

/// The length of the pieces of a text that threads read. To read one takes much longer than to wake a thread.
const PIECE_LEN: usize = 1 << 18;

/// The array of the numbers in all pieces, each of which is written where it stays. None if a piece holds something else.
fn in_pieces<T: Pod + Send, B: Builder>(
    builder: &B,
    ty: PackedType,
    texts: &[&str],
    number: &(impl Fn(&mut Reader<'_>) -> Streamed<T> + Sync),
) -> Option<B::Value> {
    let counts = counts(texts)?;
    builder.packed(ty, counts.iter().sum(), |mut places: &mut [T]| {
        let pieces = texts
            .iter()
            .zip(&counts)
            .map_while(move |(text, count)| Some((*text, places.split_off_mut(..*count)?)));
        let (pieces, is_read) = (Mutex::new(pieces), AtomicBool::new(true));
        builder.with_help(&|| {
            while is_read.load(Ordering::Relaxed) {
                let piece = pieces.lock().unwrap_or_else(PoisonError::into_inner).next();
                let Some((text, places)) = piece else { return };
                if read_piece(text, places, number).is_none() {
                    is_read.store(false, Ordering::Relaxed);
                }
            }
        });
        let is_left = pieces.into_inner().unwrap_or_else(PoisonError::into_inner).next().is_some();
        is_read.into_inner() && !is_left
    })
}

/// How many numbers each piece has, if it has nothing else. None if one of them cannot have so many, as a number and its comma
/// take two bytes: no array is made of commas alone.
fn counts(texts: &[&str]) -> Option<Vec<usize>> {
    let count = |text: &&str| {
        let count = memchr::memchr_iter(b',', text.as_bytes()).count() + 1;
        (2 * count <= text.len() + 1).then_some(count)
    };
    texts.iter().map(count).collect()
}

/// The numbers of one piece, with commas between them, into as many places.
fn read_piece<T>(
    text: &str,
    places: &mut [T],
    number: impl Fn(&mut Reader<'_>) -> Streamed<T>,
) -> Option<()> {
    let mut reader = Reader::new(text, 0);
    reader.begin().ok()?;
    let mut has_more = true;
    for place in places {
        *place = number(&mut reader).ok()?;
        has_more = reader.next_number().ok()?;
    }
    // With a place more than there are commas, nothing follows the last one.
    (!has_more).then_some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_counted_by_their_commas() {
        assert_eq!(counts(&["1,2,3", "-4.5", " 6 , 7 "]), Some(vec![3, 1, 2]));
        for commas in ["", ",", "1,,", ",,,,,,,,"] {
            assert_eq!(counts(&["1,2", commas]), None, "{commas}");
        }
    }

    #[test]
    fn a_piece_fills_all_places_or_none_count() {
        let read = |text: &str, count: usize| {
            let mut places = vec![0.0; count];
            let number = |reader: &mut Reader<'_>| float::read(reader, FloatRepr::F64);
            read_piece(text, &mut places, number).map(|()| places)
        };
        assert_eq!(read("1, 2.5 ,3", 3), Some(vec![1.0, 2.5, 3.0]));
        for (text, count) in [("1,2,3", 2), ("1,2,3", 4), ("1,,3", 3), ("1,2,", 3), ("\"1\",2", 2)]
        {
            assert_eq!(read(text, count), None, "{text}");
        }
    }
}
