//! Compact bytes for Godot's values, by a schema.
//!
//! A [`Layout`] is made of a [`Schema`] and knows each field's place. So the bytes contain no names, no types and no padding:
//! `rust/docs/compact-format.md` specifies them. [`Layout::encode`] takes any [`Source`](godot_variant::Source), and
//! [`Layout::decode`] fills any [`Sink`](godot_variant::Sink), such as memory of the engine.
//!
//! ```
//! use godot_variant::Value;
//! use o3de_json::{Json, Registry, Schema};
//! use variant_schema::Layout;
//!
//! let schema = r#"{"hp": {"kind": "int", "min": 0, "max": 100}, "alive": "bool"}"#;
//! let registry = Registry::default();
//! let schema = Schema::from_json(&Json::parse(schema)?, &registry)?;
//! let layout = Layout::new(&schema, &registry)?;
//!
//! let hero = [("hp", Value::Int(93)), ("alive", Value::Bool(true))];
//! let hero: godot_variant::Dictionary =
//!     hero.into_iter().map(|(name, value)| (Value::from(name), value)).collect();
//! let hero = Value::from(hero);
//! let bytes = layout.encode(&hero)?;
//! assert_eq!(bytes.len(), 1);
//!
//! let mut read = Value::Nil;
//! layout.decode(&bytes, &mut read)?;
//! assert_eq!(read, hero);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! **Invariant:** no I/O and no engine in this crate. Decoding never panics, and allocates at most a constant times the length of
//! the bytes.

#![forbid(unsafe_code)]

// Its examples are tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

mod bits;
mod decode;
mod encode;
mod fingerprint;
mod layout;
mod numbers;
mod rows;

pub use decode::Part;
pub use encode::Place;
pub use layout::{Layout, LayoutError};
pub use o3de_json::Schema;
