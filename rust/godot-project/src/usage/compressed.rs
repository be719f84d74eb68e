//! Binary resources that Godot compresses: `.res` and `.scn` files of the editor.

use std::borrow::Cow;
use std::io::Read;

/// At most this number of bytes of one file is unpacked; a file of a few bytes can unpack to any
/// length.
const MAX_UNPACKED: usize = 256 << 20;

/// The bytes of a binary resource, unpacked if they are compressed (`FileAccessCompressed::open_after_magic`,
/// core/io/file_access_compressed.cpp, Godot 4.6.3). Nothing if they cannot be.
pub(super) fn unpacked(content: &[u8]) -> Option<Cow<'_, [u8]>> {
    let Some(rest) = content.strip_prefix(b"RSCC") else { return Some(Cow::Borrowed(content)) };
    let number = |at: usize| {
        let bytes: [u8; 4] = rest.get(at..at.checked_add(4)?)?.try_into().ok()?;
        Some(u32::from_le_bytes(bytes) as usize)
    };
    let (mode, block_size, total) = (number(0)?, number(4)?, number(8)?);
    if mode != ZSTD || block_size == 0 || total > MAX_UNPACKED {
        return None;
    }
    let count = total / block_size + 1;
    let mut start = 12usize.checked_add(count.checked_mul(4)?)?;
    let mut unpacked = Vec::new();
    for block in 0..count {
        let length = number(12 + block * 4)?;
        let end = start.checked_add(length)?;
        let packed = rest.get(start..end)?;
        start = end;
        let left = (total - unpacked.len()).min(block_size);
        if left == 0 {
            continue;
        }
        let decoder = ruzstd::decoding::StreamingDecoder::new(packed).ok()?;
        decoder.take(left as u64).read_to_end(&mut unpacked).ok()?;
    }
    (unpacked.len() == total).then_some(Cow::Owned(unpacked))
}

/// `Compression::MODE_ZSTD`
const ZSTD: usize = 2;

#[cfg(test)]
mod tests {
    use ruzstd::encoding::{CompressionLevel, compress_to_vec};

    use super::unpacked;

    /// As `FileAccessCompressed::_close` writes it.
    fn packed(content: &[u8], block_size: usize) -> Vec<u8> {
        let mut blocks: Vec<&[u8]> = content.chunks(block_size).collect();
        blocks.resize(content.len() / block_size + 1, b"");
        let blocks: Vec<Vec<u8>> = blocks
            .into_iter()
            .map(|block| compress_to_vec(block, CompressionLevel::Fastest))
            .collect();
        let mut file = b"RSCC".to_vec();
        let numbers = [2, block_size, content.len()].into_iter().chain(blocks.iter().map(Vec::len));
        numbers.for_each(|number| file.extend((number as u32).to_le_bytes()));
        blocks.iter().for_each(|block| file.extend(block));
        file.extend(b"RSCC");
        file
    }

    #[test]
    fn blocks() {
        let content = b"RSRC and a path: res://a.png".repeat(10);
        for block_size in [1, 7, 280, 4096] {
            let file = packed(&content, block_size);
            assert_eq!(unpacked(&file).as_deref(), Some(content.as_slice()), "{block_size}");
            for end in 4..file.len() - 4 {
                if let Some(found) = unpacked(&file[..end]) {
                    assert_eq!(*found, *content, "{end}");
                }
            }
        }
        assert_eq!(unpacked(b"RSRC").as_deref(), Some(&b"RSRC"[..]));
    }

    /// Sizes that no file has.
    #[test]
    fn hostile() {
        for numbers in
            [[2, 0, 1], [2, 1, u32::MAX], [2, u32::MAX, 1], [0, 4096, 1], [2, 1, 1 << 27]]
        {
            let mut file = b"RSCC".to_vec();
            numbers.iter().for_each(|number: &u32| file.extend(number.to_le_bytes()));
            assert_eq!(unpacked(&file), None, "{numbers:?}");
        }
    }
}
