//! Packed arrays.

use bytemuck::cast_slice;
use godot_variant::{PackedType, Real, Segment, Sink, StringsSink, VariantType};

use super::{Decoder, refused};
use crate::error::{DecodeError, DecodeErrorKind};
use crate::header;

impl<'a> Decoder<'a> {
    pub(super) fn packed<S: Sink>(
        &mut self,
        sink: S,
        ty: PackedType,
        start: usize,
    ) -> Result<(), DecodeError> {
        let elements = self.packed_elements(ty, ty.element_len())?;
        sink.packed(ty, elements).map_err(|refusal| refused(refusal, start))
    }

    pub(super) fn packed_reals<S: Sink>(
        &mut self,
        sink: S,
        ty: PackedType,
        header: u32,
        start: usize,
    ) -> Result<(), DecodeError> {
        if header & header::FLAG_64 == 0 {
            return self.packed(sink, ty, start);
        }
        let wide_len = ty.real_count().expect("made of reals") * size_of::<f64>();
        let wide = self.packed_elements(ty, wide_len)?;
        let narrow: Vec<Real> =
            wide.as_chunks().0.iter().map(|real| f64::from_le_bytes(*real) as Real).collect();
        sink.packed(ty, cast_slice(&narrow)).map_err(|refusal| refused(refusal, start))
    }

    /// The bytes of the elements, each `element_len` long.
    pub(crate) fn packed_elements(
        &mut self,
        ty: PackedType,
        element_len: usize,
    ) -> Result<&'a [u8], DecodeError> {
        let what = ty.variant_type();
        let count_at = self.cursor.position();
        let count = self.cursor.take_i32()?;
        let Ok(count) = usize::try_from(count) else {
            let kind = DecodeErrorKind::NegativeLength { what, len: count };
            return Err(DecodeError::new(kind, count_at));
        };
        let count = self.cursor.checked_count(what, count, element_len, count_at)?;
        let elements = self.cursor.take(count * element_len)?;
        self.cursor.skip_padding(elements.len());
        Ok(elements)
    }

    pub(super) fn packed_strings<S: Sink>(
        &mut self,
        sink: S,
        start: usize,
    ) -> Result<(), DecodeError> {
        let what = VariantType::PackedStringArray;
        let count = self.strings_count()?;
        self.budget.count(count, start)?;
        let mut strings = sink.packed_strings(count).map_err(|refusal| refused(refusal, start))?;
        for index in 0..count {
            let text = self.text(what).map_err(|e| e.at(Segment::Index(index)))?;
            strings.push(text).map_err(|refusal| refused(refusal, start))?;
        }
        strings.end().map_err(|refusal| refused(refusal, start))
    }

    pub(crate) fn strings_count(&mut self) -> Result<usize, DecodeError> {
        let count_at = self.cursor.position();
        // A negative count is no string at all.
        let count = usize::try_from(self.cursor.take_i32()?).unwrap_or(0);
        self.cursor.checked_count(VariantType::PackedStringArray, count, 4, count_at)
    }
}
