//! Why a stream of values cannot be read.

use crate::error::DecodeError;

/// What is wrong with a stream of frames.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FrameError {
    /// A length above [`max_frame_len`](super::FrameOptions::max_frame_len), or one that is not a
    /// length at all because the two ends count differently. Nothing behind it can be found.
    #[error(
        "frame at byte {at} of the stream: it declares {len} bytes; the limit is {max} \
         (is the other end's byte order the same?)"
    )]
    TooLarge {
        /// Where the length stands, counted from the start of the stream.
        at: u64,
        /// The length.
        len: u32,
        /// The longest that is taken.
        max: usize,
    },
    /// More bytes wait to be read than [`max_buffered_len`](super::FrameOptions::max_buffered_len).
    /// None was taken: read values, then push again.
    #[error(
        "{buffered} bytes wait to be read, and {pushed} more would exceed the limit of {max}: read \
         values first, or push shorter pieces"
    )]
    BufferFull {
        /// The bytes that wait.
        buffered: usize,
        /// The bytes that were to be added.
        pushed: usize,
        /// The limit.
        max: usize,
    },
    /// The bytes of one frame are no value. The frames behind it can still be read.
    #[error("frame at byte {at} of the stream: {error}")]
    NoValue {
        /// Where the frame's length stands, counted from the start of the stream.
        at: u64,
        /// What is wrong, its offset counted from the first byte behind the length.
        #[source]
        error: DecodeError,
    },
    /// A frame goes on behind its value, and [`exact`](super::FrameOptions::exact) is set. The
    /// frames behind it can still be read.
    #[error(
        "frame at byte {at} of the stream: the value ends after {value_len} of its {len} bytes"
    )]
    TrailingBytes {
        /// Where the frame's length stands, counted from the start of the stream.
        at: u64,
        /// The bytes of the value.
        value_len: usize,
        /// The bytes of the frame.
        len: usize,
    },
    /// The stream ends inside a frame.
    #[error("the stream ends inside the frame at byte {at}, after {available} of its bytes")]
    Unfinished {
        /// Where the frame's length stands, counted from the start of the stream.
        at: u64,
        /// The bytes of the frame that are there, its length among them.
        available: usize,
    },
}

impl FrameError {
    /// A stable word for the kind, for programs to match.
    pub fn code(&self) -> &'static str {
        match self {
            FrameError::TooLarge { .. } => "frame_too_large",
            FrameError::BufferFull { .. } => "buffer_full",
            FrameError::NoValue { error, .. } => error.kind().code(),
            FrameError::TrailingBytes { .. } => "trailing_bytes",
            FrameError::Unfinished { .. } => "unfinished_frame",
        }
    }

    /// Whether nothing more can be read from the stream.
    pub fn is_fatal(&self) -> bool {
        matches!(self, FrameError::TooLarge { .. } | FrameError::Unfinished { .. })
    }
}
