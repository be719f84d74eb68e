//! Whether two values say the same, however they are spaced.

/// Whether they are equal except for white space outside strings.
pub(crate) fn is_same(one: &[u8], other: &[u8]) -> bool {
    one == other || Significant::new(one).eq(Significant::new(other))
}

/// The same, of values that may be missing.
pub(super) fn is_same_or_none(one: Option<&[u8]>, other: Option<&[u8]>) -> bool {
    match (one, other) {
        (None, None) => true,
        (Some(one), Some(other)) => is_same(one, other),
        _ => false,
    }
}

/// A value without white space, as a key to look it up.
pub(crate) fn key(value: &[u8]) -> Vec<u8> {
    Significant::new(value).collect()
}

/// The bytes that count.
struct Significant<'v> {
    bytes: std::slice::Iter<'v, u8>,
    is_in_string: bool,
    is_escaped: bool,
}

impl<'v> Significant<'v> {
    fn new(value: &'v [u8]) -> Self {
        Self { bytes: value.iter(), is_in_string: false, is_escaped: false }
    }
}

impl Iterator for Significant<'_> {
    type Item = u8;

    fn next(&mut self) -> Option<u8> {
        loop {
            let byte = *self.bytes.next()?;
            if self.is_in_string {
                match byte {
                    b'\\' if !self.is_escaped => self.is_escaped = true,
                    b'"' if !self.is_escaped => self.is_in_string = false,
                    _ => self.is_escaped = false,
                }
                return Some(byte);
            }
            match byte {
                ..=32 => {}
                b'"' => {
                    self.is_in_string = true;
                    return Some(byte);
                }
                _ => return Some(byte),
            }
        }
    }
}
