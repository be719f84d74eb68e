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

static DIGITS: [bool; 256] = {
    let mut table = [false; 256];
    let alphabet = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut index = 0;
    while index < alphabet.len() {
        table[alphabet[index] as usize] = true;
        index += 1;
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
