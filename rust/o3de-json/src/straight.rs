//! Text to values without a tree of JSON between them.
//!
//! Most documents are what their schema says: nothing has to be converted, nothing is left over.
//! Such a text is read once, and each value is made where it ends up. As soon as there is something
//! to report, or anything that the rules of a type have to decide over more than this value, nothing
//! has happened yet, and the general way ([`crate::load`]) does it all. So this one never has to say
//! what is wrong, and the other one need not be fast.
//!
//! A value of a type that has no short way here is read into a small tree and loaded by the general
//! rules, one value at a time.

mod builder;
mod plan;
mod reading;
mod store;

pub use builder::{Builder, ValueBuilder};
pub use store::store_straight;

use crate::json::{Reader, without_mark};
use crate::{Json, JsonError, Loaded, ReadLimits, Registry, ResultCode, Schema, Settings, load};
use plan::{Node, holds_objects};
use reading::Reading;

/// Loads `text` by the schema's default as [`crate::load`] would, into the values of `builder`.
///
/// None if the general way has to do it, which finds out why: the text is no JSON, something is to
/// be reported, or the schema is not one for this way.
pub fn load_straight<B: Builder>(
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
    if matches!(node, Node::General) {
        return None;
    }
    let reader = Reader::new(text, limits.max_depth);
    Reading::new(reader, registry, settings, builder).document(schema, &node)
}

/// Loads the value of a text, with the schema's default for what it leaves out.
///
/// The same as [`Json::parse_limited`] and [`load`], and faster.
///
/// ```
/// use o3de_json::{Kind, ReadLimits, Registry, Settings, load_text};
/// use variant::Value;
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
    match load_straight(text, limits, schema, registry, settings, &ValueBuilder) {
        Some((value, code)) => Ok(Loaded { value, code, issues: Vec::new() }),
        None => {
            let json = Json::parse_limited(text, limits)?;
            Ok(load(&json, schema, None, registry, settings, None))
        }
    }
}
