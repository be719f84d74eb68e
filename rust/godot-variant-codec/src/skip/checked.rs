//! Where values end, and what is wrong if that cannot be said: the way that knows everything.
//!
//! Objects with properties are stepped over, also where they must not be decoded: nothing is made of them.

use godot_variant::{PackedType, Segment, Shape, Value, VariantType};

use crate::decode::{Decoder, ObjectHead, check_depth};
use crate::error::{DecodeError, DecodeErrorKind};
use crate::header;

/// Moves behind the next value.
///
/// # Errors
/// The first thing that hides where it ends, with the path to it.
pub(crate) fn skip(decoder: &mut Decoder<'_>, depth: usize) -> Result<(), DecodeError> {
    let start = decoder.cursor().position();
    let (header, ty) = decoder.header()?;
    let scalar_len = |flag_64: bool| if flag_64 { 8 } else { 4 };
    let flag_64 = header & header::FLAG_64 != 0;
    match ty.shape() {
        Shape::Empty => Ok(()),
        Shape::Scalar => {
            let flag_64 = match ty {
                VariantType::Bool => false,
                VariantType::Rid => true,
                _ => flag_64,
            };
            decoder.cursor().take(scalar_len(flag_64)).map(drop)
        }
        Shape::Reals(count) => decoder.cursor().take(count * scalar_len(flag_64)).map(drop),
        Shape::Ints(count) => decoder.cursor().take(count * 4).map(drop),
        Shape::Color => decoder.cursor().take(16).map(drop),
        Shape::Text => decoder.cursor().skip_text(ty),
        Shape::Container => skip_container(decoder, header, ty, depth, start),
        Shape::Compound => skip_compound(decoder, header, ty, depth, start),
        Shape::Packed => skip_packed(decoder, ty, flag_64),
    }
}

fn skip_container(
    decoder: &mut Decoder<'_>,
    header: u32,
    ty: VariantType,
    depth: usize,
    start: usize,
) -> Result<(), DecodeError> {
    match ty {
        VariantType::Array => {
            decoder.container_type(ty, header, header::ARRAY_ELEMENT_SHIFT)?;
            let count = decoder.container_count(ty, 4)?;
            check_depth(depth, count, start)?;
            (0..count).try_for_each(|index| skip_element(decoder, index, depth + 1))
        }
        _ => {
            decoder.container_type(ty, header, header::DICTIONARY_KEY_SHIFT)?;
            decoder.container_type(ty, header, header::DICTIONARY_VALUE_SHIFT)?;
            let count = decoder.container_count(ty, 8)?;
            check_depth(depth, count, start)?;
            (0..count).try_for_each(|index| skip_entry(decoder, index, depth + 1))
        }
    }
}

/// Moves behind the element number `index` of an array; an error names it.
pub(crate) fn skip_element(
    decoder: &mut Decoder<'_>,
    index: usize,
    depth: usize,
) -> Result<(), DecodeError> {
    skip(decoder, depth).map_err(|error| error.at(Segment::Index(index)))
}

/// Moves behind the entry number `index` of a dictionary; an error names it or its key.
pub(crate) fn skip_entry(
    decoder: &mut Decoder<'_>,
    index: usize,
    depth: usize,
) -> Result<(), DecodeError> {
    let mut key = decoder.clone();
    skip(decoder, depth).map_err(|error| error.at(Segment::EntryKey(index)))?;
    skip(decoder, depth).map_err(|error| {
        let mut value = Value::Nil;
        let decoded = key.decode_into(&mut value).map(|()| value);
        error.at(key_segment(&decoded, index))
    })
}

/// The step to the value of the entry number `index`, whose key was skipped: it may not decode.
pub(crate) fn key_segment(key: &Result<Value, DecodeError>, index: usize) -> Segment {
    match key {
        Ok(key) => Segment::Key(key.clone()),
        Err(_) => Segment::EntryKey(index),
    }
}

fn skip_compound(
    decoder: &mut Decoder<'_>,
    header: u32,
    ty: VariantType,
    depth: usize,
    start: usize,
) -> Result<(), DecodeError> {
    match ty {
        VariantType::NodePath => {
            let total = decoder.node_path_head(start)?.total;
            (0..total).try_for_each(|_| decoder.cursor().skip_text(ty))
        }
        VariantType::Object if decoder.options().allow_objects => {
            skip_object(decoder, header, depth, start)
        }
        // If it cannot be stepped over, decoding would say this of it too.
        VariantType::Object => skip_object(decoder, header, depth, start).map_err(|error| {
            match header & header::FLAG_OBJECT_AS_ID {
                0 => DecodeError::new(DecodeErrorKind::ObjectsNotAllowed, start),
                _ => error,
            }
        }),
        _ => {
            decoder.cursor().skip_text(ty)?;
            decoder.cursor().take_u64().map(drop)
        }
    }
}

fn skip_object(
    decoder: &mut Decoder<'_>,
    header: u32,
    depth: usize,
    start: usize,
) -> Result<(), DecodeError> {
    let ObjectHead::Full { property_count, .. } = decoder.object_head_to_skip(header)? else {
        return Ok(());
    };
    check_depth(depth, property_count, start)?;
    (0..property_count).try_for_each(|_| {
        let name = decoder.cursor().take_str(VariantType::Object)?;
        skip(decoder, depth + 1).map_err(|error| error.at(Segment::Property(name.into())))
    })
}

fn skip_packed(
    decoder: &mut Decoder<'_>,
    ty: VariantType,
    flag_64: bool,
) -> Result<(), DecodeError> {
    match PackedType::of(ty) {
        Some(packed) => {
            let wide = packed.real_count().filter(|_| flag_64).map(|reals| reals * 8);
            decoder.packed_elements(packed, wide.unwrap_or(packed.element_len())).map(drop)
        }
        None => {
            let count = decoder.strings_count()?;
            (0..count).try_for_each(|index| {
                decoder.cursor().skip_text(ty).map_err(|error| error.at(Segment::Index(index)))
            })
        }
    }
}
