//! How much a value may be, for bytes from a stranger.

use godot_variant::{MAX_RECURSION_DEPTH, VariantType};

use crate::MAX_LEN;
use crate::error::{DecodeError, DecodeErrorKind};

/// How much one value may be before decoding it is given up.
///
/// They are for what is decoded, in whole or out of a [`ValueRef`](crate::ValueRef), which says what it
/// looks at itself.
///
/// Whatever the limits, no declared length or count is believed before its bytes are there, so
/// memory grows with the bytes received and nothing else. A [`Value`](godot_variant::Value) takes at most
/// [`Limits::MAX_MEMORY_PER_BYTE`] bytes for each byte that it is decoded from.
///
/// ```
/// use godot_variant_codec::{DecodeOptions, Decoder, Limits, variant::Value};
///
/// let nils = [28, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]; // [null, null, null]
/// let limits = Limits { max_elements: 2, ..Limits::STRICT };
/// let options = DecodeOptions { limits, ..DecodeOptions::default() };
/// let error = Decoder::new(&nils, options).decode_into(&mut Value::Nil).unwrap_err();
/// assert_eq!(error.kind().code(), "too_many_elements");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The bytes that one value may take, rounded down to a multiple of 4. Bytes behind the value do
    /// not count.
    pub max_bytes: usize,
    /// How deep values may nest; the outermost value stands at depth 0. More than
    /// [`MAX_RECURSION_DEPTH`] has no effect.
    pub max_depth: usize,
    /// How many elements of arrays, entries of dictionaries, properties of objects, strings of
    /// packed arrays and names of node paths the value may hold, all together. Numbers and vectors in
    /// packed arrays do not count: they take the memory that they take as bytes.
    pub max_elements: usize,
    /// The bytes of UTF-8 that one text may have.
    pub max_string: usize,
    /// How many other keys of its dictionary a key may meet in the engine's hash table, on average,
    /// and how many other names a name in the engine's table of names; some thousands are free. A
    /// decoder does not look at it, [`check_collisions`](crate::check_collisions) does.
    pub max_collisions: usize,
}

impl Limits {
    /// What the engine accepts: 2 GiB, 1024 levels.
    pub const ENGINE: Limits = Limits {
        max_bytes: MAX_LEN,
        max_depth: MAX_RECURSION_DEPTH,
        max_elements: usize::MAX,
        max_string: usize::MAX,
        max_collisions: usize::MAX,
    };

    /// For a message of a stranger: 1 MiB, 32 levels, 65,536 elements, 64 KiB of text, 128 collisions.
    pub const STRICT: Limits = Limits {
        max_bytes: 1 << 20,
        max_depth: 32,
        max_elements: 1 << 16,
        max_string: 1 << 16,
        max_collisions: 128,
    };

    /// The most memory that a decoded [`Value`](godot_variant::Value) takes for each byte of its encoding,
    /// while it is made: empty arrays and dictionaries in an array are the worst. The crate's test
    /// `amplification` measures it.
    pub const MAX_MEMORY_PER_BYTE: usize = 48;
}

impl Default for Limits {
    /// [`Limits::ENGINE`]: a decoder without further wishes agrees with the engine.
    fn default() -> Self {
        Limits::ENGINE
    }
}

/// Counts what a value has taken of its limits.
#[derive(Clone, Debug)]
pub(crate) struct LimitBudget {
    max_depth: usize,
    elements_left: usize,
    limits: Limits,
}

impl LimitBudget {
    pub(crate) fn new(limits: Limits) -> LimitBudget {
        let max_depth = limits.max_depth.min(MAX_RECURSION_DEPTH);
        LimitBudget { max_depth, elements_left: limits.max_elements, limits }
    }

    /// Counts anew, for the next value.
    #[inline]
    pub(crate) fn restart(&mut self) {
        self.elements_left = self.limits.max_elements;
    }

    /// How many elements are left.
    pub(crate) fn elements_left(&self) -> usize {
        self.elements_left
    }

    /// Takes the content of a container, which stands one level deeper than `depth`; an empty
    /// container may stand at the limit itself.
    #[inline]
    pub(crate) fn open(
        &mut self,
        depth: usize,
        count: usize,
        start: usize,
    ) -> Result<(), DecodeError> {
        if depth >= self.max_depth && count > 0 {
            let kind = DecodeErrorKind::TooDeep { limit: self.max_depth };
            return Err(DecodeError::new(kind, start));
        }
        self.count(count, start)
    }

    /// Takes elements that hold nothing.
    #[inline]
    pub(crate) fn count(&mut self, count: usize, start: usize) -> Result<(), DecodeError> {
        match self.elements_left.checked_sub(count) {
            Some(left) => {
                self.elements_left = left;
                Ok(())
            }
            None => Err(self.too_many(start)),
        }
    }

    #[cold]
    fn too_many(&self, start: usize) -> DecodeError {
        let max = self.limits.max_elements;
        DecodeError::new(DecodeErrorKind::TooManyElements { max }, start)
    }

    /// Takes a text of `len` bytes.
    #[inline]
    pub(crate) fn text(
        &self,
        what: VariantType,
        len: usize,
        start: usize,
    ) -> Result<(), DecodeError> {
        if !self.allows_text(len) {
            return Err(self.too_long(what, len, start));
        }
        Ok(())
    }

    /// Whether a text may have `len` bytes.
    #[inline]
    pub(crate) fn allows_text(&self, len: usize) -> bool {
        len <= self.limits.max_string
    }

    #[cold]
    fn too_long(&self, what: VariantType, len: usize, start: usize) -> DecodeError {
        let max = self.limits.max_string;
        DecodeError::new(DecodeErrorKind::TextTooLong { what, len, max }, start)
    }
}

/// The bytes that a value at `start` may take, and whether others follow.
pub(crate) fn within(bytes: &[u8], start: usize, limits: Limits) -> (&[u8], bool) {
    // A value is padded to a multiple of 4: so the cut is never inside of padding.
    let end = start.saturating_add(limits.max_bytes - limits.max_bytes % 4);
    match bytes.get(..end) {
        Some(cut) if end < bytes.len() => (cut, true),
        _ => (bytes, false),
    }
}

/// What is wrong with bytes that were cut at `max_bytes`: not that they end.
#[cold]
pub(crate) fn explain_cut(error: DecodeError, cut: bool, limits: Limits) -> DecodeError {
    let ends = matches!(
        error.kind(),
        DecodeErrorKind::UnexpectedEnd { .. } | DecodeErrorKind::CountTooLarge { .. }
    );
    if cut && ends {
        return error.with_kind(DecodeErrorKind::TooManyBytes { max: limits.max_bytes });
    }
    error
}
