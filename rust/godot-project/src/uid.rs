//! Uids of resources, as text and as number.

use std::fmt;

use serde::{Deserialize, Serialize};

/// The number behind `uid://…`, by which Godot finds a resource wherever it was moved.
///
/// ```
/// use godot_project::Uid;
/// let uid = Uid::parse(b"uid://cqq2j4h8p6vy1").unwrap();
/// assert_eq!(uid.to_string(), "uid://cqq2j4h8p6vy1");
/// assert_eq!(Uid::parse(b"uid://<invalid>"), None);
/// assert_eq!(Uid::parse(b"uid://UPPER"), None);
/// ```
///
/// `ResourceUID::text_to_id` and `ResourceUID::id_to_text` (core/io/resource_uid.cpp, Godot 4.6.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Uid(i64);

/// The digits. Neither `z` nor `9` is among them.
const DIGITS: &[u8; 34] = b"abcdefghijklmnopqrstuvwxy012345678";

impl Uid {
    /// The uid with this number, if it is not negative.
    pub const fn new(number: i64) -> Option<Self> {
        if number < 0 { None } else { Some(Self(number)) }
    }

    /// The number.
    pub const fn number(self) -> i64 {
        self.0
    }

    /// Reads `uid://…`. As in Godot, the letter `z` counts as the digit 25, `9` as 34, and bits
    /// above 63 are cut off.
    pub fn parse(text: &[u8]) -> Option<Self> {
        let digits = text.strip_prefix(b"uid://")?;
        let mut number = 0u64;
        for digit in digits {
            let digit = match digit {
                b'a'..=b'z' => digit - b'a',
                b'0'..=b'9' => digit - b'0' + 25,
                _ => return None,
            };
            number = number.wrapping_mul(DIGITS.len() as u64).wrapping_add(u64::from(digit));
        }
        Some(Self((number & i64::MAX as u64) as i64))
    }
}

impl fmt::Display for Uid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // 63 bits have at most 13 digits.
        let mut text = [0; 13];
        let mut start = text.len();
        let mut rest = self.0 as u64;
        loop {
            start -= 1;
            text[start] = DIGITS[(rest % 34) as usize];
            rest /= 34;
            if rest == 0 {
                break;
            }
        }
        f.write_str("uid://")?;
        text[start..].iter().try_for_each(|digit| write!(f, "{}", *digit as char))
    }
}

#[cfg(test)]
mod tests {
    use super::Uid;

    /// The output of `ResourceUID` of Godot 4.6.3 for these texts.
    #[test]
    fn as_the_engine() {
        let cases: [(&str, i64, &str); 6] = [
            ("uid://a", 0, "uid://a"),
            ("uid://", 0, "uid://a"),
            ("uid://z", 25, "uid://0"),
            ("uid://9", 34, "uid://ba"),
            ("uid://d4n4ub6itg400", i64::MAX, "uid://d4n4ub6itg400"),
            ("uid://ba", 34, "uid://ba"),
        ];
        for (text, number, again) in cases {
            let uid = Uid::parse(text.as_bytes()).unwrap();
            assert_eq!((uid.number(), uid.to_string().as_str()), (number, again), "{text}");
        }
        assert_eq!(Uid::parse(b"uid://a b"), None);
        assert_eq!(Uid::parse(b"res://a"), None);
        assert_eq!(Uid::new(-1), None);
    }
}
