//! The engine's values as a source and a sink: the one place where engine memory is touched.
//!
//! Everything here uses functions and pointers that the engine provides for the purpose: a
//! Variant's content through the getter of its type, an element through the container's index
//! function. Only the layouts of the built-in types are assumed (`builtin_class_sizes` and
//! `builtin_class_member_offsets` of extension_api.json, the same for 4.2 to 4.7).
//!
//! There are also shorter ways. Each is used only if [`probe`] has proved it.
#![allow(unsafe_code)]

mod batch;
mod decode;
mod dialect;
mod encode;
mod ffi;
mod memory;
mod parallel;
mod read;
mod write;

use std::time::Instant;

pub(crate) use batch::{decode_batch, encode_batch};
pub(crate) use decode::{decode, decode_view, make, variant_of};
pub(crate) use dialect::{decode_as, encode_as};
pub(crate) use encode::encode;
pub(crate) use encode::long_text::ascii;
pub(crate) use ffi::interception::intercept;
pub(crate) use read::value::{EngineValue, Objects};
pub(crate) use write::builder::{build, string_of};
pub(crate) use write::slot::Slot;

use ffi::api::{self, api};
use ffi::layout::Layout;
use ffi::{probe, switches};
use memory::{string_cache, uninit_bytes};
use parallel::workers;

/// Looks up the engine's functions. Called once, on the main thread, before any class is used.
pub(crate) fn initialize() {
    api::load(|api| match switches::portable_is_forced() {
        true => Layout::PORTABLE,
        false => probe::layout(api),
    });
    workers::open();
}

/// Lets go of everything that outlives a call, and waits until the threads are gone, or the time is over. Returns whether no call
/// is known to be running any more. Called once, before the library is unloaded.
pub(crate) fn shut_down(deadline: Instant) -> bool {
    workers::shut_down(deadline);
    uninit_bytes::shut_down();
    let are_free = [encode::shut_down(), string_cache::shut_down()];
    are_free == [true; 2]
}

/// Which ways are in use, by name: true for one that reads or writes engine memory in place, or is
/// called by the engine without gdext in between; false for one through the functions of the
/// interface.
pub(crate) fn backend() -> [(&'static str, bool); 8] {
    let layout = &api().layout;
    [
        ("variants", layout.variants),
        ("strings", layout.strings),
        ("packed_arrays", layout.packed_arrays),
        ("unfilled_arrays", layout.uninit_arrays),
        ("arrays", layout.arrays.is_some()),
        ("dictionaries", layout.dictionaries.is_some()),
        ("table_sizes", layout.table_sizes.is_some()),
        ("calls", layout.calls),
    ]
}

/// How many parts of values each of the library's threads has worked on.
pub(crate) fn parts_by_thread() -> Vec<i64> {
    workers::parts().map(|parts| i64::try_from(parts).unwrap_or(i64::MAX)).collect()
}

/// Frees a large value on another thread.
pub(crate) fn discard<T: Send + 'static>(value: T) {
    workers::discard(value);
}

/// Runs `work`, whose parallel parts use the library's own threads.
#[cfg(feature = "editor")]
pub(crate) fn in_pool<R: Send>(work: impl FnOnce() -> R + Send) -> R {
    workers::install(work)
}
