//! Numbers at the start of a text, as C's `strtoll` and `strtod` find them.

/// The integer at the start, with C's prefixes (`strtoll` with base 0): white space, a sign, then
/// `0x` for hexadecimal, `0` for octal. What follows is ignored. Too great numbers are saturated.
pub(crate) fn leading_integer(text: &str) -> Option<i128> {
    let (is_negative, text) = sign(trim(text));
    let bytes = text.as_bytes();
    let is_hex = matches!(bytes, [b'0', b'x' | b'X', digit, ..] if digit.is_ascii_hexdigit());
    let (base, digits) = match bytes {
        _ if is_hex => (16, &text[2..]),
        [b'0', ..] => (8, text),
        _ => (10, text),
    };
    let mut number: Option<i128> = None;
    for digit in digits.chars().map_while(|char| char.to_digit(base)) {
        let low = number.unwrap_or(0).saturating_mul(base.into());
        number = Some(low.saturating_add(digit.into()));
    }
    number.map(|number| if is_negative { -number } else { number })
}

/// The floating point number at the start (`strtod` in the C locale). What follows is ignored.
/// None if there is none, or it is infinite, or too great or too small for a normal double.
pub(crate) fn leading_float(text: &str) -> Option<f64> {
    let (is_negative, text) = sign(trim(text));
    let lower = text.get(..3).unwrap_or_default().to_ascii_lowercase();
    if lower == "nan" {
        return Some(f64::NAN);
    }
    let bytes = text.as_bytes();
    let magnitude = if matches!(bytes, [b'0', b'x' | b'X', digit, ..] if digit.is_ascii_hexdigit())
    {
        hexadecimal(&text[2..])
    } else {
        let end = decimal_end(bytes)?;
        let number: f64 = text[..end].parse().ok()?;
        let has_digit =
            text[..end].split(['e', 'E']).next()?.contains(|c| ('1'..='9').contains(&c));
        if has_digit && !number.is_normal() {
            return None;
        }
        number
    };
    magnitude.is_finite().then_some(if is_negative { -magnitude } else { magnitude })
}

fn trim(text: &str) -> &str {
    text.trim_start_matches([' ', '\t', '\n', '\r', '\u{b}', '\u{c}'])
}

fn sign(text: &str) -> (bool, &str) {
    match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    }
}

/// Behind digits, a point and digits, and an exponent that has digits.
fn decimal_end(bytes: &[u8]) -> Option<usize> {
    let digits = |from: usize| bytes[from..].iter().take_while(|b| b.is_ascii_digit()).count();
    let whole = digits(0);
    let mut end = whole;
    if bytes.get(end) == Some(&b'.') {
        let fraction = digits(end + 1);
        if whole + fraction == 0 {
            return None;
        }
        end += 1 + fraction;
    } else if whole == 0 {
        return None;
    }
    if matches!(bytes.get(end), Some(b'e' | b'E')) {
        let sign = usize::from(matches!(bytes.get(end + 1), Some(b'+' | b'-')));
        let exponent = bytes.get(end + 1 + sign..).map_or(0, |_| digits(end + 1 + sign));
        if exponent > 0 {
            end += 1 + sign + exponent;
        }
    }
    Some(end)
}

/// Hexadecimal digits, with a point and a binary exponent if they are there.
fn hexadecimal(text: &str) -> f64 {
    let (mut number, mut scale, mut in_fraction) = (0.0_f64, 1.0_f64, false);
    let mut chars = text.chars().peekable();
    while let Some(&char) = chars.peek() {
        match char.to_digit(16) {
            Some(digit) => {
                number = number * 16.0 + f64::from(digit);
                scale *= if in_fraction { 16.0 } else { 1.0 };
            }
            None if char == '.' && !in_fraction => in_fraction = true,
            None => break,
        }
        chars.next();
    }
    let rest: String = chars.collect();
    let exponent = rest.strip_prefix(['p', 'P']).and_then(|text| {
        let (is_negative, text) = sign(text);
        let len = text.bytes().take_while(u8::is_ascii_digit).count();
        let exponent: i32 = text[..len].parse().ok()?;
        Some(if is_negative { -exponent } else { exponent })
    });
    number / scale * 2.0_f64.powi(exponent.unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_as_in_c() {
        let table = [
            ("42.9", Some(42)),
            ("  +0x1Fg", Some(31)),
            ("010", Some(8)),
            ("09", Some(0)),
            ("0x", Some(0)),
            ("-0x10", Some(-16)),
            ("x", None),
            ("", None),
            ("- 1", None),
        ];
        for (text, number) in table {
            assert_eq!(leading_integer(text), number, "{text}");
        }
        assert_eq!(leading_integer(&"9".repeat(99)), Some(i128::MAX));
    }

    #[test]
    fn floats_as_in_c() {
        let table = [
            ("12.5f", Some(12.5)),
            (" -.5", Some(-0.5)),
            ("1e", Some(1.0)),
            ("1e+2x", Some(100.0)),
            ("0x1.8p1", Some(3.0)),
            ("0e999", Some(0.0)),
            ("inf", None),
            ("1e999", None),
            ("1e-310", None),
            (".", None),
            ("hello 2", None),
        ];
        for (text, number) in table {
            assert_eq!(leading_float(text), number, "{text}");
        }
        assert!(leading_float("NaN(1)").is_some_and(f64::is_nan));
    }
}
