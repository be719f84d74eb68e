//! Encoded values for the eye: what stands at which byte.
//!
//! ```
//! use godot_variant_codec::inspect::inspect;
//!
//! let bytes = [28, 0, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0, 7, 0, 0, 0, 4, 0, 0, 0, 9, 0, 0, 0, b'h', b'i'];
//! assert_eq!(
//!     inspect(&bytes).to_string(),
//!     "\
//! 00000000  1c000000 02000000                    Array, 2 elements
//! 00000008  02000000 07000000                      [0] int 7
//! 00000010  04000000 09000000 6869                 [1] error: unexpected end: 12 bytes needed, 2 left (at byte 24)
//! "
//! );
//! ```
//!
//! The walk is the decoder's own: it is asked for one value after the other, and stopped at each
//! container, which is then walked from where it stands. So a listing never shows what a decoder
//! would see differently, and broken bytes are listed up to the first that is wrong.

mod listing;
mod summary;
mod walk;

pub use walk::{Content, Row, Rows};

use crate::decode::DecodeOptions;
use crate::dialect::Dialect;

/// Lists one value and, if there are any, how many bytes stand behind it.
///
/// Objects with properties are listed, too: nothing is made of them.
pub fn inspect(bytes: &[u8]) -> Listing<'_> {
    Listing {
        bytes,
        start: 0,
        max_rows: usize::MAX,
        dialect: &Dialect::GODOT_4,
        double_precision: false,
    }
}

/// The listing of one value: an iterator's worth of [`Row`]s, or a text with a line for each.
#[derive(Clone, Copy, Debug)]
pub struct Listing<'a> {
    bytes: &'a [u8],
    start: usize,
    max_rows: usize,
    dialect: &'static Dialect,
    double_precision: bool,
}

impl<'a> Listing<'a> {
    /// The listing of the value that starts at byte number `start`.
    #[must_use]
    pub fn starting_at(self, start: usize) -> Listing<'a> {
        Listing { start: start.min(self.bytes.len()), ..self }
    }

    /// At most this many rows; the text says how many bytes are left out.
    #[must_use]
    pub fn max_rows(self, max_rows: usize) -> Listing<'a> {
        Listing { max_rows, ..self }
    }

    /// The listing of bytes of another dialect.
    ///
    /// ```
    /// use godot_variant_codec::{Dialect, inspect::inspect};
    ///
    /// let bytes = [19, 0, 0, 0, 1, 0, 0, 0, 7, 0, 0, 0, 0, 0, 128, 63, 0, 0, 0, 64, 0, 0, 64, 64];
    /// let listing = inspect(&bytes).dialect(&Dialect::GODOT_3).to_string();
    /// assert!(listing.contains("[0] Vector3(1, 2, 3)"));
    /// ```
    #[must_use]
    pub fn dialect(self, dialect: &'static Dialect) -> Listing<'a> {
        Listing { dialect, ..self }
    }

    /// In a dialect of the documents: components of vectors have 64 bits. Elsewhere the bytes tell.
    #[must_use]
    pub fn double_precision(self, double_precision: bool) -> Listing<'a> {
        Listing { double_precision, ..self }
    }

    /// One row for each value, in the order in which they stand.
    pub fn rows(self) -> Rows<'a> {
        let options = DecodeOptions {
            allow_objects: true,
            double_precision: self.double_precision,
            ..DecodeOptions::default()
        };
        Rows::new(self.bytes, self.start, self.dialect, options)
    }
}
