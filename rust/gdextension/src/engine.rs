//! The engine's values as a source and a sink: the one place where engine memory is touched.
//!
//! Everything here goes through pointers that the engine hands out for the purpose: a Variant's
//! content through the getter of its type, an element through the container's index function. No
//! layout is assumed but the documented one of the built-in types (`builtin_class_sizes` and
//! `builtin_class_member_offsets` of extension_api.json, the same for 4.2 to 4.7).
#![allow(unsafe_code)]

mod api;
mod batch;
mod object_reader;
mod object_writer;
mod reader;
mod text;
mod workers;
mod writer;

pub(crate) use batch::{decode_batch, encode_batch};
pub(crate) use reader::{EngineValue, Objects};
pub(crate) use writer::Slot;

/// Looks up the engine's functions. Called once, on the main thread, before any class is used.
pub(crate) fn initialize() {
    api::load();
}

/// Lets go of everything that outlives a call. Called once, before the library is unloaded.
pub(crate) fn shut_down() {
    workers::shut_down();
}
