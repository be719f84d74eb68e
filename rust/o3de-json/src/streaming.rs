//! The fast path: text to values and back without a tree of JSON between them.
//!
//! Most documents match their schema: nothing has to be converted, nothing is left over. Such a text is read once, and
//! each value is made where it ends up. At the first thing to report, everything is dropped and the tree path
//! ([`crate::load`], [`crate::store`]) does all of it. So only the tree path explains what is wrong, and only this one has
//! to be fast.
//!
//! Which values of a type can be streamed, and how they are read and written, is in the file of the type in `kinds`. A
//! value that cannot be streamed is read into a small tree and loaded by the rules of its kind, alone.
//!
//! `testkit/src/o3de_checks.rs` compares the two paths.

mod builder;
mod plan;
mod read;
mod write;

pub use builder::{Builder, ValueBuilder};
pub(crate) use plan::{Child, RecordNode};
pub(crate) use read::{Fallback, StreamReader, Streamed};
pub(crate) use write::not_plain;
pub use write::store_streaming;

use crate::json::{Reader, without_mark};
use crate::{
    Json, JsonError, Loaded, ReadLimits, Registry, ResultCode, Schema, Settings, load, locate,
};
use plan::{Node, holds_objects};

/// Loads `text` by the schema's default as [`crate::load`] would, into the values of `builder`.
///
/// None if the tree path has to do it, which finds out why: the text is not JSON, there is something to report, or the
/// schema cannot be streamed.
pub fn load_streaming<B: Builder>(
    text: &str,
    limits: ReadLimits,
    schema: &Schema,
    registry: &Registry,
    settings: Settings,
    builder: &B,
) -> Option<(B::Value, ResultCode)> {
    let text = without_mark(text);
    if text.len() > limits.max_len || (!B::OBJECTS && holds_objects(schema)) {
        return None;
    }
    let node = Node::new(schema, registry, settings, builder);
    if matches!(node, Node::Tree) {
        return None;
    }
    let reader = Reader::new(text, limits.max_depth);
    StreamReader::new(reader, registry, settings, builder).document(schema, &node)
}

/// Loads the value of a text, with the schema's default for what it leaves out.
///
/// The same as [`Json::parse_limited`], [`load`] and [`locate`], and faster.
///
/// ```
/// use o3de_json::{Kind, ReadLimits, Registry, Settings, load_text};
/// use godot_variant::Value;
/// let (limits, registry) = (ReadLimits::default(), Registry::default());
/// let schema = Kind::Vector(2).into();
/// let loaded = load_text("[1, 2.5]", limits, &schema, &registry, Settings::default())?;
/// assert_eq!(loaded.value, Value::Vector2([1.0, 2.5]));
/// # Ok::<(), o3de_json::JsonError>(())
/// ```
///
/// # Errors
/// As [`Json::parse_limited`].
pub fn load_text(
    text: &str,
    limits: ReadLimits,
    schema: &Schema,
    registry: &Registry,
    settings: Settings,
) -> Result<Loaded, JsonError> {
    match load_streaming(text, limits, schema, registry, settings, &ValueBuilder) {
        Some((value, code)) => Ok(Loaded { value, code, issues: Vec::new() }),
        None => {
            let json = Json::parse_limited(text, limits)?;
            let mut loaded = load(&json, schema, None, registry, settings, None);
            locate(text, limits, &mut loaded.issues);
            Ok(loaded)
        }
    }
}
