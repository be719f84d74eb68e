//! Long arrays of numbers, which can be read in several places at once.

use super::{Read, Reader};

impl<'t> Reader<'t> {
    /// Cuts the text from here, after `[`, to the next `]` at commas into parts of about this length.
    /// None if the text is shorter than two parts, or holds comments. Elements that are not numbers may
    /// be cut in two.
    pub(crate) fn parts_of_numbers(&self, part_len: usize) -> Option<Vec<&'t str>> {
        let rest = &self.text[self.at..];
        if rest.len() < 2 * part_len {
            return None;
        }
        let end = memchr::memchr2(b']', b'/', rest.as_bytes())?;
        // In a comment a bracket closes nothing.
        if rest.as_bytes()[end] == b'/' {
            return None;
        }
        let mut rest = &rest[..end];
        if rest.len() < 2 * part_len {
            return None;
        }
        let mut parts = Vec::with_capacity(rest.len() / part_len + 1);
        while let Some(behind) = rest.as_bytes().get(part_len..)
            && let Some(comma) = memchr::memchr(b',', behind)
        {
            let (part, others) = rest.split_at(part_len + comma);
            parts.push(part);
            rest = &others[1..];
        }
        parts.push(rest);
        Some(parts)
    }

    /// Goes behind the array of which all `parts` were read.
    pub(crate) fn end_numbers(&mut self, parts: &[&str]) -> Read<()> {
        let commas = parts.len() - 1;
        self.at += parts.iter().map(|part| part.len()).sum::<usize>() + commas;
        if self.leave(b']') { Ok(()) } else { self.missing("expected `,` or `]`") }
    }

    /// Reads what is behind a number of a part, and says whether another one follows.
    #[inline]
    pub(crate) fn next_number(&mut self) -> Read<bool> {
        if self.peek() != Some(b',') {
            self.skip_space()?;
            match self.peek() {
                None => return Ok(false),
                Some(b',') => {}
                Some(_) => return self.fault("expected `,` or `]`"),
            }
        }
        self.at += 1;
        self.skip_space()?;
        Ok(true)
    }
}
