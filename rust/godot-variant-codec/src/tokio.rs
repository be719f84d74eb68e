//! Streams of values for [tokio](https://tokio.rs): codecs for `tokio_util::codec::Framed`.
//!
//! The format is that of `StreamPeer.put_var` and `get_var`, see [`framing`](crate::framing).
//!
//! ```
//! use futures_util::{SinkExt, StreamExt};
//! use tokio_util::codec::Framed;
//! use godot_variant_codec::tokio::VariantCodec;
//! use godot_variant_codec::variant::Value;
//!
//! # tokio::runtime::Builder::new_current_thread().build()?.block_on(async {
//! let (ours, theirs) = tokio::io::duplex(64); // or a TcpStream
//! let mut ours = Framed::new(ours, VariantCodec::default());
//! let mut theirs = Framed::new(theirs, VariantCodec::default());
//!
//! ours.send(&Value::from("hello")).await?;
//! assert_eq!(theirs.next().await.transpose()?, Some(Value::from("hello")));
//! # Ok::<(), godot_variant_codec::tokio::CodecError>(())
//! # })?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#[cfg(feature = "serde")]
mod typed;

#[cfg(feature = "serde")]
pub use typed::TypedCodec;

use std::io;

use bytes::{Buf, BytesMut};
use godot_variant::{Refusal, Source, Value};
use tokio_util::codec;

use crate::dialect::{Dialect, DialectDecoder, EncodeOptions};
use crate::framing::{FrameError, FrameOptions, LENGTH_LEN, append_frame_as};

/// Reads and writes values as `StreamPeer.put_var` and `get_var` do.
///
/// Takes no memory for bytes that are not there: a length makes nothing be allocated.
#[derive(Clone, Debug)]
pub struct VariantCodec {
    frames: Frames,
    dialect: &'static Dialect,
    encode: EncodeOptions,
}

/// Why a stream cannot be read or written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CodecError {
    /// The connection failed.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The other end sent something that is no value, or too large.
    #[error(transparent)]
    Frame(#[from] FrameError),
    /// A value cannot be encoded.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// The other end sent a value of another type, or a Rust value cannot be encoded.
    #[cfg(feature = "serde")]
    #[error(transparent)]
    Typed(#[from] crate::serde::Error),
}

impl VariantCodec {
    /// A codec that expects and takes what `options` say. Of
    /// [`max_buffered_len`](FrameOptions::max_buffered_len) it makes no use: `Framed` reads no
    /// further than to the end of the next frame, and what else came with it.
    pub fn new(options: FrameOptions) -> VariantCodec {
        VariantCodec::with_dialect(options, &Dialect::GODOT_4, EncodeOptions::default())
    }

    /// A codec that reads and writes values in `dialect`, for clients of an older engine; `encode`
    /// says how values are brought into it.
    pub fn with_dialect(
        options: FrameOptions,
        dialect: &'static Dialect,
        encode: EncodeOptions,
    ) -> VariantCodec {
        VariantCodec { frames: Frames { options, position: 0 }, dialect, encode }
    }

    fn append(&self, bytes: &mut BytesMut, value: &impl Source) -> Result<(), CodecError> {
        let (mut frame, byte_order) = (Vec::new(), self.frames.options.byte_order);
        append_frame_as(&mut frame, value, byte_order, self.dialect, self.encode)?;
        bytes.extend_from_slice(&frame);
        Ok(())
    }
}

impl Default for VariantCodec {
    fn default() -> VariantCodec {
        VariantCodec::new(FrameOptions::default())
    }
}

impl codec::Decoder for VariantCodec {
    type Item = Value;
    type Error = CodecError;

    fn decode(&mut self, bytes: &mut BytesMut) -> Result<Option<Value>, CodecError> {
        let at = self.frames.position;
        let Some(frame) = self.frames.next(bytes)? else {
            return Ok(None);
        };
        let mut decoder = DialectDecoder::new(&frame, self.dialect, self.frames.options.decode);
        let mut value = Value::Nil;
        decoder.decode_into(&mut value).map_err(|error| FrameError::NoValue { at, error })?;
        self.frames.check_end(at, decoder.offset(), frame.len())?;
        Ok(Some(value))
    }

    fn decode_eof(&mut self, bytes: &mut BytesMut) -> Result<Option<Value>, CodecError> {
        match self.decode(bytes)? {
            Some(value) => Ok(Some(value)),
            None => self.frames.finish(bytes).map(|()| None),
        }
    }
}

impl codec::Encoder<&Value> for VariantCodec {
    type Error = CodecError;

    fn encode(&mut self, value: &Value, bytes: &mut BytesMut) -> Result<(), CodecError> {
        self.append(bytes, value)
    }
}

impl codec::Encoder<Value> for VariantCodec {
    type Error = CodecError;

    fn encode(&mut self, value: Value, bytes: &mut BytesMut) -> Result<(), CodecError> {
        self.append(bytes, &value)
    }
}

/// What all codecs do with lengths.
#[derive(Clone, Debug, Default)]
struct Frames {
    options: FrameOptions,
    /// Where in the stream the next frame starts.
    position: u64,
}

impl Frames {
    /// The bytes of the next frame, once they are there.
    fn next(&mut self, bytes: &mut BytesMut) -> Result<Option<BytesMut>, FrameError> {
        let Some(length) = bytes.first_chunk::<LENGTH_LEN>() else {
            return Ok(None);
        };
        let len = self.options.byte_order.length(*length);
        let max = self.options.max_frame_len;
        let len = match usize::try_from(len) {
            Ok(len) if len <= max => len,
            _ => return Err(FrameError::TooLarge { at: self.position, len, max }),
        };
        if bytes.len() - LENGTH_LEN < len {
            return Ok(None);
        }
        bytes.advance(LENGTH_LEN);
        self.position += (LENGTH_LEN + len) as u64;
        Ok(Some(bytes.split_to(len)))
    }

    fn check_end(&self, at: u64, value_len: usize, len: usize) -> Result<(), FrameError> {
        if self.options.exact && value_len < len {
            return Err(FrameError::TrailingBytes { at, value_len, len });
        }
        Ok(())
    }

    /// At the end of the stream.
    fn finish(&self, bytes: &BytesMut) -> Result<(), CodecError> {
        match bytes.len() {
            0 => Ok(()),
            available => Err(FrameError::Unfinished { at: self.position, available }.into()),
        }
    }
}
