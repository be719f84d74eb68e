//! Bytes as hexadecimal digits.

use std::fmt::Write;

/// Two digits for each byte.
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut hex, byte| {
        let _ = write!(hex, "{byte:02x}");
        hex
    })
}

/// The same with a space after each four bytes.
pub fn hex_words(bytes: &[u8]) -> String {
    bytes.chunks(4).map(hex).collect::<Vec<_>>().join(" ")
}

/// The bytes of hexadecimal digits, white space between them ignored.
///
/// # Panics
/// When something else is among them.
pub fn unhex(hex: &str) -> Vec<u8> {
    let digits = hex.chars().filter(|c| !c.is_whitespace());
    let digits: Vec<u32> = digits.map(|c| c.to_digit(16).expect("a hexadecimal digit")).collect();
    digits.as_chunks::<2>().0.iter().map(|[high, low]| (high * 16 + low) as u8).collect()
}
