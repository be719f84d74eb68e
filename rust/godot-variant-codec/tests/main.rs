//! All integration tests of the crate, in one program: it is linked once, and its tests share the cores.

mod allowed_objects;
mod common;
mod dialect_docs_3_0;
mod dialect_docs_4_2;
mod dialect_godot_2;
mod dialects;
mod errors;
mod framing;
mod fuzz_bodies;
mod goldens;
mod inspect;
mod limits;
mod properties;
mod rpc;
mod runs;
mod salvage;
#[cfg(feature = "serde")]
mod serde;
mod texts;
#[cfg(all(feature = "serde", feature = "tokio"))]
mod tokio;
mod wire_format;
