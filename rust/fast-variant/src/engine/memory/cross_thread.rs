//! The engine's values on other threads: the types that go there as they are.

use godot::builtin::{PackedByteArray, Variant};

/// A value of the engine's that goes from one thread to another, which may read it, move it on, and free it.
pub(crate) struct Moved<T: Counted>(pub(crate) T);

// SAFETY: see `Counted`.
unsafe impl<T: Counted> Send for Moved<T> {}
// SAFETY: see `Counted`.
unsafe impl Sync for Moved<Variant> {}
// SAFETY: see `Counted`.
unsafe impl Sync for Moved<PackedByteArray> {}

/// What the engine lets any thread copy and free, and several threads read at a time as long as none changes it.
///
/// # Safety
/// All that the value consists of must be counted by the engine, which does so atomically, or be `Send`. An
/// object in it is not reached into by other threads: there it is an id, and a reference that is counted.
pub(crate) unsafe trait Counted {}

// SAFETY: what is not plain in a Variant has an atomic count of references (`SafeRefCount`,
// core/templates/safe_refcount.h). No other thread may change a value during a call that reads it,
// as `FastVariant` documents.
unsafe impl Counted for Variant {}
// SAFETY: as above: a packed array counts who shares its elements (core/templates/cowdata.h).
unsafe impl Counted for PackedByteArray {}
