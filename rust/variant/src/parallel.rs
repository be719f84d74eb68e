//! Containers that several threads fill at once.
//!
//! A sink that has threads gives one of these traits from its `parallel()`; the source that cuts its content into parts gives
//! the emitter. Neither needs to know how the other works: the source knows no thread, and the sink no format.

use crate::{ArraySink, StringsSink};

/// An array or a dictionary that several threads fill.
pub trait ParallelSink: Sized {
    /// Takes all elements, or entries, in parts. `cut` is asked for one part after the other, and gives it with the number of
    /// elements, or entries, in it; any thread emits any part, in whatever order. The entries of a dictionary are put in in
    /// order, whichever thread has emitted them.
    ///
    /// `None`, and nothing is cut, if no thread is free after all.
    ///
    /// # Errors
    /// What `emitter` returns for the first part that failed.
    fn fill<E: PartEmitter>(
        self,
        cut: impl FnMut() -> Option<(E::Part, usize)> + Send,
        emitter: &E,
    ) -> Option<Result<(), E::Error>>;
}

/// Emits parts of an array or of a dictionary.
pub trait PartEmitter: Sync {
    /// Some elements, or entries, that follow each other.
    type Part: Send;
    /// What is wrong with them.
    type Error: Send;
    /// Emits the elements of a part, or the keys and the values of its entries by turns.
    ///
    /// # Errors
    /// What is wrong with the first of them that cannot be emitted.
    fn emit<A: ArraySink>(&self, part: Self::Part, elements: &mut A) -> Result<(), Self::Error>;
}

/// A `PackedStringArray` that several threads fill.
pub trait ParallelStrings: Sized {
    /// Takes all strings in parts, as [`ParallelSink::fill`] takes elements.
    ///
    /// # Errors
    /// What `emitter` returns for the first part that failed.
    fn fill<E: StringsEmitter>(
        self,
        cut: impl FnMut() -> Option<(E::Part, usize)> + Send,
        emitter: &E,
    ) -> Option<Result<(), E::Error>>;
}

/// Emits parts of a `PackedStringArray`.
pub trait StringsEmitter: Sync {
    /// Some strings that follow each other.
    type Part: Send;
    /// What is wrong with them.
    type Error: Send;
    /// Emits the strings of a part.
    ///
    /// # Errors
    /// What is wrong with the first of them that cannot be emitted.
    fn emit<S: StringsSink>(&self, part: Self::Part, strings: &mut S) -> Result<(), Self::Error>;
}

/// What a sink without threads gives: there is no value of this type.
#[derive(Clone, Copy, Debug)]
pub enum NoParallel {}

impl ParallelSink for NoParallel {
    fn fill<E: PartEmitter>(
        self,
        _cut: impl FnMut() -> Option<(E::Part, usize)> + Send,
        _emitter: &E,
    ) -> Option<Result<(), E::Error>> {
        match self {}
    }
}

impl ParallelStrings for NoParallel {
    fn fill<E: StringsEmitter>(
        self,
        _cut: impl FnMut() -> Option<(E::Part, usize)> + Send,
        _emitter: &E,
    ) -> Option<Result<(), E::Error>> {
        match self {}
    }
}
