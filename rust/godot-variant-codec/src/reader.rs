//! Several values in one buffer.

use godot_variant::{Sink, Value};

use crate::decode::{DecodeOptions, Decoder};
use crate::error::DecodeError;

/// Reads one value after the other from one buffer.
///
/// ```
/// use godot_variant_codec::{Encoder, Reader, variant::{Source, Value}};
///
/// let mut bytes = Vec::new();
/// for number in 1..=3 {
///     Value::Int(number).emit(Encoder::new(&mut bytes))?;
/// }
/// let values: Vec<Value> = Reader::new(&bytes).collect::<Result<_, _>>()?;
/// assert_eq!(values, [Value::Int(1), Value::Int(2), Value::Int(3)]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// A value that does not decode is not stepped over: [`Reader::offset`] stays at its start, and as
/// an iterator the reader ends with the error.
#[derive(Clone, Debug)]
pub struct Reader<'a> {
    bytes: &'a [u8],
    offset: usize,
    options: DecodeOptions,
    failed: bool,
}

impl<'a> Reader<'a> {
    /// A reader of all values in `bytes`.
    pub fn new(bytes: &'a [u8]) -> Reader<'a> {
        Reader::with_options(bytes, DecodeOptions::default())
    }

    /// A reader of all values in `bytes` that lets through what `options` say.
    pub fn with_options(bytes: &'a [u8], options: DecodeOptions) -> Reader<'a> {
        Reader { bytes, offset: 0, options, failed: false }
    }

    /// Where the next value starts: the number of bytes of the values read so far.
    pub fn offset(&self) -> usize {
        self.offset
    }

    /// Whether all bytes have been read.
    pub fn is_at_end(&self) -> bool {
        self.offset == self.bytes.len()
    }

    /// Reads the next value, or `None` behind the last one.
    ///
    /// # Errors
    /// The first thing that is wrong with the next value, its offset counted from the start of the
    /// buffer.
    pub fn read(&mut self) -> Result<Option<Value>, DecodeError> {
        let mut value = Value::Nil;
        Ok(self.read_into(&mut value)?.then_some(value))
    }

    /// Reads the next value into `sink`; false behind the last one.
    ///
    /// # Errors
    /// As [`Reader::read`].
    pub fn read_into<S: Sink>(&mut self, sink: S) -> Result<bool, DecodeError> {
        if self.is_at_end() {
            return Ok(false);
        }
        let mut decoder = Decoder::at(self.bytes, self.offset, self.options);
        decoder.decode_into(sink)?;
        self.offset = decoder.offset();
        Ok(true)
    }
}

impl Iterator for Reader<'_> {
    type Item = Result<Value, DecodeError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.failed {
            return None;
        }
        let read = self.read();
        self.failed = read.is_err();
        read.transpose()
    }
}
