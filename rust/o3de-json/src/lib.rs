//! O3DE's JSON serialization for Godot's values.
//!
//! A [`Schema`] describes a type of values, [`load`] makes a value from [`Json`], [`store`] writes it. Both return a
//! [`ResultCode`] and [`Issue`]s, each with the place in the document. A [`Registry`] has the classes that
//! data may name. [`load_streaming`] and [`store_streaming`] are a fast path for documents without issues.
//!
//! The rules are those of O3DE's documentation page on the serialization of data types and, where
//! it is silent, of the engine's C++ (commit 354a2accd2a2); see [`Profile`].
//!
//! **Invariant:** no I/O and no engine in this crate.

#![forbid(unsafe_code)]

// Its examples are tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

mod file;
mod import;
mod json;
mod kinds;
mod limits;
mod load;
mod patch;
mod plain;
mod registry;
mod result;
mod run;
mod schema;
mod store;
mod streaming;

pub use file::{load_wrapped, load_wrapped_over, store_wrapped, wrapped_class};
pub use import::{Import, Resolver, resolve_imports, resolve_imports_in_order, restore_imports};
pub use json::{
    BigInteger, Json, JsonError, ReadLimits, compare, escape_segment, locate, parse_pointer,
};
pub use limits::DocumentLimits;
pub use load::{Loaded, load};
pub use patch::{
    PatchError, apply_json_patch, apply_merge_patch, create_json_patch, create_merge_patch,
};
pub use plain::{load_plain, load_plain_streaming, load_plain_text};
pub use registry::{Class, Field, Registry, TypeId};
pub use result::{Issue, Outcome, Place, Processing, ResultCode, Task};
pub use run::{Profile, Reporter, Settings};
pub use schema::{
    Constants, EnumSchema, FloatRepr, IntRepr, Kind, MapKind, Packing, Schema, SchemaError,
    SequenceKind, UnsupportedKind,
};
pub use store::{Stored, store};
pub use streaming::{Builder, ValueBuilder, load_streaming, load_text, store_streaming};
