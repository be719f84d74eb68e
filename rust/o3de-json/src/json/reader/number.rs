//! Numbers.

use super::{Read, Reader};

/// A number, by its spelling and its size.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Number {
    /// Without fraction or exponent, and it fits 64 signed bits.
    Int(i64),
    /// Without fraction or exponent, above `i64::MAX`.
    Uint(u64),
    /// Without fraction or exponent, beyond 64 bits: the nearest double.
    Big(f64),
    /// Any other.
    Double(f64),
}

impl Number {
    /// Whether `double`, to which it was rounded, is the same number. Any is that is not an integer: it asks for a double.
    #[inline]
    pub(crate) fn is(self, double: f64) -> bool {
        match self {
            Number::Int(number) if number.unsigned_abs() <= EXACT => true,
            Number::Int(number) => double as i128 == i128::from(number),
            Number::Uint(number) => double as i128 == i128::from(number),
            Number::Big(_) => false,
            Number::Double(_) => true,
        }
    }

    /// The number as a double.
    #[inline]
    pub(crate) fn as_f64(self) -> f64 {
        match self {
            Number::Int(number) => number as f64,
            Number::Uint(number) => number as f64,
            Number::Big(number) | Number::Double(number) => number,
        }
    }
}

/// Integers up to this one are exact in a 32-bit float.
const EXACT: u64 = 1 << 24;

/// So many digits fit 64 bits, whatever they are.
const SAFE_DIGITS: usize = 18;

impl Reader<'_> {
    /// Reads the number that begins with this `-` or digit.
    #[inline]
    pub(crate) fn number(&mut self) -> Read<Number> {
        let start = self.at;
        let is_negative = self.bytes[start] == b'-';
        let first = start + usize::from(is_negative);
        let mut at = first;
        let mut magnitude = 0_i64;
        while let Some(digit @ b'0'..=b'9') = self.bytes.get(at) {
            magnitude = magnitude.wrapping_mul(10).wrapping_add(i64::from(digit - b'0'));
            at += 1;
        }
        let count = at - first;
        if count == 0 || count > SAFE_DIGITS || (count > 1 && self.bytes[first] == b'0') {
            return self.unusual_number();
        }
        match self.bytes.get(at) {
            Some(b'.') => {
                if !matches!(self.bytes.get(at + 1), Some(b'0'..=b'9')) {
                    return self.unusual_number();
                }
            }
            Some(b'e' | b'E') => return self.unusual_number(),
            _ => {
                self.at = at;
                return Ok(Number::Int(if is_negative { -magnitude } else { magnitude }));
            }
        }
        // In one pass; where it stops at something that is not JSON's, the slow way says why.
        match fast_float2::parse_partial::<f64, _>(&self.bytes[start..]) {
            Ok((number, len)) if number.is_finite() => {
                let is_whole = !matches!(self.bytes.get(start + len), Some(b'e' | b'E'));
                if !is_whole || !self.bytes[start + len - 1].is_ascii_digit() {
                    return self.unusual_number();
                }
                self.at = start + len;
                Ok(Number::Double(number))
            }
            _ => self.unusual_number(),
        }
    }

    /// Any number, or what is wrong with it.
    #[cold]
    #[inline(never)]
    fn unusual_number(&mut self) -> Read<Number> {
        let start = self.at;
        let is_negative = self.take(b'-');
        let first = self.at;
        let mut magnitude = 0_u64;
        let mut is_exact = true;
        while let Some(digit @ b'0'..=b'9') = self.peek() {
            let next = magnitude.checked_mul(10).and_then(|m| m.checked_add((digit - b'0').into()));
            (magnitude, is_exact) = (next.unwrap_or(0), is_exact && next.is_some());
            self.at += 1;
        }
        match self.at - first {
            0 => return self.missing("expected a digit"),
            1 => {}
            _ if self.bytes[first] == b'0' => {
                self.at = start;
                return self.fault("invalid number: it begins with 0");
            }
            _ => {}
        }
        let whole_end = self.at;
        if self.take(b'.') {
            self.digits()?;
        }
        if matches!(self.peek(), Some(b'e' | b'E')) {
            self.at += 1;
            if matches!(self.peek(), Some(b'+' | b'-')) {
                self.at += 1;
            }
            self.digits()?;
        }
        if self.at == whole_end && is_exact {
            if !is_negative {
                return Ok(i64::try_from(magnitude).map_or(Number::Uint(magnitude), Number::Int));
            }
            if let Some(number) = 0_i64.checked_sub_unsigned(magnitude) {
                return Ok(Number::Int(number));
            }
        }
        let is_whole = self.at == whole_end;
        match self.text[start..self.at].parse::<f64>() {
            Ok(number) if number.is_finite() && is_whole => Ok(Number::Big(number)),
            Ok(number) if number.is_finite() => Ok(Number::Double(number)),
            _ => {
                self.at = start;
                self.fault("number out of range: too large for a 64-bit float")
            }
        }
    }

    fn digits(&mut self) -> Read<()> {
        let first = self.at;
        while matches!(self.peek(), Some(b'0'..=b'9')) {
            self.at += 1;
        }
        if self.at == first { self.missing("expected a digit") } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn read(text: &str) -> Option<(Number, usize)> {
        let mut reader = Reader::new(text, 1);
        reader.number().ok().map(|number| (number, reader.at))
    }

    proptest! {
        /// The quick way is the slow way.
        #[test]
        fn numbers_are_those_of_the_slow_way(text in "-?[0-9]{0,20}(\\.[0-9]{0,20})?([eE][+-]?[0-9]{0,3})?[ .eE+x,-]?") {
            prop_assume!(text.starts_with(|c: char| c == '-' || c.is_ascii_digit()));
            let mut reader = Reader::new(&text, 1);
            let slow = reader.unusual_number().ok().map(|number| (number, reader.at));
            prop_assert_eq!(format!("{:?}", read(&text)), format!("{slow:?}"));
        }
    }
}
