//! Base64 as Godot reads it (`mbedtls_base64_decode`, Mbed TLS 3.6).

/// Whether `text` is base64 of whole bytes: groups of four, padded with `=` at the end. Lines may
/// break anywhere, with blanks before the break.
pub(crate) fn is_valid(text: &[u8]) -> bool {
    let (mut digits, mut padding) = (0_usize, 0_usize);
    for line in text.split(|byte| *byte == b'\n') {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        let blanks = line.iter().rev().take_while(|byte| **byte == b' ').count();
        let line = &line[..line.len() - blanks];
        let length = line.iter().position(|byte| !DIGITS[*byte as usize]).unwrap_or(line.len());
        if length > 0 && padding > 0 || line[length..].iter().any(|byte| *byte != b'=') {
            return false;
        }
        digits += length;
        padding += line.len() - length;
    }
    padding <= 2 && (digits + padding).is_multiple_of(4)
}

/// The bytes of valid base64.
pub(crate) fn decode(text: &[u8]) -> Vec<u8> {
    let digits: Vec<u32> = text.iter().filter_map(|byte| digit(*byte)).collect();
    let mut bytes = Vec::with_capacity(digits.len() * 3 / 4);
    for group in digits.chunks(4) {
        let bits = group.iter().fold(0, |bits, digit| bits << 6 | digit) << (6 * (4 - group.len()));
        bytes.extend_from_slice(&bits.to_be_bytes()[1..group.len()]);
    }
    bytes
}

fn digit(byte: u8) -> Option<u32> {
    Some(u32::from(match byte {
        b'A'..=b'Z' => byte - b'A',
        b'a'..=b'z' => byte - b'a' + 26,
        b'0'..=b'9' => byte - b'0' + 52,
        b'+' => 62,
        b'/' => 63,
        _ => return None,
    }))
}

static DIGITS: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] =
            (byte as u8).is_ascii_alphanumeric() || byte == b'+' as usize || byte == b'/' as usize;
        byte += 1;
    }
    table
};

#[cfg(test)]
mod tests {
    use super::is_valid;

    /// Godot 4.6.3 decodes the first and refuses the second (`str_to_var`).
    #[test]
    fn as_godot_has_it() {
        for text in [
            "", "AQID", "AQ==", "AQI=", "AQID ", "AQID\n", "AQ\nID", "AQ \nID", "AQ\r\nID", "\n",
            "AR==",
        ] {
            assert!(is_valid(text.as_bytes()), "{text:?}");
        }
        for text in [
            "A", "AQ", "AQI", "AQIDB", "AQIDBA", "AQ=", "AQ===", "=", "====", "AQ==AQ==", "AQ D",
            " AQID", "AQ\rID", "AQ\tID", "AQ-_", "A===",
        ] {
            assert!(!is_valid(text.as_bytes()), "{text:?}");
        }
    }
}
