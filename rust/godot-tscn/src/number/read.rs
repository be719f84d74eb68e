//! Text to numbers as Godot reads it, which is not always to the nearest: `built_in_strtod` and
//! `String::to_int` (core/string/ustring.cpp, 4.6.3; the same code in 3.6.2).

use crate::syntax::lexer::number_end;

/// More digits than these Godot leaves out.
const MAX_DIGITS: i64 = 18;

/// The value of a number, `inf`, `-inf`, `inf_neg` or `nan`.
pub(crate) fn parse_float(text: &[u8]) -> f64 {
    match text {
        b"inf" => f64::INFINITY,
        b"-inf" | b"inf_neg" => f64::NEG_INFINITY,
        b"nan" => f64::NAN,
        _ => {
            let numeral = Numeral::parse(text);
            // A whole number is read as one, and converted.
            let is_long_int = !numeral.is_float && numeral.to_i64().is_none();
            if is_long_int { parse_int(text) as f64 } else { numeral.to_f64() }
        }
    }
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
        // Behind the guard of Godot one more digit can overflow, and so can those after it.
        value = value.wrapping_mul(10).wrapping_add(i64::from(digit - b'0'));
    }
    if is_negative { value.wrapping_neg() } else { value }
}

/// Whether a word is a number all the same.
pub(crate) fn is_number(word: &[u8]) -> bool {
    matches!(word, b"inf" | b"-inf" | b"inf_neg" | b"nan")
}

/// A number token in its parts.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Numeral {
    pub(crate) is_negative: bool,
    /// Whether there is a period or an exponent: Godot then reads a float, else an int.
    pub(crate) is_float: bool,
    /// The digits that Godot looks at as a whole number.
    mantissa: u64,
    /// The power of ten of the last of them.
    exponent: i32,
    /// The digits without the zeros in front, those left out by Godot too.
    pub(crate) digit_count: usize,
    /// Whether the text has the simplest form, `-12.345`: no exponent, no unnecessary zero or
    /// period, and no more than three zeros after the period.
    pub(crate) is_plain: bool,
}

impl Numeral {
    /// Takes a number token apart.
    #[inline]
    pub(crate) fn parse(text: &[u8]) -> Self {
        Self::scan(text).0
    }

    /// Takes the number token apart that `text` starts with. Returns its length, too.
    #[inline]
    pub(crate) fn scan(text: &[u8]) -> (Self, usize) {
        let is_negative = text.first() == Some(&b'-');
        let body = &text[usize::from(is_negative)..];
        let mut numeral = Self { is_negative, ..Self::default() };
        let (mut kept, mut seen, mut point) = (0, 0_i64, None);
        let mut position = 0;
        while let Some(&byte) = body.get(position) {
            match byte {
                b'0'..=b'9' => {
                    if kept < MAX_DIGITS {
                        numeral.mantissa = numeral.mantissa * 10 + u64::from(byte - b'0');
                        kept += 1;
                    }
                    seen += 1;
                    if numeral.digit_count > 0 || byte != b'0' {
                        numeral.digit_count += 1;
                    }
                }
                b'.' if point.is_none() => point = Some(seen),
                _ => break,
            }
            position += 1;
        }
        let whole = point.unwrap_or(seen);
        numeral.exponent = (whole - kept).clamp(-1_000_000, 1_000_000) as i32;
        let has_exponent = matches!(body.get(position), Some(b'e' | b'E'));
        numeral.is_float = point.is_some() || has_exponent;
        numeral.is_plain = !has_exponent
            && (whole == 1 || body.first() != Some(&b'0'))
            && (point.is_none() || seen > whole && body[position - 1] != b'0')
            && numeral.digit_count as i64 + whole - seen > -4;
        let mut end = position;
        if has_exponent {
            end = number_end(body, 0);
            // Without digits in it, not even the period counts for Godot: `1.5e` is 15.
            numeral.exponent = exponent(&body[position + 1..end])
                .map_or(0, |given| numeral.exponent.saturating_add(given));
        }
        (numeral, end + usize::from(is_negative))
    }

    /// Whether the number is zero, with or without a sign.
    #[inline]
    pub(crate) fn is_zero(self) -> bool {
        self.mantissa == 0
    }

    /// The value that Godot gives to a float.
    #[inline]
    pub(crate) fn to_f64(self) -> f64 {
        if !self.is_float
            && let Some(int) = self.to_i64()
        {
            return int as f64;
        }
        let (high, low) = (self.mantissa / 1_000_000_000, self.mantissa % 1_000_000_000);
        let mantissa = 1.0e9 * high as f64 + low as f64;
        let power = power_of_ten(self.exponent.unsigned_abs());
        let value = if self.exponent < 0 { mantissa / power } else { mantissa * power };
        if self.is_negative { -value } else { value }
    }

    /// The value that Godot gives to a 32-bit float.
    #[inline]
    pub(crate) fn to_f32(self) -> f32 {
        match self.to_i64() {
            Some(int) if !self.is_float => int as f32,
            _ => self.to_f64() as f32,
        }
    }

    /// The value as an int, unless it is a float or does not fit.
    #[inline]
    pub(crate) fn to_i64(self) -> Option<i64> {
        let fits = !self.is_float && self.exponent == 0;
        let value = self.mantissa as i64;
        fits.then_some(if self.is_negative { -value } else { value })
    }
}

/// The number behind `e`, if it has digits. A number out of range is out of Godot's range, too.
fn exponent(text: &[u8]) -> Option<i32> {
    let (is_negative, digits) = match text {
        [b'-', digits @ ..] => (true, digits),
        [b'+', digits @ ..] => (false, digits),
        digits => (false, digits),
    };
    digits.first().filter(|digit| digit.is_ascii_digit())?;
    let value = digits
        .iter()
        .take_while(|byte| byte.is_ascii_digit())
        .fold(0_i32, |value, digit| {
            value.saturating_mul(10).saturating_add(i32::from(digit - b'0'))
        })
        .min(100_000);
    Some(if is_negative { -value } else { value })
}

/// Ten to this power, built from the powers of two of the exponent, as Godot does it.
#[inline]
fn power_of_ten(exponent: u32) -> f64 {
    const POWERS: [f64; 9] = [1e1, 1e2, 1e4, 1e8, 1e16, 1e32, 1e64, 1e128, 1e256];
    const EXACT: [f64; 23] = [
        1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
        1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
    ];
    if let Some(&power) = EXACT.get(exponent as usize) {
        return power;
    }
    let exponent = exponent.min(511);
    let bits = (0..9).filter(|bit| exponent >> bit & 1 == 1);
    bits.fold(1.0, |product, bit| product * POWERS[bit])
}

#[cfg(test)]
mod tests {
    use super::parse_int;

    /// The result of `str_to_var()` of Godot 4.6.3: digits beyond the largest number wrap.
    #[test]
    fn digits_behind_the_largest_number() {
        for (text, expected) in [
            ("9223372036854775807", i64::MAX),
            ("9223372036854775808", i64::MIN),
            ("9223372036854775809", -i64::MAX),
            ("92233720368547758080", 0),
            ("922337203685477580805", 5),
            ("-9223372036854775808", i64::MIN),
            ("-9223372036854775809", i64::MAX),
            ("-92233720368547758080", 0),
        ] {
            assert_eq!(parse_int(text.as_bytes()), expected, "{text}");
        }
    }
}
