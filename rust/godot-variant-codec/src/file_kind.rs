//! Forms of files that contain values, by their first bytes: hints for bytes that cannot be decoded.

use crate::framing::{ByteOrder, LENGTH_LEN};
use crate::header;
use crate::saved::MAGIC;
use godot_variant::VariantType;

/// A form in which Godot, or this crate, puts values into files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileKind {
    /// One value behind the header of [`saved`](crate::saved).
    Saved,
    /// `FileAccess.open_encrypted()` and `open_encrypted_with_pass()` (core/io/file_access_encrypted.cpp).
    Encrypted,
    /// `File.open_encrypted()` and `open_encrypted_with_pass()` of Godot 3: behind its magic is the mode, in place of a checksum.
    /// Godot 4 takes the mode for a part of the checksum and says that the file is corrupt.
    EncryptedByGodot3,
    /// `FileAccess.open_compressed()` (core/io/file_access_compressed.cpp).
    Compressed,
    /// Values behind their lengths, as `store_var` and `put_var` write them.
    Framed(ByteOrder),
}

impl FileKind {
    /// The form that the bytes look like. The first 16 are enough, if `len` is the number of all.
    ///
    /// ```
    /// use godot_variant_codec::FileKind;
    /// use godot_variant_codec::framing::ByteOrder;
    /// let framed = [8, 0, 0, 0, 2, 0, 0, 0, 7, 0, 0, 0];
    /// let kind = FileKind::Framed(ByteOrder::LittleEndian);
    /// assert_eq!(FileKind::of(&framed, framed.len()), Some(kind));
    /// assert_eq!(FileKind::of(&framed[4..], 8), None, "a value");
    /// assert_eq!(FileKind::of(b"GDEC\xA5\x3F\x07\x91", 100), Some(FileKind::Encrypted));
    /// assert_eq!(FileKind::of(b"GDEC\x01\0\0\0", 100), Some(FileKind::EncryptedByGodot3));
    /// ```
    pub fn of(bytes: &[u8], len: usize) -> Option<FileKind> {
        let begins_with = |magic: &[u8]| bytes.starts_with(magic);
        match () {
            () if begins_with(&MAGIC) => Some(FileKind::Saved),
            () if begins_with(b"GDEC\x01\0\0\0") => Some(FileKind::EncryptedByGodot3),
            () if begins_with(b"GDEC") => Some(FileKind::Encrypted),
            () if begins_with(b"GCPF") => Some(FileKind::Compressed),
            () => order_of_frames(bytes, len).map(FileKind::Framed),
        }
    }
}

/// The order of the lengths, if the bytes are frames from the first to the last.
fn order_of_frames(bytes: &[u8], len: usize) -> Option<ByteOrder> {
    let mut orders = [ByteOrder::LittleEndian, ByteOrder::BigEndian].into_iter();
    orders.find(|&order| are_frames(bytes, len, order))
}

fn are_frames(bytes: &[u8], len: usize, order: ByteOrder) -> bool {
    let mut at = 0;
    while let Some(&[length, first]) =
        bytes.get(at..).and_then(|rest| rest.as_chunks::<LENGTH_LEN>().0.first_chunk::<2>())
    {
        let (length, first) = (order.length(length) as usize, u32::from_le_bytes(first));
        // Flags are in the third byte, and values are padded.
        let is_header = VariantType::from_id(first & header::TYPE_MASK).is_some()
            && first & !(header::TYPE_MASK | 0x00FF_0000) == 0;
        let is_length = length >= LENGTH_LEN
            && length.is_multiple_of(LENGTH_LEN)
            && length <= len.saturating_sub(at + LENGTH_LEN);
        if !is_header || !is_length {
            return false;
        }
        at += LENGTH_LEN + length;
    }
    at > 0 && (at == len || bytes.len() < len)
}

#[cfg(test)]
mod tests {
    use godot_variant::Value;

    use super::*;
    use crate::framing::{ByteOrder, append_frame};

    #[test]
    fn frames_differ_from_values() {
        for order in [ByteOrder::LittleEndian, ByteOrder::BigEndian] {
            let mut bytes = Vec::new();
            for value in [Value::Int(7), Value::from("text"), Value::Nil] {
                append_frame(&mut bytes, &value, order).unwrap();
                assert_eq!(FileKind::of(&bytes, bytes.len()), Some(FileKind::Framed(order)));
                assert_eq!(FileKind::of(&bytes[..12], bytes.len()), Some(FileKind::Framed(order)));
            }
        }
        for bytes in
            [&b""[..], b"\x08\0\0\0", b"\x08\0\0\0\x02\0\0\0", b"\xFF\0\0\0\0\0\0\0", b"FVSAV"]
        {
            assert_eq!(FileKind::of(bytes, bytes.len()), None, "{bytes:?}");
        }
    }
}
