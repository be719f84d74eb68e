//! A number for the meaning of a text, independent of its form.
//!
//! Two texts with the same fingerprint contain the same tags, fields, properties and values in the
//! same order, if the order matters to Godot. Fields of a tag, `ext_resource`s, names of groups and
//! entries of a dictionary may change places.

use std::hash::BuildHasher;

use hashbrown::DefaultHashBuilder;

/// The hash of the text so far.
#[derive(Clone, Debug)]
pub(crate) struct Fingerprint {
    hasher: DefaultHashBuilder,
    value: u64,
    comments: u64,
}

/// UnorderedParts without a relevant order.
#[derive(Clone, Copy, Debug)]
pub(crate) struct UnorderedParts {
    /// The hash before them.
    before: u64,
    sum: u64,
}

impl Fingerprint {
    /// Fingerprints can be compared if they were made with the same `hasher`.
    pub(crate) fn new(hasher: DefaultHashBuilder) -> Self {
        Self { hasher, value: 0, comments: 0 }
    }

    /// A fresh one that can be compared with this one.
    pub(crate) fn fresh(&self) -> Self {
        Self::new(self.hasher.clone())
    }

    /// Whether the same values were read.
    pub(crate) fn has_same_values(&self, other: &Self) -> bool {
        self.value == other.value
    }

    /// Whether the same comments were read.
    pub(crate) fn has_same_comments(&self, other: &Self) -> bool {
        self.comments == other.comments
    }

    /// The state so far, to return to.
    pub(crate) fn mark(&self) -> (u64, u64) {
        (self.value, self.comments)
    }

    /// Forgets the text since the `mark`.
    pub(crate) fn rewind(&mut self, mark: (u64, u64)) {
        (self.value, self.comments) = mark;
    }

    /// Takes a number, or the bits of one.
    #[inline]
    pub(crate) fn number(&mut self, number: u64) {
        self.value = mixed(self.value, number);
    }

    /// Takes a name, a string or the like. `kind` distinguishes equal bytes with different
    /// meanings.
    #[inline]
    pub(crate) fn bytes(&mut self, kind: u8, bytes: &[u8]) {
        self.number(u64::from(kind));
        self.number(self.hasher.hash_one(bytes));
    }

    /// Takes a comment; its place counts as well as its text.
    #[cold]
    pub(crate) fn comment(&mut self, comment: &[u8], starts_line: bool) {
        let comment = mixed(self.hasher.hash_one(comment), u64::from(starts_line));
        self.comments = mixed(self.comments, comment);
        self.number(comment);
    }

    /// Begins parts.
    #[inline]
    pub(crate) fn begin_parts(&mut self) -> UnorderedParts {
        UnorderedParts { before: std::mem::take(&mut self.value), sum: 0 }
    }

    /// Ends a part.
    #[inline]
    pub(crate) fn end_part(&mut self, parts: &mut UnorderedParts) {
        parts.sum = parts.sum.wrapping_add(std::mem::take(&mut self.value));
    }

    /// Ends parts. The text since the last of them counts as one.
    #[inline]
    pub(crate) fn end_parts(&mut self, mut parts: UnorderedParts) {
        self.end_part(&mut parts);
        self.value = mixed(parts.before, parts.sum);
    }
}

/// The folded multiplication of wyhash and foldhash.
#[inline]
fn mixed(state: u64, value: u64) -> u64 {
    let product =
        u128::from(state ^ 0x9e37_79b9_7f4a_7c15) * u128::from(value ^ 0xa076_1d64_78bd_642f);
    (product as u64 ^ (product >> 64) as u64).rotate_left(23).wrapping_add(value)
}
