//! Saved files: one value with a header that tells whether all of it is there.
//!
//! `rust/docs/wire-format.md` specifies the header. What reads and writes files, and compresses, is the caller.
//!
//! ```
//! use godot_variant_codec::saved::{Compression, HEADER_LEN, Header};
//! use godot_variant_codec::{encode, variant::Value};
//!
//! let value = encode(&Value::Int(7))?;
//! let file = [&Header::of(Compression::None, &value, value.len()).to_bytes()[..], &value].concat();
//!
//! let header = Header::parse(&file, 1 << 20)?;
//! header.check(&file[HEADER_LEN..])?;
//! assert_eq!(header.compression, Compression::None);
//! assert_eq!(file[HEADER_LEN..], value);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod crc32;

use crc32::crc32;

/// The bytes in front of the content.
pub const HEADER_LEN: usize = 32;
/// The version that is written, and the only one that is read.
pub const VERSION: u8 = 1;
/// What a saved file begins with; the version follows.
pub const MAGIC: [u8; 7] = *b"FVSAVE\0";

/// How the value was made shorter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compression {
    /// Not at all.
    None,
    /// One frame of Zstandard (RFC 8878).
    Zstd,
}

impl Compression {
    const ALL: [Compression; 2] = [Compression::None, Compression::Zstd];

    /// The name that stands in the file.
    pub const fn name(self) -> &'static [u8; 4] {
        match self {
            Compression::None => b"none",
            Compression::Zstd => b"zstd",
        }
    }
}

/// What stands in front of the content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Header {
    /// How the value was made shorter.
    pub compression: Compression,
    /// The bytes of the encoded value.
    pub value_len: usize,
    /// The bytes of it in the file.
    pub content_len: usize,
    /// The CRC-32 of these.
    pub checksum: u32,
}

/// Why a file holds no saved value.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SavedError {
    /// It begins with something else.
    #[error("not a saved file: it does not begin with `FVSAVE`")]
    NotSaved,
    /// It was written by a later version.
    #[error(
        "a saved file of version {0}; expected version {VERSION} (a newer FastVariant wrote the file)"
    )]
    UnknownVersion(u8),
    /// Its compression has another name.
    #[error("a saved file with the compression `{}`; expected `none` or `zstd`", .0.escape_ascii())]
    UnknownCompression([u8; 4]),
    /// It is shorter than it says.
    #[error("the file ends too early: {needed} bytes needed, {available} available")]
    UnexpectedEnd {
        /// How many bytes the file should have.
        needed: usize,
        /// How many it has.
        available: usize,
    },
    /// More is declared than the caller allows.
    #[error(
        "the file declares {len} bytes; the limit is {max}: raise `max_bytes` if you trust the file"
    )]
    TooManyBytes {
        /// What the file declares.
        len: u64,
        /// What the caller allows.
        max: usize,
    },
    /// It is not what was written.
    #[error("the file is damaged: {0}")]
    Damaged(&'static str),
}

impl SavedError {
    /// The word that stays the same in later versions.
    pub const fn code(&self) -> &'static str {
        match self {
            SavedError::NotSaved => "not_a_saved_file",
            SavedError::UnknownVersion(_) => "unknown_version",
            SavedError::UnknownCompression(_) => "unknown_compression",
            SavedError::UnexpectedEnd { .. } => "unexpected_end",
            SavedError::TooManyBytes { .. } => "too_many_bytes",
            SavedError::Damaged(_) => "damaged",
        }
    }
}

impl Header {
    /// The header for a value of `value_len` bytes that is stored as `content`.
    pub fn of(compression: Compression, content: &[u8], value_len: usize) -> Header {
        Header { compression, value_len, content_len: content.len(), checksum: crc32(content) }
    }

    /// The bytes that go in front of the content.
    pub fn to_bytes(&self) -> [u8; HEADER_LEN] {
        let mut bytes = [0; HEADER_LEN];
        bytes[..7].copy_from_slice(&MAGIC);
        bytes[7] = VERSION;
        bytes[8..12].copy_from_slice(self.compression.name());
        bytes[12..16].copy_from_slice(&self.checksum.to_le_bytes());
        bytes[16..24].copy_from_slice(&(self.value_len as u64).to_le_bytes());
        bytes[24..32].copy_from_slice(&(self.content_len as u64).to_le_bytes());
        bytes
    }

