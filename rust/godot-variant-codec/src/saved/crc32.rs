//! The checksum of zlib, PNG and gzip (CRC-32/ISO-HDLC), eight bytes at a time.

use std::sync::LazyLock;

const POLYNOMIAL: u32 = 0xedb8_8320;

/// `TABLES[n][byte]` is what a byte does to the checksum with `n` bytes behind it.
///
/// Made when they are needed: they would be a part of each game.
static TABLES: LazyLock<[[u32; 256]; 8]> = LazyLock::new(tables);

pub(super) fn crc32(bytes: &[u8]) -> u32 {
    let (chunks, rest) = bytes.as_chunks::<8>();
    let mut crc = u32::MAX;
    for chunk in chunks {
        let [a, b, c, d] =
            (crc ^ u32::from_le_bytes([chunk[0], chunk[1], chunk[2], chunk[3]])).to_le_bytes();
        let bytes = [a, b, c, d, chunk[4], chunk[5], chunk[6], chunk[7]];
        crc = bytes
            .iter()
            .zip(TABLES.iter().rev())
            .fold(0, |crc, (&byte, table)| crc ^ table[usize::from(byte)]);
    }
    !rest.iter().fold(crc, |crc, &byte| crc >> 8 ^ TABLES[0][usize::from(crc as u8 ^ byte)])
}

fn tables() -> [[u32; 256]; 8] {
    let mut tables = [[0u32; 256]; 8];
    for byte in 0..=u8::MAX {
        let step = |crc: u32, _| if crc & 1 == 1 { crc >> 1 ^ POLYNOMIAL } else { crc >> 1 };
        tables[0][usize::from(byte)] = (0..8).fold(u32::from(byte), step);
    }
    for table in 1..tables.len() {
        for byte in 0..tables[0].len() {
            let before = tables[table - 1][byte];
            tables[table][byte] = before >> 8 ^ tables[0][usize::from(before as u8)];
        }
    }
    tables
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_checksums() {
        assert_eq!(crc32(b""), 0);
        assert_eq!(crc32(b"123456789"), 0xcbf4_3926);
        assert_eq!(crc32(b"The quick brown fox jumps over the lazy dog"), 0x414f_a339);
    }

    #[test]
    fn eight_bytes_at_a_time_are_as_one_by_one() {
        let bytes: Vec<u8> = (0..100u8).map(|index| index.wrapping_mul(37)).collect();
        let one_by_one = |bytes: &[u8]| {
            let step = |crc: u32, &byte: &u8| crc >> 8 ^ TABLES[0][usize::from(crc as u8 ^ byte)];
            !bytes.iter().fold(u32::MAX, step)
        };
        for len in 0..bytes.len() {
            assert_eq!(crc32(&bytes[..len]), one_by_one(&bytes[..len]), "{len} bytes");
        }
    }
}
