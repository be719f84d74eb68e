//! A piece of a text: a range of the original one, or its replacement.

use crate::span::Span;

#[derive(Clone, Debug)]
pub(super) enum Piece {
    Source(Span),
    New(Box<[u8]>),
}

impl Piece {
    pub(super) const EMPTY: Self = Self::Source(Span { start: 0, end: 0 });

    pub(super) fn new(text: impl Into<Vec<u8>>) -> Self {
        Self::New(text.into().into_boxed_slice())
    }

    pub(super) fn between(start: u32, end: u32) -> Self {
        Self::Source(Span::new(start, end))
    }

    pub(super) fn of<'t>(&'t self, text: &'t [u8]) -> &'t [u8] {
        match self {
            Self::Source(span) => span.of(text),
            Self::New(new) => new,
        }
    }
}
