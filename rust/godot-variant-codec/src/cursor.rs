//! The one bounded way to read bytes.

use godot_variant::VariantType;

use crate::error::{DecodeError, DecodeErrorKind};
use crate::{header, utf8};

/// A position in bytes from a stranger.
#[derive(Clone, Debug)]
pub(crate) struct Cursor<'a> {
    bytes: &'a [u8],
    /// May lie up to three bytes behind the end: see [`Cursor::skip_padding`].
    position: usize,
}

impl<'a> Cursor<'a> {
    pub(crate) fn new(bytes: &'a [u8], position: usize) -> Cursor<'a> {
        Cursor { bytes, position }
    }

    pub(crate) fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    #[inline]
    pub(crate) fn position(&self) -> usize {
        self.position
    }

    /// Moves to a position that was found to be behind a value.
    #[inline]
    pub(crate) fn move_to(&mut self, position: usize) {
        self.position = position;
    }

    #[inline]
    pub(crate) fn remaining(&self) -> usize {
        self.bytes.len().saturating_sub(self.position)
    }

    #[inline]
    pub(crate) fn take(&mut self, len: usize) -> Result<&'a [u8], DecodeError> {
        let rest = self.bytes.get(self.position..).unwrap_or_default();
        match rest.get(..len) {
            Some(taken) => {
                self.position += len;
                Ok(taken)
            }
            None => Err(self.unexpected_end(len)),
        }
    }

    #[inline]
    pub(crate) fn take_array<const N: usize>(&mut self) -> Result<[u8; N], DecodeError> {
        let rest = self.bytes.get(self.position..).unwrap_or_default();
        match rest.first_chunk::<N>() {
            Some(taken) => {
                self.position += N;
                Ok(*taken)
            }
            None => Err(self.unexpected_end(N)),
        }
    }

    #[inline]
    pub(crate) fn take_u32(&mut self) -> Result<u32, DecodeError> {
        self.take_array().map(u32::from_le_bytes)
    }

    /// The next bytes, which stay.
    #[inline]
    pub(crate) fn peek(&self, len: usize) -> Option<&'a [u8]> {
        self.bytes.get(self.position..)?.get(..len)
    }

    /// The next word, which stays.
    #[inline]
    pub(crate) fn peek_u32(&self) -> Option<u32> {
        let rest = self.bytes.get(self.position..)?;
        rest.first_chunk().map(|word| u32::from_le_bytes(*word))
    }

    /// The next two words, which stay.
    #[inline]
    pub(crate) fn peek_header_and_u32(&self) -> Option<(u32, u32)> {
        let rest = self.bytes.get(self.position..)?;
        let words = u64::from_le_bytes(*rest.first_chunk()?);
        Some((words as u32, (words >> 32) as u32))
    }

    /// Steps over two words that were seen to be there.
    #[inline]
    pub(crate) fn skip_header_and_u32(&mut self) {
        self.position += 8;
    }

    #[inline]
    pub(crate) fn take_i32(&mut self) -> Result<i32, DecodeError> {
        self.take_array().map(i32::from_le_bytes)
    }

    #[inline]
    pub(crate) fn take_u64(&mut self) -> Result<u64, DecodeError> {
        self.take_array().map(u64::from_le_bytes)
    }

    /// Steps over the padding of a `PackedByteArray`, there or not.
    ///
    /// The engine counts this padding without looking whether it is there (`decode_variant`,
    /// core/io/marshalls.cpp, 4.6), so a value that ends without it is accepted, and whatever is
    /// read next finds no bytes left.
    #[inline]
    pub(crate) fn skip_padding(&mut self, len: usize) {
        self.position += header::padding(len);
    }

    /// Length, text, padding, all of which must be there.
    pub(crate) fn take_str(&mut self, what: VariantType) -> Result<&'a str, DecodeError> {
        let content = self.take_text_bytes(what)?;
        let start = self.position - content.len();
        self.position += header::padding(content.len());
        utf8::read(content)
            .map_err(|good| DecodeError::new(DecodeErrorKind::InvalidUtf8, start + good))
    }

    /// Steps over length, text and padding without reading the text.
    #[inline]
    pub(crate) fn skip_text(&mut self, what: VariantType) -> Result<(), DecodeError> {
        let len = self.take_text_bytes(what)?.len();
        self.position += header::padding(len);
        Ok(())
    }

    /// The bytes of the text that comes next, if all of it is there.
    #[inline]
    pub(crate) fn peek_text(&self) -> Option<&'a [u8]> {
        let (len, rest) = self.bytes.get(self.position..)?.split_first_chunk()?;
        let len = usize::try_from(i32::from_le_bytes(*len)).ok()?;
        if len + header::padding(len) > rest.len() {
            return None;
        }
        rest.get(..len)
    }

    /// Steps over the text of `len` bytes that [`Cursor::peek_text`] has seen.
    #[inline]
    pub(crate) fn skip_peeked_text(&mut self, len: usize) {
        self.position += size_of::<i32>() + len + header::padding(len);
    }

    /// The bytes of a text, the cursor standing at the padding that is known to be there.
    #[inline]
    pub(crate) fn take_text_bytes(&mut self, what: VariantType) -> Result<&'a [u8], DecodeError> {
        let Some(content) = self.peek_text() else { return Err(self.no_text(what)) };
        self.position += size_of::<i32>() + content.len();
        Ok(content)
    }

    /// What is wrong where [`Cursor::peek_text`] sees no text.
    #[cold]
    fn no_text(&mut self, what: VariantType) -> DecodeError {
        let length_at = self.position;
        let len = match self.take_i32() {
            Ok(len) => len,
            Err(error) => return error,
        };
        match usize::try_from(len) {
            Ok(len) => self.unexpected_end(len + header::padding(len)),
            Err(_) => DecodeError::new(DecodeErrorKind::NegativeLength { what, len }, length_at),
        }
    }

    /// A count of elements of which each takes at least `element_len` bytes.
    #[inline]
    pub(crate) fn checked_count(
        &self,
        what: VariantType,
        count: usize,
        element_len: usize,
        count_at: usize,
    ) -> Result<usize, DecodeError> {
        let available = self.remaining();
        if count > available / element_len {
            let kind = DecodeErrorKind::CountTooLarge { what, count, available };
            return Err(DecodeError::new(kind, count_at));
        }
        Ok(count)
    }

    #[cold]
    fn unexpected_end(&self, needed: usize) -> DecodeError {
        let available = self.remaining();
        let offset = self.position.min(self.bytes.len());
        DecodeError::new(DecodeErrorKind::UnexpectedEnd { needed, available }, offset)
    }
}
