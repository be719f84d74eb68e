//! How encoded values follow each other in files, streams and packets.
//!
//! | the engine's | format | here |
//! |---|---|---|
//! | `FileAccess.store_var`, `get_var` | length, value | [`append_frame`], [`FrameDecoder`] |
//! | `StreamPeer.put_var`, `get_var` | length, value | the same |
//! | the remote debugger (`--remote-debug tcp://…`) | length, value | the same with [`FrameOptions::debugger`] |
//! | `PacketPeer.put_var`, `get_var` | one value in a packet, nothing else | [`encode`](crate::encode), [`decode`](crate::decode) |
//! | arguments of RPCs, states of `MultiplayerSynchronizer` | compressed values | [`rpc`] |
//!
//! The length is a `u32`, in the byte order of the file (`FileAccess.big_endian`) or of the stream
//! (`StreamPeer.big_endian`). The value behind it is little-endian always. (core/io/file_access.cpp,
//! core/io/stream_peer.cpp, core/debugger/remote_debugger_peer.cpp, Godot 4.6)
//!
//! Nothing here does I/O: bytes go in as they come, in pieces of any length, and values come out.
//!
//! ```
//! use godot_variant_codec::framing::{ByteOrder, FrameDecoder, FrameOptions, append_frame};
//! use godot_variant_codec::variant::Value;
//!
//! let mut sent = Vec::new();
//! append_frame(&mut sent, &Value::from("hello"), ByteOrder::LittleEndian)?;
//! append_frame(&mut sent, &Value::Int(7), ByteOrder::LittleEndian)?;
//!
//! let mut received = Vec::new();
//! let mut decoder = FrameDecoder::new(FrameOptions::default());
//! for piece in sent.chunks(5) {
//!     decoder.push(piece)?;
//!     while let Some(value) = decoder.next_value()? {
//!         received.push(value);
//!     }
//! }
//! decoder.finish()?;
//! assert_eq!(received, [Value::from("hello"), Value::Int(7)]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod decoder;
mod error;
pub mod rpc;

pub use decoder::FrameDecoder;
pub use error::FrameError;

use godot_variant::{Refusal, Source};

use crate::decode::DecodeOptions;
use crate::dialect::{Dialect, EncodeOptions, encode_as};
use crate::encode::Encoder;
use crate::output::Output;

/// How many bytes the length takes that stands before each value.
pub const LENGTH_LEN: usize = 4;

/// The order of the bytes of the length before each value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ByteOrder {
    /// What files and streams have unless told otherwise.
    #[default]
    LittleEndian,
    /// What they have if `big_endian` is set.
    BigEndian,
}

/// What a [`FrameDecoder`] expects and how much it takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FrameOptions {
    /// The order of the bytes of each length.
    pub byte_order: ByteOrder,
    /// The longest value that is taken, in bytes; a length above it ends the stream.
    ///
    /// 8 MiB by default, as much as `PacketPeer.encode_buffer_max_size` and the debugger have.
    /// `get_var` has no limit: it takes as much memory as the length says, before a byte is there.
    pub max_frame_len: usize,
    /// The most bytes that may wait to be read. 16 MiB by default; never less than one whole frame.
    pub max_buffered_len: usize,
    /// Refuse a frame that is longer than its value, as the debugger does. `get_var` ignores what
    /// stands behind the value.
    pub exact: bool,
    /// What is let through of each value.
    pub decode: DecodeOptions,
}

impl Default for FrameOptions {
    fn default() -> FrameOptions {
        FrameOptions {
            byte_order: ByteOrder::LittleEndian,
            max_frame_len: 8 << 20,
            max_buffered_len: 16 << 20,
            exact: false,
            decode: DecodeOptions::default(),
        }
    }
}

impl FrameOptions {
    /// The most bytes that may wait to be read: the longest frame must have room, or it would never
    /// be read.
    pub fn largest_buffered_len(&self) -> usize {
        self.max_buffered_len.max(self.max_frame_len.saturating_add(LENGTH_LEN))
    }

    /// The stream between a game and the editor's debugger: little-endian, at most 8 MiB, nothing
    /// behind a value. Each value is an Array: the message's name, the thread's id, an Array.
    pub fn debugger() -> FrameOptions {
        FrameOptions { exact: true, ..FrameOptions::default() }
    }
}

impl ByteOrder {
    /// The length as it is sent.
    pub fn length_bytes(self, len: u32) -> [u8; LENGTH_LEN] {
        match self {
            ByteOrder::LittleEndian => len.to_le_bytes(),
            ByteOrder::BigEndian => len.to_be_bytes(),
        }
    }

    /// The length that was sent as these bytes.
    pub fn length(self, bytes: [u8; LENGTH_LEN]) -> u32 {
        match self {
            ByteOrder::LittleEndian => u32::from_le_bytes(bytes),
            ByteOrder::BigEndian => u32::from_be_bytes(bytes),
        }
    }
}

/// Appends the length of `value` and `value`, as `store_var` and `put_var` do.
///
/// # Errors
/// As [`encode`](crate::encode). Then nothing was appended, so that the frames before stay whole
/// (`put_var` sends what it has).
pub fn append_frame(
    out: &mut Vec<u8>,
    value: &impl Source,
    byte_order: ByteOrder,
) -> Result<(), Refusal> {
    let start = out.len();
    let appended = append_unchecked(out, value, byte_order, start);
    if appended.is_err() {
        out.truncate(start);
    }
    appended
}

/// As [`append_frame`], in a dialect: see [`encode_as`].
///
/// # Errors
/// As [`encode_as`]. Then nothing was appended.
pub fn append_frame_as(
    out: &mut Vec<u8>,
    value: &impl Source,
    byte_order: ByteOrder,
    dialect: &Dialect,
    options: EncodeOptions,
) -> Result<(), Refusal> {
    if dialect.is_native() && !options.double_precision {
        return append_frame(out, value, byte_order);
    }
    let encoded = encode_as(value, dialect, options)?;
    // `encode_as` gives no more than 31 bits can count.
    out.extend_from_slice(&byte_order.length_bytes(encoded.len() as u32));
    out.extend_from_slice(&encoded);
    Ok(())
}

fn append_unchecked(
    out: &mut Vec<u8>,
    value: &impl Source,
    byte_order: ByteOrder,
    start: usize,
) -> Result<(), Refusal> {
    out.put_zeros(LENGTH_LEN);
    value.emit(Encoder::new(out))?;
    let len = crate::checked_total(out.len() - start - LENGTH_LEN)?;
    out[start..][..LENGTH_LEN].copy_from_slice(&byte_order.length_bytes(len as u32));
    Ok(())
}
