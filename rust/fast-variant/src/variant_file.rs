//! Values in files, as `FileAccess.store_var` and `get_var` have them.

use godot::builtin::{PackedByteArray, Variant};
use godot::classes::FileAccess;
use godot::global::godot_error;
use godot::obj::Gd;
use godot_variant_codec::framing::LENGTH_LEN;
use godot_variant_codec::{DecodeError, MAX_LEN};

use crate::decode_options::CallOptions;
use crate::engine::{self, Objects};
use crate::fast_variant::decode_with;
use crate::fast_variant_result::FastVariantResult;
use crate::wrong_file::{Reader, explained};

/// The amount that is read at once if a file does not declare its length.
const PIECE_LEN: usize = 1 << 20;

/// Why a file holds no value.
#[derive(Debug, thiserror::Error)]
pub(crate) enum FileError {
    #[error("the file is null; FileAccess.get_open_error() returns the reason")]
    Null,
    #[error("the file is not open: it was closed, or never opened")]
    NotOpen,
    #[error("the end of the file")]
    EndOfFile,
    #[error("{message}")]
    CutOff { message: String },
    #[error("the file ends inside a value: {needed} bytes needed, {available} left")]
    UnexpectedEnd { needed: usize, available: usize },
    #[error(
        "the file declares a value of {len} bytes, which is impossible (was it written with another \
         byte order?)"
    )]
    TooLarge { len: usize },
    #[error("{0}")]
    NoValue(DecodeError),
}

/// Appends a value to a file.
pub(crate) fn store(file: Option<Gd<FileAccess>>, value: &Variant) -> bool {
    let mut file = match opened(file) {
        Ok(file) => file,
        Err(error) => {
            godot_error!("FastVariant.store: {error}");
            return false;
        }
    };
    match engine::encode(value, Objects::AsIds) {
        // `store_32` keeps to the file's byte order.
        Ok(bytes) => file.store_32(bytes.len() as u32) && file.store_buffer(&bytes),
        Err(refusal) => {
            godot_error!("FastVariant.store: {refusal}");
            false
        }
    }
}

/// Reads the next value of a file, and how many bytes it takes there.
pub(crate) fn load(
    file: Option<Gd<FileAccess>>,
    options: &CallOptions,
) -> Result<(Variant, usize), FileError> {
    let mut file = opened(file)?;
    let length = file.get_buffer(LENGTH_LEN as i64);
    let Some(length) = length.as_slice().first_chunk::<LENGTH_LEN>() else {
        return Err(match length.len() {
            0 => FileError::EndOfFile,
            available => FileError::UnexpectedEnd { needed: LENGTH_LEN, available },
        });
    };
    let len = match file.is_big_endian() {
        true => u32::from_be_bytes(*length),
        false => u32::from_le_bytes(*length),
    } as usize;
    if len > MAX_LEN {
        return Err(FileError::TooLarge { len });
    }
    let bytes = read(&mut file, len);
    if bytes.len() < len {
        let (needed, available) = (len, bytes.len());
        let start: Vec<u8> = length.iter().chain(bytes.as_slice()).copied().take(32).collect();
        let error = FileError::UnexpectedEnd { needed, available };
        let message =
            explained(error.to_string(), &start, LENGTH_LEN + available, Reader::OpenFile);
        return Err(FileError::CutOff { message });
    }
    match decode_with(&bytes, 0, options) {
        Ok((value, _)) => Ok((value, LENGTH_LEN + len)),
        Err(error) => Err(FileError::NoValue(error)),
    }
}

/// The file, if it can be read and written: what the engine gives for a closed one was never written to.
fn opened(file: Option<Gd<FileAccess>>) -> Result<Gd<FileAccess>, FileError> {
    let file = file.ok_or(FileError::Null)?;
    if file.is_open() { Ok(file) } else { Err(FileError::NotOpen) }
}

/// The next `len` bytes, or as many as there are. Memory is taken for what is there only.
fn read(file: &mut Gd<FileAccess>, len: usize) -> PackedByteArray {
    let left = file.get_length().saturating_sub(file.get_position());
    if len as u64 <= left || len <= PIECE_LEN {
        return file.get_buffer(len as i64);
    }
    // The length is wrong, or the file is a pipe.
    let mut bytes = PackedByteArray::new();
    while bytes.len() < len {
        let wanted = PIECE_LEN.min(len - bytes.len());
        let piece = file.get_buffer(wanted as i64);
        bytes.extend_array(&piece);
        if piece.len() < wanted {
            break;
        }
    }
    bytes
}

impl FileError {
    /// The outcome of a call that does not log.
    pub(crate) fn into_result(self) -> Gd<FastVariantResult> {
        let code = match &self {
            FileError::NoValue(error) => return FastVariantResult::failed(error),
            FileError::Null => "invalid_argument",
            FileError::NotOpen => "file_not_open",
            FileError::EndOfFile => "end_of_file",
            FileError::UnexpectedEnd { .. } | FileError::CutOff { .. } => "unexpected_end",
            FileError::TooLarge { .. } => "frame_too_large",
        };
        FastVariantResult::misuse(code, &self.to_string(), 0)
    }
}
