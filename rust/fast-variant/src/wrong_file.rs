//! Hints for bytes that a script gave to the wrong call: their form, and the call that reads them.

use godot_variant_codec::FileKind;

/// The call that is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reader {
    /// A call that takes bytes, such as `try_decode()`.
    Bytes,
    /// A call that takes an open file: `load()`.
    OpenFile,
    /// `load_file()`.
    SavedFile,
}

/// `message`, which says why the bytes cannot be decoded, with a hint at their form. `bytes` are the first of `len`.
pub(crate) fn explained(message: String, bytes: &[u8], len: usize, reader: Reader) -> String {
    match FileKind::of(bytes, len).and_then(|kind| hint(kind, reader)) {
        Some(hint) => format!("{message}; {hint}"),
        None => message,
    }
}

fn hint(kind: FileKind, reader: Reader) -> Option<&'static str> {
    Some(match (kind, reader) {
        (FileKind::Saved, Reader::SavedFile) | (FileKind::Framed(_), Reader::OpenFile) => {
            return None;
        }
        (FileKind::Saved, _) => "it looks like a file of save_file(): load_file() reads it",
        (FileKind::EncryptedByGodot3, _) => {
            "it looks like an encrypted file of Godot 3, which FileAccess of Godot 4 cannot open: the help of decode_as() shows how \
             to decrypt it"
        }
        (FileKind::Encrypted, _) => {
            "it looks like an encrypted file: open it with FileAccess.open_encrypted_with_pass() or open_encrypted() of \
             the Godot version that wrote it, then load() reads it"
        }
        (FileKind::Compressed, _) => {
            "it looks like a compressed file: open it with FileAccess.open_compressed(), then load() reads it"
        }
        (FileKind::Framed(_), _) => {
            "it looks like a file of FileAccess.store_var(), with a length before each value: load() reads it"
        }
    })
}
