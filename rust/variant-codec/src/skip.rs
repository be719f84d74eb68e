//! Steps over a value without telling it to anyone.

use variant::{PackedType, Shape, VariantType};

use crate::decode::{Decoder, ObjectHead, check_depth};
use crate::error::DecodeError;
use crate::header;

/// Moves behind the next value, checking what is needed to find its end: headers, lengths, counts,
/// depth. That text is UTF-8 is checked when the text is read.
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
    let (count, values) = match ty {
        VariantType::Array => {
            decoder.container_type(ty, header, header::ARRAY_ELEMENT_SHIFT)?;
            let count = decoder.container_count(ty, 4)?;
            (count, count)
        }
        _ => {
            decoder.container_type(ty, header, header::DICTIONARY_KEY_SHIFT)?;
            decoder.container_type(ty, header, header::DICTIONARY_VALUE_SHIFT)?;
            let count = decoder.container_count(ty, 8)?;
            (count, 2 * count)
        }
    };
    check_depth(depth, count, start)?;
    (0..values).try_for_each(|_| skip(decoder, depth + 1))
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
        VariantType::Object => match decoder.object_head(header, start)? {
            ObjectHead::Null | ObjectHead::Id(_) => Ok(()),
            ObjectHead::Full { property_count, .. } => {
                check_depth(depth, property_count, start)?;
                (0..property_count).try_for_each(|_| {
                    decoder.cursor().skip_text(ty)?;
                    skip(decoder, depth + 1)
                })
            }
        },
        _ => {
            decoder.cursor().skip_text(ty)?;
            decoder.cursor().take_u64().map(drop)
        }
    }
}

fn skip_packed(
    decoder: &mut Decoder<'_>,
    ty: VariantType,
    flag_64: bool,
) -> Result<(), DecodeError> {
    match PackedType::ALL.into_iter().find(|packed| packed.variant_type() == ty) {
        Some(packed) => {
            let wide = packed.real_count().filter(|_| flag_64).map(|reals| reals * 8);
            decoder.packed_elements(packed, wide.unwrap_or(packed.element_len())).map(drop)
        }
        None => {
            let count = decoder.strings_count()?;
            (0..count).try_for_each(|_| decoder.cursor().skip_text(ty))
        }
    }
}
