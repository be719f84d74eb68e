//! The parts of the native library that need no engine, so that `cargo test` and Miri run them.
//!
//! - Text between the engine's units of 32 bits and bytes: [`utf32_to_ascii`], [`utf8_to_utf32`].
//! - Encoded bytes into memory that nobody has written yet: [`uninit_output`], [`huge_pages`].
//! - Parts of one value for several threads: [`work_queue`] and [`ordered_queue`] for decoding, [`pipeline`] for encoding.
//!   They start no thread. The caller has threads of its own, and lets each of them call the same function.
//! - The route that a value takes to its encoded bytes: [`route`].
//! - Files that are there as a whole or not at all: [`whole_file`].
//! - Every threshold of the library with its reason: [`tuning`].
//!
//! # Unsafe code
//! Three modules contain `unsafe`, each block with its proof: `utf32_to_ascii` (SSE2 intrinsics),
//! `uninit_output` (bytes that were written become a slice of bytes) and `huge_pages` (one system
//! call). `scripts/miri.sh` runs all tests of the crate under Miri, and those of the queues under
//! loom, which tries the orders in which threads can run.

pub mod huge_pages;
pub mod ordered_queue;
pub mod pipeline;
pub mod route;
mod sync;
pub mod tuning;
pub mod uninit_output;
pub mod utf32_to_ascii;
pub mod utf8_to_utf32;
pub mod whole_file;
pub mod work_queue;

pub use sync::{spin_lock, spin_wait};
