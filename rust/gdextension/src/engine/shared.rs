//! The engine's values on other threads.

/// Something of the engine's that goes from one thread to another.
pub(super) struct Shared<T>(pub(super) T);

// SAFETY: what is shared is read only (values that nobody changes during the call, as `FastVariant`
// documents), or belongs to one thread at a time (a value that is moved to the caller when it is
// whole; a place of an array, or a shelf, of which each thread has its own). The engine counts
// references atomically.
unsafe impl<T> Send for Shared<T> {}
// SAFETY: as above.
unsafe impl<T> Sync for Shared<T> {}
