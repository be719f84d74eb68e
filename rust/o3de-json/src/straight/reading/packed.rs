//! Packed arrays of numbers and vectors.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use bytemuck::{NoUninit, cast_slice};
use variant::{PackedType, Sink};

use super::{Reading, Step, Stop, components, float};
use crate::json::{Number, Reader};
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
                self.numbers(ty, place, |reader| Ok(float(reader, repr)? as f32))
            }
            _ => self.numbers(ty, place, |reader| float(reader, repr)),
        }
    }

    pub(super) fn packed_ints(
        &mut self,
        ty: PackedType,
        repr: IntRepr,
        place: &mut B::Value,
    ) -> Step<()> {
        let (min, max) = repr.range();
        let int = move |reader: &mut Reader<'_>| {
            if !matches!(reader.peek(), Some(b'-' | b'0'..=b'9')) {
                return Err(Stop::Unusual);
            }
            match reader.number()? {
                Number::Int(number) if (min..=max).contains(&number.into()) => Ok(number),
                _ => Err(Stop::Unusual),
            }
        };
        match ty {
            PackedType::Int32 => self.numbers(ty, place, |reader| {
                i32::try_from(int(reader)?).map_err(|_| Stop::Unusual)
            }),
            _ => self.numbers(ty, place, int),
        }
    }

    pub(super) fn packed_vectors(
        &mut self,
        ty: PackedType,
        count: usize,
        place: &mut B::Value,
    ) -> Step<()> {
        match count {
            2 => self.packed(ty, place, components::<2>),
            3 => self.packed(ty, place, components::<3>),
            _ => self.packed(ty, place, components::<4>),
        }
    }

    /// The array of the numbers that `number` reads; in a long text several are read at a time.
    fn numbers<T: NoUninit + Send + Sync>(
        &mut self,
        ty: PackedType,
        place: &mut B::Value,
        number: impl Fn(&mut Reader<'_>) -> Step<T> + Sync,
    ) -> Step<()> {
        let start = self.reader.position();
        if self.reader.begin_array()?
            && let Some(texts) = self.reader.parts_of_numbers(PART_LEN)
            && let Some(parts) = in_parts(self.builder, &texts, &number)
        {
            self.reader.end_numbers(&texts)?;
            return Ok(self.builder.place(place).packed(ty, cast_slice(&parts.concat()))?);
        }
        self.reader.go_back(start);
        self.packed(ty, place, number)
    }

    /// The array of what `element` reads.
    #[inline]
    fn packed<T: NoUninit>(
        &mut self,
        ty: PackedType,
        place: &mut B::Value,
        element: impl Fn(&mut Reader<'_>) -> Step<T>,
    ) -> Step<()> {
        let mut elements: Vec<T> = Vec::new();
        let mut has_more = self.reader.begin_array()?;
        while has_more {
            elements.push(element(&mut self.reader)?);
            has_more = self.reader.next_element()?;
        }
        Ok(self.builder.place(place).packed(ty, cast_slice(&elements))?)
    }
}

/// Parts of a text are so long: much longer than what it takes to wake another thread.
const PART_LEN: usize = 1 << 18;

/// The numbers of each part; none if something else stands in one.
fn in_parts<T: Send + Sync>(
    builder: &impl Builder,
    texts: &[&str],
    number: &(impl Fn(&mut Reader<'_>) -> Step<T> + Sync),
) -> Option<Vec<Vec<T>>> {
    let parts: Vec<OnceLock<Option<Vec<T>>>> = texts.iter().map(|_| OnceLock::new()).collect();
    let next = AtomicUsize::new(0);
    builder.with_help(&|| {
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let (Some(text), Some(part)) = (texts.get(index), parts.get(index)) else { return };
            // Nobody else has this part.
            let _ = part.set(part_of(text, number));
        }
    });
    parts.into_iter().map(|part| part.into_inner().flatten()).collect()
}

/// The numbers of one part, with commas between them.
fn part_of<T>(text: &str, number: impl Fn(&mut Reader<'_>) -> Step<T>) -> Option<Vec<T>> {
    let mut reader = Reader::new(text, 0);
    // A number and its comma take more than three bytes where there are many.
    let mut numbers = Vec::with_capacity(text.len() / 4);
    reader.begin().ok()?;
    loop {
        numbers.push(number(&mut reader).ok()?);
        if !reader.next_number().ok()? {
            return Some(numbers);
        }
    }
}
