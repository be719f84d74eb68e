//! Streams of Rust's own types.

use std::marker::PhantomData;

use ::serde::de::DeserializeOwned;
use ::serde::ser::Serialize;
use bytes::BytesMut;
use tokio_util::codec;

use super::{CodecError, Frames};
use crate::decode::Decoder;
use crate::framing::FrameOptions;
use crate::serde::{Deserializer, to_bytes};

/// As [`VariantCodec`](super::VariantCodec), for Rust's own types: reads `In`, writes whatever is
/// given to it. See [`serde`](crate::serde).
#[derive(Debug)]
pub struct TypedCodec<In> {
    frames: Frames,
    read: PhantomData<fn() -> In>,
}

impl<In> TypedCodec<In> {
    /// A codec that expects and takes what `options` say.
    pub fn new(options: FrameOptions) -> TypedCodec<In> {
        TypedCodec { frames: Frames { options, position: 0 }, read: PhantomData }
    }
}

impl<In> Default for TypedCodec<In> {
    fn default() -> TypedCodec<In> {
        TypedCodec::new(FrameOptions::default())
    }
}

impl<In: DeserializeOwned> codec::Decoder for TypedCodec<In> {
    type Item = In;
    type Error = CodecError;

    fn decode(&mut self, bytes: &mut BytesMut) -> Result<Option<In>, CodecError> {
        let at = self.frames.position;
        let Some(frame) = self.frames.next(bytes)? else {
            return Ok(None);
        };
        let mut decoder = Decoder::new(&frame, self.frames.options.decode);
        let value =
            In::deserialize(Deserializer::new(&mut decoder)).map_err(|error| error.or_offset(0))?;
        self.frames.check_end(at, decoder.offset(), frame.len())?;
        Ok(Some(value))
    }

    fn decode_eof(&mut self, bytes: &mut BytesMut) -> Result<Option<In>, CodecError> {
        match self.decode(bytes)? {
            Some(value) => Ok(Some(value)),
            None => self.frames.finish(bytes).map(|()| None),
        }
    }
}

impl<In, Out: Serialize> codec::Encoder<Out> for TypedCodec<In> {
    type Error = CodecError;

    fn encode(&mut self, value: Out, bytes: &mut BytesMut) -> Result<(), CodecError> {
        let encoded = to_bytes(&value)?;
        // `to_bytes` gives no more than 31 bits can count.
        let len = self.frames.options.byte_order.length_bytes(encoded.len() as u32);
        bytes.extend_from_slice(&len);
        bytes.extend_from_slice(&encoded);
        Ok(())
    }
}
