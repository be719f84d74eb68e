//! A library that can keep itself in memory, by the code of the addon's, for `tests/pin.rs` to load and unload.
#![allow(unsafe_code)]

#[path = "../../src/entry/pin.rs"]
mod pin;

/// Whether it could be done.
#[unsafe(no_mangle)]
pub extern "C" fn keep() -> bool {
    pin::keep_loaded()
}
