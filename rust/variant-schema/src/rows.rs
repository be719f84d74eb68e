//! Many values of one layout, column by column: first all of the first field, then all of the second one.
//!
//! The bits of the values are taken apart into the numbers and texts that they consist of. Each place of the layout has a column of
//! them, which is written in the shortest of its forms.

mod columns;
mod transpose;

use godot_variant::{Refusal, RefusalKind, Sink, Source};

use crate::bits::{BitReader, BitWriter};
use crate::decode::{Bits, Part};
use crate::encode::{Place, does_not_fit};
use crate::layout::{Count, Layout, Node};
use columns::{Columns, Left};

/// How many elements of inner arrays, and bytes of repeated texts, all rows together may contain for each row that is allowed.
const ELEMENTS_PER_ROW: usize = 16;
const BYTES_PER_ROW: usize = 256;

impl Layout {
    /// The bytes of an array of values, column by column.
    ///
    /// # Errors
    /// As [`Layout::encode`]; and if a class contains itself, because such a value has no columns.
    pub fn encode_rows(&self, values: &impl Source) -> Result<Vec<u8>, Refusal> {
        self.check_rows()?;
        let rows = self.rows();
        let mut bits = BitWriter::default();
        values.emit(Place::of(self, &rows, &mut bits))?;
        let bytes = bits.finish();
        let mut reader = BitReader::new(&bytes);
        // Written just now: what is missing was never there.
        let count = reader.take_varint().unwrap_or_default();
        let mut columns = Columns::of(&self.root, &self.classes);
        for _ in 0..count {
            let _ = transpose::take(&self.root, &self.classes, &mut columns, &mut reader);
        }
        let mut out = BitWriter::default();
        out.put_varint(count);
        columns.write(&mut out);
        Ok(out.finish())
    }

    /// Fills `sink` with the array of the values in `bytes`.
    ///
    /// Equal rows take nearly no bytes, so a few bytes can be many rows. `max_rows` limits them. For each row that is allowed, all rows
    /// together have at most 16 elements of inner arrays, and 256 bytes of repeated texts.
    ///
    /// # Errors
    /// As [`Layout::decode`], and if there are too many rows or elements.
    pub fn decode_rows<S: Sink>(
        &self,
        bytes: &[u8],
        max_rows: usize,
        sink: S,
    ) -> Result<(), Refusal> {
        self.check_rows()?;
        let mut reader = BitReader::new(bytes);
        let mut left = Left {
            elements: max_rows.saturating_mul(ELEMENTS_PER_ROW),
            bytes: max_rows.saturating_mul(BYTES_PER_ROW),
        };
        let invalid = |reader: &BitReader<'_>, reason| {
            Refusal::new(RefusalKind::InvalidBytes { offset: reader.offset(), reason })
        };
        let count = reader.take_varint().and_then(|count| usize::try_from(count).ok());
        let Some(count) = count.filter(|count| *count <= max_rows) else {
            return Err(invalid(&reader, "there are more rows than allowed"));
        };
        let mut columns = Columns::of(&self.root, &self.classes);
        if columns.read(count, &mut left, &mut reader).is_none() || !reader.is_at_end() {
            return Err(invalid(
                &reader,
                "a column ends early, goes on too long or has too many elements",
            ));
        }
        let mut bits = BitWriter::default();
        bits.put_varint(count as u64);
        for _ in 0..count {
            if transpose::put(&self.root, &self.classes, &mut columns, &mut bits).is_none() {
                return Err(invalid(&reader, "a column has an impossible number"));
            }
        }
        let bytes = bits.finish();
        let rows = self.rows();
        let reader = Bits::new(BitReader::new(&bytes));
        // The offset would be one in other bytes.
        let emitted = Part::of(self, &rows, &reader).emit(sink).and_then(|()| reader.expect_end());
        emitted.map_err(|refusal| match refusal.kind() {
            RefusalKind::InvalidBytes { reason, .. } => {
                Refusal::new(RefusalKind::InvalidBytes { offset: 0, reason })
            }
            _ => refusal,
        })
    }

    fn rows(&self) -> Node {
        Node::Array { item: Box::new(self.root.clone()), count: Count::Any }
    }

    fn check_rows(&self) -> Result<(), Refusal> {
        if columns::is_endless(&self.root, &self.classes, 0) {
            let reason = "a class that contains itself has no rows; encode each object alone";
            return Err(does_not_fit(reason.to_owned()));
        }
        if self.is_constant {
            return Err(does_not_fit("rows must have more than one possible value".to_owned()));
        }
        Ok(())
    }
}
