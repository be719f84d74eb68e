//! Godot's reading of a text that it takes for the beginning of a key: everything up to the next `=` belongs to it.

/// The kind of the text that follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Next {
    Nothing,
    /// A `[tag]`, which becomes a part of the key.
    Tag,
    /// A property, or a line that is itself not one.
    Property,
}

impl Next {
    /// The text after `end`, without comments.
    pub(super) fn after(text: &[u8], end: u32) -> Self {
        match text.get(start_of_next(text, end)) {
            None => Self::Nothing,
            Some(b'[') => Self::Tag,
            Some(_) => Self::Property,
        }
    }
}

/// The first byte after `end` that is neither blank nor in a comment; without such a byte, the end of the text.
pub(super) fn start_of_next(text: &[u8], end: u32) -> usize {
    let mut at = end as usize;
    while let Some(byte) = text.get(at) {
        match byte {
            b';' => at = memchr::memchr(b'\n', &text[at..]).map_or(text.len(), |line| at + line),
            0..=b' ' => at += 1,
            _ => break,
        }
    }
    at
}
