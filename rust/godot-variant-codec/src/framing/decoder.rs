//! Frames out of a stream.

use godot_variant::{Sink, Value};

use super::{FrameError, FrameOptions, LENGTH_LEN};
use crate::dialect::{Dialect, DialectDecoder};

/// The buffer is given back when it is empty and larger than this.
const KEPT_LEN: usize = 64 << 10;

/// Takes the bytes of a stream in pieces of any length and gives the values in it.
///
/// Memory: a small multiple of what was pushed and not read yet, which is at most
/// [`max_buffered_len`](FrameOptions::max_buffered_len). A length makes nothing be allocated.
///
/// See [the module](super) for an example.
#[derive(Clone, Debug)]
pub struct FrameDecoder {
    options: FrameOptions,
    dialect: &'static Dialect,
    buffer: Vec<u8>,
    /// What stands before in the buffer was read.
    start: usize,
    /// Where in the stream `start` is.
    position: u64,
}

impl FrameDecoder {
    /// A decoder at the start of a stream.
    pub fn new(options: FrameOptions) -> FrameDecoder {
        FrameDecoder::with_dialect(options, &Dialect::GODOT_4)
    }

    /// A decoder at the start of a stream whose values are written in `dialect`, such as one that an
    /// older engine sends.
    ///
    /// ```
    /// use godot_variant_codec::framing::{ByteOrder, FrameDecoder, FrameOptions, append_frame_as};
    /// use godot_variant_codec::{Dialect, EncodeOptions, variant::Value};
    ///
    /// let (value, order) = (Value::Color([1.0; 4]), ByteOrder::BigEndian);
    /// let mut sent = Vec::new();
    /// append_frame_as(&mut sent, &value, order, &Dialect::GODOT_3, EncodeOptions::default())?;
    ///
    /// let options = FrameOptions { byte_order: order, ..FrameOptions::default() };
    /// let mut decoder = FrameDecoder::with_dialect(options, &Dialect::GODOT_3);
    /// decoder.push(&sent)?;
    /// assert_eq!(decoder.next_value()?, Some(value));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn with_dialect(options: FrameOptions, dialect: &'static Dialect) -> FrameDecoder {
        FrameDecoder { options, dialect, buffer: Vec::new(), start: 0, position: 0 }
    }

    /// What is expected and taken.
    pub fn options(&self) -> &FrameOptions {
        &self.options
    }

    /// Changes what is expected and taken, from the next frame on.
    pub fn set_options(&mut self, options: FrameOptions) {
        self.options = options;
    }

    /// Takes the next bytes of the stream.
    ///
    /// # Errors
    /// [`FrameError::BufferFull`], and then none of the bytes was taken.
    pub fn push(&mut self, bytes: &[u8]) -> Result<(), FrameError> {
        let buffered = self.buffered_len();
        let max = self.options.largest_buffered_len();
        if bytes.len() > max.saturating_sub(buffered) {
            return Err(FrameError::BufferFull { buffered, pushed: bytes.len(), max });
        }
        // Moved only when at least as many bytes were read since: each byte is moved once at most.
        if self.start >= buffered {
            self.buffer.drain(..self.start);
            self.start = 0;
        }
        self.buffer.extend_from_slice(bytes);
        Ok(())
    }

    /// How many bytes wait to be read.
    pub fn buffered_len(&self) -> usize {
        self.buffer.len() - self.start
    }

    /// Where in the stream the next frame starts: the bytes of all frames read so far.
    pub fn position(&self) -> u64 {
        self.position
    }

    /// Whether the next frame is there as a whole.
    ///
    /// # Errors
    /// [`FrameError::TooLarge`], as soon as its length is there.
    pub fn has_frame(&self) -> Result<bool, FrameError> {
        Ok(self.frame_len()?.is_some_and(|len| self.buffered_len() - LENGTH_LEN >= len))
    }

    /// The bytes of the next frame without its length, or `None` until it is there as a whole.
    ///
    /// # Errors
    /// [`FrameError::TooLarge`], and again each time: the stream cannot be read further.
    pub fn next_frame(&mut self) -> Result<Option<&[u8]>, FrameError> {
        if !self.has_frame()? {
            self.release();
            return Ok(None);
        }
        let len = self.frame_len()?.unwrap_or(0);
        let content = self.start + LENGTH_LEN;
        self.start = content + len;
        self.position += (LENGTH_LEN + len) as u64;
        Ok(Some(&self.buffer[content..content + len]))
    }

    /// The value in the next frame, or `None` until it is there as a whole.
    ///
    /// # Errors
    /// [`FrameError::TooLarge`] as [`FrameDecoder::next_frame`]; [`FrameError::NoValue`] and
    /// [`FrameError::TrailingBytes`], after which the next call reads the next frame.
    pub fn next_value(&mut self) -> Result<Option<Value>, FrameError> {
        let mut value = Value::Nil;
        Ok(self.next_into(&mut value)?.then_some(value))
    }

    /// Reads the value in the next frame into `sink`; false until it is there as a whole.
    ///
    /// # Errors
    /// As [`FrameDecoder::next_value`].
    pub fn next_into<S: Sink>(&mut self, sink: S) -> Result<bool, FrameError> {
        let (at, options, dialect) = (self.position, self.options, self.dialect);
        let Some(frame) = self.next_frame()? else {
            return Ok(false);
        };
        let mut decoder = DialectDecoder::new(frame, dialect, options.decode);
        decoder.decode_into(sink).map_err(|error| FrameError::NoValue { at, error })?;
        let (value_len, len) = (decoder.offset(), frame.len());
        if options.exact && value_len < len {
            return Err(FrameError::TrailingBytes { at, value_len, len });
        }
        Ok(true)
    }

    /// To be called at the end of the stream.
    ///
    /// # Errors
    /// [`FrameError::Unfinished`] if bytes are left that are not a whole frame.
    pub fn finish(&self) -> Result<(), FrameError> {
        match self.buffered_len() {
            0 => Ok(()),
            available => Err(FrameError::Unfinished { at: self.position, available }),
        }
    }

    /// The length of the next frame, once it is there.
    fn frame_len(&self) -> Result<Option<usize>, FrameError> {
        let Some(length) = self.buffer[self.start..].first_chunk() else {
            return Ok(None);
        };
        let len = self.options.byte_order.length(*length);
        let max = self.options.max_frame_len;
        match usize::try_from(len) {
            Ok(len) if len <= max => Ok(Some(len)),
            _ => Err(FrameError::TooLarge { at: self.position, len, max }),
        }
    }

    /// Gives memory back that one large frame has taken.
    fn release(&mut self) {
        if self.start == self.buffer.len() {
            self.buffer.clear();
            self.start = 0;
            if self.buffer.capacity() > KEPT_LEN {
                self.buffer = Vec::new();
            }
        }
    }
}