    /// Reads the header at the start of `file`, of which no more needs to be there.
    ///
    /// # Errors
    /// It is not one, or it declares a value, or a content, of more than `max_len` bytes.
    pub fn parse(file: &[u8], max_len: usize) -> Result<Header, SavedError> {
        let known = file.len().min(MAGIC.len());
        if file[..known] != MAGIC[..known] || known == 0 {
            return Err(SavedError::NotSaved);
        }
        let available = file.len();
        let Some(header) = file.first_chunk::<HEADER_LEN>() else {
            return Err(SavedError::UnexpectedEnd { needed: HEADER_LEN, available });
        };
        if header[7] != VERSION {
            return Err(SavedError::UnknownVersion(header[7]));
        }
        let name = four(header, 8);
        let compression = Compression::ALL.into_iter().find(|known| *known.name() == name);
        let compression = compression.ok_or(SavedError::UnknownCompression(name))?;
        let len = |at| {
            let len = u64::from_le_bytes(
                [four(header, at), four(header, at + 4)].concat().try_into().unwrap_or_default(),
            );
            let fitting = usize::try_from(len).ok().filter(|&len| len <= max_len);
            fitting.ok_or(SavedError::TooManyBytes { len, max: max_len })
        };
        let (value_len, content_len) = (len(16)?, len(24)?);
        if compression == Compression::None && value_len != content_len {
            return Err(SavedError::Damaged("its two lengths differ"));
        }
        let checksum = u32::from_le_bytes(four(header, 12));
        Ok(Header { compression, value_len, content_len, checksum })
    }

    /// Looks whether `content`, all that stands behind the header, is what was written.
    ///
    /// # Errors
    /// It is shorter or longer than the header says, or has other bytes.
    pub fn check(&self, content: &[u8]) -> Result<(), SavedError> {
        if content.len() < self.content_len {
            let needed = HEADER_LEN.saturating_add(self.content_len);
            return Err(SavedError::UnexpectedEnd {
                needed,
                available: HEADER_LEN + content.len(),
            });
        }
        if content.len() > self.content_len {
            return Err(SavedError::Damaged("bytes after its end"));
        }
        match crc32(content) == self.checksum {
            true => Ok(()),
            false => Err(SavedError::Damaged("wrong checksum")),
        }
    }
}

fn four(header: &[u8; HEADER_LEN], at: usize) -> [u8; 4] {
    [header[at], header[at + 1], header[at + 2], header[at + 3]]
}

#[cfg(test)]
mod tests {
    use super::*;

    const MAX: usize = 1 << 20;

    fn saved(content: &[u8]) -> Vec<u8> {
        let header = Header::of(Compression::None, content, content.len());
        [&header.to_bytes()[..], content].concat()
    }

    fn read(file: &[u8]) -> Result<Vec<u8>, SavedError> {
        let header = Header::parse(file, MAX)?;
        let content = &file[HEADER_LEN..];
        header.check(content).map(|()| content.to_vec())
    }

    #[test]
    fn what_was_saved_is_read() {
        for len in [0, 1, 7, 8, 9, 1000] {
            let content: Vec<u8> = (0..len).map(|index| (index * 7) as u8).collect();
            assert_eq!(read(&saved(&content)), Ok(content));
        }
        let header = Header::of(Compression::Zstd, b"abc", 77);
        assert_eq!(Header::parse(&header.to_bytes(), MAX), Ok(header));
    }

    #[test]
    fn no_prefix_and_no_changed_byte_is_taken_for_whole() {
        let file = saved(b"a value of some length");
        for len in 0..file.len() {
            assert!(read(&file[..len]).is_err(), "the first {len} bytes");
        }
        for at in 0..file.len() {
            for bit in 0..8 {
                let mut damaged = file.clone();
                damaged[at] ^= 1 << bit;
                assert!(read(&damaged).is_err(), "bit {bit} of byte {at}");
            }
        }
        assert_eq!(read(&[&file[..], b"x"].concat()).unwrap_err().code(), "damaged");
    }

    #[test]
    fn each_error_has_its_code() {
        let file = saved(b"1234");
        let with = |at: usize, bytes: &[u8]| {
            let mut file = file.clone();
            file[at..at + bytes.len()].copy_from_slice(bytes);
            read(&file).unwrap_err().code()
        };
        assert_eq!(read(b"").unwrap_err().code(), "not_a_saved_file");
        assert_eq!(read(b"GCPF").unwrap_err().code(), "not_a_saved_file");
        assert_eq!(read(b"FVSAVE").unwrap_err().code(), "unexpected_end");
        assert_eq!(with(0, b"X"), "not_a_saved_file");
        assert_eq!(with(7, &[2]), "unknown_version");
        assert_eq!(with(8, b"lzma"), "unknown_compression");
        assert_eq!(with(16, &[0xff; 8]), "too_many_bytes");
        assert_eq!(with(24, &[0xff; 8]), "too_many_bytes");
        assert_eq!(with(24, &[5]), "damaged");
        assert_eq!(with(12, &[0; 4]), "damaged");
    }
}
