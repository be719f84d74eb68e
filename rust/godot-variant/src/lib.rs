//! The vocabulary of Godot's values, shared by every format and every engine binding.
//!
//! - [`VariantType`]: the 39 types of Godot 4, as the one table from which everything else derives;
//! - [`Value`]: a value that owns its content and needs no engine;
//! - [`Source`] and [`Sink`]: the two halves through which every reader meets every writer.
//!
//! A reader (of bytes, of text, of engine memory) fills a [`Sink`]; a writer is a `Sink`. So one
//! encoder serves [`Value`] and engine memory alike, and one decoder fills both.
//!
//! ```
//! use godot_variant::{Array, Source, Value};
//!
//! let array = Array::from_iter([Value::Int(1), Value::from("two")]);
//!
//! // Any source fills any sink: here a value fills another value.
//! let mut copy = Value::Nil;
//! Value::from(array.clone()).emit(&mut copy)?;
//! assert_eq!(copy, Value::from(array));
//! # Ok::<(), godot_variant::Refusal>(())
//! ```
//!
//! **Invariant:** no I/O, no format, no engine in this crate.

#![forbid(unsafe_code)]

// Its examples are tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

#[cfg(target_endian = "big")]
compile_error!(
    "packed arrays cross this crate as little-endian bytes: big-endian targets are not supported"
);

mod array;
mod container_type;
mod dictionary;
mod key;
mod node_path;
mod object;
mod packed;
mod path;
pub mod plain;
mod printable;
mod refusal;
mod sink;
mod types;
mod value;

pub use array::Array;
pub use container_type::{ContainerType, ContainerTypeRef};
pub use dictionary::Dictionary;
pub use node_path::{NodePath, NodePathRef};
pub use object::{Object, Signal};
pub use packed::PackedType;
pub use path::{Path, Segment};
pub use plain::Plain;
pub use printable::printable;
pub use refusal::{Refusal, RefusalKind};
pub use sink::{
    ArraySink, DictionarySink, ObjectSink, Sink, Source, StringKind, StringsSink, Text, emit_each,
};
pub use types::{Shape, VariantType};
pub use value::{Place, Value};

/// The engine's `real_t`: the component of vectors and transforms.
///
/// The 32-bit `float` of ordinary builds (`precision=single`). [`Value::Float`] is always 64-bit.
pub type Real = f32;

/// How deep a value may nest before the engine refuses it, the outermost value being at depth 0
/// (`Variant::MAX_RECURSION_DEPTH`, core/variant/variant.h, Godot 3.5 to 4.6).
pub const MAX_RECURSION_DEPTH: usize = 1024;

/// The class under which the engine names objects that travel as instance ids.
pub const ENCODED_OBJECT_AS_ID: &str = "EncodedObjectAsID";
