//! Numbers as Godot reads them.

/// The value of a number, `inf`, `-inf`, `inf_neg` or `nan`.
///
/// Godot's own routine (`built_in_strtod` in core/string/ustring.cpp, 4.6.3) is not exact: it takes 18
/// digits, leading zeros included, and multiplies by powers of ten. The same steps give the same
/// value.
pub(crate) fn parse_float(text: &[u8]) -> f64 {
    match text {
        b"inf" => return f64::INFINITY,
        b"-inf" | b"inf_neg" => return f64::NEG_INFINITY,
        b"nan" => return f64::NAN,
        _ => {}
    }
    let (is_negative, text) = match text {
        [b'-', rest @ ..] => (true, rest),
        _ => (false, text),
    };
    let value = if text.contains(&b'.') || text.iter().any(|byte| byte.eq_ignore_ascii_case(&b'e'))
    {
        unsigned_float(text)
    } else {
        // A whole number is read as one, and converted.
        parse_int(text) as f64
    };
    if is_negative { -value } else { value }
}

/// A whole number; the nearest one if it does not fit (`String::to_int`).
pub(crate) fn parse_int(text: &[u8]) -> i64 {
    let (is_negative, digits) = match text {
        [b'-', rest @ ..] => (true, rest),
        _ => (false, text),
    };
    let mut value: i64 = 0;
    for digit in digits.iter().take_while(|byte| byte.is_ascii_digit()) {
        if value > i64::MAX / 10 {
            return if is_negative { i64::MIN } else { i64::MAX };
        }
        value = (value * 10).wrapping_add(i64::from(digit - b'0'));
    }
    if is_negative { value.wrapping_neg() } else { value }
}

pub(crate) fn is_number(word: &[u8]) -> bool {
    matches!(word, b"inf" | b"-inf" | b"inf_neg" | b"nan")
}

/// Digits that count.
const MANTISSA: usize = 18;

const MAX_EXPONENT: i32 = 511;

fn unsigned_float(text: &[u8]) -> f64 {
    let mantissa_len =
        text.iter().position(|byte| !byte.is_ascii_digit() && *byte != b'.').unwrap_or(text.len());
    let (mantissa, rest) = text.split_at(mantissa_len);
    let whole = mantissa.iter().position(|byte| *byte == b'.').unwrap_or(mantissa_len);
    let digits: Vec<u32> = mantissa
        .iter()
        .filter(|byte| byte.is_ascii_digit())
        .take(MANTISSA)
        .map(|digit| u32::from(digit - b'0'))
        .collect();
    // Two halves of up to nine digits, put together as floating-point numbers.
    let (high, low) = digits.split_at(digits.len().saturating_sub(9));
    let half = |digits: &[u32]| digits.iter().fold(0_u32, |value, digit| 10 * value + digit);
    let fraction = 1.0e9 * f64::from(half(high)) + f64::from(half(low));
    let mut exponent = whole as i32 - digits.len() as i32;
    if let [b'e' | b'E', rest @ ..] = rest {
        let (is_negative, digits) = match rest {
            [b'-', digits @ ..] => (true, digits),
            [b'+', digits @ ..] => (false, digits),
            _ => (false, rest),
        };
        if digits.is_empty() {
            // Then not even the period counts: `1.5e` is 15.
            return fraction;
        }
        let given = leading_digits(digits).fold(0_i32, |value, digit| {
            value.saturating_mul(10).saturating_add(i32::from(digit - b'0'))
        });
        exponent = exponent.saturating_add(if is_negative { -given } else { given });
    }
    scale(fraction, exponent)
}

/// Up to the first byte that is none. In texts that Godot refuses, numbers may run into each other.
fn leading_digits(text: &[u8]) -> impl Iterator<Item = u8> {
    text.iter().copied().take_while(u8::is_ascii_digit)
}

/// `fraction` times ten to the power of `exponent`.
fn scale(fraction: f64, exponent: i32) -> f64 {
    const POWERS: [f64; 9] = [1e1, 1e2, 1e4, 1e8, 1e16, 1e32, 1e64, 1e128, 1e256];
    let steps = exponent.saturating_abs().min(MAX_EXPONENT);
    let mut factor = 1.0;
    for (bit, power) in POWERS.iter().enumerate() {
        if steps >> bit & 1 == 1 {
            factor *= power;
        }
    }
    if exponent < 0 { fraction / factor } else { fraction * factor }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_that_run_into_each_other() {
        assert_eq!(parse_float(b"01e+06.5"), 1e6);
        assert_eq!(parse_float(b"1e-2-3"), 0.01);
    }
}
