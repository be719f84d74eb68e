//! A library that can keep itself in memory and release its file, by the code of the addon's, for `tests/pin.rs` and
//! `tests/detach.rs` to load and unload.
#![allow(unsafe_code)]

#[cfg(target_os = "linux")]
#[path = "../../src/entry/detach.rs"]
mod detach;

#[path = "../../src/entry/pin.rs"]
mod pin;

use std::sync::atomic::{AtomicU32, Ordering};

/// Whether it could be done.
#[unsafe(no_mangle)]
pub extern "C" fn keep() -> bool {
    pin::keep_loaded()
}

/// Whether it could be done.
#[cfg(target_os = "linux")]
#[unsafe(no_mangle)]
pub extern "C" fn let_go() -> bool {
    detach::let_go_of_file().is_ok()
}

/// In pages that were never read before.
static TABLE: [u8; 1 << 20] = [7; 1 << 20];
/// In a page that is written, and more.
static COUNTS: [AtomicU32; 1 << 16] = [const { AtomicU32::new(3) }; 1 << 16];

/// Reads and writes all over the library's memory.
#[unsafe(no_mangle)]
pub extern "C" fn use_memory() -> u64 {
    let table: u64 = TABLE.iter().map(|byte| u64::from(*std::hint::black_box(byte))).sum();
    COUNTS.iter().fold(table, |sum, count| sum + u64::from(count.fetch_add(1, Ordering::Relaxed)))
}
