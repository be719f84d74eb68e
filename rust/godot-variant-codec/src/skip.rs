//! Steps over values without telling them to anyone.
//!
//! What hides where a value ends is an error: headers, lengths, counts, depth. That text is UTF-8, and that
//! an object may be decoded, is checked when it is read. Apart from that the verdict and the end are those of decoding.
//!
//! Three ways do the same, each for what the one before it cannot do: [`shape`] compares a value
//! with the last one, [`steps`] looks headers up in a table, [`checked`] knows everything and says
//! what is wrong.

mod checked;
mod shape;
mod steps;

pub(crate) use checked::{key_segment, skip as skip_checked, skip_element, skip_entry};

use crate::decode::Decoder;
use crate::error::DecodeError;
use shape::Shape;
use steps::Steps;

/// Moves behind the next value, which stands at `depth`.
///
/// # Errors
/// The first thing that hides where it ends, with the path to it.
#[inline]
pub(crate) fn skip(decoder: &mut Decoder<'_>, depth: usize) -> Result<(), DecodeError> {
    let position = decoder.cursor().position();
    match Steps::new(decoder).values(position, 1, depth) {
        Some(end) => {
            decoder.cursor().move_to(end);
            Ok(())
        }
        None => checked::skip(decoder, depth),
    }
}

/// Steps over many neighbours, learning what they look like.
#[derive(Clone, Debug)]
pub(crate) struct Skipper {
    shape: Option<Box<Shape>>,
    /// Grows with each value that looks like the last one and shrinks with each that does not; at
    /// zero nothing more is learned.
    credit: u32,
}

/// How many values are skipped between two looks at what they are.
const BATCH: usize = 64;

impl Skipper {
    /// To learn a shape for fewer values than this costs more than it saves.
    const FEW: usize = 16;
    const FIRST_CREDIT: u32 = 16;
    const MAX_CREDIT: u32 = 64;
    const COST_OF_A_MISS: u32 = 2;

    /// A skipper for about this many values.
    #[inline]
    pub(crate) fn new(count: usize) -> Skipper {
        Skipper {
            shape: None,
            credit: if count < Skipper::FEW { 0 } else { Skipper::FIRST_CREDIT },
        }
    }

    /// Moves behind `count` units of `unit` values each, all at `depth`.
    ///
    /// # Errors
    /// Says how many units it came past. The decoder stands behind those, and at most [`BATCH`]
    /// units in front of the broken one, for the caller to look into.
    pub(crate) fn skip(
        &mut self,
        decoder: &mut Decoder<'_>,
        count: usize,
        unit: usize,
        depth: usize,
    ) -> Result<(), usize> {
        let mut skipped = 0;
        while skipped < count {
            let batch = BATCH.min(count - skipped);
            let end = self.batch_end(decoder, batch, unit, depth).ok_or(skipped)?;
            decoder.cursor().move_to(end);
            skipped += batch;
        }
        Ok(())
    }

    fn batch_end(
        &mut self,
        decoder: &mut Decoder<'_>,
        count: usize,
        unit: usize,
        depth: usize,
    ) -> Option<usize> {
        let mut position = decoder.cursor().position();
        let mut steps = Steps::new(decoder);
        // The last value of a unit decides: the keys of a dictionary are rarely containers.
        if self.credit == 0 || !steps.holds_container(position, unit) {
            return steps.values(position, count * unit, depth);
        }
        let mut left = count;
        while left > 0 {
            if let Some(shape) = &self.shape {
                let (alike, len) = shape.count_at(steps.rest(position), left);
                self.credit = Skipper::MAX_CREDIT.min(self.credit + alike as u32);
                position += len;
                left -= alike;
            }
            if left > 0 {
                position = self.learn(&mut steps, position, unit, depth)?;
                left -= 1;
            }
        }
        Some(position)
    }

    /// Behind the unit at `position`, whose shape the next ones may have.
    #[inline(never)]
    fn learn(
        &mut self,
        steps: &mut Steps<'_>,
        position: usize,
        unit: usize,
        depth: usize,
    ) -> Option<usize> {
        if self.credit == 0 {
            return steps.values(position, unit, depth);
        }
        self.credit = self.credit.saturating_sub(Skipper::COST_OF_A_MISS);
        let shape = self.shape.get_or_insert_default();
        steps.learn(position, unit, depth, shape)
    }
}
