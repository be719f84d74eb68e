//! The parts of the native library that need no engine, so that `cargo test` and Miri run them.
//!
//! - Text between the engine's units of 32 bits and bytes: [`utf32_to_ascii`], [`utf8_to_utf32`].
//! - Encoded bytes into memory that nobody has written yet: [`uninit_output`], [`huge_pages`].
//! - The route that a value takes to its encoded bytes: [`route`].
//! - Files that are there as a whole or not at all: [`whole_file`].
//! - Every threshold of the library with its reason: [`tuning`].
//!
//! # Unsafe code
//! Three modules contain `unsafe`, each block with its proof: `utf32_to_ascii` (SSE2 intrinsics),
//! `uninit_output` (memory that grows, and bytes of it that were written) and `huge_pages` (one system
//! call). `scripts/test/crates/miri.sh` runs all tests of the crate under Miri.

pub mod huge_pages;
pub mod route;
mod spin_lock;
pub mod tuning;
pub mod uninit_output;
pub mod utf32_to_ascii;
pub mod utf8_to_utf32;
pub mod whole_file;

pub use spin_lock::spin_lock;
