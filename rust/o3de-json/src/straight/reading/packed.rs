//! Packed arrays of numbers and vectors.

use bytemuck::{NoUninit, cast_slice};
use variant::{PackedType, Sink};

use super::{Reading, Step, Stop};
use crate::json::Number;
use crate::schema::{FloatRepr, IntRepr};
use crate::straight::Builder;

impl<B: Builder> Reading<'_, '_, B> {
    pub(super) fn packed_floats(
        &mut self,
        ty: PackedType,
        repr: FloatRepr,
        place: &mut B::Value,
    ) -> Step<()> {
        match ty {
            PackedType::Float32 => {
                self.packed(ty, place, |reading| Ok(reading.float(repr)? as f32))
            }
            _ => self.packed(ty, place, |reading| reading.float(repr)),
        }
    }

    pub(super) fn packed_ints(
        &mut self,
        ty: PackedType,
        repr: IntRepr,
        place: &mut B::Value,
    ) -> Step<()> {
        let (min, max) = repr.range();
        let int = |reading: &mut Self| {
            if !matches!(reading.reader.peek(), Some(b'-' | b'0'..=b'9')) {
                return Err(Stop::Unusual);
            }
            match reading.reader.number()? {
                Number::Int(number) if (min..=max).contains(&number.into()) => Ok(number),
                _ => Err(Stop::Unusual),
            }
        };
        match ty {
            PackedType::Int32 => self.packed(ty, place, |reading| {
                i32::try_from(int(reading)?).map_err(|_| Stop::Unusual)
            }),
            _ => self.packed(ty, place, int),
        }
    }

    pub(super) fn packed_vectors(
        &mut self,
        ty: PackedType,
        count: usize,
        place: &mut B::Value,
    ) -> Step<()> {
        match count {
            2 => self.packed(ty, place, Self::components::<2>),
            3 => self.packed(ty, place, Self::components::<3>),
            _ => self.packed(ty, place, Self::components::<4>),
        }
    }

    /// The array of what `element` reads.
    #[inline]
    fn packed<T: NoUninit>(
        &mut self,
        ty: PackedType,
        place: &mut B::Value,
        mut element: impl FnMut(&mut Self) -> Step<T>,
    ) -> Step<()> {
        let mut elements: Vec<T> = Vec::new();
        let mut has_more = self.reader.begin_array()?;
        while has_more {
            elements.push(element(self)?);
            has_more = self.reader.next_element()?;
        }
        Ok(self.builder.place(place).packed(ty, cast_slice(&elements))?)
    }
}
