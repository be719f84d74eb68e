//! From a value's text to the value, only when asked for.
//!
//! [`tree`] lays the parts of a value out flat; [`decode`] makes a [`godot_variant::Value`] of them.

mod decode;
pub(crate) mod tree;

use std::fmt;

use godot_variant::Value;

use crate::document::{Field, Property};
use crate::syntax::{self, SyntaxError};

/// Why a text is not a value for Godot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValueError {
    /// The error and its place in the text.
    pub error: SyntaxError,
}

impl fmt::Display for ValueError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "not a valid value: {:?} at byte {}", self.error.kind, self.error.span.start)
    }
}

impl std::error::Error for ValueError {}

/// Reads one value, as `str_to_var` of Godot 4.6.3 does, older spellings included.
///
/// References that only a loader can resolve become an object of the class `SubResource` or
/// `ExtResource` with the property `id`, or `Resource` with the property `path`. Elements of typed
/// containers stay as they are written.
///
/// ```
/// use godot_variant::Value;
///
/// let value = godot_tscn::parse_value(b"Vector2( 1, 0.5 )")?;
/// assert!(matches!(value, Value::Vector2([1.0, 0.5])));
/// assert_eq!(godot_tscn::parse_value(b"Vector2(1)").unwrap_err().error.span.start, 0);
/// # Ok::<(), godot_tscn::ValueError>(())
/// ```
///
/// # Errors
/// When Godot refuses the text, with the first such place. Text behind the value counts as an error
/// too.
pub fn parse_value(text: &[u8]) -> Result<Value, ValueError> {
    syntax::check_value(text).map_err(|error| ValueError { error })?;
    Ok(decode::decode(tree::ValueTree::new(text).root()))
}

impl Field<'_> {
    /// The field's value. See [`parse_value`].
    ///
    /// # Errors
    /// As [`parse_value`].
    pub fn value(self) -> Result<Value, ValueError> {
        parse_value(self.source())
    }
}

impl Property<'_> {
    /// The property's value. See [`parse_value`].
    ///
    /// # Errors
    /// As [`parse_value`].
    pub fn value(self) -> Result<Value, ValueError> {
        parse_value(self.source())
    }
}
