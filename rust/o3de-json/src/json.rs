//! JSON as O3DE keeps it.
//!
//! Members keep their order and their duplicates, and integers that need 64 unsigned bits or more, other
//! integers and numbers with a fraction stay apart: the rules for enums and colors ask for them
//! (rapidjson's `Value`, which O3DE's serializers read, does the same).

mod big_integer;
mod compare;
mod locate;
mod pointer;
mod read;
mod reader;
mod write;

pub use big_integer::BigInteger;
pub use compare::compare;
pub use locate::locate;
pub(crate) use pointer::Pointer;
pub use pointer::{escape_segment, parse_pointer};
pub use read::{JsonError, ReadLimits};
pub(crate) use read::{value as read_value, without_mark};
pub(crate) use reader::{Fault, Number, Reader};
pub(crate) use write::TextWriter;

/// A JSON value.
///
/// ```
/// use o3de_json::Json;
/// let json = Json::parse("{ \"a\": 1, /* again */ \"a\": 1.0 }").unwrap();
/// assert_eq!(json.to_text_pretty(), "{\n    \"a\": 1,\n    \"a\": 1.0\n}");
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Json {
    /// `null`.
    #[default]
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A number without fraction or exponent that fits 64 signed bits.
    Int(i64),
    /// A number without fraction or exponent above `i64::MAX`.
    Uint(u64),
    /// A number without fraction or exponent, beyond 64 bits.
    Big(BigInteger),
    /// Any other number.
    Double(f64),
    /// Text.
    String(String),
    /// A list.
    Array(Vec<Json>),
    /// Members in order; a name may occur more than once.
    Object(Vec<(String, Json)>),
}

impl Json {
    /// The first member called `name`, as rapidjson's `FindMember` looks it up.
    pub fn member(&self, name: &str) -> Option<&Json> {
        self.as_object()?.iter().find(|(key, _)| key == name).map(|(_, value)| value)
    }

    /// The members, if this is an object.
    pub fn as_object(&self) -> Option<&[(String, Json)]> {
        match self {
            Json::Object(members) => Some(members),
            _ => None,
        }
    }

    /// The elements, if this is an array.
    pub fn as_array(&self) -> Option<&[Json]> {
        match self {
            Json::Array(elements) => Some(elements),
            _ => None,
        }
    }

    /// The text, if this is a string.
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Json::String(text) => Some(text),
            _ => None,
        }
    }

    /// The number as a double, if this is one.
    pub fn as_f64(&self) -> Option<f64> {
        match self {
            Json::Int(number) => Some(*number as f64),
            Json::Uint(number) => Some(*number as f64),
            Json::Big(number) => Some(number.as_f64()),
            Json::Double(number) => Some(*number),
            _ => None,
        }
    }

    /// Whether `double`, to which a number was rounded, is the same number. Any is that is not an integer: it asks for a double.
    pub(crate) fn is_number(&self, double: f64) -> bool {
        match self {
            Json::Int(number) => double as i128 == i128::from(*number),
            Json::Uint(number) => double as i128 == i128::from(*number),
            Json::Big(number) => format!("{double:.0}") == number.as_str(),
            _ => true,
        }
    }

    /// Whether this is `{}`, which means "the default" in every position.
    pub fn is_explicit_default(&self) -> bool {
        matches!(self, Json::Object(members) if members.is_empty())
    }

    /// `{}`, which means "the default" in every position.
    pub const fn explicit_default() -> Json {
        Json::Object(Vec::new())
    }

    /// What this is, for messages.
    pub fn type_name(&self) -> &'static str {
        match self {
            Json::Null => "null",
            Json::Bool(_) => "a boolean",
            Json::Int(_) | Json::Uint(_) | Json::Big(_) => "an integer",
            Json::Double(_) => "a number with a fraction",
            Json::String(_) => "a string",
            Json::Array(_) => "an array",
            Json::Object(_) => "an object",
        }
    }
}

impl From<&str> for Json {
    fn from(text: &str) -> Self {
        Json::String(text.to_owned())
    }
}
