//! Byte order marks and line ends: those of ours.

use std::borrow::Cow;

use crate::merge::refusal::{MergeRefusal, MergeSide};

pub(crate) const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// The three texts without byte order marks. Each line ends as on Unix if the whole text ended differently.
pub(crate) struct Texts<'t> {
    texts: [Cow<'t, [u8]>; 3],
    has_mark: bool,
    has_returns: bool,
}

impl<'t> Texts<'t> {
    pub(crate) fn new(
        base: &'t [u8],
        ours: &'t [u8],
        theirs: &'t [u8],
    ) -> Result<Self, MergeRefusal> {
        let texts = [base, ours, theirs];
        for (text, side) in texts.iter().zip(MergeSide::ALL) {
            if std::str::from_utf8(text).is_err() {
                return Err(MergeRefusal::NotUtf8(side));
            }
        }
        let has_mark = ours.starts_with(BYTE_ORDER_MARK);
        let is_returned = has_returns(ours);
        let texts = texts.map(|text| {
            let text = text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text);
            if has_returns(text) { Cow::Owned(without_returns(text)) } else { Cow::Borrowed(text) }
        });
        Ok(Self { texts, has_mark, has_returns: is_returned })
    }

    /// In the order of [`MergeSide::ALL`].
    pub(crate) fn plain(&self) -> [&[u8]; 3] {
        [0, 1, 2].map(|side: usize| &*self.texts[side])
    }

    /// The result with the line ends and the mark of ours.
    pub(super) fn as_ours(&self, text: Vec<u8>) -> Vec<u8> {
        let mut written = if self.has_mark { BYTE_ORDER_MARK.to_vec() } else { Vec::new() };
        if !self.has_returns {
            written.extend(text);
            return written;
        }
        for byte in text {
            // A string of theirs may have such an end, whatever the other lines have.
            if byte == b'\n' && written.last() != Some(&b'\r') {
                written.push(b'\r');
            }
            written.push(byte);
        }
        written
    }
}

/// Whether every line ends as on Windows.
fn has_returns(text: &[u8]) -> bool {
    let mut ends = memchr::memchr_iter(b'\n', text).peekable();
    ends.peek().is_some() && ends.all(|end| end > 0 && text[end - 1] == b'\r')
}

fn without_returns(text: &[u8]) -> Vec<u8> {
    let mut written = Vec::with_capacity(text.len());
    for line in text.split_inclusive(|byte| *byte == b'\n') {
        match line.strip_suffix(b"\r\n") {
            Some(body) => {
                written.extend_from_slice(body);
                written.push(b'\n');
            }
            None => written.extend_from_slice(line),
        }
    }
    written
}
