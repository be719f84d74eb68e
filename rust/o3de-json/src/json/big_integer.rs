//! Integers beyond 64 bits.

use std::cmp::Ordering;

/// An integer beyond 64 bits, as a document spells it: `99999999999999999999`.
///
/// A document that is changed and written again keeps it. A value of Godot does not hold it, except as the nearest float.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BigInteger(Box<str>);

impl BigInteger {
    /// The integer that a reader found: digits, none of them a leading zero, with or without `-`, in the range of a double.
    pub(super) fn new(text: &str) -> BigInteger {
        BigInteger(text.into())
    }

    /// Its digits, behind `-` if it is negative.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The nearest double.
    pub fn as_f64(&self) -> f64 {
        self.0.parse().unwrap_or(f64::NAN)
    }

    /// The sign and the magnitude, to compare with another one.
    fn parts(&self) -> (bool, &str) {
        match self.0.strip_prefix('-') {
            Some(digits) => (true, digits),
            None => (false, &self.0),
        }
    }

    /// How it compares with any integer of 64 bits.
    pub(super) fn against_small(&self) -> Ordering {
        if self.parts().0 { Ordering::Less } else { Ordering::Greater }
    }
}

impl Ord for BigInteger {
    fn cmp(&self, other: &Self) -> Ordering {
        let ((is_negative, a), (is_other_negative, b)) = (self.parts(), other.parts());
        let by_magnitude = a.len().cmp(&b.len()).then_with(|| a.cmp(b));
        let by_value = if is_negative { by_magnitude.reverse() } else { by_magnitude };
        is_other_negative.cmp(&is_negative).then(by_value)
    }
}

impl PartialOrd for BigInteger {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
